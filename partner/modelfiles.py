"""The embedded models as the command line shows and fetches them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from partner.errors import UsageError
from router import models
from router.models import Progress

_STEP_PERCENT = 10


def rows(models_dir: Path) -> list[dict[str, str | None]]:
    """Name, use, licence and file of each embedded model; `path` is None for one that is not here."""
    here = models.present(models_dir)
    return [
        {
            "name": name,
            "use": model.purpose,
            "license": model.license,
            "path": str(models_dir / model.file) if here[name] else None,
        }
        for name, model in models.REGISTRY.items()
    ]


def pull(models_dir: Path, names: list[str] | None, say: Callable[[str], None]) -> dict[str, Path]:
    """Fetch what is missing, with a line of progress each tenth. Returns where each file is."""
    wanted = tuple(names or models.REGISTRY)
    unknown = [name for name in wanted if name not in models.REGISTRY]
    if unknown:
        raise UsageError(f"There is no model '{unknown[0]}'. The embedded ones: {', '.join(models.REGISTRY)}")
    paths = models.pull(models_dir, _Reporter(say), names=wanted)
    return dict(zip(wanted, paths, strict=True))


class _Reporter:
    """Turns progress into few lines: a pipe must not be filled with counters.

    A share that goes back is not told: it is pip tidying up behind itself.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._last: tuple[str, str, int] | None = None

    def __call__(self, progress: Progress) -> None:
        percent = 100 * progress.done_bytes // progress.total_bytes if progress.total_bytes else 0
        mark = (progress.name, progress.stage, percent // _STEP_PERCENT)
        if progress.stage == "present" or mark == self._last or self._goes_back(mark):
            return
        self._last = mark
        share = (
            f" {percent}% of {progress.total_bytes // 1_000_000} MB" if progress.stage == "download" else ""
        )
        self._say(f"{progress.name}: {progress.stage}{share}")

    def _goes_back(self, mark: tuple[str, str, int]) -> bool:
        return self._last is not None and mark[:2] == self._last[:2] and mark[2] < self._last[2]
