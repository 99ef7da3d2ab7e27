"""Words that tell what a text is about, comparable across wordings; CJK text in overlapping pairs of
letters."""

from __future__ import annotations

from functools import lru_cache

from partner.formation.grammar import PREPOSITIONS
from partner.formation.languages import cues_for
from partner.formation.stems import ALIASES, stem
from partner.formation.verbs import lemma
from partner.formation.words import has_cjk, words


@lru_cache(maxsize=8192)
def content_words(text: str) -> frozenset[str]:
    """Stems without function words; figures stay; for CJK the pairs of adjacent letters."""
    tokens = words(text)
    stop = cues_for(text).stop
    found: set[str] = set()
    cjk = has_cjk(text)
    for at, token in enumerate(tokens):
        low = token.low.strip(".'")
        if cjk and has_cjk(token.text):
            after = tokens[at + 1] if at + 1 < len(tokens) else None
            if (
                after is not None
                and after.start == token.end
                and has_cjk(after.text)
                and token.text not in _PARTICLES
            ):
                found.add(token.text + after.text)
        elif low and low not in stop and low not in PREPOSITIONS and (len(low) > 1 or token.number):
            base = lemma(low)
            if base in stop:
                continue
            found.add(low if token.number else ALIASES.get(base, stem(base)))
    return frozenset(found)


def spoken_words(text: str, limit: int = 16) -> list[str]:
    """The words a search should look for, as written, longest first; a CJK text as it stands."""
    if has_cjk(text):
        return [text[:200]]
    stop = cues_for(text).stop
    lows = dict.fromkeys(w.low.strip(".'") for w in words(text))
    found = [w for w in lows if w and w not in stop and w not in PREPOSITIONS and not w.startswith("'")]
    return sorted(found, key=lambda w: (-len(w), w))[:limit]


_PARTICLES = frozenset("のはがをにでとも的了是在和")
