"""The README is kept true: every command and every slash command the program has is in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def readme() -> str:
    return (ROOT / "README.md").read_text()


def test_every_command_of_the_program_is_documented() -> None:
    code = (
        "import typer, partner.cli as c; g = typer.main.get_command(c.app);"
        "print(' '.join(sorted(n for n, k in g.commands.items() if not k.hidden)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    names = done.stdout.split()
    assert len(names) > 20
    assert not [name for name in names if f"partner {name}" not in readme() and f"| {name}" not in readme()]


def test_the_readme_shows_the_two_commands_first() -> None:
    text = readme()
    assert text.index("make chat") < text.index("make test") < 4000
