"""Attributes that most people tell of themselves: how they are said, what they are called, whether one
value holds.

A slot lets 'I work at A', 'my employer is B' and 'first day at C today' be seen as values of one attribute,
and
'forget what I said about my job' find them. What no slot knows is compared by its frame (frames.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from partner.formation.data import expand, load
from partner.formation.literals import Sieve
from partner.formation.people import occupation
from partner.formation.stems import stem
from partner.formation.verbs import form_of, lemma
from partner.formation.words import listed

OPERATOR = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """`words`: what the attribute is called; `single`: a new value replaces the old one; `patterns` are
    compiled when a text may match them: few ever do, and all of them take a twentieth of a second."""

    name: str
    words: frozenset[str]
    single: bool
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Value of a slot as one claim gives it. `owner` is `operator` or a name in lower case."""

    slot: Slot
    owner: str
    value: str


_NAME = r"(?:[A-ZÄÖÜÉ][\wäöüßéèáíóúñç'-]+)"
_POSSESSED = re.compile(rf"^(?P<o>(?:[Mm]y (?:\w+ )?)?{_NAME})['’]s? (?=\w)")
_SUBJECT = re.compile(
    rf"^(?P<o>(?:[Mm]y (?:\w+ )?)?{_NAME}) (?P<v>is|has|was|lives?|works?|drives?|uses?|"
    rf"follows?|takes?|prefers?|orders?|always|usually|goes|sees|left|moved|dropped|switched|"
    rf"joined|started|writes|am|do|speaks?|eats?|rents?)\b"
)
_FIRST = {
    "is": "am",
    "has": "have",
    "was": "was",
    "goes": "go",
    "does": "do",
    "lives": "live",
    "works": "work",
    "drives": "drive",
    "uses": "use",
    "follows": "follow",
    "takes": "take",
    "prefers": "prefer",
    "orders": "order",
    "sees": "see",
    "writes": "write",
    "speaks": "speak",
    "eats": "eat",
    "rents": "rent",
}
_PROPER = r"[A-Z0-9][\w.&'+-]*"
_NOT_NAME = r"(?!and\b|is\b|now\b|in\b|on\b|at\b|for\b|from\b)"
_SELF = re.compile(r"(?<!^)\b(?:my|I|me)\b|^(?:My|I)\b")
_EMPTY = re.compile(
    r"(?i)^(?:not|no|nothing|something|everything|everyone|just|only|still)\b|^(?:it|that|"
    r"this|there|here|them|home|work|bed|back|away|time|fun"
    r"|good|great|you|one|all|now|then|why|what|how|where|when|broken|full|ready|open|closed)$"
)
_DAY_NAME = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day$")
MAX_FILL_CHARS = 300
_END = (
    r"(?=$|[,;.!?)]|\s+(?:now|these days|and|but|for|since|with|instead|again|anymore|any more|because|on"
    r"|these|from|so|today|lately|nowadays|when|jetzt|ahora|maintenant|und|y|et)\b)"
)


@cache
def table() -> tuple[Slot, ...]:
    """Every slot, most specific first."""
    data = load("slots")
    holes = {
        "{V}": rf"(?P<v>[^\n;,!?]{{1,60}}?){_END}",
        "{N}": rf"(?P<v>{_PROPER}(?: {_NOT_NAME}{_PROPER}){{0,3}})",
    }
    found = []
    for row in data["slot"]:
        patterns = [expand(p, data["fragments"]) for p in row["patterns"]]
        for hole, pattern in holes.items():
            patterns = [p.replace(hole, pattern) for p in patterns]
        found.append(
            Slot(
                name=row["name"],
                words=frozenset(row["words"].split()),
                single=row["single"],
                patterns=tuple(patterns),
            )
        )
    return tuple(found)


@cache
def _sieved() -> tuple[Sieve, tuple[tuple[Slot, str], ...]]:
    """Every pattern with its slot, in order, and which of them a text may match."""
    every = tuple((slot, pattern) for slot in table() for pattern in slot.patterns)
    return Sieve([pattern for _, pattern in every]), every


_compiled = cache(re.compile)


@cache
def by_name(name: str) -> Slot | None:
    return next((slot for slot in table() if slot.name == name), None)


@cache
def _aliases() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    return tuple((re.compile(a["pattern"]), frozenset(a["words"].split())) for a in load("slots")["alias"])


def also_asked_by(text: str) -> frozenset[str]:
    """Words by which a claim about the operator is asked for, though it does not have them."""
    return frozenset(name for pattern, names in _aliases() if pattern.search(text) for name in names)


@lru_cache(maxsize=2048)
def fill(text: str) -> Filled | None:
    """The slot that a clause fills, with its owner, or None."""
    if len(text) > MAX_FILL_CHARS:
        return None
    text = _habit(_OPENERS.sub("", text, count=1))
    owner, first_person = _owner(text)
    sieve, patterns = _sieved()
    for place in sieve.candidates(f"{first_person}\n{text}".lower()):
        slot, written = patterns[place]
        pattern = _compiled(written)
        match = pattern.search(first_person)
        if match is None and "o" in pattern.groupindex:
            match = pattern.search(text)
        value = _value(match["v"] or "") if match else ""
        if (
            match
            and value
            and not _EMPTY.match(value)
            and not (slot.name == "home" and _DAY_NAME.match(value))
        ):
            thing = _thing(match)
            owned = thing and owner != OPERATOR and stem(owner) != stem(thing)  # 'Standup moved to 9:30'
            whose = f"{owner} {thing}" if owned else thing or owner
            return Filled(slot=slot, owner=whose, value=value)
    return _by_trade(owner, first_person)


def _by_trade(owner: str, text: str) -> Filled | None:
    """'I'm the farrier', 'I'm chief officer on the ferry': a noun for who does that work."""
    found = occupation(text)
    slot = by_name("occupation")
    return Filled(slot=slot, owner=owner, value=found) if found and slot else None


_OPENERS = re.compile(
    r"^(?:(?:[Oo]h|[Jj]ust|[Aa]ctually|[Pp]lease|[Ff]rom now on|[Nn]ow|[Ss]imply|[Ss]o|[Aa]s of \w+|[Ff]rom "
    r"(?:today|tomorrow|now)(?: on)?|[Tt]hese days|[Nn]owadays|[Cc]urrently),? )+(?=\w)"
)
_BEGUN = re.compile(
    r"(?i)\bi(?:['’]ve| have)? (?:recently |just |now |lately )*(?:started|begun|began|taken to|took to|"
    r"switched to|gone over to|moved on to|gone back to|stuck to|kept) (?P<v>\w+ing)\b"
)


def _habit(text: str) -> str:
    """'I've started taking my coffee with milk' says what 'I take my coffee with milk' says."""
    found = _BEGUN.search(text)
    if not found or form_of(found["v"].lower()) != "ing":
        return text
    return f"{text[: found.start()]}I {lemma(found['v'].lower())}{text[found.end() :]}"


def _thing(match: re.Match[str]) -> str:
    """What the value belongs to when it is no person: 'standup', or 'tessa lesson' for Tessa's."""
    thing = (match.groupdict().get("o") or "").lower()
    if not thing:
        return ""
    whose = re.search(r"(\w+)['’]s? (?:[\w-]+ ){0,2}$", match.string[: match.start("o")])
    return f"{whose[1].lower()} {stem(thing)}" if whose else stem(thing)


def named(words: frozenset[str]) -> list[Slot]:
    """Slots that one of the words names ('job' -> employer, occupation)."""
    stems = {stem(w) for w in words}
    return [slot for slot in table() if {stem(w) for w in slot.words} & stems]


# What begins a sentence before one of the verbs and is nobody: 'Never order from Temu'.
_NOBODY = listed("i we it the my no not never always please only just usually nobody everybody someone")


def _owner(text: str) -> tuple[str, str]:
    """Who the clause is about, and the clause as that person would say it."""
    if _SELF.search(text):
        return OPERATOR, text
    if match := _POSSESSED.match(text):
        return _key(match["o"]), "My " + text[match.end() :]
    if (match := _SUBJECT.match(text)) and match["o"].lower() not in _NOBODY:
        verb = _FIRST.get(match["v"], match["v"])
        return _key(match["o"]), "I " + verb + text[match.end() :]
    return OPERATOR, text


def _key(owner: str) -> str:
    return re.sub(r"^my ", "", owner.lower())


_AFTER_VALUE = re.compile(
    r"(?i)(?: (?:again|now|please|from now on|instead|after all|these days|anyway|too))+$"
)


def _value(raw: str) -> str:
    return (
        _AFTER_VALUE.sub("", re.sub(r"\s+", " ", raw.strip(" .'\"“”")))
        .removeprefix("a ")
        .removeprefix("an ")
        .removeprefix("the ")
        .strip()
    )
