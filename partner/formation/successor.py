"""What takes a place that another has left, in one sentence: 'Dawson has retired, we use Kemp now.'

The claim that had the old one in it ('our plumber is Dawson') is said again with the new one in its place,
where one claim alone can be meant.
"""

from __future__ import annotations

import re

from partner.formation.overlay import Overlay
from partner.formation.placing import put
from partner.formation.revision import Revision, may_change
from partner.formation.topics import spoken_words

_GONE = (
    r"(?:retired|left(?: us)?|moved (?:away|out|on)|gone|quit|died|passed away|resigned|ill|sick|out|"
    r"on (?:holiday|leave)|f(?:e|a)ll(?:en)? through|(?:fully |double-)?booked(?: up| out)?|taken|full|"
    r"closed(?: down)?|shut(?: down)?|sold out|unavailable|not available|broken|broke down|flooded|"
    r"dropped out|pulled out|"
    r"stopped|too (?:small|big|dear|expensive|far|loud|busy)|"
    r"(?:can['’]t|cannot|couldn['’]t)(?: make it| come| do it)?)"
)
_TAKES = (
    r"(?:the new one(?:['’]s| is| will be)|(?:now )?it(?:['’]s| is| will be)(?: now| going to be)?|"
    r"(?:we|i|they)(?:['’](?:re|m|ve|ll)| are| am| have| will)?(?: now| just| all)* "
    r"(?:use|using|in|at|with|going with|gone with|go with|got|taking|take|have|going to|go to|moved to|"
    r"switched to|hired|found|be in))"
)
_LEFT_AND_TAKEN = re.compile(
    rf"(?i)^(?:so |and |but |bad news[:,] |unfortunately,? )*(?P<old>[\w.'’ -]{{2,40}}?)"
    rf"(?:['’](?:s|re)| is| are| has| have| was)?(?: just| now| all| been)* {_GONE}"
    rf"(?:[,;.:]| [-–—]| and)+ (?:so |and |but |instead )*{_TAKES} (?P<v>[\w.'’ -]{{2,40}}?)"
    r"(?: now| instead| these days| from now on| for now)*[.!]*$"
)
_DROPPED = re.compile(
    r"(?i)^(?:(?:so|and|but|actually|no|ok|okay),? )*(?:forget|scrap|drop|never mind|no more|not) "
    r"(?P<old>[\w.'’ -]{2,30}?)[,;.:–—-]+ (?:so |and |but |instead )*"
    r"(?:(?:we|i)(?:['’](?:re|m|ll)| are| am| will)?(?: now)? (?:going (?:for|with)|go for|go with|do|"
    r"take|doing|taking|learning|learn|use|using)) (?P<v>[\w.'’ -]{2,40}?)(?: now| instead)*[.!]*$"
)
_ARTICLE = re.compile(r"(?i)^(?:the|my|our|a|an) ")


def succeed(sentence: str, holds: Overlay) -> Revision | None:
    """The claim that the sentence gives a successor in, or None."""
    found = _LEFT_AND_TAKEN.match(sentence) or _DROPPED.match(sentence)
    if found is None:
        return None
    old, new = _ARTICLE.sub("", found["old"].strip()), _ARTICLE.sub("", found["v"].strip())
    if not _alike(old, new):
        return None
    behind = re.compile(rf"(?i)\w.*\b{re.escape(old)}\b")
    claims = [e for e in holds.about(spoken_words(old)) if may_change(e) and behind.search(e.content)]
    fitting = [Revision(e, text) for e in claims if (text := put(e.content, f"{new}, not {old}", sure=True))]
    return fitting[0] if len(fitting) == 1 else None


def _alike(old: str, new: str) -> bool:
    """Two names, or two things called by the same noun ('the Alder room', 'the Birch room')."""
    capital = any(word[:1].isupper() for word in new.split())
    return capital and (old[:1].isupper() or old.split()[-1].lower() == new.split()[-1].lower())
