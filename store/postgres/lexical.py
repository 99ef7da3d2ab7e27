"""BM25 over an inverted index of our own, so that both backends rank alike.

PostgreSQL's `ts_rank` knows no document frequencies, so a rare word weighs as much as a common one. The
terms come ready from `store.retrieval.text`, hence no dictionary or parser of the server is needed either:
`posting` keeps (term, entry, occurrences, length), `corpus` the number of texts and words. The formula and
its constants are those of SQLite's FTS5 (Robertson & Zaragoza 2009).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import BigInteger, Connection, Float, column, func, select, text

from store.port import Selection
from store.postgres.schema import state
from store.postgres.selecting import TABLES

K1, B = 1.2, 0.75
_TERM = re.compile(r'"([^"]*)"')

# The terms of a text are added up in any order, so equal scores differ in their last bits: nine digits count.
_SCORED = text("""
    WITH hit AS MATERIALIZED (
        SELECT w.n, p.seq, p.tf, p.length
        FROM unnest(CAST(:terms AS text[])) WITH ORDINALITY AS w (term, n)
        JOIN engram.posting p ON p.term = w.term
    ), had AS MATERIALIZED (
        SELECT n, count(*)::float8 AS texts FROM hit GROUP BY n
    ), weight AS MATERIALIZED (
        SELECT h.n, greatest(ln((c.texts - h.texts + 0.5::float8) / (h.texts + 0.5::float8)), 1e-6)
            * (:k1 + 1) AS most, :k1 * :b * c.texts / c.words AS slope
        FROM had h CROSS JOIN engram.corpus c
    )
    SELECT h.seq, sum(w.most * h.tf / (h.tf + :k1 * (1 - :b) + w.slope * h.length)) AS score
    FROM hit h JOIN weight w ON w.n = h.n
    GROUP BY h.seq
""").columns(column("seq", BigInteger), column("score", Float))

_FREQUENCIES = text("""
    SELECT (SELECT count(*) FROM (SELECT 1 FROM engram.posting p WHERE p.term = w.term LIMIT :cap) AS met)
    FROM unnest(CAST(:terms AS text[])) WITH ORDINALITY AS w (term, n) ORDER BY w.n
""")

ADD_POSTINGS = """
    INSERT INTO engram.posting (term, seq, tf, length)
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::integer[], %s::integer[])
"""
COUNT_TEXTS = """
    UPDATE engram.corpus SET texts = texts + v.n, words = words + v.w
    FROM (VALUES (%s::bigint, %s::bigint)) AS v (n, w) WHERE v.n > 0
"""
DROP_POSTINGS = """
    WITH gone AS (DELETE FROM engram.posting WHERE seq = %s RETURNING length),
    had AS (SELECT count(*) AS n, max(length) AS length FROM gone)
    UPDATE engram.corpus SET texts = texts - 1, words = words - had.length FROM had WHERE had.n > 0
"""


def postings(texts: Sequence[tuple[int, str]]) -> tuple[list[list[str] | list[int]], int]:
    """The columns of `ADD_POSTINGS` for (seq, terms separated by spaces), and the number of words."""
    terms: list[str] = []
    seqs: list[int] = []
    counts: list[int] = []
    lengths: list[int] = []
    total = 0
    for seq, line in texts:
        bag = Counter(line.split())
        length = bag.total()
        total += length
        terms += bag
        counts += bag.values()
        seqs += [seq] * len(bag)
        lengths += [length] * len(bag)
    return [terms, seqs, counts, lengths], total


def lexical(connection: Connection, match: str, selection: Selection) -> list[tuple[int, float]]:
    """(seq, score) of what `match` finds within the selection, best first; higher is better."""
    wanted = _TERM.findall(match)
    if not wanted:
        return []
    scored = _SCORED.bindparams(terms=wanted, k1=K1, b=B).subquery("scored")
    query = (
        select(scored.c.seq, scored.c.score)
        .join(state, state.c.seq == scored.c.seq)
        .where(*TABLES.conditions(selection))
        .order_by(func.round(scored.c.score * 1e9).desc(), scored.c.seq.desc())
        .limit(selection.limit)
    )
    return [(seq, score) for seq, score in connection.execute(query)]


def frequencies(connection: Connection, terms: Sequence[str], cap: int) -> list[int]:
    """In how many texts each term stands, counted up to `cap`."""
    found = connection.execute(_FREQUENCIES, {"terms": list(terms), "cap": cap})
    return [count for (count,) in found]
