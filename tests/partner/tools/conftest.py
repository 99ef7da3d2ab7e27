"""A partner whose tools work in a folder of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from calling import Opener

from partner.bootstrap import open_partner
from partner.operations import Partner
from partner.settings import Settings, parse_config
from router.model import Engine

EVERYTHING = dict.fromkeys(
    ("read_file", "list_folder", "write_file", "run_command", "http_get", "recall", "remember"), True
)


@pytest.fixture
def opened(tmp_path: Path, clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """A partner in `tmp_path/home`, its tools in `tmp_path/work`; everything on unless said."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    with ExitStack() as stack:

        def open_(*engines: Engine, confirm: object = True, **tools: object) -> Partner:
            settings = Settings(
                home=tmp_path / "home",
                models_dir=tmp_path / "models",
                store=str(tmp_path / "home" / "identity.partner"),
                config=parse_config({"tools": tools or EVERYTHING}),
            )
            named = {engine.name: engine for engine in engines}
            partner = stack.enter_context(open_partner(settings, clock=clock, engines=named))
            if partner.session.toolbox is not None and confirm is not None:
                partner.session.toolbox.confirm = confirm if callable(confirm) else lambda wish: bool(confirm)
            return partner

        yield open_
