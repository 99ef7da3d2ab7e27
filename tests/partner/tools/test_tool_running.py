"""A tool that runs: bounded in time and output, without keys, ended with all it started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from calling import Opener, call, calling, result_given, used

from partner.tools.model import Bounds, Place


def test_a_command_that_hangs_is_ended_with_all_it_started(opened: Opener) -> None:
    hanging = "sleep 3000 & echo $! > child; sleep 3000"
    engine = calling(call("run_command", command=hanging))
    events = list(opened(engine, run_command=True, timeout_s=1.5).turn("Do it?"))
    assert used(events) == [("run_command", "timed out")]
    assert "did not end within 1.5 s" in result_given(engine)
    child = Path("child")
    if child.exists() and child.read_text().strip():  # a loaded machine may not have come that far
        state = Path(f"/proc/{int(child.read_text())}/stat")
        assert not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_a_child_left_behind_does_not_hold_up_the_turn(opened: Opener) -> None:
    engine = calling(call("run_command", command="sleep 3000 & echo started"))
    events = list(opened(engine).turn("Do it?"))
    assert used(events) == [("run_command", "ran")]
    assert result_given(engine).strip() == "started"


def test_huge_output_is_cut_and_its_length_told(opened: Opener) -> None:
    engine = calling(call("run_command", command="yes word | head -c 3000000"))
    partner = opened(engine, run_command=True, output_chars=500)
    events = list(partner.turn("Do it?"))
    assert used(events) == [("run_command", "ran")]
    assert len(result_given(engine)) < 700
    assert "more" in result_given(engine)
    assert all(len(e.content) < 2_000 for e in partner.store.log())


def test_a_command_sees_no_key_and_no_passphrase(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARTNER_PASSPHRASE", "canary-word")
    monkeypatch.setenv("OPENAI_API_KEY", "canary-word")
    engine = calling(call("run_command", command="env"))
    list(opened(engine).turn("Do it?"))
    assert "PATH=" in result_given(engine)
    assert "canary" not in result_given(engine)


def test_a_secret_in_a_result_is_neither_stored_nor_sent(opened: Opener) -> None:
    secret = "sk-proj-" + "Ab3" * 14
    Path("keys.txt").write_text(f"The key is {secret}.")
    engine = calling(call("read_file", path="keys.txt"))
    partner = opened(engine)
    list(partner.turn("Read it?"))
    assert secret not in result_given(engine)
    assert all(secret not in engram.content for engram in partner.store.log())


def test_the_partners_own_files_are_closed_to_tools(opened: Opener, tmp_path: Path) -> None:
    engine = calling(call("read_file", path=str(tmp_path / "home" / "keys.json")))
    partner = opened(engine)
    (tmp_path / "home" / "keys.json").write_text('{"claude": "canary"}')
    assert used(list(partner.turn("Read it?"))) == [("read_file", "failed")]
    assert "canary" not in result_given(engine)


@pytest.mark.parametrize("path", ["missing.txt", "folder", "/dev/zero", "pipe"])
def test_what_is_no_file_is_told_and_does_not_hang(opened: Opener, path: str) -> None:
    os.mkdir("folder")
    os.mkfifo("pipe")
    events = list(opened(calling(call("read_file", path=path))).turn("Read it?"))
    assert used(events) == [("read_file", "failed")]


def test_a_redirect_is_told_and_not_followed_and_offline_fetches_nothing(opened: Opener) -> None:
    place = Place(cwd="/", home="/", offline=True)
    from partner.tools.builtin import HTTP_GET
    from partner.tools.model import ToolFailed

    with pytest.raises(ToolFailed, match="offline mode"):
        HTTP_GET.run({"url": "http://127.0.0.1:9/"}, place, Bounds())
