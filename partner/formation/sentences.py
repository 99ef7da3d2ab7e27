"""Sentences of a block, with their place in the message.

Periods inside numbers, dates, abbreviations, file names, addresses and quotations end nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from partner.formation.words import listed

_ABBREVIATIONS = listed("""mr mrs ms dr prof st sr sra srta jr vs etc e.g i.e a.m p.m approx dept est no nr
nos fig vol ca
    cf al inc ltd co z.b d.h u.a bzw usw ggf evtl inkl zzgl str tel hr fr frau hrn dipl ing bspw vgl
    abs art mme mlle mm m av bd ud uds ej pág núm aprox jan feb mar apr jun jul aug sep sept oct okt
    nov dec dez incl excl resp mon tue wed thu fri sat sun min max std""")
_ADDRESS = re.compile(
    r"\[secret: [a-z ]+\]|(?:https?://|www\.)\S+|"
    r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|"
    r"(?<![\w.-])(?:[~.]?/)?(?:[\w.-]{1,80}/){1,20}[\w.-]{0,80}|\b[\w-]{1,63}\.[a-z]{2,4}\b"
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,600}\"|“[^”\n]{1,600}”|„[^“”\n]{1,600}[“”]|«[^»\n]{1,600}»|「[^」\n]{1,600}」|『[^』\n]{1,600}』"
    r"|(?<![\w’'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){1,600}'(?!\w)|(?<![\w’'])‘[^’\n]{1,600}’(?!\w)"
    r"|“[^“”\n]{1,600}\"|‹[^›\n]{1,600}›"
)
_STOP = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s|$|[^\w\s.,;:!?)\]\"'”’»*_-])|[。！？!?]+[」』）]*|\n")
_AFTER_NUMBER = re.compile(
    r"\s+(?:[a-zäöüß]|\d|(?:Jan|Feb|März|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\w*|"
    r"(?:Klasse|Stock|Stockwerk|Etage|Runde|Semester|Woche|Monat|Jahr\w*|Stunde|Kapitel|Platz|Liga|Reihe|"
    r"Schuljahr|Lebensjahr|Geburtstag|Hochzeitstag|Advent|Mal|Tag|Teil|Band|Mannschaft)\b)"
)


@dataclass(frozen=True, slots=True)
class Span:
    """`message[start:end]`, without surrounding blanks."""

    start: int
    end: int


def mask(text: str) -> str:
    """The text with quotations and addresses blanked out letter by letter (same length, no stops inside)."""
    masked = _ADDRESS.sub(lambda m: _blank(m[0]), text)
    return _QUOTED.sub(lambda m: m[0][0] + "x" * (len(m[0]) - 2) + m[0][-1], masked)


def quotations(text: str) -> list[Span]:
    """Where something is quoted, quotation marks included."""
    masked = _ADDRESS.sub(lambda m: "x" * len(m[0]), text)
    return [Span(m.start(), m.end()) for m in _QUOTED.finditer(masked)]


def _blank(address: str) -> str:
    kept = address.rstrip(".,;:!?)…")
    return "x" * len(kept) + address[len(kept) :]


def sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """Sentences of `text[start:end]`, in order. Linear in the length."""
    part = text[start:end]
    masked = mask(part)
    begin = 0
    for stop in _STOP.finditer(masked):
        if stop.start() < begin or not _ends(masked, stop, begin):
            continue
        if (span := _trim(part, begin, stop.end(), start)) is not None:
            yield span
        begin = stop.end()
    for span in (_trim(part, begin, len(part), start),):
        if span is not None:
            yield span


def _ends(text: str, stop: re.Match[str], begin: int) -> bool:
    mark = stop[0]
    if not mark.startswith("."):
        return not (mark == "\n" and _continues(text, stop.end()))
    after = text[stop.end() : stop.end() + 40]
    if mark.startswith("..."):
        return _capital(after) or not after.strip()
    word = re.search(r"([\w.]+)$", text[max(begin, stop.start() - 40) : stop.start()])
    last = word[1].lower() if word else ""
    if last.isdigit() and len(last) <= 2 and _AFTER_NUMBER.match(after):
        return False
    if last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and last != "i"):
        return not after.strip() or (
            last in {"etc", "usw", "a.m", "p.m", "min", "max", "std"} and _capital(after)
        )
    return True


def _capital(after: str) -> bool:
    return after.lstrip()[:1].isupper()


def _continues(text: str, at: int) -> bool:
    return text[at : at + 80].lstrip()[:1].islower()


def _trim(part: str, begin: int, end: int, offset: int) -> Span | None:
    piece = part[begin:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if left >= right:
        return None
    return Span(offset + begin + left, offset + begin + right)
