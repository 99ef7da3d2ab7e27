"""How many models may be loaded at once: a memory budget, the least recently used idle one goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

DEFAULT_BUDGET_BYTES = 6 * 1024**3


class MemoryPool:
    """Keeps the sum of the loaded models under `budget_bytes`. Thread-safe.

    An engine asks with `admit` before it loads and names how to unload it again; `evict` returns False
    while the model is answering, which leaves it in place. A model larger than the budget is still loaded
    when nothing else is: refusing the operator's only model would help nobody.
    """

    def __init__(self, budget_bytes: int = DEFAULT_BUDGET_BYTES) -> None:
        self.budget_bytes = budget_bytes
        self._lock = threading.Lock()
        self._loaded: OrderedDict[str, tuple[int, Callable[[], bool]]] = OrderedDict()

    def admit(self, key: str, size_bytes: int, evict: Callable[[], bool]) -> list[str]:
        """Make room for a model, note it as loaded, and return the keys of those that were unloaded."""
        evicted = []
        with self._lock:
            self._loaded.pop(key, None)
            for other in list(self._loaded):
                if self._total() + size_bytes <= self.budget_bytes:
                    break
                if self._loaded[other][1]():
                    del self._loaded[other]
                    evicted.append(other)
            self._loaded[key] = (size_bytes, evict)
        return evicted

    def touch(self, key: str) -> None:
        """Note a use."""
        with self._lock:
            if key in self._loaded:
                self._loaded.move_to_end(key)

    def release(self, key: str) -> None:
        """The model was unloaded by its owner."""
        with self._lock:
            self._loaded.pop(key, None)

    def loaded(self) -> tuple[str, ...]:
        """Keys, least recently used first."""
        with self._lock:
            return tuple(self._loaded)

    def _total(self) -> int:
        return sum(size for size, _ in self._loaded.values())
