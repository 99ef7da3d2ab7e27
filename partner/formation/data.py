"""The data files of formation: beside the packages in a checkout, inside `partner` in a wheel."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def load(name: str) -> dict[str, Any]:
    """One file of `configs/formation`, as parsed; raises FormationDataDamaged where it is missing or
    malformed."""
    path = _folder() / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise FormationDataDamaged(f"{path}: {error}") from error


def expand(pattern: str, fragments: dict[str, str]) -> str:
    """Put the fragments in place of their `{{name}}`."""
    for name, text in fragments.items():
        pattern = pattern.replace("{{" + name + "}}", text)
    return pattern


def _folder() -> Path:
    root = Path(__file__).resolve().parents[2]
    for candidate in (root / "configs" / "formation", root / "partner" / "_configs" / "formation"):
        if candidate.is_dir():
            return candidate
    raise FormationDataDamaged("the data files of this installation are missing (configs/formation)")


class FormationDataDamaged(Exception):
    """Ours: the installation lacks a data file, or somebody broke one."""
