"""An answer as it streams, broken between words: a terminal by itself breaks in the middle of them."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

FENCE = "```"
WIDE_FROM = "\u2e80"  # from here on (CJK) a line may break after any character


class Flow:
    """Pieces of an answer in, lines of at most `width()` cells out, each word as soon as it is whole.

    Spaces and line ends of the answer are kept, but for the space at which a line was broken. Within a code
    fence nothing is broken, so that what is copied is what was written. A word longer than a line goes out as
    it is.
    """

    def __init__(self, write: Callable[[str], None], width: Callable[[], int]) -> None:
        self._write = write
        self._width = width
        self._column = 0
        self._space = ""
        self._word = ""
        self._line = ""  # of the answer, as far as a fence could still be in it
        self._fenced = False

    @property
    def midline(self) -> bool:
        return bool(self._column or self._word)

    def feed(self, piece: str) -> None:
        for char in piece:
            if char == "\n":
                self._newline()
            elif char in " \t":
                self._put()
                self._space += char
            else:
                self._word += char
                if char >= WIDE_FROM:
                    self._put()
            if char != "\n" and len(self._line) <= len(FENCE):
                self._line = (self._line + char).lstrip()

    def end(self) -> None:
        """Give out what is held back."""
        self._put()

    def _newline(self) -> None:
        self._put()
        if self._line.startswith(FENCE):
            self._fenced = not self._fenced
        self._write("\n")
        self._column, self._space, self._line = 0, "", ""

    def _put(self) -> None:
        if not self._word:
            return
        cells = cell_len(self._space) + cell_len(self._word)
        breaks = self._column > 0 and self._column + cells > self._width()
        if breaks and not self._fenced and not self._line.startswith(FENCE):
            self._write("\n" + self._word)
            self._column = cell_len(self._word)
        else:
            self._write(self._space + self._word)
            self._column += cells
        self._space = self._word = ""
