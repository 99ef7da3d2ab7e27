"""Checking a long log says how far it is, in few lines and never among the answer."""

from __future__ import annotations

import pytest

from partner.cli.integrity import _Told


@pytest.mark.parametrize(("total", "lines"), [(99_999, 0), (100_000, 10), (1_003_000, 10)])
def test_a_long_check_tells_each_tenth_once_and_beside_the_answer(
    capsys: pytest.CaptureFixture[str], total: int, lines: int
) -> None:
    told = _Told()
    for done in [*range(10_000, total, 10_000), total]:
        told(done, total)
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == lines
    assert not lines or err.splitlines()[-1] == f"{total:,} of {total:,} entries checked"
