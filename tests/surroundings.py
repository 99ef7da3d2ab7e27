"""Where the tests stand, by names that a test may import (every folder's conftest is called `conftest`)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GUARD = ROOT / "tests" / "guard"
MODEL_FILES = ("SmolLM2-135M-Instruct.Q4_1.gguf", "all-MiniLM-L6-v2.f16.gguf")
Program = Callable[..., "subprocess.CompletedProcess[str]"]  # what the fixture `program` gives
