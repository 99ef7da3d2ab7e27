"""Changing `config.toml` from the command line: the operator's own text and comments stay as they are."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from partner.errors import BadConfig, UsageError
from partner.settings import NO_ENGINE, Settings, explain_findings, parse_config, unknown_engine
from router.config import EngineConfig

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def add_engine(settings: Settings, name: str, table: Mapping[str, Any]) -> None:
    """Append `[engines.NAME]`. Raises UsageError for a name taken or malformed, or an invalid table."""
    if not _NAME.fullmatch(name) or name == NO_ENGINE:
        raise UsageError(f"'{name}' cannot name an engine: letters, digits, - and _ only, and not 'none'.")
    if name in settings.config.engines:
        raise UsageError(f"There is an engine '{name}' already. Change it in {settings.config_path}")
    try:
        TypeAdapter(EngineConfig).validate_python(table)
    except ValidationError as error:
        raise UsageError(f"This engine is not complete: {explain_findings(error)}") from error
    lines = [f"[engines.{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    _save(settings.config_path, _text(settings.config_path).rstrip() + "\n\n" + "\n".join(lines) + "\n")


def name_key(settings: Settings, name: str) -> str:
    """The name under which an engine's key is kept; written into its table where none stands there yet.

    Raises UsageError for an engine that is not there, takes no key, or reads its key from the environment.
    """
    if name not in settings.config.engines:
        raise UsageError(unknown_engine(name, settings.config.engines))
    engine = settings.config.engines[name]
    if not hasattr(engine, "key"):
        raise UsageError(f"'{name}' takes no key: it is of kind {engine.kind}.")
    known: str = getattr(engine, "key")  # noqa: B009  only two of the kinds have one
    if known.startswith("env:"):
        variable = known.removeprefix("env:")
        raise UsageError(f"The key of '{name}' is in the variable {variable}; see {settings.config_path}")
    if known:
        return known
    text = _text(settings.config_path)
    header = re.search(rf"(?m)^\[engines\.(?:{re.escape(name)}|\"{re.escape(name)}\")\][^\n]*\n?", text)
    if header is None:
        raise UsageError(f"There is no table [engines.{name}] to name a key in: {settings.config_path}")
    line = f"key = {_toml(name)}\n"
    before = text[: header.end()]
    before += "" if before.endswith("\n") else "\n"
    _save(settings.config_path, before + line + text[header.end() :])
    return name


def use_engine(settings: Settings, name: str) -> None:
    """Put an engine first in `router.order`; the others keep their places behind it."""
    if name not in settings.config.engines:
        raise UsageError(unknown_engine(name, settings.config.engines))
    order = [name, *(other for other in settings.config.router.order if other != name)]
    text = _text(settings.config_path)
    line = f"order = {_toml(order)}"
    section = re.search(r"(?m)^\[router\][^\n]*\n", text)
    if section is None:
        text = text.rstrip() + f"\n\n[router]\n{line}\n"
    else:
        end = re.compile(r"(?m)^\[").search(text, section.end())
        body = text[section.end() : end.start() if end else len(text)]
        body, replaced = re.subn(r"(?ms)^order\s*=\s*\[.*?\][^\n]*$", lambda _: line, body, count=1)
        body = body if replaced else f"{line}\n{body}"
        text = text[: section.end()] + body + (text[end.start() :] if end else "")
    _save(settings.config_path, text)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _save(path: Path, text: str) -> None:
    """Write beside and move into place, after the new text has been read as a whole configuration."""
    raw = tomllib.loads(text)
    try:
        parse_config(raw)
    except ValidationError as error:
        raise BadConfig(path, explain_findings(error)) from error
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(text.lstrip("\n"), encoding="utf-8")
    os.replace(part, path)


def _toml(value: Any) -> str:
    """A TOML value; JSON's strings, numbers and lists of these are TOML's."""
    return json.dumps(value, ensure_ascii=False)
