"""Errors of the gate, by who is to blame.

    GateError
    ├── BadRequest          the caller's: a request, an action or a rule that cannot be read
    │   ├── BadAction       an action that does not fit its kind's schema
    │   ├── BadConstraint   a constraint given as data that does not fit its schema
    │   └── CompileQuestion a sentence from which nothing checkable follows; str() asks the operator
    └── LexiconDamaged      ours: a lexicon file of the installation is missing or malformed

`gate()` raises none of them: an error inside an evaluation is a refusal whose note says so.
"""

from __future__ import annotations


class GateError(Exception):
    """Base of everything the gate raises."""


class BadRequest(GateError):
    """The caller handed over something the gate cannot read."""


class BadAction(BadRequest):
    """An action does not fit the schema of its kind. `field` names the argument at fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class BadConstraint(BadRequest):
    """A constraint given as data does not fit its schema."""


class CompileQuestion(BadRequest):
    """The sentence yields no checkable constraint. `str(error)` is the question for the operator."""

    def __init__(self, sentence: str, question: str) -> None:
        super().__init__(question)
        self.sentence = sentence
        self.question = question


class LexiconDamaged(GateError):
    """A lexicon file is missing or malformed: the installation is at fault, not the caller."""
