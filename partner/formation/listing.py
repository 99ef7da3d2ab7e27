"""One attribute told of several things in one breath, a claim of each, in any language.

'The rent for flat 2 is 625 and for flat 4 it's 580', 'flat 1 is Mrs Ogden, flat 2 the Barlow brothers': half
of a claim that holds two could not be corrected.
"""

from __future__ import annotations

import re
from dataclasses import replace

from partner.formation.clause import Clause

_IS = r"is|are|was|ist|sind|beträgt|es|son|cuesta|est|sont|coûte|costs?"
_AND = r"(?:,? (?:and|but|und|aber|y|pero|et|mais) |, )"
_FOR = re.compile(
    rf"(?i)^(?P<what>(?:[\w'’-]+ ){{1,4}}?)(?P<for>for|of|in|at|für|von|para|de|pour) "
    rf"(?P<a>(?:[\w'’-]+ ){{1,3}}?)"
    rf"(?P<is>{_IS}) (?P<v>[€$£]?\d[\w.,:€$£%]*(?: [a-zà-ÿ€$£%]+){{0,2}}?)"
    rf"{_AND}(?P=for) (?P<b>(?:[\w'’-]+ ){{1,3}}?)(?:(?:it['’]?s|it is|{_IS}) )?"
    rf"(?P<w>[€$£]?\d[\w.,:€$£%]*(?: [a-zà-ÿ€$£%]+){{0,2}})[.!]*$"
)
_NUMBERED = re.compile(rf"(?i)^(?P<noun>[^\W\d]+) (?P<a>\d+\w?) (?P<is>{_IS}) (?=\D)")


def listed_claims(clause: Clause) -> list[Clause]:
    """The claims of such a sentence, or an empty list where it is none."""
    text = clause.text.strip()
    if found := _FOR.match(text):
        told, preposition, verb = found["what"], found["for"], found["is"]
        return [
            replace(clause, text=f"{told}{preposition} {whose}{verb} {value}")
            for whose, value in ((found["a"], found["v"]), (found["b"], found["w"]))
        ]
    numbered = _NUMBERED.match(text)
    if numbered is None:
        return []
    parts = re.split(rf"{_AND}(?={re.escape(numbered['noun'])} \d)", text.rstrip(".!"), flags=re.IGNORECASE)
    told = [re.match(rf"(?i)({numbered['noun']} \d+\w?) (?:(?:{_IS}) )?(\D.*)$", part) for part in parts]
    if len(parts) < 2 or not all(told):
        return []
    return [replace(clause, text=f"{m[1]} {numbered['is']} {m[2]}") for m in told if m]
