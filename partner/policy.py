"""The partner's side of the gate: the snapshot kept in step with the store, and the facts it may use.

The gate itself is pure. What it must know of the world (approvals, real paths, the engine's locality)
is gathered here, before it is asked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from gate import Snapshot, gate
from gate.model import (
    ActionRequest,
    Approval,
    Decision,
    Facts,
    Request,
    TextRequest,
    Verdict,
    request_hash,
)
from partner.events import Formed
from partner.names import short
from partner.tools.model import ToolTimedOut
from partner.tools.running import within
from store.errors import StoreError
from store.model import Draft, Engram, EngramType, Klass, Relation

if TYPE_CHECKING:
    from gate.snapshot import Inert
    from partner.rulecache import RuleCache
    from store import Store

LIMIT_S = 60.0  # a check takes milliseconds, one of a megabyte seconds: what takes longer does not end
_GATE_TYPES = frozenset(
    {EngramType.PROHIBITION, EngramType.RETRACTION, EngramType.ERASURE, EngramType.APPROVAL}
)
# the operator's own word, as a rule names it in en de es fr it pt: 'asking me', 'ohne meine Freigabe'
_OWN_WORD = re.compile(
    r"\b(?:i|me|my|mine|ich|mich|mir|mein\w*|yo|m[ií]|mis|je|moi|mon|ma|mes|io|mio|mia"
    r"|eu|mim|meu|minha)\b|\b[mt]'"
)
# under which subject and attribute learned wordings are found again
_ANSWER_SUBJECT, _ANSWER_ATTRIBUTE = "partner:gate", "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What of the process the gate's facts need. Given once, by the composition root."""

    cwd: str
    home: str
    operator_names: tuple[str, ...] = ()
    timezone: str | None = None
    real_path: Callable[[str], str] = os.path.realpath


class Policy:
    """One choke point for words, actions and model calls. Not shared between threads."""

    def __init__(
        self,
        store: Store,
        surroundings: Surroundings,
        *,
        limit_s: float = LIMIT_S,
        cache: RuleCache | None = None,
    ) -> None:
        self._store = store
        self._cache = cache
        self._limit_s = limit_s
        self._surroundings = surroundings
        self._seen = -1
        self._snapshot: Snapshot | None = None
        self._approvals: tuple[Approval, ...] = ()
        self._told: set[str] = set()

    @property
    def snapshot(self) -> Snapshot:
        """The prohibitions that hold now, compiled. Rebuilt only when an entry that touches them arrived."""
        head = self._store.head()
        news = self._news(after=self._seen, upto=head.seq)
        if self._snapshot is not None and news and all(map(_only_adds, news)):
            for rule in news:  # a further rule costs no more among many than among few
                self._snapshot = self._snapshot.with_added(rule, head.hash)
        elif self._snapshot is None or news:
            self._snapshot = self._built(head.hash)
            self._approvals = tuple(approvals_of(self._store.current(type=EngramType.APPROVAL)))
        elif head.seq != self._seen:
            self._snapshot = replace(self._snapshot, head=head.hash)
        self._seen = head.seq
        return self._snapshot

    def _built(self, head: str) -> Snapshot:
        """All prohibitions compiled, or taken from those that the cache kept."""
        kept = self._cache.read() if self._cache is not None else None
        rules = self._store.current(klass=Klass.PROHIBITION, newest_first=False)
        built = Snapshot.build(rules, head=head, answers=self.answers(), kept=kept)
        if self._cache is not None and kept is not None and kept.changed:
            self._cache.write(kept)
        return built

    def check_text(self, text: str, at: datetime) -> Verdict:
        return self._check(TextRequest(text=text, at=at))

    def check_action(self, request: ActionRequest, *, locality: str | None = None) -> Verdict:
        """Judge an action; the paths it names are resolved first and handed over as facts."""
        return self._check(request, locality=locality)

    def check_model(
        self, name: str, prompt: str, at: datetime, *, local: bool, attachments: Sequence[str] = ()
    ) -> Verdict:
        """Judge that an engine is asked `prompt`, files by name along with it: an action like any other."""
        locality = "local" if local else "hosted"
        args: dict[str, object] = {"model": name, "locality": locality, "prompt": prompt}
        if attachments:
            args["attachments"] = list(attachments)
        return self.check_action(ActionRequest(kind="model.call", args=args, at=at), locality=locality)

    def facts(self, **more: object) -> Facts:
        around = self._surroundings
        return Facts(
            approvals=self._approvals,
            cwd=around.cwd,
            home=around.home,
            operator_names=around.operator_names,
            timezone=around.timezone,
            **more,  # type: ignore[arg-type]
        )

    def _check(self, request: Request, **more: object) -> Verdict:
        """Fails closed: rules that cannot be read, and an evaluation that does not end, refuse and say so."""
        try:
            snapshot = self.snapshot  # reads the approvals in force too, so it comes before the facts

            def judged() -> Verdict:
                if isinstance(request, ActionRequest):
                    more["real_paths"] = self._real_paths(request)
                return gate(request, self.facts(**more), snapshot)

            return within(self._limit_s, judged)
        except StoreError:
            raise
        except ToolTimedOut as error:
            return _unjudged(request, f"the gate was stopped: {error}")
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the rules must not let a request by
            return _unjudged(request, f"the rules cannot be read ({error})")

    def idle_news(self) -> list[str]:
        """Lines about rules that protect nothing, each once in the life of this object."""
        snapshot = self._snapshot
        fresh = [r for r in snapshot.inert if r.engram_id not in self._told] if snapshot else []
        self._told |= {rule.engram_id for rule in fresh}
        return [idle_line(rule) for rule in fresh]

    def _real_paths(self, request: ActionRequest) -> dict[str, str]:
        if request.kind == "model.call":
            return {}
        from gate.actions import read_action  # the grammars load with the first action
        from gate.errors import BadAction

        try:
            frames = read_action(request, self.facts())
        except BadAction:
            return {}  # the gate itself says what is malformed
        return {path: self._surroundings.real_path(path) for frame in frames for path in frame.paths}

    def _news(self, *, after: int, upto: int) -> list[Engram]:
        """The entries since `after` that change what is forbidden or permitted."""
        if after in (upto, -1):
            return []
        return [engram for engram in self._store.log(after=after) if _touches_gate(engram)]

    def learn(self, verdict: Verdict, text: str, *, applies: bool, at: datetime) -> Iterator[Formed]:
        """Write the operator's answer to a question of the gate, so that it is not asked again."""
        from gate.learning import WORDING, answer_draft

        for match in verdict.matches:
            if match.bindings.get(WORDING):
                draft = answer_draft(match, TextRequest(text=text, at=at), applies)
                yield Formed(engram=self.correct(draft), change="new")

    def correct(self, draft: Draft) -> Engram:
        """Write what the operator teaches about a rule (gate.learning), where the snapshot finds it."""
        key = {"subject": _ANSWER_SUBJECT, "attribute": _ANSWER_ATTRIBUTE}
        return self._store.write(replace(draft, metadata={**draft.metadata, **key}))

    def answers(self) -> list[Engram]:
        """What the operator taught about rules and did not take back."""
        return self._store.current(type=EngramType.NOTE, subject=_ANSWER_SUBJECT, attribute=_ANSWER_ATTRIBUTE)


def _unjudged(request: Request, why: str) -> Verdict:
    return Verdict(decision=Decision.REFUSE, request_hash=request_hash(request), head="", note=why)


def _only_adds(engram: Engram) -> bool:
    """Whether an entry is a rule beside the others, in no other's place."""
    replaces = any(link.relation is Relation.SUPERSEDES for link in engram.links)
    return engram.type is EngramType.PROHIBITION and not replaces


def _touches_gate(engram: Engram) -> bool:
    if engram.type in _GATE_TYPES or engram.metadata.get("subject") == _ANSWER_SUBJECT:
        return True
    return any(link.relation is Relation.SUPERSEDES for link in engram.links)


def approvals_of(engrams: Iterable[Engram]) -> Iterable[Approval]:
    """Approval engrams as facts for the gate."""
    for engram in engrams:
        until = engram.metadata.get("until")
        yield Approval(
            id=engram.id,
            by=str(engram.metadata.get("by") or engram.author),
            subject=str(engram.metadata.get("subject") or engram.content),
            until=datetime.fromisoformat(until) if isinstance(until, str) else None,
        )


def not_understood(question: str) -> str:
    """What a rule of which nothing checkable is understood still does, and what to ask the operator."""
    return f"refuses nothing and only asks where its words are said: {question}"


def idle_line(rule: Inert) -> str:
    """What must be said of a rule that compiled to nothing checkable."""
    return f"Your rule {short(rule.engram_id)} “{rule.sentence}” {not_understood(rule.question)}"


def refusal(verdict: Verdict, said: str = "") -> str:
    """The operator's sentence for a refusal: which prohibitions, by id, and what would lift them. `said`: the
    message, where one was refused; one that permits something is told how that is put on record."""
    from partner.formation.permitting import permitted_act

    lines = []
    for match in verdict.matches:
        line = f"Refused by your rule {short(match.engram_id)}: “{match.sentence}”"
        if match.missing:
            line += f" Not known: {', '.join(match.missing)}; what cannot be determined is not done."
        if match.lifted_by:
            line += f" Lifted by: {match.lifted_by}"
            if _OWN_WORD.search(match.lifted_by.casefold()):
                line += " (`approve` records that: /approve WORDS)"
        lines.append(line)
    if not lines:
        lines = [f"Refused by the gate: {verdict.note or 'no reason given'}"]
    elif act := permitted_act(said):
        lines.append(
            f"To permit it, put it on record: /approve {act} (or ... until Friday). "
            f"/retract {short(verdict.matches[0].engram_id)} ends the rule."
        )
    return "\n".join(dict.fromkeys(lines))


def question(verdict: Verdict) -> str:
    """The operator's question where a request may touch a rule."""
    touched = {match.engram_id: match for match in verdict.matches}
    rules = "; ".join(f"“{match.sentence}” ({short(engram_id)})" for engram_id, match in touched.items())
    return f"This may touch your rule {rules}"
