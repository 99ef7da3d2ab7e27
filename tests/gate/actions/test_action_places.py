"""Paths and hosts mean what a file system and a client make of them, not what they look like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.actions.hosts import canonical_host, host_of, remote_of
from gate.actions.paths import inside, literal, normalise, places, touches
from gate.model import Facts, Truth

T, F, U = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN

names = st.text(alphabet="abé*?\\.-_", min_size=1, max_size=4).filter(lambda part: part not in (".", ".."))
paths = st.lists(names, min_size=1, max_size=5).map(lambda parts: "/" + "/".join(map(literal, parts)))


@given(paths)
def test_a_normal_path_stays_as_it_is(path: str) -> None:
    assert normalise(path) == path


@given(paths, st.lists(st.sampled_from(["/", "/.", "/x/.."]), max_size=4))
def test_detours_end_where_the_straight_way_does(path: str, detours: list[str]) -> None:
    assert normalise("/" + "".join(detours) + path) == path


@given(paths, paths)
def test_what_lies_inside_a_folder_touches_it(path: str, root: str) -> None:
    if inside(path, root) is T:
        assert touches(path, root, False) is T


@pytest.mark.parametrize(
    ("path", "root", "tree", "expected"),
    [
        ("/srv/prod", "/srv/prod", False, T),
        ("/srv/prod/a", "/srv/prod", False, T),
        ("/srv/prod-old", "/srv/prod", True, F),
        ("/srv", "/srv/prod", False, F),
        ("/srv", "/srv/prod", True, T),
        ("/", "/srv/prod", True, T),
        ("/srv/*", "/srv/prod", True, U),
        ("/srv/*", "/srv/prod", False, U),
        ("/srv/p?od/a", "/srv/prod", False, U),
        ("/srv/*.log", "/srv/prod", True, F),
        ("/srv/**", "/srv/prod", False, U),
        ("/srv/staging/*", "/srv/prod", True, F),
        (r"/srv/\*", "/srv/prod", True, F),
        ("/srv/prod/a.log", "/srv/prod/*.log", False, T),
        ("/srv/prod/a.txt", "/srv/prod/*.log", False, F),
    ],
)
def test_a_path_reaches_a_folder_when_it_or_what_it_covers_lies_there(
    path: str, root: str, tree: bool, expected: Truth
) -> None:
    assert touches(path, root, tree) is expected


def test_links_lead_where_the_caller_found_them_to_lead() -> None:
    facts = Facts(real_paths={"/tmp/a": "/tmp/b", "/tmp/b": "/srv/prod"})
    assert places("/tmp/a/x", facts) == ("/tmp/a/x", "/srv/prod/x")


def test_links_in_a_ring_lead_nowhere_that_is_known() -> None:
    facts = Facts(real_paths={"/a": "/b", "/b": "/a"})
    assert places("/a/x", facts) == ()


def test_a_relative_path_without_a_folder_to_stand_on_is_unknown() -> None:
    assert places("x", Facts()) == ()
    assert places("~/x", Facts()) == ()
    assert places("x", Facts(cwd="/srv")) == ("/srv/x",)


def test_a_path_that_imitates_another_means_both() -> None:
    assert places("/etc/seсrets", Facts()) == ("/etc/seсrets", "/etc/secrets")
    assert places("/home/иван", Facts()) == ("/home/иван",)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://a.example@b.example/", "b.example"),
        ("http://2852039166/", "169.254.169.254"),
        ("http://[::ffff:1.2.3.4]/", "1.2.3.4"),
        ("https://BÜCHER.example./", "xn--bcher-kva.example"),
        ("file:///etc/hosts", ""),
        ("not a url", None),
        ("https://", None),
    ],
)
def test_the_host_is_the_one_that_a_client_would_contact(url: str, host: str | None) -> None:
    assert host_of(url) == host


def test_a_host_is_canonical_once_and_stays_so() -> None:
    for host in ("EXAMPLE.org.", "0x7f.1", "::1", "bücher.example"):
        once = canonical_host(host)
        assert once is not None
        assert canonical_host(once) == once


def test_a_copy_target_is_remote_only_with_a_host_before_its_colon() -> None:
    assert remote_of("me@box:/tmp") == "box"
    assert remote_of("./a:b") is None
    assert remote_of("/a:b") is None
