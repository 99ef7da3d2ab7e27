"""The command line: one group of commands a module, each importing what it needs when it runs."""

from partner.cli.app import app

__all__ = ["app"]
