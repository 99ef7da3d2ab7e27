"""The gate: what the operator's prohibitions allow, decided before any model is called (DESIGN 5)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gate.compile import compile_prohibition
    from gate.constraint import Constraint
    from gate.errors import BadAction, BadConstraint, BadRequest, CompileQuestion, GateError, LexiconDamaged
    from gate.model import (
        ActionRequest,
        Amount,
        Approval,
        Decision,
        Facts,
        Frame,
        Match,
        Request,
        TextRequest,
        Truth,
        Verdict,
        request_hash,
    )  # fmt: skip
    from gate.snapshot import Snapshot
    from gate.verdict import gate

_HOME = {
    "gate": "verdict", "Snapshot": "snapshot", "compile_prohibition": "compile", "Constraint": "constraint",
    **dict.fromkeys(
        ("ActionRequest", "Amount", "Approval", "Decision", "Facts", "Frame", "Match", "Request",
         "TextRequest",
         "Truth", "Verdict", "request_hash"), "model"),
    **dict.fromkeys(
        ("BadAction", "BadConstraint", "BadRequest", "CompileQuestion", "GateError", "LexiconDamaged"),
        "errors",
    ),
}  # fmt: skip

__all__ = [
    "ActionRequest", "Amount", "Approval", "BadAction", "BadConstraint", "BadRequest", "CompileQuestion",
    "Constraint", "Decision", "Facts", "Frame", "GateError", "LexiconDamaged", "Match", "Request", "Snapshot",
    "TextRequest", "Truth", "Verdict", "compile_prohibition", "gate", "request_hash",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'gate' has no attribute {name!r}")
    return getattr(import_module(f"gate.{_HOME[name]}"), name)
