"""`python -m partner`: the command line."""

from __future__ import annotations

import os
import sys

# numpy's threads spin while they wait, which starves the models' workers on a small machine; our vectors
# are short, so one thread loses nothing. Must stand before the first import of numpy.
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
# looks through every installed package for plugins, of which there are none
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def main() -> None:
    """Run the command line. Output is UTF-8 whatever the locale says; nothing is lost to a codec."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    from partner.cli import app
    from partner.cli.boundary import command_line

    sys.exit(command_line(app, sys.argv[1:]))


if __name__ == "__main__":
    main()
