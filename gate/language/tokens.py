"""Tokens and sentences: words with stems and the concepts they mean, and what is quoted."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from gate.language.addresses import host_names
from gate.language.lexicon import (
    GAP,
    MAX_GAP,
    TOPIC,
    Lexicon,
    Phrase,
    load,
)
from gate.language.minors import CHILD, OLD, under_age
from gate.language.normalise import Folded, leet_readings
from gate.language.stem import stem
from gate.language.words import word_of

_TOKEN = re.compile(
    r"(?P<f>[a-z]+)(?=[\s,;!?]|[.:](?:\s|\Z)|\Z)"  # most words: nothing else can begin here
    r"|(?P<x>[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?|ftp)://\S+|(?<![\w.])~?/[\w.@+-]+(?:/[\w.@+-]*)*"
    r"|(?<![\w.])[a-z][\w-]*(?:\.[a-z][\w-]*)+(?![\w'(]))"
    r"|(?P<l>(?=[\d@$]*[a-z])(?=[a-z@$]*\d)[a-z0-9@$]*[a-z][a-z0-9@$]*)"
    r"|(?P<n>\d+(?:[.,:'’]\d+)*)"
    r"|(?P<w>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<p>[^\s\w]|_)"
)
_CLOCK_GLUED = re.compile(r"(\d{1,2})h([0-5]\d)\Z")  # '8h15'
_UNIT_GLUED = re.compile(r"(\d+(?:[.,:]\d+)*)([a-z]{1,4})\Z")
_ABBREVIATIONS = frozenset(
    [
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "no",
        "nr",
        "approx",
        "e.g",
        "i.e",
        "ca",
        "bzw",
        "sr",
        "sra",
        "dott",
        "sig",
        "vs",
        "inc",
        "ltd",
        "mme",
        "m",
        "mm",
        "mlle",
        "mgr",
        "dra",
        "srta",
        "dna",
        "d",
        "ssa",
        "prof.ssa",
        "sigg",
        "hr",
        "fr",
        "str",
        "tel",
        "av",
        "pag",
        "pp",
        "art",
        "cap",
        "z",
        "u",
        "sta",
        "ing",
        "arq",
        "exmo",
    ]
)
_BEFORE_CAPITALS = frozenset((".", "!", "?", ":", '"', "'", "-", "\n"))
ABROAD = "*"  # before a stem of another language among the keys of an English word
PAIR = 2  # marks that a quotation has
NAME_WORDS = 3  # a quotation of up to so many words may be a name: 'Archive 2019'


class Token:
    """One word, number or sign. `keys` are what it can match: its stem, and `=concept` for its meanings."""

    __slots__ = (
        "alternatives",
        "end",
        "keys",
        "kind",
        "members",
        "noun",
        "phrases",
        "possessive",
        "quoted",
        "start",
        "stem",
        "text",
    )

    def __init__(self, text: str, start: int, end: int, kind: str) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.kind = kind  # w word, n number, p sign, x address or path
        self.stem = text
        self.keys: tuple[str, ...] = ()
        self.quoted = False
        self.possessive = False
        self.noun = False  # German: written with a capital that its place does not explain
        self.members: tuple[str, ...] = ()  # those keys that name a kind it is of
        self.phrases: tuple[tuple[str, int], ...] = ()  # concepts of phrases it begins, and their ends
        self.alternatives: tuple[str, ...] = ()  # stems of a word spelled with digits for letters

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens [start, end) of a text, with the sign that ended them."""

    start: int
    end: int
    ending: str


def tokenise(folded: Folded, lexicon: Lexicon, original: str = "") -> list[Token]:
    """All tokens of a folded text with stems and concepts in one language. Linear in the text.

    `original` is the text as written: German tells its nouns by their capitals.
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(folded.text):
        kind = match.lastgroup or "p"
        start, end = match.span()
        text = match[0]
        if kind in ("f", "w"):
            tokens.append(_word(text, start, end, lexicon))
        elif kind == "l":
            tokens.extend(_mixed(text, start, end, lexicon))
        elif text == "'" and tokens and tokens[-1].end == start and lexicon.has("clipped", tokens[-1].text):
            tokens[-1] = _word(f"{tokens[-1].text}'", tokens[-1].start, end, lexicon)  # 'da' a Tullio ...'
        elif kind == "x" and text.endswith("."):
            tokens.append(Token(text[:-1], start, end - 1, "x"))
            tokens.append(Token(".", end - 1, end, "p"))
        elif not (text == "." and tokens and tokens[-1].text in _ABBREVIATIONS and tokens[-1].end == start):
            tokens.append(Token(text, start, end, kind))
    _skip_asides(tokens, lexicon)
    _mask_quotations(tokens, lexicon)
    if lexicon.language != "en":
        tokens = _joined_numbers(tokens, lexicon)
    if lexicon.language == "de" and original and not original.isupper():
        _mark_nouns(tokens, folded, original)
    add_concepts(tokens, lexicon)
    return tokens


def _joined_numbers(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """'1 500' is one number; '12. August' is no end of a sentence."""
    months = {phrase[0] for listed in lexicon.calendar["months"].values() for phrase in listed}
    kept: list[Token] = []
    for index, token in enumerate(tokens):
        before = kept[-1] if kept else None
        if before is not None and before.kind == "n" and before.text.isdigit() and len(before.text) <= 3:
            apart = token.start - before.end
            if token.kind == "n" and apart == 1 and re.fullmatch(r"\d{3}(?:,\d+)?", token.text):
                joined = Token(before.text + token.text, before.start, token.end, "n")
                kept[-1] = joined
                continue
            follow = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if token.text == "." and len(before.text) <= 2 and follow in months:
                continue
        kept.append(token)
    return kept


def _mark_nouns(tokens: list[Token], folded: Folded, original: str) -> None:
    """German nouns have capitals; so has what begins a sentence or a quotation, which tells nothing."""
    for index, token in enumerate(tokens):
        if token.kind == "w" and index and tokens[index - 1].text not in _BEFORE_CAPITALS:
            token.noun = original[folded.origin[token.start]].isupper()


def _word(text: str, start: int, end: int, lexicon: Lexicon) -> Token:
    word, base, possessive, elided = word_of(text, lexicon.language)
    token = Token(word, start + elided, end, "w")
    token.stem = base
    token.possessive = possessive
    return token


def _mixed(text: str, start: int, end: int, lexicon: Lexicon) -> list[Token]:
    """'15h', '27kg' are a number with its unit; 'd1sc0unt' is a disguised word; 'v2' is itself."""
    clock = _CLOCK_GLUED.match(text)
    if clock:
        token = Token(f"{clock[1]}:{clock[2]}", start, end, "n")
        token.stem = token.text
        return [token]
    glued = _UNIT_GLUED.match(text)
    if glued:
        cut = start + len(glued.group(1))
        return [Token(glued.group(1), start, cut, "n"), _word(glued.group(2), cut, end, lexicon)]
    token = Token(text, start, end, "w")
    readings = leet_readings(text)
    if readings:
        token.text = readings[0]
        token.stem = lexicon.base(readings[0])
        token.alternatives = tuple(lexicon.base(reading) for reading in readings[1:])
    return [token]


def _skip_asides(tokens: list[Token], lexicon: Lexicon) -> None:
    """'while you're at it', 'if you don't mind': said by the way, read as a comma."""
    said = {token.text for token in tokens}
    for words in _asides(lexicon.language):
        if words[0] not in said or words[-1] not in said:
            continue
        for index in range(len(tokens) - len(words) + 1):
            if tokens[index].text == words[0] and all(
                tokens[index + at].text == word for at, word in enumerate(words)
            ):
                for token in tokens[index : index + len(words)]:
                    token.text, token.kind, token.stem = ",", "p", ","


@cache
def _asides(language: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in load(language).patterns.get("asides", ()))


def _mask_quotations(tokens: list[Token], lexicon: Lexicon) -> None:
    """Mark quoted tokens, unless they are few enough to be a name and nothing speaks of words."""
    marks = [index for index, token in enumerate(tokens) if token.text in ('"', "'")]
    if len(marks) < PAIR:
        return
    quotative = lexicon.words["quotative"]
    about_words = any(token.text in quotative for token in tokens)
    open_at: dict[str, int] = {}
    for index in marks:
        token = tokens[index]
        before = tokens[index - 1] if index else None
        glued_left = before is not None and before.end == token.start and before.kind != "p"
        began = open_at.pop(token.text, None)
        if began is None or (
            token.text == "'" and not glued_left and before is not None and before.kind != "p"
        ):
            if not glued_left:
                open_at[token.text] = index
            continue
        inside = tokens[began + 1 : index]
        if not about_words and sum(item.kind != "p" for item in inside) <= NAME_WORDS:
            continue
        for quoted in inside:
            quoted.quoted = True


def match_phrase(tokens: list[Token], index: int, phrase: Phrase, end: int) -> int:
    """Position after `phrase` matched from `index` (its first stem already equal), or -1."""
    at = index + 1
    rest = phrase.rest
    position = 0
    while position < len(rest):
        wanted = rest[position]
        if wanted == GAP:
            position += 1
            if position == len(rest):
                return at
            limit = min(end, at + MAX_GAP + 1)
            wanted = rest[position]
            while at < limit and tokens[at].stem != wanted and wanted not in tokens[at].alternatives:
                if tokens[at].kind == "p" and tokens[at].text not in "-'€$£%":
                    return -1
                at += 1
            if at >= limit:
                return -1
        while at < end and tokens[at].text == "-":
            at += 1
        if at >= end or (tokens[at].stem != wanted and wanted not in tokens[at].alternatives):
            return -1
        at += 1
        position += 1
    return at


def add_concepts(tokens: list[Token], lexicon: Lexicon) -> None:
    """Give every token its keys: the stem, and the concepts of the words and phrases it begins."""
    for index, token in enumerate(tokens):
        if token.kind == "p":
            if not token.text.isascii() and unicodedata.category(token.text[0]) == "So":
                token.keys = (token.text, "=emoji")
            continue
        if token.kind == "x":
            token.keys = (token.text, *host_names(token.text, lexicon.base))
            continue
        alone = None
        if lexicon.language == "en" and not token.alternatives:
            alone = _alone(token.stem) if token.stem in lexicon.concepts else ((token.stem,), ())
        if alone is not None:
            token.keys, token.members = alone
        else:
            _add_phrases(tokens, index, lexicon)
        if token.text in OLD and lexicon.language == "en" and under_age(tokens, index, lexicon):
            token.keys = (*token.keys, CHILD)


@cache
def _alone(base: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Keys and members of an English stem that has concepts, if it begins no phrase of several words."""
    phrases = load("en").concepts[base]
    if any(phrase.rest for phrase in phrases):
        return None
    keys, members = [base], []
    for phrase in phrases:
        concept = _concept(phrase)
        if concept not in keys:
            keys.append(concept)
            if phrase.member:
                members.append(concept)
    return tuple(keys), tuple(members)


def _concept(phrase: Phrase) -> str:
    return phrase.meaning if phrase.meaning.startswith(TOPIC) else "=" + phrase.meaning


def _add_phrases(tokens: list[Token], index: int, lexicon: Lexicon) -> None:
    token = tokens[index]
    keys = [token.stem, *token.alternatives]
    if lexicon.language != "en":
        keys.append(ABROAD + token.stem)  # what an English rule calls it; 'mel' is no name of an English text
    if lexicon.language != "en" and token.text in lexicon.irregular:
        plain = stem(token.text, lexicon.language)  # 'cuenta' is a form of 'contar', and a noun
        if plain != token.stem:
            keys.append(plain)
    members: list[str] = []
    phrases: list[tuple[str, int]] = []
    for key in tuple(keys):
        for phrase in lexicon.concepts.get(key, ()):
            end = match_phrase(tokens, index, phrase, len(tokens)) if phrase.rest else index + 1
            if end < 0:
                continue
            concept = _concept(phrase)
            if phrase.rest:
                phrases.append((concept, end))
            if concept not in keys:
                keys.append(concept)
                if phrase.member:
                    members.append(concept)
    token.keys, token.members, token.phrases = tuple(keys), tuple(members), tuple(phrases)


def sentences(tokens: list[Token]) -> list[Sentence]:
    """Sentence bounds; a full stop after an abbreviation or inside quotation marks ends none."""
    found: list[Sentence] = []
    start = 0
    for index, token in enumerate(tokens):
        if (
            token.text in ("'", '"')
            and index
            and tokens[index - 1].quoted
            and tokens[index - 1].text in (".", "!", "?")
        ):
            if index + 1 < len(tokens) and index >= start:  # the quotation closed with its sentence
                found.append(Sentence(start, index + 1, "."))
                start = index + 1
            continue
        if token.kind != "p" or token.text not in ".!?;" or token.quoted:
            continue
        if token.text == "." and index and tokens[index - 1].text in _ABBREVIATIONS:
            continue
        if index > start:
            found.append(Sentence(start, index, token.text))
        elif found and token.text == "?":
            found[-1] = Sentence(found[-1].start, found[-1].end, "?")
        start = index + 1
    if start < len(tokens):
        found.append(Sentence(start, len(tokens), ""))
    return found
