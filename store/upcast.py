"""Old entry formats brought up to the present one, in small named steps, when an entry is read.

The bytes in the log are never rewritten; an entry of an earlier format keeps its own bytes and hash for
ever and is understood through the steps below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from store.model import ENGRAM_FORMAT

Header = dict[str, Any]

STEPS: Mapping[str, tuple[str, Callable[[Header], Header]]] = {}  # format -> (next format, step)


def upcast(header: Header) -> Header:
    """Return the header in the present format; raises ValueError for a format that is not known."""
    while header["format"] != ENGRAM_FORMAT:
        if header["format"] not in STEPS:
            raise ValueError(f"unknown entry format {header['format']!r}")
        name, step = STEPS[header["format"]]
        header = {**step(header), "format": name}
    return header
