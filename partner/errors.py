"""Errors of the partner, each saying who erred and what to do.

    PartnerError               `.exit_code` by the table below
    ├── UsageError             the caller's: 2
    │   ├── BadConfig          a configuration file or variable that cannot be used (`.path`)
    │   └── HomeUnavailable    the home that was named cannot be made
    ├── StoreGone              the store's file was taken away while it was open: 1
    ├── RefusedByGate          a prohibition forbids it: 3 (`.verdict`)
    └── GateAsks               the gate asks and nobody can answer: 7 (`.verdict`)

Exit codes: 0 done · 1 the surroundings failed · 2 usage · 3 refused by the gate · 4 not found ·
5 no engine available · 6 integrity failure · 7 the gate asks and nobody can answer.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.model import Verdict


class Exit(IntEnum):
    DONE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3
    NOT_FOUND = 4
    NO_ENGINE = 5
    INTEGRITY = 6
    ASKED = 7


class PartnerError(Exception):
    """Root of the tree; `str()` is one to three lines for the operator: what, why, what to do."""

    exit_code: Exit = Exit.FAILED


class UsageError(PartnerError):
    exit_code = Exit.USAGE


class BadConfig(UsageError):
    def __init__(self, path: Path | str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path


class RefusedByGate(PartnerError):
    exit_code = Exit.REFUSED

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class GateAsks(PartnerError):
    exit_code = Exit.ASKED

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class HomeUnavailable(UsageError):
    pass


class StoreGone(PartnerError):
    """What is written to it from now on would be lost."""
