"""Changes said round a corner, put as the plain statement they make (English).

'We've since moved to Mr Otten as our accountant' says that the accountant is Mr Otten now; only said like
that is it comparable with 'our accountant is Ms Feld'. The evidence stays as it was typed.
"""

from __future__ import annotations

import re

from partner.formation.grammar import finite
from partner.formation.words import words

_HAVE = r"(?:i|we|they)(?:['’]ve| have)? (?:since |now |just |finally |all |also )*"
_THING = r"(?:the|our|my) [\w' -]{2,40}?"
# Of these one has one at a time; friends, neighbours and pupils come in numbers.
_ONE_OF = (
    r"(?:boss|manager|supervisor|dentist|doctor|gp|landlord|landlady|accountant|lawyer|solicitor|editor|"
    r"coach|trainer|treasurer|"
    r"secretary|conductor|physio|hairdresser|cleaner|plumber|car|phone|bank|address|employer|therapist|"
    r"midwife|surgeon|"
    r"phone number|number|job title|flatmate|roommate|line manager|team lead|publisher|agent|gym|school|"
    r"starter)"
)
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?i)^(?:{pattern})[.!]*$"), plain)
    for pattern, plain in (
        (
            rf"{_HAVE}(?:moved|switched|changed|gone|gone over) to (?P<v>[\w.&' -]{{2,40}}?) (?:as|for) "
            rf"(?P<t>{_THING})",
            "{t} is now {v}",
        ),
        (
            rf"it(?:['’]s| is) (?P<v>[\w:.&' -]{{2,30}}?)(?: these days| now| nowadays| from now on| "
            rf"instead)+ (?:for|with) "
            rf"(?P<t>{_THING})",
            "{t} is now {v}",
        ),
        (
            rf"(?:that|it|this) (?:should|ought to) (?:be|have been|read|say) (?P<v>[\w:.,€$£%&' "
            rf"-]{{1,30}}?) (?:for|on|as) "
            rf"(?P<t>{_THING})",
            "{t} is {v}",
        ),
        (
            rf"{_HAVE}(?:changed|switched|swapped) (?P<s>[a-z]{{3,20}}?)s?[,;:.–—-]+ (?:and )?(?:now "
            rf")?(?:it(?:['’]s| is)|"
            r"(?:we|i)(?:['’]re|['’]m| are| am) (?:now )?with) (?P<v>[^,;]{2,40}?)(?: now)?",
            "my {s} is now {v}",
        ),
        (
            r"(?:i|we)(?:['’]re| are)? (?:now |currently )*pay(?:ing)? (?P<v>[€$£]?\d[\d.,]*(?: "
            r"[a-z€$£]+)?) (?:in|as) "
            r"(?P<s>[a-z][\w -]{2,30}?)(?: now| these days)?",
            "the {s} is now {v}",
        ),
        (
            r"(?:you can |you['’]ll |please )?(?:reach|call|phone|ring|get) (?P<o>[\w' -]{2,30}?) (?:on|"
            r"at|under) "
            r"(?P<v>\+?\d[\d ()/-]{4,20}\d)(?: now| these days)?",
            "{o}'s phone number is now {v}",
        ),
        (
            r"(?P<a>[\w' -]{2,30}?) (?:has |have |is |are )?(?:now |since )*(?:hand|pass|turn)(?:ed|ing|s|"
            r"es)? "
            rf"(?P<t>{_THING})(?: over| on) to (?P<o>[\w' -]{{2,30}}?)(?: now)?",
            "{o} now handles {t}",
        ),
        (
            r"(?P<a>[\w' -]{2,30}?) (?:has |have |is |are )?(?:now |since )*(?:hand|pass|turn)(?:ed|ing|s|"
            r"es)? (?:over|on) "
            rf"(?P<t>{_THING}) to (?P<o>[\w' -]{{2,30}}?)(?: now)?",
            "{o} now handles {t}",
        ),
        (
            rf"{_HAVE}(?:renamed|rechristened) (?P<t>{_THING}) (?:from [\w' -]{{2,30}}? )?(?:to |as |"
            rf"into )?(?P<v>(?!from )[\w' -]{{2,30}}?)",
            "{t} is now called {v}",
        ),
        (
            rf"(?:i|we)(?:['’]ve| have)? (?:now )?(?:got|have|found|"
            rf"hired) a new (?P<s>{_ONE_OF})[,:;]? (?:called |named |and (?:it|he|she)(?:['’]s| is) )?"
            r"(?P<v>[\w.&' -]{2,40}?)(?: now)?",
            "my {s} is now {v}",
        ),
        (
            r"(?:my|our|the) old (?P<s>[a-z][\w -]{2,30}?) (?:was|is) [^,;]{2,40}[,;]? (?:and |but )?"
            r"(?:my|our|the) new one(?:['’]s| is)(?: now)? (?P<v>[^,;]{2,40}?)(?: now)?",
            "my {s} is now {v}",
        ),
        (
            rf"[\w.' -]{{2,30}}?(?:['’]s| is) (?:no longer|not) (?P<t>{_THING})(?: any ?more)?[,;:–—-]+ "
            r"(?:and )?"
            r"(?:it|that|now it)(?:['’]s| is)(?: now)? (?P<v>[^,;]{2,40}?)(?: now)?",
            "{t} is now {v}",
        ),
        (
            r"it(?:['’]s| is| will be) (?P<t>(?:my|our|[\w ]{2,20}['’]s) [a-z][a-z -]{2,30}?) "
            r"(?P<v>on [\w ,.]{3,30})",
            "{t} is {v}",
        ),
        (
            rf"{_HAVE}(?:got|have|been given|were given|received|been granted) an? (?:\w+ )?extension "
            r"(?:until|till|to) (?P<v>[\w:. -]{2,30}?)",
            "the deadline is now {v}",
        ),
        (
            r"(?P<t>(?:the |our |my )?[\w' -]{2,40}?) (?:has |have |"
            r"['’]s )?changed[,;:.–—-]+ (?:and )?(?:it(?:['’]s| is)|now)(?: now)? "
            r"(?P<v>[^,;]{2,40}?)(?: now)?",
            "{t} is now {v}",
        ),
        (
            rf"(?P<t>{_THING}) (?:has |have )?(?:got|was given|were given|have|has|goes by) a new "
            rf"name(?: now)?[:,;–—-]* "
            r"(?:it(?:['’]s| is) )?(?P<v>[\w' -]{2,30}?)",
            "{t} is now called {v}",
        ),
    )
)
# 'Stefan ist nach Linz umgezogen' says that Stefan lives in Linz now.
_HANDED_ON = (
    (
        r"[\w. -]{2,40}?",
        r"ist (?:nicht mehr|nicht länger) (?P<t>(?:mein|unser)\w* [\w-]{2,30}), (?:das|es) ist (?:jetzt|nun) "
        r"(?P<v>[\w. -]{2,40}?)",
        "{t} ist jetzt {v}",
    ),
    (
        r"[\w. -]{2,40}?",
        r"n['’]est plus (?P<t>(?:mon|ma|notre) [\w-]{2,30}), c['’]est (?:maintenant )?(?P<v>[\w. -]{2,40}?)"
        r"(?: maintenant)?",
        "{t} est maintenant {v}",
    ),
    (
        r"[\w. -]{2,40}?",
        r"ya no es (?P<t>(?:mi|nuestr[oa]) [\w-]{2,30}), (?:ahora )?"
        r"(?:lo )?es (?:ahora )?(?P<v>[\w. -]{2,40}?)",
        "{t} ahora es {v}",
    ),
)
_MOVED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?i)^(?P<w>{who}) {moved}[.!]*$"), plain)
    for who, moved, plain in (
        *_HANDED_ON,
        (
            r"(?!ich |wir )[\w ]{2,40}?",
            r"ist (?:\w+ ){0,3}?(?:von [\w ]+ )?nach (?P<v>[\w -]{2,30}?) (?:um)?gezogen",
            "{w} wohnt jetzt in {v}",
        ),
        (
            r"(?!je |j['’]|nous )[\w' ]{2,40}?",
            r"a (?:\w+ )?(?:déménagé|emménagé) (?:de [\w ]+ )?à (?P<v>[\w -]{2,30}?)",
            "{w} habite maintenant à {v}",
        ),
        (
            r"(?!yo )[\w ]{2,40}?",
            r"se (?:ha mudado|mudó) (?:\w+ )?(?:de [\w ]+ )?a (?P<v>[\w -]{2,30}?)",
            "{w} vive ahora en {v}",
        ),
    )
)
_LINE = re.compile(
    r"^(?P<v>Ordered|Booked|Bought|Sold|Paid|Fired|Hired|Sent|Upgraded|Moved|Switched|Signed|Renewed|Planted|Installed|"
    r"Replaced|Submitted|Registered|Returned|Rented|Cancelled|Finished|Picked up|Handed in|Dropped off|"
    r"Collected|Fetched|Repaid|Lent|Borrowed|Fixed|Found|Got(?=.* back[.!]*$)) "
    r"(?=(?:the|a|an|my|our|his|her|two|three|four|five|six|ten|twelve|some|another)\b|\d|[A-Z])"
)
_TAIL = re.compile(
    r"(?i)[,;–—-]+ (?:and |so )?(?:please )?"
    r"(?:(?:remember|note|keep in mind|bear in mind|don['’]t forget|mark|write down|save|store)"
    r" (?:that|this|it)(?: down)?|(?:write|jot|note|put|take) (?:that|this|it) down|"
    r"(?:sorry|apologies|my mistake|i meant?(?: to say)?)|(?:keep|bear) (?:that|this|it) in mind|"
    r"make a note(?: of (?:that|this|it))?|"
    r"(?:just )?(?:so you know|fyi|for the record|by the way|btw|mind you|as i said|as agreed|"
    r"for your information))(?:,? please)?(?=[.!]*$)"
)
_NAMED = re.compile(r"[A-Z\d@]")


_NOTE_THAT = re.compile(
    r"(?i)^(?:(?:hey|hi|so|ok|okay|please)[, ]+)*(?:can|could|will|would) you (?:please |just |kindly )*"
    r"(?:remember|note|keep in mind|bear in mind|make a note|save|store|write down|jot down|write)"
    r"(?: for me)?(?: down)?(?: that |,? ?: ?)(?=\S)"
)


def without_request(sentence: str) -> str:
    """'Can you remember that the meter read 4412?' as what it tells."""
    rest = _NOTE_THAT.sub("", sentence, count=1)
    return sentence if rest == sentence else rest.rstrip(" ?") + "."


def without_tail(sentence: str) -> str:
    """Without what only asks to take note ('..., remember that.')."""
    return _TAIL.sub("", sentence)


def moved(sentence: str) -> str:
    """Who moved where, in the languages without a grammar here, as where they live now."""
    for pattern, plain in _MOVED:
        if match := pattern.match(sentence):
            said = plain.format_map({k: v.strip() for k, v in match.groupdict().items()})
            return said[:1].upper() + said[1:] + "."
    return sentence


def reworded(sentence: str) -> str:
    """The plain statement of a sentence that one of the rules fits, else the sentence itself."""
    for pattern, plain in _RULES:
        match = pattern.match(sentence)
        if match and _NAMED.search(match.groupdict().get("v") or match.groupdict().get("o") or ""):
            said = plain.format_map({k: v.strip() for k, v in match.groupdict().items() if v})
            return said[:1].upper() + said[1:] + "."
    line = _LINE.match(sentence)
    if line and finite(words(sentence)) is None:
        return f"I {sentence[:1].lower()}{sentence[1:]}"  # 'Ordered 40 inner tubes from Vredestein'
    return sentence
