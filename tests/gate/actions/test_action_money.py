"""Amounts in the spellings of people and programs, exact to the cent."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.actions.money import read_amount


@pytest.mark.parametrize(
    ("written", "value", "currency"),
    [
        ("1.840,50", "1840.50", None),
        ("12,500.00", "12500.00", None),
        ("1’450.00", "1450.00", None),
        ("1 450,00", "1450.00", None),
        ("999,99", "999.99", None),
        ("1,000", "1000", None),
        ("1.450", "1450", None),
        ("0,5", "0.5", None),
        ("€ 1,450", "1450", "EUR"),
        ("1450 euros", "1450", "EUR"),
        ("US$20", "20", "USD"),
        ("2k", "2000", None),
        ("1.5 million EUR", "1500000", "EUR"),
        ("1e3", "1E+3", None),
        ("-20", "-20", None),
        ("250 cent", "2.5", "EUR"),
    ],
)
def test_an_amount_is_read_as_it_is_meant(written: str, value: str, currency: str | None) -> None:
    number, named = read_amount(written)
    assert number == Decimal(value)
    assert named == currency


@pytest.mark.parametrize("written", ["", "a lot", "3 at 400", "1.2.3,4,5", "1e999", "12 bananas"])
def test_what_is_not_one_amount_is_unknown(written: str) -> None:
    assert read_amount(written)[0] is None


@given(st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False))
def test_european_and_american_spellings_mean_the_same(value: Decimal) -> None:
    american = f"{value:,.2f}"
    european = american.replace(",", "_").replace(".", ",").replace("_", ".")
    assert read_amount(american)[0] == value
    assert read_amount(european)[0] == value
    assert read_amount(str(value))[0] == value
