"""Programs that end what a file or a folder holds without taking it away: holes, cuts, what is old."""

from __future__ import annotations

import re

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call
from gate.actions.shell.options import parse

_GROWS = ("+", ">", "%")  # sizes that only lengthen a file


def _truncate(call: Call) -> None:
    parsed = parse(call.args, "sr", ("size", "reference"))
    size = parsed.value("s", "size") or ""
    call.emit("write", parsed.operands, labels=("overwrite",))
    if not size.strip().startswith(_GROWS):
        call.emit("delete", parsed.operands, labels=("empties",))
        call.emit("truncate", parsed.operands, objects=("file",))


def _fallocate(call: Call) -> None:
    """Room is made in a file; a hole, a stretch of zeros or a stretch taken out ends what stood there."""
    parsed = parse(
        call.args,
        "lo",
        ("length", "offset"),
        known="collapse-range dig-holes insert-range keep-size punch-hole zero-range posix verbose",
    )
    if parsed.has("help", "version"):
        return
    call.emit("write", parsed.operands)
    if parsed.has("p", "punch-hole", "c", "collapse-range", "z", "zero-range", "w", "write-zeroes"):
        call.emit("delete", parsed.operands, objects=("file", "content"), labels=("empties",))


def _old(call: Call) -> None:
    """tmpwatch and its like delete what was not used for a time."""
    parsed = parse(call.args, "xXU", ("exclude", "exclude-user", "exclude-pattern", "protect"), known="test")
    if not parsed.has("t", "test", "help", "version"):
        call.delete(parsed.operands[1:], tree=True)


def empties_perl(switches: list[str], code: str) -> bool:
    """Whether a perl program that edits files in place leaves nothing of them."""
    looping = any(re.match(r"-\w*n", word) for word in switches)
    if looping and not re.search(r"\b(?:print|printf|say|write|eof)\b", code):
        return True
    nothing = r"""\s*(?:\$_\s*=\s*(?:""|''|undef|q[qw]?\(\))|undef\s*\(?\s*\$_\s*\)?)\s*;?\s*"""
    return re.fullmatch(nothing, code) is not None


def empties_awk(program: str) -> bool:
    """Whether an awk program puts out nothing whatever it reads."""
    if "print" in program:
        return False
    return re.fullmatch(r"\s*(?:0|(?:(?:BEGIN|END|/[^/{}]*/)?\s*\{[^{}]*\}\s*)+)?\s*", program) is not None


_EVERY = r"(?:/(?:\^?(?:\.\*?)?\$?)/|1,\$|0,\$|1?,?\$?|1~1)"
_EMPTIED = re.compile(rf"\s*{_EVERY}\s*d\s*;?\s*")


def empties_sed(program: str) -> bool:
    """Whether a sed script deletes every line that says anything."""
    return _EMPTIED.fullmatch(program) is not None


PROGRAMS: dict[str, Handler] = {
    "truncate": _truncate,
    "fallocate": _fallocate,
    **dict.fromkeys(("tmpwatch", "tmpreaper"), _old),
}
