"""A rule without its reasons: 'The field is closed, don't book anyone onto it' as one clause that forbids.

English only; what is cut off says why, never what. A pronoun of the forbidding clause is replaced by what
the clause before it speaks of.
"""

from __future__ import annotations

import re

from gate.compile.turned import within
from gate.language.reading import Clause, Mood, Reading, read

_FINAL = re.compile(
    r"[,;:-]? *\b(?:period|full stop|ever|please|thanks|thank you|ok(?:ay)?|got it|understood|no exceptions?"
    r"|no matter what|under any circumstances|to (?:nobody|no one|anyone)|for (?:nobody|no one))[.! ]*\Z",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(
    r"(?P<thing>.+?) (?:is|are|was|were|stays?|goes|go|belongs?|has|have|ends?|remains?|must|should|will) .*?"
    r"[,;:-] *(?:so |and |but |therefore )*(?P<rest>(?:please |just )?"
    r"(?:(?:(?:we|you|i|nobody|no one) )?(?:do not|don.t|never|won.t)|say no\w*|tell no\w*|no\b|leave|keep"
    r"|it(?:.s| is) never|they(?:.re| are) never).*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_PRONOUN = re.compile(r"\b(?:it|them|one|any)\b", re.IGNORECASE)
_THERE = re.compile(r"(?:from |at |in )?\bthere\b", re.IGNORECASE)
# A second clause that forbids to do with the thing what the first already rules out: '..., don't order any'
_AGAIN = re.compile(
    r"(?P<first>(?:no|nothing|not a) .+?|.+? (?:is not|isn.t|are not|aren.t) for .+?)[,;:-] *(?:so |and )?"
    r"(?:please )?(?:do not|don.t|never) (?:[\w-]+ ){1,2}(?:it|them|one|any)\b[^,;]*\Z",
    re.IGNORECASE | re.DOTALL,
)
# '..., that kills the mould', '..., it upsets the dog': behind a comma a pronoun and its verb give the reason
_BECAUSE = re.compile(
    r"(?P<rule>.+), (?:that|this|it|they)(?:.s|.re|.ll| (?!which\b|who\b|is\b|are\b)[a-z]+(?:s|ed)?)"
    r" (?:the|our|my|his|her|their|a|an|it|them|too|so|not|very|always) ?.*\Z",
    re.IGNORECASE | re.DOTALL,
)
_NEVER = re.compile(r"(?:it(?:.s| is)|they(?:.re| are)) (never .*)\Z", re.IGNORECASE | re.DOTALL)
_LINKS = frozenset((",", ";", ":", "-", "because", "since", "although", "so", "and", "but"))


def without_reasons(sentence: str, reading: Reading) -> str:
    """The forbidding clause of a rule, with what its pronoun points to; all of it where it is one."""
    if reading.language != "en":
        return sentence
    text = _FINAL.sub("", sentence.strip().rstrip(".! ")) or sentence
    again = _AGAIN.match(text)
    if again:
        return again["first"]
    spoken = _SPOKEN_OF.match(text)
    if spoken:
        joined = _joined(spoken["thing"], spoken["rest"])
        if joined is not None:
            return joined
    because = _BECAUSE.match(text)
    return _without_tail(because["rule"] if because else text)


def _joined(thing: str, rest: str) -> str | None:
    """The clause that forbids, about the thing; None when it points to nothing."""
    passive = _NEVER.match(rest)
    if passive:
        return f"{thing} are {passive[1]}"
    if not _PRONOUN.search(rest):
        timed = re.search(r"\b(?:after|before|until|then)\b", rest, re.IGNORECASE)
        return _THERE.sub(within(thing, "en"), rest, count=1) if _THERE.search(rest) and not timed else None
    return _PRONOUN.sub(lambda _: within(thing, "en"), rest, count=1)


def _without_tail(text: str) -> str:
    """Without a last clause that states a reason: a subject and a verb of its own, and nothing forbidden."""
    reading = read(text, "en")
    for clause in reading.clauses[1:]:
        if clause.sentence or (clause.link in _LINKS and _states(reading, clause)):
            end = (
                reading.tokens[clause.start - 1].start
                if clause.link in _LINKS
                else reading.tokens[clause.start].start
            )
            cut = reading.folded.span(0, end)[1] if end else 0
            kept = text[:cut].rstrip(" ,;:-.!")
            return kept or text
    return text


def _states(reading: Reading, clause: Clause) -> bool:
    lexicon = reading.lexicon
    words = reading.tokens[clause.start : clause.end]
    if clause.mood not in (Mood.STATEMENT, Mood.CONTENT) or len(words) < 2:
        return False
    named = any(lexicon.has("negator", token.text) for token in words[:3])
    return not named and not any(lexicon.has("condition", token.text) for token in words[:1])
