"""Japanese and Chinese: plain orders and plain rules, without word boundaries.

A clause is read as the acts its lexicon lists, what particles (Japanese, behind) or coverbs (Chinese,
before) mark as thing, place or recipient, and runs of other characters. Runs are compared by pairs of
neighbouring characters, so that '顧客名簿' meets '顧客の名簿' in part. No stems, no thesaurus.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from gate.language.lexicon import Lexicon, load, load_data, split_list
from gate.language.normalise import Folded
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.tokens import Sentence, Token

_HAN_OR_KANA = re.compile("[\u3005\u3041-\u30ff\u3400-\u9fff]")
_KANA = re.compile("[\u3041-\u30fa]")
_HIRAGANA = re.compile("[\u3041-\u309f]")
_ENDS = frozenset("。．！？!?\n;；.")
_PARTS = frozenset("、，,：:（）()「」『』《》“”\"'・ \t　")
_LETTERS = re.compile(r"[^\W\d_]")
LONGEST = 6  # characters of a piece that a run is known by, where the run has at most MANY
MANY = 16
SHARE = 0.3  # of a text's letters that are Han or kana, from which it is read here


def language_of(text: str) -> str | None:
    """'ja' or 'zh' where a text is written so, else None."""
    sample = text[:2000]
    found = len(_HAN_OR_KANA.findall(sample))
    if not found or found < SHARE * len(_LETTERS.findall(sample)):
        return None
    return "ja" if _KANA.search(sample) else "zh"


def pairs(run: str) -> tuple[str, ...]:
    """Neighbouring characters of a run, the run itself where it has one."""
    return tuple(run[at : at + 2] for at in range(len(run) - 1)) or (run,)


@dataclass(frozen=True, slots=True)
class _Words:
    """What a scan looks for, the longest first: `acts` by word, and all words of any kind."""

    acts: dict[str, tuple[str, ...]]
    small: frozenset[str]
    marks: dict[str, str]  # particle or coverb -> object, place, recipient or link
    pattern: re.Pattern[str]


@cache
def _words(language: str) -> _Words:
    data = load_data(language)  # as written: folding takes the marks off kana
    acts: dict[str, tuple[str, ...]] = {}
    for meaning, listed in data["acts"].items():
        for word in split_list(listed):
            acts[word] = (*acts.get(word, ()), meaning)
    small = set(split_list(data["words"]["filler"]))
    for section in ("weekdays", "days"):
        small.update(word for listed in data[section].values() for word in split_list(listed))
    marks = {
        word: kind
        for kind in ("object", "place", "recipient", "link")
        for word in split_list(data["patterns"][kind])
    }
    every = sorted({*acts, *small, *marks}, key=lambda word: (-len(word), word))
    return _Words(acts, frozenset(small), marks, re.compile("|".join(map(re.escape, every))))


def as_written(text: str) -> Folded:
    """NFKC and lower case, offsets kept; kana keep their marks."""
    characters: list[str] = []
    origin: list[int] = []
    for at, char in enumerate(text):
        for plain in unicodedata.normalize("NFKC", char).lower():
            characters.append(plain)
            origin.append(at)
    return Folded("".join(characters), tuple(origin))


def read_cjk(text: str, language: str) -> Reading:
    """A text as clauses with their mood and acts. Linear in the text."""
    folded = as_written(text)
    lexicon = load(language)
    tokens: list[Token] = []
    sentences: list[Sentence] = []
    clauses: list[Clause] = []
    start = begun = 0
    for at in range(len(folded.text) + 1):
        char = folded.text[at] if at < len(folded.text) else "\n"
        if (char not in _ENDS and char not in _PARTS) or _inside(folded.text, at):
            continue
        if at > start:
            first = len(tokens)
            tokens += _scan(folded.text, start, at, lexicon)
            if len(tokens) > first:
                clauses.append(Clause(first, len(tokens), sentence=len(sentences)))
        if char in _ENDS:
            if len(tokens) > begun:
                sentences.append(Sentence(begun, len(tokens), "?" if char in "？?" else "."))
            begun = len(tokens)
        start = at + 1
    reading = Reading(folded, language, lexicon, tokens, sentences, clauses, text)
    for clause in clauses:
        _understand(reading, clause)
    return reading


def _inside(text: str, at: int) -> bool:
    """'web01 に', '打开 D7 柜': a blank beside letters that are no characters parts no clauses."""
    if not 0 < at < len(text) - 1 or not text[at].isspace() or text[at] == "\n":
        return False
    return any(text[beside].isascii() and text[beside].isalnum() for beside in (at - 1, at + 1))


def _scan(text: str, start: int, end: int, lexicon: Lexicon) -> list[Token]:
    words = _words(lexicon.language)
    found: list[Token] = []
    at = run = start
    while at < end:
        match = words.pattern.match(text, at, end)
        hiragana = lexicon.language == "ja" and _HIRAGANA.match(text[at])
        if match is None and not hiragana:
            at += 1
            continue
        if at > run:
            found.append(_token(text, run, at))
        stop = match.end() if match else at + 1
        token = Token(text[at:stop], at, stop, "w")
        if match and match.group() in words.acts:
            token.keys = (match.group(), *pairs(match.group()))
        found.append(token)
        at = run = stop
    if end > run:
        found.append(_token(text, run, end))
    return found


def _token(text: str, start: int, end: int) -> Token:
    run = text[start:end].strip()  # 'web01 に'
    token = Token(run, start, end, "n" if run.isdigit() else "w")
    longest = LONGEST if len(run) <= MANY else 2
    within = (run[a : a + size] for size in range(2, longest + 1) for a in range(len(run) - size + 1))
    token.keys = tuple(dict.fromkeys((run, *within, *(run if len(run) < 3 else ""))))
    return token


def _pattern(lexicon: Lexicon, name: str) -> re.Pattern[str]:
    return re.compile(lexicon.patterns.get(name) or r"(?!)")


def _understand(reading: Reading, clause: Clause) -> None:
    lexicon, words = reading.lexicon, _words(reading.language)
    said = reading.words(clause)
    for index in range(clause.start, clause.end):
        token = reading.tokens[index]
        acts = words.acts.get(token.text, ())
        if acts:
            clause.verbs.append(index)
            denied = _denied(reading, clause, token)
            clause.hits += [ActHit(act, index, index + 1, negated=denied) for act in acts]
    last = (
        clause.end == reading.sentences[clause.sentence].end
        if clause.sentence < len(reading.sentences)
        else True
    )
    ending = reading.sentences[clause.sentence].ending if clause.sentence < len(reading.sentences) else ""
    asked = last and (ending == "?" or _pattern(lexicon, "asks").search(said) is not None)
    if _pattern(lexicon, "requests").search(said) and clause.hits:
        clause.mood = Mood.ORDER
    elif asked:
        clause.mood = Mood.QUESTION
    elif _pattern(lexicon, "reports").search(said):
        clause.mood = Mood.STATEMENT
    else:
        clause.mood = Mood.ORDER if clause.hits else Mood.FRAGMENT
    clause.refrains = bool(clause.hits) and all(hit.negated for hit in clause.hits)


def _denied(reading: Reading, clause: Clause, token: Token) -> bool:
    text = reading.folded.text
    begin, end = reading.tokens[clause.start].start, reading.tokens[clause.end - 1].end
    if reading.language == "ja":  # the last verb says it for all before it
        acts = _words("ja").acts
        last = next(t for t in reversed(reading.tokens[clause.start : clause.end]) if t.text in acts)
        return _pattern(reading.lexicon, "denied").search(text[last.end : end]) is not None
    return _pattern(reading.lexicon, "denied_before").search(text[begin : token.start]) is not None


@dataclass(frozen=True, slots=True)
class Roles:
    """Runs of a clause that name things, places and recipients, as (text, runs) of each phrase."""

    objects: tuple[tuple[str, ...], ...]
    places: tuple[tuple[str, ...], ...]
    recipients: tuple[tuple[str, ...], ...]


def roles(reading: Reading) -> Roles:
    """What particles behind (Japanese) or coverbs before (Chinese) mark; the rest is what it is done to."""
    words = _words(reading.language)
    found: dict[str, list[tuple[str, ...]]] = {"object": [], "place": [], "recipient": []}
    behind = reading.language == "ja"
    forbids = _pattern(reading.lexicon, "forbids")
    phrase: list[str] = []
    mark = "object"
    for token in reading.tokens:
        kind = words.marks.get(token.text)
        if kind == "link":
            continue
        act = token.text in words.acts
        if kind or act:
            if phrase:
                found[(kind or "object") if behind else mark].append(tuple(phrase))
                phrase = []
            mark = kind or "object"
        elif token.keys and token.text not in words.small and not forbids.fullmatch(token.text):
            rest = forbids.sub("", token.text)
            if rest:
                phrase.append(rest)
    if phrase:
        found["object" if behind else mark].append(tuple(phrase))
    return Roles(tuple(found["object"]), tuple(found["place"]), tuple(found["recipient"]))
