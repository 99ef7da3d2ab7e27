"""What an engine is given for one turn: routed by class, under a token budget, newest turns last.

Identity and dispositions are always in, uncontested (P4); open objectives too, in brief. Prohibitions
come in only as a caution when the request touched one without being decided by it; they are never
retrieved (P5). Conclusions, observations and knowledge are retrieved by meaning. The order of the parts
keeps what changes least first, so that an engine can reuse its prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gate.model import Match
from partner import earlier
from partner.manners import asks, courtesy
from partner.names import day, first_line, short, source
from partner.tags import NOTHING, Tags, all_of
from router.model import Capabilities, Message, Request, Role
from store.model import Engram, EngramType, Klass, ProvenanceKind, Relation

if TYPE_CHECKING:
    from store import Store
    from store.records import Hit

RETRIEVED_CLASSES = (Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE)
SEARCHED_CLASSES = (*RETRIEVED_CLASSES, Klass.DISPOSITION, Klass.OBJECTIVE)
# What a small model gets. Of 20 questions on 20 facts SmolLM2 answered 19 with the best note alone, 14 with
# the two best notes, and 12 to 18 with a disposition before the best, which it takes for the answer.
SMALL_RETRIEVED = 1
SMALL_DISPOSITIONS = 1
SMALL_NOTES_TOKENS = 400
MAX_DISPOSITIONS = 200
MAX_OBJECTIVES = 12
NEAR_THE_BEST = 0.8  # of the best hit's score
SETTLED_SHARE = 0.5  # of a turn's characters: from here on its claims stand for it
FOLDED = 10  # turns that may be found before the claims they were settled into
SMALL_REPLY_TOKENS = 120  # what a small model adds beyond that is no answer
_FIGURES = re.compile(r"(?<![\d.,:])\d+(?:[.,:]\d+)*")
_MARKS = ("?", "？", "؟")
PREAMBLE = (
    "You are the persistent partner of one operator. The notes below are your memory: they are true and "
    "current. Answer from them, name dates where they matter, and say when the notes do not tell. Be brief."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Tokens and counts. `window` is the engine's; the budget never exceeds it less the reply."""

    budget_tokens: int
    reply_tokens: int
    retrieved: int
    last_turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The compiled request, the engrams in it, and what it weighs in the engine's tokens."""

    request: Request
    engrams: tuple[Engram, ...]
    tokens: int
    cut: str = ""  # said to the operator when something had to be left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What was gathered, before it is fitted to an engine."""

    dispositions: tuple[Engram, ...]
    objectives: tuple[Engram, ...]
    bearing: tuple[Engram, ...]  # on the request, best first; a disposition or objective may be among them
    near: tuple[Engram, ...] = ()  # those of them that answer it by all signs; none on what was never said
    cautions: tuple[Match, ...] = ()
    just_formed: tuple[Engram, ...] = ()  # by this very message
    earlier: tuple[earlier.Earlier, ...] = ()  # what was so before, where the past is asked for

    @property
    def retrieved(self) -> tuple[Engram, ...]:
        """What bears on the request apart from what is in every context anyway."""
        return tuple(e for e in self.bearing if e.klass in RETRIEVED_CLASSES)


def gather(
    store: Store,
    text: str,
    limits: Limits,
    *,
    cautions: Sequence[Match] = (),
    skip: frozenset[str] = frozenset(),
    just_formed: Sequence[Engram] = (),
) -> Parts:
    """Read the store for one request. `skip` holds ids that must not come back (the request itself)."""
    dispositions = [e for e in store.current(klass=Klass.DISPOSITION, limit=MAX_DISPOSITIONS) if settled(e)]
    objectives = [e for e in store.current(klass=Klass.OBJECTIVE, limit=200) if is_open(e)][:MAX_OBJECTIVES]
    # questions asked before are the likest of all and no source: room for them, and out before any comparison
    hits = store.search(text, classes=SEARCHED_CLASSES, limit=3 * limits.retrieved + len(skip))
    hits = with_claims(store, text, [hit for hit in hits if hit.engram.id not in skip], SEARCHED_CLASSES)
    found = {hit.engram.id: hit for hit in hits if settled(hit.engram)}
    bearing = claims_first([hit.engram for hit in found.values()])
    close = {hit.engram.id for hit in nearest([found[engram.id] for engram in bearing])}
    near = with_figures_first(text, [e for e in bearing[: limits.retrieved] if e.id in close])
    near = (*said_since(text, near, bearing[: limits.retrieved]), *near)
    past = earlier.bearing_on(store, text, near, classes=SEARCHED_CLASSES) if earlier.asked(text) else ()
    return Parts(
        dispositions=tuple(dispositions),
        objectives=tuple(objectives),
        bearing=tuple(bearing[: limits.retrieved]),
        near=near,
        earlier=past,
        cautions=tuple(cautions),
        just_formed=tuple(e for e in just_formed if e.klass is not Klass.CONTROL),
    )


def with_figures_first(asked: str, near: Sequence[Engram]) -> tuple[Engram, ...]:
    """Asked for flat 3, what says 3 stands before what is as like it and says 4."""
    wanted = set(_FIGURES.findall(asked))
    return (
        tuple(sorted(near, key=lambda e: wanted.isdisjoint(_FIGURES.findall(e.content))))
        if wanted
        else (*near,)
    )


def said_since(asked: str, near: Sequence[Engram], bearing: Sequence[Engram]) -> list[Engram]:
    """Where documents alone are near: what the operator has said after them on the thing that is asked about.

    A document knows nothing of what came later, and may be the likest all the same.
    """
    if not near or any(e.provenance.kind is not ProvenanceKind.DOCUMENT for e in near):
        return []
    from partner.formation.topics import content_words  # its lexicons are no part of a start

    topic = content_words(asked) & content_words(near[0].content)
    return [
        engram
        for engram in bearing
        if engram.provenance.kind is ProvenanceKind.OPERATOR
        and engram.type is not EngramType.UTTERANCE
        and engram.created_at > near[0].created_at
        and topic & content_words(engram.content)
    ]


def nearest(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that are likely about what was asked, and not merely the least unlike it."""
    like = [hit for hit in hits if hit.near]
    best = max((hit.score for hit in like), default=0.0)
    return [hit for hit in like if hit.score >= NEAR_THE_BEST * best]


def with_claims(store: Store, asked: str, hits: Sequence[Hit], classes: Sequence[Klass]) -> list[Hit]:
    """Where a turn is found that became claims, those of them that hold and speak of what is asked stand
    beside it:
    the turn itself is left out later, and its other words may be what the question shares ('For what you
    write to
    me: I like ...')."""
    turns = {hit.engram.id for hit in hits if hit.engram.metadata.get("settled", 0.0) >= SETTLED_SHARE}
    if not turns:
        return list(hits)
    from partner.formation.topics import content_words  # its lexicons are no part of a start

    there = {hit.engram.id for hit in hits}
    formed: dict[str, list[str]] = {}
    for edge in store.edges_of(sorted(turns)):
        if edge.relation is Relation.DERIVED_FROM and edge.dst in turns and edge.src not in there:
            formed.setdefault(edge.dst, []).append(edge.src)
    standing = store.statuses([claim for claims in formed.values() for claim in claims])
    words = content_words(asked)
    beside: list[Hit] = []
    for hit in hits:
        beside.append(hit)
        claims = [store.read(i) for i in formed.get(hit.engram.id, ()) if i in standing and standing[i].holds]
        beside += [
            replace(hit, engram=claim)
            for claim in claims
            if claim.klass in classes and settled(claim) and words & content_words(claim.content)
        ]
    return beside


def claims_first(engrams: Sequence[Engram]) -> list[Engram]:
    """Claims keep their rank; behind them the operator's raw turns that were not settled into claims, and
    only where there is neither, turns that did no more than give an order.

    A turn whose words became claims would say again what has been replaced since, and what the partner
    answered is no source at all.
    """
    claims = [e for e in engrams if e.type is not EngramType.UTTERANCE]
    turns = [e for e in engrams if e.type is EngramType.UTTERANCE and _is_source(e)]
    told = [e for e in turns if not _only_orders(e.content)] if claims or len(turns) > 1 else turns
    return claims + told or turns


def _is_source(utterance: Engram) -> bool:
    if utterance.metadata.get("speaker") == "partner":
        return False
    if courtesy(utterance.content.rstrip()) or _only_asks(utterance.content):
        return False
    return utterance.metadata.get("settled", 0.0) < SETTLED_SHARE


def _only_asks(text: str) -> bool:
    """Whether a turn is nothing but questions, with their mark or without: asked again it would be the first
    thing found."""
    from partner.formation.languages import cues_for  # its lexicons are no part of a start

    ask = cues_for(text).question
    return all(said.endswith(_MARKS) or ask.search(said) for said in _sentences(text))


def _only_orders(text: str) -> bool:
    from partner.formation.grammar import imperative

    return all(imperative(said) for said in _sentences(text))


def _sentences(text: str) -> list[str]:
    from partner.formation.sentences import sentences

    return [text[span.start : span.end].strip() for span in sentences(text, 0, len(text))]


def settled(engram: Engram) -> bool:
    """Not a proposal that waits for the operator's word."""
    return engram.metadata.get("inbox") != "open"


def is_open(objective: Engram) -> bool:
    return objective.metadata.get("status", "open") == "open" and settled(objective)


def compile_for(
    parts: Parts,
    text: str,
    turns: Sequence[Message],
    *,
    capabilities: Capabilities,
    count: Callable[[str], int],
    limits: Limits,
    told: Tags = NOTHING,
    turn_tags: Sequence[Tags] = (),
) -> Context:
    """Fit what was gathered to one engine. The message itself always goes in, cut only to fit the window.

    `told` are the tags of what the message settles, `turn_tags` those of each of the `turns`.
    """
    room = min(limits.budget_tokens, capabilities.window - limits.reply_tokens - 32)
    message, cut = _fit_message(text, max(room // 2, capabilities.window - limits.reply_tokens - 400), count)
    room = max(room - count(message) - (0 if capabilities.notes_in_user else count(PREAMBLE)), 0)
    if capabilities.notes_in_user:
        notes, used = _plain_notes(parts, min(room, SMALL_NOTES_TOKENS), count, asked=asks(text))
        history: list[Message] = []
    else:
        notes, used = _full_notes(parts, room * 3 // 4, count)
        history = _last_turns(turns[-2 * limits.last_turns :], room - count(notes), count)
    system = [] if capabilities.notes_in_user else [Message(role=Role.SYSTEM, content=PREAMBLE)]
    messages = (*system, *history, Message(role=Role.USER, content=message))
    request = Request(
        messages=messages,
        notes=notes,
        max_tokens=min(limits.reply_tokens, SMALL_REPLY_TOKENS)
        if capabilities.notes_in_user
        else limits.reply_tokens,
        tags=told.union(all_of(used), _cautioned(parts, notes), *turn_tags[len(turns) - len(history) :]),
    )
    tokens = sum(count(item.content) for item in messages) + count(notes)
    return Context(request=request, engrams=tuple(used), tokens=tokens, cut=cut)


def _cautioned(parts: Parts, notes: str) -> Tags:
    """A rule that is quoted as a caution is in the context, too."""
    quoted = any(match.sentence in notes for match in parts.cautions)
    return frozenset({str(Klass.PROHIBITION), str(EngramType.PROHIBITION)}) if quoted else NOTHING


def _fit_message(text: str, room: int, count: Callable[[str], int]) -> tuple[str, str]:
    if len(text) <= room or count(text) <= room:  # a token is at least one character
        return text, ""
    keep = max(room, 64)
    while count(text[:keep]) > room:
        keep = keep * 3 // 4
    head, tail = text[: keep * 2 // 3], text[-(keep // 3) :]
    return f"{head}\n[…]\n{tail}", (
        f"The message is longer than the engine can read at once: it sees the first {len(head):,} and the "
        f"last {len(tail):,} of {len(text):,} characters. All of it is kept."
    )


def _plain_notes(
    parts: Parts, room: int, count: Callable[[str], int], *, asked: bool
) -> tuple[str, list[Engram]]:
    """For a small model: the one claim that bears on the question, or a disposition where none does.

    Where nothing is near and nothing is `asked` it gets nothing: of a disposition alone it makes its answer
    ('I prefer short answers.' to five of five such messages).
    """
    if parts.earlier:  # beside it the value of today is what the model tells
        then = parts.earlier[0]
        return earlier.plain_line(then), [then.engram]
    ranked = [*parts.just_formed, *(e for e in parts.near if e.type is not EngramType.UTTERANCE)]
    used, _ = _fitting(ranked[:SMALL_RETRIEVED], room, count)
    if asked and not used:
        wishes = [
            e for e in parts.dispositions if e.type is not EngramType.IDENTITY
        ]  # who is who answers nothing
        used, _ = _fitting(wishes[:SMALL_DISPOSITIONS], room, count)
    return "\n".join(map(_plain_line, used)), used


def _fitting(engrams: Sequence[Engram], room: int, count: Callable[[str], int]) -> tuple[list[Engram], int]:
    """The first engrams whose plain lines fit, and the tokens these take."""
    kept: list[Engram] = []
    spent = 0
    for engram in engrams:
        cost = count(_plain_line(engram)) + 1
        if spent + cost > room:
            break
        kept.append(engram)
        spent += cost
    return kept, spent


def _plain_line(engram: Engram) -> str:
    return f"- {first_line(engram.content, 400)}"


def _full_notes(parts: Parts, room: int, count: Callable[[str], int]) -> tuple[str, list[Engram]]:
    past = [(earlier.line(one), one.engram) for one in parts.earlier]
    sections = [
        ("Who you are talking to, and how they want things:", _lined(parts.dispositions)),
        ("Open objectives:", _lined(parts.objectives)),
        ("What you know that bears on this:", _lined(parts.retrieved)),
        ("What held before and no longer does:", past),
    ]
    lines: list[str] = []
    used: list[Engram] = []
    spent = 0
    for title, told in sections:
        started = False
        for line, engram in told:
            cost = count(line) + 1 + (0 if started else count(title) + 1)
            if spent + cost > room:
                break
            if not started:
                lines.append(title)
                started = True
            lines.append(line)
            used.append(engram)
            spent += cost
    for match in parts.cautions:
        lines.append(
            f"Caution: the operator's rule “{match.sentence}” ({short(match.engram_id)}) is close to this."
        )
    return "\n".join(lines), used


def _lined(engrams: Sequence[Engram]) -> list[tuple[str, Engram]]:
    return [(note_line(engram), engram) for engram in engrams]


def note_line(engram: Engram) -> str:
    """One engram as the engine and the operator read it: claim, id, date, who said so."""
    return f"- {first_line(engram.content, 600)} [{short(engram.id)}, {day(engram)}, {source(engram)}]"


def _last_turns(turns: Sequence[Message], room: int, count: Callable[[str], int]) -> list[Message]:
    kept: list[Message] = []
    for message in reversed(turns):
        room -= count(message.content) + 4
        if room < 0:
            break
        kept.append(message)
    kept.reverse()
    while kept and kept[0].role is not Role.USER:  # an answer without its question misleads
        kept.pop(0)
    return kept
