"""Tables of the one file, declared as SQLModel classes.

`log` is the truth. `state`, `edge`, `terms` and `head` are derived and are written in the same transaction;
`vector`, `access` and `meta` stand beside the log.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, LargeBinary, text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel


class _Base(SQLModel, registry=registry()):
    """A registry of its own, so that no other package's tables are created in this file."""


class LogRow(_Base, table=True):
    __tablename__ = "log"  # pyright: ignore[reportAssignmentType]
    seq: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    header: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    body: bytes | None = Field(sa_column=Column(LargeBinary, nullable=True))
    body_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    signature: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class StateRow(_Base, table=True):
    __tablename__ = "state"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("state_current", "klass", "seq", sqlite_where=text("ended_seq IS NULL")),
        Index("state_class", "klass", "seq"),
        Index("state_time", "klass", "effective_us"),
        Index("state_key", "subject", "attribute", sqlite_where=text("subject IS NOT NULL")),
    )
    seq: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    id: str = Field(unique=True)
    tail: int = Field(index=True)
    klass: str
    type: str
    author: str
    authority: int
    created_us: int
    effective_us: int
    subject: str | None = None
    attribute: str | None = None
    ended_seq: int | None = None
    ended_us: int | None = None
    ended_why: str | None = None
    erased: bool = False


class EdgeTable(_Base, table=True):
    __tablename__ = "edge"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("edge_src", "src", "relation"),
        Index("edge_dst", "dst", "relation"),
        Index("edge_seq", "seq"),
    )
    row: int | None = Field(default=None, primary_key=True)
    seq: int
    claim: str
    src: str
    relation: str
    dst: str
    author: str
    created_us: int
    ended_seq: int | None = None


class VectorRow(_Base, table=True):
    __tablename__ = "vector"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("vector_of", "seq", "model", unique=True),
        {"sqlite_autoincrement": True},
    )
    position: int | None = Field(default=None, primary_key=True)
    seq: int
    model: str = Field(index=True)
    blob: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class AccessRow(_Base, table=True):
    __tablename__ = "access"  # pyright: ignore[reportAssignmentType]
    seq: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    times: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # int64 little-endian microseconds


class MetaRow(_Base, table=True):
    __tablename__ = "meta"  # pyright: ignore[reportAssignmentType]
    key: str = Field(primary_key=True)
    value: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


TABLES = _Base.metadata

STATE_TYPE_INDEX = "CREATE INDEX state_type ON state (type, seq) WHERE ended_seq IS NULL"
FULL_TEXT = (
    "CREATE VIRTUAL TABLE terms USING fts5(words, content='', contentless_delete=1, "
    "tokenize='unicode61 remove_diacritics 0')"
)

# What the database itself refuses, whoever asks. REPLACE deletes without firing delete triggers, which is
# why the insert guard exists; the one update allowed is erasure, and only when the log already says so.
GUARDS = (
    """CREATE TRIGGER log_no_delete BEFORE DELETE ON log BEGIN
        SELECT RAISE(ABORT, 'the log is append-only: delete refused'); END""",
    """CREATE TRIGGER log_no_update BEFORE UPDATE ON log WHEN NOT (
            NEW.body IS NULL AND NEW.seq = OLD.seq AND NEW.header = OLD.header
            AND NEW.body_hash = OLD.body_hash AND NEW.hash = OLD.hash AND NEW.signature = OLD.signature
            AND EXISTS (SELECT 1 FROM state WHERE state.seq = OLD.seq AND state.erased)) BEGIN
        SELECT RAISE(ABORT, 'the log is append-only: update refused'); END""",
    """CREATE TRIGGER log_next_only BEFORE INSERT ON log
        WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM log) BEGIN
        SELECT RAISE(ABORT, 'the log is append-only: an entry goes to the end'); END""",
    """CREATE TRIGGER meta_fixed_update BEFORE UPDATE ON meta
        WHEN OLD.key IN ('store_id', 'root_key') BEGIN
        SELECT RAISE(ABORT, 'the identity of a store does not change'); END""",
    """CREATE TRIGGER meta_fixed_insert BEFORE INSERT ON meta
        WHEN NEW.key IN ('store_id', 'root_key')
            AND EXISTS (SELECT 1 FROM meta WHERE meta.key = NEW.key) BEGIN
        SELECT RAISE(ABORT, 'the identity of a store does not change'); END""",
    """CREATE TRIGGER meta_fixed_delete BEFORE DELETE ON meta
        WHEN OLD.key IN ('store_id', 'root_key') BEGIN
        SELECT RAISE(ABORT, 'the identity of a store does not change'); END""",
)
