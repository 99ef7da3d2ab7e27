"""The conversation on a real pseudo-terminal: streaming, Ctrl-C, and processes that are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest
from fake_provider import DONE, FakeProvider, Reply, delta, finish
from fake_provider import said as saying
from surroundings import Program

pytestmark = pytest.mark.xdist_group("language model")

PROMPT = "›"
UP = "\x1b[A"
WAIT_S = 200  # how long a loaded machine may take; nothing is asserted about it
TRIES = 8  # an answer may be over before the key or the signal that should cut it arrives
MARKS = ("+ ", "~ ")  # a new engram, one that replaces another
LONG = "Tell me a very long story about a whale, an island and the sea."
Terminal = Callable[..., pexpect.spawn]


@pytest.fixture
def terminal(program_env: dict[str, str], tmp_path: Path) -> Iterator[Terminal]:
    """Open the conversation on a pseudo-terminal of 40 by 120."""
    opened: list[pexpect.spawn] = []

    def open_(*argv: str) -> pexpect.spawn:
        env = {**program_env, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
        child = pexpect.spawn(
            sys.executable,
            ["-m", "partner", *argv],
            env=env,
            cwd=str(tmp_path),
            encoding="utf-8",
            timeout=WAIT_S,
        )
        child.setwinsize(40, 120)
        opened.append(child)
        child.expect(PROMPT)
        return child

    yield open_
    for child in opened:
        child.close(force=True)


def workers_of(pid: int) -> list[int]:
    """Process ids of the model workers that a partner started."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                command = (folder / "cmdline").read_bytes().decode(errors="replace")
            except (OSError, IndexError):
                continue
            if parent == pid and "worker" in command:
                found.append(int(folder.name))
    return found


def ask_for_a_long_answer(child: pexpect.spawn) -> None:
    """Returns when the answer is on its way: the editor has left the screen, and words arrive."""
    child.sendline(LONG)
    child.expect_exact("\x1b[?2004l")
    child.expect(r"[A-Za-z ,.]{25,}")


def log_of(program: Program) -> list[dict]:
    return json.loads(program("log", "--json").stdout)


ENDLESS = """
[router]
order = ["endless", "none"]
[engines.endless]
kind = "command"
argv = [{python!r}, "-c", "print('and so on, ' * 20, flush=True); import time; time.sleep(3600)"]
local = true
timeout_s = 3600
"""


def test_ctrl_c_brings_the_prompt_back_keeps_the_partial_answer_and_then_leaves(
    terminal: Terminal, program: Program, home: Path
) -> None:
    home.mkdir()
    (home / "config.toml").write_text(ENDLESS.format(python=sys.executable))
    child = terminal()
    ask_for_a_long_answer(child)
    child.sendintr()
    child.expect("cut short")
    child.expect(PROMPT)
    child.sendline("/model none")
    child.expect("Answers come from none")
    child.expect(PROMPT)
    child.sendline("We decided to keep the lamp.")
    child.expect("conclusion: We decided to keep the lamp")
    child.expect(PROMPT)
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    partial = [e for e in log_of(program) if e["metadata"].get("partial")]
    assert len(partial[0]["content"]) > 10
    assert partial[0]["metadata"]["engine"] == "endless"


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_terminal_closed_in_mid_answer_keeps_what_was_said_so_far(
    terminal: Terminal, program: Program, home: Path, number: signal.Signals
) -> None:
    home.mkdir()
    (home / "config.toml").write_text(ENDLESS.format(python=sys.executable))
    child = terminal()
    ask_for_a_long_answer(child)
    os.kill(child.pid, number)
    child.expect(pexpect.EOF)
    (partial,) = [e for e in log_of(program) if e["metadata"].get("partial")]
    assert partial["content"].startswith("and so on")


def test_ctrl_c_stops_the_small_model_and_its_worker_answers_the_next_question(
    terminal: Terminal, program: Program, models_dir: Path
) -> None:
    for _ in range(TRIES):
        child = terminal()
        child.sendline("Ana owns the schema now.")
        child.expect(r"conclusion: Ana owns the schema|Noted\.")  # not the echo of what was typed
        child.expect(PROMPT)
        ask_for_a_long_answer(child)
        before = workers_of(child.pid)
        child.sendintr()
        if child.expect(["cut short", pexpect.EOF]) == 0:
            break
    else:
        pytest.fail("no Ctrl-C came in time")
    child.expect(PROMPT)
    child.sendline("Who owns the schema?")
    child.expect("Ana")
    child.expect(PROMPT)
    assert workers_of(child.pid) == before
    child.sendintr()
    child.expect(pexpect.EOF)
    assert [e for e in log_of(program) if e["metadata"].get("partial")]


def test_a_worker_killed_in_mid_answer_is_said_and_the_next_turn_works(
    terminal: Terminal, program: Program, models_dir: Path
) -> None:
    child = terminal()
    child.sendline("Ana owns the schema now.")
    child.expect("conclusion: Ana owns the schema")
    child.expect(PROMPT)
    for _ in range(TRIES):
        ask_for_a_long_answer(child)
        for worker in workers_of(child.pid):
            os.kill(worker, signal.SIGKILL)
        if child.expect(["! local: ", PROMPT]) == 0:
            break
    else:
        pytest.fail("no kill came in time")
    child.expect(PROMPT)
    child.sendline("Who owns the schema?")
    child.expect("Ana")
    child.expect(PROMPT)
    child.sendline("/exit")
    child.expect(pexpect.EOF)
    assert [e for e in log_of(program) if e["metadata"].get("partial")]
    assert program("verify", "--full").returncode == 0


def test_a_partner_killed_at_any_moment_loses_nothing_it_acknowledged(
    program: Program, program_env: dict[str, str], tmp_path: Path
) -> None:
    acknowledged: list[str] = []
    for round_ in range(6):
        child = subprocess.Popen(
            [sys.executable, "-m", "partner", "chat", "--engine", "none"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=program_env,
            cwd=tmp_path,
            text=True,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        for number in range(40):
            child.stdin.write(f"We decided that room {round_}-{number} gets the blue paint.\n")
        child.stdin.flush()
        for _ in range(4 + 9 * round_):
            line = child.stdout.readline()
            if line[:2] in MARKS:
                acknowledged.append(line.split()[1])
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read()
        child.wait()
        child.stdin.close()
        child.stdout.close()
        acknowledged += [
            line.split()[1]
            for line in rest.splitlines(keepends=True)
            if line[:2] in MARKS and line.endswith("\n")
        ]
    known = {entry["id"][-8:] for entry in json.loads(program("log", "--json", "--limit", "5000").stdout)}
    assert len(acknowledged) > 20
    assert set(acknowledged) <= known
    assert program("verify", "--full").returncode == 0


def test_the_gate_asks_back_and_the_answer_is_remembered(terminal: Terminal, program: Program) -> None:
    child = terminal("--engine", "none")
    child.sendline("/forbid Never email the landlord.")
    child.expect("prohibition: Never email the landlord")
    child.expect(PROMPT)
    child.sendline("/rule")
    child.expect("Never email the landlord")
    child.expect(PROMPT)
    child.sendline("Email the landlord about the leak.")
    child.expect("Refused by your rule")
    child.expect(PROMPT)
    child.sendline("/exit")
    child.expect(pexpect.EOF)


def test_slash_commands_show_their_results_and_mistakes_leave_the_conversation_open(
    terminal: Terminal,
) -> None:
    child = terminal("--engine", "none")
    for said, seen in [
        ("/help", "/exit"),
        ("/remember Ana owns the schema.", "Ana owns the schema"),
        ("/aim Finish the audit by June.", "objective: Finish the audit"),
        ("/recall schema", "Ana owns the schema"),
        ("/brief", "Briefing"),
        ("/model", "local"),
        ("/model nonsense", "There is no engine 'nonsense'"),
        ("/retract 00000000", "There is no engram"),
        ("/why", "Nothing was answered yet"),
        ("/nonsense", "There is no command /nonsense"),
        ("/cost", "tokens"),
        ("We decided to keep the lamp.", "Noted"),
        ("/undo", "Undone"),
        ("/history", "keep the lamp"),
    ]:
        child.sendline(said)
        child.expect_exact(seen)
        child.expect(PROMPT)
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_ctrl_c_clears_a_line_that_was_begun_and_leaves_on_an_empty_one(
    terminal: Terminal, program: Program
) -> None:
    child = terminal("--engine", "none")
    child.send("Ana owns the sch")
    child.expect_exact("sch")
    child.sendintr()
    child.expect(PROMPT)
    child.sendline("Bea owns the budget.")
    child.expect("Noted")
    child.expect(PROMPT)
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    said = [entry["content"] for entry in log_of(program)]
    assert "Bea owns the budget." in said
    assert not any("sch" in words for words in said)


def test_the_arrow_keys_of_a_new_process_bring_back_what_was_typed_in_another(terminal: Terminal) -> None:
    first = terminal("--engine", "none")
    first.sendline("The lamp stands in the hall.")
    first.expect(PROMPT)
    first.sendeof()
    first.expect(pexpect.EOF)
    again = terminal("--engine", "none")
    for _ in range(WAIT_S):  # it is read while the prompt stands already
        again.send(UP)
        if again.expect(["lamp", pexpect.TIMEOUT], timeout=1) == 0:
            break
    else:
        pytest.fail("nothing was brought back")
    again.sendcontrol("u")
    again.sendeof()
    again.expect(pexpect.EOF)


def test_a_home_that_is_no_store_ends_the_prompt_with_the_reason(
    program_env: dict[str, str], home: Path, tmp_path: Path
) -> None:
    home.mkdir()
    (home / "identity.partner").write_bytes(b"a shopping list\n" * 400)
    env = {**program_env, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
    child = pexpect.spawn(
        sys.executable, ["-m", "partner"], env=env, cwd=str(tmp_path), encoding="utf-8", timeout=WAIT_S
    )
    child.expect("It was not touched")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 2


TOOLED = """
[router]
order = ["server", "none"]
[engines.server]
kind = "openai_http"
base_url = "{url}"
model = "fake"
[tools]
run_command = true
"""


@pytest.mark.conforms("P19")
@pytest.mark.parametrize(
    ("key", "ran"), [("y", True), ("n", False), ("\x03", False)], ids=["yes", "no", "^C"]
)
def test_a_tool_waits_in_the_terminal_for_the_operators_yes(
    terminal: Terminal, program: Program, home: Path, tmp_path: Path, key: str, ran: bool
) -> None:
    function = {"name": "run_command", "arguments": json.dumps({"command": "echo hello > made"})}
    call = {"index": 0, "id": "a", "function": function}
    server = FakeProvider(
        Reply([delta(tool_calls=[call]), finish("tool_calls"), DONE]), saying("As you like.")
    )
    home.mkdir()
    (home / "config.toml").write_text(TOOLED.format(url=server.url))
    child = terminal()
    child.sendline("Would you make the file?")
    child.expect_exact("server wants run_command: shell: echo hello > made")
    child.expect_exact("[y] let it")
    child.send(key if key == "\x03" else key + "\r")
    child.expect_exact("As you like.")
    child.expect(PROMPT)
    child.sendline("/exit")
    child.expect(pexpect.EOF)
    told = server.arrived[1].body["messages"][-1]
    server.close()
    assert (tmp_path / "made").exists() is ran
    assert told["role"] == "tool"
    assert ("[" in told["content"]) is not ran


def test_a_tool_is_refused_where_nobody_can_say_yes(program: Program, home: Path, tmp_path: Path) -> None:
    function = {"name": "run_command", "arguments": json.dumps({"command": "echo hello > made"})}
    call = {"index": 0, "id": "a", "function": function}
    server = FakeProvider(
        Reply([delta(tool_calls=[call]), finish("tool_calls"), DONE]), saying("As you like.")
    )
    home.mkdir()
    (home / "config.toml").write_text(TOOLED.format(url=server.url))
    done = program("ask", "Would you make the file?")
    server.close()
    assert done.returncode == 0
    assert "run_command: unanswered" in done.stderr
    assert done.stdout.strip() == "As you like."
    assert not (tmp_path / "made").exists()
