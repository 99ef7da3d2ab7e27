"""Other languages than English: whose and when a sentence is, and two languages in one message."""

from __future__ import annotations

import pytest
from remembering import heard


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        (
            "Hallo, ich bin Doris, freie Töpferin aus Ulm. I sell my pots in English shops.",
            ["Ich bin Doris, freie Töpferin aus Ulm.", "I sell my pots in English shops."],
        ),
        (
            "I live in Ulm. Meine Schwester heißt Ilse. Je ne mange pas de viande.",
            ["I live in Ulm.", "Meine Schwester heißt Ilse.", "Je ne mange pas de viande."],
        ),
        (
            "Bonjour, je m'appelle Doris. Mi hermana vive en Toledo.",
            ["Je m'appelle Doris.", "Mi hermana vive en Toledo."],
        ),
    ],
)
def test_each_sentence_of_a_message_is_read_in_its_own_language(said: str, claims: list[str]) -> None:
    assert heard(said).contents() == claims


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Meine Schwester wohnt in Ulm. Ihr Hund heißt Wolf.", "Meine Schwester, ihr Hund heißt Wolf."),
        ("Mein Sohn heißt Jan, seine Lehrerin ist Frau Ott.", "Mein Sohn, seine Lehrerin ist Frau Ott."),
        ("mi hija se llama Sol y su profesora es doña Ana", "Mi hija, su profesora es doña Ana."),
        ("ma fille s'appelle Zoé, sa maîtresse est madame Pic", "Ma fille, sa maîtresse est madame Pic."),
    ],
)
def test_a_possessive_says_whose_it_is(said: str, claim: str) -> None:
    assert claim in heard(said).contents()


def test_a_possessive_of_the_other_gender_is_given_to_nobody() -> None:
    assert "Ihr Hund heißt Wolf." in heard("Mein Bruder wohnt in Ulm. Ihr Hund heißt Wolf.").contents()


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        (
            "jeudi prochain je suis à Nantes, le train part à 6h50",
            [
                "Jeudi prochain (2026-03-12) je suis à Nantes.",
                "Le train part à 6h50, jeudi prochain (2026-03-12).",
            ],
        ),
        (
            "am Freitag bin ich in Ulm, der Zug geht um 6:50 Uhr",
            ["Am Freitag (2026-03-06) bin ich in Ulm.", "Der Zug geht um 6:50 Uhr, am Freitag (2026-03-06)."],
        ),
        ("le dossier est à rendre vendredi", ["Le dossier est à rendre vendredi (2026-03-06)."]),
        ("je travaille du lundi au vendredi", ["Je travaille du lundi au vendredi."]),
        ("j'ai vendu le vélo lundi", ["J'ai vendu le vélo lundi (2026-03-02)."]),
    ],
)
def test_a_day_is_dated_and_goes_with_the_hour_that_follows(said: str, claims: list[str]) -> None:
    assert heard(said).contents() == claims
