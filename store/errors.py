"""Errors of the store, each saying who erred.

StoreError
├── BadRequest            the caller's: nothing was changed
│   ├── InvalidEngram     a field is missing or wrong (`.field`)
│   ├── NotFound          no such engram (`.ref`)
│   ├── NoSuchFile        a file that was named to be read is not there
│   ├── AmbiguousId       a short id fits several engrams (`.candidates`)
│   ├── NotAuthorised     the author may not do this (E22, E27)
│   └── Locked            the passphrase is missing or wrong (`.wrong`)
├── StoreUnavailable      the surroundings': disk full, read-only, network file system, busy
│   ├── NoStore           there is none yet where one was to be read
│   ├── EmbedderFailed    the embedding model did not answer: search goes on by words alone
│   ├── NotAStore         the file is something else
│   └── NewerFormat       written by a newer program
└── StoreDamaged          ours: the bytes are not what was written (`.report` where known)
"""

from __future__ import annotations


class StoreError(Exception):
    """Root of the tree; `str()` is a sentence for the operator."""


class BadRequest(StoreError):
    pass


class InvalidEngram(BadRequest):
    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


class NotFound(BadRequest):
    def __init__(self, ref: str) -> None:
        super().__init__(f"there is no engram {ref}")
        self.ref = ref


class NoSuchFile(BadRequest):
    def __init__(self, path: object) -> None:
        super().__init__(f"there is no file {path}")


class AmbiguousId(BadRequest):
    def __init__(self, ref: str, candidates: tuple[str, ...]) -> None:
        super().__init__(f"{ref} fits several engrams: {', '.join(candidates)}; give more of the id")
        self.ref = ref
        self.candidates = candidates


class NotAuthorised(BadRequest):
    pass


class Locked(BadRequest):
    def __init__(self, message: str, *, wrong: bool = False) -> None:
        super().__init__(message)
        self.wrong = wrong  # a passphrase was given and does not fit


class StoreUnavailable(StoreError):
    pass


class NoStore(StoreUnavailable):
    def __init__(self, where: str) -> None:
        super().__init__(f"there is no store {where}")


class EmbedderFailed(StoreUnavailable):
    pass


class NotAStore(StoreUnavailable):
    pass


class NewerFormat(StoreUnavailable):
    pass


class StoreDamaged(StoreError):
    pass
