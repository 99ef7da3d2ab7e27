"""Reading a document into memory: its passages become knowledge, under the document's name and authority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from partner.errors import UsageError
from partner.events import Formed
from partner.holds import StoreHolds
from partner.receive import receive
from partner.tags import checked
from partner.writing import apply_changes, tagged_change

if TYPE_CHECKING:
    from partner.operations import Partner


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRead:
    """What a document brought: `written` passages are new, `known` ones were held from it already."""

    name: str
    written: tuple[Formed, ...]
    known: int
    warning: str

    @property
    def line(self) -> str:
        new = len(self.written)
        known = f", {self.known} known already" if self.known else ""
        return f"{self.name}: {new} passage{'' if new == 1 else 's'} written{known}."


def ingest(
    partner: Partner,
    path: Path,
    *,
    name: str | None = None,
    tags: Sequence[str] = (),
    at: datetime | None = None,
) -> DocumentRead:
    """Read a text file: every sentence a passage, none of which takes the place of what the operator said.

    All of it is written, or nothing; read again, only what is new in it. Raises UsageError for what
    is no text, and router.errors.BadRequest for what is no file, cannot be read or is too large.
    """
    from partner.formation import ChangeKind, form_document
    from router.files import read

    own = checked(tags)
    if path.expanduser().is_dir():
        raise UsageError(f"{path} is a folder; name the files in it.")
    found = read(path.expanduser())
    try:
        text, warning = receive(found.data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UsageError(f"{path.name} is no UTF-8 text; make text of it first.") from None
    source = name or found.path.name
    when = at or partner.clock()
    formed = form_document(text, source, when, StoreHolds(partner.store))
    new = [tagged_change(change, own) for change in formed.changes if change.kind is not ChangeKind.SAME]
    if not formed.changes:
        raise UsageError(f"{path.name} holds nothing to remember.")
    with partner.store.transaction():
        events = list(apply_changes(partner.store, new, utterance=None, at=when))
    written = tuple(event for event in events if isinstance(event, Formed))
    return DocumentRead(name=source, written=written, known=len(formed.changes) - len(new), warning=warning)
