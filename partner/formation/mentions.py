"""Who and what a clause mentions: its noun phrases, and which pronouns could stand for them (English)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from partner.formation.grammar import (
    ADVERBS,
    DETERMINERS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
    finite,
)
from partner.formation.people import persons
from partner.formation.verbs import AUXILIARIES, COPULA, form_of, lemma
from partner.formation.words import Word, listed, words

_PEOPLE = re.compile(
    r"(?i)\b(?:\w{3,}(?:er|or|ist|ian|eer|ant|man|woman|wife|mother|father|brother|sister|son|"
    r"daughter|aunt|uncle|cousin|friend|colleague|boss|nurse|doctor|chef|cook"
    r"|midwife|judge|clerk|guy|lady|girl|boy|neighbour|neighbor|landlord|landlady|tenant|"
    r"partner|husband|grandma|grandpa|niece|nephew|coach|guide|pilot|tutor|dentist"
    r"|locum|intern|trainee|apprentice|student|client|candidate|child|kid|vet|priest|dean|"
    r"head|chair|agent|guest|patient|customer))\b"
)
_KIN = re.compile(
    r"(?i)\b(?:mr|mrs|ms|dr|miss|wife|husband|mother|father|brother|sister|son|daughter|aunt|"
    r"uncle|cousin|friend|colleague|boss|neighbou?r|nephew|niece|grandma|grandpa|mum|mom|dad|gran|granny|nan|"
    r"grandad|granddad)\b"
)
_MALE = re.compile(
    r"(?i)\b(?:mr|husband|father|dad|gran(?:d)?dad|brother|sons?|uncle|nephew|grand(?:pa|father|son)|man|boy|guy|"
    r"landlord)\b"
)
_FEMALE = re.compile(
    r"(?i)\b(?:mrs|ms|miss|wife|mother|mum|mom|gran|granny|nan|sister|daughters?|aunt|niece|grand(?:ma|mother|daughter)|woman|"
    r"girl|"
    r"lady|landlady)\b"
)
_ANIMALS = re.compile(
    r"(?i)\b(?:dog|bitch|puppy|pup|cat|kitten|tom|mare|horse|pony|foal|stallion|gelding|cow|bull|calf|goat|"
    r"ram|ewe|lamb|hen|cockerel|duck|goose|parrot|budgie|rabbit|hamster|tortoise|ferret|donkey|llama|pig|sow|"
    r"spaniel|terrier|collie|retriever|labrador|poodle|setter|hound|whippet|dachshund|mongrel|animal)$"
)
_THINGS = re.compile(
    r"(?i)\b(?:\w{3,})?(?:heater|boiler|printer|server|computer|router|scanner|trailer|tractor|monitor|"
    r"motor|elevator|floor|door|paper|letter|water|number|order|corner|cellar|sensor|reactor|"
    r"folder|container|cluster|counter|freezer|mower|tower|newsletter|poster|calendar|timer|"
    r"meter|filter|parser|worker|charter|chapter|plaster|border|error|mirror|collector|"
    r"adapter|charger|dryer|washer|toaster|buffer|register|banner|chamber|timber|lumber|river|"
    r"weather|summer|winter|october|december|november|september|dinner|supper|offer|quarter|"
    r"matter|layer|power|shower|flower|layer|cover|plan|restaurant|plant|garden|compressor|"
    r"generator|inventor|chair|lesson|season|reason|prison|comparison)s?\b"
)
_FIRM = re.compile(r" & |\b(?:GmbH|Ltd|Inc|AG|Bros|Brothers|Sons|Partners)\b")
_ASKS = re.compile(r"(?i)(?:is|are|was|were|isn['’]t|aren['’]t)\s+(?=\w+ \w+ \w)")
_NO_THING = re.compile(
    r"(?i)^(?:a|an|the) (?:bit|lot|go|try|shot|while|few|couple|little)\b"
    r"|\b(?:ago|back|lately|how|why|good|great)$"
)
_NAME_FOR = re.compile(r" (?:for|from) (?:the|a|an|my|our|their|his|her) .*$")  # 'Kral & Son for the roof'
_JOINED = re.compile(r"\s+(?:and|&)\s+")
# 'Any', 'no' and 'which' pick nothing out that could be spoken of again.
_NOBODY = re.compile(r"(?i)(?:any|no|every|each|which|what|whose|how)\b")
_IS = re.compile(
    r"^[\w' -]{2,40} (?:is|will be|was) (?:now |still )?(?:called |named )?[A-Z]|^[\w' "
    r"-]{2,40}['’]s [A-Z]"
)


def _named_as(phrase: str) -> bool:
    return phrase[:1].isupper() and not phrase.lower().startswith(("the ", "a ", "an "))


PLURAL = frozenset(("they", "them", "these", "those", "their"))
PERSONAL = {"he": _MALE, "him": _MALE, "his": _MALE, "she": _FEMALE, "her": _FEMALE}
_SINGULAR = frozenset(("he", "she", "him", "his", "it", "its"))
_WHO = frozenset(("i", "we", "you", "he", "she", "they"))
_STOPS = frozenset(",;:.!?")
_FUNCTION = DETERMINERS | PREPOSITIONS | ADVERBS | SUBORDINATORS | SUBJECT_PRONOUNS
_BREAKS = (
    (AUXILIARIES - {"'s"})
    | PREPOSITIONS
    | (ADVERBS - DETERMINERS)
    | frozenset(("and", "or", "but", "that", "which", "who"))
)


@dataclass(frozen=True, slots=True)
class Mention:
    """`text` as written; `subject` stands before the verb, `free` behind no preposition; `several`: more than
    one, or a firm that people call 'they'."""

    text: str
    subject: bool
    free: bool
    several: bool

    def person(self) -> bool:
        return _is_person(self.text)

    def agrees(self, pronoun: str) -> bool:
        """Whether the pronoun can stand for it."""
        if _is_time(self.text):
            return False
        if pronoun in PLURAL:
            return self.several
        if (self.several if named_as(self.text) else _plural(self.text)) or " and " in self.text:
            return False
        if pronoun in PERSONAL:
            other = _FEMALE if PERSONAL[pronoun] is _MALE else _MALE
            return (self.person() or _is_animal(self.text)) and not other.search(self.text)
        return not _is_surely_person(self.text)

    def rivals(self) -> bool:
        """Whether somebody could call it 'they' for who is behind it (a council, a shop)."""
        return not _is_time(self.text)


@lru_cache(maxsize=2048)
def mentions(clause: str) -> tuple[Mention, ...]:
    """What a clause mentions, in its order; 'Anna and Lars' besides each of the two."""
    found = noun_phrases(clause)
    if len(found) == 1 and _ASKS.match(clause) and clause.rstrip("? ").endswith(found[0]):
        found = [found[0].rsplit(" ", 1)[0]]  # 'Is the shop open?' is about the shop
    if len(found) == 2 and named_as(found[1]) and _IS.search(clause):
        found = found[1:]  # 'Our neighbour is Mr Quist': the name tells more than the role
        return (Mention(found[0], subject=True, free=True, several=False),)
    tokens = words(clause)
    verb = finite(tokens)
    stop = tokens[verb.verb].start if verb else 0
    if verb and tokens[verb.verb].low in COPULA and tokens[verb.subject].low not in ("there", "here"):
        value = clause[tokens[verb.verb].end :].strip()
        found = [p for p in found if not (p.lower().startswith(("a ", "an ")) and value.startswith(p))]
    told: list[Mention] = []
    found = [_NAME_FOR.sub("", p) if named_as(p) else p for p in found]
    at = 0
    for phrase in found:
        at = max(clause.find(phrase, at), 0)
        before = words(clause[:at])[-1:]
        subject = at < stop or re.match(r"(?i)(?:there|here)\b", clause) is not None
        free = not before or before[0].low not in PREPOSITIONS
        if _picks_out(phrase, at):
            told.append(Mention(phrase, subject, free, _several(phrase, clause, at)))
            _join(told, clause, at)
        at += len(phrase)
    return tuple(told)


def _join(told: list[Mention], clause: str, at: int) -> None:
    if len(told) < 2:
        return
    last, before = told[-1], told[-2]
    begin = clause.rfind(before.text, 0, at)
    between = clause[begin + len(before.text) : at]
    if begin >= 0 and _JOINED.fullmatch(between):
        both = clause[begin : at + len(last.text)]
        told.append(Mention(both, before.subject, before.free, several=True))


def _several(phrase: str, clause: str, at: int) -> bool:
    """A name in -s is one person, unless a plural verb follows ('Lars', but 'Deliveries leave')."""
    if _FIRM.search(phrase):
        return True
    if not _plural(phrase):
        return False
    if not named_as(phrase) or phrase.lower().startswith(("my ", "our ", "their ", "her ", "his ", "these ")):
        return True
    after = words(clause[at + len(phrase) :])[:1]
    follows = after[0].low if after else ""
    return (
        at == 0 and " " not in phrase and (follows in ("are", "were", "have") or form_of(follows) == "base")
    )


def _picks_out(phrase: str, at: int) -> bool:
    """Whether a phrase names something that may be spoken of again: with a determiner, as a name, or in the
    plural; no 'being surrounded', no 'a bit', no 'a go'."""
    if _NOBODY.match(phrase) or _NO_THING.search(phrase):
        return False
    tokens = words(phrase)
    if all(t.low in _FUNCTION for t in tokens):
        return False  # 'Whenever' opens a sentence with a capital and names nobody
    if tokens[0].low in DETERMINERS or tokens[0].number or tokens[0].low == "one":
        return len(tokens) > 1 and (form_of(tokens[1].low) != "ing" or len(tokens) > 2)
    if named_as(phrase) and (at > 0 or not form_of(tokens[0].low)):
        return all(t.capital or t.low in PREPOSITIONS or not t.low.isalpha() for t in tokens) or at == 0
    return len(tokens) <= 3 and _plural(phrase) and not any(form_of(t.low) == "ing" for t in tokens)


def named_as(phrase: str) -> bool:
    """Written like a name."""
    return phrase[:1].isupper() and not phrase.lower().startswith(("the ", "a ", "an "))


def noun_phrases(clause: str) -> list[str]:
    """Runs of words between verbs, prepositions and stops that start with a determiner or a name; subject
    first."""
    tokens = words(clause)
    found: list[str] = []
    verb = finite(tokens)
    at = 0
    while at < len(tokens):
        if _leads(tokens, at, verb is None):
            at += 1
            continue
        end = _phrase_end(tokens, at, verb.verb if verb else -1, clause)
        if end > at and _is_phrase(tokens[at:end]):
            stop = _with_complement(tokens, end, verb.verb if verb else -1, clause)
            found.append(clause[tokens[at].start : tokens[stop - 1].end])
            at = stop
        elif end > at + 1 and form_of(tokens[at].low) == "base":
            at += 1  # 'ring Ondine' mentions whom to ring
        else:
            at = max(end, at + 1)
    return found


def _leads(tokens: Sequence[Word], at: int, ordered: bool) -> bool:
    """A word that belongs to no phrase: 'when Lars', 'please ask Tom', 'ring Ondine', 'is called Els'."""
    low = tokens[at].low
    named = at + 1 < len(tokens) and tokens[at + 1].capital
    if low in ("called", "named") and named:
        return True
    return (
        low in SUBORDINATORS or low == "please" or (named and at == 0 and ordered and form_of(low) == "base")
    )


def _phrase_end(tokens: Sequence[Word], at: int, verb: int, clause: str) -> int:
    end = at
    while end < len(tokens):
        low = tokens[end].low
        if end == verb or low in _BREAKS:
            break
        if end > at and (low in DETERMINERS or low in _WHO):
            break
        if end > at and _handed_to(tokens, at, end):
            break
        if end > at and not _STOPS.isdisjoint(clause[tokens[end - 1].end : tokens[end].start]):
            break
        if verb < 0 and end == at and form_of(low) == "base" and not tokens[end].capital:
            break
        end += 1
    return end


_HANDS = listed(
    "give send lend show tell feed pay hand offer teach bring buy owe sell read cook make pass write"
)


def _handed_to(tokens: Sequence[Word], at: int, end: int) -> bool:
    """'Give the spaniel ibuprofen' mentions two things: whom one hands something, and what."""
    if at == 0 or lemma(tokens[at - 1].low) not in _HANDS or tokens[end - 1].low in DETERMINERS:
        return False
    head = " ".join(t.text for t in tokens[at:end])
    served = _is_animal(head) or head.split()[-1].lower().removesuffix("s") in persons()
    return served and tokens[end].low != "'s"


def _with_complement(tokens: Sequence[Word], end: int, verb: int, clause: str) -> int:
    """'the awning for the shop' stays whole; 'the roofer this morning' does not."""
    if (
        end < len(tokens)
        and tokens[end].low in ("of", "for", "from")
        and end != verb
        and clause[tokens[end - 1].end] == " "
    ):
        stop = _phrase_end(tokens, end + 1, verb, clause)
        if (
            stop > end + 1
            and tokens[end + 1].low not in ("now", "today", "next")
            and not tokens[end + 1].number
        ):
            return stop
    return end


def _is_phrase(run: Sequence[Word]) -> bool:
    first = run[0]
    if run[-1].low in ("please", "too", "either", "though"):
        run = run[:-1]
    if not run:
        return False
    if first.start == 0 and len(run) == 1 and form_of(first.low) == "ing":
        return False
    if form_of(first.low) == "base" and any(t.low in PLURAL or t.low in _SINGULAR for t in run[1:]):
        return False
    if (
        first.start == 0
        and len(run) > 1
        and form_of(first.low) == "base"
        and run[1].low in ADVERBS | PREPOSITIONS
    ):
        return False
    if (
        first.low
        in ("i", "we", "you", "he", "she", "it", "they", "me", "us", "him", "them", "there", "that", "this")
        and len(run) == 1
    ):
        return False
    if first.low in ("any", "no", "every", "each") and run[-1].low in (
        "more",
        "longer",
        "day",
        "time",
        "week",
        "way",
    ):
        return False
    if first.low in SUBJECT_PRONOUNS or (
        form_of(first.low) == "base" and not first.capital and run[-1].capital
    ):
        return False
    if first.number or (len(run) == 1 and first.low in DETERMINERS):
        return False
    return first.low in DETERMINERS or first.capital or run[-1].low.endswith("s") or len(run) > 1


def _owned(phrase: str) -> str:
    """What somebody's thing is, without whose it is ('Ruud's number')."""
    return re.split(r"(?<=\w)['’]s? (?=\w)", phrase)[-1]


def _is_person(phrase: str) -> bool:
    phrase = _owned(phrase)
    head = re.split(r"(?i) (?:of|for|from|at|in) ", phrase)[0]
    if _THINGS.search(head):
        return False
    last = head.split()[-1] if head.split() else ""
    if _PEOPLE.fullmatch(last) or _KIN.search(head) or last.lower().removesuffix("s") in persons():
        return True
    return last[:1].isupper() and not head.lower().startswith(("the ", "a ", "an ")) and not last.isupper()


def _is_surely_person(phrase: str) -> bool:
    """A name or a relative; an ending alone ('trapdoor', 'roofer') is not enough to rule 'it' out."""
    phrase = _owned(phrase)
    head = re.split(r"(?i) (?:of|for|from|at|in) ", phrase)[0]
    last = head.split()[-1] if head.split() else ""
    named = last[:1].isupper() and not last.isupper() and not head.lower().startswith(("the ", "a ", "an "))
    return named or _KIN.search(head) is not None


def _is_animal(phrase: str) -> bool:
    return _ANIMALS.search(phrase) is not None


def _is_time(phrase: str) -> bool:
    return (
        re.search(
            r"(?i)\b(?:half past|quarter|noon|midnight|o'clock|"
            r"morning|afternoon|evening|night|today|yesterday|tomorrow|week|month|year|"
            r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|"
            r"june|july|august|september|october|november|december)s?$",
            phrase,
        )
        is not None
    )


def _plural(phrase: str) -> bool:
    head = re.split(r"(?i) (?:of|for|from) ", phrase)[0]
    return re.search(r"(?i)(?:[^su]s|people|children|men|women)$", head) is not None
