"""What most tests of the partner begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.operations import Partner
from partner.settings import Config, EmbeddingSettings, Settings
from router.engines.scripted import ScriptedEngine
from router.model import Engine


@pytest.fixture
def opened(tmp_path: Path, clock) -> Iterator[Callable[..., Partner]]:
    """Open a partner on a store file of this test, with the given engines; again: the same store."""
    with ExitStack() as stack:

        def open_(*engines: Engine) -> Partner:
            settings = Settings(
                home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
            )
            named = {engine.name: engine for engine in engines or (ScriptedEngine("Understood."),)}
            return stack.enter_context(open_partner(settings, clock=clock, engines=named))

        yield open_


@pytest.fixture
def unaided(tmp_path: Path, clock) -> Iterator[Partner]:
    """A partner with neither engine nor embedder, on a store file of this test."""
    settings = Settings(
        home=tmp_path,
        models_dir=tmp_path / "models",
        store=str(tmp_path / "identity.partner"),
        engine="none",
        config=Config(embedding=EmbeddingSettings(enabled=False)),
    )
    with open_partner(settings, clock=clock, engine_free=True) as partner:
        yield partner
