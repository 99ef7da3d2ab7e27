"""Questions on what was so before: which they are, and what had held then.

What no longer holds is in no context, or it would be told as if it held. A question for the past is the
exception: the predecessors of what bears on it come along, each with the days between which it held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from partner.names import day, first_line, short, source
from store.model import Engram, Klass
from store.retrieval.text import words

if TYPE_CHECKING:
    from store import Store
    from store.records import Hit

MAX_EARLIER = 6
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|januar|februar|marz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto"
    "|septiembre|octubre|noviembre|diciembre|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre"
    "|novembre|decembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro"
    "|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro"
)
# All on folded words. A cue says that the past may be meant; what never changed has no past to show, so
# that a cue too many costs a look at the chains and no more.
_CUES = re.compile(
    r"\b(?:before|beforehand|earlier|previous|previously|prior|former|formerly|original|originally|initially"
    r"|used? to|no longer|anymore|back then|at first|at the time|in the past|ago|yesterday|changed?|until"
    r"|till|(?<!how )old|older|last (?:week|month|year|spring|summer|autumn|fall|winter|time)|last but one"
    r"|fruher\w*|vorher\w*|zuvor|ehemals|ehemalige\w*|ursprunglich\w*|damals|anfangs|bisher\w*|zuerst|gestern"
    r"|alte[nrms]?|vorige[nrms]?|letzte[nrms]? (?:woche|monat|jahr|mal)|geandert|bis"
    r"|antes|anterior\w*|antigu[oa]s?|original(?:mente)?|al principio|hasta|ayer|pasad[oa]|cambiado|viej[oa]"
    r"|avant|auparavant|autrefois|precedent\w*|l?ancien\w*|initialement|au debut|jusqua|hier|derni(?:er|ere)"
    r"|change\w*|prima|precedent[ei]|precedentemente|in passato|una volta|originariamente|vecchi[oa]|ieri"
    r"|scors[oa]|fino a|cambiat[oa]|anteriormente|antig[oa]s?|no inicio|ontem|passad[oa]|mudou"
    rf"|(?:in|im|en|em|a|nel|since|seit) (?:{_MONTHS}))\b"
)
_FIRST = re.compile(
    r"\b(?:first|original|originally|initially|ursprunglich\w*|anfangs|zuerst|al principio|originalmente"
    r"|initialement|au debut|originariamente|inicialmente|no inicio)\b"
)
_ASKS_TO_BE_TOLD = re.compile(r"(?:please )?(?:tell|remind|show|list|sag|nenn|dime|dis|rappelle|dimmi|diz)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A claim that something else has taken the place of; it held from the one day to the other."""

    engram: Engram
    since: str
    until: date

    @property
    def span(self) -> str:
        until = self.until.isoformat()
        return until if self.since == until else f"{self.since} to {until}"


def asked(text: str) -> bool:
    """Whether the words may ask for what was so before, in en de es fr it pt."""
    line = " ".join(words(text))
    asks = "?" in text or _ASKS_TO_BE_TOLD.match(line)
    return bool(asks and _CUES.search(line))


def bearing_on(
    store: Store, text: str, near: Sequence[Engram], *, classes: Sequence[Klass]
) -> tuple[Earlier, ...]:
    """What held before, of what bears on the question, the likeliest first.

    Looked for behind what is `near` and holds, and among what held once and would be near now. What was
    taken back, or never was meant, is left out. The last value first, unless the first one is asked for.
    """
    first = bool(_FIRST.search(" ".join(words(text))))
    found = [_chain(store, engram.id) for engram in near]
    hits = store.search(text, classes=classes, limit=2 * MAX_EARLIER, history=True)
    found += [_chain(store, hit.engram.id) for hit in _gone(hits)]
    seen: dict[str, Earlier] = {}
    for chain in found:
        for one in chain if first else reversed(chain):
            seen.setdefault(one.engram.id, one)
    return tuple(seen.values())[:MAX_EARLIER]


def _gone(hits: Sequence[Hit]) -> Iterator[Hit]:
    """The best hits as far as they are near, when they no longer hold."""
    return (hit for hit in hits if hit.near and not hit.holds)


def _chain(store: Store, engram_id: str) -> list[Earlier]:
    """The members of a chain that were replaced and say something else than what followed, oldest first."""
    members = store.chains([engram_id])
    by_id = {engram.id: engram for engram in members}
    found: list[Earlier] = []
    for engram in members:
        status = store.status(engram.id)
        after = [by_id[ref] for ref in status.superseded_by if ref in by_id]
        if status.holds or status.retracted_by or engram.erased or not after:
            continue
        if all(other.content != engram.content for other in after):
            found.append(Earlier(engram=engram, since=day(engram), until=after[0].created_at.date()))
    return found


def line(earlier: Earlier) -> str:
    """As `context.note_line`, with the days between which it held."""
    engram = earlier.engram
    said = first_line(engram.content, 600)
    return f"- {said} [{short(engram.id)}, held {earlier.span}, {source(engram)}; replaced since]"


def plain_line(earlier: Earlier) -> str:
    """For a small model. Of eight questions on eight such notes SmolLM2 answered all; with the days in place
    of 'Before' five, without either seven."""
    return f"- Before: {first_line(earlier.engram.content, 400)}"
