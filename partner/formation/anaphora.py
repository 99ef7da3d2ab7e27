"""Pronouns get the words they stand for, so that a claim can be read without its turn (English)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from partner.formation.grammar import ADVERBS, DETERMINERS, PREPOSITIONS, SUBJECT_PRONOUNS, finite
from partner.formation.verbs import AUXILIARIES, form_of
from partner.formation.words import Word, words

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
    r"uncle|cousin|friend|colleague|boss|neighbou?r|nephew|niece|grandma|grandpa)\b"
)
_ANIMALS = re.compile(
    r"(?i)\b(?:dog|bitch|puppy|pup|cat|kitten|tom|mare|horse|pony|foal|stallion|gelding|cow|bull|calf|goat|"
    r"ram|ewe|lamb|hen|cockerel|duck|goose|parrot|budgie|rabbit|hamster|tortoise|ferret|donkey|llama|pig|sow|"
    r"spaniel|terrier|collie|retriever|labrador|poodle|setter|hound|whippet|dachshund|mongrel|animal)$"
)
_THINGS = re.compile(
    r"(?i)\b\w*(?:heater|boiler|printer|server|computer|router|scanner|trailer|tractor|monitor|"
    r"motor|elevator|floor|door|paper|letter|water|number|order|corner|cellar|sensor|reactor|"
    r"folder|container|cluster|counter|freezer|mower|tower|newsletter|poster|calendar|timer|"
    r"meter|filter|parser|worker|charter|chapter|plaster|border|error|mirror|collector|"
    r"adapter|charger|dryer|washer|toaster|buffer|register|banner|chamber|timber|lumber|river|"
    r"weather|summer|winter|october|december|november|september|dinner|supper|offer|quarter|"
    r"matter|layer|power|shower|flower|layer|cover|plan|restaurant|plant|garden|compressor|"
    r"generator|inventor)\b"
)
_PRONOUN = re.compile(
    r"(?i)^(?P<p>he|she|it|they|this|that|these|those|his|her|its|their)\b(?P<c>['’](?:s|re|"
    r"ll|ve|d))?(?=\s|[,;])"
)
_OBJECT = re.compile(
    r"(?i)\b(?P<p>it|them|him|her|this|that|those|these)\b(?=[\s.!,;]*$|\s+(?:to|in|on|at|for|"
    r"from|with|by|out|off|up|down|away|before|after|until|unless|without|into|near|under|"
    r"over|again|anywhere|alone|open|unattended|outside|inside|directly|ever|yourself|twice|"
    r"first|last|now|instead|too|please|today|tomorrow|any|anymore|and|or|but|if|when|"
    r"because)\b)"
)
_CHOICE = {"he": "person", "she": "person", "him": "person", "his": "person", "it": "thing", "its": "thing"}
_VAGUE = re.compile(
    r"(?i)\b(?:thing|things|something|someone|somebody|anything|one|ones|point|issue|problem|"
    r"condition|question|matter|request|wish|way|reason|news|idea|stuff|lot|bit)s?$"
)


@dataclass(slots=True)
class Antecedents:
    """Noun phrases met so far, newest last; `sentence` is the last one read."""

    phrases: list[str] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    sentence: str = ""

    def read(self, clause: str, *, sentence: bool = True) -> None:
        """Take in the noun phrases of a clause whose pronouns were resolved already.

        With `sentence` off they are taken in alone: nothing that follows is joined to that sentence.
        """
        found, named = noun_phrases(clause), False
        if len(found) == 2 and _named_as(found[1]) and _IS.search(clause):
            found, named = [found[1]], True  # 'Our neighbour is Mr Quist': the name tells more than the role
        if found:
            verb = finite(words(clause))
            stop = words(clause)[verb.verb].start if verb else 0
            if 0 <= clause.find(found[0]) < stop or named or re.match(r"(?i)(?:there|here)\b", clause):
                self.subjects.append(found[0])
            self.phrases += found
            del self.phrases[:-24], self.subjects[:-8]
        if sentence:
            self.sentence = clause

    def pick(self, pronoun: str) -> str:
        """The likeliest phrase for a pronoun, or ''."""
        newest = list(reversed(self.phrases))
        kind = _CHOICE.get(pronoun, "")
        if kind == "person":
            pool = [*self.subjects[-1:], *newest]
            return _first(pool, lambda p: _is_person(p) and not _is_time(p)) or _first(pool, _is_animal)
        if kind == "thing":
            pool = [p for p in (*self.subjects[-1:], *newest) if not _is_time(p) and not _is_plural(p)]
            return _first(pool, lambda p: not _is_person(p)) or _first(
                pool, lambda p: not _is_surely_person(p)
            )
        return _first(newest, lambda p: pronoun not in _MANY or (_is_plural(p) and not _is_time(p)))


_IS = re.compile(
    r"^[\w' -]{2,40} (?:is|will be|was) (?:now |still )?(?:called |named )?[A-Z]|^[\w' "
    r"-]{2,40}['’]s [A-Z]"
)


def _named_as(phrase: str) -> bool:
    return phrase[:1].isupper() and not phrase.lower().startswith(("the ", "a ", "an "))


_MANY = frozenset(("they", "them", "these", "those", "their"))


def _first(phrases: Sequence[str], wanted: Callable[[str], bool]) -> str:
    return next((p for p in phrases if wanted(p)), "")


def resolve(clause: str, known: Antecedents) -> tuple[str, bool]:
    """The clause with its leading or object pronoun replaced; and whether it needs the sentence before it
    to be understood."""
    text = clause
    head = _PRONOUN.match(text)
    if head and not re.match(
        r"(?i)(?:it|this|that)(?:['’]s| is| was| will be)? (?:decided|settled|agreed|final|"
        r"official|important|forbidden|clear|time|not allowed|allowed|possible|prohibited|enough|"
        r"true|(?:important|necessary|good|best|better|easy|hard|possible|likely|nice|great) "
        r"(?:to|that)\b)",
        text,
    ):
        pronoun = head["p"].lower()
        phrase = known.pick(pronoun) if pronoun not in ("this", "that") else known.pick("it")
        if phrase and _VAGUE.search(phrase):
            return text, True
        if phrase:
            possessive = pronoun in ("his", "its", "their") or (
                pronoun == "her" and not _verb_follows(text, head.end())
            )
            name = _possessive(phrase) if possessive else phrase
            text = _upper(name) + _contraction(head["c"] or "", pronoun) + text[head.end() :]
        elif pronoun not in ("this", "that"):
            return text, bool(known.sentence)
    return _objects(text, known, skip=head is not None), False


def _objects(text: str, known: Antecedents, *, skip: bool) -> str:
    own = noun_phrases(text)
    match = _OBJECT.search(text, 1)
    if not match or (match["p"].lower() == "it" and not skip and _own_thing(text, own, match.start())):
        return text
    if match["p"].lower() in ("this", "that", "these", "those") and not re.match(
        r"[\s.!]*$", text[match.end() :]
    ):
        return text
    phrase = known.pick("it" if match["p"].lower() in ("this", "that") else match["p"].lower())
    if not phrase or _VAGUE.search(phrase):
        return text
    return text[: match.start()] + _lower(phrase) + text[match.end() :]


def _own_thing(text: str, own: list[str], at: int) -> bool:
    """The clause itself names a thing that 'it' may stand for ('The pump fails when it is cold')."""
    return finite(words(text)) is not None and any(0 <= text.find(p) < at and not _is_person(p) for p in own)


def noun_phrases(clause: str) -> list[str]:
    """Runs of words between verbs, prepositions and stops that start with a determiner or a name; subject
    first."""
    tokens = words(clause)
    found: list[str] = []
    verb = finite(tokens)
    at = 0
    while at < len(tokens):
        end = _phrase_end(tokens, at, verb.verb if verb else -1, clause)
        if end > at and _is_phrase(tokens[at:end]):
            stop = _with_complement(tokens, end, verb.verb if verb else -1, clause)
            found.append(clause[tokens[at].start : tokens[stop - 1].end])
            at = stop
        else:
            at = max(end, at + 1)
    return found


_WHO = frozenset(("i", "we", "you", "he", "she", "they"))
_STOPS = frozenset(",;:.!?")
_BREAKS = (
    (AUXILIARIES - {"'s"})
    | PREPOSITIONS
    | (ADVERBS - DETERMINERS)
    | frozenset(("and", "or", "but", "that", "which", "who"))
)


def _phrase_end(tokens: Sequence[Word], at: int, verb: int, clause: str) -> int:
    end = at
    while end < len(tokens):
        low = tokens[end].low
        if end == verb or low in _BREAKS:
            break
        if end > at and (low in DETERMINERS or low in _WHO):
            break
        if end > at and not _STOPS.isdisjoint(clause[tokens[end - 1].end : tokens[end].start]):
            break
        if verb < 0 and end == at and form_of(low) == "base" and not tokens[end].capital:
            break
        end += 1
    return end


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
    if form_of(first.low) == "base" and any(t.low in _MANY or t.low in _CHOICE for t in run[1:]):
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


def _is_person(phrase: str) -> bool:
    head = re.split(r"(?i) (?:of|for|from|at|in) ", phrase)[0]
    if _THINGS.search(head):
        return False
    last = head.split()[-1] if head.split() else ""
    if _PEOPLE.fullmatch(last) or _KIN.search(head):
        return True
    return last[:1].isupper() and not head.lower().startswith(("the ", "a ", "an ")) and not last.isupper()


def _is_surely_person(phrase: str) -> bool:
    """A name or a relative; an ending alone ('trapdoor', 'roofer') is not enough to rule 'it' out."""
    head = re.split(r"(?i) (?:of|for|from|at|in) ", phrase)[0]
    last = head.split()[-1] if head.split() else ""
    named = last[:1].isupper() and not last.isupper() and not head.lower().startswith(("the ", "a ", "an "))
    return named or _KIN.search(head) is not None


def _is_animal(phrase: str) -> bool:
    return _ANIMALS.search(phrase) is not None


def _is_time(phrase: str) -> bool:
    return (
        re.search(
            r"(?i)\b(?:morning|afternoon|evening|night|today|yesterday|tomorrow|week|month|year|"
            r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|"
            r"june|july|august|september|october|november|december)s?$",
            phrase,
        )
        is not None
    )


def _is_plural(phrase: str) -> bool:
    head = re.split(r"(?i) (?:of|for|from) ", phrase)[0]
    return re.search(r"(?i)(?:[^su]s|people|children|men|women)$", head) is not None or " and " in phrase


def _verb_follows(text: str, at: int) -> bool:
    tokens = words(text[at : at + 40])
    return bool(tokens) and (tokens[0].low in AUXILIARIES or form_of(tokens[0].low) == "s")


def _possessive(phrase: str) -> str:
    return phrase + ("'" if phrase.endswith("s") else "'s")


def _contraction(mark: str, pronoun: str) -> str:
    full = {"s": " is", "re": " are", "ll": " will", "ve": " have", "d": " would"}
    return full.get(mark[1:].lower(), "") if mark else ""


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    """A phrase taken from the start of a sentence loses its capital unless it is a name."""
    first = text.split(" ")[0]
    return text[:1].lower() + text[1:] if first.lower() in DETERMINERS else text
