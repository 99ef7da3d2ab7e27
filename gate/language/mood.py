"""Mood: what asks for something to be done, and what only asks, tells, supposes or describes.

Guards rest on closed classes (FINDINGS: those transfer to unread texts), the few open patterns of
each language are data of its lexicon.
"""

from __future__ import annotations

import re
from functools import cache

from gate.language.clauses import (
    begins_with_verb,
    is_base_form,
    is_finite,
    is_participle,
    orders_by_number,
)
from gate.language.lexicon import Lexicon, load
from gate.language.phrasing import (
    before_a_request,
    do_order,
    has_verb,
    is_tag,
    noun_as_order,
    only_described,
    past_front,
)
from gate.language.reading import Clause, Mood, Reading
from gate.language.times import spans
from gate.language.tokens import Token


@cache
def _pattern(language: str, name: str, anchored: bool = True) -> re.Pattern[str] | None:
    source = load(language).patterns.get(name)
    if not source:
        return None
    return re.compile((r"\A" if anchored else "") + r"\b(?:" + source + r")(?![\w])")


def set_moods(reading: Reading) -> None:
    """Give every clause its mood, and the clause it hangs on."""
    previous: Clause | None = None
    for index, clause in enumerate(reading.clauses):
        if previous is not None and previous.sentence != clause.sentence:
            previous = None
        ending = reading.sentences[clause.sentence].ending
        clause.mood = _mood(reading, clause, previous, ending)
        if clause.mood in (Mood.RELATIVE, Mood.CONTENT) and index:
            clause.parent = index - 1
        previous = clause


def content_start(reading: Reading, clause: Clause) -> int:
    """The first token that is no filler."""
    lexicon = reading.lexicon
    at = clause.start
    while at < clause.end - 1:
        token = reading.tokens[at]
        if token.kind == "p" or (
            lexicon.has("filler", token.text)
            and not token.possessive
            and not _is_order_verb(reading, at, clause.end)
        ):
            at += 1
            continue
        break
    after = _past_time(reading, clause, at)
    if after == at:
        after = past_front(reading, clause, at)
    if after != at:
        clause.opens = after
    return after


def _past_time(reading: Reading, clause: Clause, at: int) -> int:
    """After an expression of time that stands first: 'At 17:00 mail the newsroom ...'."""
    times = reading.lexicon.time_words
    first = reading.tokens[at : min(at + 3, clause.end)]
    if reading.language != "de" and not any(token.kind == "n" or token.text in times for token in first):
        return at  # most clauses begin with none; German number words are not all listed
    found = spans(reading.tokens, at, min(clause.end, at + 8), reading.lexicon, first_by=at + 2)
    if found and found[0].start <= at + 2 and found[0].end < clause.end:
        after = found[-1].end if found[-1].start <= found[0].end + 2 else found[0].end
        if reading.tokens[after - 1].possessive or _is_order_verb(reading, at, clause.end):
            return at  # 'Send tomorrow's call sheet ...'
        if begins_with_verb(reading.tokens, after, clause.end, reading.lexicon):
            return after
    return at


def _is_order_verb(reading: Reading, at: int, end: int) -> bool:
    return reading.tokens[at].stem in reading.lexicon.acts and begins_with_verb(
        reading.tokens, at, end, reading.lexicon
    )


def _mood(reading: Reading, clause: Clause, previous: Clause | None, ending: str) -> Mood:
    lexicon = reading.lexicon
    at = content_start(reading, clause)
    words = _text_from(reading, clause, at)
    after_wish = previous is not None and previous.mood is Mood.WISH
    subordinate = _subordinate_mood(reading, clause, previous, after_wish)
    if subordinate is not None:
        return subordinate
    asked = _pattern(lexicon.language, "interrogative")
    if asked and asked.match(words):
        return Mood.QUESTION
    if lexicon.language != "en" and _told_of_past(reading, clause, at):
        return Mood.STATEMENT
    idle = _pattern(lexicon.language, "idle")
    if idle and idle.match(words):
        return Mood.STATEMENT
    request = _pattern(lexicon.language, "request")
    if request and request.match(words):
        return Mood.ORDER if not _asks_for_news(reading, words) else Mood.QUESTION
    own = _pattern(lexicon.language, "own_doing")
    if own and own.match(words):
        return Mood.STATEMENT
    wish = _pattern(lexicon.language, "wish")
    if wish and wish.match(words):
        return Mood.WISH
    permits = _pattern(lexicon.language, "permits", anchored=False)
    if permits and ending != "?" and permits.search(words):
        return Mood.WISH
    if _you_do(reading, clause, at) or do_order(reading, clause, at, ending):
        return Mood.ORDER
    if is_tag(reading, clause, previous):
        return Mood.STATEMENT
    pleased = _pattern(lexicon.language, "pleased", anchored=False)
    if pleased and ending != "?" and pleased.search(words):
        return Mood.WISH
    suggest = _pattern(lexicon.language, "suggest")
    if suggest and suggest.match(words):
        clause.weak = True
        return Mood.WISH
    if lexicon.language != "en" and _conditional(reading, clause, at):
        return Mood.WISH
    if previous is not None and not previous.mood.asks and _goes_on(reading, clause, previous):
        return Mood.STATEMENT
    if _begins_order(reading, clause, at):
        return _order_or_question(reading, clause, at, ending)
    first = reading.tokens[at].text
    if ending != "?" and _causes(reading, at, clause.end):
        return Mood.ORDER
    if lexicon.has("question", first) or (ending == "?" and lexicon.has("auxiliary", first)):
        return Mood.QUESTION
    dropped = lexicon.language in _DROPS_SUBJECTS and ending != "?"  # 'Ho chiesto a Piera' asks nothing
    if (
        lexicon.has("auxiliary", first)
        and not dropped
        and not lexicon.has("contracted", first)
        and clause.start == reading.sentences[clause.sentence].start
    ):
        return Mood.QUESTION
    if _has_obligation(reading, clause, at) and ending != "?":
        clause.weak = True
        return Mood.WISH
    if _verb_final_order(reading, clause) or noun_as_order(reading, clause, at, ending):
        return Mood.ORDER
    if ending == "?" and (lexicon.language != "en" or not before_a_request(reading, clause)):
        return _asked(reading, clause, at)
    listed = previous is not None and previous.mood is Mood.FRAGMENT and lexicon.language == "en"
    if not has_verb(reading, clause) or (listed and only_described(reading, clause)):
        said = {token.text for token in reading.tokens[clause.start : clause.end]}
        return _of_fragment(clause, previous, said, lexicon)
    return Mood.STATEMENT


_DROPS_SUBJECTS = ("es", "it", "pt")
_FIRST_PAST = {"es": ("é", "í"), "pt": ("ei",)}  # endings of 'I did' that no order has, as written


def _told_of_past(reading: Reading, clause: Clause, at: int) -> bool:
    """'Ayer eliminé ...', 'Ontem eliminei ...': what I did, not what you should do."""
    lexicon, tokens = reading.lexicon, reading.tokens
    past = {phrase[0] for phrase in lexicon.calendar["days"].get("yesterday", ()) if len(phrase) == 1}
    opened = False
    for index in range(clause.start, min(clause.end, clause.start + 4)):
        token = tokens[index]
        if token.text in past and index <= at:
            opened = True
            continue
        verb = token.stem in lexicon.acts and not token.noun
        if not verb:
            continue
        first, last = reading.folded.span(token.start, token.end)
        written = reading.original[first:last].casefold()
        if token.text not in lexicon.told and written.endswith(_FIRST_PAST.get(lexicon.language, ())):
            return bool(_FIRST_PAST.get(lexicon.language))
        return opened
    return False


def _subordinate_mood(
    reading: Reading, clause: Clause, previous: Clause | None, after_wish: bool
) -> Mood | None:
    lexicon = reading.lexicon
    link = clause.link
    if not link or not lexicon.has("subordinator", link):
        return None
    if previous is None:
        return Mood.QUESTION if lexicon.has("question", link) else None
    if lexicon.has("condition", link):
        wished = lexicon.language != "en" or lexicon.has("wished_if", link)
        return Mood.WISH if after_wish and wished else Mood.STATEMENT
    if lexicon.has("aside", link):
        return Mood.STATEMENT
    if lexicon.has("that", link) and previous.mood.asks and _ensures(reading, previous):
        return Mood.WISH  # 'see to it that the valve is opened'
    if (
        lexicon.has("that", link)
        and after_wish
        and lexicon.language != "en"
        and not _speaks(reading, previous)
    ):
        return Mood.WISH
    if _speaks(reading, previous) or (lexicon.has("that", link) and previous.mood.asks):
        return Mood.CONTENT
    if lexicon.has("relative", link):
        if lexicon.language == "de" and not is_finite(reading.tokens[clause.end - 1], lexicon):
            return None  # German: a main clause has its verb second, a relative clause last
        return Mood.RELATIVE
    return Mood.CONTENT if lexicon.has("question", link) or lexicon.has("that", link) else Mood.STATEMENT


def _ensures(reading: Reading, clause: Clause) -> bool:
    """Whether what follows 'that' is the outcome asked for, not something to be told."""
    source = reading.lexicon.patterns.get("ensures")
    return bool(source) and re.search(rf"(?<!\w){source}\Z", reading.words(clause)) is not None


def _speaks(reading: Reading, clause: Clause) -> bool:
    """Whether the clause has a verb whose content may follow ('tell her that ...')."""
    content = reading.lexicon.stems.get("content_verb", frozenset())
    return any(token.stem in content for token in reading.tokens[clause.start : clause.end])


def _begins_order(reading: Reading, clause: Clause, at: int) -> bool:
    """Whether an order's verb stands at `at`; behind another order it may be one that is a noun as well."""
    if clause.link in ("and", ",", "or") and orders_by_number(
        reading.tokens, at, clause.end, reading.lexicon
    ):
        return True
    return begins_with_verb(reading.tokens, at, clause.end, reading.lexicon)


def _order_or_question(reading: Reading, clause: Clause, at: int, ending: str) -> Mood:
    lexicon = reading.lexicon
    if lexicon.language == "en" or ending != "?":
        return Mood.ORDER
    # verb first with a question mark: '¿Me reservas ...?' may ask for it, 'Hast du ...?' only for an answer
    clause.tentative = True
    return Mood.WISH


def _causes(reading: Reading, at: int, end: int) -> bool:
    """'Have the crew start', 'let the boys in': an auxiliary as the verb of an order."""
    lexicon = reading.lexicon
    if not lexicon.has("causative", reading.tokens[at].text) or at + 1 >= end:
        return False
    follow = reading.tokens[at + 1]
    if lexicon.has("be", follow.text) or (follow.text.endswith("ed") and follow.stem in lexicon.verbs):
        return False  # '... and have regretted it since'
    if lexicon.has(
        "anyword", follow.text
    ):  # 'Have someone feed them' orders it, 'have someone's key' does not
        return begins_with_verb(reading.tokens, at + 2, end, lexicon)
    return not lexicon.has("subject", follow.text) and not lexicon.has("negator", follow.text)


def _you_do(reading: Reading, clause: Clause, at: int) -> bool:
    """'..., so you start the bells': the present of the second person orders after a reason."""
    lexicon = reading.lexicon
    links = ("so", "then", "but")
    linked = clause.link in links or (clause.start and reading.tokens[clause.start - 1].text in links)
    if lexicon.language != "en" or not linked or at + 1 >= clause.end:
        return False
    verb = reading.tokens[at + 1]
    return reading.tokens[at].text == "you" and verb.stem in lexicon.acts and is_base_form(verb, lexicon)


def _goes_on(reading: Reading, clause: Clause, previous: Clause) -> bool:
    """'It helps me to relax and see the world': a second verb of a statement, no order."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if lexicon.language != "en" or clause.link not in ("and", "or", ","):
        return False
    if clause.link != "," and tokens[previous.end - 1].text != "," and tokens[clause.start - 2].text != ",":
        return True
    if clause.link == "," and not _is_series(reading, clause):
        return False  # 'He wants to send flowers, tell him the address'
    return any(
        tokens[at].text == "to" and tokens[at + 1].stem in lexicon.verbs
        for at in range(previous.start, previous.end - 1)
    )


def _is_series(reading: Reading, clause: Clause) -> bool:
    """Whether a verb behind a comma may be one of several that stand with 'to': the last has 'and' or 'or'
    before it, and none has only a pronoun for whom or what."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if any(
        lexicon.has("whom", tokens[at].text) for at in range(clause.start, min(clause.start + 2, clause.end))
    ):
        return False
    end = reading.sentences[clause.sentence].end
    return any(tokens[at].text in ("and", "or") for at in range(clause.start, end))


def _conditional(reading: Reading, clause: Clause, at: int) -> bool:
    """'Ce serait chouette', 'che bello se potessero': the conditional wishes, unless it asks."""
    lexicon = reading.lexicon
    tokens = reading.tokens[at : clause.end]
    if lexicon.has("question", tokens[0].text) and not lexicon.has("wishing", tokens[0].text):
        return False
    return any(
        lexicon.has("conditional", token.text) and (lexicon.language != "de" or _has_umlaut(reading, token))
        for token in tokens
    )


def _has_umlaut(reading: Reading, token: Token) -> bool:
    """'wären' and not 'waren': German tells the conditional from the past by its dots alone."""
    first, last = reading.folded.span(token.start, token.end)
    written = reading.original[first:last].casefold()
    return not written.isascii() or "ae" in written or "oe" in written or "ue" in written


def _asked(reading: Reading, clause: Clause, at: int) -> Mood:
    """A question without a question word whose verb is an act in the present may be a polite order."""
    lexicon = reading.lexicon
    tokens = reading.tokens[at : clause.end]
    if lexicon.language == "en" or any(lexicon.has("question", token.text) for token in tokens[:3]):
        return Mood.QUESTION
    past = any(lexicon.has("auxiliary", token.text) or is_participle(token, lexicon) for token in tokens)
    known = any(token.stem in lexicon.acts or lexicon.has("generic_verb", token.text) for token in tokens)
    if past or not known:
        return Mood.QUESTION
    clause.tentative = True
    return Mood.WISH


def _asks_for_news(reading: Reading, words: str) -> bool:
    news = _pattern(reading.lexicon.language, "news", anchored=False)
    return bool(news and news.search(words))


def _has_obligation(reading: Reading, clause: Clause, at: int) -> bool:
    pattern = _pattern(reading.lexicon.language, "obligation", anchored=False)
    if pattern is None:
        return False
    words = _text_from(reading, clause, at)
    found = pattern.search(words)
    if not found or found.start() == 0:
        return False
    subject = reading.tokens[at].text
    return subject not in reading.lexicon.words.get("first_person", frozenset())


def _verb_final_order(reading: Reading, clause: Clause) -> bool:
    """German and the like: 'Bitte die Rechnung bezahlen.' An infinitive at the end, no finite verb."""
    lexicon = reading.lexicon
    endings = lexicon.patterns.get("infinitive_endings")
    if not endings:
        return False
    last = next((t for t in reversed(reading.tokens[clause.start : clause.end]) if t.kind == "w"), None)
    if last is None or not last.text.endswith(tuple(endings)) or last.stem not in lexicon.acts:
        return False
    body = reading.tokens[clause.start : clause.end]
    return not any(lexicon.has("auxiliary", token.text) for token in body) and not is_participle(
        last, lexicon
    )


def _of_fragment(clause: Clause, previous: Clause | None, said: set[str], lexicon: Lexicon) -> Mood:
    if said & lexicon.words.get("please", frozenset()):
        return Mood.ORDER
    if previous is not None and previous.mood in (Mood.ORDER, Mood.WISH, Mood.CONTENT, Mood.RELATIVE):
        return (
            Mood.CONTENT
            if previous.mood is not Mood.CONTENT or previous.parent is not None
            else Mood.FRAGMENT
        )
    return previous.mood if previous is not None and not previous.mood.asks else Mood.FRAGMENT


def _text_from(reading: Reading, clause: Clause, at: int) -> str:
    tokens = reading.tokens
    return reading.folded.text[tokens[at].start : tokens[clause.end - 1].end]
