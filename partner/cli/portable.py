"""Taking the identity along: export, import, backup; and the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from partner.cli.app import app
from partner.cli.protect import Encrypt, NoPassphrase
from partner.cli.run import Run, command, complain, say
from partner.errors import UsageError

if TYPE_CHECKING:
    from store import Store

File = Annotated[Path, typer.Argument(metavar="FILE")]


@command(app, "export")
def export(
    run: Run,
    file: File,
    no_keys: Annotated[
        bool, typer.Option("--no-keys", help="Leave the signing key out: readable and verifiable, no more.")
    ] = False,
) -> None:
    """Write everything into one portable file (JSON lines; your key is in it, unless --no-keys)."""
    with run.existing(empty=False) as partner:
        from store import export_store

        path = export_store(partner.store, file, keys=not no_keys)
        count = partner.store.head().seq
        run.show({"entries": count, "file": path}, f"{count} entries written to {path}")
        held = "" if no_keys else ", your signing key included" + _sealed(partner.store)
        complain(f"! It is in the clear{held}: keep it where nobody else can read it.")


@command(app, "import")
def import_(run: Run, file: File, encrypt: Encrypt = None, no_passphrase: NoPassphrase = False) -> None:
    """Make this home's store from a file that export wrote, protected like one that init makes. Refused where
    a store is already. Keys that the export has sealed stay sealed with their own passphrase."""
    from partner.bootstrap import make_home, system_clock
    from partner.cli import protect
    from store import import_store, protection, sealed_export

    settings = run.settings()
    protect.refuse_both(settings, encrypt, no_passphrase)
    protect.refuse_existing(settings.store, "holds a store already; import into a new one (--home, --store)")
    if sealed_export(file):
        said = _their_passphrase(run, needed=bool(encrypt))
        whole = bool(encrypt)
    else:
        said, whole = protect.chosen(settings, encrypt, no_passphrase)
    make_home(settings)
    with import_store(
        file,
        settings.store,
        clock=system_clock(settings),
        author=settings.config.operator.name,
        passphrase=said,
        encrypt=whole,
    ) as store:
        count = store.head().seq
    kind = protection(settings.store)
    data = {"entries": count, "store": settings.store, "protection": kind}
    run.show(data, f"{count} entries read from {file}\n{protect.WORDS[kind]}")


def _sealed(store: Store) -> str:
    from store.keys import is_sealed

    return " (sealed)" if any(map(is_sealed, store.backend.metas("secret:").values())) else ""


def _their_passphrase(run: Run, *, needed: bool) -> str | None:
    """The passphrase that the keys of an export are sealed with, where it was given or is needed."""
    given = run.settings().passphrase
    if given is not None:
        return given.get_secret_value()
    said = run.asker() if needed else None
    if needed and not said:
        raise UsageError(
            "The keys of this export are sealed. To encrypt the file with their passphrase, type it in a "
            "terminal, or give it in PARTNER_PASSPHRASE or with --passphrase-file"
        )
    return said


@command(app, "backup")
def backup(run: Run, file: File) -> None:
    """Copy the live store, whole and consistent, to a file, and prove the copy before it has its name."""
    with run.existing(empty=False) as partner:
        partner.store.backup(file)
        run.show({"file": file}, f"Backed up to {file}; the copy was read back and verifies")


@command(app, "schema")
def schema(run: Run) -> None:
    """The JSON Schema of an entry."""
    from store import entry_schema

    say(json.dumps(entry_schema(), indent=2, ensure_ascii=False))
