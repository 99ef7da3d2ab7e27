"""The backends that every contract is run on. A further backend is one more entry of `BACKENDS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from drafting import opened

from store import Store

Opener = Callable[..., Store]


def _memory(_: pytest.FixtureRequest) -> dict[str, Any]:
    return {"target": "memory:"}


def _sqlite(request: pytest.FixtureRequest) -> dict[str, Any]:
    folder: Path = request.getfixturevalue("tmp_path")
    return {"target": folder / "identity.partner"}


def _encrypted(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {**_sqlite(request), "passphrase": "open sesame", "encrypt": True}


def _postgres(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"target": request.getfixturevalue("database")}


BACKENDS = {
    "memory": pytest.param(_memory, id="memory"),
    "sqlite": pytest.param(_sqlite, id="sqlite"),
    "postgres": pytest.param(_postgres, id="postgres", marks=pytest.mark.xdist_group("postgres")),
}
# encryption is another way into the same SQLite backend, and its key stretching costs 0.1 s each time
ENCRYPTED = pytest.param(_encrypted, id="sqlite-encrypted")
LASTING = [ENCRYPTED, *(backend for name, backend in BACKENDS.items() if name != "memory")]


@pytest.fixture(params=list(BACKENDS.values()))
def store(request: pytest.FixtureRequest, clock: Any) -> Iterator[Store]:
    with opened(clock=clock, **request.param(request)) as made:
        yield made


@pytest.fixture(params=LASTING)
def reopen(request: pytest.FixtureRequest, clock: Any) -> Opener:
    """Opens the same lasting store again and again."""

    def again(**options: Any) -> Store:
        return opened(clock=clock, **request.param(request), **options)

    return again


@pytest.fixture(params=[BACKENDS["sqlite"], BACKENDS["postgres"]])
def sealable(request: pytest.FixtureRequest, clock: Any) -> Opener:
    """As `reopen`, where the key is sealed apart from the file."""

    def again(**options: Any) -> Store:
        return opened(clock=clock, **request.param(request), **options)

    return again
