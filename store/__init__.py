"""What is known: a signed, append-only sequence of engrams, and what follows from it.

Names load on first use, so that `import store.model` (which the gate does) loads no database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.briefing import Briefing
    from store.chain import Head
    from store.checkpoints import Checkpoint
    from store.importing import sealed_export
    from store.keys import Identity
    from store.opening import create_store, import_store, open_store, protection
    from store.portable import export_store
    from store.published_schema import entry_schema
    from store.records import Edge, Hit, Problem, Status, VerifyReport
    from store.sqlite.maintenance import move_store, rekey_store
    from store.store import Store

_HOME = {
    "Briefing": "store.briefing",
    "Checkpoint": "store.checkpoints",
    "Edge": "store.records",
    "Head": "store.chain",
    "Hit": "store.records",
    "Identity": "store.keys",
    "Problem": "store.records",
    "Status": "store.records",
    "Store": "store.store",
    "VerifyReport": "store.records",
    "create_store": "store.opening",
    "entry_schema": "store.published_schema",
    "export_store": "store.portable",
    "import_store": "store.opening",
    "move_store": "store.sqlite.maintenance",
    "open_store": "store.opening",
    "protection": "store.opening",
    "rekey_store": "store.sqlite.maintenance",
    "sealed_export": "store.importing",
}

__all__ = [
    "Briefing",
    "Checkpoint",
    "Edge",
    "Head",
    "Hit",
    "Identity",
    "Problem",
    "Status",
    "Store",
    "VerifyReport",
    "create_store",
    "entry_schema",
    "export_store",
    "import_store",
    "move_store",
    "open_store",
    "protection",
    "rekey_store",
    "sealed_export",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
