"""Grammars and schemas are refused before llama.cpp, which would crash on them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from router.llama import grammar
from router.llama.grammar import BadGrammar

ROOT = Path(__file__).resolve().parents[2]
GOOD = {
    "plain": 'root ::= "yes" | "no"',
    "classes": "root ::= [a-z]+ ws [^\\]x]*\nws ::= [ \\t\\n]*",
    "right recursion": 'root ::= "a" root | "b"',
    "recursion within brackets": 'root ::= value\nvalue ::= "[" (value ("," value)*)? "]" | "1"',
    "bounds": 'root ::= "a"{2,5} "b"{3} "c"{1,}',
    "comment": '# says yes\nroot ::= "yes" # or nothing',
    "any": "root ::= . .?",
    "a group over lines": 'root ::= (\n  "a" |\n  "b"\n)',
}
BAD = {
    "rootless": ('start ::= "a"', "no rule named root"),
    "left-recursive": ('root ::= root "a" | "b"', "left-recursive"),
    "left-recursive at a distance": ('root ::= x\nx ::= y "1"\ny ::= x', "left-recursive"),
    "left-recursive past what may be empty": ('root ::= ws root "a" | "b"\nws ::= [ ]*', "left-recursive"),
    "left-recursive past an empty literal": ('root ::= "" root', "left-recursive"),
    "undefined": ("root ::= missing", "missing, which is not defined"),
    "unclosed group": ('root ::= ("a"', "unclosed group"),
    "unmatched bracket": ('root ::= "a")', "unmatched"),
    "unclosed literal": ('root ::= "a', "cannot be read"),
    "unclosed class": ("root ::= [a-z", "cannot be read"),
    "repeats nothing": ("root ::= * 'a'", "cannot be read|repeats nothing"),
    "endless": ('root ::= "a"{1,99999}', "more than 2000 times"),
    "nested too deep": ("root ::= " + "(" * 100 + '"a"' + ")" * 100, "nests deeper"),
    "empty": ("", "does not start with a rule"),
    "huge": ('root ::= "' + "a" * 200_001 + '"', "characters"),
    "stray definition": ('root ::= "a" ::= "b"', "misplaced|does not start"),
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_a_sound_grammar_passes(text):
    grammar.check(text)


@pytest.mark.parametrize(("text", "reason"), BAD.values(), ids=BAD)
def test_a_grammar_that_would_crash_the_library_is_refused_in_words(text, reason):
    with pytest.raises(BadGrammar, match=reason):
        grammar.check(text)


def test_a_schema_becomes_a_grammar_that_passes_the_same_check():
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
            "child": {"$ref": "#/$defs/node"},
        },
        "required": ["name"],
        "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
    }
    # in a process of its own, as in the worker: the converter loads the whole library
    code = f"from router.llama import grammar; print(grammar.of_schema({schema!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "root ::=" in done.stdout
    grammar.check(done.stdout)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"$ref": "https://example.com/schema.json"}, "not fetched"),
        ({"type": "array", "items": {}, "maxItems": 10**6}, "over the limit"),
        ({"type": "string", "maxLength": 10**6}, "over the limit"),
        ({"x": object()}, "not JSON"),
        ({"enum": ["x" * 200_000]}, "characters"),
    ],
    ids=["remote", "items", "length", "object", "size"],
)
def test_a_schema_that_must_not_be_converted_is_refused(schema, reason):
    with pytest.raises(BadGrammar, match=reason):
        grammar.of_schema(schema)


def test_a_schema_nested_too_deep_is_refused():
    schema: dict = {"type": "string"}
    for _ in range(40):
        schema = {"type": "array", "items": schema}
    with pytest.raises(BadGrammar, match="nested deeper"):
        grammar.of_schema(schema)
