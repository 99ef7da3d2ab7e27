"""Names that an action states exactly: branches, tables, databases, schemas, tags.

'branch:main' is the branch main and no other: 'feature/main-menu' only contains the word. A rule's term is
read as kind and name ('the ledger database' = database + ledger) and compared with whole values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.actions.vocabulary import word_set
from gate.constraint import Part, Term
from gate.language.lexicon import load
from gate.language.normalise import fold_words
from gate.match.region import part_grade
from gate.model import Frame, Truth

KINDS = ("branch", "tag", "table", "database", "schema", "column", "index", "view", "remote", "namespace",
         "bucket", "volume", "repository", "image", "from")  # fmt: skip
SOURCES = ("remote", "from")  # what a thing comes from or goes by: never what is acted on
KIND_WORDS = {kind: kind for kind in KINDS} | {f"{kind}s": kind for kind in KINDS} | {
    "branches": "branch", "repo": "repository", "repos": "repository", "repositories": "repository",
    "indexes": "index", "indices": "index", "db": "database", "dbs": "database",
    "relation": "table", "relations": "table",
    # German, Spanish, French, Italian, Portuguese
    "zweig": "branch", "tabelle": "table", "tabellen": "table", "datenbank": "database",
    "datenbanken": "database",
    "rama": "branch", "ramas": "branch", "tabla": "table", "tablas": "table", "branche": "branch",
    "tabella": "table", "tabelle ": "table", "tabela": "table", "tabelas": "table", "ramo": "branch",
}  # fmt: skip
PLATFORM_WORDS = word_set(  # whose kind of thing it is
    """
    s3 gcs aws amazon google gcloud azure docker kubernetes k8s github gitlab git postgres postgresql mysql
    mongo mongodb redis heroku terraform helm cloud r2 rds dynamodb storage
    """
)
_PLURAL = frozenset(
    word for word, kind in KIND_WORDS.items() if word != kind and word.endswith(("s", "n", "es"))
)
_PIECE = re.compile(r"[^\W_]+")


def has_labels(frame: Frame) -> bool:
    """Whether the frame names things of these kinds, or should have and could not."""
    return any(label.partition(":")[0] in KINDS for label in frame.labels) or bool(
        frame.unknown.intersection(KINDS)
    )


def term_truth(term: Term, frame: Frame, *, acted_on: bool) -> Truth | None:
    """Whether the frame's labels name the term; None when they have nothing to say about it.

    With `acted_on` the term is the thing that the act is done to, not where it is done: dropping a column
    of a table drops no table.
    """
    kinds = [part for part in term.parts if part.word in KIND_WORDS]
    names = [part for part in term.parts if part.word not in KIND_WORDS]
    if kinds:  # 'the S3 bucket backups': whose kind of thing it is
        names = [part for part in names if part.word not in PLATFORM_WORDS]
    values: dict[str, list[str]] = {}
    for label in frame.labels:
        kind, colon, value = label.partition(":")
        if colon and kind in KINDS:
            values.setdefault(kind, []).append(value)
    if not names:
        present = any(KIND_WORDS[part.word] in frame.objects for part in kinds)
        return Truth.TRUE if present else None
    if kinds:
        wanted = {KIND_WORDS[part.word] for part in kinds}
        if acted_on and "kind" in frame.unknown:
            return Truth.UNKNOWN
        if acted_on and not wanted.intersection(frame.objects):
            # a statement that was not understood may be done to any of them, in the databases it may reach
            open_to = wanted - ({"database"} - frame.unknown)
            return Truth.UNKNOWN if "statement" in frame.unknown and open_to else Truth.FALSE
        several = any(part.word in _PLURAL for part in kinds)
        found = [value for kind in wanted for value in values.get(kind, ())]
        if any(value == "*" or _names(names, value, several) for value in found):
            return Truth.TRUE
        if frame.unknown & wanted:
            return Truth.UNKNOWN
        return Truth.FALSE
    found = [value for kind, listed in values.items() if kind not in SOURCES for value in listed]
    if acted_on:
        found += values.get("from", [])
    if any(_names(names, value, False) for value in found) or ("*" in values.get("branch", ())):
        return Truth.TRUE
    return Truth.UNKNOWN if frame.unknown.intersection(KINDS) else None


def pieces_of(value: str) -> list[str]:
    """The words of a name: 'bookings_2019' is bookings and 2019."""
    return _PIECE.findall(fold_words(value))


def keys_of(piece: str) -> dict[str, float]:
    """The keys that one word of a name stands for."""
    return {piece: 1.0, load("en").base(piece): 1.0}


def _names(names: Sequence[Part], value: str, several: bool) -> bool:
    """Whether a value is what the words name: all of its pieces, or with a plural at least theirs."""
    pieces = [keys_of(piece) for piece in pieces_of(value)]
    covered = [any(part_grade(part, piece) >= 1.0 for piece in pieces) for part in names]
    if not pieces or not all(covered):
        return False
    return several or all(any(part_grade(part, piece) >= 1.0 for part in names) for piece in pieces)
