"""Search over a log: the corpus that `store.retrieval` ranks, and positions turned into engrams."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from store.codec import micros, read_back
from store.errors import BadRequest
from store.model import Klass
from store.port import EngramLog, Selection
from store.records import Hit
from store.retrieval.text import match_expression


class Searcher:
    """Lexical search within classes."""

    def __init__(self, log: EngramLog) -> None:
        self._log = log

    def search(
        self,
        query: str,
        *,
        classes: Collection[Klass] | None,
        limit: int,
        as_of: datetime | int | None,
        history: bool,
        now: datetime,
    ) -> list[Hit]:
        """Best first; [] when the query has no word to look for."""
        if not isinstance(query, str):
            raise BadRequest("a query is text")
        selection = Selection(
            klasses=None if classes is None else tuple(map(Klass, classes)),
            position=as_of if isinstance(as_of, int) else None,
            instant_us=micros(as_of) if isinstance(as_of, datetime) else None,
            include_ended=history,
            limit=max(limit, 0),
        )
        scored = self._log.lexical(match_expression(query), selection)
        holding = {s.seq: s.holds for s in self._log.standings_at([seq for seq, _ in scored])}
        entries = self._log.entries_at([seq for seq, _ in scored])
        return [
            Hit(engram=read_back(e), score=score, reasons={"lexical": score}, holds=holding[seq])
            for (seq, score), e in zip(scored, entries, strict=True)
        ]
