"""Files on their way into a request: read once, hashed, and those very bytes sent.

Nothing here looks at a file's time or size to tell whether it changed: what enters the fingerprint of a
request is the hash of the bytes that are in it, so a file rewritten under the same size and time is another.
"""

from __future__ import annotations

import hashlib
import mimetypes
import stat
from dataclasses import dataclass
from pathlib import Path

from router.errors import BadRequest
from router.model import Attachment

MAX_FILE_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """Bytes of a file as they were when read; `start` is their offset, `whole` whether that is all of it."""

    path: Path
    data: bytes
    sha256: str
    start: int
    whole: bool

    def text(self) -> str:
        """As UTF-8; what is no UTF-8 becomes U+FFFD."""
        return self.data.decode("utf-8", "replace")

    def attachment(self, media_type: str | None = None) -> Attachment:
        """For a Message. Without `media_type` the file's name tells it, text where it tells nothing."""
        guessed = media_type or mimetypes.guess_type(self.path.name)[0] or "text/plain"
        return Attachment(media_type=guessed, data=self.data, name=self.path.name)


def read(path: Path, *, start: int = 0, length: int | None = None) -> FileRead:
    """Read a file, or `length` bytes of it from `start`, in one go.

    Raises:
        BadRequest: it is not there, is no regular file, may not be read, or is larger than MAX_FILE_BYTES.
    """
    if start < 0 or (length is not None and length < 0):
        raise BadRequest(f"a range of {path.name} cannot start or extend below 0")
    try:
        # before opening: a pipe without a writer would never open
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadRequest(f"{path} is no file")
        with path.open("rb") as file:
            file.seek(start)
            wanted = MAX_FILE_BYTES + 1 if length is None else min(length, MAX_FILE_BYTES + 1)
            data = file.read(wanted)
            whole = start == 0 and not file.read(1)
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise BadRequest(f"{path} is larger than {MAX_FILE_BYTES // 1024**2} MB; read a range of it")
    return FileRead(path=path, data=data, sha256=hashlib.sha256(data).hexdigest(), start=start, whole=whole)
