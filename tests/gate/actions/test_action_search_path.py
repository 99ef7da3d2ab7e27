"""`cd` and `pushd` look a folder up along CDPATH, as POSIX has it."""

from __future__ import annotations

import pytest
from judging import shell

from gate.model import Facts

HERE = Facts(cwd="/home/mia", home="/home/mia")


def deleted(command: str) -> set[str]:
    return {path for frame in shell(command, HERE) if frame.act == "delete" for path in frame.paths}


def unknown(command: str) -> set[str]:
    return set().union(*(frame.unknown for frame in shell(command, HERE)))


@pytest.mark.parametrize(
    "command",
    [
        "CDPATH=/vault; cd keys && rm a",
        "CDPATH=/vault/ ; pushd keys; rm a",
        "export CDPATH=/vault; cd -P keys >/dev/null; rm a",
        "d=/vault; CDPATH=$d cd keys; rm a",
        "CDPATH=:/vault; cd keys; rm a",
    ],
)
def test_a_name_may_lie_in_a_folder_of_the_search_path_or_in_the_present_one(command: str) -> None:
    assert deleted(command) == {"/vault/keys/a", "/home/mia/keys/a"}


@pytest.mark.parametrize(
    ("name", "place"), [("/tmp", "/tmp/a"), ("./keys", "/home/mia/keys/a"), ("../keys", "/home/keys/a")]
)
def test_a_name_that_says_where_it_starts_is_not_looked_up(name: str, place: str) -> None:
    assert deleted(f"CDPATH=/vault; cd {name}; rm a") == {place}


def test_the_search_path_ends_with_the_command_that_it_was_set_for() -> None:
    assert deleted("CDPATH=/vault true; cd keys; rm a") == {"/home/mia/keys/a"}
    assert deleted("CDPATH=/vault; unset CDPATH; cd keys; rm a") == {"/home/mia/keys/a"}


@pytest.mark.parametrize("listed", ["$(cat list)", "/a:/b:/c:/d:/e:/f:/g:/h:/i"])
def test_a_search_path_that_is_unknown_or_long_leads_anywhere(listed: str) -> None:
    assert "path" in unknown(f'CDPATH="{listed}"; cd keys; rm a')
