"""What a privacy rule can name: the class and the type of an engram, and the tags the operator gave it.

`stay_local` in `config.toml` lists such names; a context that holds one goes to no engine off this machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from partner.errors import UsageError
from store.model import CLASS_OF, Draft, Engram, Klass

Tags = frozenset[str]
NOTHING: Tags = frozenset()
_TAG = re.compile(r"[\w.:-]{1,64}")


def tags_of(engram: Engram) -> Tags:
    """The names by which a rule may keep this engram on the machine; none for an entry of control."""
    if engram.klass is Klass.CONTROL:
        return NOTHING
    return frozenset({str(engram.klass), str(engram.type), *given(engram.metadata)})


def tags_of_draft(draft: Draft) -> Tags:
    """The same of an engram that is not written yet."""
    return frozenset({str(CLASS_OF[draft.type]), str(draft.type), *given(draft.metadata)})


def given(metadata: Mapping[str, Any]) -> Tags:
    """The tags in an entry's metadata; whatever else stands there under that name is no tag."""
    found = metadata.get("tags")
    return (
        frozenset(tag for tag in found if isinstance(tag, str))
        if isinstance(found, list | tuple)
        else NOTHING
    )


def all_of(engrams: Iterable[Engram]) -> Tags:
    return NOTHING.union(*map(tags_of, engrams))


def tagged(draft: Draft, tags: Iterable[str]) -> Draft:
    """The draft with these tags beside its own."""
    more = sorted(given(draft.metadata).union(tags))
    return replace(draft, metadata={**draft.metadata, "tags": more}) if more else draft


def checked(tags: Iterable[str]) -> Tags:
    """Tags as the operator typed them. Raises UsageError for what is none."""
    wrong = [tag for tag in tags if not _TAG.fullmatch(tag)]
    if wrong:
        raise UsageError(f"'{wrong[0]}' is no tag: letters, digits and . : _ - only, at most 64.")
    return frozenset(tags)
