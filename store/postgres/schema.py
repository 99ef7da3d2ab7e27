"""The tables as queries see them; `migrations.py` is what makes them.

`log` is the truth. `state`, `edge`, `posting` and `corpus` are derived and written in the same transaction;
`vector`, `access` and `meta` stand beside the log; `head` is the row that writers queue on.
"""

from __future__ import annotations

from sqlalchemy import ARRAY, BigInteger, Boolean, Integer, LargeBinary, Text, Uuid, column, table

from store.rows import EDGE_COLUMNS, STANDING_COLUMNS

SCHEMA = "engram"
_ID = Uuid(as_uuid=False)

log = table(
    "log",
    column("seq", BigInteger),
    column("header", LargeBinary),
    column("body", LargeBinary),
    column("body_hash", LargeBinary),
    column("hash", LargeBinary),
    column("signature", LargeBinary),
    schema=SCHEMA,
)
state = table(
    "state",
    column("seq", BigInteger),
    column("id", _ID),
    column("klass", Text),
    column("type", Text),
    column("author", Text),
    column("authority", Integer),
    column("created_us", BigInteger),
    column("effective_us", BigInteger),
    column("subject", Text),
    column("attribute", Text),
    column("ended_seq", BigInteger),
    column("ended_us", BigInteger),
    column("ended_why", Text),
    column("erased", Boolean),
    column("tail", BigInteger),
    schema=SCHEMA,
)
edge = table(
    "edge",
    column("seq", BigInteger),
    column("claim", _ID),
    column("src", _ID),
    column("relation", Text),
    column("dst", _ID),
    column("author", Text),
    column("created_us", BigInteger),
    column("ended_seq", BigInteger),
    column("row", BigInteger),
    schema=SCHEMA,
)
vector = table(
    "vector",
    column("position", BigInteger),
    column("seq", BigInteger),
    column("model", Text),
    column("blob", LargeBinary),
    schema=SCHEMA,
)
access = table("access", column("seq", BigInteger), column("times", ARRAY(BigInteger)), schema=SCHEMA)
meta = table("meta", column("key", Text), column("value", LargeBinary), schema=SCHEMA)

ENTRY = tuple(log.c)
STANDING = tuple(state.c[name] for name in STANDING_COLUMNS)
EDGE = tuple(edge.c[name] for name in EDGE_COLUMNS)
