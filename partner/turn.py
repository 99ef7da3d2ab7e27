"""The turn as a table: which event leads from which state to which (DESIGN §4).

`TRANSITIONS` is the only definition; the session moves through it and `diagram()` prints it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class State(StrEnum):
    IDLE = "idle"
    GATING = "gating"
    ASKING = "asking"
    FORMING = "forming"
    GATHERING = "gathering"
    ROUTING = "routing"
    STREAMING = "streaming"
    CALLING = "calling"
    REFUSING = "refusing"
    APPENDING = "appending"


class EventKind(StrEnum):
    RECEIVED = "received"
    ALLOWED = "allowed"
    REFUSED = "refused"
    ASKED = "asked"
    CONFIRMED = "rule applies"
    WAIVED = "rule does not apply"
    FORMED = "formed"
    GATHERED = "gathered"
    STARTED = "started"
    SWITCHED = "switched"
    CALLED = "tools called"
    OBSERVED = "results observed"
    ENDED = "ended"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    NO_ENGINE = "no engine"
    APPENDED = "appended"
    KEPT = "kept"


_S, _E = State, EventKind
TRANSITIONS: Mapping[tuple[State, EventKind], State] = MappingProxyType(
    {
        (_S.IDLE, _E.RECEIVED): _S.GATING,
        (_S.GATING, _E.ALLOWED): _S.FORMING,
        (_S.GATING, _E.REFUSED): _S.REFUSING,
        (_S.GATING, _E.ASKED): _S.ASKING,
        (_S.ASKING, _E.CONFIRMED): _S.REFUSING,
        (_S.ASKING, _E.WAIVED): _S.FORMING,
        (_S.REFUSING, _E.KEPT): _S.IDLE,
        (_S.FORMING, _E.FORMED): _S.GATHERING,
        (_S.GATHERING, _E.GATHERED): _S.ROUTING,
        (_S.ROUTING, _E.STARTED): _S.STREAMING,
        (_S.ROUTING, _E.NO_ENGINE): _S.APPENDING,  # answered with the notes alone
        (_S.ROUTING, _E.FAILED): _S.APPENDING,
        (_S.ROUTING, _E.INTERRUPTED): _S.APPENDING,
        (_S.ROUTING, _E.SWITCHED): _S.ROUTING,
        (_S.STREAMING, _E.SWITCHED): _S.ROUTING,
        (_S.STREAMING, _E.CALLED): _S.CALLING,
        (_S.CALLING, _E.OBSERVED): _S.ROUTING,
        (_S.CALLING, _E.INTERRUPTED): _S.APPENDING,
        (_S.STREAMING, _E.ENDED): _S.APPENDING,
        (_S.STREAMING, _E.INTERRUPTED): _S.APPENDING,
        (_S.STREAMING, _E.FAILED): _S.APPENDING,
        (_S.APPENDING, _E.APPENDED): _S.IDLE,
    }
)


class Machine:
    """Where a turn stands. An event that its state does not know is a programming error and raises."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = State.IDLE

    def on(self, event: EventKind) -> State:
        try:
            self.state = TRANSITIONS[self.state, event]
        except KeyError:
            raise AssertionError(f"a turn in state '{self.state}' got '{event}'") from None
        return self.state


def diagram() -> str:
    """Return the table as a Mermaid state diagram, one line a transition, in the table's order."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.IDLE}"]
    lines += [f"    {state} --> {target}: {event}" for (state, event), target in TRANSITIONS.items()]
    return "\n".join(lines) + "\n"
