"""The language engines: which there are, adding, trying and choosing one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from partner.cli import passphrase
from partner.cli.app import app
from partner.cli.chat import Words, words_or_stdin
from partner.cli.groups import listing_group
from partner.cli.run import AtOption, Run, command
from partner.errors import Exit, UsageError

group, shows = listing_group("engines", "Language engines: list, add, key, test, use, why.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="The engine's name in config.toml.")]


@command(group, "list")
def list_(run: Run) -> None:
    """The engines, the one in use marked."""
    with run.partner() as partner:
        from partner.terminal.render import engines_text

        rows = [
            dict(zip(("name", "kind", "model", "condition"), row, strict=True))
            for row in partner.engine_rows()
        ]
        run.show(rows, lambda: engines_text(partner))


shows(list_)

_MODEL = "--model NAME"
_NEEDS = {  # by kind: the fields without a default, and the options that give them
    "llama_cpp": {},
    "openai_http": {"base_url": "--url URL", "model": _MODEL},
    "ollama": {"model": _MODEL},
    "hosted": {"model": _MODEL},
    "command": {"argv": "--arg WORD (once for each word of its command line)"},
}


@command(group, "add")
def add(
    run: Run,
    name: Name,
    kind: Annotated[str, typer.Option("--kind", help="llama_cpp, openai_http, ollama, hosted or command.")],
    model: Annotated[str, typer.Option("--model", help="The model's name there.")] = "",
    url: Annotated[
        str | None, typer.Option("--url", help="openai_http: as in http://127.0.0.1:8080/v1")
    ] = None,
    path: Annotated[Path | None, typer.Option("--path", help="llama_cpp: a GGUF file.")] = None,
    key_env: Annotated[str | None, typer.Option("--key-env", help="The variable that holds the key.")] = None,
    argv: Annotated[
        list[str] | None, typer.Option("--arg", help="command: one word of its command line.")
    ] = None,
    window: Annotated[int | None, typer.Option("--window", help="Tokens of context.")] = None,
) -> None:
    """Write an engine into config.toml."""
    from partner import configfile

    served = kind in ("openai_http", "ollama")
    table = {
        "kind": kind,
        "model": str(path.absolute()) if path else model or None,
        "base_url" if served else "api_base": url,
        "key": f"env:{key_env}" if key_env else None,
        "argv": argv or None,
        "window" if kind in ("openai_http", "hosted", "command") else "n_ctx": window,
    }
    _say_what_is_missing(kind, table)
    settings = run.settings()
    configfile.add_engine(settings, name, {key: value for key, value in table.items() if value is not None})
    run.show({"added": name, "config": settings.config_path}, f"Added {name} to {settings.config_path}")


def _say_what_is_missing(kind: str, table: Mapping[str, object]) -> None:
    """Raises UsageError, in terms of the options."""
    if kind not in _NEEDS:
        raise UsageError(f"There is no kind '{kind}'. One of: {', '.join(_NEEDS)}")
    missing = [option for field, option in _NEEDS[kind].items() if not table.get(field)]
    if missing:
        raise UsageError(f"An engine of kind {kind} needs {' and '.join(missing)} too.")


@command(group, "key")
def key(
    run: Run,
    name: Name,
    forget: Annotated[bool, typer.Option("--forget", help="Remove the key that is kept.")] = False,
) -> None:
    """Keep an engine's key: typed without echo, or the first line of what is piped in. Never shown again."""
    from partner import configfile
    from partner.bootstrap import engine_keys, make_home

    settings = run.settings()
    kept_as = configfile.name_key(settings, name)
    make_home(settings)
    keys = engine_keys(settings)
    if forget:
        gone = keys.delete(kept_as)
        said = "is gone" if gone else "is not here"
        run.show({"engine": name, "forgotten": gone}, f"The key of {name} {said}.")
        return
    where = keys.set(kept_as, passphrase.secret(f"Key of {name}: "))
    run.show({"engine": name, "kept_in": where}, f"The key of {name} is kept in {_place(where)}.")


def _place(where: str) -> str:
    return "the system's keyring" if where == "keyring" else f"{where}, which only you can read"


@command(group, "test")
def test(run: Run, name: Name) -> None:
    """Ask an engine for a word and say whether it answered."""
    with run.partner() as partner:
        from partner.settings import unknown_engine
        from router.model import Capabilities, Failed
        from router.routing import TEST_PROMPT

        if name not in partner.settings.config.engines:
            raise UsageError(unknown_engine(name, partner.settings.config.engines))
        assert partner.router is not None

        def allow(name: str, capabilities: Capabilities) -> bool:
            at = partner.clock()
            return partner.policy.check_model(name, TEST_PROMPT, at, local=capabilities.local).allowed

        event = partner.router.test(name, allow=allow)
        failed = event.message if isinstance(event, Failed) else ""
        run.exit = Exit.NO_ENGINE if failed else Exit.DONE
        run.show(
            {"engine": name, "answers": not failed, "problem": failed},
            f"{name} does not answer: {failed}" if failed else f"{name} answers.",
        )


@command(group, "use")
def use(run: Run, name: Name) -> None:
    """Ask this engine first from now on."""
    from partner import configfile

    settings = run.settings()
    configfile.use_engine(settings, name)
    run.show({"first": name}, f"{name} is asked first from now on.")


@command(group, "why", engine=True)
def why(run: Run, words: Words = None, at: AtOption = None) -> None:
    """Which engine a message would go to with all that goes along, and why not the others. Asks none."""
    text, when = words_or_stdin(words), run.moment(at)
    with run.partner() as partner:
        said = partner.session.engine_choice(text, when or partner.clock())
        run.show(said.splitlines(), said)


@command(app, "cost")
def cost(run: Run) -> None:
    """What the engines were asked so far: calls, tokens, money."""
    with run.partner(engine_free=True) as partner:
        from partner.terminal.render import cost_text

        data = {"inference_calls": partner.inference_calls(), "engines": partner.cost()}
        run.show(data, lambda: cost_text(partner))
