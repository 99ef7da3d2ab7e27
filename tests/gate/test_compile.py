"""What the compiler makes of a rule's sentence: its act, its thing, whom it is about, its exception."""

from __future__ import annotations

import pytest

from gate import CompileQuestion, compile_prohibition


@pytest.mark.parametrize(
    ("sentence", "act", "thing"),
    [
        ("Do not send contracts to journalists.", "send", "contracts"),
        ("Do not send the signed contract to journalists.", "send", "contract"),
        ("Do not send drafts and contracts to journalists.", "send", "contracts"),
        ("Never send orders to Kai.", "send", "orders"),
        ("Do not send releases to the press.", "send", "releases"),
        ("Don't send documents to the lawyer.", "send", "documents"),
        ("Never send copies to the tax office.", "send", "copies"),
        ("Do not write reports for Kai.", "write", "reports"),
        ("Never give contracts to interns.", "give", "contracts"),
        ("Never forward orders to suppliers.", "forward", "orders"),
        ("Do not share releases with the press.", "share", "releases"),
        ("Never sell books to schools.", "sell", "books"),
        ("Don't email quotes to clients.", "email", "quotes"),
        ("Never pay deposits in cash.", "pay", "deposits"),
        ("Nunca envíes contratos a periodistas.", "send", "contratos"),
        ("No envíes pedidos a los proveedores.", "send", "pedidos"),
        ("N'envoie pas de commandes aux fournisseurs.", "send", "commandes"),
        ("Non mandare ordini ai fornitori.", "send", "ordini"),
        ("Não mandes encomendas aos fornecedores.", "send", "encomendas"),
        ("Schicke niemals Verträge an Journalisten.", "send", "vertrage"),
    ],
)
def test_the_verb_says_the_act_and_a_noun_that_could_be_one_is_its_thing(
    sentence: str, act: str, thing: str
) -> None:
    constraint = compile_prohibition("r", sentence)
    assert act in constraint.acts
    assert constraint.acts.keys() <= {act, "reveal", "send"}
    assert thing in " ".join(term.words for term in constraint.objects)


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        ("Never send emails after 22:00.", "email"),
        ("Never send payments to Kai.", "pay"),
        ("Do not make promises to clients.", "promise"),
        ("Never place orders with Brenner.", "order"),
        ("Don't give discounts to resellers.", "discount"),
    ],
)
def test_a_light_verb_leaves_the_act_to_its_noun(sentence: str, act: str) -> None:
    assert compile_prohibition("r", sentence).acts.keys() == {act}


def test_a_plural_after_no_is_a_thing() -> None:
    constraint = compile_prohibition("r", "No contracts with Brenner.")
    assert [term.words for term in constraint.objects] == ["contracts"]


@pytest.mark.parametrize(
    ("sentence", "thing", "place", "exception"),
    [
        ("Nie ohne meine Zustimmung Holz bei Brenner bestellen!", "holz", "brenner", "ohne meine zustimmung"),
        ("Ohne meine Zustimmung nie Holz bei Brenner bestellen.", "holz", "brenner", "ohne meine zustimmung"),
        ("Nie ohne Freigabe von Ana Holz bei Brenner bestellen.", "holz", "brenner", "ohne freigabe von ana"),
        (
            "Nie ohne Absprache mit mir Holz bei Brenner bestellen.",
            "holz",
            "brenner",
            "ohne absprache mit mir",
        ),
        ("Never without my approval order wood from Brenner.", "wood", "brenner", "without my approval"),
        ("Never order without my approval wood from Brenner.", "wood", "brenner", "without my approval"),
        ("Without my approval, never order wood from Brenner.", "wood", "brenner", "without my approval"),
        ("Never order wood without my approval from Brenner.", "wood", "brenner", "without my approval"),
        (
            "Never order without Ana's sign-off wood from Brenner.",
            "wood",
            "brenner",
            "without ana sign - off",
        ),
        ("Never order wood from Brenner without my approval.", "wood", "brenner", "without my approval"),
        ("Ne commande jamais sans mon accord du bois chez Brenner.", "bois", "brenner", "sans mon accord"),
        ("Sin mi permiso no pidas nunca madera en Brenner.", "madera", "brenner", "sin mi permiso"),
        (
            "Non ordinare mai senza il mio permesso legna da Brenner.",
            "legna",
            "brenner",
            "senza il mio permesso",
        ),
        (
            "Sem a minha autorização nunca encomendes madeira na Brenner.",
            "madeira",
            "brenner",
            "sem a minha autorizacao",
        ),
    ],
)
def test_an_approval_said_before_the_object_takes_nothing_of_the_rule_with_it(
    sentence: str, thing: str, place: str, exception: str
) -> None:
    constraint = compile_prohibition("r", sentence)
    assert "order" in constraint.acts
    assert [term.words for term in constraint.objects] == [thing]
    assert [term.words for term in constraint.recipients + constraint.places] == [place]
    assert [(unless.kind, unless.words) for unless in constraint.unless] == [("approval", exception)]
    assert constraint.sentence == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "Never admit visitors without permission slips.",
        "Never order wood without asking Ana first.",
        "Do not pay invoices without approval from Ana or Kai.",
        "No letter goes out without a sign-off from legal.",
    ],
)
def test_an_exception_of_which_the_end_is_not_plain_stays_whole(sentence: str) -> None:
    (unless,) = compile_prohibition("r", sentence).unless
    words = unless.words.replace(" - ", "-")
    assert words == sentence.lower().rstrip(".")[sentence.index("without") :]


@pytest.mark.parametrize(
    ("sentence", "act", "thing", "whom"),
    [
        ("Ana may never see the recipes.", "show", "recipes", "ana"),
        ("Ana must not see the recipes without my approval.", "show", "recipes", "ana"),
        ("Kai is never to know about the merger.", "reveal", "merger", "kai"),
        ("The press must never learn of the merger.", "reveal", "merger", "press"),
        ("Competitors must not know our prices.", "reveal", "prices", "competitors"),
        ("Interns may not get the master key.", "give", "master key", "interns"),
        ("The auditors must never receive the drafts.", "send", "drafts", "auditors"),
        ("Kai darf nie die Rezepte sehen.", "show", "rezepte", "kai"),
        ("Kai darf nie von der Fusion erfahren.", "reveal", "fusion", "kai"),
        ("Ana ne doit jamais voir les recettes.", "show", "recettes", "ana"),
        ("Ana nunca debe ver las recetas.", "show", "recetas", "ana"),
        ("Ana non deve mai vedere le ricette.", "show", "ricette", "ana"),
    ],
)
def test_what_somebody_may_not_see_know_or_get_is_not_to_be_shown_told_or_given_to_them(
    sentence: str, act: str, thing: str, whom: str
) -> None:
    constraint = compile_prohibition("r", sentence)
    assert act in constraint.acts
    assert [term.words for term in constraint.objects] == [thing]
    assert [term.words for term in constraint.recipients] == [whom]
    assert bool(constraint.unless) == ("without" in sentence)


@pytest.mark.parametrize(
    "sentence", ["Nobody but me may see the payroll.", "No one except me may see the payroll."]
)
def test_what_nobody_but_somebody_may_see_is_shown_to_them_alone(sentence: str) -> None:
    constraint = compile_prohibition("r", sentence)
    assert "show" in constraint.acts
    assert [term.words for term in constraint.objects] == ["payroll"]
    assert [unless.kind for unless in constraint.unless] == ["recipient"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Never do anything stupid.",
        "Do nothing dangerous.",
        "Never do bad things.",
        "Do not do that.",
        "Mach nie etwas Dummes.",
        "Nie etwas Dummes tun.",
        "Ne fais jamais rien de stupide.",
        "No hagas nunca nada estúpido.",
        "Non fare mai niente di stupido.",
        "Nunca faças nada estúpido.",
    ],
)
def test_a_rule_that_names_no_doing_is_a_question_to_the_operator(sentence: str) -> None:
    with pytest.raises(CompileQuestion, match="which act or thing"):
        compile_prohibition("r", sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Never do anything on Sundays.",
        "Don't do anything to the archive.",
        "Don't do anything without asking me.",
        "Don't do my taxes.",
        "Never delete anything.",
        "Nie das Bad machen.",
    ],
)
def test_a_rule_about_anything_at_a_named_time_or_place_is_checked(sentence: str) -> None:
    assert compile_prohibition("r", sentence).acts
