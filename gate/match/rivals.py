"""What an order names in the place of what a rule names: 'rainwater' where the rule says 'tap water'.

An order is parted into the phrases of its things, each behind its preposition. A phrase none of whose words
is near to any word of the rule, where the rule's own thing, person or place is not said, is its rival.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from gate.constraint import Constraint, Part, Term
from gate.language.lexicon import Lexicon, load
from gate.language.normalise import fold_words
from gate.language.reading import Clause, Mood, Reading
from gate.language.thesaurus import ANIMAL, GROUP, PERSON, noun_class, rarity
from gate.language.tokens import Token
from gate.match.abroad import other_thing
from gate.match.contact import TOUCH
from gate.match.instances import CHANNELS, channels
from gate.match.region import Region
from gate.match.signs import Places, TextSigns

TIME = "28"  # WordNet's class of times
PLAIN = 0.7  # grade from which a word of a rule is said by another word
_PEOPLE = frozenset((PERSON, GROUP, ANIMAL))
_SMALL = ("auxiliary", "filler", "please", "adverb", "negator", "question", "anyword")
_ENDING = ("conjunction", "pronoun", "possessive")


@dataclass(slots=True)  # not frozen: made for every clause
class Phrase:
    """A noun phrase of a clause: its telling words, its head, and the preposition before it ('' for none)."""

    prep: str
    words: list[int]
    heads: list[int]  # of a phrase with 'of', both nouns
    klass: str | None
    name: bool


@dataclass(slots=True)  # not frozen: made for every clause
class Rivals:
    """How far a clause names others in the place of a rule's things (1.0 or 0.0 each)."""

    thing: float = 0.0  # another thing is acted on
    person: float = 0.0  # it goes to somebody else
    place: float = 0.0  # it is done elsewhere, with or from something else
    which: float = 0.0  # the thing is said, another of its kind: 'the south wall' for 'the north wall'


def rivals_of(constraint: Constraint, region: Region, reading: Reading, text: TextSigns) -> Rivals:
    """The rivals of a rule's things in one clause of a text. English alone."""
    found = Rivals()
    if reading.language != "en" or constraint.language != "en":
        return found
    said, phrases = text.said, phrases_of(region, reading)
    parts = [part for part in constraint.gist if part.weight > 0.0]
    strange = [phrase for phrase in phrases if _is_other(phrase, parts, reading)]
    groups = {name: terms for name, terms in _groups(constraint) if terms}
    unsaid = [name for name, terms in groups.items() if not _said(terms, said, region)]
    found.which = float(
        any(_another(term, phrases, strange, reading, said) for terms in groups.values() for term in terms)
    )
    if len(unsaid) != 1 or (len(groups) == 1 and not constraint.limits):
        return found
    slot = unsaid[0]
    if slot == "thing" and any(_is_named(terms) for name, terms in groups.items() if name != slot):
        return found  # 'never order supplies from Corvamed': nothing from there is meant
    people = any(term.klass in _PEOPLE for term in groups[slot])
    rival = float(any(_fits(slot, phrase, people, reading) for phrase in strange))
    if slot == "thing":
        found.thing = rival
    elif slot == "person":
        found.person = rival
    elif all(_is_way(term, constraint) for term in groups[slot]):
        found.place = float(any(reading.lexicon.has("way_prep", phrase.prep) for phrase in strange))
    elif not all(channels(term, reading) for term in groups[slot]):
        found.place = rival  # 'for the windows' is no other way than 'over the phone'
    return found


def _groups(constraint: Constraint) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    return (
        ("thing", constraint.objects),
        ("person", constraint.recipients),
        ("place", constraint.places),
        ("manner", constraint.qualifiers),
    )


def _is_named(terms: tuple[Term, ...]) -> bool:
    return any(part.exact for term in terms for part in term.parts)


def _fits(slot: str, phrase: Phrase, people: bool, reading: Reading) -> bool:
    """Whether a phrase stands where the rule's thing, person, place or manner would."""
    lexicon = reading.lexicon
    if slot == "thing":
        bare = not phrase.prep or lexicon.has("telling_of", phrase.prep)
        return bare and not phrase.name and (people or phrase.klass not in _PEOPLE)
    if slot == "person":
        if phrase.name:
            return False  # somebody named may be one of those whom the rule means
        return lexicon.has("to_prep", phrase.prep) or (not phrase.prep and phrase.klass in _PEOPLE)
    if slot == "place":
        return lexicon.has_any(("place_prep", "to_prep"), phrase.prep)
    return lexicon.has("having", phrase.prep)


def contrasts(constraint: Constraint, region: Region, reading: Reading, text: TextSigns) -> bool:
    """Whether a plain order says the rule's own verb and everything else that it names, and another thing,
    person, place or kind in the one place that is left: 'water the bonsai with rainwater'."""
    clause = region.clause
    if clause.mood is not Mood.ORDER or clause.weak or clause.tentative or region.anaphoric:
        return False
    if _other_channel(constraint, region, reading, text):
        return True
    if reading.language != "en":
        return other_thing(constraint, region, reading)
    if not _own_verb(constraint, clause, reading):
        return False
    if _other_order(constraint, region, reading):
        return True
    rivals = rivals_of(constraint, region, reading, text)
    return bool(rivals.thing or rivals.person or rivals.place or rivals.which)


def told_apart(term: Term, region: Region, reading: Reading, text: TextSigns) -> bool:
    """Whether a clause names another one of the kind that a term says: 'rainwater' for 'tap water'."""
    if reading.language != "en":
        return False
    return _another(term, phrases_of(region, reading), [], reading, text.said)


def _other_order(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Put the ballad last' for a rule on putting it first."""
    ordering = reading.lexicon.words["ordering"]
    wanted = {term.words for term in constraint.qualifiers} & ordering
    said = {reading.tokens[at].text for at in range(region.clause.start, region.clause.end)} & ordering
    return bool(wanted and said) and wanted.isdisjoint(said)


def _is_way(term: Term, constraint: Constraint) -> bool:
    """Whether a rule says a term behind 'by' or the like: how it is done, which no place says."""
    words = fold_words(constraint.sentence).rstrip(".! ").split()
    first = term.parts[0].word
    at = words.index(first) if first in words else 0
    ways = load("en").words["way_prep"]
    return any(word in ways for word in words[max(0, at - 2) : at])


def _other_channel(constraint: Constraint, region: Region, reading: Reading, text: TextSigns) -> bool:
    """'Email her the price', 'quote her a price by letter' for a rule on doing so over the phone."""
    ways = [channels(term, reading) for term in constraint.places]
    if not ways or not all(ways) or _said(constraint.places, text.said, region):
        return False
    forbidden = set().union(*ways)
    clauses = [clause for clause in reading.clauses if clause.sentence == region.clause.sentence]
    done = {hit.act for clause in clauses for hit in clause.hits if hit.sure and not hit.nominal} & CHANNELS
    if done & forbidden:
        return False
    told = any(
        reading.lexicon.has("by_word", phrase.prep) and phrase.klass is not None and not phrase.name
        for phrase in phrases_of(region, reading)
    )
    return bool(done) or told


def _own_verb(constraint: Constraint, clause: Clause, reading: Reading) -> bool:
    return any(reading.tokens[at].stem in _bases(constraint.verbs) for at in clause.verbs)


@lru_cache(maxsize=1024)
def _bases(verbs: str) -> frozenset[str]:
    return frozenset(map(load("en").base, verbs.split()))


def phrases_of(region: Region, reading: Reading) -> list[Phrase]:
    """The noun phrases of a clause, in order."""
    if "phrases" not in region.kept:
        region.kept["phrases"] = list(_phrases(region, reading))
    return region.kept["phrases"]


def _phrases(region: Region, reading: Reading) -> Iterator[Phrase]:
    tokens, lexicon, clause = reading.tokens, reading.lexicon, region.clause
    first = clause.verbs[0] + 1 if clause.verbs else clause.start
    own = frozenset(region.own)
    prep, words, cut = "", [], -1  # cut: where 'of' parts the phrase
    for at in range(first, clause.end):
        token = tokens[at]
        text = token.text
        if text == "of" and words:
            cut = len(words)
            continue
        if token.kind == "p" and text in "-'":
            continue
        opened = lexicon.has("preposition", text)
        begun = lexicon.has("determiner", text) and cut != len(words)
        ended = opened or begun or token.kind in "px" or lexicon.has_any(_ENDING, text)
        if ended or (token.kind == "w" and _second(words, at, prep, reading)):
            if words:
                yield _phrase(prep, words, cut, reading)
            words, cut = [], -1
            if opened:
                prep = text
            elif begun and prep and not lexicon.has("preposition", tokens[at - 1].text):
                prep = prep if lexicon.has("conjunction", tokens[at - 1].text) else ""
            if ended:
                continue
        if token.kind != "w" or at in reading.verb_places or at not in own or lexicon.has_any(_SMALL, text):
            continue
        if text not in lexicon.time_words:
            words.append(at)
    if words:
        yield _phrase(prep, words, cut, reading)


def _second(words: list[int], at: int, prep: str, reading: Reading) -> bool:
    """'the toddlers | sliced bananas': what is given begins behind those to whom it is given."""
    if not words or prep or words[-1] != at - 1 or reading.tokens[at - 1].possessive:
        return False
    before = reading.tokens[at - 1]
    several = before.text.endswith("s") or reading.lexicon.has("plural_only", before.text)
    return several and noun_class(reading.lexicon.irregular.get(before.text, before.text)) in _PEOPLE


def _phrase(prep: str, words: list[int], cut: int, reading: Reading) -> Phrase:
    tokens = reading.tokens
    heads = [words[-1]] if not 0 < cut < len(words) else [words[cut - 1], words[-1]]
    name = reading.is_upper(tokens[heads[0]]) and heads[0] > 0
    return Phrase(prep, words, heads, noun_class(tokens[heads[0]].text), name)


def _is_other(phrase: Phrase, parts: Iterable[Part], reading: Reading) -> bool:
    """Whether a phrase names something that is known and near to nothing of the rule."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if (phrase.klass == TIME and phrase.prep) or all(
        _says_nothing(tokens[at].text, phrase, lexicon) for at in phrase.heads
    ):
        return False
    if not phrase.name and not any(_is_known(tokens[at], lexicon) for at in phrase.heads):
        return False
    return not any(
        part.keys.get(key, 0.0) >= TOUCH for part in parts for at in phrase.words for key in tokens[at].keys
    )


def _says_nothing(head: str, phrase: Phrase, lexicon: Lexicon) -> bool:
    return len(phrase.words) == 1 and lexicon.has_any(("generic", "ignorable", "ones"), head)


def _is_known(token: Token, lexicon: Lexicon) -> bool:
    """A word that English has: one that is written otherwise may be any, the rule's as well."""
    return (
        noun_class(token.text) is not None
        or token.text in lexicon.known
        or token.stem in lexicon.verbs
        or rarity(token.text, token.stem) < 1.0
    )


def _said(terms: Iterable[Term], said: Places, region: Region) -> bool:
    """Whether one of the terms is said by its head, in the clause or by what it points back to."""
    return any(
        said.best(term.parts[-1])[0] >= TOUCH
        or any(key in region.keys for key, grade in term.parts[-1].keys.items() if grade >= TOUCH)
        or not term.whole.keys().isdisjoint(said.at)
        for term in terms
    )


def _another(
    term: Term, phrases: list[Phrase], strange: list[Phrase], reading: Reading, said: Places
) -> bool:
    """The term's head is said with other words that tell it apart, and nothing of the rule's own."""
    telling = [part for part in term.parts[:-1] if part.weight >= 1.0]
    if not telling or any(said.best(part)[0] >= TOUCH for part in telling):
        return False
    tokens, lexicon = reading.tokens, reading.lexicon
    doers = tuple(lexicon.words["doer_endings"])  # 'climber': a plant, to WordNet
    people = any(noun_class(part.word) in _PEOPLE or part.word.endswith(doers) for part in telling)
    for number, phrase in enumerate(phrases):
        for head in phrase.heads:
            if max((term.parts[-1].keys.get(key, 0.0) for key in tokens[head].keys), default=0.0) < PLAIN:
                continue
            if any(at != head and _tells_apart(at, people, reading) for at in phrase.words):
                return True
            if tokens[head].text != term.parts[-1].word and _compound(tokens[head].text, term.parts[-1].word):
                return True  # 'rainwater' for 'tap water'
            follow = phrases[number + 1] if number + 1 < len(phrases) else None
            if follow is not None and follow in strange and lexicon.has("tells_apart", follow.prep):
                return not (people and (follow.name or follow.klass in _PEOPLE))
    return False


def _compound(word: str, head: str) -> bool:
    """Whether a word is another that ends in the head."""
    return word.endswith((head, head.removesuffix("s"))) and len(word) > len(head) + 1


def _tells_apart(at: int, people: bool, reading: Reading) -> bool:
    """Whether a word beside the head says that another one is meant; somebody may be one of the people that
    the rule says."""
    token = reading.tokens[at]
    if reading.lexicon.has("generic", token.text) or not _is_known(token, reading.lexicon):
        return False
    return not (people and (reading.is_upper(token) or noun_class(token.text) in _PEOPLE))
