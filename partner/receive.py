"""What comes in from outside, made into words the store can keep, with nothing lost silently."""

from __future__ import annotations

import re

from partner.errors import UsageError

MAX_MESSAGE_CHARS = 8_000_000  # about four novels; more belongs into a document
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def receive(text: str) -> tuple[str, str]:
    """Return the words and a warning ('' when nothing had to be mended).

    NUL characters and lone surrogates cannot be stored as text; each becomes U+FFFD, which keeps its
    place. Raises UsageError for an empty message and for one too long to be a message.
    """
    if not text.strip():
        raise UsageError("The message is empty; say something, or /help for what can be said.")
    if len(text) > MAX_MESSAGE_CHARS:
        raise UsageError(
            f"The message has {len(text):,} characters; at most {MAX_MESSAGE_CHARS:,} are taken at once.\n"
            "Nothing of it was kept. Put it into a file and send the file in parts."
        )
    nuls = text.count("\x00")
    clean = _UNSTORABLE.sub(_REPLACEMENT, text)
    lost = clean.count(_REPLACEMENT) - text.count(_REPLACEMENT)
    if not lost:
        return clean, ""
    what = "NUL bytes" if nuls == lost else "bytes that are not UTF-8"
    return clean, f"The message held {what}: each is kept as {_REPLACEMENT}. The rest is as you sent it."


def decode(line: bytes) -> str:
    """A line of a pipe as text; bytes that are not UTF-8 become lone surrogates, which `receive` reports."""
    return line.decode("utf-8", "surrogateescape")
