"""What every command shares: the common options, the output, and the one error boundary."""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from partner.cli import passphrase
from partner.cli.passphrase import Asker
from partner.errors import Exit

if TYPE_CHECKING:
    from datetime import datetime

    from partner.bootstrap import Partner
    from partner.settings import Settings

HomeOption = Annotated[
    Path | None, typer.Option("--home", help="Where this partner lives.", show_default=False)
]
StoreOption = Annotated[
    str | None, typer.Option("--store", help="The store: a file or postgresql://...", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.", show_default=False)]
PassphraseOption = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        help="The passphrase is the first line of this file (/dev/fd/3 for a descriptor).",
        show_default=False,
    ),
]
EngineOption = Annotated[
    str | None, typer.Option("--engine", help="The language engine; 'none' for none.", show_default=False)
]
AtOption = Annotated[
    str | None,
    typer.Option("--at", help="Judge as of then: 2026-03-06T10:15, or friday 14:00.", show_default=False),
]


SaidAtOption = Annotated[
    str | None,
    typer.Option("--at", help="As if said then: 2026-03-06T10:15, or yesterday 14:00.", show_default=False),
]


@dataclass(slots=True)
class Common:
    """Options given before the command; those after it win."""

    home: Path | None = None
    store: str | None = None
    engine: str | None = None
    json: bool = False
    passphrase_file: Path | None = None


@dataclass(slots=True)
class Run(Common):
    """One run of one command."""

    exit: int = Exit.DONE
    asker: Asker = field(default_factory=Asker)
    _settings: Settings | None = None

    def settings(self) -> Settings:
        """Read once: the passphrase is then out of the environment, which programs we start inherit."""
        if self._settings is None:
            from partner import settings

            said = passphrase.read_file(self.passphrase_file) if self.passphrase_file else None
            self._settings = settings.load(
                os.environ,
                home=self.home,
                store=self.store,
                engine=self.engine,
                passphrase=said,
                ask_passphrase=self.asker,
            )
            os.environ.pop("PARTNER_PASSPHRASE", None)
            if self._settings.home.is_file():
                from partner.errors import HomeUnavailable

                raise HomeUnavailable(
                    f"{self._settings.home} is a file, and a home is a folder. If it is a store, name it "
                    "with --store; else name a folder with --home or PARTNER_HOME."
                )
        return self._settings

    def moment(self, value: str | None, *, to_its_end: bool = False) -> datetime | None:
        """The time an option names, in the operator's zone: ISO-8601, or words such as 'yesterday' and
        'last Friday 14:00'. A day alone is its beginning, or its end with `to_its_end`; today is now.
        Raises UsageError."""
        if value is None:
            return None
        from partner.bootstrap import system_clock
        from partner.cli.when import read_moment

        return read_moment(value, now=system_clock(self.settings())(), to_its_end=to_its_end)

    @contextmanager
    def partner(self, **options: Any) -> Iterator[Partner]:
        """The opened partner of this run's home. Where nothing can be kept, that is said once."""
        with ExitStack() as stack:
            opened = self._opened(stack, options)
            yield opened
            if opened.store.read_only and not opened.talked:
                from partner.names import only_read

                complain(f"! {only_read(opened.store.location)}")

    @contextmanager
    def existing(self, *, empty: bool = True, by_meaning: bool = True) -> Iterator[Partner]:
        """The partner for a command that only reads: a store that is not there is not made by looking.

        A home in which nothing was said yet is read as `empty`, and that is said; a store that was named must
        be there. Raises store.errors.NoStore.
        """
        settings = self.settings()
        if empty and settings.unused:
            from partner.bootstrap import MEMORY

            complain(f"! There is no store at {settings.store} yet: the first message makes it.")
            self._settings = settings.model_copy(update={"store": MEMORY})
        with self.partner(engine_free=True, create=False, by_meaning=by_meaning) as opened:
            yield opened

    def _opened(self, stack: ExitStack, options: dict[str, Any]) -> Partner:
        from partner.bootstrap import open_partner
        from store.errors import Locked

        while True:
            try:
                return stack.enter_context(open_partner(self.settings(), **options))
            except Locked as error:
                if not error.wrong or not self.asker.refused():
                    raise

    def show(self, data: Any, text: str | Callable[[], str]) -> None:
        """Print the result once: as JSON when asked for, else as the text."""
        if self.json:
            from partner.views import plain

            say(json.dumps(plain(data), ensure_ascii=False, indent=2))
        else:
            say(text if isinstance(text, str) else text())


def say(text: str = "", *, end: str = "\n") -> None:
    """Write to standard output at once, so that a reader of the pipe sees each line when it is true."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def complain(text: str) -> None:
    sys.stderr.write(text.rstrip() + "\n")
    sys.stderr.flush()


def command(
    app: typer.Typer, name: str, *, engine: bool = False, **options: Any
) -> Callable[[Callable[..., None]], Any]:
    """Register `function(run, ...)` as a command that also takes --home, --store, --passphrase-file, --json.

    `engine=True` adds --engine. Every error the function raises passes the boundary.
    """

    def register(function: Callable[..., None]) -> Any:
        shared: dict[str, Any] = {
            "home": HomeOption,
            "store": StoreOption,
            "passphrase_file": PassphraseOption,
            "json": JsonOption,
        }
        if engine:
            shared["engine"] = EngineOption
        hints = get_type_hints(function, include_extras=True)
        own = list(inspect.signature(function).parameters.values())[1:]

        @functools.wraps(function)
        def call(ctx: typer.Context, **values: Any) -> None:
            common: Common = ctx.obj or Common()
            run = Run(
                home=values.pop("home", None) or common.home,
                store=values.pop("store", None) or common.store,
                json=values.pop("json", False) or common.json,
                passphrase_file=values.pop("passphrase_file", None) or common.passphrase_file,
                engine=(values.pop("engine", None) if engine else None) or common.engine,
            )
            from partner.cli.boundary import guarded

            raise typer.Exit(guarded(run, lambda: function(run, **values)))

        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [
            inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        ]
        parameters += [p.replace(kind=keyword, annotation=hints[p.name]) for p in own]
        parameters += [
            inspect.Parameter(key, keyword, default=False if key == "json" else None, annotation=kind)
            for key, kind in shared.items()
        ]
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        call.__annotations__ = {p.name: p.annotation for p in parameters}
        del call.__wrapped__  # type: ignore[attr-defined]  # else the original signature shows through
        return app.command(name, **options)(call)

    return register
