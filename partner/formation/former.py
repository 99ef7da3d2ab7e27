"""One turn of the operator -> what it changes in what holds. Deterministic, no model, pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime

from partner.formation import objectives, retraction
from partner.formation.anaphora import Antecedents
from partner.formation.anaphora import resolve as resolve_pronouns
from partner.formation.blocks import Block
from partner.formation.chatter import is_sociable, is_story, without_address
from partner.formation.claims import Claim, clean, draft, rule_alone, wording
from partner.formation.classify import Setting, approves, classify
from partner.formation.clause import Clause
from partner.formation.clauses import split
from partner.formation.compare import Signals, compare
from partner.formation.cues import Cues
from partner.formation.events import happened
from partner.formation.foreign import named_for
from partner.formation.languages import cues_for, cues_of_sentence
from partner.formation.model import Change, ChangeKind, Context, Formed, HoldsView
from partner.formation.mood import Mood, Thread, mood, without_tag
from partner.formation.overlay import Overlay
from partner.formation.permitting import permits
from partner.formation.pieces import pieces
from partner.formation.pointing import (
    OWN_WORDS,
    POINTING,
    REPLACES,
    SUBJECTLESS,
    THIRD,
    comments,
    gives_reason,
    only_announces,
    says_it_ended,
)
from partner.formation.redaction import MARK, redact
from partner.formation.relative import main_clause
from partner.formation.replaced import old_value, out_of_play
from partner.formation.restating import carrying, said_again, take_back, taken_back_for
from partner.formation.revision import revise, within
from partner.formation.rewording import moved, reworded, without_request, without_tail
from partner.formation.rulings import mends
from partner.formation.sentences import sentences
from partner.formation.shapes import answers, asked_about, row_claim, stands_alone
from partner.formation.slots import fill
from partner.formation.spelling import spelled_out
from partner.formation.successor import succeed
from store.model import Authority, EngramType

MAX_TOLD = 60
MAX_SENTENCE_CHARS = 1_500  # longer is a dump, not something said


def form(
    text: str, *, at: datetime, holds: HoldsView, context: Context | None = None, source: str | None = None
) -> Formed:
    """Form one turn. `at` is aware and carries the operator's offset; `source` names the device or
    conversation.

    Of a message longer than twice pieces.EDGE_CHARS only the beginning and the end are formed, for people
    write before and after what they paste; all of it is kept, and a document can be ingested as one.
    """
    redacted = redact(text)
    kept = redacted.text.replace("\x00", "")
    if not kept.strip():
        return Formed(utterance_text=kept, secrets=redacted.kinds)
    turn = _Turn(
        text=kept,
        at=at,
        overlay=Overlay(holds),
        context=context or Context(),
        cues=cues_for(kept),
        source=source,
    )
    turn.run()
    return Formed(
        changes=turn.overlay.changes(), question=turn.question, utterance_text=kept, secrets=redacted.kinds
    )


@dataclass(slots=True)
class _Turn:
    text: str
    at: datetime
    overlay: Overlay
    context: Context
    cues: Cues
    source: str | None
    question: str | None = None
    thread: Thread = field(default_factory=Thread)
    known: Antecedents = field(default_factory=Antecedents)
    carried: bool = False  # a sentence that only announced a change ('Change of plan.')
    replaces: bool = False  # the next sentence says that this one takes an older one's place
    strict: bool = False  # a long story
    long: bool = False  # so many sentences that memory is not searched for what settles nothing by itself
    sociable: bool = False  # talk for its own sake: what it states has to be tied to something
    respelled: bool = False  # the sentence in hand was put in other words: its evidence is the whole
    mends: bool = False  # the sentence in hand says that something before it was wrong
    sentence: tuple[int, int] = (0, 0)
    told: int = 0  # how many claims the turn had formed before the sentence in hand
    over: frozenset[str] = frozenset()  # what the sentence in hand says is over
    absent: frozenset[str] = frozenset()  # what this turn says cannot serve now
    said: list[str] = field(default_factory=list)
    retractions: list[tuple[str, int]] = field(default_factory=list)  # with the claims formed before each

    def run(self) -> None:
        for previous in self.context.previous[-3:]:
            if cues_for(previous).code != "en":
                continue
            for span in sentences(previous, 0, len(previous)):
                self.known.read(clean(previous[span.start : span.end]))
        self.known.sentence = ""
        told_in, message = pieces(self.text), self.cues
        self.long = len(told_in) > MAX_TOLD
        told = [self.text[s.start : s.end] for block, s in told_in if block.kind == "prose"]
        self.strict, self.sociable = is_story(told), self.cues.code == "en" and is_sociable(told)
        asked = ""
        for at, (block, span) in enumerate(told_in):
            answer = self.text[span.start : span.end]
            if len(told_in) > 1:
                self.cues = cues_of_sentence(answer, message)
            if asked and answers(answer):
                self._clause(Clause(text=f"{asked}: {answer}", start=span.start, end=span.end), strong=False)
                asked = ""
                continue
            asked = asked_about(answer)
            after = told_in[at + 1][1] if at + 1 < len(told_in) else None
            self.replaces = (
                after is not None and REPLACES.match(self.text[after.start : after.end]) is not None
            )
            self.sentence, self.told = (span.start, span.end), self.overlay.pending()
            self._sentence(block, span.start, span.end)
        if self.retractions:
            named = [r for r in self.retractions if retraction.names(r[0])]
            if named or not self.overlay.superseded_any():
                asked = take_back(*(named or self.retractions)[0], self.overlay, self.context)
                self.question = asked or self.question

    def _sentence(self, block: Block, start: int, end: int) -> None:
        said = self.text[start:end]
        raw = spelled_out(said) if self.cues.code == "en" else said
        raw = within(raw) or without_request(raw)
        self.respelled = raw != said
        if block.kind == "row":
            self._row(block)
            return
        if len(raw) > MAX_SENTENCE_CHARS:
            return
        found = mood(raw, self.cues, self.thread, self._unled(raw))
        if found is Mood.UNDOES:
            self._undo()
            return
        if found is Mood.QUESTION and self.cues.code == "en":
            self.known.read(clean(raw), sentence=False)
        if found is Mood.HEDGED:
            self._rules_in(Clause(text=raw, start=start, end=end))
        if found is not Mood.SETTLED or REPLACES.match(raw) or self._revises(raw):
            return
        if only_announces(raw, self.cues):
            self.carried = True
            return
        raw = without_tag(raw)
        self.said.append(raw)
        self.over = old_value(raw, self.cues.stop)
        self.absent |= out_of_play(raw, self.cues.stop)
        cues = self.cues
        plain = reworded(without_tail(self._unled(raw))) if cues.code == "en" else moved(raw)
        bare = self._unled(raw)
        if self._closes(raw, bare):
            return
        owed = self.retractions and not self.overlay.superseded_any()
        taken = self.carried or self.replaces or bool(owed)
        strong = taken or cues.correction.search(raw) is not None
        forbids = cues.prohibition.match(raw) and not cues.not_prohibition.search(raw)
        if (cues.retract.search(raw) or cues.retract.search(bare)) and not forbids:
            pointing, rest = retraction.parts(raw, cues)
            if (found := taken_back_for(raw, pointing, self.overlay, self.context)) is not None:
                self.overlay.add(said_again(found, self._said(), self.at, self.source))
                return
            self.known.read(clean(pointing), sentence=False)
            self.retractions.append((pointing, self.overlay.pending()))
            if not rest:
                return
            strong = taken = True
            raw, start = rest, end - len(rest)
        elif plain.rstrip(".") != bare.rstrip("."):
            raw, self.respelled = plain, True
        clauses = split(
            Clause(text=raw, start=start, end=end, lead=block.lead, item=block.kind == "item"), cues
        )
        whole = self._one_attribute(
            Clause(text=raw, start=start, end=end, lead=block.lead, item=block.kind == "item"), clauses
        )
        formed, ruled, self.mends = 0, False, taken or mends(raw)
        hearsay = cues.report.search(raw) is not None and not OWN_WORDS.search(raw)
        for clause in whole or clauses:
            told = hearsay and THIRD.match(clause.text) and not re.search(r"\d", clause.text)
            if told or (ruled and gives_reason(clause.text)):
                continue
            formed += self._clause(clause, strong=strong)
            ruled = ruled or cues.prohibition.match(clause.text) is not None
        self.carried = self.carried and formed == 0

    def _revises(self, raw: str) -> bool:
        """'Make that 350': the last claim again, with that value."""
        found = succeed(raw, self.overlay) or revise(raw, self.overlay, self.context)
        if found is None:
            return False
        self.overlay.add(said_again(found, self._said(), self.at, self.source))
        return True

    def _earlier(self) -> list[str]:
        """What the turns before this one say, newest first."""
        return [
            turn[s.start : s.end]
            for turn in reversed(self.context.previous[-2:])
            for s in reversed(list(sentences(turn, 0, len(turn))))
        ]

    def _said(self) -> str:  # the sentence in hand, as typed
        return self.text[self.sentence[0] : self.sentence[1]]

    def _row(self, block: Block) -> None:
        """A row of a table is one claim."""
        raw = self.text[block.start : block.end]
        text = row_claim(raw, block.lead)
        if not text or MARK in raw:
            return
        claim = Claim(text=text, type=EngramType.CONCLUSION, salience=0.5, evidence=raw.strip(), filled=None)
        self._apply(claim, Signals(strong=self.carried))

    def _rules_in(self, sentence: Clause) -> None:
        """Of a sentence that thinks aloud only what forbids ('not sure, but never sell the boat')."""
        for clause in split(sentence, self.cues):
            bare = self._unled(clause.text)
            if self.cues.prohibition.match(bare) and not self.cues.hedge.search(bare):
                self._clause(clause, strong=False)

    def _one_attribute(self, sentence: Clause, clauses: list[Clause]) -> list[Clause]:
        """'Put Solaris down and started Dune' gives one attribute one value, which neither half says
        alone."""
        if len(clauses) < 2 or MARK in sentence.text or self.cues.prohibition.search(sentence.text):
            return []
        filled = fill(wording(clean(sentence.text), self.cues))
        if filled is None or any(
            (part := fill(wording(clean(c.text), self.cues))) and part.slot is filled.slot for c in clauses
        ):
            return []
        return [sentence]

    def _clause(self, clause: Clause, *, strong: bool) -> int:
        if MARK in clause.text:
            return 0
        cues = self.cues
        bare = without_address(clean(clause.text)) if cues.code == "en" else clean(clause.text)
        lead_topic = self._read_lead(clause)
        opened = self._unled(bare)
        if approves(opened):
            return 0
        if POINTING.match(opened) and (cues.smalltalk.search(opened) or comments(opened, cues)):
            return 0
        text, needs_before = resolve_pronouns(opened, self.known) if cues.code == "en" else (bare, False)
        if cues.code != "en":
            bare = text = moved(named_for(text, cues, (*reversed(self.said[:-1]), *self._earlier())))
        needs_before = needs_before or (cues.code == "en" and SUBJECTLESS.match(opened) is not None)
        merged = needs_before and bool(self.known.sentence)
        if merged:
            text = f"{self.known.sentence.rstrip('.!')}: {text[:1].lower()}{text[1:]}"
        text = wording(text, cues)
        if not text:
            return 0
        told = main_clause(text) if cues.code == "en" else text
        filled = fill(told) if not says_it_ended(told) else None
        setting = Setting(
            lead=clause.lead,
            typed=opened,
            item=clause.item,
            strict=self.strict and not strong and (clause.item or not clause.lead),
            sociable=self.sociable and not strong and not clause.lead,
        )
        kind = classify(told, cues, filled, setting) or (None if self.long else happened(told, self.overlay))
        before = self.known.sentence
        self.known.read(text.rstrip("."))
        if kind is None:
            return 0
        if kind.type is EngramType.PROHIBITION:
            # 'never order from Temu' is no usual order of anybody's, and rules add up
            text, filled, strong = rule_alone(text), None, strong and self.mends
        stated = kind.type in (EngramType.CONCLUSION, EngramType.DECISION)
        listed = clause.lead if clause.item and stated and not stands_alone(text) else ""
        if listed:
            text = f"{listed.rstrip(' :：')}: {text}"
        start, end = self.sentence if self.respelled else (clause.start, clause.end)
        evidence = self.text[start:end]
        if merged:
            self.overlay.drop_saying(before)
        claim = Claim(
            text=text, type=kind.type, salience=kind.salience, evidence=evidence, filled=filled, listed=listed
        )
        self._apply(claim, self._signals(clause, bare, strong=strong, topic=lead_topic))
        return 1

    def _unled(self, text: str) -> str:
        """Openers hide a leading pronoun ('By the way, it is locked')."""
        for _ in range(4):
            cut = self.cues.lead.sub("", text, count=1)
            if cut == text or not cut.strip():
                break
            text = cut
        return text

    def _read_lead(self, clause: Clause) -> str:
        if clause.lead and not clause.item:
            self.known.read(clean(clause.lead))
        return clause.lead

    def _signals(self, clause: Clause, bare: str, *, strong: bool, topic: str) -> Signals:
        cues = self.cues
        around = f"{topic} {bare}"
        goal = cues.goal.search(around) is not None and cues.now.search(around) is not None
        return Signals(
            strong=strong or goal or (bool(topic) and cues.correction.search(topic) is not None),
            weak=clause.caused or cues.now.search(around) is not None or cues.gone.search(around) is not None,
            also=re.search(r"(?i)\b(?:also|too|as well|another|auch|también|aussi)\b", bare) is not None,
            permission=cues.permission.search(bare) is not None or permits(bare),
        )

    def _apply(self, claim: Claim, signals: Signals) -> None:
        outcome = compare(
            claim.candidate(self.over, self.absent), signals, self.overlay, authority=Authority.OPERATOR
        )
        if outcome.same:
            self.overlay.add(Change(kind=ChangeKind.SAME, targets=outcome.same, note="known already"))
            return
        over = outcome.over
        if not (signals.strong or signals.weak):  # two doses told together both hold
            together = self.overlay.formed_after(self.told)
            over = tuple(i for i in over if i not in together)
        if over:
            claim = carrying(claim, outcome.was)
        if (
            outcome.retargets
            and claim.type in (EngramType.CONCLUSION, EngramType.DECISION)
            and not claim.status
        ):
            claim = replace(claim, type=EngramType.OBJECTIVE, salience=0.8)
        made = draft(claim, self.at, self.source, against=outcome.against, over=over[1:], was=outcome.was)
        note = claim.type.value
        if over:
            self.overlay.add(Change(kind=ChangeKind.SUPERSEDE, draft=made, targets=over, note=note))
        else:
            self.overlay.add(Change(kind=ChangeKind.NEW, draft=made, note=note))

    def _closes(self, raw: str, bare: str) -> bool:
        """A goal reached or dropped is written as a conclusion that supersedes the objective."""
        status = objectives.closes(bare, self.cues)
        if not status:
            return False
        around = [*self.context.previous[-1:], *self.said[:-1]]
        if status == objectives.LIKELY:
            target, status = objectives.done(bare, self.overlay), objectives.REACHED
        else:
            target = objectives.find(bare, self.said[-4:-1] or around, self.overlay, self.cues)
        if target is None:
            return False
        claim = Claim(
            text=wording(raw, self.cues),
            type=EngramType.DECISION if status == objectives.DROPPED else EngramType.CONCLUSION,
            salience=0.6,
            evidence=raw,
            status=status,
        )
        made = draft(claim, self.at, self.source)
        self.overlay.add(
            Change(kind=ChangeKind.SUPERSEDE, draft=made, targets=(target.id,), note=f"objective {status}")
        )
        return True

    def _undo(self) -> None:
        """'Just kidding': the sentence before, or what the last turn formed when this one said nothing
        else."""
        if self.overlay.pending():
            self.overlay.drop_last()
        elif not self.said and self.context.formed and self.cues.joke.search(self.text):
            alive = [e.id for e in self.overlay.recent(20) if e.id in self.context.formed]
            if alive:
                self.overlay.add(
                    Change(kind=ChangeKind.RETRACT, targets=tuple(alive), note=self.text.strip())
                )
