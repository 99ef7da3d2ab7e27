"""The language engines: which there are, adding, trying and choosing one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.run import Run, command
from partner.errors import Exit

group = typer.Typer(
    help="Language engines: list, add, test, use, why.",
    rich_markup_mode=None,
    invoke_without_command=True,
    no_args_is_help=True,
)
app.add_typer(group, name="engines")
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


@command(group, "add")
def add(
    run: Run,
    name: Name,
    kind: Annotated[str, typer.Option("--kind", help="llama_cpp, openai_http, hosted or command.")],
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

    table = {
        "kind": kind,
        "model": model or None,
        "url": url,
        "path": str(path.absolute()) if path else None,
        "api_key_env": key_env,
        "argv": argv or None,
        "window": window,
    }
    settings = run.settings()
    configfile.add_engine(settings, name, {key: value for key, value in table.items() if value is not None})
    run.show({"added": name, "config": settings.config_path}, f"Added {name} to {settings.config_path}")


@command(group, "test")
def test(run: Run, name: Name) -> None:
    """Ask an engine for a few words and show what came back."""
    with run.partner() as partner:
        result = partner.test_engine(name)
        run.exit = Exit.DONE if result.ok else Exit.NO_ENGINE
        run.show(result, f"{name}: {'answers' if result.ok else 'does not answer'}. {result.detail}".rstrip())


@command(group, "use")
def use(run: Run, name: Name) -> None:
    """Ask this engine first from now on."""
    from partner import configfile

    settings = run.settings()
    configfile.use_engine(settings, name)
    run.show({"first": name}, f"{name} is asked first from now on.")


@command(group, "why")
def why(run: Run) -> None:
    """Which engine would be asked now, and why not the others."""
    with run.partner() as partner:
        lines = partner.routing_reasons()
        run.show(lines, "\n".join(lines))


@command(app, "cost")
def cost(run: Run) -> None:
    """What the engines were asked so far: calls, tokens, money."""
    with run.partner() as partner:
        summary = partner.cost_summary()
        run.show(summary, lambda: "\n".join(f"{key}: {value}" for key, value in summary.items()))
