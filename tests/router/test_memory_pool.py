"""Several models under one memory budget: the least recently used idle one makes room."""

from __future__ import annotations

import gc
from pathlib import Path

from asking import ask

from router import End
from router.engines.llama_cpp import LlamaCppEngine
from router.llama.pool import MemoryPool


def test_the_least_recently_used_goes_first_and_only_as_many_as_needed():
    pool = MemoryPool(budget_bytes=100)
    for key in "abc":
        assert pool.admit(key, 30, lambda: True) == []
    pool.touch("a")
    assert pool.admit("d", 35, lambda: True) == ["b"]
    assert pool.loaded() == ("c", "a", "d")


def test_one_that_is_answering_stays():
    pool = MemoryPool(budget_bytes=100)
    pool.admit("busy", 60, lambda: False)
    pool.admit("idle", 30, lambda: True)
    assert pool.admit("new", 50, lambda: True) == ["idle"]
    assert pool.loaded() == ("busy", "new")


def test_the_only_model_is_loaded_even_above_the_budget():
    pool = MemoryPool(budget_bytes=10)
    assert pool.admit("large", 50, lambda: True) == []
    assert pool.loaded() == ("large",)


def resident_bytes(pid: int | str = "self") -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def test_two_real_models_take_turns_in_memory_for_one(language_model):
    pool = MemoryPool(budget_bytes=300 * 1024**2)
    engines = [LlamaCppEngine(language_model, name=name, n_ctx=256, pool=pool) for name in ("one", "two")]
    for engine in (*engines, engines[0]):
        assert isinstance(list(engine.stream(ask("Hi", max_tokens=1)))[-1], End)
    assert pool.loaded() == ("one",)
    assert engines[1].worker is None
    for engine in engines:
        engine.close()
    assert pool.loaded() == ()


def test_unloading_gives_the_memory_back(language_model):
    engine = LlamaCppEngine(language_model, n_ctx=256)
    list(engine.stream(ask("Hi", max_tokens=1)))
    pid = engine.worker.pid
    assert engine.worker.resident_bytes() > 20 * 1024**2  # mapped pages may be out under pressure
    engine.close()
    gc.collect()
    before = resident_bytes()
    assert not Path(f"/proc/{pid}").exists()
    for _ in range(3):
        list(engine.stream(ask("Hi", max_tokens=1)))
        engine.close()
    gc.collect()
    assert resident_bytes() - before < 64 * 1024**2  # the model alone is more
