"""The identity file itself: made with the protection that is wanted, protected anew, moved elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from partner.cli import passphrase
from partner.cli.app import app
from partner.cli.run import Run, command, complain
from partner.errors import UsageError

if TYPE_CHECKING:
    from partner.settings import Settings

Encrypt = Annotated[
    bool | None,
    typer.Option(
        "--encrypt/--keys-only",
        help="Encrypt the whole file, or seal the signing key alone (reading then needs no passphrase).",
        show_default=False,
    ),
]
NoPassphrase = Annotated[
    bool, typer.Option("--no-passphrase", help="Do not ask for one: no protection but the file's mode.")
]
WORDS = {
    "none": "no passphrase; the file is readable by you alone (0600)",
    "keys": "the signing key is sealed: reading needs no passphrase, writing does",
    "file": "the whole file is encrypted: nothing opens it without the passphrase",
}


@command(app, "init")
def init(
    run: Run,
    encrypt: Encrypt = None,
    no_passphrase: NoPassphrase = False,
) -> None:
    """Make a new store and choose how it is protected. (The first message makes one without a passphrase.)"""
    from partner.bootstrap import make_home, system_clock
    from store import create_store

    settings = run.settings()
    refuse_both(settings, encrypt, no_passphrase)
    refuse_existing(settings.store, "exists already. Change its protection with: partner rekey")
    said, whole = chosen(settings, encrypt, no_passphrase)
    make_home(settings)
    with create_store(
        settings.store,
        clock=system_clock(settings),
        author=settings.config.operator.name,
        passphrase=said,
        encrypt=whole,
    ) as store:
        identity, where = store.identity, store.location
    kind = kind_of(said, whole)
    data = {"store": where, "device": identity.device, "id": identity.store_id, "protection": kind}
    open_server = kind == "none" and "://" in where
    says = "no passphrase; whoever may read its tables can write as you" if open_server else WORDS[kind]
    run.show(data, f"Made {where} ({identity.device}): {says}")


def refuse_existing(target: str, what: str) -> None:
    """Raises BadRequest, saying `what` about it, where there is a store (or anything else) already."""
    from store.errors import BadRequest

    if _is_there(target):
        raise BadRequest(f"{'the database ' if '://' in target else ''}{target} {what}")


def refuse_both(settings: Settings, encrypt: bool | None, no_passphrase: bool) -> None:
    """Raises UsageError where no passphrase is wanted and one is given."""
    if no_passphrase and (encrypt or settings.passphrase):
        raise UsageError("--no-passphrase and a passphrase (or --encrypt) contradict each other")


def chosen(settings: Settings, encrypt: bool | None, no_passphrase: bool) -> tuple[str | None, bool]:
    """The passphrase of a new store, given or typed twice, and whether it encrypts the whole file.

    Raises UsageError where encryption is wanted and nobody says a passphrase.
    """
    said = settings.passphrase.get_secret_value() if settings.passphrase else None
    if said is None and not no_passphrase and passphrase.somebody_is_there():
        said = passphrase.choose()
        if said and encrypt is None:
            encrypt = typer.confirm("Encrypt the whole file (asked for at every start)?", err=True)
    if encrypt and not said:
        raise UsageError(
            "An encrypted store needs a passphrase: type it in a terminal, or give it in PARTNER_PASSPHRASE "
            "or with --passphrase-file"
        )
    return said, bool(encrypt)


def kind_of(said: str | None, whole: bool) -> str:
    """What protects a store: `none`, `keys` or `file`."""
    return "none" if not said else "file" if whole else "keys"


@command(app, "rekey")
def rekey(
    run: Run,
    encrypt: Encrypt = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take the passphrase and the encryption off.")
    ] = False,
    new_passphrase_file: Annotated[
        Path | None,
        typer.Option(
            "--new-passphrase-file",
            help="The new passphrase is the first line of this file; else PARTNER_NEW_PASSPHRASE, or typed.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Set, change or remove the passphrase and the encryption of the whole file. Nobody else may be in it."""
    from store import protection

    if remove and (encrypt or new_passphrase_file):
        raise UsageError("--remove takes everything off; it goes with no other choice")
    settings = run.settings()
    _must_be_there(settings.store)
    before = protection(settings.store)
    if before != "none" and settings.passphrase is None and not passphrase.somebody_is_there():
        raise UsageError(
            "The present passphrase is needed: PARTNER_PASSPHRASE, --passphrase-file, or a terminal"
        )
    new = None if remove else _new_passphrase(new_passphrase_file)
    if new is None and not remove:
        raise UsageError(
            "No new passphrase was given: --new-passphrase-file, PARTNER_NEW_PASSPHRASE, or type it in a "
            "terminal; to take it off, say --remove"
        )
    whole = bool(new) and (before == "file" if encrypt is None else encrypt)
    _rekey(run, new, whole=whole)
    after = "none" if new is None else "file" if whole else "keys"
    if after == "file":
        from store.files import wipe_folder

        wipe_folder(settings.cache_dir)  # answers and the vector index lie there in the clear
    run.show({"store": settings.store, "before": before, "protection": after}, f"Now {WORDS[after]}")


@command(app, "move")
def move(
    run: Run,
    dest: Annotated[
        Path, typer.Argument(metavar="DEST", help="The other home (a folder), or a new .partner file.")
    ],
) -> None:
    """Move the one file that is the identity to another home, whole; what was derived from it is removed."""
    from store import move_store
    from store.files import wipe_folder

    settings = run.settings()
    if "://" in settings.store:
        raise UsageError(
            "A store on a server is taken along with: partner export FILE, or partner backup FILE"
        )
    _must_be_there(settings.store)
    with _home_made(dest):
        target = move_store(settings.store, dest, passphrase=settings.key_to_store)
    wipe_folder(settings.cache_dir)
    if target.parent != settings.home:
        from partner.settings import STORE_NAME  # it loads the models of the configuration: not for --help

        option = f"--home {target.parent}" if target.name == STORE_NAME else f"--store {target}"
        complain(f"It opens there with: partner {option}")
    run.show({"from": settings.store, "to": target}, f"Moved to {target}; nothing of it is left here")


@contextmanager
def _home_made(dest: Path) -> Iterator[None]:
    """A home that is not there yet is made, and gone again where nothing was moved to it. A name with an
    ending is a file's."""
    new = not dest.suffix and not os.path.lexists(dest) and dest.parent.is_dir()
    if new:
        dest.mkdir(mode=0o700)
    try:
        yield
    except BaseException:
        if new:
            with suppress(OSError):
                dest.rmdir()
        raise


def _rekey(run: Run, new: str | None, *, whole: bool) -> None:
    settings = run.settings()
    if "://" not in settings.store:
        from store import rekey_store

        rekey_store(settings.store, passphrase=settings.key_to_store, new_passphrase=new, encrypt=whole)
        return
    if whole:
        raise UsageError("A store on a server is not encrypted here; encrypt the server's disk")
    with run.partner(engine_free=True) as partner:
        partner.store.set_passphrase(new)


def _new_passphrase(file: Path | None) -> str | None:
    if file is not None:
        return passphrase.read_file(file)
    if said := os.environ.get("PARTNER_NEW_PASSPHRASE"):
        return said
    return passphrase.choose() if passphrase.somebody_is_there() else None


def _must_be_there(target: str) -> None:
    if not _is_there(target):
        raise UsageError(f"There is no store at {target} yet. Make one with: partner init")


def _is_there(target: str) -> bool:
    """Whether a store is there already: never made by looking."""
    if "://" not in target:
        path = Path(target).expanduser()
        return path.exists() and path.stat().st_size > 0
    from store import protection
    from store.errors import NoStore

    try:
        protection(target)
    except NoStore:
        return False
    return True
