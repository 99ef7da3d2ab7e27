"""The one error boundary: every package's errors become a short message and an exit code.

The message says what happened, why, and what to do; the code follows DESIGN §9 (partner/errors.py).
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from partner.errors import Exit, PartnerError

if TYPE_CHECKING:
    from partner.cli.run import Run

INTERRUPTED = 130
_DISK = {
    errno.ENOSPC: "The disk is full. Nothing already acknowledged is lost; free some and say it again.",
    errno.EDQUOT: "The disk quota is used up. Nothing acknowledged is lost; free some and say it again.",
    errno.EFBIG: "The file may not grow any further here (a size limit). Nothing already acknowledged is\n"
    "lost; raise the limit and say it again.",
    errno.EROFS: "The file system is read-only. Choose another home with --home or PARTNER_HOME.",
    errno.EACCES: "No permission. Mend the permissions, or choose another home with --home or PARTNER_HOME.",
    errno.EPERM: "No permission. Mend the permissions, or choose another home with --home or PARTNER_HOME.",
}


def command_line(app: Callable[..., object], argv: list[str]) -> int:
    """Parse and run the command line; return the exit code. Wrong usage is said like every other error."""
    import typer

    try:
        code = app(argv, prog_name="partner", standalone_mode=False)
    except typer.TyperException as error:
        from partner.cli.run import complain, say

        message = _sentence(error.format_message())
        place = getattr(getattr(error, "ctx", None), "command_path", "partner")
        complain(f"{message} See: {place} --help")
        if "--json" in argv:
            body = {"error": message, "kind": "UsageError", "exit": error.exit_code}
            say(json.dumps(body, ensure_ascii=False))
        return error.exit_code
    except typer.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else Exit.DONE


def guarded(run: Run, work: Callable[[], None]) -> int:
    """Run a command; return the exit code. Prints whatever went wrong, once."""
    try:
        work()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()  # the reader of our output left; that is not an error of ours
        return Exit.DONE
    except Exception as error:  # noqa: BLE001 - no traceback may reach the operator
        return report(run, error)
    return run.exit


def report(run: Run, error: Exception) -> int:
    """Say what happened on standard error (and as JSON on standard output if asked for); return the code."""
    from partner.cli.run import complain, say

    code, message = explain(error)
    complain(message)
    if os.environ.get("PARTNER_DEBUG"):
        import traceback

        complain("".join(traceback.format_exception(error)))
    if run.json:
        body: dict[str, object] = {"error": message, "kind": type(error).__name__, "exit": int(code)}
        verdict = getattr(error, "verdict", None)
        if verdict is not None:
            from partner.views import plain

            body["verdict"] = plain(verdict)
        say(json.dumps(body, ensure_ascii=False))
    return int(code)


def explain(error: BaseException) -> tuple[Exit, str]:
    """Exit code and message of any error."""
    if isinstance(error, PartnerError):
        return error.exit_code, str(error)
    package = type(error).__module__.split(".")[0]
    table = {"store": _store, "gate": _gate, "router": _router}.get(package)
    found = table(error) if table else None
    if found is not None:
        return found
    if isinstance(error, OSError):
        return _surroundings(error)
    where = type(error).__name__
    return Exit.FAILED, (
        f"Something went wrong inside partner ({where}: {error}).\n"
        "Nothing already acknowledged is lost. Run again with PARTNER_DEBUG=1 to see where."
    )


def _surroundings(error: OSError) -> tuple[Exit, str]:
    advice = _DISK.get(error.errno or 0)
    where = f"{error.filename}: " if error.filename else ""
    return Exit.FAILED, f"{where}{advice or error.strerror or error}"


def _store(error: BaseException) -> tuple[Exit, str] | None:
    from store import errors

    text = str(error)
    match error:
        case errors.NotFound():
            return Exit.NOT_FOUND, f"{_sentence(text)} See: partner log"
        case errors.AmbiguousId():
            return Exit.USAGE, _sentence(text)
        case errors.Locked(wrong=True):
            return Exit.USAGE, _sentence(text)
        case errors.Locked():
            how = "Type it in a terminal, or give it in PARTNER_PASSPHRASE or with --passphrase-file."
            return Exit.USAGE, f"{_sentence(text)} {how}"
        case errors.NoStore():
            how = "Name the right one with --store or --home, or make one there: partner init"
            return Exit.NOT_FOUND, f"{_sentence(text)} {how}"
        case errors.NoSuchFile():
            return Exit.NOT_FOUND, _sentence(text)
        case errors.BadRequest():
            return Exit.USAGE, _sentence(text)
        case errors.NotAStore():
            return Exit.USAGE, f"{_sentence(text)}\nIt was not touched. Name another with --store or --home."
        case errors.NewerFormat():
            return Exit.FAILED, f"{_sentence(text)}\nIt was not touched. Install a newer partner to open it."
        case errors.StoreUnavailable():
            return Exit.FAILED, f"{_sentence(text)}\nNothing already acknowledged is lost."
        case errors.StoreDamaged():
            return Exit.INTEGRITY, (
                f"{_sentence(text)}\nSee what holds: partner verify --full. Restore a backup if you have one."
            )
    return None


def _gate(error: BaseException) -> tuple[Exit, str] | None:
    from gate import errors

    match error:
        case errors.CompileQuestion():
            return (
                Exit.ASKED,
                f"{_sentence(str(error))}\nNothing was stored: this would not protect anything yet.",
            )
        case errors.BadRequest():
            return Exit.USAGE, _sentence(str(error))
        case errors.GateError():
            return Exit.FAILED, _sentence(str(error))
    return None


def _router(error: BaseException) -> tuple[Exit, str] | None:
    from router import errors

    match error:
        case errors.BadRequest():
            return Exit.USAGE, _sentence(str(error))
        case errors.RouterError():
            return Exit.NO_ENGINE, f"{_sentence(str(error))}\nMemory answers without one: --engine none"
    return None


def _sentence(text: str) -> str:
    text = text.strip() or "no reason given"
    first = text.split(maxsplit=1)[0].rstrip(",:;").replace("-", "").replace("'", "")
    if first.isalpha():  # else a file's name or an address, which is written as it is
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".?!" else text + "."


def _silence_stdout() -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
