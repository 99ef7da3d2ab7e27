"""Ctrl-C while an engine proposes: the turn, its reply and its claims are kept, and the next turn goes on."""

from __future__ import annotations

import json
from pathlib import Path

from partner.bootstrap import open_partner
from partner.events import Problem, Replied
from partner.settings import Config, FormationSettings, Settings
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities, Request
from store.model import EngramType

TURN = "Lena paints the shop sign in May. The stand costs 85 euros."


class Stopped(ScriptedEngine):
    """Answers, and is stopped by the operator the first time that it proposes."""

    def __init__(self) -> None:
        self.stopped = 0
        can = Capabilities(local=True, window=8192, schema=True)
        super().__init__(self._say, name="local", capabilities=can)

    def _say(self, request: Request) -> list[str]:
        if request.schema is None:
            return ["Understood."]
        self.stopped += 1
        if self.stopped == 1:
            raise KeyboardInterrupt
        return [json.dumps({"claims": []})]


def test_stopping_an_engine_that_proposes_loses_nothing(tmp_path: Path, clock) -> None:
    settings = Settings(
        home=tmp_path,
        models_dir=tmp_path / "models",
        store=str(tmp_path / "identity.partner"),
        config=Config(formation=FormationSettings(engine="local")),
    )
    engine = Stopped()
    with open_partner(settings, clock=clock, engines={"local": engine}) as partner:
        events = list(partner.turn(TURN))
        assert [e.text for e in events if isinstance(e, Replied)] == ["Understood."]
        assert "Stopped" in [e.message for e in events if isinstance(e, Problem)][-1]
        assert {"Lena paints the shop sign in May.", "The stand costs 85 euros."} <= {
            e.content for part in partner.state().values() for e in part
        }
        said = [e.content for e in partner.store.current(type=EngramType.UTTERANCE)]
        assert TURN in said
        assert "Understood." in said
        assert partner.store.verify().ok
        list(partner.turn("The kiln stands in the yard."))
        assert engine.stopped == 2
