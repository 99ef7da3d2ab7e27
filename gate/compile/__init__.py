"""From the operator's sentence to a constraint.

Everything that proposes aliases (lexicons, thesaurus) runs here; what is stored is what runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gate.compile.approvals import approval_last
from gate.compile.cjk import compile_cjk
from gate.compile.gist import gist_of
from gate.compile.kept_from import said_to_the_partner
from gate.compile.limits import find_limits
from gate.compile.named import named_terms_of
from gate.compile.opening import Opening, open_rule
from gate.compile.phrases import named_terms, terms_of
from gate.compile.reasons import without_reasons
from gate.compile.slots import exception_starts, find_windows, unless_kind
from gate.compile.turned import turned_round
from gate.compile.vague import is_vague
from gate.compile.verbs import RuleActs, doings, rule_acts
from gate.compile.written import Written, written_places
from gate.constraint import Constraint, Term, Unless
from gate.errors import CompileQuestion
from gate.language.cjk import language_of
from gate.language.lexicon import CJK, LANGUAGES, load
from gate.language.reading import Reading, read
from gate.language.tokens import Token
from gate.match.own_words import passes
from gate.taxonomy import PRESENCE

MAX_RULE_CHARS = 4000


def compile_prohibition(
    engram_id: str,
    sentence: str,
    *,
    language: str | None = None,
    metadata: Mapping[str, Any] = MappingProxyType({}),
) -> Constraint:
    """Compile one prohibition.

    `metadata` may carry `aliases` (list of words that mean its object). Raises CompileQuestion when
    nothing checkable comes out: the operator is asked, nothing inert is stored.
    """
    text = re.sub(r"\s+", " ", sentence).strip()
    if not text or len(text) > MAX_RULE_CHARS:
        raise CompileQuestion(sentence, f"A rule is one sentence of 1 to {MAX_RULE_CHARS} characters.")
    if language is not None and language not in (*LANGUAGES, *CJK):
        raise CompileQuestion(
            sentence, f"I read rules in {', '.join((*LANGUAGES, *CJK))}, not in {language!r}."
        )
    written = language if language in CJK else language_of(text) if language is None else None
    if written is not None:
        return compile_cjk(engram_id, text, written)
    reading = read(text, language)
    for turned in (turned_round, said_to_the_partner, approval_last):
        turn = turned(text, reading)
        if turn != text and open_rule(turn, reading.language) is not None:
            text, reading = turn, read(turn, reading.language)
    reason = load(reading.language).patterns.get("reason")
    if reason:
        shorter = re.sub(reason, "", text, flags=re.IGNORECASE)
        if shorter != text and open_rule(shorter, reading.language) is not None:
            text, reading = shorter, read(shorter, reading.language)
    bare = without_reasons(text, reading)
    opening = open_rule(bare, reading.language) if bare != text else None
    if opening is not None:
        text, reading = bare, read(bare, reading.language)
    else:
        opening = open_rule(text, reading.language)
    if opening is None:
        raise CompileQuestion(
            sentence,
            "I cannot see what this forbids. Say it as 'Never ...', 'Do not ...', 'No ...' or 'Only ...'.",
        )
    constraint = _Compilation(engram_id, text, reading, opening, metadata).run()
    constraint = replace(constraint, sentence=sentence)
    if not _checkable(constraint) or is_vague(reading, constraint):
        raise CompileQuestion(
            sentence,
            "I cannot see which act or thing this is about. Name what must not be done, and to what.",
        )
    return constraint


def loose_prohibition(engram_id: str, sentence: str) -> Constraint:
    """A rule of which only its words are understood: it refuses nothing, and asks where they are said."""
    text = re.sub(r"\s+", " ", sentence).strip()[:MAX_RULE_CHARS]
    reading = read(text)
    bare = without_reasons(text, reading) if reading.language not in CJK else text
    reading = reading if bare == text else read(bare, reading.language)
    return Constraint(
        engram_id=engram_id, sentence=sentence, language=reading.language, loose=True,
        gist=gist_of(reading, (), (), ()) if reading.language not in CJK else (),
    )  # fmt: skip


def _checkable(constraint: Constraint) -> bool:
    return bool(
        constraint.acts or constraint.objects or constraint.recipients or constraint.paths or constraint.hosts
    )


class _Compilation:
    """One run of the compiler; `taken` are tokens that a slot already used."""

    def __init__(
        self, engram_id: str, sentence: str, reading: Reading, opening: Opening, metadata: Mapping[str, Any]
    ) -> None:
        self.engram_id = engram_id
        self.sentence = sentence
        self.reading = reading
        self.opening = opening
        self.metadata = metadata
        self.taken: set[int] = set()
        self.unless: list[Unless] = []

    def run(self) -> Constraint:
        reading, opening = self.reading, self.opening
        body = self._range(opening.body, last=True)
        subject = self._range(opening.subject) if opening.subject else (0, 0)
        lead = self._range(opening.lead) if opening.lead else (0, 0)
        end = self._take_exceptions(body if opening.kind != "keep" else (max(body[0] - 1, 0), body[1]))
        if reading.language != "en":
            end = body[1]  # what an exception took is taken: objects and the verb may follow it
        tail = self._range(opening.tail, last=True) if opening.tail else (0, 0)
        self._take_exceptions((max(tail[0] - 1, 0), tail[1]) if opening.tail else (0, 0))
        windows, used = find_windows(reading, lead[0], lead[1])
        more, used_too = find_windows(reading, body[0], body[1])
        late, used_late = find_windows(reading, tail[0], tail[1])
        early, used_early = find_windows(reading, subject[0], subject[1])
        late, used_late = late + early, used_late | used_early
        timed = used | used_too | used_late
        self.taken |= timed
        whole = body[0] == 0 and body[1] >= len(reading.tokens) - 1 and opening.kind == "forbid"
        limits, used = find_limits(
            reading, body[0], body[1], opening.kind == "only" and not opening.who, timed, whole
        )
        if subject[1]:
            named, used_named = find_limits(reading, subject[0], subject[1], False)
            limits, used = limits + named, used | used_named
        self.taken |= used
        structured = self._structured(subject, body)
        self._actor()
        acts = RuleActs({}, "", body[0], ())
        if opening.kind == "keep":
            ending = load(reading.language).keep[opening.state]
            acts = RuleActs(dict.fromkeys(ending, 1.0), f"not {opening.state}", body[0], ())
        elif opening.kind != "touch":
            kind = "forbid" if opening.who else opening.kind  # 'Only Ana may tune it': a verb stands there
            acts = rule_acts(reading, kind, body[0], end, body[1], self.taken)
            self.taken |= set(acts.used)
            if acts.acts.keys() == {"touch"}:  # 'Only Ana may touch it': whatever reaches the thing
                acts = replace(acts, acts={})
        objects, recipients, places, qualifiers = named_terms_of(
            reading, opening, self.taken, acts, subject, (acts.after, end)
        )
        told = {i for i in range(*body) if reading.lexicon.has("told_noun", reading.tokens[i].text)}
        if told and acts.acts.keys() & {"give", "hand_out", "send"} and "reveal" not in acts.acts:
            acts = replace(acts, acts={**acts.acts, "reveal": 1.0})  # to give a name is to tell it
        if not acts.acts and opening.kind == "forbid" and objects:
            listed = dict.fromkeys((*PRESENCE, *doings(objects, reading)), 1.0)
            acts = replace(acts, acts=listed)  # 'no X in Y': whatever brings it there
        everywhen = windows + more + late
        if opening.kind == "only" and not opening.who and everywhen and acts.acts:
            everywhen = tuple(replace(window, outside=True) for window in everywhen)
        elif opening.kind == "only" and not opening.who:
            objects, recipients, places = self._only_these(objects, recipients, places)
        named = (*objects, *recipients, *places, *qualifiers)
        return Constraint(
            engram_id=self.engram_id,
            sentence=self.sentence,
            language=reading.language,
            mode="forbid" if everywhen and everywhen[0].outside else self._mode(limits, windows),
            acts=MappingProxyType(dict(sorted(acts.acts.items()))),
            verbs=acts.words,
            objects=objects + self._further_names(objects),
            recipients=recipients + (() if objects else self._further_names(recipients)),
            places=places,
            qualifiers=qualifiers,
            windows=everywhen,
            gist=gist_of(reading, named, everywhen, self.unless),
            limits=limits,
            unless=tuple(self.unless),
            body=self._body(acts, body),
            **structured,
        )

    def _body(self, acts: RuleActs, body: tuple[int, int]) -> tuple[str, ...]:
        """What is forbidden as it stands, from its verb on, for a rule that begins with its verb."""
        if self.opening.kind != "forbid" or self.opening.who or body[0] not in acts.used:
            return ()
        return tuple(self.reading.tokens[at].stem for at in range(*body) if not passes(self.reading, at))

    def _only_these(
        self, objects: tuple[Term, ...], recipients: tuple[Term, ...], places: tuple[Term, ...]
    ) -> tuple[tuple[Term, ...], tuple[Term, ...], tuple[Term, ...]]:
        """'Only buy from approved vendors': what restricts is the last thing named, the rest is the scope."""
        restricting = places or recipients or objects
        if not restricting:
            return objects, recipients, places
        words = ", ".join(term.words for term in restricting)
        self.unless.append(Unless(kind="object", words=words, terms=restricting))
        if places:
            return objects, recipients, ()
        return (objects, (), ()) if recipients else ((), (), ())

    def _mode(self, limits: tuple[Any, ...], windows: tuple[Any, ...]) -> str:
        if self.opening.kind != "only":
            return "forbid"
        return "forbid" if limits and not windows and not self.opening.who else "only"

    def _range(self, part: str, last: bool = False) -> tuple[int, int]:
        """Token range of a stretch of the folded sentence."""
        text = self.reading.folded.text
        first = text.rfind(part) if last else text.find(part)
        if first < 0 or not part:
            return (0, 0)
        inside = [
            i for i, t in enumerate(self.reading.tokens) if first <= t.start and t.end <= first + len(part)
        ]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def _take_exceptions(self, body: tuple[int, int]) -> int:
        """Read the exceptions; returns where the body ends without them."""
        tokens, lexicon = self.reading.tokens, self.reading.lexicon
        found = exception_starts(self.reading, body[0], body[1] - self._final_verb(body))
        for begin, end in found:
            marker = tokens[begin].text
            if lexicon.language not in ("en", "de") and lexicon.has("taking_out", marker):
                end = next(
                    (i for i in range(begin + 2, end) if lexicon.has("place_prep", tokens[i].text)), end
                )
            words = [token.text for token in tokens[begin + 1 : end]]
            kind = unless_kind(words, lexicon, marker)
            inside = (
                [i for i in range(begin + 1, end) if not self._is_approval(i)]
                if kind == "approval"
                else range(begin + 1, end)
            )
            terms = terms_of(self.reading, inside)
            if "me" in words or any(lexicon.has("operator", word) for word in words):
                kind = "recipient" if kind != "approval" else kind
            self.unless.append(Unless(kind=kind, words=" ".join([marker, *words]), terms=terms))
            self.taken.update(range(begin, end))
        return min((begin for begin, _ in found), default=body[1])

    def _final_verb(self, body: tuple[int, int]) -> int:
        """1 when the rule's verb stands last, as in German: it belongs to no exception."""
        endings = self.reading.lexicon.patterns.get("infinitive_endings")
        if not endings or body[1] - body[0] < 2:
            return 0
        last = self.reading.tokens[body[1] - 1]
        return int(last.text.endswith(tuple(endings)) and last.stem in self.reading.lexicon.acts)

    def _is_approval(self, index: int) -> bool:
        return self.reading.tokens[index].stem in self.reading.lexicon.stems.get("approval", frozenset())

    def _actor(self) -> None:
        who = self.opening.who
        if who:
            begin, end = self._range(who)
            self.unless.append(
                Unless(kind="actor", words=who, terms=terms_of(self.reading, range(begin, end)))
            )
            self.taken.update(range(begin, end))

    def _structured(self, subject: tuple[int, int], body: tuple[int, int]) -> dict[str, Any]:
        """Paths, hosts, domains and labels that are written in the rule."""
        paths: list[str] = []
        hosts: list[str] = []
        outside = False
        tokens, lexicon = self.reading.tokens, self.reading.lexicon
        within = [*range(*subject), *range(*body)]
        for place in written_places(self.sentence):
            covered = [index for index in within if self._overlaps(tokens[index], place)]
            if not covered:
                continue
            (paths if place.kind == "path" else hosts).append(place.value)
            self.taken.update(covered)
            before = [tokens[index].text for index in range(max(0, covered[0] - 2), covered[0])]
            outside = outside or any(lexicon.has("outside", word) for word in before)
        return {"paths": tuple(paths), "hosts": tuple(hosts), "outside": outside}

    def _overlaps(self, token: Token, place: Written) -> bool:
        start, end = self.reading.folded.span(token.start, token.end)
        return start < place.end and place.start < end

    def _further_names(self, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """Other names of what the rule is about. A rule about nothing in particular gets none: it would
        shrink to them."""
        named = self.metadata.get("aliases", ())
        if not terms or not isinstance(named, list | tuple):
            return ()
        return named_terms(map(str, named), self.reading.language)
