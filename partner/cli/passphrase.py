"""Where a passphrase comes from: a file (or file descriptor), the environment, or somebody at a terminal.

Never from the command line: other users see it there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from partner.errors import UsageError

TRIES = 3
_MOST_BYTES = 65_536


def read_file(path: Path) -> str:
    """The first line of a file, such as /dev/fd/3; raises UsageError where there is none."""
    try:
        with path.open("rb") as file:
            line = file.read(_MOST_BYTES).split(b"\n", 1)[0].removesuffix(b"\r")
        said = line.decode("utf-8")
    except OSError as error:
        raise UsageError(f"The passphrase cannot be read from {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not text in UTF-8, so there is no passphrase in it") from error
    if not said:
        raise UsageError(f"There is no passphrase in {path}: its first line is empty")
    return said


def somebody_is_there() -> bool:
    """Whether a question can be answered: both ends of the terminal are ours."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class Asker:
    """Asks at the terminal, without echo, and remembers the answer; None where nobody is there."""

    def __init__(self, prompt: str = "Passphrase: ") -> None:
        self._prompt = prompt
        self._said: str | None = None
        self.times = 0

    def __call__(self) -> str | None:
        if self._said is None and somebody_is_there():
            self.times += 1
            self._said = _type(self._prompt)
        return self._said

    def refused(self) -> bool:
        """Take note that the answer was wrong; whether it may be asked for again."""
        if self._said is None or self.times >= TRIES:
            return False
        self._said = None
        sys.stderr.write("That does not open it. Again.\n")
        return True


def secret(prompt: str) -> str:
    """A secret that is no passphrase: typed without echo, or the first line of what is piped in.

    Raises UsageError where there is none.
    """
    said = _type(prompt) if somebody_is_there() else sys.stdin.readline(_MOST_BYTES).strip()
    if not said:
        raise UsageError("No key was given; nothing was changed")
    return said


def choose() -> str | None:
    """A new passphrase, typed twice; None for none. Raises UsageError when the two differ three times."""
    for _ in range(TRIES):
        said = _type("New passphrase (empty for none): ")
        if not said or said == _type("The same again: "):
            return said
        sys.stderr.write("The two differ.\n")
    raise UsageError("No passphrase was chosen; nothing was changed")


def _type(prompt: str) -> str | None:
    from getpass import getpass

    try:
        return getpass(prompt, stream=sys.stderr) or None
    except EOFError:
        sys.stderr.write("\n")
        return None
