"""Noun phrases of a rule as terms: their words, weighed and with everything that can stand for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from gate.constraint import MODIFIER_WEIGHT, Part, Term
from gate.language.compounds import compound_keys
from gate.language.interlingual import abroad, class_in, related_in
from gate.language.lexicon import TOPIC, Lexicon
from gate.language.reading import Reading, read
from gate.language.stem import stem
from gate.language.thesaurus import near_words, noun_class, related, verbs_of
from gate.language.tokens import ABROAD, Token

GENERIC_WEIGHT = 0.3
MEMBER_GRADE = 0.9  # the rule names the kind, the request a member
TOPIC_GRADE = 0.65  # the rule names a field, the request a word of it
KIND_GRADE = 0.5  # the rule names a member, the request the kind
DEED_GRADE = 0.8
NEAR_GRADE = 0.48  # a word of the same matters: ground to ask
PHRASE_ALONE = 0.6  # 'phone number' for 'a tenant's phone number': whose is not said
NEAR_COSINE = 0.45
SYNONYM = 0.9  # grade of a word that means the same
_PARTING = frozenset(
    (",", "/", "or", "and", "nor", "oder", "und", "o", "y", "e", "ou", "et", "u", "ni", "ne", "nem")
)


def terms_of(reading: Reading, indices: Iterable[int], proper: bool = True) -> tuple[Term, ...]:
    """Terms of the tokens at `indices` (a noun phrase); 'or', 'and' and commas part alternatives."""
    groups: list[list[int]] = [[]]
    previous = -1
    for index in indices:
        token = reading.tokens[index]
        if token.text in _PARTING or (
            previous >= 0 and index != previous + 1 and _comma(reading, previous, index)
        ):
            groups.append([])
        content = _is_content(token, reading.lexicon) or (
            previous >= 0 and previous == index - 1 and letter_of(reading, index)
        )
        if content and not _is_title(reading, index):
            groups[-1].append(index)
        previous = index
    terms = [_term(reading, group, proper) for group in groups if group]
    return tuple(term for term in terms if term.parts)


def letter_of(reading: Reading, index: int) -> bool:
    """'trench C', 'vat A': a capital letter alone behind a noun is its name."""
    token, before = reading.tokens[index], reading.tokens[index - 1]
    if len(token.text) != 1 or not token.text.isalpha() or not reading.is_upper(token) or not index:
        return False
    small = any(reading.lexicon.has(group, before.text) for group in ("determiner", "preposition", "pronoun"))
    return before.kind == "w" and before.end + 1 == token.start and not small


def _is_title(reading: Reading, index: int) -> bool:
    """'Mme Thomas', 'Frau Kessler': who is meant says the name."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if lexicon.language == "en" or not lexicon.has("title", tokens[index].text) or index + 1 >= len(tokens):
        return False
    return tokens[index + 1].kind == "w" and reading.is_upper(tokens[index + 1])


def _comma(reading: Reading, previous: int, index: int) -> bool:
    return any(reading.tokens[at].text in _PARTING for at in range(previous + 1, index))


def _is_content(token: Token, lexicon: Lexicon) -> bool:
    if token.kind == "p":
        return not token.text.isascii()
    if token.kind == "n":
        return True
    text = token.text
    groups = (
        "determiner",
        "pronoun",
        "preposition",
        "conjunction",
        "auxiliary",
        "negator",
        "please",
        "adverb",
        "anyword",
        "ignorable",
        "question",
    )
    return len(text) > 1 and not lexicon.has_any(groups, text)


def _term(reading: Reading, group: list[int], proper: bool) -> Term:
    tokens = [reading.tokens[index] for index in group]
    parts = tuple(_part(reading, index, proper) for index in group)
    parts = _lightened(parts, group, reading)
    if all(part.weight < 1.0 for part in parts):  # only generic words: then they are what is meant
        parts = tuple(Part(word=p.word, keys=p.keys, weight=1.0, exact=p.exact) for p in parts)
    whole: dict[str, float] = {}
    for at, token in enumerate(tokens):
        grade = 1.0 if all(part.weight < 1.0 for part in parts[:at]) else PHRASE_ALONE
        for key, end in token.phrases:
            if _covers(group, end):
                whole[key] = max(grade, whole.get(key, 0.0))
    soft = all(token.stem in reading.lexicon.stems.get("soft", ()) for token in tokens)
    joined = "".join(token.text for token in tokens)
    if len(tokens) > 1:
        whole[reading.lexicon.base(joined)] = 1.0  # 'news letter' for 'newsletter'
    return Term(
        words=" ".join(token.text for token in tokens),
        parts=parts,
        whole=MappingProxyType(whole),
        soft=soft,
        klass=_class(tokens[-1].text, reading.language) if tokens else None,
        mine=bool(group)
        and group[0] > 0
        and reading.lexicon.has("mine_word", reading.tokens[group[0] - 1].text),
    )


def _lightened(parts: tuple[Part, ...], group: list[int], reading: Reading) -> tuple[Part, ...]:
    """'las grabaciones del programa': what only says whose or which weighs less than the thing itself."""
    lexicon = reading.lexicon
    if lexicon.language == "en" or len(parts) < 2 or parts[0].weight < 1.0:
        return parts
    said = False
    light = []
    for at, (part, index) in enumerate(zip(parts, group, strict=True)):
        between = range(group[at - 1] + 1, index) if at else range(0)
        said = said or any(
            lexicon.has("of_prep", reading.tokens[i].text) or lexicon.has("genitive", reading.tokens[i].text)
            for i in between
        )
        light.append(
            replace(part, weight=MODIFIER_WEIGHT) if said and not part.exact and part.weight == 1.0 else part
        )
    return tuple(light)


def _class(word: str, language: str) -> str | None:
    return noun_class(word) if language == "en" else class_in(word, language)


def _covers(group: list[int], end: int) -> bool:
    """Whether a phrase that ends before `end` leaves no word of the group but generic ones outside."""
    return bool(group) and group[-1] < end


def _part(reading: Reading, index: int, proper: bool) -> Part:
    token, lexicon = reading.tokens[index], reading.lexicon
    if token.kind == "n":
        return Part(word=token.text, keys=MappingProxyType({token.text: 1.0}), exact=True)
    name = proper and is_proper(reading, index)
    if name or (len(token.text) == 1 and token.text.isalpha()):
        return Part(word=token.text, keys=MappingProxyType(name_keys(token, lexicon)), exact=True)
    empty = lexicon.stems.get("generic", frozenset()) | lexicon.stems.get("empty_verb", frozenset())
    weight = GENERIC_WEIGHT if token.stem in empty else 1.0
    return Part(word=token.text, keys=MappingProxyType(aliases(token, lexicon)), weight=weight)


def name_keys(token: Token, lexicon: Lexicon) -> dict[str, float]:
    """A name, as its own language stems it and as it stands, for texts and engines in another."""
    if lexicon.language == "en":
        return {token.stem: 1.0}
    return dict.fromkeys((token.stem, token.text, stem(token.text, "en")), 1.0)


def aliases(token: Token, lexicon: Lexicon) -> dict[str, float]:
    """Every key that may stand for a word, graded: itself, its concepts, kinds and members, its thesaurus."""
    graded: dict[str, float] = {token.stem: 1.0}
    of_phrases = {key for key, _ in token.phrases}
    for key in token.keys:
        if key in of_phrases and not _alone(key, token, lexicon):
            continue
        if key.startswith(TOPIC):
            continue  # a word of a field stands for itself, not for the field
        graded[key] = KIND_GRADE if key in token.members else 1.0
        if not key.startswith("="):
            continue
        graded[TOPIC + key[1:]] = TOPIC_GRADE
        concept = key[1:]
        if key not in token.members:
            for member in lexicon.kinds.get(concept, ()):
                graded.setdefault("=" + member, MEMBER_GRADE)
        for kind, members in lexicon.kinds.items():
            if concept in members:
                graded.setdefault("=" + kind, KIND_GRADE)
    known = any(key.startswith("=") for key in graded)
    if lexicon.language == "de":
        for piece, grade in compound_keys(token.stem).items():
            graded.setdefault(piece, grade)
    if lexicon.language == "en":
        empty = lexicon.stems.get("generic_verb", frozenset())  # 'making': said in every other sentence
        for key, grade in related(token.text).items():
            if grade > graded.get(key, 0.0) and key not in empty and _agrees(key, graded, lexicon):
                graded[key] = grade
        for verb in verbs_of(token.text):
            graded.setdefault(lexicon.base(verb), DEED_GRADE)  # 'after delivery': what is delivered
        for key, cosine in near_words(token.text):
            if cosine >= NEAR_COSINE and key not in empty:
                graded.setdefault(key, NEAR_GRADE)
        for key, grade in abroad(token.text).items():
            graded.setdefault(ABROAD + key, grade)
    else:
        for key, grade in related_in(token.text, lexicon.language).items():
            same = not known and grade >= SYNONYM
            if grade > graded.get(key, 0.0) and (same or _agrees(key, graded, lexicon)):
                graded[key] = grade
    return graded


def _agrees(stem: str, graded: dict[str, float], lexicon: Lexicon) -> bool:
    """A word whose meaning the lexicon knows is related only by that meaning, whatever the thesaurus says."""
    known = [phrase for phrase in lexicon.concepts.get(stem, ()) if not phrase.rest]
    return not known or any("=" + phrase.meaning in graded for phrase in known)


def _alone(key: str, token: Token, lexicon: Lexicon) -> bool:
    """Whether the word alone already means the concept."""
    return any(not p.rest and "=" + p.meaning == key for p in lexicon.concepts.get(token.stem, ()))


def is_proper(reading: Reading, index: int) -> bool:
    """Whether a word is written as a name: a capital that its place does not explain."""
    token, lexicon = reading.tokens[index], reading.lexicon
    if token.kind != "w" or not reading.is_upper(token):
        return False
    if any(token.start == reading.tokens[s.start].start for s in reading.sentences):
        return False
    if lexicon.language == "de":
        return False  # every German noun has its capital
    if _letters_before_a_noun(reading, index):
        return False
    return not token.keys[1:] or token.stem not in lexicon.concepts


def named_terms(names: Iterable[str], language: str) -> tuple[Term, ...]:
    """Terms of names that stand alone, outside a sentence: their capitals say nothing."""
    found: list[Term] = []
    for name in names:
        reading = read(name, language)
        found.extend(terms_of(reading, range(len(reading.tokens)), proper=False))
    return tuple(found)


def _letters_before_a_noun(reading: Reading, index: int) -> bool:
    """'USB sticks': capital letters before a common noun name nobody."""
    if index + 1 >= len(reading.tokens):
        return False
    token, follow = reading.tokens[index], reading.tokens[index + 1]
    first, last = reading.folded.span(token.start, token.end)
    letters = reading.original[first:last].isupper() and last - first > 1
    return (
        letters
        and follow.kind == "w"
        and not reading.is_upper(follow)
        and noun_class(follow.text) is not None
    )
