"""A document's passages can each be read without what stands around them."""

from __future__ import annotations

from tests.partner.formation.remembering import Memory

MINUTES = """# Minutes, 12 November

1. Bees. Two hives may stand on the meadow. Ms Nair looks after them.
2. Next meeting: 14 January, 19:00.
3. The old pump at the gate will be replaced. Brandt collects a second offer.

| Item | Responsible |
|------|-------------|
| Snow | tenant |
| Roof and gutters | landlord, every October |
"""


def read(text: str) -> list[tuple[str, str | None]]:
    drafts = [change.draft for change in Memory().document("minutes.md", text).changes]
    return [(draft.content, draft.provenance.evidence) for draft in drafts if draft is not None]


def test_what_heads_an_item_stands_before_each_of_its_sentences_and_is_no_passage() -> None:
    contents = [content for content, _ in read(MINUTES)]
    assert contents[:2] == ["Bees: Two hives may stand on the meadow.", "Bees: Ms Nair looks after them."]
    assert "Next meeting: 14 January, 19:00." in contents
    assert "The old pump at the gate will be replaced." in contents
    assert "Brandt collects a second offer." in contents


def test_a_row_of_a_table_is_a_passage_with_its_columns_names() -> None:
    assert read(MINUTES)[-2:] == [
        ("Item: Snow, Responsible: tenant.", "| Snow | tenant |"),
        (
            "Item: Roof and gutters, Responsible: landlord, every October.",
            "| Roof and gutters | landlord, every October |",
        ),
    ]


def test_evidence_is_the_sentence_as_it_is_written() -> None:
    assert all(evidence is not None and evidence in MINUTES for _, evidence in read(MINUTES))
