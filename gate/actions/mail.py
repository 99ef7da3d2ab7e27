"""Mail (kind `email.send`): who receives it, and which files leave with it. The words are content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.actions.addresses import email_frames
from gate.actions.paths import argument, places
from gate.actions.schema import MAX_NAME, optional_text, texts
from gate.errors import BadAction
from gate.model import Facts, Frame


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`to` (or `cc`, `bcc`; at least one), `subject`, `body`, `attachments` (paths)."""
    recipients = texts(args, "to", "cc", "bcc", "recipients", limit=MAX_NAME)
    if not any(value.strip() for value in recipients):
        raise BadAction("to", "names no recipient")
    words = "\n".join(
        part for name in ("subject", "body", "text", "html") if (part := optional_text(args, name))
    )
    frames = email_frames(recipients, text=words)
    attached = texts(args, "attachments", "attachment", "files", limit=MAX_NAME)
    if attached:
        frames += _attachments(attached, frames, facts)
    return tuple(frames)


def _attachments(attached: tuple[str, ...], frames: list[Frame], facts: Facts) -> list[Frame]:
    found: list[str] = []
    missing: set[str] = set()
    for path in attached:
        pattern, sure = argument(path)
        where = places(pattern, facts)
        found += where
        if not sure or not where:  # a bare file name stands in a folder that nobody named
            missing.add("path")
    frames = [frame for frame in frames if frame.act == "email"]
    people = tuple(dict.fromkeys(person for frame in frames for person in frame.recipients))
    hosts = tuple(dict.fromkeys(host for frame in frames for host in frame.hosts))
    names = tuple(path.rpartition("/")[2].casefold() for path in attached)
    paths = tuple(dict.fromkeys(found))
    unknown = frozenset(missing)
    return [
        Frame(
            act="send",
            objects=("attachment", "file", *names),
            paths=paths,
            recipients=people,
            hosts=hosts,
            unknown=unknown,
            count=len(people),
        ),
        Frame(act="read", objects=("file",), paths=paths, unknown=unknown),
    ]
