"""Which permission lifts which rule: the words it is about, without those that only permit."""

from __future__ import annotations

import math

from partner.formation.frames import Frame
from partner.formation.words import listed

GENERIC = listed(
    "peopl person team day week month year way place part side new next last one two three "
    "goal target objective aim plan"
)
_PERMITS = listed("""allow permit everyon everybodi anyon anybodi peopl staff guest visitor member fine ok
okay possibl welcom can now rule ban lift gone accept appli hold
anymor longer exist
    restrict prohibit""")


def lifts(new: Frame, was: Frame) -> bool:
    """Whether a permission covers a prohibition's words ('printing in colour is fine again')."""
    about = (new.topic | frozenset(new.rest) | new.content) - _PERMITS - GENERIC - {"@i", "@we"}
    rule = was.content | was.topic
    return bool(about) and len(about & rule) >= max(1, math.ceil(0.75 * len(about)))
