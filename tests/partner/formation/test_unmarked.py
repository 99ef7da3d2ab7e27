"""Questions without their mark, what hangs on the sentence before, and wishes that stand."""

from __future__ import annotations

import pytest
from remembering import heard

from store.model import EngramType


@pytest.mark.parametrize(
    "asked",
    [
        "whats the state of the kiln in shed 1",
        "wheres the spare key for shed 2 kept",
        "is Ffion vegetarian or was that her sister",
        "is mum on 5 mg or is it 10",
        "has Aled paid the 300 yet",
        "remind me what the rent of shed 2 is",
        "hat Aled die 300 schon bezahlt",
        "wohnt Ffion in Wohnung 2 oder 3",
    ],
)
def test_a_question_typed_without_its_mark_settles_nothing(asked: str) -> None:
    assert heard(asked).contents() == []


@pytest.mark.parametrize(
    "fragment",
    ["so i can go to yoga", "not while i'm alive", "not if it costs more", "so that we can sleep"],
)
def test_what_hangs_on_the_sentence_before_says_nothing_alone(fragment: str) -> None:
    assert heard(fragment).contents() == []


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("So we can use the hall on Mondays now", "We can use the hall on Mondays now."),
        ("Will is our plumber", "Will is our plumber."),
        ("May is when the rent goes up to 700", "May is when the rent goes up to 700."),
    ],
)
def test_a_statement_that_begins_like_one_of_these_is_kept(said: str, claim: str) -> None:
    assert heard(said).contents() == [claim]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("remind me to get a rail for the shower", EngramType.DIRECTIVE),
        ("erinnere mich daran, eine Stange zu kaufen", EngramType.DIRECTIVE),
        ("recuérdame comprar una barra para la ducha", EngramType.DIRECTIVE),
        ("rappelle-moi d'acheter une barre pour la douche", EngramType.DIRECTIVE),
        ("I'd like to have one free evening a week by summer", EngramType.OBJECTIVE),
        ("Ich möchte bis zum Sommer einen freien Abend pro Woche haben", EngramType.OBJECTIVE),
        ("Quiero tener una tarde libre para el verano", EngramType.OBJECTIVE),
        ("Je voudrais perdre 5 kilos d'ici l'été", EngramType.OBJECTIVE),
        ("I'd like to have my reports in French by default", EngramType.DISPOSITION),
    ],
)
def test_a_wish_is_a_reminder_an_aim_or_a_preference(said: str, kind: EngramType) -> None:
    assert [e.type for e in heard(said).current()] == [kind]
