"""What of the old claim stands on when a new one takes its place.

'Practice is at half past five from now on' leaves the day and whose practice it is as they were; 'Randi has
moved to Tromsø' leaves it that Randi is the sister. The claim that is written says both.
"""

from __future__ import annotations

import re

from partner.formation.calendar_words import MONTHS
from partner.formation.frames import Frame, frame
from partner.formation.grammar import PREPOSITIONS, finite
from partner.formation.keeping import kept, passing
from partner.formation.languages import cues_for
from partner.formation.placing import once, put
from partner.formation.values import kinds_in
from partner.formation.words import listed, words

_WHEN = ("time", "date", "day")
_MOVING = listed(
    "move start begin shift postpon reschedul now meet happen take place go sharp onward chang new differ "
    "time day hour later earlier put push end"
)
_RELATED = re.compile(r"^(?P<who>(?:[Mm]y|[Oo]ur) (?:[\w-]+ ){1,2}?)(?P<name>[A-ZÄÖÜÉÅØ][\w'’-]*)(?= )")
_NOT_THE_OLD = re.compile(
    r"(?i)(?:(?:,| -| –| —) (?:and |but )?(?:not|no longer(?: with| at| in| on)?)|,? (?:instead of|"
    r"rather than)) "
    r"(?P<old>[\w'’:.€$£ -]{1,40}?)(?: any ?more| any longer)?(?=[.!]*$)"
)


def carried(new: str, old: str) -> str:
    """The new claim with what it leaves standing of the old one; the new one itself where that is nothing."""
    if cues_for(new).code != "en" or cues_for(old).code != "en":
        return kept(new, old) or new
    return _same_day(new, old) or _only_that(new, old) or kept(new, old) or _same_person(new, old) or new


def without_old(text: str) -> str:
    """Without the value that it says is over ('Ward 4 has 20, not 18'), where a claim is left."""
    found = _NOT_THE_OLD.search(text)
    if found is None or any(t.low in PREPOSITIONS for t in words(found["old"])):
        return text  # 'chili instead of lasagne at the party'
    cut = text[: found.start()] + text[found.end() :]
    if finite(words(cut)) is None or len(words(cut)) < 3:
        return text
    return cut.rstrip(".,;! ") + "."


def _same_day(new: str, old: str) -> str:
    """Another hour leaves the day, another day the hour, when the new claim says nothing else."""
    ours, theirs = kinds_in(new), kinds_in(old)
    given = [kind for kind in _WHEN if kind in ours]
    if len(given) != 1 or len(ours[given[0]]) != 1 or "number" in ours:
        return ""
    was, now = frame(old), frame(new)
    others = [kind for kind in _WHEN if kind in theirs and kind != given[0]]
    if len(theirs.get(given[0], ())) != 1 or not others or any(len(theirs[k]) != 1 for k in others):
        return ""
    if now.negative or was.negative or not _says_only_when(now, was):
        return ""
    return put(old, ours[given[0]][0], sure=True)


_FROM_TO = re.compile(
    r"(?i)\bfrom (?P<old>[\w'’. -]{1,30}?) to (?P<v>[\w'’. -]{1,30}?)(?= (?:now|from|since|as of|today|"
    r"yesterday)\b|[.!,]|$)"
)
_NUMBERED = re.compile(r"(?i)\b(?P<v>(?P<noun>[a-z]{3,}) (?:no\.? )?[A-Z]?\d[\w.-]*)\b(?![:.,]\d)")


def _only_that(new: str, old: str) -> str:
    """'The backup moved from atlas to hera' leaves its hour, 'the hearing is in room 310 now' its day."""
    was, now = frame(old), frame(new)
    if now.negative or was.negative or not now.topic <= was.content | was.topic:
        return ""
    if not was.numbers or passing(old):
        return ""
    lost = was.content - now.content - {"run", "set", "take", "happen"}
    if not lost - frozenset(was.numbers) and len(was.numbers) <= len(now.numbers):
        return ""
    changed = _FROM_TO.search(new)
    if changed:
        return once(old, changed["old"], changed["v"])
    numbered = [
        m for m in _NUMBERED.finditer(new) if m["noun"].lower() not in PREPOSITIONS | frozenset(MONTHS)
    ]
    if len(numbered) != 1 or (now.content | now.topic) - was.content - was.topic - _MOVING - frozenset(
        now.numbers
    ):
        return ""
    theirs = [m for m in _NUMBERED.finditer(old) if m["noun"].lower() == numbered[0]["noun"].lower()]
    return once(old, theirs[0]["v"], numbered[0]["v"]) if len(theirs) == 1 else ""


def _says_only_when(now: Frame, was: Frame) -> bool:
    said = (now.content | now.topic) - frozenset(now.numbers) - {"@i", "@we"} - _MOVING
    said = (
        frozenset(s for s in said if not re.search(r"\d|o'clock|half|past|quarter|noon|midnight", s))
        - _hours()
    )
    known = was.content | was.topic
    return bool(now.topic) and now.topic <= known and said - {"same", "place"} <= known


def _hours() -> frozenset[str]:
    return listed("one two three four five six seven eight nine ten eleven twelv on")


def _same_person(new: str, old: str) -> str:
    """'Randi' is 'my sister Randi' when the claim that goes called her so."""
    related = _RELATED.match(old)
    if related is None or not re.match(rf"{re.escape(related['name'])}(?:['’]s)? (?=\w)", new):
        return ""
    return related["who"][:1].upper() + related["who"][1:] + new
