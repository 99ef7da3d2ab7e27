"""What the compiler makes of a rule's sentence: its act, its thing, whom it is about, its exception."""

from __future__ import annotations

import pytest

from gate import compile_prohibition


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
