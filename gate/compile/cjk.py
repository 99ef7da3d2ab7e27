"""Plain rules in Japanese and Chinese: an act, what it is done to, where and to whom, a weekday."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import MappingProxyType

from gate.compile.slots import find_windows
from gate.constraint import Constraint, Part, Term
from gate.errors import CompileQuestion
from gate.language.cjk import pairs, read_cjk, roles

PAIR_GRADE = 0.6  # of two neighbouring characters of a run, for the run


def compile_cjk(engram_id: str, sentence: str, language: str) -> Constraint:
    """Raises CompileQuestion where no act is known, or a value is limited (which is not read here)."""
    reading = read_cjk(sentence, language)
    patterns = reading.lexicon.patterns
    said = sentence.strip().rstrip("。．.!！ ")
    forbids = re.search(patterns["forbids"], said)
    if forbids is None:
        raise CompileQuestion(
            sentence,
            "I cannot see what this forbids. Say it as '…しないでください', '…禁止' or '不要…', '禁止…'.",
        )
    if re.search(patterns["values"], said):
        raise CompileQuestion(
            sentence, "I do not read limits of value or hours in this language. Say this rule in another one."
        )
    acts = sorted({hit.act for clause in reading.clauses for hit in clause.hits})
    if not acts:
        raise CompileQuestion(
            sentence, "I cannot see which act this is about. Name what must not be done, and to what."
        )
    windows, _ = find_windows(reading, 0, len(reading.tokens))
    found = roles(reading)
    return Constraint(
        engram_id=engram_id,
        sentence=sentence,
        language=language,
        acts=MappingProxyType(dict.fromkeys(acts, 1.0)),
        verbs=" ".join(
            dict.fromkeys(reading.tokens[hit.start].text for clause in reading.clauses for hit in clause.hits)
        ),
        objects=terms(found.objects),
        recipients=terms(found.recipients),
        places=terms(found.places),
        windows=windows,
    )


def terms(phrases: Iterable[tuple[str, ...]]) -> tuple[Term, ...]:
    """A phrase as one term; a run is named by itself, by a part of it only perhaps."""
    found = []
    for phrase in phrases:
        parts = tuple(
            Part(word=run, keys=MappingProxyType({**dict.fromkeys(pairs(run), PAIR_GRADE), run: 1.0}))
            for run in phrase
        )
        found.append(Term(words="".join(phrase), parts=parts, whole=MappingProxyType({"".join(phrase): 1.0})))
    return tuple(found)
