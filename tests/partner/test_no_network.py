"""Nothing leaves the machine: a network namespace without interfaces, and a guard that sees every socket."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from surroundings import GUARD, ROOT, Program

pytestmark = pytest.mark.xdist_group("language model")

FRIDAY = "2026-03-06T10:15:00+01:00"


def unshared(argv: list[str]) -> list[str]:
    """The command in a network namespace of its own; without root a user namespace is needed for it."""
    flags = ["-n"] if os.geteuid() == 0 else ["-rn"]
    return ["unshare", *flags, "--", *argv]


@pytest.fixture(scope="module")
def namespace() -> None:
    try:
        probe = subprocess.run(unshared(["true"]), capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("unshare (util-linux) is not installed")
    if probe.returncode != 0:
        pytest.skip(f"this kernel forbids network namespaces: {probe.stderr.strip()}")


def test_the_whole_path_works_in_a_namespace_without_interfaces(
    namespace: None, program_env: dict[str, str], tmp_path: Path, models_dir: Path
) -> None:
    def partner(*argv: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            unshared([sys.executable, "-m", "partner", *argv]),
            input=stdin,
            env=program_env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    alone = subprocess.run(unshared(["cat", "/proc/net/dev"]), capture_output=True, text=True, check=True)
    assert "eth" not in alone.stdout
    said = "We decided to drop the Postgres migration. Ana owns the schema now.\nWho owns the schema?\n"
    talk = partner("chat", stdin=said)
    assert talk.returncode == 0, talk.stderr
    assert "Ana" in talk.stdout.splitlines()[-1]
    assert partner("forbid", "Never deploy on Fridays.").returncode == 0
    assert partner("check", "Ship the new build to production now", "--at", FRIDAY).returncode == 3
    assert partner("ask", "Ship the new build to production now", "--at", FRIDAY).returncode == 3
    assert "Ana" in partner("recall", "Who owns the schema?").stdout
    assert partner("verify", "--full").returncode == 0
    assert not Path(program_env["PARTNER_GUARD_LOG"]).exists()


def test_the_guard_stops_and_notes_a_socket_that_leaves(program_env: dict[str, str]) -> None:
    code = "import socket; socket.create_connection(('192.0.2.1', 9), timeout=1)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=program_env, capture_output=True, text=True, check=False
    )
    assert "tests may not leave the machine" in done.stderr
    assert "192.0.2.1" in Path(program_env["PARTNER_GUARD_LOG"]).read_text()


def test_the_guard_lets_loopback_pass(program_env: dict[str, str]) -> None:
    code = (
        "import socket; server = socket.create_server(('127.0.0.1', 0));"
        "socket.create_connection(('localhost', server.getsockname()[1])).close(); server.close()"
    )
    subprocess.run([sys.executable, "-c", code], env=program_env, check=True)


def test_every_command_that_needs_no_provider_opens_no_socket_at_all(
    program: Program, program_env: dict[str, str]
) -> None:
    """Stricter than the guard of the suite: not even loopback."""
    strict = ROOT / "tests" / "guard" / "strict"
    env = {"PYTHONPATH": os.pathsep.join([str(strict), str(GUARD), str(ROOT)])}
    runs = [
        ("remember", "Ana owns the schema."),
        ("ask", "--engine", "none", "Who owns the schema?"),
        ("recall", "schema"),
        ("brief",),
        ("check", "Delete everything"),
        ("doctor",),
        ("engines", "list"),
    ]
    for argv in runs:
        done = program(*argv, env=env)
        assert done.returncode == 0, (argv, done.stderr)
