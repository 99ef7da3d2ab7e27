"""A message as its pieces: paragraphs, list items under their heading, code, quotations.

Every piece keeps where it stood, so that the evidence of a claim is the operator's text word for word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner.formation.pasted import goes_on, is_pasted, starts_mail


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`text[start:end]` of the message. `lead` is the line that announces a list ('For the garden we
    settled on:')."""

    start: int
    end: int
    kind: str = "prose"  # prose | item | row (of a table; `lead` is its heading row)
    lead: str = ""


_FENCE = re.compile(r"^[ \t]*(```|~~~)")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•·▪–—]|\(?\d{1,3}[.)]|[a-h][.)]|☐|☑|✅|\[[ xX]\])[ \t]+(?=\S)")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+")
_QUOTE = re.compile(r"^[ \t]*>")
_INDENTED_CODE = re.compile(r"^(?: {4}|\t)\S")
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$")
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t:|-]+\|[ \t:|-]*$")
_ROW = re.compile(r"^[ \t]*\|.+\|[ \t]*$")
_ENDS = re.compile(r"[.!?…。！？:：;；][\"'”’»)\]*_]*\s*$")
MAX_LIST_LEAD = 300


def blocks(text: str, *, said: bool = True) -> list[Block]:
    """Split into prose and list items. Code blocks, quoted lines, rules and headings give no block of their
    own; nor, in what is `said`, do pasted logs, code and mails (a document or a result is all of a piece)."""
    found: list[Block] = []
    state = _Walk()
    at = 0
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        start, end = at, at + len(bare)
        at += len(line)
        fence = _FENCE.match(bare)
        if fence or state.fence:
            state.close(found)
            state.fence = _toggle(state.fence, fence)
        elif said and state.pastes(bare, "".join(lines[number + 1 : number + 40])):
            state.close(found)
        elif _ITEM.match(bare):
            state.item(found, text, start + (_ITEM.match(bare) or [""])[0].__len__(), end)
        else:
            _plain_line(state, found, text, start, end)
    state.close(found)
    return found


def _toggle(open_fence: str, fence: re.Match[str] | None) -> str:
    if not open_fence:
        return fence[1] if fence else ""
    return "" if fence and fence[1] == open_fence else open_fence


def _plain_line(state: _Walk, found: list[Block], text: str, start: int, end: int) -> None:
    line = text[start:end]
    if _TABLE_RULE.match(line) and "-" in line:
        state.heading(found, text)
    elif _ROW.match(line):
        state.close(found)
        found.append(Block(start=start, end=end, kind="row", lead=state.columns))
    elif not line.strip():
        state.columns = ""
        state.close(found)
        state.blank = True
    elif _QUOTE.match(line) or _RULE.match(line):
        state.close(found)
    elif heading := _HEADING.match(line):
        state.close(found)
        state.lead = line[heading.end() :].strip()
    elif _INDENTED_CODE.match(line) and state.blank and not state.items:
        state.close(found)
    else:
        state.prose(found, text, start, end)


class _Walk:
    """Where the reader of lines stands."""

    def __init__(self) -> None:
        self.fence = ""
        self.lead = ""
        self.items = False
        self.blank = True
        self.columns = ""
        self._open: tuple[int, int] | None = None
        self._pasted = self._mail = False

    def pastes(self, line: str, after: str) -> bool:
        """Whether the line belongs to something pasted; a mail goes on to the end."""
        self._mail = self._mail or starts_mail(line, after)
        self._pasted = is_pasted(line) or (self._pasted and bool(line.strip()) and goes_on(line))
        return self._mail or self._pasted

    def heading(self, found: list[Block], text: str) -> None:
        """The rule under a table's first row: that row names the columns."""
        if found and found[-1].kind == "row":
            row = found.pop()
            self.columns = text[row.start : row.end]

    def item(self, found: list[Block], text: str, start: int, end: int) -> None:
        if self._open is not None:
            last = text[self._open[0] : self._open[1]].rstrip()
            if last.endswith((":", "：")) and not self.items:
                tail = re.split(r"(?<=[.!?。！？])\s+", last)[-1]
                self.lead = tail[-MAX_LIST_LEAD:]
                keep = len(last) - len(tail)
                self._open = (self._open[0], self._open[0] + keep) if keep else None
            self._emit(found)
        if (
            not self.lead
            and not self.items
            and found
            and found[-1].kind == "prose"
            and _heads(text, found[-1], start)
        ):
            self.lead = text[found[-1].start : found[-1].end].strip()
            found.pop()
        self.items, self.blank = True, False
        found.append(Block(start=start, end=end, kind="item", lead=self.lead))

    def prose(self, found: list[Block], text: str, start: int, end: int) -> None:
        if self.items and not self.blank and text[start : start + 1] in " \t" and found:
            found[-1] = Block(start=found[-1].start, end=end, kind="item", lead=found[-1].lead)
            return
        if self.items:
            self.lead, self.items = "", False
        if self._open and not _joins(text[self._open[0] : self._open[1]], text[start:end]):
            self._emit(found)
        self._open = (self._open[0], end) if self._open else (start, end)
        self.blank = False

    def close(self, found: list[Block]) -> None:
        self._emit(found)

    def _emit(self, found: list[Block]) -> None:
        if self._open and self._open[0] < self._open[1]:
            found.append(Block(start=self._open[0], end=self._open[1], lead=""))
        self._open = None


def _heads(text: str, block: Block, start: int) -> bool:
    """A short line without a stop right before a list stands over it ('Notes from the call')."""
    line = text[block.start : block.end]
    near = not text[block.end : start].strip(" \t\r\n-*+•·0123456789.)(☐☑✅[]xX▪–—")
    return near and len(line) <= 60 and "\n" not in line and not re.search(r"[.!?…。！？,;]\s*$", line)


def _joins(before: str, line: str) -> bool:
    """A soft line break: the line before did not end, and this one goes on in lower case."""
    first = line.lstrip()[:1]
    return not _ENDS.search(before) and (first.islower() or first in "(,;")
