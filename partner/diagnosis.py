"""`partner doctor`: looks at everything, changes nothing, and says what to do about what it finds."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from partner.settings import Settings

if TYPE_CHECKING:
    from partner.operations import Partner

LOW_DISK_BYTES = 500_000_000
OK, NOTE, BROKEN = "ok", "note", "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`level`: ok, note (works, but could be better) or broken."""

    level: str
    topic: str
    says: str


def examine(settings: Settings) -> list[Finding]:
    """All findings, in the order in which things depend on each other.

    Raises NoStore where the store that was named is not there.
    """
    return [*_home(settings), *_store(settings), *_models(settings), *_engines(settings)]


def _home(settings: Settings) -> Iterator[Finding]:
    home = settings.home
    if not home.exists():
        yield Finding(level=NOTE, topic="home", says=f"{home} is not there yet; the first message makes it.")
        return
    if not os.access(home, os.W_OK):
        says = f"{home} cannot be written. Mend its permissions, or choose another with --home."
        yield Finding(level=BROKEN, topic="home", says=says)
    elif home.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield Finding(
            level=NOTE, topic="home", says=f"Others can look into {home}. Close it: chmod 700 {home}"
        )
    else:
        yield Finding(level=OK, topic="home", says=str(home))
    free = shutil.disk_usage(home).free
    if free < LOW_DISK_BYTES:
        yield Finding(level=NOTE, topic="disk", says=f"Only {free // 1_000_000} MB are free at {home}.")


def _store(settings: Settings) -> Iterator[Finding]:
    from partner.bootstrap import open_partner
    from store.errors import NoStore, StoreDamaged, StoreError

    if settings.unused:
        yield Finding(level=NOTE, topic="store", says="Nothing was written yet.")
        return
    try:
        with open_partner(settings, engine_free=True, create=False) as partner:
            report = partner.store.verify(full=True)
            head = partner.store.head()
            idle = partner.idle_rules()
            meaning = list(_meaning(partner))
    except NoStore:
        raise
    except StoreDamaged as error:
        yield Finding(level=BROKEN, topic="integrity", says=f"{error}. Restore a backup if you have one.")
        return
    except StoreError as error:
        yield Finding(level=BROKEN, topic="store", says=str(error))
        return
    if report.problem is not None:
        problem = report.problem
        says = f"Entry {problem.seq}: {problem.kind}. {problem.detail}"
        yield Finding(level=BROKEN, topic="integrity", says=says)
    else:
        yield Finding(level=OK, topic="integrity", says=f"{head.seq} entries, all as they were written.")
    for line in idle:
        yield Finding(level=BROKEN, topic="gate", says=line)
    yield from meaning


def _meaning(partner: Partner) -> Iterator[Finding]:
    """The vectors and their published index; both are derived and made again."""
    if partner.meaning is None:
        yield Finding(level=NOTE, topic="retrieval", says="By words alone: the embedding model is not here.")
        return
    state = partner.store.meaning()
    if state.coming is not None:
        says = f"{state.made} of about {state.of} vectors of {state.coming} are made; {state.serving} serves."
        yield Finding(level=NOTE, topic="retrieval", says=says)
    else:
        says = f"By words and meaning: {state.made} vectors of {state.serving}."
        yield Finding(level=OK, topic="retrieval", says=says)
    for name in partner.store.damaged_index():
        says = f"The vector index's file {name} is damaged; the store answers until it is written anew."
        yield Finding(level=NOTE, topic="index", says=says)


def _models(settings: Settings) -> Iterator[Finding]:
    from partner import modelfiles

    for row in modelfiles.rows(settings.models_dir):
        if row["path"] is None:
            says = f"{row['name']} ({row['use']}) is not here. Fetch it: partner models pull"
            yield Finding(level=NOTE, topic="models", says=says)
        else:
            yield Finding(level=OK, topic="models", says=f"{row['name']}: {row['path']}")


def _engines(settings: Settings) -> Iterator[Finding]:
    from partner.bootstrap import MEMORY, open_partner
    from store.errors import StoreError

    if not settings.home.exists():
        return
    if settings.unused:
        settings = settings.model_copy(update={"store": MEMORY})
    try:
        with open_partner(settings, create=False) as partner:
            for name, kind, model, condition in partner.engine_rows():
                level = OK if condition == "ready" else NOTE
                yield Finding(level=level, topic="engines", says=f"{name} ({kind}, {model}): {condition}")
    except StoreError:
        return  # said above
