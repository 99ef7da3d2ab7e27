"""What every test stands on: no socket leaves the machine, a home of its own, time that stands still."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from surroundings import GUARD, MODEL_FILES, ROOT, Program

pytest_plugins = ["postgres_server"]  # a real server, started by the first test that asks for it
START = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)  # a Wednesday


def _default_models() -> Path:
    """Where `make setup` put the models: found before the home is set aside."""
    from platformdirs import user_data_path

    named = os.environ.get("PARTNER_MODELS")
    home = os.environ.get("PARTNER_HOME")
    return (
        Path(named)
        if named
        else (Path(home) if home else user_data_path("partner", appauthor=False)) / "models"
    )


# a property is about values: how long one example takes on a loaded machine is no finding
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_configure(config: pytest.Config) -> None:
    runpy.run_path(str(GUARD / "sitecustomize.py"))
    os.environ.setdefault("PARTNER_TEST_MODELS", str(_default_models()))  # workers inherit the answer
    for name in [
        name for name in os.environ if name.startswith("PARTNER_") and name != "PARTNER_TEST_MODELS"
    ]:
        del os.environ[name]
    os.environ["PARTNER_HOME"] = tempfile.mkdtemp(prefix="partner-home-")
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"


def pytest_unconfigure(config: pytest.Config) -> None:
    import shutil

    # opened on import and left open, which the interpreter would tell as it ends
    if (library := sys.modules.get("llama_cpp._utils")) is not None:
        library.outnull_file.close()
        library.errnull_file.close()
    shutil.rmtree(os.environ["PARTNER_HOME"], ignore_errors=True)


class Clock:
    """A clock that moves only when told to; every reading is one millisecond later than the last."""

    def __init__(self, start: datetime = START) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def set(self, when: datetime) -> None:
        self.now = when


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder of the embedded models; without them the tests that need them fail with what to do."""
    folder = Path(os.environ["PARTNER_TEST_MODELS"])
    missing = [name for name in MODEL_FILES if not (folder / name).is_file()]
    if missing:
        pytest.fail(f"the models are not in {folder}: run `make setup` (missing: {', '.join(missing)})")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def program_env(home: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a child process: its own home, no engine variables, the socket guard installed."""
    unset = ("PARTNER_", "PYTEST_", "COV_", "COLUMNS", "LINES")  # the width of the one terminal is no other's
    keep = {key: value for key, value in os.environ.items() if not key.startswith(unset)}
    return {
        **keep,
        "PARTNER_HOME": str(home),
        "PARTNER_MODELS": os.environ["PARTNER_TEST_MODELS"],
        "PARTNER_GUARD_LOG": str(tmp_path / "guard.log"),
        "PYTHONPATH": os.pathsep.join([str(GUARD), str(ROOT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture
def program(program_env: dict[str, str], tmp_path: Path) -> Iterator[Program]:
    """Run the real program: `program("ask", "Who owns it?", stdin="...", env={...})`. Fails on any socket
    that left the machine, whatever the program made of the error."""

    def run(*argv: str, stdin: str | bytes = b"", env: dict[str, str] | None = None, timeout: float = 120):
        done = subprocess.run(
            [sys.executable, "-m", "partner", *argv],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**program_env, **(env or {})},
            timeout=timeout,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    yield run
    log = Path(program_env["PARTNER_GUARD_LOG"])
    assert not log.exists(), log.read_text()
