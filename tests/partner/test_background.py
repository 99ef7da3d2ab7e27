"""Background is retrieved, not sent again: what a turn sends stays bounded while the transcript grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.events import Gathered
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine

THINGS = ("schema", "boiler", "north shelf", "press kit", "ferry list", "night rota")
TALK = (
    "We decided that the {thing} stays with Ana until June, since nobody else has time for it.",
    "I walked past the workshop and thought about the {thing} for a while; nothing came of it.",
    "Who has the {thing}?",
)
REPLY = "Ana has it until June, as far as I know, and nothing else was said about it since."


class Counted(ScriptedEngine):
    """Four characters a token, as the transcript is counted."""

    def count_tokens(self, text: str) -> int:
        return len(text) // 4


@pytest.mark.conforms("P20")
def test_the_share_of_a_transcript_that_is_sent_falls_as_the_store_grows(tmp_path: Path, clock) -> None:
    settings = Settings(
        home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
    )
    sent: list[int] = []
    whole: list[int] = []
    with open_partner(settings, clock=clock, engines={"counted": Counted(REPLY, name="counted")}) as partner:
        for number in range(90):
            for event in partner.turn(TALK[number % 3].format(thing=THINGS[number // 3 % len(THINGS)])):
                if isinstance(event, Gathered):
                    sent.append(event.tokens)
                    whole.append(event.transcript_tokens)
        assert partner.session.tokens_sent == sum(sent)
        assert partner.session.transcript_tokens == sum(whole)
    assert len(sent) == 90
    assert whole == sorted(whole)
    share = [sum(sent[at : at + 30]) / sum(whole[at : at + 30]) for at in (0, 30, 60)]
    assert share[0] > share[1] > share[2]
    assert share[2] < 0.5
    budget = settings.config.context.budget_tokens
    assert max(sent) <= budget
    assert whole[-1] > 2 * max(sent[60:])
