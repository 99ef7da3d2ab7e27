"""What retrieval needs from outside: an embedder and a corpus; and what it hands back: hits.

Both ports are structural. An embedder lives in another package (`router.embedding`) that does not import
this one; the store implements `Corpus` over its tables. Nothing here loads a database or a model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from store.model import Authority, EngramType, Klass

Float32 = NDArray[np.float32]


class TokenEmbedding(Protocol):
    """One text after one pass of the encoder.

    `pooled` is float32 [dim], the L2-normalised mean over all tokens; `tokens` float32 [n, dim], one
    L2-normalised vector a token, without the model's own marks ([CLS], [SEP]); `token_ids` int [n], the
    tokens' numbers in the model's vocabulary. A text longer than the window is split into windows whose
    tokens are concatenated and whose pooled vectors are averaged by length; it is never cut.
    """

    @property
    def pooled(self) -> Float32: ...
    @property
    def tokens(self) -> Float32: ...
    @property
    def token_ids(self) -> NDArray[np.integer]: ...


class Embedder(Protocol):
    """A local text encoder. Vectors of one `model` fingerprint are never compared with another's."""

    @property
    def model(self) -> str:
        """Fingerprint of the weights and of how they are run, for example `minilm-l6-f16:sha256:<hex>`."""
        ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Float32:
        """Pooled vectors, float32 [len(texts), dim], L2-normalised."""
        ...

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenEmbedding]:
        """Pooled and token vectors of every text from one pass, in order."""
        ...


@runtime_checkable
class Apart(Protocol):
    """An embedder that computes elsewhere: a question is handed over, and words are looked for meanwhile."""

    def begin(self, text: str) -> Callable[[], TokenEmbedding]:
        """Hand over a text and return at once; what is returned waits for its vectors and gives them."""
        ...


class Reranker(Protocol):
    """A local cross-encoder, where the operator has one: it reads question and text together."""

    @property
    def model(self) -> str: ...

    def score(self, query: str, texts: Sequence[str]) -> Float32:
        """How relevant each text is to the question: float32 [n], 0..1."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What ranking reads of one engram. Nothing here ever changes, so rows are kept between questions."""

    seq: int
    id: str
    klass: Klass
    type: EngramType
    content: str
    created_at: datetime
    salience: float
    authority: Authority
    speaker: str | None = None  # metadata `speaker`: a name, or `operator` / `partner`
    session: str | None = None  # metadata `session`: utterances of one session are neighbours by seq


class Corpus(Protocol):
    """What the store answers to ranking. Every method is a read and writes nothing (CONFORMANCE E11).

    `as_of` is a position in the log: entries after it don't exist and what holds is judged there; None
    is now. Prohibitions and control entries are never returned by any method (P5).
    """

    def lexical(
        self, match: str, *, classes: Collection[Klass], limit: int, as_of: int | None, history: bool
    ) -> Sequence[tuple[int, float]]:
        """(seq, score) of the best matches of an FTS5 expression, best first; a higher score is better.

        `match` comes from `store.retrieval.text.match_expression` and is run against what
        `store.retrieval.text.index_terms` gave at write. Unless `history`, only what holds is returned.
        """
        ...

    def frequencies(self, terms: Sequence[str], cap: int) -> Sequence[int]:
        """In how many texts each term of `store.retrieval.text` stands, counted up to `cap`."""
        ...

    def rows(self, seqs: Sequence[int]) -> Mapping[int, Row]:
        """The rows of `seqs`; unknown, erased and forbidden ones are left out."""
        ...

    def holding(self, seqs: Sequence[int], *, as_of: int | None) -> Collection[int]:
        """Those of `seqs` that hold: written by then, not superseded, retracted or erased."""
        ...

    def recent(
        self, *, classes: Collection[Klass], limit: int, as_of: int | None, history: bool
    ) -> Sequence[int]:
        """The newest positions of these classes that hold (of all when `history`), newest first."""
        ...

    def vectors(self, model: str, *, after: int = 0) -> Iterator[tuple[int, int, Klass, bytes]]:
        """(position, seq, class, blob) of stored vectors of one model, in the order they were put.

        `position` grows with every put (a rowid) and is the cursor of the next call; `blob` is what
        `store.retrieval.codec.encode` gave.
        """
        ...

    def accesses(self, seqs: Sequence[int]) -> Mapping[int, Sequence[float]]:
        """Last access times (Unix seconds, at most 10 a node, any order) of those that were reinforced."""
        ...

    def links(self, ids: Mapping[int, str], *, now_s: float) -> Mapping[int, Sequence[tuple[int, float]]]:
        """What each of these engrams (position -> id) is linked with, either way, and how strongly (0..1).

        Only links that hold and that bring something to mind: not those that end a claim (supersedes,
        retracts, contradicts). Empty where there are none.
        """
        ...

    def formed(self, ids: Mapping[int, str], *, as_of: int | None) -> Mapping[int, Formed]:
        """What was formed from these utterances (position -> id); those nothing was formed from are left
        out."""
        ...


@dataclass(frozen=True, slots=True)
class Formed:
    """What an utterance was settled into: positions of the claims, and the share 0..1 of them that no longer
    hold."""

    claims: tuple[int, ...]
    gone: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One ranked position: its score and what each term gave to it (the terms add up to the score)."""

    seq: int
    score: float
    reasons: Mapping[str, float] = field(default_factory=dict)
    duplicates: tuple[int, ...] = ()  # positions of the same words that were folded into this one
    near: bool = True  # likely about what was asked, and not merely the least unlike it


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """An answer: ranked positions best first, the classes asked, and how those were chosen."""

    hits: tuple[Ranked, ...]
    classes: tuple[Klass, ...]
    route: str
