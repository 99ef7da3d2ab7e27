"""Reading a document into memory: its passages become knowledge, under the document's name and authority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from partner.errors import UsageError
from partner.events import Formed
from partner.holds import StoreHolds
from partner.receive import receive
from partner.tags import checked
from partner.writing import apply_changes, tagged_change, tagged_hash
from store.model import Engram, EngramType

if TYPE_CHECKING:
    from partner.formation import Change
    from partner.operations import Partner


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRead:
    """What a document brought: `written` passages are new, `known` ones were held from it already."""

    name: str
    written: tuple[Formed, ...]
    known: int
    warning: str
    gone: tuple[Formed, ...] = ()  # passages that an earlier version of this file had and this one has not

    @property
    def line(self) -> str:
        new = len(self.written)
        known = f", {self.known} known already" if self.known else ""
        gone = f", {len(self.gone)} no longer in it taken back" if self.gone else ""
        return f"{self.name}: {new} passage{'' if new == 1 else 's'} written{known}{gone}."


def ingest(
    partner: Partner,
    path: Path,
    *,
    name: str | None = None,
    tags: Sequence[str] = (),
    at: datetime | None = None,
) -> DocumentRead:
    """Read a text file: every sentence a passage, none of which takes the place of what the operator said.

    All of it is written, or nothing; read again, only what is new in it, and what that file no longer says
    is taken
    back. Raises UsageError for what
    is no text, and router.errors.BadRequest for what is no file, cannot be read or is too large.
    """
    from partner.formation import Change, ChangeKind, form_document
    from router.files import read

    own = checked(tags)
    if path.expanduser().is_dir():
        raise UsageError(f"{path} is a folder; name the files in it.")
    found = read(path.expanduser())
    try:
        text_of_file = found.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path.name} is no UTF-8 text; make text of it first.") from None
    if "\0" in text_of_file:
        raise UsageError(f"{path.name} is no text (it holds NUL bytes); make text of it first.")
    text, warning = receive(text_of_file)
    source = name or found.path.name
    when = at or partner.clock()
    formed = form_document(text, source, when, StoreHolds(partner.store))
    file = tagged_hash(
        str(found.path.resolve())
    )  # two files may have one name; where they lie is nobody's business
    new = [
        _from_file(tagged_change(change, own), file)
        for change in formed.changes
        if change.kind is not ChangeKind.SAME
    ]
    if not formed.changes:
        raise UsageError(f"{path.name} holds nothing to remember.")
    with partner.store.transaction():
        old = [passage.id for passage in _no_longer_said(partner, file, formed.changes)]
        if old:
            new.append(Change(kind=ChangeKind.RETRACT, targets=tuple(old), note=f"{source} says so no more"))
        events = list(apply_changes(partner.store, new, utterance=None, at=when))
    made = [event for event in events if isinstance(event, Formed)]
    written = tuple(event for event in made if event.change != "retract")
    gone = tuple(event for event in made if event.change == "retract")
    known = len(formed.changes) - len(written)
    return DocumentRead(name=source, written=written, known=known, warning=warning, gone=gone)


def _from_file(change: Change, file: str) -> Change:
    if change.draft is None:
        return change
    return replace(change, draft=replace(change.draft, metadata={**change.draft.metadata, "file": file}))


def _no_longer_said(partner: Partner, file: str, changes: Sequence[Change]) -> list[Engram]:
    """Passages that hold, were read from this very file, and stand in it no more."""
    said = {change.draft.content for change in changes if change.draft is not None}
    met = {target for change in changes for target in change.targets}
    held = partner.store.current(type=EngramType.PASSAGE)
    ours = (e for e in held if e.metadata.get("file") == file)
    return [e for e in ours if e.id not in met and e.content not in said]
