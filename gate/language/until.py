"""A permission's end said with it: 'deploy on Friday until tomorrow' as what is permitted and until when."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from gate.language.moments import moments
from gate.language.reading import Reading, read
from gate.language.times import spans


def without_end(text: str, at: datetime) -> tuple[str, datetime | None]:
    """The text without the time that it ends with behind 'until', and that time. A day lasts to its end.

    The text itself and None where it says none, or only one that is past.
    """
    reading = read(text)
    tokens, lexicon = reading.tokens, reading.lexicon
    last = len(tokens)
    while last and tokens[last - 1].kind == "p":
        last -= 1
    for index in range(last - 1, 0, -1):
        begin = _begins(index, reading)
        if begin < 0:
            continue
        first = index + 1
        while first < last and lexicon.has_any(("determiner", "preposition"), tokens[first].text):
            first += 1
        found = spans(tokens, first, last, lexicon)
        if not found or found[0].start > first or found[-1].end < last:
            return text, None
        ends = [_end(moment.day, moment.stop, at) for moment in moments(tokens, found, lexicon, at)]
        coming = [end for end in ends if end is not None and end > at]
        if not coming:
            return text, None
        return text[: reading.folded.span(0, begin)[1]].rstrip(" ,;:-"), min(coming)
    return text, None


def _begins(index: int, reading: Reading) -> int:
    """Where 'until' begins in the folded text if the token at `index` is one or ends one; else -1."""
    token, lexicon = reading.tokens[index], reading.lexicon
    if lexicon.has("until_word", token.text):
        return token.start
    before = reading.folded.text[: token.start].rstrip()
    opened = next((word for word in lexicon.words.get("until_open", ()) if before.endswith(word)), None)
    return len(before) - len(opened) if opened and lexicon.has("preposition", token.text) else -1


def _end(day: date | None, stop: int | None, at: datetime) -> datetime | None:
    if day is None:
        return None
    begin = datetime.combine(day, time(), tzinfo=at.tzinfo)
    return begin + (timedelta(days=1) if stop is None else timedelta(minutes=stop))
