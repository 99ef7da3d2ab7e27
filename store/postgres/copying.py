"""A store on a server as one file."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from store.codec import read_back
from store.copies import prove
from store.files import placing
from store.port import EngramLog, LogWriter
from store.replaying import indexed
from store.sqlite.opening import open_file

_BATCH = 2000


def copy_to_file(source: EngramLog, target: Path) -> Path:
    """Copy everything into a new SQLite store: entries, state, links, words, vectors, accesses, keys.

    The caller keeps what `source` reads of one moment. Raises BadRequest where the target exists.
    """
    with placing(target) as unfinished:
        made = open_file(
            unfinished, rng=os.urandom, passphrase=None, encrypt=False, create=True, read_only=False
        )
        try:
            with made.writing() as writer:
                _copy(source, writer)
            prove(made)
        finally:
            made.close()
    return target


def _copy(source: EngramLog, writer: LogWriter) -> None:
    entries = source.entries()
    while batch := list(islice(entries, _BATCH)):
        seqs = [entry.seq for entry in batch]
        writer.append(batch, source.standings_at(seqs), [], indexed(map(read_back, batch)))
        writer.put_accesses(sorted(source.accesses(seqs).items()))
    writer.append([], [], source.edges(include_ended=True), [])
    for model, _ in source.models():
        vectors = source.vectors(model)
        while rows := [(seq, blob) for _, seq, _, blob in islice(vectors, _BATCH)]:
            writer.put_vectors(model, rows)
    writer.set_meta(source.metas(""))
