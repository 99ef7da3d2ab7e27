"""A long log is followed by several processes at once: they pass what holds, and change nothing of what is
found."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from drafting import draft, opened, raw, ticking

from store import following
from store.store import Store
from store.verifying import erased_seqs, genesis_of, keys_of
from store.walking import Anchor

SIZE = 600
SPAN = 100


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 600 entries, one of them erased, made once."""
    path = tmp_path_factory.mktemp("whole") / "identity.partner"
    with opened(path, ticking()) as store:
        written = store.write_many([draft(f"claim number {i}") for i in range(SIZE - 1)])
        store.erase(written[249].id, "it was private")
    return path


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "identity.partner"))


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> list[following.Helper]:
    """Every verification is shared by two helpers; the ones that were started."""
    started: list[following.Helper] = []

    class Seen(following.Helper):
        def __init__(self, task: bytes) -> None:
            super().__init__(task)
            started.append(self)

    monkeypatch.setattr(following, "SPAN", SPAN)
    monkeypatch.setattr(following, "HELPED_FROM", SPAN)
    monkeypatch.setattr(following, "_processors", lambda: 2)
    monkeypatch.setattr(following, "Helper", Seen)
    return started


def followed(store: Store, helpers: int, keys: Any = None) -> Anchor:
    log = store.backend
    return following.follow(log, Anchor(0, genesis_of(log)), erased_seqs(log), keys, helpers=helpers)


@pytest.mark.conforms("P15")
def test_helpers_come_to_the_same_end(copy: Path, clock, helped) -> None:
    with opened(copy, clock) as store:
        keys, end = keys_of(store.backend), Anchor(*store.backend.head())
        assert followed(store, 0, keys) == end
        assert not helped
        assert followed(store, 2) == followed(store, 2, keys) == end
    assert len(helped) == 4


def test_what_a_helper_passes_is_not_read_again(copy: Path, clock, helped, monkeypatch) -> None:
    looked_at = []
    whole = following.walk
    monkeypatch.setattr(
        following, "walk", lambda rows, start, *rest: looked_at.append(start.seq) or whole(rows, start, *rest)
    )
    with opened(copy, clock) as store:
        assert followed(store, 2, keys_of(store.backend)).seq == SIZE
    assert looked_at == [SIZE], "only whether anything came meanwhile"


TAMPERS = {
    "UPDATE log SET signature = zeroblob(64) WHERE seq = ?": "forged author",
    "UPDATE log SET header = CAST(header AS TEXT) WHERE seq = ?": "altered",
    "UPDATE log SET body = NULL WHERE seq = ?": "altered",
    "DELETE FROM log WHERE seq = ?": "removed",
}


@pytest.mark.conforms("P15")
@pytest.mark.parametrize("at", [1, SPAN, SPAN + 1])
@pytest.mark.parametrize("sql", TAMPERS)
def test_the_first_bad_entry_is_named_whichever_is_found_first(
    copy: Path, clock, helped, sql: str, at: int
) -> None:
    c = raw(copy)
    for each in (at, at + SPAN // 2, at + 2 * SPAN):
        c.execute(sql, (each,))
    c.close()
    with opened(copy, clock) as store:
        problem = store.verify(full=True).problem
    assert problem is not None
    assert (problem.kind, problem.seq, len(helped)) == (TAMPERS[sql], at, 2)


def test_the_key_of_an_encrypted_file_goes_to_helpers_in_memory(
    tmp_path: Path, clock, helped, monkeypatch
) -> None:
    commands: list[Any] = []
    whole = subprocess.Popen

    def popen(command: list[str], **options: Any) -> Any:
        commands.append((command, options.get("env")))
        return whole(command, **options)

    monkeypatch.setattr(subprocess, "Popen", popen)
    with opened(tmp_path / "identity.partner", clock, passphrase="open sesame", encrypt=True) as store:
        store.write_many([draft(f"claim number {i}") for i in range(SIZE)])
        reopening = store.backend.reopening()
        assert followed(store, 2, keys_of(store.backend)) == Anchor(*store.backend.head())
    assert reopening is not None
    key = reopening.arguments["key"]
    assert key is not None
    assert len(commands) == 2
    assert key not in str(commands)
    assert "sesame" not in str([command for command, _ in commands])


def test_where_no_process_can_be_started_all_is_done_here(copy: Path, clock, helped, monkeypatch) -> None:
    def popen(*_: Any, **__: Any) -> Any:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", popen)
    with opened(copy, clock) as store:
        report = store.verify(full=True)
    assert (report.ok, report.checked, helped) == (True, SIZE, [])


@pytest.mark.parametrize("deaths", [1, 2])
def test_helpers_that_die_leave_their_work_to_the_others(
    copy: Path, clock, helped, monkeypatch, deaths: int
) -> None:
    whole = following._helpers

    def helpers(*given: Any) -> Any:
        found = whole(*given)
        for helper in found[:deaths]:
            helper._process.kill()
            helper._process.wait()
        return found

    monkeypatch.setattr(following, "_helpers", helpers)
    with opened(copy, clock) as store:
        report = store.verify(full=True)
    assert (report.ok, report.checked) == (True, SIZE)


def test_an_interrupt_ends_the_helpers(copy: Path, clock, helped) -> None:
    def interrupt(done: int, total: int) -> None:
        assert (done, total) == (SPAN, SIZE)
        raise KeyboardInterrupt

    with opened(copy, clock) as store, pytest.raises(KeyboardInterrupt):
        store.verify(full=True, progress=interrupt)
    assert [helper._process.poll() is not None for helper in helped] == [True, True]


def test_a_helper_ends_with_who_asked_it(copy: Path, clock, helped) -> None:
    with opened(copy, clock) as store:
        log = store.backend
        reopening = log.reopening()
        assert reopening is not None
        task = following._task(reopening, Anchor(0, genesis_of(log)), frozenset(), None)
        helper = following.Helper(task)
        assert helper.look_at(following.Span(0, SPAN)) is not None
        helper._process.communicate(timeout=60)  # closes its input
        assert helper._process.returncode == 0
        helper.end()


@pytest.mark.parametrize("processors", [1, 2])
def test_what_is_appended_meanwhile_is_verified_too(
    copy: Path, clock, helped, monkeypatch, processors: int
) -> None:
    monkeypatch.setattr(following, "_processors", lambda: processors)
    told: list[tuple[int, int]] = []
    with opened(copy, clock) as store, opened(copy, clock) as other:

        def progress(done: int, total: int) -> None:
            told.append((done, total))
            if done < 3 * SPAN:
                other.write(draft(f"meanwhile, at {done}"))

        report = store.verify(full=False, progress=progress)
    assert (report.ok, report.checked) == (True, SIZE + 2)
    assert told == [(done, SIZE) for done in range(SPAN, SIZE + 1, SPAN)]
