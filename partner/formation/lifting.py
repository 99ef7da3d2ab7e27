"""Which permission lifts which rule: the words it is about, without those that only permit."""

from __future__ import annotations

import math
import re

from partner.formation.frames import Frame
from partner.formation.permitting import permitted
from partner.formation.topics import content_words
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


def is_conditional(permission: str) -> bool:
    """'If she is up, you can ring her' leaves the rule against it in force."""
    return (
        re.match(r"(?i)(?:if|when|unless|once|as long as|wenn|falls|si|cuando|quand)\b", permission)
        is not None
    )


# A permission for now, for somebody or under a condition leaves the rule as it is.
_LIMITED = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|this (?:once|time|week|morning|evening|afternoon|month|one|year)|just|"
    r"only|once|"
    r"if|when|while|unless|until|provided|as long as|except|with|for|may have|exceptionally|exception|"
    r"on \w+days?|in (?:emergenc\w+|\w+ cases?))\b"
)
_AGAIN = re.compile(
    r"(?i)\b(?:again|now|once more|from now on|no longer (?:forbidden|prohibited|banned|off[- ]limits)|"
    r"not (?:forbidden|prohibited|banned) any ?more)\b"
)
_UNTIL = re.compile(r"(?i),?\s+(?:until|till|before|unless|as long as|while)\b.*$")
_SOME = listed("staff guest visitor member")  # a permission for these is none for everybody
_FRAME_OF_A_RULE = listed("""never not no nobodi must may can shall should allow permit forbid forbidden
    prohibit ban
    off-limit anyon anybodi everyon everybodi peopl person one ever pleas is to again now dare""")


def takes_back(permission: str, rule: str) -> bool:
    """Whether a permission ends a rule for good: it says the rule's whole act, no less and no more, without
    a limit
    of its own, and says that this is so again or now ('Using the east jetty is allowed again')."""
    if permitted(permission, rule):
        return True
    if _LIMITED.search(permission) or not _AGAIN.search(permission):
        return False
    said = content_words(permission) - (_PERMITS - _SOME) - _FRAME_OF_A_RULE
    ruled = content_words(_UNTIL.sub("", rule)) - _FRAME_OF_A_RULE
    return bool(said) and said == ruled
