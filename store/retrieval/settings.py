"""Every number ranking uses, with its default; configs/retrieval.toml may override any of them.

Weights were chosen on LoCoMo conversations 1-3 only and are few on purpose; what each of them gives is in
the ablation table that benchmarks/retrieval.py prints.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from store.errors import BadRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSettings:
    """Weights are per term scaled to about 0..1; counts are of engrams."""

    # candidates
    lexical_candidates: int = 100
    dense_candidates: int = 100
    max_candidates: int = 9_600  # where a class is full of what no longer holds, the search widens up to here
    expanded: int = 30  # best candidates whose neighbouring turns join in
    read: int = 100  # best candidates whose rows are read and that get the remaining terms
    # a neighbouring turn's match of a token counts this much: one and two turns before, one and two after
    window_before: tuple[float, ...] = (0.9, 0.8)
    window_after: tuple[float, ...] = (0.8, 0.7)
    # where turns are of uneven length (deviation of ln(tokens): not up to `even`, fully from `uneven` on)
    even: float = 0.75
    uneven: float = 1.1
    dilute_from: int = 64  # a match in a turn of more tokens is worth less, by
    dilution: float = 0.1  # this much for every e-fold of them
    uneven_alone: float = 0.4  # a turn is judged alone to this share, in its window to the rest
    uneven_dense: float = 0.2  # and by its meaning as a whole
    # similarity: of an utterance its tokens count in their window, of a claim alone
    weight_similarity: float = 1.0
    utterance_late: float = 1.0
    utterance_dense: float = 0.0
    claim_late: float = 0.8
    claim_dense: float = 0.4
    standing_late: float = 0.5  # of dispositions and objectives, which are met by topic more than by words
    standing_dense: float = 1.0
    weight_session: float = 0.4  # how strong the rest of its session is
    weight_lexical: float = 0.05
    weight_reply: float = 0.08  # what the question before a turn adds to its answer, beyond its match in full
    # cues of the question
    weight_speaker: float = 0.025  # a turn of the speaker that the question names
    weight_self: float = 0.2  # a claim about oneself, where one asks about oneself
    # the partner's turns behind the others: where one asks about oneself; else; as far as they are longer
    weight_role_self: float = 0.23
    weight_role: float = 0.04
    weight_role_longer: float = 0.16
    weight_role_asked: float = 0.08  # the others behind the partner's, where its words are asked for
    weight_asking: float = 0.12  # questions hold no answers
    weight_length: float = 0.02  # times ln(words): farewells hold none either
    weight_route: float = 0.4  # an engram of the class the question prefers; untuned
    weight_date: float = 0.12
    weight_answer: float = 0.08  # a time where a time is asked for, a number where a number is
    # links: the best candidates bring what they are linked with to mind; untuned
    seeds: int = 5
    weight_links: float = 0.3
    # a cross-encoder, where the operator gives one; untuned, and they cut both ways: measure yours
    reranked: int = 20  # best candidates that it reads
    weight_reranker: float = 0.2
    # what counts as near, by the share of likeness (tokens or meaning): below it a hit only fills a list
    near_claim: float = 0.3
    near_claim_sharing_words: float = 0.25
    near_utterance: float = 0.55
    near_utterance_sharing_words: float = 0.5
    near_foreign_claim: float = 0.62  # of another language than English
    near_foreign_utterance: float = 0.75
    near_foreign_sharing_words: float = 0.5
    near_words: float = 0.02  # of the term words, from here on it shares words
    # standing
    weight_outdated: float = 0.3  # an utterance some of whose claims no longer hold; with none left it is out
    weight_salience: float = 0.05
    weight_use: float = 0.03
    weight_recency: float = 0.02
    weight_authority: float = 0.16
    decay: float = 0.5  # d of base-level learning (Anderson & Schooler 1991)
    recency_half_life_days: float = 180.0

    @property
    def discounts(self) -> tuple[float, ...]:
        """The factors of the turns before (nearest first), then after, as many on either side."""
        reach = max(len(self.window_before), len(self.window_after))
        before, after = (
            (*side, *(0.0,) * (reach - len(side))) for side in (self.window_before, self.window_after)
        )
        return (*before, *after)

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            whole = isinstance(field.default, int)
            parts = value if isinstance(field.default, tuple) else (value,)
            allowed = int if whole else (int, float)
            if not isinstance(parts, tuple) or not all(
                isinstance(part, allowed) and not isinstance(part, bool) and part >= 0 for part in parts
            ):
                kind = "a whole number" if whole else "numbers" if isinstance(value, tuple) else "a number"
                raise BadRequest(f"retrieval setting {field.name} is {kind} from 0, not {value!r}")


def load_settings(path: Path | None) -> RankSettings:
    """Defaults, overridden by the table [rank] of a TOML file where there is one.

    Raises:
        BadRequest: the file is not TOML, or names a setting that doesn't exist.
    """
    if path is None:
        return RankSettings()
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")).get("rank", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"{path} is not valid TOML: {error}") from error
    unknown = table.keys() - {field.name for field in fields(RankSettings)}
    if unknown:
        raise BadRequest(f"{path}: unknown retrieval setting {', '.join(sorted(unknown))}")
    return replace(RankSettings(), **{k: tuple(v) if isinstance(v, list) else v for k, v in table.items()})
