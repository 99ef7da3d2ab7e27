"""A text read: its clauses with their mood, what each would have done, and the words it is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from gate.language.detect import detect_language
from gate.language.lexicon import CJK, Lexicon, load
from gate.language.normalise import MAX_CHARS, Folded, fold
from gate.language.tokens import Sentence, Token, sentences, tokenise


class Mood(StrEnum):
    """What a clause is for. Only ORDER, WISH and FRAGMENT ask for something to be done."""

    ORDER = "order"
    WISH = "wish"
    FRAGMENT = "fragment"  # no verb at all: a list, a headline
    QUESTION = "question"
    STATEMENT = "statement"
    RELATIVE = "relative"  # describes a noun of the clause before
    CONTENT = "content"  # what is to be told, checked, known

    @property
    def asks(self) -> bool:
        return self in (Mood.ORDER, Mood.WISH, Mood.FRAGMENT)


@dataclass(slots=True)
class ActHit:
    """An act found in a clause. `sure`: said by a verb or an idiom in the place of one."""

    act: str
    start: int
    end: int
    sure: bool = True
    negated: bool = False
    nominal: bool = False
    state: bool = False  # an outcome wished for
    inferred: bool = False  # not listed for this verb, but for one that it is a way of


@dataclass(slots=True)
class Clause:
    """Tokens [start, end) of a text that say one thing."""

    start: int
    end: int
    link: str = ""
    mood: Mood = Mood.STATEMENT
    parent: int | None = None
    sentence: int = 0
    hits: list[ActHit] = field(default_factory=list)
    verbs: list[int] = field(default_factory=list)  # tokens in the place of a verb, known or not
    reversed: bool = False
    weak: bool = False  # a suggestion or a need rather than an order
    tentative: bool = False  # asks, but may only want to know: never more than a question back
    refrains: bool = False  # says to leave it, wait, keep off
    opens: int = -1  # an order's verb behind what is told first: 'For the fair send along the flag'


@dataclass(slots=True)
class Reading:
    """Everything the matcher needs of a text."""

    folded: Folded
    language: str
    lexicon: Lexicon
    tokens: list[Token]
    sentences: list[Sentence]
    clauses: list[Clause]
    original: str = ""
    verb_places: frozenset[int] = frozenset()  # tokens that stand as verbs, so as no nouns
    telling: list[tuple[str, ...] | None] | None = None  # keys of tokens that tell something (match/signs)

    def is_upper(self, token: Token) -> bool:
        """Whether the token begins with a capital in the text as given."""
        return self.original[self.folded.origin[token.start]].isupper()

    def words(self, clause: Clause) -> str:
        """The clause as it stands in the folded text."""
        if clause.start >= clause.end:
            return ""
        return self.folded.text[self.tokens[clause.start].start : self.tokens[clause.end - 1].end]


def read(text: str, language: str | None = None) -> Reading:
    """Read a text of up to `MAX_CHARS` characters (the rest is not looked at: callers refuse it first)."""
    from gate.language.cjk import language_of, read_cjk

    written = language if language in CJK else language_of(text) if language is None else None
    if written is not None:
        return read_cjk(text[:MAX_CHARS], written)
    folded = fold(text[:MAX_CHARS])
    chosen = language or detect_language(folded.text, text)
    return _read(folded, chosen, text)


def _read(folded: Folded, language: str, original: str) -> Reading:
    from gate.language.acts import find_acts
    from gate.language.clauses import split_clauses
    from gate.language.mood import set_moods

    lexicon = load(language)
    tokens = tokenise(folded, lexicon, original)
    bounds = sentences(tokens)
    clauses = split_clauses(tokens, bounds, lexicon)
    reading = Reading(folded, language, lexicon, tokens, bounds, clauses, original)
    set_moods(reading)
    find_acts(reading)
    if language == "en":
        reading.verb_places = frozenset(
            [index for clause in clauses for index in clause.verbs[:1]]
            + [hit.start for clause in clauses for hit in clause.hits if not hit.nominal and not hit.state]
        )
    return reading


@lru_cache(maxsize=64)
def read_cached(text: str, language: str | None = None) -> Reading:
    """`read` for texts that come again within one evaluation (approvals, rule sentences)."""
    return read(text, language)
