"""The key of a request: every single field changes it, and nothing else does."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from asking import ask
from hypothesis import given
from hypothesis import strategies as st

from router import Attachment, BadRequest, Message, Request, Role, ToolCall, ToolSpec
from router.fingerprint import _DECLARED, fingerprint

KNOWN = "r1:0f6c1100f2562a7456703bdd1c1787bffa7a5d8d338f670c7476ffc9d0786f33"
ENGINE = {"kind": "test", "model": "m"}
FULL = Request(
    messages=(
        Message(role=Role.SYSTEM, content="Be brief."),
        Message(role=Role.USER, content="Hi", attachments=(Attachment(media_type="image/png", data=b"1"),)),
        Message(role=Role.ASSISTANT, content="", tool_calls=(ToolCall(id="a", name="f", arguments="{}"),)),
        Message(role=Role.TOOL, content="42", tool_call_id="a"),
    ),
    notes="- Ana",
    stop=("END",),
    schema={"type": "object"},
    tools=(ToolSpec(name="f", description="d", parameters={"type": "object"}),),
    tags=frozenset({"client"}),
    extra={"top_k": 5, "grammar": 'root ::= "a"'},
)


def variants(value: Any) -> Iterator[Any]:
    """Every value that differs from `value` in one place."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            for other in variants(getattr(value, field.name)):
                yield dataclasses.replace(value, **{field.name: other})
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield value[:place] + value[place + 1 :]
            for other in variants(item):
                yield (*value[:place], other, *value[place + 1 :])
        yield (*value, "one more")
    elif isinstance(value, Mapping):
        yield {**value, "another": 1}
        for key, item in value.items():
            for other in variants(item):
                yield {**value, key: other}
    elif isinstance(value, frozenset):
        yield value | {"another"}
        yield value - set(list(value)[:1])
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, bytes):
        yield value + b"x"
        yield bytes(len(value))
    elif isinstance(value, Role):
        yield from (role for role in Role if role is not value)
    elif isinstance(value, str):
        yield value + "x"
    else:
        assert value is None
        yield "no longer nothing"


@pytest.mark.conforms("P12")
def test_every_single_field_of_a_request_changes_the_key():
    others = [other for other in variants(FULL) if other != FULL]
    assert len(others) > 60
    keys = {fingerprint(other, ENGINE) for other in [FULL, *others]}
    assert len(keys) == len(others) + 1


def test_a_field_that_will_be_added_to_the_request_is_in_the_key_by_itself():
    for declared in (Request, Message, ToolCall, ToolSpec, Attachment):
        assert declared in _DECLARED
    touched = {
        field.name
        for field in dataclasses.fields(FULL)
        for other in variants(getattr(FULL, field.name))
        if fingerprint(dataclasses.replace(FULL, **{field.name: other}), ENGINE) != fingerprint(FULL, ENGINE)
    }
    assert touched == {field.name for field in dataclasses.fields(Request)}


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=4))
def test_the_order_of_a_mapping_and_its_kind_mean_nothing(extra):
    backwards = MappingProxyType(dict(reversed(extra.items())))
    assert fingerprint(ask("Hi", extra=extra), ENGINE) == fingerprint(ask("Hi", extra=backwards), ENGINE)


@given(st.text(max_size=6), st.text(max_size=6))
def test_two_questions_have_two_keys(one, other):
    same = fingerprint(ask(one), ENGINE) == fingerprint(ask(other), ENGINE)
    assert same == (one == other)


def test_what_engine_is_asked_is_in_the_key():
    assert fingerprint(FULL, ENGINE) != fingerprint(FULL, {**ENGINE, "model": "n"})


def test_the_scheme_is_written_on_the_key_and_the_key_of_a_known_request_stays():
    key = fingerprint(ask("Hi"), ENGINE)
    # a new field of a request changes it; any other change is one of the scheme: raise its number
    assert key == KNOWN


@pytest.mark.parametrize(
    "value", [float("nan"), object(), frozenset({1, "a"})], ids=["nan", "object", "mixed"]
)
def test_a_value_without_a_canonical_form_is_refused(value):
    with pytest.raises(BadRequest, match="cannot be written down"):
        fingerprint(ask("Hi", extra={"x": value}), ENGINE)


def test_zero_is_zero_however_it_is_spelled():
    assert fingerprint(ask("Hi", temperature=0), ENGINE) == fingerprint(ask("Hi", temperature=0.0), ENGINE)
