"""Runs command lines in one process, for tests that need surroundings of their own (a mount, missing rights).

Reads a JSON list of argument lists from standard input; prints [exit code, output, errors] of each.
"""

from __future__ import annotations

import json
import sys

from typer.testing import CliRunner

from partner.cli import app


def run(*argv: str, env: dict[str, str | None] | None = None) -> tuple[int, str, str]:
    """One command line: exit code, standard output, standard error."""
    done = CliRunner().invoke(app, list(argv), env=env)
    return done.exit_code, done.stdout, done.stderr


if __name__ == "__main__":
    sys.stdout.write(json.dumps([run(*argv) for argv in json.load(sys.stdin)]))
