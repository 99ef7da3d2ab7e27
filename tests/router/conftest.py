"""What the router's tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_provider import FakeProvider, Reply

from router import Ledger, Router
from router.engines.llama_cpp import LlamaCppEngine

LANGUAGE = "SmolLM2-135M-Instruct.Q4_1.gguf"
MEANING = "all-MiniLM-L6-v2.f16.gguf"


@pytest.fixture
def ledger(clock) -> Iterator[Ledger]:
    made = Ledger("memory:", clock=clock)
    yield made
    made.close()


@pytest.fixture
def provider() -> Iterator[Callable[..., FakeProvider]]:
    made: list[FakeProvider] = []

    def make(*replies: Reply) -> FakeProvider:
        made.append(FakeProvider(*replies))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def route(ledger: Ledger) -> Iterator[Callable[..., Router]]:
    """A router over the given engines, in that order."""
    made: list[Router] = []

    def make(*engines, **options) -> Router:
        names = {engine.name: engine for engine in engines}
        made.append(Router(names, order=list(names), ledger=ledger, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="session")
def language_model(models_dir: Path) -> Path:
    return models_dir / LANGUAGE


@pytest.fixture(scope="session")
def meaning_model(models_dir: Path) -> Path:
    return models_dir / MEANING


@pytest.fixture(scope="module")
def smollm(language_model: Path) -> Iterator[LlamaCppEngine]:
    """The embedded engine, loaded once a module."""
    engine = LlamaCppEngine(language_model, name="local")
    yield engine
    engine.close()
