"""Nothing acknowledged is lost: killed processes, cut power, a full disk, many writers at once."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from crash_child import run
from drafting import draft, opened

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FULL = os.environ.get("STORE_TEST_FULL") == "1"  # the numbers of a release, minutes instead of seconds
KILLS = 100 if FULL else 12
CUTS = 100 if FULL else 16
SECTOR = 512


def intact(path: Path, clock, acknowledged: int) -> int:
    """Open what the crash left: whole, and with everything that was acknowledged. Returns its size."""
    with opened(path, clock, seed=None) as store:
        report = store.verify(full=True)
        assert report.ok, report.problem
        size = store.head().seq
        assert size >= acknowledged
        store.write(draft("written after the crash"))
        assert store.search("written after the crash")
    return size


def last_ack(text: str) -> int:
    whole = [line for line in text.splitlines(keepends=True) if line.endswith("\n") and line[0] != "!"]
    return int(whole[-1]) if whole else 0


def acknowledge(pipe: int, line: str) -> None:
    os.write(pipe, line.encode())


@pytest.mark.conforms("E23")
def test_a_process_killed_while_writing_loses_nothing_acknowledged(tmp_path: Path, clock) -> None:
    rng = random.Random(f"kill {KILLS}")
    path = tmp_path / "identity.partner"
    opened(path, clock).close()
    sizes = [0]
    for n in range(KILLS):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:  # only this thread, only our code, and never back into the tests
            try:
                run(path, n, 10**6, partial(acknowledge, write))
            finally:
                os._exit(1)
        os.close(write)
        time.sleep(rng.uniform(0.02, 0.25))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(read) as pipe:
            sizes.append(intact(path, clock, max(last_ack(pipe.read()), sizes[-1])))
    assert sizes[-1] > KILLS


@pytest.fixture(scope="session")
def file_layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and Linux's LD_PRELOAD")
    built = tmp_path_factory.mktemp("layer") / "powercut.so"
    flags = ["-O1", "-shared", "-fPIC", "-o", str(built), str(HERE / "powercut.c"), "-ldl", "-lpthread"]
    subprocess.run([compiler, *flags], check=True, timeout=60)
    return built


def child(folder: Path, layer: Path, seed: int, *options: str) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(HERE)]),
        "LD_PRELOAD": str(layer),
        "POWERCUT_DIR": str(folder.resolve()),
        "POWERCUT_JOURNAL": str(folder.parent / "journal"),
        "POWERCUT_FULL": str(folder.parent / "full"),
    }
    argv = [
        sys.executable,
        str(HERE / "crash_child.py"),
        str(folder / "identity.partner"),
        str(seed),
        *options,
    ]
    return subprocess.Popen(argv, env=env)


@dataclass(slots=True)
class Disk:
    """What a disk holds of some files: what was synced, and writes that were not yet."""

    synced: dict[str, bytearray] = field(default_factory=dict)
    waiting: dict[str, list[tuple[str, int, bytes]]] = field(default_factory=dict)

    def take(self, what: str, name: str, at: int, data: bytes) -> None:
        if what == "U":  # file systems keep the order of names; what is at stake here is the data
            self.synced.pop(name, None)
            self.waiting.pop(name, None)
            return
        self.synced.setdefault(name, bytearray())
        queue = self.waiting.setdefault(name, [])
        if what == "S":
            for step in queue:
                change(self.synced[name], step)
            queue.clear()
        else:
            queue.append((what, at, data))

    def after_power_cut(self, folder: Path, rng: random.Random) -> None:
        """Any part of what waits may have reached the platter, in any order, torn at sectors."""
        folder.mkdir()
        for name, content in self.synced.items():
            left = bytearray(content)
            queue = [step for step in self.waiting[name] if rng.random() < 0.6]
            rng.shuffle(queue)
            for what, at, data in queue:
                kept = data[: rng.randrange(0, len(data) + 1, SECTOR)] if rng.random() < 0.3 else data
                change(left, (what, at, kept))
            (folder / name).write_bytes(left)


def change(content: bytearray, step: tuple[str, int, bytes]) -> None:
    what, at, data = step
    if what == "T":
        del content[at:]
        content.extend(bytes(at - len(content)))
    else:
        content.extend(bytes(max(at + len(data) - len(content), 0)))
        content[at : at + len(data)] = data


def journal(path: Path) -> Iterator[tuple[str, str, int, bytes]]:
    with path.open("rb") as file:
        while line := file.readline():
            what, name, at, size = line.split()
            yield what.decode(), name.decode(), int(at), file.read(int(size))


def losses(tmp_path: Path, clock, cuts: int, rng: random.Random) -> int:
    """Cut the power at `cuts` moments of what the child did; count those that lost something."""
    steps = list(journal(tmp_path / "journal"))
    first = next(i for i, step in enumerate(steps) if step[1] == "acks")
    moments = sorted(rng.randrange(first, len(steps)) for _ in range(cuts))
    disk, acknowledged, lost, at = Disk(), "", 0, 0
    for n, moment in enumerate(moments):
        for what, name, offset, data in steps[at:moment]:
            if name == "acks":
                acknowledged += data.decode()
            else:
                disk.take(what, name, offset, data)
        at = moment
        folder = tmp_path / f"cut {n}"
        disk.after_power_cut(folder, rng)
        try:
            intact(folder / "identity.partner", clock, last_ack(acknowledged))
        except AssertionError:
            lost += 1
        shutil.rmtree(folder)
    return lost


@pytest.mark.conforms("E23")
def test_a_power_cut_at_any_moment_loses_nothing_acknowledged(
    tmp_path: Path, clock, file_layer: Path
) -> None:
    count = "count=400" if FULL else "count=120"
    assert child(tmp_path / "disk", file_layer, 1, count).wait(timeout=120) == 0
    assert losses(tmp_path, clock, CUTS, random.Random(f"cut {CUTS}")) == 0


def test_the_simulated_power_cut_would_notice_a_store_that_syncs_less(
    tmp_path: Path, clock, file_layer: Path
) -> None:
    assert child(tmp_path / "disk", file_layer, 1, "count=120", "sync=NORMAL").wait(timeout=120) == 0
    assert losses(tmp_path, clock, 8, random.Random("weak")) > 0


def test_a_full_disk_refuses_the_write_and_the_store_goes_on_when_there_is_room(
    tmp_path: Path, clock, file_layer: Path
) -> None:
    disk = tmp_path / "disk"
    acks = disk / "acks"

    def wait_for(condition) -> str:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            text = acks.read_text() if acks.exists() else ""
            if condition(text):
                return text
            time.sleep(0.02)
        pytest.fail(f"waited in vain: {text[-200:]}")

    process = child(disk, file_layer, 2)
    try:
        wait_for(lambda text: text.count("\n") > 5)
        # the child's own note that the disk is full cannot be written either, so it is seen by its silence
        (tmp_path / "full").touch()
        time.sleep(0.5)
        size = last_ack(acks.read_text())
        (tmp_path / "full").unlink()
        wait_for(lambda text: last_ack(text) > size)
    finally:
        process.kill()
        process.wait()
    intact(disk / "identity.partner", clock, last_ack(acks.read_text()))
