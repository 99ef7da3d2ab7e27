"""The lexicon's version, and its large derived files read whole and held to their digests.

    python -m gate.language.manifest LEXICON_DIR

writes `VERSIONS` (what `sha256sum *.tsv` prints; `sha256sum -c VERSIONS` checks it). Run it after a .tsv file
was made anew. The small files that people edit are hashed as they stand; the large ones are some ten
megabytes, too much to read at every start, so the version is made of their digests in VERSIONS, and each is
compared with its digest when it is read: no file can decide a verdict that the version does not name.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from gate.errors import LexiconDamaged
from gate.language.lexicon import lexicon_dir

MANIFEST = "VERSIONS"
_EDITED = (".toml", ".txt")
_ROW = re.compile(r"([0-9a-f]{64})  (\S+\.tsv)")


def manifest(folder: Path) -> str:
    """What VERSIONS has to say of the .tsv files in a folder: SHA-256 and name a line, sorted by name."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.glob("*.tsv"))
    )


@cache
def _digests(folder: Path) -> Mapping[str, str]:
    """Name -> SHA-256 in hex, as VERSIONS says. Raises LexiconDamaged when it is missing or malformed."""
    try:
        lines = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise LexiconDamaged(f"{MANIFEST}: {error}") from error
    rows = [_ROW.fullmatch(line) for line in lines]
    if not all(rows):
        raise LexiconDamaged(f"{MANIFEST}: a line is not a SHA-256 and the name of a .tsv file")
    return MappingProxyType({row[2]: row[1] for row in rows if row})


def read_checked(path: Path) -> bytes:
    """The bytes of a .tsv file. Raises LexiconDamaged when it is missing or not what VERSIONS names."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LexiconDamaged(f"{path.name}: {error}") from error
    if hashlib.sha256(data).hexdigest() != _digests(path.parent).get(path.name):
        raise LexiconDamaged(
            f"{path.name}: not the file that {MANIFEST} names (reinstall; after an upgrade, start again; "
            "after a change of your own, python -m gate.language.manifest)"
        )
    return data


def version_of(folder: Path) -> str:
    """`lexicon/2:` + the first 12 hex digits of SHA-256 over VERSIONS and all edited files, by name."""
    digest = hashlib.sha256()
    for name, listed in sorted(_digests(folder).items()):
        digest.update(name.encode() + b"\0" + bytes.fromhex(listed))
    for path in sorted(folder.iterdir()):
        if path.suffix in _EDITED:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return "lexicon/2:" + digest.hexdigest()[:12]


@cache
def lexicon_version() -> str:
    """The version of the lexicon in use. Raises LexiconDamaged."""
    return version_of(lexicon_dir())


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0])
    (folder / MANIFEST).write_text(manifest(folder), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
