"""What an engine proposes over a turn: checked, kept apart, and the operator's to accept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.errors import UsageError
from partner.events import Formed, Problem, TurnEvent
from partner.formation.proposals import quotable, schema_for
from partner.operations import Partner
from partner.settings import Config, FormationSettings, Settings
from router.engines.scripted import ScriptedEngine
from router.errors import BadRequest
from router.llama.grammar import check, of_schema
from router.model import Capabilities, Request
from store.model import Engram, EngramType, Klass, ProvenanceKind

TURN = "Well, Lena, who paints the shop sign in May, wants 310 euros for it, not 350."
Opener = Callable[..., Partner]


def claims(*items: tuple[str, str, str]) -> str:
    return json.dumps(
        {"claims": [dict(zip(("proposition", "type", "evidence"), i, strict=True)) for i in items]}
    )


GOOD = ("Lena paints the shop sign in May.", "conclusion", "Lena, who paints the shop sign in May")


class Second(ScriptedEngine):
    """Chats, and answers one after the other with `outputs` where a schema asks it to propose."""

    def __init__(self, outputs: Sequence[str], **capabilities: bool) -> None:
        self.outputs = list(outputs)
        can = Capabilities(local=True, window=8192, schema=capabilities.get("schema", True))
        super().__init__(self._say, capabilities=can)

    def _say(self, request: Request) -> list[str]:
        if request.schema is None:
            return ["Noted."]
        return [self.outputs.pop(0) if len(self.outputs) > 1 else self.outputs[0]]


@pytest.fixture
def opened(tmp_path: Path, clock) -> Iterator[Opener]:
    with ExitStack() as stack:

        def open_(engine: ScriptedEngine, accept: str = "inbox") -> Partner:
            config = Config(formation=FormationSettings.model_validate({"accept": accept, "engine": "local"}))
            settings = Settings(
                home=tmp_path,
                models_dir=tmp_path / "models",
                store=str(tmp_path / "identity.partner"),
                config=config,
            )
            engine.name = "local"
            return stack.enter_context(open_partner(settings, clock=clock, engines={"local": engine}))

        yield open_


def problems(events: Sequence[TurnEvent]) -> list[str]:
    return [event.message for event in events if isinstance(event, Problem)]


def inferred(partner: Partner) -> list[Engram]:
    return [e for e in partner.store.current() if e.provenance.kind is ProvenanceKind.INFERENCE]


def claimed(partner: Partner) -> list[str]:
    """What holds for the operator, by anybody's word."""
    return [e.content for part in partner.state().values() for e in part]


def test_a_proposal_waits_in_the_inbox_and_is_no_part_of_what_holds(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD)]))
    events = list(partner.turn(TURN))
    assert [e.change for e in events if isinstance(e, Formed)][-1] == "proposed"
    assert [e.content for e in partner.inbox()] == [GOOD[0]]
    assert GOOD[0] not in claimed(partner)
    assert GOOD[0] not in [hit.engram.content for hit in partner.recall("Who paints the shop sign?")]
    assert GOOD[0] not in partner.brief().text()


def test_an_accepted_proposal_is_a_claim_of_the_operator(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD)]))
    list(partner.turn(TURN))
    accepted = partner.accept(partner.inbox()[0].id)
    assert accepted.engram.provenance.kind is ProvenanceKind.OPERATOR
    assert GOOD[0] in claimed(partner)
    assert partner.inbox() == []


def test_an_edited_proposal_holds_in_the_operators_words(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD)]))
    list(partner.turn(TURN))
    partner.accept(partner.inbox()[0].id, text="Lena paints the shop sign in June.")
    assert "Lena paints the shop sign in June." in claimed(partner)
    assert GOOD[0] not in claimed(partner)


def test_a_discarded_proposal_is_gone_and_its_making_stays_in_the_log(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD)]))
    list(partner.turn(TURN))
    waiting = partner.inbox()[0]
    partner.discard(waiting.id)
    assert partner.inbox() == []
    assert partner.store.read(waiting.id).content == GOOD[0]
    with pytest.raises(UsageError, match="does not wait"):
        partner.accept(waiting.id)


def test_with_accept_auto_a_proposal_holds_at_once_as_an_inference(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD)]), accept="auto")
    list(partner.turn(TURN))
    assert partner.inbox() == []
    assert GOOD[0] in claimed(partner)
    assert [e.content for e in inferred(partner) if e.klass is Klass.CONCLUSION] == [GOOD[0]]


def test_the_embedded_engine_can_be_held_to_the_schema_of_proposals() -> None:
    check(of_schema(schema_for(quotable(TURN))))  # raises BadGrammar for what it would refuse to load


def test_why_the_asked_engine_gave_no_proposal_is_what_is_shown(opened: Opener) -> None:
    class Broken(Second):
        def _say(self, request: Request) -> list[str]:
            raise BadRequest("the rule of the third item nests too deep")

    assert "nests too deep" in problems(list(opened(Broken([])).turn(TURN)))[-1]


FALSE = [
    ("The sign is worth every cent.", "conclusion", "the sign is worth every cent"),  # invented evidence
    ("Lena does not paint the shop sign in May.", "conclusion", "Lena, who paints the shop sign in May"),
    ("Lena wants 350 euros.", "conclusion", "Lena, who paints the shop sign in May, wants 310 euros"),
    ("Never pay more than 310 euros.", "prohibition", "wants 310 euros for it, not 350"),
    ("Omar paints the shop sign in May.", "conclusion", "Lena, who paints the shop sign in May"),
]


@pytest.mark.conforms("E27")
@pytest.mark.parametrize("item", FALSE, ids=lambda i: i[0])
def test_nothing_false_is_even_proposed(opened: Opener, item: tuple[str, str, str]) -> None:
    partner = opened(Second([claims(item)]), accept="auto")
    before = set(claimed(partner))
    events = list(partner.turn(TURN))
    assert problems(events) == []
    assert set(claimed(partner)) - before == {e.engram.content for e in events if isinstance(e, Formed)}
    assert inferred(partner) == [e for e in inferred(partner) if e.type is EngramType.UTTERANCE]
    assert partner.state()["forbidden"] == []


@pytest.mark.parametrize("output", ["Sure! Lena paints.", '{"claims": [{"propos', "", "[]", '{"claims": 3}'])
def test_output_that_cannot_be_used_keeps_the_turn_says_so_and_is_tried_again(
    opened: Opener, output: str
) -> None:
    partner = opened(Second([output, claims(GOOD)]))
    events = list(partner.turn(TURN))
    assert [p for p in problems(events) if "tried again" in p]
    assert TURN in [e.content for e in partner.store.current(type=EngramType.UTTERANCE)]
    assert partner.inbox() == []
    events = list(partner.turn("Thanks."))
    assert problems(events) == []
    assert [e.content for e in partner.inbox()] == [GOOD[0]]
    assert partner.store.current(type=EngramType.TRACE) == []


def test_an_empty_list_of_claims_is_an_answer(opened: Opener) -> None:
    partner = opened(Second([claims()]))
    assert problems(list(partner.turn(TURN))) == []
    assert partner.inbox() == []


def test_what_fails_three_times_is_left_alone(opened: Opener) -> None:
    engine = Second(["no", claims()])
    partner = opened(engine)
    list(partner.turn(TURN))
    for _ in range(2):
        engine.outputs = ["still no", "nope"]
        list(partner.turn("Thanks."))
    engine.outputs = [claims(GOOD)]
    list(partner.turn("Thanks."))
    assert partner.inbox() == []


def test_an_engine_without_schemas_is_not_asked(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD)], schema=False))
    events = list(partner.turn(TURN))
    assert [p for p in problems(events) if "schema" in p]
    assert partner.inbox() == []


def test_a_rule_about_engines_holds_for_proposing_too(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD)]))
    partner.forbid("Never use a model.")
    events = list(partner.turn(TURN))
    assert partner.inbox() == []
    assert problems(events)


def test_that_was_wrong_never_means_a_proposal(opened: Opener) -> None:
    partner = opened(Second([claims(GOOD), claims()]))
    list(partner.turn("The kiln stands in the yard. " + TURN))
    waiting = partner.inbox()
    list(partner.turn("Forget that about the kiln."))
    assert partner.inbox() == waiting
