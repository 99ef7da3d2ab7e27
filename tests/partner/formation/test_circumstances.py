"""Changes told by what happened: who cannot, what was put up, what is back, which rule is over."""

from __future__ import annotations

import pytest

from tests.partner.formation.remembering import Memory, held


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    ("turns", "claims"),
    [
        (
            ("Ruth collects the money.", "Ruth can't, Hal collects the money."),
            ["Hal collects the money."],
        ),
        (
            ("Ivo drives the van.", "Ivo can't, so Petra drives the van."),
            ["Petra drives the van."],
        ),
        (
            ("The lift at the clinic works again.", "Spoke too soon, the lift at the clinic doesn't work."),
            ["The lift at the clinic doesn't work."],
        ),
        (
            (
                "The stall is next to the fountain.",
                "They moved us: the stall is next to the pharmacy.",
                "And back again, the stall is next to the fountain.",
            ),
            ["The stall is next to the fountain."],
        ),
        (
            (
                "We rent the shed on Mill Lane for 90 a month.",
                "They've put the shed on Mill Lane up to 110 a month.",
            ),
            ["They've put the shed on Mill Lane up to 110 a month."],
        ),
        (
            (
                "Die Probe findet mittwochs im Gemeindesaal statt.",
                "Ab jetzt findet die Probe donnerstags im Gemeindesaal statt.",
            ),
            ["Ab jetzt findet die Probe donnerstags im Gemeindesaal statt."],
        ),
        (("Our plumber is Dawson.", "Dawson has retired, we use Kemp now."), ["Our plumber is Kemp."]),
        (
            ("My dentist is Dr Weber.", "Dr Weber moved away, the new one is Dr Lang."),
            ["My dentist is Dr Lang."],
        ),
        (
            (
                "I've booked the Alder room for the workshop.",
                "The Alder room fell through, we're in the Birch room.",
            ),
            ["I've booked the Birch room for the workshop."],
        ),
        (
            ("The boiler service is on 14 May.", "They can't do the 14th, it's the 16th."),
            ["The boiler service is on 16 May."],
        ),
        (("The recipe needs 300 g flour.", "It's 350 g, I misread."), ["The recipe needs 350 g flour."]),
        (
            ("The deadline is the 10th.", "We got an extension until the 17th."),
            ["The deadline is now the 17th."],
        ),
        (
            ("Dad's operation is on the 3rd of June.", "Dad's operation has been postponed."),
            ["Dad's operation has been postponed."],
        ),
        (("I usually get up at six.", "I get up at five now."), ["I get up at five now."]),
        (
            ("The key is under the mat.", "Don't tell anyone, but the key is now in the shed."),
            ["The key is now in the shed."],
        ),
        (
            ("Wir treffen uns dienstags.", "Ab nächster Woche treffen wir uns mittwochs."),
            ["Ab nächster Woche treffen wir uns mittwochs."],
        ),
        (("My sister lives in Leeds.", "She's moved to York."), ["My sister has moved to York."]),
        (
            ("the boiler man comes thu between 8 and 12", "boiler man moved it to fri same time"),
            ["The boiler man comes Friday between 8 and 12."],
        ),
        (("I weigh 82 kilos", "down to 80 now!"), ["I weigh 80 kilos."]),
        (("my old email was jo@web.de, the new one is jo@posteo.de",), ["My email is now jo@posteo.de."]),
        (("Karim is my boss.", "Karim is no longer my boss, it's Lund now."), ["My boss is now Lund."]),
        (
            ("Karim ist mein Chef.", "Karim ist nicht mehr mein Chef, das ist jetzt Frau Lund."),
            ["Mein Chef ist jetzt Frau Lund."],
        ),
        (
            ("Meine Tochter geht in die 3. Klasse.", "Sie ist jetzt in der 4. Klasse."),
            ["Meine Tochter ist jetzt in der 4. Klasse."],
        ),
        (
            ("my mum's birthday is 9 Feb, dad's is 3 Oct",),
            ["My mum's birthday is 9 Feb.", "Dad's birthday is 3 Oct."],
        ),
        (
            ("hey can you remember that the gas meter reading was 4412 on 1 Nov",),
            ["The gas meter reading was 4412 on 1 Nov."],
        ),
        (
            ("I'm off from the 12th to the 26th of August", "I'm off."),
            ["I'm off from the 12th to the 26th of August."],
        ),
        (
            ("Let's have the party on the 12th.", "Ines can't on the 12th, let's do the 19th."),
            ["Let's have the party on the 19th."],
        ),
        (
            ("I've decided to learn Dutch.", "Forget Dutch, I'm going for Polish."),
            ["I've decided to learn Polish."],
        ),
        (("My favourite colour is green.", "Make it blue, I've changed."), ["My favourite colour is blue."]),
        (
            ("Everything to do with Schmidt goes through Anke.",),
            ["Everything to do with Schmidt goes through Anke."],
        ),
        (("Please answer in German.",), ["Please answer in German."]),
        (("Use metric units.",), ["Use metric units."]),
        (("The keys are with Rosa.", "That was wrong, sorry. Hal has the keys."), ["Hal has the keys."]),
        (("Karl bringt den Grill mit.", "Nein, Karl ist krank."), ["Karl bringt den Grill mit."]),
    ],
)
def test_what_happened_leaves_only_what_holds_now(turns: tuple[str, ...], claims: list[str]) -> None:
    assert held(*turns) == claims


@pytest.mark.conforms("P1")
def test_a_correction_of_long_ago_reaches_past_the_reason_that_stands_before_the_claim() -> None:
    memory = Memory()
    memory.says("Greta runs the tombola at the fair.")
    memory.says("Our cat is called Mimi.")
    memory.says("What a day!")
    memory.says("scratch that, Greta's got shingles. Pavel runs the tombola.")
    assert "Greta runs the tombola at the fair." not in memory.contents()
    assert any(text.startswith("Pavel runs the tombola") for text in memory.contents())


@pytest.mark.parametrize(
    ("rule", "word", "left"),
    [
        ("Never order from Temu.", "The rule on Temu no longer applies.", 0),
        ("Never play music in the yard.", "The rule about music in the yard is history.", 0),
        ("Bestell nie bei Temu.", "Das Verbot von Temu gilt nicht mehr.", 0),
        ("Nunca pidas nada a Temu.", "La regla de Temu ya no vale.", 0),
        ("Ne commande jamais chez Temu.", "L'interdiction de commander chez Temu est levée.", 0),
        ("No bookings for the minibus.", "The minibus may be booked again.", 0),
        ("Never order from Temu.", "The ban on Temu is lifted for tonight.", 1),
        ("Never order from Temu.", "The rule of thumb no longer applies.", 1),
    ],
)
def test_a_rule_is_ended_by_saying_that_it_is_over(rule: str, word: str, left: int) -> None:
    memory = Memory()
    memory.says(rule)
    memory.says(word)
    assert len([e for e in memory.holds().all() if e.type.value == "prohibition"]) == left


def test_a_rule_behind_a_condition_is_written_without_the_sentence_before_it() -> None:
    told = "The left fore is a mess, and until the swelling is gone I don't want anyone to jump Bonnie."
    rules = [e.content for e in _all(told) if e.type.value == "prohibition"]
    assert rules == ["Until the swelling is gone I don't want anyone to jump Bonnie."]


def test_another_figure_for_a_goal_is_asked_for_by_what_the_goal_was_called() -> None:
    goal = _all("I want to save 5000 for the boat engine by June.", "New target: 6500 for the boat engine.")
    assert "save" in str(goal[-1].metadata["keys"]).split()


def _all(*turns: str):
    memory = Memory()
    for turn in turns:
        memory.says(turn)
    return memory.holds().all()


@pytest.mark.parametrize(
    "errand",
    [
        "Tell Helge the choir is cancelled.",
        "Order socks from Temu.",
        "Buy stamps.",
        "Ask Ben about the roof.",
        "Thank Rosa for the soup.",
    ],
)
def test_an_order_for_one_act_settles_nothing(errand: str) -> None:
    assert held(errand) == []


@pytest.mark.parametrize(
    "claim",
    [
        "Book club meets in the library.",
        "Order number 4471 is for the sofa.",
        "Post office closes at 5.",
        "Text messages cost 9 cents.",
        "Email invoices to Pia every Monday.",
    ],
)
def test_what_only_begins_like_an_order_is_kept(claim: str) -> None:
    assert held(claim) == [claim]


def test_what_i_cannot_stand_forbids_nothing() -> None:
    assert [e.type.value for e in _all("Ich vertrage keine Milch.")] == ["conclusion"]


@pytest.mark.parametrize(
    "cry",
    ["Puh, war das heute heiß.", "Boah, war der Film langweilig.", "Pff, qu'il faisait chaud aujourd'hui."],
)
def test_a_cry_writes_nothing(cry: str) -> None:
    assert held(cry) == []
