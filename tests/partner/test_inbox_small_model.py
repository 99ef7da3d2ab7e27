"""The embedded model as the second former: whatever it says, nothing false gets in and no turn is lost.

FORMATION_TEST_FULL=1 runs it (make test-formation-full): six answers of the real model take a minute or more.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.events import Formed, Problem
from partner.settings import Config, FormationSettings, Settings
from store.model import EngramType, Klass

pytestmark = [
    pytest.mark.xdist_group("language model"),
    pytest.mark.skipif(os.environ.get("FORMATION_TEST_FULL") != "1", reason="the long form only"),
]
MESSAGES = (
    "Lena paints the shop sign in May and wants 310 euros for it.",
    "Should Omar help her? I don't think we can pay him.",
    "We never send drafts to Kowalski, that's a rule.",
    "Maybe we rent the barn. My sister says it is haunted.",
    "I'm a cooper by trade, and I prefer to be called Jan.",
    "Thanks!",
)


def test_what_the_embedded_model_proposes_rests_on_the_message_or_is_refused(
    tmp_path: Path, models_dir: Path, clock
) -> None:
    config = Config(formation=FormationSettings(engine="local"))
    settings = Settings(
        home=tmp_path, models_dir=models_dir, store=str(tmp_path / "identity.partner"), config=config
    )
    with open_partner(settings, clock=clock) as partner:
        partner.session.engine = "none"  # who answers is not the question here
        for message in MESSAGES:
            events = list(partner.turn(message))
            proposed = [e.engram for e in events if isinstance(e, Formed) and e.change == "proposed"]
            failed = [e for e in events if isinstance(e, Problem)]
            assert all((engram.provenance.evidence or "?") in message for engram in proposed)
            assert all(engram.klass is not Klass.PROHIBITION for engram in proposed)
            assert all("kept" in problem.message for problem in failed)
            assert not [
                p for p in failed if "schema" in p.message or "grammar" in p.message or "nests" in p.message
            ]
        kept = [e.content for e in partner.store.current(type=EngramType.UTTERANCE, newest_first=False)]
        holding = [e.content for part in partner.state().values() for e in part]
        assert [content for content in kept if content in MESSAGES] == list(MESSAGES)
        assert not {engram.content for engram in partner.inbox()} & set(holding)
