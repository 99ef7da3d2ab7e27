"""What only states something is acknowledged in the language that it was said in."""

from __future__ import annotations

import pytest

from partner.events import Replied
from partner.manners import said_back


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("We decided to keep the lamp.", "Noted."),
        ("Marek handles payroll.", "Noted."),
        ("Stop sending me newsletters", "Noted."),
        ("Wir haben uns für die grauen Fliesen entschieden.", "Notiert."),
        ("Der Kurs kostet 40 Euro.", "Notiert."),
        ("Prefiero respuestas cortas.", "Anotado."),
        ("El taller cierra a las 18 h.", "Anotado."),
        ("Je préfère les réponses courtes.", "C’est noté."),
        ("Ho deciso di vendere la barca.", "Annotato."),
        ("Moro em Lisboa e não como carne.", "Anotado."),
        ("我们决定用灰色的瓷砖。", "记下了。"),
        ("灰色のタイルに決めました。", "承知しました。"),
    ],
)
def test_it_is_noted_in_the_language_of_the_message(said: str, answer: str) -> None:
    assert said_back("noted", said) == answer


def test_the_turn_answers_so(unaided) -> None:
    events = list(unaided.turn("Der Kurs kostet ab jetzt 40 Euro."))
    assert [event.text for event in events if isinstance(event, Replied)] == ["Notiert."]
