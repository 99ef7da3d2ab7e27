"""What spreading activation, base-level learning and link weights promise."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.retrieval.activation import spread
from store.retrieval.base_level import MAX_ACCESSES, base_level, effective_salience, once, presence
from store.retrieval.hebbian import FLOOR, FRESH, Weights

GRAPHS = st.dictionaries(
    st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda pair: pair[0] != pair[1]),
    st.floats(0, 1, allow_nan=False),
    max_size=20,
)


def links_of(graph):
    return lambda seqs: {
        seq: [(dst, weight) for (src, dst), weight in graph.items() if src == seq] for seq in seqs
    }


def strongest_by_trying_every_path(graph, seed: int, threshold: float, fan_out: float) -> dict[int, float]:
    """The naive oracle: every simple path, the strongest to each node."""
    best: dict[int, float] = {}

    def walk(node: int, strength: float, seen: tuple[int, ...]) -> None:
        if strength < threshold:
            return
        best[node] = max(best.get(node, 0.0), strength)
        for (src, dst), weight in graph.items():
            if src == node and dst not in seen:
                walk(dst, strength * weight * fan_out, (*seen, dst))

    walk(seed, 1.0, (seed,))
    return best


@pytest.mark.conforms("E1")
def test_the_most_active_nodes_come_first_scaled_by_what_the_query_vector_says():
    graph = {(1, 2): 1.0, (1, 3): 1.0}
    found = spread({1: 1.0}, links_of(graph), relevance=lambda seqs: {2: 0.1, 3: 0.9}, limit=2)
    assert [node.seq for node in found] == [1, 3]


@pytest.mark.conforms("E2")
@given(graph=GRAPHS, threshold=st.floats(0.01, 0.5))
def test_strength_is_the_product_along_the_strongest_path(graph, threshold):
    found = spread({1: 1.0}, links_of(graph), threshold=threshold, fan_out=0.9)
    expected = strongest_by_trying_every_path(graph, 1, threshold, 0.9)
    got = {node.seq: node.strength for node in found}
    assert got.keys() == expected.keys()
    assert all(math.isclose(got[seq], expected[seq]) for seq in expected)


@pytest.mark.conforms("E2")
def test_one_link_of_weight_zero_ends_a_path():
    found = spread({1: 1.0}, links_of({(1, 2): 0.0, (2, 3): 1.0}), threshold=1e-9)
    assert [node.seq for node in found] == [1]


@pytest.mark.conforms("E3")
def test_paths_below_the_threshold_are_not_followed():
    chain = {(n, n + 1): 0.5 for n in range(1, 20)}
    found = spread({1: 1.0}, links_of(chain), threshold=0.1, fan_out=1.0)
    assert [node.seq for node in found] == [1, 2, 3, 4]


@pytest.mark.conforms("E4")
@given(graph=GRAPHS)
def test_a_cyclic_graph_ends_in_the_same_order_every_time(graph):
    ring = {**graph, (1, 2): 1.0, (2, 3): 1.0, (3, 1): 1.0}
    shuffled = dict(reversed(ring.items()))
    first, second = (spread({1: 1.0, 3: 0.5}, links_of(g), fan_out=1.0) for g in (ring, shuffled))
    assert [(n.seq, n.strength) for n in first] == [(n.seq, n.strength) for n in second]


@pytest.mark.conforms("E6")
def test_importance_stays_while_age_lowers_how_salient_it_is_now():
    now = [effective_salience(0.8, [age]) for age in (0.1, 1, 10, 100)]
    assert all(a > b for a, b in pairwise(now))
    assert effective_salience(0.8, [100, 0.1]) > effective_salience(0.8, [100])


@pytest.mark.conforms("E7")
def test_only_the_last_ten_accesses_beside_the_creation_count():
    recent = [float(n) for n in range(1, MAX_ACCESSES + 2)]
    assert base_level([*recent, 500.0, 900.0]) == base_level(recent)


@pytest.mark.conforms("E8")
@given(ages=st.lists(st.floats(0, 10_000), min_size=1, max_size=30))
def test_presence_stays_between_nothing_and_one_and_never_reaches_nothing(ages):
    assert 0.0 < presence(ages) < 1.0


@given(age=st.floats(0, 10_000))
def test_many_engrams_at_once_get_the_presence_each_gets_alone(age):
    import numpy as np

    assert math.isclose(float(once(np.array([age]))[0]), presence([age]), rel_tol=1e-9)


@pytest.mark.conforms("E20")
@given(days=st.lists(st.floats(0, 400), max_size=30))
def test_use_together_raises_a_weight_disuse_lowers_it_and_it_stays_in_bounds(days):
    weights, at = Weights({}), 0.0
    for pause in days:
        at += pause * 86_400
        before = weights.weight((1, 2), now_s=at)
        weights = weights.used_together([1, 2], [(1, 2), (2, 3)], at_s=at)
        after = weights.weight((1, 2), now_s=at)
        assert FLOOR <= before <= after <= 1.0
        assert weights.weight((1, 2), now_s=at + 86_400) < after
    assert weights.weight((2, 3), now_s=at) == FRESH


@pytest.mark.conforms("E19")
def test_using_engrams_together_never_makes_a_link():
    assert Weights({}).used_together([1, 2, 3], [], at_s=0.0).used == {}


def test_weights_survive_being_written_and_damage_only_forgets_them():
    weights = Weights({}).used_together([1, 2], [(1, 2)], at_s=100.0)
    assert Weights.from_bytes(weights.to_bytes()) == weights
    assert Weights.from_bytes(b"\xff\x00 not json") == Weights({}) == Weights.from_bytes(None)
