"""What importing the router costs, and what it shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import router

HEAVY = ("httpx", "litellm", "llama_cpp", "diskcache", "numpy", "sqlcipher3", "pydantic", "torch", "gguf")
ROOT = Path(__file__).resolve().parents[2]


def loaded_after(source: str) -> set[str]:
    code = f"import sys\n{source}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True, timeout=60
    )
    return set(done.stdout.split())


def test_importing_the_router_loads_nothing_heavy():
    assert loaded_after("import router, router.model, router.errors") == set()


def test_building_a_router_of_every_engine_connects_to_nothing_and_loads_no_model_library():
    source = """
from datetime import UTC, datetime
from pathlib import Path
from router import Ledger
from router.config import build, load_config
text = '[engines.a]\\nkind="hosted"\\nmodel="openai/m"\\n[engines.b]\\nkind="openai_http"\\nmodel="m"\\n'
text += 'base_url="http://127.0.0.1:9/v1"\\n[engines.local]\\nkind="llama_cpp"\\nmodel="/nowhere"\\n'
ledger = Ledger("memory:", clock=lambda: datetime.now(UTC))
router = build(load_config(text), models_dir=Path("."), ledger=ledger)
router.why("Hi")
"""
    assert loaded_after(source).isdisjoint({"httpx", "litellm", "llama_cpp", "diskcache", "torch", "gguf"})


def test_every_public_name_is_there():
    for name in router.__all__:
        assert getattr(router, name) is not None
    assert sorted(router.__all__) == dir(router)
