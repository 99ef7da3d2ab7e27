"""Somebody or something said in other words than the rule's kind: by a name, a pronoun, the verb itself."""

from __future__ import annotations

from gate.constraint import CERTAIN, LIKELY, Constraint, Part, Term
from gate.language.reading import Mood, Reading
from gate.language.slips import one_slip
from gate.language.thesaurus import GROUP, PERSON, noun_class, rarity
from gate.match.modifier import describes
from gate.match.region import Region, part_best, part_grade

NAMED = 0.8  # of a kind of people, where somebody is named who may be one of them
PLAIN = 0.9
SHORTEST_SLIP = 4  # letters from which a word that is none is taken for a slip of the rule's
CHANNELS = frozenset(("call", "email", "message"))
_SENT = CHANNELS | {"send"}  # 'post the shells' for 'by post'


def named_kind(term: Term, region: Region, reading: Reading) -> float:
    """'Pia's fee' for 'a translator's fee': who is named is one of the rule's people. 0.0 where nobody is."""
    if reading.language != "en" or len(term.parts) < 2:
        return 0.0
    head = term.parts[-1]
    at = region.where.get(part_best(head, region.keys)[1], -1)
    if at < 1 or at not in region.own or not _owned_by_name(at, region, reading):
        return 0.0
    said = total = 0.0
    for part in term.parts:
        grade = part_grade(part, region.keys)
        if grade < LIKELY and not part.exact and part is not head and noun_class(part.word) == PERSON:
            grade = NAMED
        said += grade * part.weight
        total += part.weight
    return said / total if total else 0.0


def _owned_by_name(at: int, region: Region, reading: Reading) -> bool:
    """Whether a name stands before the word at `at` as its owner ('Pia's fee'), or behind 'of' ('of Pia')."""
    tokens, lexicon = reading.tokens, reading.lexicon
    first = at - 1
    while first > region.clause.start and at - first < 4 and not tokens[first].possessive:
        first -= 1
    if tokens[first].possessive and _is_name(first, region, reading):
        return True
    after = at + 1
    if after + 1 >= region.clause.end or tokens[after].text not in lexicon.words["said_of"]:
        return False
    follow = after + 1 + lexicon.has("title", tokens[after + 1].text)
    return follow < region.clause.end and _is_name(follow, region, reading)


def _is_name(index: int, region: Region, reading: Reading) -> bool:
    return index in region.names and index != region.clause.start and not reading.tokens[index].keys[1:]


def headless(term: Term, region: Region, reading: Reading) -> float:
    """'the red-eye' for 'red-eye flights': two words that say which, side by side, and nothing else."""
    if reading.language != "en" or len(term.parts) < 3 or any(part.exact for part in term.parts):
        return 0.0
    places = []
    for part in term.parts[:-1]:
        grade, key = part_best(part, region.keys)
        if grade < PLAIN:
            return 0.0
        places.append(region.where.get(key, -1))
    if part_grade(term.parts[-1], region.keys) > 0.0 or min(places) < region.clause.start:
        return 0.0
    between = reading.tokens[min(places) : max(places) + 1]
    if sum(token.text != "-" for token in between) != len(places) or len(set(places)) != len(places):
        return 0.0
    return 0.0 if describes(max(places), term, region, reading) else CERTAIN


def misspelled(term: Term, region: Region, reading: Reading) -> float:
    """'a fixd price': a word that is none, one slip of the hand away from what the rule says. Else 0.0."""
    unknown = unknown_words(region, reading)
    if not unknown or all(part_grade(part, region.keys) < LIKELY for part in term.parts):
        return 0.0  # a rule of which no word is said is not looked for
    said = total = 0.0
    for part in term.parts:
        grade = part_grade(part, region.keys)
        if grade < LIKELY and not part.exact and any(one_slip(word, part.word) for word in unknown):
            grade = 1.0
        elif grade < LIKELY and part.exact:
            return 0.0
        said += grade * part.weight
        total += part.weight
    return said / total if total else 0.0


def unknown_words(region: Region, reading: Reading) -> list[str]:
    """Words of the region that English does not have and that are no names."""
    if "unknown" not in region.kept:
        english, lexicon = reading.language == "en", reading.lexicon
        region.kept["unknown"] = [
            token.text
            for token in (reading.tokens[i] for i in region.own)
            if english and token.kind == "w" and len(token.text) >= SHORTEST_SLIP
            and token.text not in lexicon.known and token.stem not in lexicon.verbs
            and token.stem not in lexicon.acts and not reading.is_upper(token)
            and noun_class(token.text) is None and rarity(token.text, token.stem) == 1.0
        ]  # fmt: skip
    return region.kept["unknown"]


def goes_to_them(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'slip them the code': a pronoun is whom the rule names, where the text speaks of no other people."""
    if reading.language != "en" or not _all_people(constraint.recipients):
        return False
    tokens, lexicon = reading.tokens, reading.lexicon
    pointing = any(
        lexicon.has("them", tokens[i].text)
        and (i + 1 >= region.clause.end or not lexicon.has("determiner", tokens[i].text))
        for i in region.own
    )
    if not pointing:
        return False
    known = {
        key
        for term in (*constraint.recipients, *constraint.objects)
        for part in term.parts
        for key in part.keys
    }
    return not any(
        tokens[i].kind == "w" and noun_class(tokens[i].text) == PERSON and known.isdisjoint(tokens[i].keys)
        for i in range(region.clause.end)
        if i not in reading.verb_places
        and not lexicon.has_any(("pronoun", "determiner", "title"), tokens[i].text)
    )


def _all_people(terms: tuple[Term, ...]) -> bool:
    return bool(terms) and all(
        term.klass in (PERSON, GROUP) and not any(part.exact for part in term.parts) for term in terms
    )


def of_people(term: Term, reading: Reading) -> bool:
    """Whether a term of a rule names people: by its class, or by a concept of persons ('the press')."""
    people = reading.lexicon.kinds.get("person", frozenset())
    head = term.parts[-1]
    doing = term.klass is None and head.word in reading.lexicon.verb_words  # 'are not to sit with ...'
    return doing or term.klass in (PERSON, GROUP) or any(key[1:] in people for key in head.keys)


def beside_it(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Translate the text below the motto': the rule's thing only says where the thing that is meant is."""
    if reading.language != "en" or not constraint.objects or not region.clause.verbs:
        return False
    tokens, lexicon = reading.tokens, reading.lexicon
    for term in constraint.objects:
        said = [region.where.get(part_best(part, region.keys)[1], -1) for part in term.parts]
        at = min((place for place in said if place >= 0), default=-1)
        if not region.clause.verbs[0] < at < region.clause.end:
            return False
        before = at - 1
        while before > region.clause.verbs[0] and not lexicon.has("preposition", tokens[before].text):
            before -= 1
        if not lexicon.has("beside_prep", tokens[before].text) or at - before > 4:
            return False
        first = range(region.clause.verbs[0] + 1, before)
        if not any(noun_class(tokens[i].text) is not None and tokens[i].kind == "w" for i in first):
            return False
    return True


def by_channel(terms: tuple[Term, ...], region: Region, reading: Reading) -> bool:
    """'Text her the diagnosis' for 'by text message', 'email them the names' for 'in emails'."""
    clauses = [region.clause]
    before = reading.clauses[region.position - 1] if region.position else region.clause
    if before.mood is Mood.ORDER and before.sentence == region.clause.sentence:
        clauses.append(before)  # 'Call Mrs Pickering and quote her a price'
    clauses = [
        clause
        for clause in clauses
        if any(not hit.nominal and not hit.negated and hit.sure and hit.act in _SENT for hit in clause.hits)
    ]
    verbs = {key: 1.0 for clause in clauses for at in clause.verbs for key in reading.tokens[at].keys}
    if not verbs:
        return False
    done = {hit.act for clause in clauses for hit in clause.hits if hit.sure and not hit.nominal}
    if any(channels(term, reading) & done for term in terms):
        return True
    return any(
        max((grade * verbs.get(key, 0.0) for key, grade in term.whole.items()), default=0.0) >= CERTAIN
        or all(part_grade(part, verbs) >= CERTAIN for part in term.parts)
        for term in terms
    )


def channels(term: Term, reading: Reading) -> set[str]:
    """How something reaches somebody, where a term is its noun and its verb: 'the phone' where one calls."""
    if reading.language != "en" or len(term.parts) != 1:
        return set()
    listed = reading.lexicon.acts.get(reading.lexicon.base(term.parts[0].word), ())
    return {p.meaning for p in listed if not p.rest and not p.unsure} & CHANNELS


def acted_on_other(terms: tuple[Term, ...], region: Region, reading: Reading) -> bool:
    """'give them a table', 'order a new one': what is acted on is said, and only a pronoun points to the
    rule's thing."""
    if reading.language != "en" or not region.anaphoric or not region.clause.verbs:
        return False
    if not all(_pointed_to(term, region) for term in terms):
        return False
    tokens, lexicon = reading.tokens, reading.lexicon
    at = region.clause.verbs[-1] + 1
    while at < region.clause.end and lexicon.has_any(("particle", "filler"), tokens[at].text):
        at += 1
    if at + 1 < region.clause.end and lexicon.has("whom", tokens[at].text):
        at += 1
    return at + 1 < region.clause.end and _begins_thing(at, region, reading, terms)


def _pointed_to(term: Term, region: Region) -> bool:
    """Whether nothing of a term is said by the clause itself."""
    own = frozenset(region.own)
    return not any(
        region.where.get(part_best(part, region.keys)[1], -1) in own
        for part in term.parts
        if part_grade(part, region.keys) > 0.0
    )


def _begins_thing(at: int, region: Region, reading: Reading, terms: tuple[Term, ...]) -> bool:
    """Whether a noun phrase begins at `at` that names another thing than the rule's."""
    tokens, lexicon = reading.tokens, reading.lexicon
    token = tokens[at]
    opened = (
        token.kind == "n"
        or (lexicon.has("determiner", token.text) and not lexicon.has("whom", token.text))
        or token.possessive
    )
    if not opened:
        return False
    for index in range(at + 1, region.clause.end):
        word = tokens[index]
        if word.kind != "w" or lexicon.has_any(("preposition", "conjunction", "auxiliary"), word.text):
            break
        if lexicon.has("ones", word.text) or _names(word.keys, terms):
            return word.text == "one" and index > at + 1  # 'a new one' is another
        if noun_class(word.text) is not None and not lexicon.has("determiner", word.text):
            return True
    return False


def _names(keys: tuple[str, ...], terms: tuple[Term, ...]) -> bool:
    return any(_grade(part, keys) >= LIKELY for term in terms for part in term.parts)


def _grade(part: Part, keys: tuple[str, ...]) -> float:
    return max((part.keys.get(key, 0.0) for key in keys), default=0.0)
