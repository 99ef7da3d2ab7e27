"""Names as the text side sees them: look-alike letters, invisible characters and case undone.

A payee 'Brаndvеlt' with two Cyrillic letters is the payee 'brandvelt' to whoever reads the transfer.
Only names and words are canonicalised; a path or a host means exactly its characters (see paths, hosts).
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """`text` without format characters, with confusable letters replaced, accents kept, case folded."""
    if text.isascii():
        return text.casefold()
    import disarm

    visible = "".join(char for char in unicodedata.normalize("NFKC", text) if not _ignorable(char))
    return disarm.canonicalize(visible).casefold()


def without_lookalikes(text: str) -> str | None:
    """The word that `text` imitates when it mixes scripts or hides characters, else None.

    A name that is wholly in one script imitates nothing, so 'иван' stays itself.
    """
    if text.isascii():
        return None
    import disarm

    visible = "".join(char for char in text if not _ignorable(char))
    folded = unicodedata.normalize("NFKC", visible)
    if disarm.is_mixed_script(folded):
        folded = disarm.canonicalize(folded)
    return folded if folded != text else None


def _ignorable(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or "\ufe00" <= char <= "\ufe0f"
