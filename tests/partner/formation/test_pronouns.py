"""A pronoun gets the words it stands for where that is certain; a claim nobody made is never written."""

from __future__ import annotations

import pytest
from remembering import heard

CERTAIN = (
    (("We bought a kiln. It holds 80 litres.",), "The kiln holds 80 litres."),
    (("My sister Ana lives in Porto.", "She works for the railway."), "My sister Ana works for the railway."),
    (("Marta lives in Graz.", "I met Jon at the fair. He sells kilns."), "Jon sells kilns."),
    (
        ("Anna and Lars came by, they are getting married on 3 May.",),
        "Anna and Lars are getting married on 3 May.",
    ),
    (
        ("Which rules have I given you?", "The oven was mended by Kral & Son, they charge 140 per visit."),
        "Kral & Son charge 140 per visit.",
    ),
    (("The painters come on Monday and they need the key by 7:30.",), "The painters need the key by 7:30."),
    (("Is the shop open?", "It's closed on Mondays."), "The shop is closed on Mondays."),
    (("Whenever the bell rings, tell Ines.", "Never open the vault without her."), "without Ines."),
    (("The plumber came by, he charges 140.",), "The plumber charges 140."),
    (
        ("Never give the spaniel milk. Biscuits are fine, he's earned a medal.",),
        "The spaniel has earned a medal.",
    ),
    (("My name is Doris and I look after my mum, she's 84.",), "My mum is 84."),
    (("My mum fell. Dr Wick came by, she must take 5 mg of it now.",), "My mum must take 5 mg"),
    (("Ilse is going out with Koen, he's a baker.",), "Koen is a baker."),
)
UNCERTAIN = (
    (("The tenants are noisy.", "The council wrote, they want 300 euros by Friday."), "tenants want"),
    (("The cats are fed.", "I called the bank and they raised the rate to 4 percent."), "cats raised"),
    (("Where are my notes?", "The garage on Mill Lane fixed the van. They want 420 euros."), "notes want"),
    (("We ordered chairs.", "They deliver on Tuesday at 9:30."), "chairs deliver"),
    (("Do you know any jokes?", "They moved the meeting to 15:00."), "jokes moved"),
    (("I told Ana about Petra.", "Her number is 555-0101."), "Petra's number"),
    (("I told Ana about Petra.", "Her number is 555-0101."), "Ana's number"),
    (("The garage fixed the van.", "It needs 4 new tyres."), "garage needs"),
    (("I'm Doris. My boss is away.", "She starts at 6 on Monday."), "Doris starts"),
    (("Dr Wick has doubled the pills, she takes 5 mg in the evening now.",), "Wick takes"),
    (("Tom had lunch with Lars, he starts on 6 May",), "Tom starts"),
    (("I have two sons, Max and Leo.", "He is 6 years old."), "Leo is 6"),
    (("The hall is booked.", "My uncle rang. It costs 40 euros."), "uncle costs"),
    (("Whenever it rains, cover the sacks. Never go there without her before 6.",), "without whenever"),
)


@pytest.mark.parametrize(("turns", "claim"), CERTAIN)
def test_a_pronoun_with_one_possible_meaning_is_spelled_out(turns: tuple[str, ...], claim: str) -> None:
    assert any(claim in content for content in heard(*turns).contents())


@pytest.mark.parametrize(("turns", "never"), UNCERTAIN)
def test_nobody_is_made_to_say_what_was_not_certainly_meant(turns: tuple[str, ...], never: str) -> None:
    contents = heard(*turns).contents()
    assert not [content for content in contents if never.lower() in content.lower()]
    assert any(
        figure in " ".join(contents) for figure in ("300", "4", "420", "9:30", "15:00", "555", "6", "40", "5")
    )


@pytest.mark.parametrize(
    "asked",
    [
        "remember that.",
        "please note this!",
        "keep that in mind.",
        "write it down, please.",
        "make a note of it.",
    ],
)
def test_asking_to_take_note_is_no_part_of_the_claim(asked: str) -> None:
    memory = heard("Deliveries leave at 5:30.", f"Ruth's birthday is on 4 May, {asked}")
    assert memory.contents()[-1].startswith("Ruth's birthday is on 4 May")
    assert "eliver" not in memory.contents()[-1]
