"""Figures, times and days in a claim: what kind each is, and one of them in the place of another of its
kind."""

from __future__ import annotations

import re

from partner.formation.data import load

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"


def _words_of(name: str) -> str:
    return "|".join(load("revision")[name].split())


WORKED_OUT = re.compile(r" \(\d{4}-\d\d-\d\d\)")  # what a relative date was resolved to
# The specific before the general: in '30 June' the day is no bare number.
KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "time",
        re.compile(
            rf"(?i)\b\d{{1,2}}[:.]\d\d(?: ?[ap]m)?\b|\b\d{{1,2}} ?[ap]m\b|\b(?:noon|midnight)\b|"
            rf"\b\d{{1,2}} ?h(?: ?\d\d)?\b|"
            rf"\b(?:half|quarter) (?:past|to) \w+|\b(?:\d{{1,2}}|{_words_of('hours')}) o['’]clock\b|"
            rf"\b\d{{1,2}} uhr(?: \d\d)?\b|"
            rf"(?<=\bat )\d{{1,2}}(?=$|[.,;!]|\s+(?:on|in|sharp|and|for|at|from|every)\b)(?![.,:]\d)"
        ),
    ),
    (
        "date",
        re.compile(
            rf"(?i)\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b|"
            rf"\b\d{{1,2}}\.? (?:de |d['’])?(?:{_words_of('months')})\b|\bthe \d{{1,2}}(?:st|nd|rd|th)\b"
        ),
    ),
    ("day", re.compile(rf"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:{_words_of('days')})\b")),
    ("number", re.compile(r"(?i)(?<![\w.,])\d[\d.,]*\d|(?<![\w.,])\d(?!\w|\.\d)")),
)


def kind_of(value: str) -> str:
    """The kind of the first figure in a value, or ''."""
    return next((name for name, pattern in KINDS if pattern.search(value)), "")


def kinds_in(text: str) -> dict[str, list[str]]:
    """Every figure of a text by its kind."""
    found: dict[str, list[str]] = {}
    for name, pattern in KINDS:
        spans = [m[0] for m in pattern.finditer(text)]
        if spans:
            found[name] = spans
        text = pattern.sub(lambda m: "x" * len(m[0]), text)
    return found


def with_figures(text: str, value: str) -> str:
    """The text with each figure of the value in place of its only one of that kind; '' where it has none or
    several: of a change that cannot be read whole nothing is made that nobody said. A date that was worked
    out for a day goes with the day."""
    if (day := _ORDINAL.fullmatch(value.strip())) and len(dates := list(_DAY_OF_MONTH.finditer(text))) == 1:
        name = "d" if dates[0]["d"] else "e"
        start, end = dates[0].span(name)
        return text[:start] + day["d"] + WORKED_OUT.sub("", text[end:], count=1)
    left, given = WORKED_OUT.sub(lambda m: "~" * len(m[0]), text), value
    cuts: list[tuple[int, int, str]] = []
    moved = False
    for name, pattern in KINDS:
        spans, new = list(pattern.finditer(left)), list(pattern.finditer(given))
        if new and not spans and name in ("number", "time") and (hour := _HOUR.search(left)):
            spans = [hour]  # 'at 7. No wait, 8.'
        if new and (len(spans) != 1 or len(new) != 1):
            return ""
        if new:
            moved = moved or new[0][0].lower() != spans[0][0].lower()
            cuts.append((spans[0].start(), spans[0].end(), new[0][0]))
        left, given = (pattern.sub(lambda m: "x" * len(m[0]), t) for t in (left, given))
    for start, end, new_value in sorted(cuts, reverse=True):
        if text[end : end + 1] == "s" and (recurring := _ON.search(text[:start])):
            text = f"{text[: recurring.start()]}every {new_value}{text[end + 1 :]}"  # 'on Tuesdays'
            continue
        iso = WORKED_OUT.match(text, end)
        text = text[:start] + new_value + text[iso.end() if iso else end :]
    return text if moved else ""


_ORDINAL = re.compile(r"(?:on )?(?:the )?(?P<d>\d{1,2})(?:st|nd|rd|th)")
_DAY_OF_MONTH = re.compile(rf"(?i)\b(?P<d>\d{{1,2}})(?= (?:of )?{_MONTH}\b)|\b{_MONTH} (?P<e>\d{{1,2}})\b")
_ON = re.compile(r"(?i)\bon $")
_HOUR = re.compile(r"(?<=\bat )\d{1,2}(?=$|[.,;!\s])(?![.,:]\d)")
