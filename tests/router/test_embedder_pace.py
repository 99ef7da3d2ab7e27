"""A short text is read with a second thread while that pays."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from router import LlamaEmbedder
from router.llama.pace import TRIED_AGAIN, Pace


def run(pace: Pace, costs: dict[int, float], passes: int) -> list[int]:
    taken = []
    for _ in range(passes):
        taken.append(pace.threads())
        pace.took(taken[-1], 10, 10 * costs[taken[-1]])
    return taken


def test_the_cheaper_way_is_taken_and_the_other_tried_now_and_then():
    taken = run(Pace(2), {1: 0.9, 2: 0.6}, 10 * TRIED_AGAIN)
    assert taken[:2] == [1, 2]
    assert taken.count(1) == 11


def test_where_another_program_has_the_second_core_one_thread_reads():
    pace = Pace(2)
    run(pace, {1: 0.9, 2: 0.6}, 10)
    assert run(pace, {1: 1.2, 2: 6.0}, 20).count(2) == 1
    again = run(pace, {1: 0.9, 2: 0.6}, 10 * TRIED_AGAIN)
    assert again[-10:].count(2) >= 9, "and the second comes back when the core is free"


def test_one_core_is_one_thread():
    assert set(run(Pace(1), {1: 0.9}, 50)) == {1}


def test_the_vectors_are_the_same_bits_with_one_thread_and_with_two(meaning_model: Path):
    embedder = LlamaEmbedder(meaning_model, n_threads=2)
    try:
        first, *others = [embedder.begin("Where does the choir meet in winter?")() for _ in range(3)]
    finally:
        embedder.close()
    for other in others:
        np.testing.assert_array_equal(other.tokens, first.tokens)
