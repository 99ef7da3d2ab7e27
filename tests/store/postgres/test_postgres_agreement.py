"""PostgreSQL against the reference in memory: the same operations, asked every question, answer alike."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from drafting import DOCUMENT, INFERENCE, OPERATOR, draft, opened, ticking

from store import Store
from store.errors import BadRequest
from store.model import EngramType, Klass, Link, Relation
from store.port import EngramLog, Selection

pytestmark = pytest.mark.xdist_group("postgres")
WORDS = ["ana", "bo", "schema", "release", "note", "friday", "deploy", "money", "oslo", "rome"]
WORDS += ["ledger", "branch", "owns", "pays", "café", "東京"]
KINDS = [
    EngramType.DECISION,
    EngramType.NOTE,
    EngramType.OBJECTIVE,
    EngramType.UTTERANCE,
    EngramType.PROHIBITION,
]


def one_step(store: Store, rng: random.Random, ids: list[str]) -> None:
    """Anything an author may do, refused or not: both stores refuse the same."""
    target = rng.choice(ids) if ids else ""
    new = draft(
        " ".join(rng.choices(WORDS, k=rng.randint(1, 12))),
        rng.choice(KINDS),
        rng.choice([OPERATOR, OPERATOR, DOCUMENT, INFERENCE]),
        metadata={"subject": rng.choice(WORDS), "attribute": rng.choice(["owner", "age"])}
        if rng.random() < 0.5
        else {},
    )
    what = rng.randrange(9)
    if what == 0 and ids:
        store.supersede(target, new)
    elif what == 1 and ids:
        store.retract(target, "no longer")
    elif what == 2 and ids and rng.random() < 0.4:
        store.erase(target, "gone")
    elif what == 3 and ids:
        store.link(target, rng.choice(["references", "relates_to", "supersedes", "blocks"]), rng.choice(ids))
    elif what == 4 and ids:
        store.put_vectors("m", [(target, rng.randbytes(8))])
        store.reinforce([target], ticking()())
    elif what == 5 and ids:
        links = (Link(relation=Relation.CONTRADICTS, target=target),)
        ids.append(store.write(draft("otherwise", links=links)).id)
    else:
        ids.extend(e.id for e in store.write_many([new] * rng.randint(1, 3)))


def live(store: Store, seed: int, steps: int) -> list[str]:
    rng, ids, refusals = random.Random(seed), [], []
    for _ in range(steps):
        try:
            one_step(store, rng, ids)
        except BadRequest as error:
            refusals.append(f"{type(error).__name__}: {error}")
    return refusals


def selections(log: EngramLog) -> list[Selection]:
    last = log.head()[0]
    moments: list[dict[str, Any]] = [{}, {"position": last // 2}, {"position": 0}]
    moments += [{"instant_us": standing.effective_us} for standing in log.standings_at([last // 3])]
    kinds: list[dict[str, Any]] = [
        {},
        {"klasses": (Klass.CONCLUSION, Klass.KNOWLEDGE)},
        {"klasses": ()},
        {"types": (EngramType.RETRACTION, EngramType.NOTE)},
        {"subject": "schema"},
        {"subject": "oslo", "attribute": "owner"},
    ]
    shapes: list[dict[str, Any]] = [
        {},
        {"limit": 5},
        {"limit": 0},
        {"newest_first": False, "include_ended": True},
    ]
    return [Selection(**a, **b, **c) for a, b, c in itertools.product(moments, kinds, shapes)]


@pytest.mark.conforms("S18")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_answer_every_question_alike(database: str, seed: int) -> None:
    with opened("memory:", ticking()) as reference, opened(database, ticking()) as store:
        assert live(store, seed, 150) == live(reference, seed, 150)
        ours, theirs = store.backend, reference.backend
        assert list(ours.entries()) == list(theirs.entries())
        assert list(ours.standings()) == list(theirs.standings())
        assert ours.edges(include_ended=True) == theirs.edges(include_ended=True)
        ids = [standing.id for standing in ours.standings()]
        for some in (ids[:3], ids[5:40:5], [ids[-1]], []):
            assert ours.edges(some) == theirs.edges(some)
            assert ours.edges(some, Relation.SUPERSEDES) == theirs.edges(some, Relation.SUPERSEDES)
        strip = [[row[1:] for row in log.vectors("m")] for log in (ours, theirs)]
        assert strip[0] == strip[1]
        seqs = list(range(1, ours.head()[0] + 2))
        assert ours.accesses(seqs) == theirs.accesses(seqs)
        for selection in selections(theirs):
            assert ours.select_seqs(selection) == theirs.select_seqs(selection), selection
            assert ours.holding(seqs, selection) == theirs.holding(seqs, selection), selection
        assert store.head() == reference.head()
        assert store.verify(full=True).ok


@pytest.mark.parametrize("seed", [4, 5])
def test_words_are_ranked_alike_and_scored_to_nine_digits(database: str, seed: int) -> None:
    with opened("memory:", ticking()) as reference, opened(database, ticking()) as store:
        live(reference, seed, 200)
        live(store, seed, 200)
        for match in (
            '"ana"',
            '"ana" OR "schema"',
            '"cafe" OR "東京" OR "nowhere"',
            '"nowhere"',
            "",
            '"own" OR "pai" OR "ana"',
        ):
            for selection in (Selection(), Selection(limit=7), Selection(include_ended=True, position=60)):
                ours, theirs = (s.backend.lexical(match, selection) for s in (store, reference))
                assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], abs=1e-9)
                assert [seq for seq, _ in ours] == [seq for seq, _ in theirs], match
        for query in ("who owns the schema", "money for oslo", "friday deploy"):
            assert [h.engram.id for h in store.search(query)] == [
                h.engram.id for h in reference.search(query)
            ]
