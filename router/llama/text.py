"""Text out of tokens: whole characters, stop strings, and special tokens made harmless."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable

PACE_S = 0.04  # no eye follows more than 25 pieces a second
LOOP_CHARS = 120
LOOP_PIECE_CHARS = 200
LOOP_CHECK_CHARS = 24


class Utf8Joiner:
    """Bytes in, whole characters out: a character cut between two tokens waits for its rest."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, piece: bytes) -> str:
        return self._decoder.decode(piece)

    def flush(self) -> str:
        """What is left at the end; an unfinished character becomes U+FFFD."""
        return self._decoder.decode(b"", final=True)


class StopWatcher:
    """Lets text through up to the first stop string; what might be the start of one is held back."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.hit = False

    def feed(self, text: str) -> str:
        if not self._stops:
            return text
        self._held += text
        found = [at for at in (self._held.find(stop) for stop in self._stops) if at >= 0]
        if found:
            self.hit = True
            out, self._held = self._held[: min(found)], ""
            return out
        keep = max(_overlap(self._held, stop) for stop in self._stops)
        cut = len(self._held) - keep
        out, self._held = self._held[:cut], self._held[cut:]
        return out

    def flush(self, text: str = "") -> str:
        out = self.feed(text)
        out, self._held = out + self._held, ""
        return out


class LoopWatcher:
    """Notices a model that says the same again and again, as small ones do once they lose the thread.

    `looping` becomes True when the end of the text is one piece repeated: at least three times, over at
    least LOOP_CHARS characters, with a letter in it (a ruled line is no loop).
    """

    def __init__(self) -> None:
        self._tail = ""
        self._unchecked = 0
        self.looping = False

    def feed(self, text: str) -> None:
        self._tail = (self._tail + text)[-3 * LOOP_PIECE_CHARS :]
        self._unchecked += len(text)
        if self._unchecked < LOOP_CHECK_CHARS or len(self._tail) < LOOP_CHARS:
            return
        self._unchecked = 0
        end = len(self._tail)
        last = self._tail[-LOOP_CHECK_CHARS:]
        at = self._tail.rfind(last, 0, end - 1)  # what repeats has its last words one period earlier, too
        while at >= 0 and not self.looping and (period := end - LOOP_CHECK_CHARS - at) <= LOOP_PIECE_CHARS:
            self.looping = self._repeats(period)
            at = self._tail.rfind(last, 0, at + LOOP_CHECK_CHARS - 1)

    def _repeats(self, period: int) -> bool:
        length = max(3 * period, LOOP_CHARS)
        end = self._tail[-length:]
        return len(end) >= 3 * period and end[period:] == end[:-period] and any(map(str.isalpha, end))


class Pacer:
    """Hands text on at once, and what comes within PACE_S after that together with the next.

    A token of a small model takes a few hundredths of a second, in which its weights push all else out of the
    processor's caches: two processes woken for each one took two percent of its speed. `clock` gives seconds.
    """

    def __init__(self, send: Callable[[str], None], clock: Callable[[], float] = time.perf_counter) -> None:
        self._send = send
        self._clock = clock
        self._held = ""
        self._sent_at = -PACE_S

    def feed(self, text: str) -> None:
        self._held += text
        if self._clock() - self._sent_at >= PACE_S:
            self.flush()

    def flush(self) -> None:
        if self._held:
            self._send(self._held)
            self._held, self._sent_at = "", self._clock()


def _overlap(text: str, stop: str) -> int:
    """Length of the longest proper prefix of `stop` that `text` ends with."""
    for size in range(min(len(stop) - 1, len(text)), 0, -1):
        if text.endswith(stop[:size]):
            return size
    return 0


def defuse(text: str, special: tuple[str, ...]) -> str:
    """`text` in which no special token of the model is spelled: pasted text must not become a turn.

    A zero-width space after the first character keeps it readable and makes it ordinary text.
    """
    for token in special:
        if token in text:
            text = text.replace(token, f"{token[0]}\u200b{token[1:]}")
    return text
