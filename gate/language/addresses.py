"""What the host of an address is called: 'temu' of 'www.temu.com/lamp' and of 'help@temu.com'."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache

from gate.errors import LexiconDamaged
from gate.language.lexicon import lexicon_dir, split_list

_HOST = re.compile(r"(?:(?:https?|ftp)://|[^@\s]+@|\A)((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[:/?#]|\Z)")
SHORTEST = 3  # letters of a name that tells anything


@cache
def _endings() -> tuple[frozenset[str], frozenset[str]]:
    """Endings of files that look like those of hosts, and first parts of endings in two ('shop.co.uk')."""
    path = lexicon_dir() / "languages.toml"
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8"))["addresses"]
        files, second = (frozenset(split_list(listed[name])) for name in ("files", "second"))
    except (OSError, ValueError, KeyError) as error:
        raise LexiconDamaged(f"{path.name}: {error}") from error
    return files, second


def host_names(address: str, base: Callable[[str], str]) -> tuple[str, ...]:
    """The name of an address's host as a rule's word has it (`base`), alone; empty where it names none."""
    match = _HOST.match(address)
    labels = match[1].split(".") if match else []
    files, second = _endings()
    if len(labels) < 2 or labels[-1] in files:
        return ()
    if len(labels) > 2 and labels[-2] in second:
        labels.pop()
    return (base(labels[-2]),) if len(labels[-2]) >= SHORTEST else ()
