"""Compiled rules kept from one start to the next, so that a start does not compile every sentence again.

What a sentence compiles to depends on it, on what was learned for it, and on the lexicon, the compiler and
the libraries. All of that is in the key, so that a kept rule is found only where compiling anew would give
the same, and one from before a change of any of them is never found. The bytes are JSON: reading them runs
nothing. They are not proof of anything: whoever keeps them must make sure that they are the ones that were
written (partner/rulecache.py has them signed by the store), because a changed one would be a weaker rule.
"""

from __future__ import annotations

import hashlib
import json
import platform
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from functools import cache
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gate.constraint import Constraint, Limit, Part, Term, Unless, Window

_LIBRARIES = ("disarm", "snowballstemmer", "pystemmer", "ada-url", "rfc8785")  # that compiling may ask
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@cache
def compiler_digest() -> str:
    """SHA-256 over everything but the sentence that decides what a rule compiles to. Raises LexiconDamaged,
    and OSError where the gate's own source cannot be read."""
    from gate.language.manifest import lexicon_version

    digest = hashlib.sha256()
    home = Path(__file__).parent
    for path in sorted(home.rglob("*.py")):
        digest.update(path.relative_to(home).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    about = [lexicon_version(), platform.python_version(), unicodedata.unidata_version]
    about += [f"{name} {metadata.version(name)}" for name in _LIBRARIES]
    digest.update(_ENCODER.encode(about).encode())
    return digest.hexdigest()


def key_of(sentence: str, *given: Any) -> str:
    """The key of a sentence with what else is given for it (JSON values)."""
    said = _ENCODER.encode([compiler_digest(), sentence, *given])
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a sentence compiled to, and the question to the operator where nothing checkable came out."""

    constraint: Constraint
    question: str | None = None


class KeptRules:
    """Compiled rules by key. Those that were asked for or added since are `used`: the others are left out
    when they are written again."""

    def __init__(self) -> None:
        self.changed = False  # whether `to_bytes` has anything that was not read
        self._rows: dict[str, list[Any]] = {}
        self._parts: list[Part] = []
        self._used: dict[str, Compiled] = {}

    @classmethod
    def of(cls, data: bytes) -> KeptRules:
        """Read what `to_bytes` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        kept = cls()
        body = json.loads(data)
        kept._rows = dict(body["rules"])
        kept._parts = [_part(row) for row in body["parts"]]
        return kept

    def find(self, key: str) -> Compiled | None:
        """What was compiled under a key, or None. Raises as `of` does."""
        if key in self._used:
            return self._used[key]
        row = self._rows.get(key)
        if row is None:
            return None
        self._used[key] = found = Compiled(_constraint(row[0], self._parts), row[1])
        return found

    def add(self, key: str, compiled: Compiled) -> None:
        """Keep what was compiled anew."""
        self._used[key] = Compiled(
            replace(compiled.constraint, engram_id="", aliases=(), exceptions=()), compiled.question
        )
        self.changed = True

    def to_bytes(self) -> bytes:
        """All that was used, as JSON."""
        table: dict[str, int] = {}
        parts: list[Any] = []

        def number(part: Part) -> int:
            row = [part.word, dict(part.keys), part.weight, part.exact]
            name = json.dumps(row)
            if name not in table:
                table[name] = len(parts)
                parts.append(row)
            return table[name]

        rules = {
            key: [_row(compiled.constraint, number), compiled.question]
            for key, compiled in sorted(self._used.items())
        }
        body = {"parts": parts, "rules": rules}
        return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode()


def _row(value: Any, number: Any) -> Any:
    """A value as JSON: a dataclass is the list of its fields, a part its number."""
    if isinstance(value, Part):
        return number(value)
    if isinstance(value, Constraint | Term | Limit | Window | Unless):
        return [_row(getattr(value, field.name), number) for field in fields(value)]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_row(item, number) for item in value]
    return str(value) if isinstance(value, Decimal) else value


def _named(cls: type, row: list[Any]) -> dict[str, Any]:
    return dict(zip((field.name for field in fields(cls)), row, strict=True))


def _part(row: list[Any]) -> Part:
    word, keys, weight, exact = row
    return Part(word=word, keys=MappingProxyType(keys), weight=weight, exact=exact)


def _terms(rows: list[Any], parts: list[Part]) -> tuple[Term, ...]:
    found = []
    for row in rows:
        named = _named(Term, row)
        named["parts"] = tuple([parts[at] for at in named["parts"]])
        named["whole"] = MappingProxyType(named["whole"])
        found.append(Term(**named))
    return tuple(found)


def _limit(row: list[Any]) -> Limit:
    named = _named(Limit, row)
    return Limit(**{**named, "value": Decimal(named["value"]), "of": tuple(named["of"])})


def _window(row: list[Any]) -> Window:
    named = _named(Window, row)
    for name in ("weekdays", "months"):
        named[name] = frozenset(named[name])
    named["minutes"] = tuple([(first, last) for first, last in named["minutes"]])
    named["dates"] = tuple([(tuple(first), tuple(last)) for first, last in named["dates"]])
    return Window(**named)


def _constraint(row: list[Any], parts: list[Part]) -> Constraint:
    named = _named(Constraint, row)
    for name in ("objects", "recipients", "places", "qualifiers"):
        named[name] = _terms(named[name], parts)
    for name in ("paths", "hosts", "domains", "aliases", "exceptions", "body"):
        named[name] = tuple(named[name])
    named["acts"] = MappingProxyType(named["acts"])
    named["gist"] = tuple([parts[at] for at in named["gist"]])
    named["limits"] = tuple(map(_limit, named["limits"]))
    named["windows"] = tuple(map(_window, named["windows"]))
    named["unless"] = tuple(
        [Unless(kind=kind, words=words, terms=_terms(terms, parts)) for kind, words, terms in named["unless"]]
    )
    named["labels"] = frozenset(named["labels"])
    return Constraint(**named)
