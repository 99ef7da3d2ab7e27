"""Small things that are read often: who said it, what an option means, how far a download is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_child import run

from partner import modelfiles
from router import models
from router.models import Progress


def test_a_briefing_names_the_operator_once(tmp_path: Path) -> None:
    run("--home", str(tmp_path), "decide", "Ana owns the schema.")
    said = run("--home", str(tmp_path), "brief")[1]
    assert "operator" in said
    assert not re.search(r"operator, operator", said)


@pytest.mark.parametrize("command", ["remember", "decide", "aim", "forbid", "supersede", "ask", "form"])
def test_what_writes_says_that_at_is_when_it_was_said(command: str) -> None:
    said = " ".join(run(command, "--help")[1].split())
    assert "As if said then" in said
    assert "Judge as of" not in said
    assert "Judge as of then" in " ".join(run("check", "--help")[1].split())


@pytest.mark.parametrize("place", ["a file", "under a file"])
def test_a_home_that_cannot_be_made_is_wrong_usage_in_a_sentence(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    home = tmp_path / "file" if place == "a file" else tmp_path / "file" / "home"
    code, said, errors = run("--home", str(home), "remember", "Lamp, shelf, door")
    assert (code, said) == (2, "")
    assert str(home) in errors
    assert "--home" in errors


def test_the_progress_of_a_download_never_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pulled(folder: Path, report: models.Report, *, names: tuple[str, ...]) -> list[Path]:
        for name in names:
            for done in (0, 30, 100, 0, 40):  # pip empties its folder when it has moved what it fetched
                report(Progress(name=name, stage="download", done_bytes=done, total_bytes=100))
            report(Progress(name=name, stage="ready"))
        return [folder / name for name in names]

    monkeypatch.setattr(models, "pull", pulled)
    lines: list[str] = []
    name = next(iter(models.REGISTRY))
    modelfiles.pull(tmp_path, [name], lines.append)
    shares = [int(found[1]) for line in lines if (found := re.search(r" (\d+)%", line))]
    assert shares == [0, 30, 100]
    assert lines[-1].endswith("ready")
