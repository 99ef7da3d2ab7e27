"""What the published vector index promises."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.model import Klass
from store.retrieval import segment, vectors
from store.retrieval.codec import StoredVector, decode, encode
from store.retrieval.fakes import WordEmbedding
from store.retrieval.index import MANIFEST, VectorIndex
from store.retrieval.segment import only_publisher, open_segment, to_bytes
from store.retrieval.tail import Tail
from store.retrieval.vectors import nearest

MODEL = "test model"
DIM = 32
EVERY = tuple(Klass)


def blob(seq: int, seed: int = 0) -> bytes:
    rng = np.random.default_rng([seed, seq])
    pooled = rng.standard_normal(DIM).astype(np.float32)
    tokens = rng.standard_normal((3, DIM)).astype(np.float32)
    tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
    embedding = WordEmbedding(pooled / np.linalg.norm(pooled), tokens, rng.integers(0, 50, 3))
    return encode(embedding, session=f"s{seq // 7}" if seq % 3 else None, hub=float(rng.random() / 10))


class Vectors:
    """The part of the corpus that the index reads."""

    def __init__(self, seqs: list[int]) -> None:
        self.put = [(position, seq, EVERY[seq % 4], blob(seq)) for position, seq in enumerate(seqs, 1)]

    def vectors(self, model: str, *, after: int = 0):
        return (row for row in list(self.put) if row[0] > after)


def index_of(corpus: Vectors, folder: Path | None, span: int = 64, *, publish: bool = True) -> VectorIndex:
    index = VectorIndex(MODEL, folder, span=span)
    index.take_in(corpus)  # pyright: ignore[reportArgumentType]
    if publish:
        index.publish(head=max((row[1] for row in corpus.put), default=0), at_least=1)
    return index


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def brute_force(corpus: Vectors, query: np.ndarray, classes: set[Klass], limit: int) -> list[int]:
    newest = {seq: (klass, decode(data)) for _, seq, klass, data in corpus.put}
    scored = [
        (-(vector.pooled.astype(np.float32) @ query - np.float32(vector.hub)), seq)
        for seq, (klass, vector) in newest.items()
        if klass in classes
    ]
    return [seq for _, seq in sorted(scored)[:limit]]


@pytest.mark.conforms("E13")
@settings(max_examples=25, deadline=None)
@given(
    seqs=st.lists(st.integers(1, 300), min_size=1, max_size=200, unique=True),
    classes=st.sets(st.sampled_from(EVERY[:4]), min_size=1),
    seed=st.integers(0, 99),
)
def test_search_over_segments_and_tail_equals_brute_force(tmp_path_factory, seqs, classes, seed):
    corpus = Vectors(seqs)
    index = index_of(corpus, tmp_path_factory.mktemp("index"))
    query = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)
    found = nearest(index.views(), query, classes=classes, limit=10)[0].tolist()
    assert found == brute_force(corpus, query, classes, 10)


@pytest.mark.conforms("E14")
def test_two_builds_give_identical_bytes_whatever_order_the_vectors_came_in(tmp_path):
    forward, backward = list(range(1, 301)), list(range(300, 0, -1))
    index_of(Vectors(forward), tmp_path / "a")
    index_of(Vectors(backward), tmp_path / "b")
    a = {name: data for name, data in files(tmp_path / "a").items() if name.endswith(".seg")}
    b = {name: data for name, data in files(tmp_path / "b").items() if name.endswith(".seg")}
    assert len(a) == 4
    assert a == b


def test_building_step_by_step_gives_the_same_segments_as_at_once(tmp_path):
    seqs = list(range(1, 257))
    index_of(Vectors(seqs), tmp_path / "once")
    corpus = Vectors([])
    index = VectorIndex(MODEL, tmp_path / "steps", span=64)
    for seq in reversed(seqs):
        corpus.put.append((len(corpus.put) + 1, seq, EVERY[seq % 4], blob(seq)))
        if seq % 50 == 0:
            index.take_in(corpus)  # pyright: ignore[reportArgumentType]
            index.publish(head=256, at_least=1)
    index.take_in(corpus)  # pyright: ignore[reportArgumentType]
    index.publish(head=256, at_least=1)
    once, steps = files(tmp_path / "once"), files(tmp_path / "steps")
    assert {n: d for n, d in once.items() if n.endswith(".seg")} == {
        n: d for n, d in steps.items() if n.endswith(".seg")
    }


def test_building_in_pieces_holds_few_vectors_and_gives_the_same_segments_as_at_once(tmp_path):
    corpus = Vectors(list(range(1, 301)))
    index_of(corpus, tmp_path / "once")
    index = VectorIndex(MODEL, tmp_path / "pieces", span=64)
    most = 0
    while index.take_in(corpus, at_most=80):  # pyright: ignore[reportArgumentType]
        most = max(most, sum(len(view) for view in index.views()[len(index._sealed) :]))
        index.publish(head=300, at_least=1)
    index.publish(head=300, at_least=1)
    assert most < 160
    once, pieces = files(tmp_path / "once"), files(tmp_path / "pieces")
    assert {n: d for n, d in once.items() if n.endswith(".seg")} == {
        n: d for n, d in pieces.items() if n.endswith(".seg")
    }


@pytest.mark.conforms("E12")
def test_an_engram_without_a_vector_is_not_in_the_index(tmp_path):
    index = index_of(Vectors([1, 2, 4]), tmp_path)
    assert sorted(seq for view in index.views() for seq in view.seqs.tolist()) == [1, 2, 4]


@pytest.mark.conforms("E23")
def test_a_reopened_index_has_every_vector_once(tmp_path):
    corpus = Vectors([*range(1, 150), 3, 140])  # two were embedded again
    index_of(corpus, tmp_path)
    corpus.put.append((len(corpus.put) + 1, 150, EVERY[2], blob(150)))
    reopened = index_of(corpus, tmp_path, publish=False)
    assert not reopened.damaged
    assert sorted({seq for view in reopened.views() for seq in view.seqs.tolist()}) == list(range(1, 151))
    query = np.ones(DIM, np.float32)
    assert nearest(reopened.views(), query, classes=EVERY, limit=5)[0].tolist() == brute_force(
        corpus, query, set(EVERY), 5
    )


@pytest.mark.parametrize("harm", ["flip", "cut", "remove", "flip the manifest", "empty the manifest"])
def test_a_damaged_index_is_noticed_read_from_the_store_and_built_again(tmp_path, harm):
    corpus = Vectors(list(range(1, 200)))
    index_of(corpus, tmp_path)
    whole = files(tmp_path)
    segments = sorted(tmp_path.rglob("*.seg"))
    manifest = next(tmp_path.rglob(MANIFEST))
    target = manifest if "manifest" in harm else segments[1]
    data = bytearray(target.read_bytes())
    if harm.startswith("flip"):
        data[len(data) // 2] ^= 1
        target.write_bytes(data)
    elif harm == "cut":
        target.write_bytes(data[: len(data) // 2])
    elif harm == "remove":
        target.unlink()
    else:
        target.write_bytes(b"")
    reopened = index_of(corpus, tmp_path, publish=False)
    assert reopened.damaged == [target.name]
    query = np.ones(DIM, np.float32)
    found = nearest(reopened.views(), query, classes=EVERY, limit=10)[0].tolist()
    assert found == brute_force(corpus, query, set(EVERY), 10)
    reopened.publish(head=199, at_least=1)
    assert {n: d for n, d in files(tmp_path).items() if n.endswith(".seg")} == {
        n: d for n, d in whole.items() if n.endswith(".seg")
    }
    assert not index_of(corpus, tmp_path, publish=False).damaged


def test_an_erased_engram_leaves_memory_and_every_file(tmp_path):
    corpus = Vectors(list(range(1, 200)))
    index = index_of(corpus, tmp_path)
    secret = decode(blob(70)).tokens.tobytes()
    assert any(secret in data for data in files(tmp_path).values())
    corpus.put = [row for row in corpus.put if row[1] not in (70, 199)]
    index.forget(70)
    index.forget(199)
    assert not any(secret in data for data in files(tmp_path).values())
    assert not any({70, 199} & set(view.seqs.tolist()) for view in index.views())


@pytest.mark.conforms("E11")
def test_thousands_of_searches_change_no_byte_of_the_index(tmp_path):
    corpus = Vectors(list(range(1, 200)))
    index_of(corpus, tmp_path)
    before = files(tmp_path)
    reader = index_of(corpus, tmp_path, publish=False)
    query = np.ones(DIM, np.float32)
    for _ in range(10_000):
        nearest(reader.views(), query, classes=EVERY, limit=3)
    assert files(tmp_path) == before


@pytest.mark.conforms("E15")
def test_readers_beside_one_writer_never_see_a_torn_view_and_every_insert_lands(tmp_path):
    corpus = Vectors([])
    index = VectorIndex(MODEL, tmp_path, span=256)
    truth = {seq: decode(blob(seq)).pooled.astype(np.float32) for seq in range(1, 3001)}
    problems: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.wait(0.001):
            for view in index.views():
                at = np.random.default_rng(len(view)).integers(0, len(view), 5)
                for row in at:
                    if not np.array_equal(view.pooled[row], truth[int(view.seqs[row])]):
                        problems.append(f"row {row}")
                if int(view.offsets[-1]) != view.tokens.shape[0]:
                    problems.append("offsets")

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for seq in range(1, 3001):
        corpus.put.append((seq, seq, EVERY[seq % 4], blob(seq)))
        if seq % 100 == 0:
            index.take_in(corpus)  # pyright: ignore[reportArgumentType]
            index.publish(head=seq)
    done.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert sorted(seq for view in index.views() for seq in view.seqs.tolist()) == list(range(1, 3001))


def _publish_until_killed(folder: Path) -> None:
    from store.retrieval import segment

    original = segment.write_atomically

    def slow(path: Path, data: bytes) -> None:
        if path.name == MANIFEST:
            os.kill(os.getpid(), signal.SIGKILL)
        original(path, data)

    segment.write_atomically = slow
    index_of(Vectors(list(range(1, 200))), folder)


@pytest.mark.conforms("E23")
def test_a_kill_in_the_middle_of_publishing_leaves_the_index_of_before(tmp_path):
    corpus = Vectors(list(range(1, 100)))
    index_of(corpus, tmp_path)
    before = {name: data for name, data in files(tmp_path).items() if MANIFEST in name}
    process = multiprocessing.get_context("fork").Process(target=_publish_until_killed, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    after = {name: data for name, data in files(tmp_path).items() if MANIFEST in name}
    assert after == before
    reopened = index_of(Vectors(list(range(1, 200))), tmp_path)
    assert not reopened.damaged
    assert sorted(seq for view in reopened.views() for seq in view.seqs.tolist()) == list(range(1, 200))


def _publish_often(folder: Path) -> None:
    for end in range(60, 400, 20):
        index_of(Vectors(list(range(1, end))), folder)


@pytest.mark.conforms("E15")
def test_two_processes_that_publish_at_once_leave_one_whole_index(tmp_path):
    both = [
        multiprocessing.get_context("fork").Process(target=_publish_often, args=(tmp_path,)) for _ in "ab"
    ]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    corpus = Vectors(list(range(1, 400)))
    index = index_of(corpus, tmp_path, publish=False)
    assert not index.damaged
    query = np.ones(DIM, np.float32)
    found = nearest(index.views(), query, classes=EVERY, limit=10)[0].tolist()
    assert found == brute_force(corpus, query, set(EVERY), 10)
    _publish_often(tmp_path)
    named = {path.name for path in tmp_path.rglob("*.seg")}
    manifest = next(tmp_path.rglob(MANIFEST)).read_text(encoding="utf-8")
    assert named
    assert all(name in manifest for name in named)


def test_while_another_publishes_an_index_waits_with_its_own_publishing(tmp_path):
    index_of(Vectors(list(range(1, 100))), tmp_path)
    folder = next(tmp_path.iterdir())
    with only_publisher(folder, wait=True):
        index = index_of(Vectors(list(range(1, 200))), tmp_path)
        assert len(index.views()[-1]) > 64
    assert index.publish(head=199, at_least=1) == 2


def test_a_disk_that_refuses_costs_only_the_publishing(tmp_path):
    (tmp_path / "index").write_bytes(b"a file where the folder should be")
    corpus = Vectors(list(range(1, 200)))
    index = index_of(corpus, tmp_path / "index")
    assert index.problem
    query = np.ones(DIM, np.float32)
    found = nearest(index.views(), query, classes=EVERY, limit=5)[0].tolist()
    assert found == brute_force(corpus, query, set(EVERY), 5)


def crowded(rng: np.random.Generator, first: int, count: int) -> Tail:
    """Vectors that gather around forty subjects, as those of sentences do; each tenth is a conclusion."""
    subjects = np.random.default_rng(1).standard_normal((40, 384))
    block = Tail()
    for seq in range(first, first + count):
        vector = subjects[rng.integers(40)] + rng.standard_normal(384)
        block.extend(
            [
                (
                    seq,
                    Klass.CONCLUSION if seq % 10 == 0 else Klass.OBSERVATION,
                    StoredVector(
                        session=0,
                        hub=float(rng.random() * 0.1),
                        pooled=(vector / np.linalg.norm(vector)).astype(np.float16),
                        tokens=np.zeros((1, 4), np.int8),
                        token_ids=np.zeros(1, np.uint32),
                    ),
                )
            ]
        )
    return block


@pytest.mark.conforms("E13")
@pytest.mark.parametrize("classes", [EVERY, [Klass.CONCLUSION]], ids=["every class", "a rare class"])
def test_where_bits_choose_what_is_compared_the_exact_first_ten_are_found(tmp_path, monkeypatch, classes):
    rng = np.random.default_rng(2)
    sealed = crowded(rng, 1, 3_000).view()
    tail = crowded(rng, 3_001, 50).view()
    assert sealed is not None
    assert tail is not None
    (tmp_path / "one.seg").write_bytes(to_bytes(sealed))
    views = (open_segment(tmp_path / "one.seg"), tail)
    shares = []
    for _ in range(20):
        beside = sealed.pooled[rng.integers(3_000)] + rng.standard_normal(384) * 0.04
        query = np.asarray(beside, np.float32)
        exact = nearest(views, query, classes=classes, limit=10)[0].tolist()
        monkeypatch.setattr(vectors, "EXACT_UP_TO", 100)
        found = nearest(views, query, classes=classes, limit=10)[0].tolist()
        monkeypatch.undo()
        assert len(found) == 10
        shares.append(len(set(found) & set(exact)) / 10)
    assert np.mean(shares) >= 0.95
    newest = tail.pooled[-1]
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 100)
    assert nearest(views, newest, classes=EVERY, limit=1)[0].tolist() == [3_050]


def test_nothing_is_answered_from_files_that_are_still_being_hashed(tmp_path, monkeypatch):
    corpus = Vectors(list(range(1, 200)))
    index_of(corpus, tmp_path)
    broken = sorted(tmp_path.rglob("*.seg"))[0]
    data = bytearray(broken.read_bytes())
    data[-200] ^= 1
    broken.write_bytes(data)
    let_go = threading.Event()
    hashed = segment.digest

    def slow(path: Path) -> str:
        assert let_go.wait(10)
        return hashed(path)

    monkeypatch.setattr(segment, "digest", slow)
    index = VectorIndex(MODEL, tmp_path, span=64)
    assert index.opening
    answers: list[int] = []
    asking = threading.Thread(target=lambda: answers.append(sum(len(view) for view in index.views())))
    asking.start()
    asking.join(0.1)
    assert answers == []
    let_go.set()
    asking.join()
    assert answers == [128]
    assert index.damaged == [broken.name]
    assert not index.opening
