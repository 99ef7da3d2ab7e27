"""Everything an operator can do besides talking, by the names they use (DESIGN §9).

Entry points (command line, terminal, servers) call these and only render what comes back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gate import Constraint, compile_prohibition
from gate.language.until import without_end
from gate.model import ActionRequest, Verdict
from partner import inbox, policy
from partner.context import FOLDED, claims_first, is_open, settled, with_claims
from partner.errors import UsageError
from partner.events import Clarify, Formed, Problem, TurnEvent
from partner.holds import StoreHolds
from partner.policy import Policy
from partner.presence import Presence
from partner.receive import receive
from partner.settings import NO_ENGINE, Settings, engine_meant
from partner.tags import checked, tagged
from partner.undoing import undo
from partner.writing import UNSTORED, apply_changes, by_hand, known, stand_as, tagged_change
from store.files import wipe_folder
from store.model import Engram, EngramType, Klass, Relation

if TYPE_CHECKING:
    from pathlib import Path

    from partner.formation import Formed as Formation
    from partner.meaning import MeaningKeeper
    from partner.session import Session
    from router import Ledger, Router
    from router.files import FileRead
    from router.model import Attachment
    from store import Store

_BY = re.compile(r"([^\W\d_][\w .'’-]{0,60}):\s+(\S.*)\Z", re.DOTALL)
RECALLED = (Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE, Klass.DISPOSITION, Klass.OBJECTIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A prohibition just said, and what the gate understood of it."""

    engram: Engram
    understood: str
    known: bool = False  # said before in these words; nothing was written

    @property
    def event(self) -> Formed:
        return Formed(engram=self.engram, change="same" if self.known else "new")


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The three answers about an engram: does it hold, what caused it, what did it replace."""

    engram: Engram
    holds: bool
    causes: tuple[Engram, ...]
    replaced: tuple[Engram, ...]
    replaced_by: tuple[Engram, ...]
    retracted_by: Engram | None
    contradicts: tuple[Engram, ...]
    context: tuple[Engram, ...] = ()  # of a reply: what was in the engine's context


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """The erasure, and the engrams it was formed from that still have the words."""

    entry: Engram
    still_said: tuple[Engram, ...] = ()


class Partner:
    """An opened partner. Made by `partner.bootstrap.open_partner`; not shared between threads."""

    def __init__(
        self,
        *,
        settings: Settings,
        store: Store,
        policy: Policy,
        make_session: Callable[[], Session],
        router: Router | None,
        ledger: Ledger,
        meaning: MeaningKeeper | None,
        clock: Callable[[], datetime],
    ) -> None:
        self.settings = settings
        self.store = store
        self.policy = policy
        self._make_session = make_session
        self.router = router
        self.ledger = ledger
        self.meaning = meaning
        self.clock = clock
        self.presence = Presence(settings.store)
        self._attached: list[Attachment] = []

    @cached_property
    def session(self) -> Session:
        """The conversation. Made when first needed: what only looks does not load the former."""
        return self._make_session()

    @property
    def talked(self) -> bool:
        """Whether a conversation was begun with this object."""
        return "session" in self.__dict__

    # ---- talking

    def turn(
        self,
        text: str,
        *,
        at: datetime | None = None,
        engine: str | None = None,
    ) -> Iterator[TurnEvent]:
        """One message to its reply, with what was attached since the last one."""
        self.presence.check()
        attached, self._attached = tuple(self._attached), []
        yield from self.session.turn(text, at=at, engine=engine, attachments=attached)
        if self.meaning is not None:
            self.meaning.wake()
            if news := self.meaning.news():
                yield Problem(message=news)

    def attach(self, path: Path) -> FileRead:
        """Read a file for the next message: once, and those very bytes are sent. Nothing of it is stored.

        Raises router.errors.BadRequest for what is no file, cannot be read, or is too large.
        """
        from router.files import read

        found = read(path.expanduser())
        self._attached.append(found.attachment())
        return found

    def use_engine(self, name: str) -> str:
        """Answer with this engine from now on; its name. Raises UsageError where none is meant."""
        chosen = self.session.engine = engine_meant(name, self.settings.config.engines)
        return chosen

    def prepare(self) -> None:
        """Start loading the models behind; returns at once."""
        if self.meaning is not None:
            self.meaning.wake()
        first = self.engine_in_use()
        if self.router is not None and first != NO_ENGINE:
            self.router.prepare(first)

    def engine_in_use(self) -> str:
        """The name of the engine that is asked first."""
        return self.session.engine or next(iter(self.settings.config.router.order), NO_ENGINE)

    # ---- writing by hand

    def remember(
        self,
        text: str,
        *,
        type_: EngramType | None = None,
        at: datetime | None = None,
        tags: Sequence[str] = (),
    ) -> list[Formed | Clarify]:
        """Write what the words settle; words that settle nothing by themselves become a note (or `type_`).

        `tags` are names that `stay_local` may keep on this machine.
        """
        own = checked(tags)
        clean, _ = receive(text)
        when = at or self.clock()
        if type_ is None:
            formation = self.form(clean, at=when)
            if formation.changes:
                changes = [tagged_change(change, own) for change in formation.changes]
                return list(apply_changes(self.store, changes, utterance=None, at=when))
            clean = formation.utterance_text or clean
        if type_ is EngramType.PROHIBITION:
            from partner.rules import forbid_each

            return [rule.event for rule in forbid_each(self, clean, at=at)]
        draft = tagged(by_hand(type_ or EngramType.NOTE, clean, at=at), own)
        same = known(self.store, draft.type, clean, at=when, tags=own)
        return [same or Formed(engram=self.store.write(draft), change="new")]

    def decide(self, text: str, *, at: datetime | None = None) -> list[Formed | Clarify]:
        return self._as(EngramType.DECISION, Klass.CONCLUSION, text, at)

    def aim(self, text: str, *, at: datetime | None = None) -> list[Formed | Clarify]:
        return self._as(EngramType.OBJECTIVE, Klass.OBJECTIVE, text, at)

    def forbid(
        self, text: str, *, at: datetime | None = None, metadata: dict[str, Any] | None = None
    ) -> Rule:
        """Write a prohibition. Raises CompileQuestion, writing nothing, where nothing checkable follows."""
        clean, _ = receive(text)
        draft = by_hand(EngramType.PROHIBITION, clean, at=at, metadata=metadata)
        understood = compile_prohibition(UNSTORED, draft.content, metadata=draft.metadata).explain()
        same = None if metadata else known(self.store, draft.type, clean, at=at or self.clock())
        engram = same.engram if same else self.store.write(draft)
        return Rule(engram=engram, understood=understood, known=same is not None)

    def constraint(self, engram: Engram) -> Constraint:
        return compile_prohibition(engram.id, engram.content, metadata=engram.metadata)

    def explain_rule(self, rule: Engram) -> str:
        """What the gate understood of a rule, in plain words; says so where nothing is enforced."""
        from partner.rules import view

        found = view(self, rule.id)
        return policy.not_understood(found.question) if found.inert else found.refuses

    def idle_rules(self) -> list[str]:
        """A line for every rule in force that the gate cannot check: it must not look as if it protected."""
        return [policy.idle_line(rule) for rule in self.policy.snapshot.inert]

    def form(self, text: str, *, at: datetime | None = None) -> Formation:
        """What the words would settle. Writes nothing."""
        from partner.formation import form

        clean, _ = receive(text)
        return form(clean, at=at or self.clock(), holds=StoreHolds(self.store))

    def approve(self, subject: str, *, until: datetime | None = None, by: str | None = None) -> Engram:
        """Record a permission. Approvals are facts for the gate, with an author and an end."""
        clean, _ = receive(subject)
        named = _BY.match(clean)
        if named and by is None:  # 'Ana: email to the client about the quote'
            by, clean = named.groups()
        clean, until = (clean, until) if until else without_end(clean, self.clock())  # '... until Friday'
        if until is not None and until <= self.clock():
            raise UsageError(f"{until.isoformat(timespec='minutes')} is past: this would permit nothing.")
        metadata = {"subject": clean, "by": by or self.settings.config.operator.name}
        metadata |= {"until": until.isoformat()} if until else {}
        return self.store.write(by_hand(EngramType.APPROVAL, clean, metadata=metadata))

    def _as(self, type_: EngramType, klass: Klass, text: str, at: datetime | None) -> list[Formed | Clarify]:
        """Write as `type_`, with the subject and attribute that formation finds, so that it can supersede."""
        clean, _ = receive(text)
        when = at or self.clock()
        from partner.formation import ChangeKind

        changes = self.form(clean, at=when).changes
        drafts = [change for change in changes if change.draft is not None]
        same = [ref for change in changes if change.kind is ChangeKind.SAME for ref in change.targets]
        if len(changes) == 1 and same and stand_as(self.store, klass, same):
            return list(apply_changes(self.store, changes, utterance=None, at=when))
        writes = (ChangeKind.NEW, ChangeKind.SUPERSEDE)
        if len(changes) == 1 and drafts and changes[0].kind in writes and drafts[0].draft is not None:
            draft = drafts[0].draft
            if draft.klass is klass:
                change = replace(changes[0], draft=replace(draft, type=type_))
                return list(apply_changes(self.store, (change,), utterance=None, at=when))
        metadata = {"status": "open"} if klass is Klass.OBJECTIVE else {}
        draft = by_hand(type_, clean, at=at, metadata=metadata)
        heard = known(self.store, type_, clean, at=when)
        return [heard or Formed(engram=self.store.write(draft), change="new")]

    # ---- judging and finding

    def check(self, request: str | ActionRequest, *, at: datetime | None = None) -> Verdict:
        """The gate alone, no engine."""
        if isinstance(request, str):
            clean, _ = receive(request)
            return self.policy.check_text(clean, at or self.clock())
        return self.policy.check_action(request)

    def recall(
        self,
        query: str,
        *,
        classes: Sequence[Klass] | None = None,
        limit: int = 10,
        as_of: datetime | None = None,
        history: bool = False,
    ) -> list[Any]:
        """Retrieval alone: claims best first, then turns that settled nothing; never prohibitions (P5)."""
        clean, _ = receive(query)
        if classes and Klass.PROHIBITION in classes:
            raise UsageError("Prohibitions are never ranked. See them with: partner state, or partner check")
        wanted = tuple(classes or RECALLED)
        depth = limit if history else max(limit * 2, limit + FOLDED)
        hits = self.store.search(clean, classes=wanted, limit=depth, as_of=as_of, history=history)
        if history:
            return hits
        hits = hits if as_of else with_claims(self.store, clean, hits, wanted)
        by_id = {hit.engram.id: hit for hit in hits if settled(hit.engram)}
        return [by_id[engram.id] for engram in claims_first([hit.engram for hit in by_id.values()])][:limit]

    def brief(self, scope: str | None = None, *, budget_tokens: int = 2000, since: int | None = None) -> Any:
        return self.store.reason_on(scope, budget_tokens=budget_tokens, since=since)

    def state(self) -> dict[str, list[Engram]]:
        """What stands, by what it is to the operator: who, concluded, pursued, forbidden."""
        current = self.store.current
        return {
            "who": list(filter(settled, current(klass=Klass.DISPOSITION, newest_first=False))),
            "concluded": list(filter(settled, current(klass=Klass.CONCLUSION, newest_first=False))),
            "pursued": [e for e in current(klass=Klass.OBJECTIVE, newest_first=False) if is_open(e)],
            "forbidden": current(klass=Klass.PROHIBITION, newest_first=False),
        }

    def why(self, ref: str) -> Why:
        store = self.store
        engram = store.read(ref)
        status = store.status(engram.id)
        causal = (Relation.DERIVED_FROM, Relation.ANSWERS, Relation.RETRACTS, Relation.EVIDENCE_FOR)
        return Why(
            engram=engram,
            holds=status.holds,
            causes=tuple(store.read(link.target) for link in engram.links if link.relation in causal),
            replaced=tuple(map(store.read, status.supersedes)),
            replaced_by=tuple(map(store.read, status.superseded_by)),
            retracted_by=store.read(status.retracted_by) if status.retracted_by else None,
            contradicts=tuple(map(store.read, status.contradicts)),
            context=tuple(store.read(ref) for ref in engram.metadata.get("context", ()) or ()),
        )

    # ---- changing

    def supersede(self, ref: str, text: str, *, at: datetime | None = None) -> Engram:
        """Put a new claim in an old one's place: the old one's type, subject and attribute go on."""
        clean, _ = receive(text)
        old = self.store.read(ref)
        keep = {k: v for k, v in old.metadata.items() if k in ("subject", "attribute", "status", "tags")}
        draft = by_hand(old.type, clean, at=at, metadata=keep)
        if old.klass is Klass.PROHIBITION:
            compile_prohibition(old.id, draft.content)
        return self.store.supersede(old.id, draft)

    def erase(self, ref: str, reason: str) -> Erased:
        """Overwrite what an engram says, and remove what was made of it beside the store."""
        engram = self.store.read(ref)
        entry = self.store.erase(engram.id, reason)
        index = () if self.meaning is None else ("vectors",)  # in use: the store has taken it out of there
        wipe_folder(self.settings.cache_dir, keep=index)
        again = [
            self.store.read(link.target) for link in engram.links if link.relation is Relation.DERIVED_FROM
        ]
        said = engram.provenance.evidence or engram.content
        return Erased(entry=entry, still_said=tuple(e for e in again if said and said in e.content))

    def undo(self) -> list[Engram]:
        """Take back what the last message or command wrote, so that what it ended holds again; again, the one
        before it. The log keeps all of it."""
        return undo(self.store, self.session.written.pop()) if self.session.written else []

    def retract(self, ref: str, *, reason: str = "") -> Formed:
        """Say that something no longer holds; it stays readable. Raises NotFound."""
        old = self.store.read(ref)
        return Formed(engram=self.store.retract(old.id, reason=reason), change="retract", old=old)

    # ---- the inbox

    def inbox(self) -> list[Engram]:
        """What an engine has proposed and nobody has answered yet, oldest first."""
        return inbox.waiting(self.store)

    def accept(self, ref: str, *, text: str | None = None) -> Formed:
        """Let a proposal hold, as it is or in the operator's own words."""
        clean = receive(text)[0] if text is not None else None
        return inbox.accept(self.store, ref, text=clean, at=self.clock())

    def discard(self, ref: str, *, reason: str = "") -> Formed:
        return inbox.discard(self.store, ref, reason=reason)

    # ---- the engines

    def engine_rows(self) -> list[tuple[str, str, str, str]]:
        """Name, kind, model and condition of every engine, in the order in which they are tried."""
        conditions = {}
        if self.router is not None:
            conditions = {status.name: status.problem for status in self.router.engines()}
        rows = []
        engines = self.settings.config.engines
        order = dict.fromkeys((*self.settings.config.router.order, *engines))
        for name in sorted(order, key=lambda name: name == NO_ENGINE):  # last, whatever is configured
            engine = engines[name]
            model = getattr(engine, "model", "") or " ".join(getattr(engine, "argv", ())) or "-"
            condition = "" if name == NO_ENGINE else conditions.get(name, "")
            rows.append((name, engine.kind, model, condition or "ready"))
        return rows

    def inference_calls(self) -> int:
        """How often a model was asked, ever; answers from the cache are none."""
        return self.ledger.inference_calls() if self.settings.ledger_path.exists() else 0

    def cost(self) -> list[Any]:
        """Sums by engine, from the ledger; unknown costs are counted, never taken for nothing."""
        return self.ledger.totals() if self.settings.ledger_path.exists() else []
