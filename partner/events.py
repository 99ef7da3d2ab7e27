"""What a turn tells whoever shows it. Values only; terminal, CLI and servers render them."""

from __future__ import annotations

from dataclasses import dataclass

from gate.model import Verdict
from router.model import Event, Usage
from store.model import Engram


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """The words were accepted. `warning` says what had to be mended to keep them."""

    text: str
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formed:
    """An engram was written (or, with `change` same, an old one was said again). It is on disk by now."""

    engram: Engram
    change: str  # "new", "supersede", "retract", "same", "proposed" (it waits in the inbox)
    old: Engram | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarify:
    """Formation or the rule compiler needs a word from the operator; nothing was lost meanwhile."""

    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The gate refused; no engine was asked. `message` names the prohibitions and what would lift them."""

    verdict: Verdict
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The gate asks whether a rule means this. Answer with `Session.answer`."""

    verdict: Verdict
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What goes to the engine: the engrams used and the tokens of the whole request.

    `transcript_tokens` is what re-sending the full transcript would have cost.
    """

    engrams: tuple[Engram, ...]
    notes: str
    tokens: int
    transcript_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineEvent:
    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRunning:
    """A call of the engine passed the gate (and the operator, where that is needed) and runs now."""

    tool: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsed:
    """How a call ended: `outcome` is one of partner.tools.model.Outcome, `says` the result or the reason.

    `engram` is the observation that was kept of it, `verdict` the gate's, where it came to that. `tags` are
    what privacy rules know the result by.
    """

    tool: str
    outcome: str
    says: str
    verdict: Verdict | None = None
    engram: Engram | None = None
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """The reply is kept. `engine` is None where the notes themselves answered; `partial` when cut short."""

    text: str
    engine: str | None
    engram: Engram | None
    partial: bool = False
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something went wrong that did not end the turn; one to three lines for the operator."""

    message: str
    no_engine: bool = False
    refused: Verdict | None = None  # the gate forbade the model call


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something the operator should know and nothing is wrong: what left the machine, who answered.

    `switched` marks that another engine than the wanted one answered.
    """

    message: str
    switched: bool = False


TurnEvent = (
    Received
    | Formed
    | Clarify
    | Refused
    | Asked
    | Gathered
    | EngineEvent
    | ToolRunning
    | ToolUsed
    | Replied
    | Problem
    | Notice
)
