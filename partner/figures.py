"""Figures of an answer that stand in nothing its engine was given: a small model makes them up."""

from __future__ import annotations

import re

_FIGURE = re.compile(r"\d(?:[\d.,:/’'\u00a0\u202f]*\d)?")
_NUMBERED = re.compile(r"(?m)^\s*\d{1,3}[.)]\s")  # a list's own numbers
_BETWEEN = re.compile(r"[.,:/’'\u00a0\u202f]")


def made_up(answer: str, given: str) -> list[str]:
    """As they are written in the answer, each once. '1,240' is the '1240' of a note, and '8:00' its '8'."""
    known = {_plain(figure) for figure in _FIGURE.findall(given)}
    parts = {part for figure in _FIGURE.findall(given) for part in _BETWEEN.split(figure)}
    said = dict.fromkeys(_FIGURE.findall(_NUMBERED.sub("", answer)))
    return [figure for figure in said if _plain(figure) not in known and not _whole(figure) <= parts]


def _plain(figure: str) -> str:
    return _BETWEEN.sub("", figure).lstrip("0")


def _whole(figure: str) -> set[str]:
    """The number without a fraction of nothing ('8:00', '8.0')."""
    parts = _BETWEEN.split(figure)
    return {parts[0]} if not any(part.strip("0") for part in parts[1:]) else {figure}
