"""What a clause is about: the words of it, of what hangs on it, and of what its pronouns point back to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gate.constraint import CERTAIN, Part, Term
from gate.language.compounds import HEAD_GRADE, KIND_GRADE, compound_keys
from gate.language.interlingual import class_in
from gate.language.lexicon import Lexicon
from gate.language.numbers import word_number
from gate.language.reading import Clause, Mood, Reading
from gate.language.tokens import Token

ANAPHOR_GRADE = 0.95  # a word that only a pronoun points back to
AROUND = 16  # clauses before and after that may say what a clause leaves out
NEAR, FAR = 2, 8  # tokens between the words of one phrase: side by side, and with 'of' between them
MISSING_NAME = 0.6  # most a term is worth when a name of it is not said
_LEAVING_OUT = ("taking_out", "negator")
_SMALL = (
    *("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "please", "adverb"),
)
_RANGE_WORDS = frozenset(("to", "-", "through", "bis", "a", "al", "ate", "fino", "jusqu'a"))


@dataclass(slots=True)
class Region:
    """Token indices of a clause and its dependants, and every key in them with its grade."""

    clause: Clause
    own: list[int]
    position: int = 0  # of the clause in the reading
    keys: dict[str, float] = field(default_factory=dict)
    where: dict[str, int] = field(default_factory=dict)
    names: list[int] = field(default_factory=list)
    anaphoric: bool = False
    context: dict[str, float] | None = None  # made when a rule first asks for it
    kept: dict[str, Any] = field(default_factory=dict)  # what was worked out for one rule serves the next


def region_of(reading: Reading, position: int, verbs_too: bool = False) -> Region:
    """The region of the clause at `position`; its verbs are no names of things unless `verbs_too`."""
    clauses = reading.clauses
    clause = clauses[position]
    own = unquoted(reading, clause)
    after = position + 1
    while after < len(clauses) and clauses[after].mood in (Mood.RELATIVE, Mood.CONTENT):
        if clauses[after].sentence != clause.sentence:
            break
        denied = any(hit.negated for hit in clauses[after].hits) or _takes_out(reading, clauses[after])
        if not denied:  # 'answer that we will not give the names' gives no names
            own.extend(unquoted(reading, clauses[after]))
        after += 1
    region = Region(clause, own, position)
    _add(region, reading, own, 1.0, verbs_too)
    region.anaphoric = _points_back(reading, clause)
    if region.anaphoric or clause.mood is Mood.FRAGMENT or _bare(reading, clause):
        first = max(0, position - 3)
        for earlier in clauses[first:position]:
            if clause.mood is Mood.FRAGMENT and not region.anaphoric and earlier.sentence != clause.sentence:
                continue
            if earlier.refrains or (
                any(hit.negated for hit in earlier.hits) and not _reports(reading, earlier)
            ):
                continue  # what was to be left alone is not what 'it' is to be done to
            _add(region, reading, unquoted(reading, earlier), ANAPHOR_GRADE)
    return region


def _takes_out(reading: Reading, clause: Clause) -> bool:
    """'..., only none of hers', '..., nicht bei ihnen': says what is not meant, with no verb of its own."""
    if clause.verbs:
        return False
    lexicon = reading.lexicon
    for token in reading.tokens[clause.start : clause.end]:
        if token.kind == "w" and not lexicon.has_any(("filler", "only_word", "conjunction"), token.text):
            return token.text in lexicon.unions[_LEAVING_OUT]
    return False


def unquoted(reading: Reading, clause: Clause) -> list[int]:
    """The clause's words that are meant: without quotations and without what 'without' takes out."""
    lexicon, tokens = reading.lexicon, reading.tokens
    leaving_out = lexicon.unions[_LEAVING_OUT]
    if not any(tokens[index].text in leaving_out for index in range(clause.start, clause.end)):
        return [index for index in range(clause.start, clause.end) if not tokens[index].quoted]
    kept: list[int] = []
    left_out = False
    opened = -1  # where what is taken out begins: 'except for' is one word in two
    for index in range(clause.start, clause.end):
        token = reading.tokens[index]
        if token.quoted:
            continue
        earlier = index - 1
        while earlier > clause.start and lexicon.has("only_word", reading.tokens[earlier].text):
            earlier -= 1  # 'the photos, only none of hers'
        before = reading.tokens[earlier].text if index > clause.start else ""
        contrast = before == "," or lexicon.has("conjunction", before)
        follow = reading.tokens[index + 1].text if index + 1 < clause.end else ""
        compared = not lexicon.has("compared", token.text) or lexicon.has("compared_to", follow)
        if (lexicon.has("taking_out", token.text) and compared) or (
            contrast and lexicon.has("negator", token.text)
        ):
            left_out, opened = True, index
        elif left_out and index > opened + 1 and _goes_on(token.text, lexicon):
            left_out = False
        if not left_out:
            kept.append(index)
    return kept


def _goes_on(word: str, lexicon: Lexicon) -> bool:
    """A preposition ends what is taken out: 'without the photos to Ana'."""
    return lexicon.has("preposition", word) and not lexicon.has("of_prep", word)


def _points_back(reading: Reading, clause: Clause) -> bool:
    lexicon = reading.lexicon
    tokens = reading.tokens
    english, anaphors = lexicon.language == "en", lexicon.words["anaphor"]
    for index in range(clause.start, clause.end):
        token = tokens[index]
        if not english and lexicon.with_pronoun(token.text):
            return True
        if token.text in anaphors and not token.quoted:
            follow = tokens[index + 1] if index + 1 < clause.end else None
            determiner = lexicon.has("determiner", token.text) and follow is not None and follow.kind == "w"
            text = follow.text if follow else ""
            other = lexicon.language != "en" and lexicon.has("determiner", text)  # 'verleih ihr die Drohne'
            if not determiner or other or lexicon.has("preposition", text):
                return True
    return False


def _reports(reading: Reading, clause: Clause) -> bool:
    """'Dr. Osei hasn't looked at it': a denied statement, no order to leave it."""
    lexicon = reading.lexicon
    denied = [t for t in reading.tokens[clause.start : clause.end] if lexicon.has("negator", t.text)]
    return clause.mood is Mood.STATEMENT and any(lexicon.has("auxiliary", token.text) for token in denied)


def _bare(reading: Reading, clause: Clause) -> bool:
    """'Please place the order': nothing but the act is said, so what it is about was said before."""
    tokens, small = reading.tokens, reading.lexicon.unions[_SMALL]
    acts = {i for hit in clause.hits for i in range(hit.start, hit.end)} | set(clause.verbs)
    return all(
        tokens[i].text in small or tokens[i].kind == "p" or i in acts for i in range(clause.start, clause.end)
    )


def _add(region: Region, reading: Reading, indices: list[int], grade: float, verbs_too: bool = False) -> None:
    tokens, lexicon = reading.tokens, reading.lexicon
    verbs = frozenset() if verbs_too else reading.verb_places
    german, keys, where = lexicon.language == "de", region.keys, region.where
    for index in indices:
        token = tokens[index]
        if (token.kind == "p" and token.text.isascii()) or (
            index in verbs and not _gerund(tokens, index, reading)
        ):
            continue
        for key in token.keys:
            if grade > keys.get(key, 0.0):
                keys[key] = grade
                where[key] = index
        if german or token.kind == "n" or token.text in lexicon.numbers or token.text in lexicon.ordinals:
            for key in _number_keys(tokens, index, reading):
                if grade > keys.get(key, 0.0):
                    keys[key] = grade
                    where[key] = index
        if german:
            for key, piece in compound_keys(token.stem).items():
                worth = KIND_GRADE if piece == HEAD_GRADE else piece
                if grade * worth > region.keys.get(key, 0.0):
                    region.keys[key] = grade * worth
                    region.where[key] = index
        if (
            grade == 1.0
            and token.kind == "w"
            and reading.is_upper(token)
            and not lexicon.has("pronoun", token.text)
            and (not german or _german_name(tokens, index, reading))
        ):
            region.names.append(index)


def _gerund(tokens: list[Token], index: int, reading: Reading) -> bool:
    """'book it in for tuning': behind a preposition a doing is a thing."""
    before = tokens[index - 1].text if index else ""
    return tokens[index].text.endswith("ing") and reading.lexicon.has("preposition", before)


def _german_name(tokens: list[Token], index: int, reading: Reading) -> bool:
    """Of words with a capital the names: no known noun, and no article or adjective before it."""
    token, lexicon = tokens[index], reading.lexicon
    if not token.noun or token.keys[1:] or token.stem in lexicon.nominals or class_in(token.text, "de"):
        return False
    before = tokens[index - 1]
    if before.noun or (
        lexicon.has("preposition", before.text) and not lexicon.has("determiner", before.text)
    ):
        return True
    plain = lexicon.has_any(("filler", "conjunction", "please"), before.text)
    return not lexicon.has("determiner", before.text) and (plain or before.stem in lexicon.acts)


def _number_keys(tokens: list[Token], index: int, reading: Reading) -> list[str]:
    """A number or ordinal as its numeral; 'chapters 1 to 5' names every one of them."""
    lexicon = reading.lexicon
    token = tokens[index]
    value = _whole(token, reading)
    if value is None:
        return []
    keys = [str(value)]
    if index + 2 < len(tokens) and tokens[index + 1].text in _RANGE_WORDS:
        last = _whole(tokens[index + 2], reading)
        if (
            last is not None
            and value < last <= value + 200
            and not lexicon.has("preposition", tokens[index + 2].text)
        ):
            keys.extend(str(number) for number in range(value + 1, last))
    return keys


def _whole(token: Token, reading: Reading) -> int | None:
    if token.kind == "n":
        return int(token.text) if token.text.isdigit() and len(token.text) < 7 else None
    ordinal = reading.lexicon.ordinals.get(token.text)
    return ordinal if ordinal is not None else word_number(token.text, reading.lexicon)


def around(region: Region, reading: Reading) -> list[Clause]:
    """The clauses near a region's own: what else the text says there."""
    return reading.clauses[max(0, region.position - AROUND) : region.position + AROUND + 1]


def part_grade(part: Part, keys: Mapping[str, float]) -> float:
    """How well the keys name a part: the best product of both grades."""
    return part_best(part, keys)[0]


def part_best(part: Part, keys: Mapping[str, float]) -> tuple[float, str]:
    """`part_grade` and the key that gave it."""
    best, chosen = 0.0, ""
    if len(keys) < len(part.keys):
        for key, grade in keys.items():
            worth = grade * part.keys.get(key, 0.0)
            if worth > best:
                best, chosen = worth, key
    else:
        for key, grade in part.keys.items():
            worth = grade * keys.get(key, 0.0)
            if worth > best:
                best, chosen = worth, key
    return best, chosen


def term_grade(term: Term, region: Region, reading: Reading) -> float:
    """Share of the term's weight that the region names, from 0 to 1. One word names one part at most."""
    if any(part.exact and part.keys.keys().isdisjoint(region.keys) for part in term.parts):
        return 0.0  # a name or a number has no substitute
    whole = max((grade * region.keys.get(key, 0.0) for key, grade in term.whole.items()), default=0.0)
    total = 0.0
    missing: list[Part] = []
    named: dict[int, float] = {}
    for part in term.parts:
        grade, key = part_best(part, region.keys)
        if part.word.isdigit() and len(term.parts) > 1:
            grade = 1.0 if _numbered(part, term, region, reading) else 0.0
        total += part.weight
        if grade > 0.0:
            at = region.where.get(key, -1)
            named[at] = max(named.get(at, 0.0), part.weight * grade)
        elif part.exact:
            missing.append(part)
    share = max(whole, sum(named.values()) / total if total else 0.0)
    if (
        share >= CERTAIN
        and whole < CERTAIN
        and _scattered([at for at in named if at >= 0], term, region, reading)
    ):
        share = min(share, MISSING_NAME)
    if missing:
        return 0.0  # a name or a number has no substitute
    if reading.language != "en" and share >= CERTAIN > whole and _of_another(term, region, reading):
        share = MISSING_NAME
    last = term.parts[-1:]
    named_so = reading.language == "en" and any(p.exact and not p.word.isdigit() for p in last)
    return (
        max(share, CERTAIN) if named_so else share
    )  # who is named is meant, whatever they are called besides


def _of_another(term: Term, region: Region, reading: Reading) -> bool:
    """'el código de la puerta' for 'el código de la caja': the thing is said, of something else."""
    light = [part for part in term.parts if part.weight < 1.0 and not part.exact]
    if not light or all(part_grade(part, region.keys) > 0.0 for part in light):
        return False
    tokens, lexicon = reading.tokens, reading.lexicon
    at = region.where.get(part_best(term.parts[0], region.keys)[1], -1) + 1
    if not 0 < at < len(tokens) - 1:
        return False
    owned = lexicon.has("of_genitive", tokens[at].text) or lexicon.has("genitive", tokens[at].text)
    return owned and (tokens[at + 1].kind == "w" or tokens[at].text.endswith("l'"))


def told_around(reading: Reading, region: Region) -> Mapping[str, float]:
    """Keys of what the text states near a clause: circumstances that an order leaves out."""
    if "told" not in region.kept:
        keys: dict[str, float] = {}
        for clause in around(region, reading):
            if clause.mood is not Mood.STATEMENT or any(hit.negated for hit in clause.hits):
                continue
            if any(
                reading.lexicon.has("negator", token.text)
                for token in reading.tokens[clause.start : clause.end]
            ):
                continue
            for index in unquoted(reading, clause):
                keys.update(dict.fromkeys(reading.tokens[index].keys, ANAPHOR_GRADE))
        region.kept["told"] = keys
    return region.kept["told"]


def whole_grade(term: Term, keys: Mapping[str, float]) -> float:
    """The grade of a term of which nothing may be missing."""
    whole = max((grade * keys.get(key, 0.0) for key, grade in term.whole.items()), default=0.0)
    return max(whole, min((part_grade(part, keys) for part in term.parts), default=0.0))


def _scattered(places: list[int], term: Term, region: Region, reading: Reading) -> bool:
    """The words of a phrase are said, but not as one: 'an account of our energy savings'."""
    if len(places) < 2 or len(term.parts) < 2:
        return False
    first, last = min(places), max(places)
    lexicon = reading.lexicon
    between = [
        token.text
        for at, token in enumerate(reading.tokens[first + 1 : last], first + 1)
        if at not in places and token.text not in ("-", "'") and not lexicon.has("determiner", token.text)
    ]
    if len(between) < NEAR:
        return False
    asked = region.clause.mood is not Mood.STATEMENT  # 'the report was filed' says it of the report
    if asked and lexicon.language == "en" and _parted_by_a_verb(first, last, places, reading):
        return True
    return len(between) >= FAR or not any(lexicon.has("of_link", word) for word in between)


def _parted_by_a_verb(first: int, last: int, places: list[int], reading: Reading) -> bool:
    """'Send the jury a note to thank them for tasting': what a verb stands between is no one phrase."""
    told = ("auxiliary", "infinitive")
    return any(
        (at in reading.verb_places and not reading.tokens[at].text.endswith(("ed", "ing")))
        or reading.lexicon.has_any(told, reading.tokens[at].text)
        for at in range(first + 1, last)
        if at not in places
    )


def _numbered(part: Part, term: Term, region: Region, reading: Reading) -> bool:
    """Whether the number stands at the word it numbers: 'chapters 1, 2 and 3', 'the third chapter'."""
    tokens = reading.tokens
    for other in term.parts:
        at = region.where.get(part_best(other, region.keys)[1], -1) if other is not part else -1
        if at < 0:
            continue
        left = at - 1 - (at > 1 and tokens[at - 1].text == "-")
        if at and part.word in _number_keys(tokens, left, reading):
            return True
        index = at + 1
        while index < len(tokens) and index <= at + 12:
            keys = _number_keys(tokens, index, reading)
            if part.word in keys:
                return True
            joins = tokens[index].text in (",", "-", "/") or reading.lexicon.has(
                "conjunction", tokens[index].text
            )
            named = reading.lexicon.has("numbering", tokens[index].text)
            if not keys and not joins and not named and tokens[index].text not in _RANGE_WORDS:
                break
            index += 1
    return False
