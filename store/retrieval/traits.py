"""What ranking reads from one engram; sealed blocks of the index have it as arrays."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from store.model import Klass

KLASS_CODE = {klass: code for code, klass in enumerate(Klass)}
_KLASSES = tuple(KLASS_CODE)

# asking: share of its words that stand in questions; length: ln(words), at most ln(48); created: Unix
# seconds; own: it speaks in the first person
NUMBERS = (
    "utterance", "asking", "length", "has_time", "has_number",
    "year", "month", "day", "created", "salience", "authority", "klass", "own",
)  # fmt: skip
_KLASS_AT = NUMBERS.index("klass")
_ASKING_AT = NUMBERS.index("asking")


class Traits(NamedTuple):
    """Shares and flags are 0..1."""

    id: str
    key: int  # of its words, `key_of`: equal keys are duplicates; 0 where it has none
    speaker: frozenset[str]  # words of the speaker's name
    numbers: tuple[float, ...]  # one a name in NUMBERS

    @property
    def klass(self) -> Klass:
        return _KLASSES[int(self.numbers[_KLASS_AT])]

    @property
    def asking(self) -> float:
        return self.numbers[_ASKING_AT]


def key_of(words: str) -> int:
    """64 bits of BLAKE2b over folded words, 0 for none."""
    return int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little") if words else 0


def columns(traits: Sequence[Traits]) -> dict[str, NDArray[np.float64]]:
    """The numbers of n engrams, one float64 [n] a name."""
    table = np.array([t.numbers for t in traits], np.float64).reshape(len(traits), len(NUMBERS))
    return {name: table[:, at] for at, name in enumerate(NUMBERS)}


def told_of(traits: Sequence[Traits | None]) -> dict[str, Any]:
    """The arrays of `tail.View` that keep these traits; None for what may not be answered from."""
    absent = (float("nan"),) * len(NUMBERS)
    lines = [" ".join(sorted(t.speaker)) if t else "" for t in traits]
    code = {line: at for at, line in enumerate(dict.fromkeys(["", *lines]))}
    ids = b"".join(uuid.UUID(t.id).bytes if t else bytes(16) for t in traits)
    numbers = [t.numbers if t else absent for t in traits]
    return {
        "ids": np.frombuffer(ids, np.uint8).reshape(-1, 16),
        "keys": np.array([t.key if t else 0 for t in traits], np.uint64),
        "numbers": np.array(numbers, np.float64).reshape(-1, len(NUMBERS)),
        "speakers": np.array([code[line] for line in lines], np.uint32),
        "names": np.frombuffer("\n".join(code).encode(), np.uint8),
    }


def kept(
    ids: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    numbers: NDArray[np.float64],
    speakers: NDArray[np.uint32],
    names: NDArray[np.uint8],
) -> list[Traits | None]:
    """The traits that `told_of` made arrays of."""
    lines = _lines(names.tobytes())
    rows = zip(ids, keys.tolist(), numbers.tolist(), speakers.tolist(), strict=True)
    return [
        Traits(_hyphened(id_.tobytes().hex()), key, lines[who], tuple(told)) if told[0] == told[0] else None
        for id_, key, told, who in rows
    ]


def _hyphened(digits: str) -> str:
    """A UUID as it is written; a third of the time that `uuid.UUID` takes."""
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


@lru_cache(maxsize=256)
def _lines(names: bytes) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in names.decode().split("\n"))
