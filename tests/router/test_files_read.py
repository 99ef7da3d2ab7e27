"""Files on their way into a request: read once, hashed, those bytes sent."""

from __future__ import annotations

import hashlib
import os

import pytest

from router import BadRequest
from router.files import MAX_FILE_BYTES, read


def test_what_is_read_is_what_is_hashed_and_sent(tmp_path):
    path = tmp_path / "plan.md"
    path.write_bytes(b"ship it")
    part = read(path)
    path.write_bytes(b"changed")
    assert part.sha256 == hashlib.sha256(b"ship it").hexdigest()
    assert part.attachment().data == b"ship it"
    assert part.attachment().media_type == "text/markdown"
    assert part.whole


def test_a_range_says_that_it_is_one(tmp_path):
    path = tmp_path / "plan.txt"
    path.write_bytes(b"ship it now")
    assert (read(path, start=5).text(), read(path, start=5).whole) == ("it now", False)
    assert (read(path, length=4).text(), read(path, length=4).whole) == ("ship", False)
    assert read(path, length=11).whole


def test_what_cannot_be_read_is_told_in_words(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    for path, told in ((tmp_path / "missing", "No such file"), (tmp_path, "is no file"),
                       (tmp_path / "pipe", "is no file"), (large, "read a range")):  # fmt: skip
        with pytest.raises(BadRequest, match=told):
            read(path)
    assert len(read(large, start=5, length=10).data) == 10
