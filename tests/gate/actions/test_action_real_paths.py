"""Where a path led when the caller looked is a further place of the effect, and never one less."""

from __future__ import annotations

import pytest
from judging import frames, judged

from gate import Decision
from gate.errors import BadAction

VAULT = "Never delete anything under /vault."
OUTSIDE = "Do not write any file outside /home/mia."
KINDS = ["file.read", "file.write", "file.delete"]


def args(path: object, **more: object) -> dict[str, object]:
    return {"path": path, "content": "", **more}


@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_lists_the_path_as_written_and_where_it_leads(kind: str) -> None:
    found = frames(kind, args("/tmp/inbox/../box", real_path="/vault//keys/"))
    assert {frame.paths for frame in found} == {("/tmp/box", "/vault/keys")}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nothing", [None, "", []])
def test_without_a_resolution_everything_is_as_it_was(kind: str, nothing: object) -> None:
    assert frames(kind, args("/tmp/a", real_path=nothing)) == frames(kind, args("/tmp/a"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_resolution_counts_for_all_paths_and_several_for_one_each(kind: str) -> None:
    shared = frames(kind, args(["/tmp/a", "/tmp/b"], real_path="/vault"))
    assert {frame.paths for frame in shared} == {("/tmp/a", "/vault"), ("/tmp/b", "/vault")}
    paired = frames(kind, args(["/tmp/a", "/tmp/b"], real_paths=["/vault", ""]))
    assert {frame.paths for frame in paired} == {("/tmp/a", "/vault"), ("/tmp/b",)}


@pytest.mark.parametrize("real_path", [7, ["/a", "/b", "/c"], [None], "/a\0b", "/" * 20_000])
def test_a_resolution_of_the_wrong_shape_is_the_caller_s_fault(real_path: object) -> None:
    with pytest.raises(BadAction):
        frames("file.read", args(["/tmp/a", "/tmp/b"], real_path=real_path))


def test_a_resolution_that_stands_on_no_folder_leaves_the_place_open() -> None:
    (frame,) = frames("file.read", args("/tmp/a", real_path="keys"))
    assert frame.paths == ("/tmp/a",)
    assert frame.unknown == {"path"}


def test_an_address_with_a_resolution_is_both_places() -> None:
    found = frames("file.read", args("sftp://nas.example/x", real_path="/vault/x"))
    assert [(frame.hosts, frame.paths) for frame in found if frame.act == "read"] == [
        (("nas.example",), ("/vault/x",))
    ]


@pytest.mark.parametrize(
    ("rule", "kind", "path", "real_path", "decision"),
    [
        (VAULT, "file.delete", "/tmp/a", "/vault/a", Decision.REFUSE),
        (VAULT, "file.delete", "/vault/a", "/tmp/a", Decision.REFUSE),
        (VAULT, "file.delete", "/tmp/a", "/tmp/b", Decision.ALLOW),
        (OUTSIDE, "file.write", "/home/mia/a", "/etc/a", Decision.REFUSE),
        (
            OUTSIDE,
            "file.write",
            "/home/mia/a",
            "/home/mia/b",
            Decision.ALLOW,
        ),
        # the caller's word alone does not bring a path that stands outside inside
        (OUTSIDE, "file.write", "/etc/a", "/home/mia/a", Decision.REFUSE),
    ],
)
def test_a_rule_on_places_is_offended_by_either(
    rule: str, kind: str, path: str, real_path: str, decision: Decision
) -> None:
    assert judged(rule, kind, {"path": path, "content": "x", "real_path": real_path}).decision is decision
