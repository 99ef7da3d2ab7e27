"""The cues of a question that choose a class, read from `configs/routing.toml`, where their form is told."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from store.errors import BadRequest
from store.model import Klass

_NAME = re.compile("<([a-z]+)>")


@dataclass(frozen=True, slots=True)
class Cue:
    """What prefers a class, by its `share` 0..1. Where it is `spent`, its own words are not looked for."""

    klass: Klass
    reason: str
    spent: bool
    share: float
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Cues:
    """`classes` in the order in which they decide; `rules` is what asks for rules, which are never ranked."""

    classes: tuple[Cue, ...]
    rules: re.Pattern[str]


@cache
def cues() -> Cues:
    """Those of this installation; read once."""
    return read_cues(_file())


def read_cues(path: Path) -> Cues:
    """The cues of a file of this form.

    Raises:
        BadRequest: it is not TOML, lacks a part, or a pattern is none.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        words = {name: f"(?:{'|'.join(parts)})" for name, parts in data["words"].items()}
        classes = tuple(
            Cue(
                Klass(cue["class"]),
                cue["reason"],
                cue["spent"],
                float(cue.get("share", 1.0)),
                _pattern(cue, words),
            )
            for cue in data["cue"]
        )
        return Cues(classes, _pattern(data["rules"], words))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, re.error) as error:
        raise BadRequest(f"{path} cannot be read as cues of a question: {error!r}") from error


def _pattern(cue: Mapping[str, Any], words: Mapping[str, str]) -> re.Pattern[str]:
    whole = rf"\b(?:{_filled(cue['patterns'], words)})\b"
    start = cue.get("start")
    return re.compile(f"{whole}|^(?:{_filled(start, words)})" if start else whole)


def _filled(patterns: Sequence[str], words: Mapping[str, str]) -> str:
    return _NAME.sub(lambda name: words[name[1]], "|".join(patterns))


def _file() -> Path:
    """Beside the packages in a checkout, inside `partner` in a wheel."""
    root = Path(__file__).resolve().parents[2]
    for candidate in (root / "configs", root / "partner" / "_configs"):
        if (candidate / "routing.toml").is_file():
            return candidate / "routing.toml"
    raise BadRequest("the file configs/routing.toml of this installation is missing")
