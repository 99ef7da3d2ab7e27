"""The value that a sentence itself says is over ('instead of A', 'from A to B', 'not A', 'A is gone')."""

from __future__ import annotations

import re

from partner.formation.stems import content_stem
from partner.formation.words import words


def old_value(text: str, stop: frozenset[str]) -> frozenset[str]:
    """Stems of the value that the sentence itself says is over: 'instead of A', 'from A to B', 'not A', 'A
    is gone'."""
    found: set[str] = set()
    if _ANY.search(text) is None:
        return frozenset()
    for pattern in _OLD:
        for match in pattern.finditer(text):
            found |= {
                s for t in words(match["old"]) if (s := content_stem(t, stop) or (t.low if t.number else ""))
            }
    return frozenset(found)


_OUT_OF_PLAY = re.compile(
    r"(?:^|[;,.] ?|\band )(?:[Tt]he |[Mm]y |[Oo]ur )?(?P<old>[\w' .-]{2,40}?)(?:['’]s| is| are| has| have|"
    r" was| were|['’]re)? "
    r"(?:now |all |just |been |got )*(?:flooded|closed|shut down|burnt|burned|booked|double-booked|taken|"
    r"full|on leave|ill|sick|"
    r"away|moved out|moved away|out of order|broken|unavailable|sold out|off sick|in hospital|on holiday|"
    r"collapsed|gone|too \w+|out of (?:stock|the question|budget|business)|discontinued|bankrupt|"
    r"not (?:available|possible|an option)|"
    r"died|passed away|packed up|broke down|"
    r"(?:do|does|did)(?:n['’]t| not) (?:work|fit|suit|deliver|exist)(?: out)?|"
    r"(?:can['’]t|cannot|can not|couldn['’]t|won['’]t)"
    r"(?: make it| do it| come| be there| after all| any ?more)*"
    r"(?=[,;.!]|$| and\b))\b"
)


def out_of_play(text: str, stop: frozenset[str]) -> frozenset[str]:
    """Stems of what a sentence says cannot serve now ('Site office flooded, typical'): a claim that says the
    same of something else takes its place. Who is away until a day is said takes up again what they do."""
    found = {
        s
        for m in _OUT_OF_PLAY.finditer(text)
        if not _FOR_A_WHILE.match(text, m.end())
        for t in words(m["old"])
        if (s := content_stem(t, stop))
    }
    return frozenset(found)


_FOR_A_WHILE = re.compile(
    r"(?i)[^,;.]*?\b(?:till?|until|this (?:week|month|morning|afternoon|evening)|next (?:week|month|\w+day)|"
    r"(?<!from )(?<!of )today|tonight|tomorrow|on \w+day|"
    r"for (?:a|an|one|two|three|four|five|six|\d+|the next|the rest of the) "
    r"(?:day|night|week|fortnight|month|hour)s?)\b"
)


# One of these words stands in every match of the patterns below: one search spares five.
_ANY = re.compile(
    r"(?i)instead|rather|in place|replac|\b(?:no|not|from|gone|out|left|over|sold|quit|put|died)\b|history|"
    r"nicht|ya no|plus|handed|passed|turned|retired|cancelled|finished|traded|swapped|tired|fell|fallen|"
    r"pulled|backed|bowed|dropped|"
    r"stopped|went off|gave up|given up|moved|ditched|resigned"
)
_OLD = (
    re.compile(
        r"(?i)\b(?:instead of|rather than|in place of|replac(?:es?|ed|ing)|no longer (?:in|at|on|"
        r"with|the|a|an)?|no more|not)\s+(?P<old>[\w' .:-]{1,40}?)(?=$|[,;.!)]| (?:any ?more|but|"
        r"for me|now|with|by)\b)"
    ),
    re.compile(r"^(?P<old>[A-Z]\w+(?: [A-Z]\w+)?) (?:has |have )?(?:handed|passed|turned) .{2,50} to [A-Z]"),
    re.compile(r"(?P<old>[A-ZÄÖÜ]\w+) \w+ (?:\w+ )?nicht (?:mehr|länger)\b"),
    re.compile(r"(?i)\bya no (?:es|está|son|trabaja|vive|lleva) (?P<old>[\w .]{2,30}?)(?=$|[,;.!])"),
    re.compile(r"(?i)\bce n['’]est plus (?P<old>[\w .]{2,30}?)(?=$|[,;.!])"),
    re.compile(r"(?i)\bfrom (?P<old>[\w' .:-]{1,40}?) to\b"),
    re.compile(
        r"(?i)(?:^|[;,.] ?|\band )(?:the |my |our )?(?P<old>[\w' .:-]{1,40}?)(?: is| are| has| have| was|"
        r"['’]s) (?:gone|out|history|retired|left|over|cancelled|finished|sold)\b"
    ),
    re.compile(
        r"(?P<old>[A-Z]\w+) (?:has |have )?(?:fell|fallen|pulled|dropped|backed|bowed) (?:through|out)\b"
    ),
    re.compile(
        r"(?i)(?:^|[;,.] ?|\b(?:i|we|he|she|they|[A-Z]\w+) )(?:sold|traded|swapped|tired of|left|"
        r"quit|dropped|"
        r"finished|put(?!.{2,60} (?:up|down|back|forward) (?:to|by) )|"
        r"stopped being|stopped|went off|gave up|(?:have |['’]ve )?given up|moved out of|"
        r"replaced|ditched)(?: "
        r"in)? (?:the |my |our |his |her |[A-Z]\w+'s )?(?P<old>[\w' .:-]{1,40}?)(?=$|[,;.!]| "
        r"(?:for|and|with|down|as|in favou?r)\b)"
    ),
    re.compile(
        r"(?i)[;,] ?(?P<old>(?:Dr\. )?[A-Z][\w.]+) (?:retired|left|moved|resigned|died|quit)\b(?! to\b)"
    ),
)
