"""Putting a turn's words and what they settle into the store, each write acknowledged when it returns."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gate import compile_prohibition
from gate.errors import CompileQuestion
from gate.model import Decision, Verdict
from partner.context import is_open
from partner.errors import UsageError
from partner.events import Clarify, Formed
from partner.history import PARTNER
from partner.holds import StoreHolds
from partner.names import short
from partner.tags import Tags, all_of, given, tagged
from store.model import Draft, Engram, EngramType, Klass, Link, Provenance, ProvenanceKind, Relation

if TYPE_CHECKING:
    from partner.formation import Change
    from partner.formation import Formed as Formation
    from store import Store

PART_CHARS = 400_000
UNSTORED = "00000000-0000-7000-8000-000000000000"  # a rule is compiled before it has an id


def tagged_hash(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def keep_utterance(
    store: Store,
    text: str,
    *,
    speaker: str,
    metadata: Mapping[str, Any],
    source: str | None,
    answers: Engram | None = None,
) -> Engram:
    """Keep words as said, under the name of who said them: the operator's are the operator's, the partner's
    its own. Longer than one engram holds: several, joined by part_of to the first."""
    own = speaker == PARTNER
    kind = ProvenanceKind.INFERENCE if own else ProvenanceKind.OPERATOR
    first: Engram | None = None
    for start in range(0, max(len(text), 1), PART_CHARS):
        piece = text[start : start + PART_CHARS]
        if not piece.strip():
            continue  # an engram needs words; white space alone says nothing
        written = store.write(
            Draft(
                type=EngramType.UTTERANCE,
                content=piece,
                provenance=Provenance(kind=kind, source=source),
                salience=0.2,
                links=_joined(first, answers),
                metadata={"speaker": speaker, **metadata},
            ),
            author=PARTNER if own else None,
        )
        first = first or written
    if first is None:
        raise UsageError("there is nothing to keep: the message is empty")
    return first


def _joined(first: Engram | None, answers: Engram | None) -> tuple[Link, ...]:
    if first is not None:
        return (Link(relation=Relation.PART_OF, target=first.id),)
    return (Link(relation=Relation.ANSWERS, target=answers.id),) if answers is not None else ()


def apply_changes(
    store: Store,
    changes: Sequence[Change],
    *,
    utterance: Engram | None,
    at: datetime,
    author: str | None = None,
) -> Iterator[Formed | Clarify]:
    """Write what a turn settled, one event a change, in the order given. `author` None is the operator."""
    from partner.formation import ChangeKind

    for change in changes:
        draft = _grounded(change.draft, utterance)
        if draft is not None and draft.type is EngramType.PROHIBITION:
            asked = uncheckable(draft.content)
            if asked:
                yield Clarify(question=asked)
                draft = _unenforced(draft)
        if change.kind is ChangeKind.NEW and draft is not None:
            yield Formed(engram=store.write(draft, author=author), change="new", note=change.note)
        elif change.kind is ChangeKind.SUPERSEDE and draft is not None:
            yield from _supersede(store, change, draft, author)
        elif change.kind is ChangeKind.RETRACT:
            for target in change.targets:
                old = store.read(target)
                entry = store.retract(target, reason=change.note)
                yield Formed(engram=entry, change="retract", old=old, note=change.note)
        elif change.kind is ChangeKind.SAME:
            store.reinforce(list(change.targets), at)
            for target in change.targets:
                yield Formed(engram=store.read(target), change="same", note=change.note)


def _supersede(store: Store, change: Change, draft: Draft, author: str | None) -> Iterator[Formed | Clarify]:
    """Put a claim in the place of those it replaces. A rule gives way only to a rule that is in force, or to
    words
    that permit for good all that it forbids."""
    from partner.formation.lifting import takes_back

    replaced = [store.read(target) for target in change.targets]
    draft = tagged(draft, frozenset().union(*(given(old.metadata) for old in replaced)))
    ruled = [old for old in replaced if old.klass is Klass.PROHIBITION]
    rules = [old for old in ruled if not takes_back(draft.content, old.content)]
    if not rules or draft.type is EngramType.PROHIBITION:
        written = store.supersede(replaced[0].id, draft, author=author)
        yield Formed(engram=written, change="supersede", old=replaced[0], note=change.note)
        return
    for rule in rules:
        yield Clarify(
            question=f"The rule “{rule.content}” stays in force: a rule ends only when you take it back "
            f"(/retract {short(rule.id)}) or write another in its place."
        )
    kept = {rule.id for rule in rules}
    links = tuple(link for link in draft.links if link.target not in kept)
    others = [old for old in replaced if old.id not in kept]
    free = replace(draft, links=links)
    if others:
        yield Formed(
            engram=store.supersede(others[0].id, free, author=author), change="supersede", old=others[0]
        )
    else:
        yield Formed(engram=store.write(free, author=author), change="new", note=change.note)


def _unenforced(draft: Draft) -> Draft:
    """The words of a rule that cannot be checked, kept as how the operator wants things: never as a rule."""
    return replace(draft, type=EngramType.CONVENTION, metadata={**draft.metadata, "enforced": False})


def uncheckable(sentence: str) -> str:
    """What to ask where a sentence gives no rule that can be checked; empty when it compiles."""
    try:
        compile_prohibition(UNSTORED, sentence)
    except CompileQuestion as error:
        return f"“{sentence}” is kept, but not in force as a rule: {error}"
    return ""


def by_hand(
    type_: EngramType, text: str, *, at: datetime | None = None, metadata: Mapping[str, Any] | None = None
) -> Draft:
    """A draft of what the operator typed as an engram of its own."""
    return Draft(
        type=type_,
        content=text.strip(),
        provenance=Provenance(
            kind=ProvenanceKind.OPERATOR,
            source="typed",
            evidence=text.strip(),
            evidence_hash=tagged_hash(text),
        ),
        salience=0.8 if type_ is EngramType.PROHIBITION else 0.6,
        valid_from=at,
        metadata=metadata or {},
    )


def known(
    store: Store, type_: EngramType, text: str, *, at: datetime, tags: Tags = frozenset()
) -> Formed | None:
    """What the operator types by hand and has said in these words already: heard again, not written twice.

    None where it is new, where the goal of these words is closed, or where it lacks one of the `tags`.
    """
    for engram in StoreHolds(store).in_these_words(type_, text):
        if tags <= given(engram.metadata) and stand_as(store, engram.klass, [engram.id]):
            store.reinforce([engram.id], at)
            return Formed(engram=engram, change="same", note="known already")
    return None


def tagged_change(change: Change, tags: Tags) -> Change:
    return change if change.draft is None else replace(change, draft=tagged(change.draft, tags))


def stand_as(store: Store, klass: Klass, refs: Sequence[str]) -> bool:
    """Whether all of them are of that class, and none is a goal that is closed."""
    found = map(store.read, refs)
    return all(e.klass is klass and (klass is not Klass.OBJECTIVE or is_open(e)) for e in found)


def _grounded(draft: Draft | None, utterance: Engram | None) -> Draft | None:
    """Tie a claim to the turn it came from: a link to it and the hash of its bytes."""
    if draft is None or utterance is None:
        return draft
    links = (*draft.links, Link(relation=Relation.DERIVED_FROM, target=utterance.id))
    provenance = replace(draft.provenance, evidence_hash=tagged_hash(utterance.content))
    return replace(draft, links=links, provenance=provenance)


# ---- what a message settles, before anything of it is written


def drafts_of(formation: Formation) -> list[Draft]:
    return [change.draft for change in formation.changes if change.draft is not None]


def said_again(store: Store, formation: Formation) -> Tags:
    """The tags of what is said again, taken back or replaced: no link of a new engram tells of those."""
    return all_of(store.read(target) for change in formation.changes for target in change.targets)


def settled_share(formation: Formation, words: str) -> float:
    """Which share of the words the claims that were formed rest on, in hundredths."""
    evidence = {draft.provenance.evidence or "" for draft in drafts_of(formation)}
    covered = sum(len(span) for span in evidence if span in words)
    return round(min(covered / len(words), 1.0), 2)


def decided(store: Store, verdict: Verdict, changes: Sequence[Change]) -> Decision:
    """The gate's decision on a message; ALLOW where the message ends all the rules that it met: 'You may
    order from Temu again' says the words of a rule, and orders nothing."""
    met = {match.engram_id for match in verdict.matches}
    if verdict.decision is Decision.ALLOW or not met:
        return verdict.decision
    ended = {rule for change in changes for rule in _ended(store, change, met)}
    return Decision.ALLOW if met <= ended else verdict.decision


def _ended(store: Store, change: Change, rules: Collection[str]) -> list[str]:
    from partner.formation import ChangeKind
    from partner.formation.lifting import takes_back

    targets = [target for target in change.targets if target in rules]
    if change.kind is ChangeKind.RETRACT:
        return targets
    if change.kind is not ChangeKind.SUPERSEDE or change.draft is None:
        return []
    said = change.draft.content
    return [rule for rule in targets if takes_back(said, store.read(rule).content)]


def rests_on(change: Change, refused: Sequence[str]) -> bool:
    """Whether a change takes its evidence from a stretch that was refused."""
    evidence = change.draft.provenance.evidence if change.draft else None
    if not evidence:
        return True
    return any(span in evidence or evidence in span for span in refused if span.strip())
