"""Hours of the day: which numbers are one, and which half of the day they are in."""

from __future__ import annotations

from gate.language.calendar import NO_PHRASES, clock_phrases, phrase_at
from gate.language.lexicon import Lexicon
from gate.language.numbers import word_number
from gate.language.tokens import Token

DAY_MINUTES = 24 * 60
SMALL_HOURS = 5 * 60  # an hour of the night before it is one after midnight


def at_point(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """'at 8.30': an hour with its minutes after a point, not a price or a measure."""
    before = tokens[index - 1].text if index else ""
    return before == "at" and lexicon.language == "en" and not counts(tokens, index + 1, end, lexicon)


def introduced(tokens: list[Token], index: int, start: int, lexicon: Lexicon) -> bool:
    """Whether what stands before a number makes it an hour; 'and' does so only for the second of two."""
    before = tokens[index - 1].text if index > start else ""
    if not lexicon.has("clock_preposition", before):
        return False
    if (
        lexicon.has("by_word", before)
        and index > start + 1
        and lexicon.has("particle", tokens[index - 2].text)
    ):
        return False  # 'bring it up by three'
    if not lexicon.has("conjunction", before):
        return True
    opening = {phrase[0] for phrase in lexicon.calendar["window"].get("between", ())}
    return any(token.text in opening for token in tokens[max(start, index - 6) : index - 1])


def first_hour(tokens: list[Token], index: int, start: int, end: int, lexicon: Lexicon) -> bool:
    """'office hours, 9 to 5': the first of two hours that stand apart."""
    if lexicon.language != "en" or index + 2 >= end or index <= start or tokens[index - 1].text not in ",(":
        return False
    if not lexicon.has("range_word", tokens[index + 1].text) or tokens[index + 1].text == "and":
        return False
    after = tokens[index + 3].text if index + 3 < end else ""
    ends = index + 3 >= end or tokens[index + 3].kind == "p" or lexicon.has("time_follow", after)
    hour, follow = hour_at(tokens, index, end, lexicon), hour_at(tokens, index + 2, end, lexicon)
    return ends and hour is not None and follow is not None and hour <= 12 and follow <= 12


def second_hour(tokens: list[Token], index: int, start: int, end: int, lexicon: Lexicon) -> bool:
    """'lunch (12-1)': behind a dash the second of two hours that stand apart."""
    return (
        index - 2 >= start
        and tokens[index - 1].text == "-"
        and first_hour(tokens, index - 2, start, end, lexicon)
    )


def hour_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> int | None:
    if index >= end:
        return None
    text = tokens[index].text
    value = int(text) if text.isdigit() and len(text) <= 2 else word_number(text, lexicon)
    return value if value is not None and 0 <= value <= 24 else None


def has_hour_word(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    clock = clock_phrases(lexicon.language)
    return any(
        phrase_at(tokens, index, end, clock.get(name, NO_PHRASES)) > 0 for name in ("hour_word", "am", "pm")
    )


def counts(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """Whether the number is of something ('at 5 tables', 'by 18 %'), so it is no hour."""
    if index >= end:
        return False
    token = tokens[index]
    if token.text in ("%", "€", "$", "£", "-", "°", "/"):
        return True
    if token.kind != "w" or lexicon.has("preposition", token.text) or lexicon.has("conjunction", token.text):
        return False
    return not (lexicon.has("time_follow", token.text) or lexicon.has("pronoun", token.text))


def with_half(tokens: list[Token], at: int, end: int, minute: int, lexicon: Lexicon) -> tuple[int, int]:
    clock = clock_phrases(lexicon.language)
    after = phrase_at(tokens, at, end, clock.get("hour_word", NO_PHRASES))
    at = max(at, after)
    after = phrase_at(tokens, at, end, clock.get("night", NO_PHRASES))
    if after > 0 and minute < SMALL_HOURS:
        return minute + DAY_MINUTES, after  # 'at two tonight'
    after = phrase_at(tokens, at, end, clock.get("pm", NO_PHRASES))
    if after > 0:
        return (minute + 720 if minute < 720 else minute), after
    after = phrase_at(tokens, at, end, clock.get("am", NO_PHRASES))
    if after > 0:
        return (minute - 720 if minute >= 720 and minute < 780 else minute), after
    return minute, at
