"""Late interaction, neighbours and session strength against their naive oracles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.model import Klass
from store.retrieval import late, vectors
from store.retrieval.codec import StoredVector, decode, encode, quantise, session_number
from store.retrieval.comparing import Meaning, in_conversation
from store.retrieval.fakes import WordEmbedder, WordEmbedding
from store.retrieval.projection import projection, reduce_tokens
from store.retrieval.retriever import Retriever
from store.retrieval.scoring import session_strength
from store.retrieval.settings import RankSettings
from store.retrieval.tail import Tail, View
from store.retrieval.text import pieces
from store.retrieval.writing import PIECE_CHARS
from tests.store.retrieval.corpus import START, MemoryCorpus

DIM = 16
ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=24)


def unit(rng: np.random.Generator, count: int) -> np.ndarray:
    rows = rng.standard_normal((count, DIM)).astype(np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def blocks(rows: list[tuple[int, int]], split: int, seed: int) -> tuple[list[View], dict[int, StoredVector]]:
    """Two views over engrams (session, number of tokens), the first `split` of them in the first."""
    rng = np.random.default_rng(seed)
    stored = {
        seq: StoredVector(
            session=session,
            hub=0.0,
            pooled=unit(rng, 1)[0].astype(np.float16),
            tokens=quantise(unit(rng, count)),
            token_ids=rng.integers(0, 20, count).astype(np.uint32),
        )
        for seq, (session, count) in enumerate(rows, 1)
    }
    tails = Tail(), Tail()
    for seq, vector in stored.items():
        tails[seq > split].extend([(seq, Klass.OBSERVATION, vector)])
    return [view for tail in tails if (view := tail.view()) is not None], stored


def naive_match(query: np.ndarray, vector: StoredVector) -> np.ndarray:
    """For each token of the question, its best cosine with any token of one text, one by one."""
    return np.array(
        [
            max((float(token @ other) / 127 for other in vector.tokens.astype(np.float32)), default=-1.0)
            for token in query
        ]
    )


def naive_neighbours(rows: list[tuple[int, int]], seq: int, reach: int) -> list[int]:
    session = rows[seq - 1][0]
    same = [other for other, (name, _) in enumerate(rows, 1) if name == session and session != 0]
    before = [other for other in reversed(same) if other < seq][:reach]
    after = [other for other in same if other > seq][:reach]
    return [*before, *[-1] * (reach - len(before)), *after, *[-1] * (reach - len(after))]


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, split=st.integers(0, 24), seed=st.integers(0, 9))
def test_token_matches_equal_comparing_every_pair(rows, split, seed):
    views, stored = blocks(rows, split, seed)
    query = unit(np.random.default_rng(seed + 1), 3)
    seqs = np.array(sorted(stored), np.int64)
    got = late.matches(views, vectors.locate(views, seqs), query)
    expected = np.stack([naive_match(query, stored[int(seq)]) for seq in seqs], axis=1)
    assert np.allclose(got, expected, atol=1e-5)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, split=st.integers(0, 24), reach=st.integers(1, 3))
def test_neighbours_are_the_nearest_turns_of_the_session_across_every_block(rows, split, reach):
    views, _ = blocks(rows, split, 0)
    seqs = np.arange(1, len(rows) + 1)
    sessions = np.array([session for session, _ in rows], np.uint32)
    got = vectors.neighbours(views, seqs, sessions, reach=reach)
    assert got.tolist() == [naive_neighbours(rows, int(seq), reach) for seq in seqs]


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, split=st.integers(0, 24), seed=st.integers(0, 9))
def test_a_neighbours_match_counts_at_its_discount(rows, split, seed):
    views, stored = blocks(rows, split, seed)
    query = unit(np.random.default_rng(seed + 1), 3)
    weights = np.full(3, 1 / 3, np.float32)
    s = RankSettings()
    seqs = np.arange(1, len(rows) + 1)
    got = in_conversation(
        views, Meaning(unit(np.random.default_rng(5), 1)[0], query, weights), {}, seqs, s, join=True
    )
    for at, seq in enumerate(got.seqs.tolist()):
        matched = naive_match(query, stored[seq])
        for other, discount in zip(naive_neighbours(rows, seq, 2), s.discounts, strict=True):
            if other > 0:
                beside = naive_match(query, stored[other])
                matched = np.maximum(matched, np.where(beside > 0, beside * discount, beside))
        assert got.window[at] == pytest.approx(matched.mean(), abs=1e-5)


@given(
    cells=st.lists(st.tuples(st.integers(0, 3), st.floats(-1, 1, width=32)), min_size=1, max_size=30),
)
def test_a_session_is_as_strong_as_the_mean_of_its_three_best(cells):
    sessions = np.array([session for session, _ in cells], np.uint32)
    values = np.array([value for _, value in cells], np.float32)
    floor = min((value for session, value in cells if session), default=0.0)

    def naive(session: int, value: float) -> float:
        if session == 0:
            return value
        best = sorted((v for s, v in cells if s == session), reverse=True)[:3]
        return sum([*best, *[floor] * (3 - len(best))]) / 3

    expected = [naive(session, value) for session, value in cells]
    assert np.allclose(session_strength(sessions, values), expected, atol=1e-5)


def test_rare_tokens_weigh_more_than_common_ones():
    common, rare = [(0, 1)] * 20, 3
    tail = Tail()
    rng = np.random.default_rng(0)
    for seq, _ in enumerate(common, 1):
        ids = np.array([1, rare] if seq == 7 else [1, 2], np.uint32)
        vector = StoredVector(
            session=0, hub=0.0, pooled=unit(rng, 1)[0], tokens=quantise(unit(rng, 2)), token_ids=ids
        )  # fmt: skip
        tail.extend([(seq, Klass.OBSERVATION, vector)])
    view = tail.view()
    assert view is not None
    weights = late.rarity([view], np.array([1, rare, 99_999]))
    assert weights[0] < weights[1] < weights[2]
    assert weights.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(("claims", "counted"), [(3, False), (12, True)])
def test_claims_are_counted_among_the_vectors_only_where_they_are_the_most(claims: int, counted: bool):
    tail = Tail()
    rng = np.random.default_rng(0)
    for seq in range(1, 11 + claims):
        klass = Klass.OBSERVATION if seq <= 10 else Klass.CONCLUSION
        ids = np.array([1, 2] if klass is Klass.OBSERVATION else [2, 3], np.uint32)  # 1: the speaker's name
        tokens = quantise(unit(rng, 2))
        tail.extend([(seq, klass, StoredVector(session=0, hub=0.0, pooled=unit(rng, 1)[0], tokens=tokens, token_ids=ids))])  # fmt: skip  # noqa: E501
    view = tail.view()
    assert view is not None
    name, matter = late.rarity([view], np.array([1, 2]))
    assert (name > matter) == counted


def test_the_projection_keeps_cosines_and_is_the_same_matrix_everywhere():
    rng = np.random.default_rng(3)
    wide = rng.standard_normal((200, 384)).astype(np.float32)
    wide /= np.linalg.norm(wide, axis=1, keepdims=True)
    matrix = projection(384)
    assert matrix.shape == (384, 128)
    assert np.allclose(matrix.T @ matrix, np.eye(128), atol=0.01)
    assert np.array_equal(matrix * 4096, np.rint(matrix * 4096))  # on a grid, so no machine differs
    assert int(np.abs(matrix.astype(np.float64) * 4096).sum()) == 9473345
    small = reduce_tokens(wide)
    assert np.abs(small @ small.T - wide @ wide.T).mean() < 0.1


def test_a_blob_reads_back_as_it_was_put_and_a_cut_one_is_refused():
    from store.errors import StoreDamaged

    embedding = WordEmbedder(32).embed_tokens(["green tea at noon"])[0]
    assert isinstance(embedding, WordEmbedding)
    blob = encode(embedding, session="s1", hub=0.25)
    read = decode(blob)
    assert read.session == session_number("s1") != 0
    assert read.hub == 0.25
    assert np.array_equal(read.token_ids, embedding.token_ids)
    assert np.allclose(read.tokens / 127, embedding.tokens, atol=0.005)
    for harm in (blob[:-1], blob[:10], b"XXXX" + blob[4:]):
        with pytest.raises(StoreDamaged):
            decode(harm)


def test_a_long_text_is_embedded_in_pieces_and_its_last_word_is_found():
    embedder = WordEmbedder()
    corpus = MemoryCorpus()
    corpus.add("Something else")
    filler = " ".join(f"word{number}" for number in range(6_000))
    wanted = corpus.add(f"{filler} marigold {filler} {filler}")
    corpus.embed(embedder)
    vector = decode(corpus.stored[1][2])
    assert len(filler) * 3 > 16 * PIECE_CHARS
    assert WordEmbedder().embed_tokens(["marigold"])[0].token_ids[0] in vector.token_ids
    assert len(set(vector.token_ids.tolist())) == vector.token_ids.shape[0]
    ranking = Retriever(corpus, embedder).rank("marigold", now=START)
    assert ranking.hits[0].seq == wanted


@given(st.text(alphabet="ab \n\u00e9", max_size=80), st.integers(1, 20))
def test_pieces_are_the_text_and_none_is_too_long(text, limit):
    found = pieces(text, limit)
    assert "".join(found) == text
    assert all(len(piece) <= limit for piece in found)
