"""Related words from the shipped thesaurus (derived from WordNet), for the compiler only."""

from __future__ import annotations

from collections.abc import Mapping


def related(word: str) -> Mapping[str, float]:
    """Keys related to an English noun with their grades."""
    return {}
