"""GBNF checked before llama.cpp sees it: there, a bad, rootless or left-recursive grammar ends the process.

GBNF is described in llama.cpp's grammars/README.md: rules `name ::= ...` of literals, character classes,
rule names, groups and the repetitions `* + ? {m,n}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_GRAMMAR_CHARS = 200_000
MAX_SCHEMA_CHARS = 100_000
MAX_SCHEMA_DEPTH = 32
MAX_REPEAT = 2_000
MAX_NESTING = 64

_TOKEN = re.compile(
    r"""(?P<skip>[ \t\r\n]+|\#[^\n]*)
      |(?P<define>::=)
      |(?P<name>[a-zA-Z0-9_-]+)
      |(?P<literal>"(?:[^"\\\n]|\\.)*")
      |(?P<klass>\[\^?(?:[^\]\\\n]|\\.)+\])
      |(?P<any>\.)
      |(?P<open>\()|(?P<close>\))|(?P<or>\|)
      |(?P<repeat>[*+?]|\{\s*\d+\s*(?:,\s*\d*\s*)?\})""",
    re.VERBOSE,
)


class BadGrammar(ValueError):
    """The grammar, or the schema it would come from, must not reach llama.cpp."""


@dataclass(slots=True)
class _Node:
    """A sequence of alternatives; `minimum` 0 means that it may be left out."""

    kind: str  # "alt", "seq", "ref", "char"
    children: list[_Node] = field(default_factory=list)
    name: str = ""
    empty: bool = False  # an empty literal
    minimum: int = 1


def of_schema(schema: Mapping[str, Any]) -> str:
    """GBNF for a JSON Schema, checked.

    Raises:
        BadGrammar: the schema is too large or deep, or has no grammar.
    """
    check_schema(schema)
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    try:
        text = json_schema_to_gbnf(json.dumps(schema))
    except Exception as error:
        raise BadGrammar(f"this JSON Schema has no grammar: {error or type(error).__name__}") from error
    check(text)
    return text


def check_schema(schema: Mapping[str, Any]) -> None:
    """Bounds on a schema, before anything converts it.

    Raises:
        BadGrammar: it is no JSON, has a remote reference, is too large or nested too deep.
    """
    try:
        size = len(json.dumps(schema))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadGrammar("the schema is not JSON") from error
    if size > MAX_SCHEMA_CHARS:
        raise BadGrammar(f"the schema has {size} characters; {MAX_SCHEMA_CHARS} are the limit")
    _check_node(schema, 0)


def _check_node(node: Any, depth: int) -> None:
    if depth > MAX_SCHEMA_DEPTH:
        raise BadGrammar(f"the schema is nested deeper than {MAX_SCHEMA_DEPTH} levels")
    if isinstance(node, Mapping):
        reference = node.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            raise BadGrammar(f"the schema refers to {reference}, which is not fetched")
        for bound in ("maxItems", "minItems", "maxLength", "minLength"):
            if isinstance(node.get(bound), int) and node[bound] > MAX_REPEAT:
                raise BadGrammar(f"{bound} {node[bound]} is over the limit of {MAX_REPEAT}")
    for child in node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ():
        _check_node(child, depth + 1)


def check(text: str) -> None:
    """Refuse what llama.cpp would crash on.

    Raises:
        BadGrammar: with what is wrong, in words.
    """
    if len(text) > MAX_GRAMMAR_CHARS:
        raise BadGrammar(f"the grammar has {len(text)} characters; {MAX_GRAMMAR_CHARS} are the limit")
    rules = _parse(_tokens(text))
    if "root" not in rules:
        raise BadGrammar("the grammar has no rule named root")
    for name, body in rules.items():
        for reference in _references(body):
            if reference not in rules:
                raise BadGrammar(f"rule {name} uses {reference}, which is not defined")
    nullable = _nullable_rules(rules)
    firsts = {name: set(_leftmost(body, nullable)) for name, body in rules.items()}
    for name in rules:
        if _reaches(name, name, firsts):
            raise BadGrammar(f"rule {name} is left-recursive")


def _tokens(text: str) -> list[tuple[str, str]]:
    out, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            line = text.count("\n", 0, at) + 1
            raise BadGrammar(f"line {line} of the grammar cannot be read at {text[at : at + 20]!r}")
        kind = match.lastgroup or ""
        if kind != "skip":
            out.append((kind, match.group()))
        at = match.end()
    return out


def _parse(tokens: list[tuple[str, str]]) -> dict[str, _Node]:
    starts = [
        index
        for index in range(len(tokens) - 1)
        if tokens[index][0] == "name" and tokens[index + 1][0] == "define"
    ]
    if not starts or starts[0] != 0:
        raise BadGrammar("the grammar does not start with a rule")
    rules: dict[str, _Node] = {}
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        body = _Body(tokens[start + 2 : end], tokens[start][1])
        rules[tokens[start][1]] = body.parse()
    return rules


class _Body:
    """Recursive descent over one rule's tokens."""

    def __init__(self, tokens: list[tuple[str, str]], name: str) -> None:
        self._tokens = tokens
        self._name = name
        self._at = 0

    def parse(self) -> _Node:
        node = self._alternatives(0)
        if self._at < len(self._tokens):
            raise BadGrammar(f"rule {self._name} has an unmatched {self._tokens[self._at][1]!r}")
        return node

    def _alternatives(self, depth: int) -> _Node:
        if depth > MAX_NESTING:
            raise BadGrammar(f"rule {self._name} nests deeper than {MAX_NESTING} groups")
        branches = [self._sequence(depth)]
        while self._peek() == "or":
            self._at += 1
            branches.append(self._sequence(depth))
        return _Node("alt", branches)

    def _sequence(self, depth: int) -> _Node:
        sequence = _Node("seq")
        while (kind := self._peek()) not in ("or", "close", ""):
            text = self._tokens[self._at][1]
            self._at += 1
            if kind == "repeat":
                if not sequence.children:
                    raise BadGrammar(f"rule {self._name} repeats nothing with {text}")
                sequence.children[-1].minimum = self._minimum(text)
            elif kind == "open":
                sequence.children.append(self._alternatives(depth + 1))
                if self._peek() != "close":
                    raise BadGrammar(f"rule {self._name} has an unclosed group")
                self._at += 1
            elif kind == "name":
                sequence.children.append(_Node("ref", name=text))
            elif kind == "define":
                raise BadGrammar(f"rule {self._name} has a misplaced ::=")
            else:
                sequence.children.append(_Node("char", empty=text == '""'))
        return sequence

    def _minimum(self, text: str) -> int:
        if text in "*?":
            return 0
        bounds = [int(number) for number in re.findall(r"\d+", text)] or [1]
        if max(bounds) > MAX_REPEAT:
            raise BadGrammar(f"rule {self._name} repeats more than {MAX_REPEAT} times")
        return bounds[0]

    def _peek(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""


def _references(node: _Node) -> list[str]:
    own = [node.name] if node.kind == "ref" else []
    return own + [name for child in node.children for name in _references(child)]


def _nullable(node: _Node, known: set[str]) -> bool:
    if node.minimum == 0 or node.empty:
        return True
    if node.kind == "ref":
        return node.name in known
    if node.kind == "seq":
        return all(_nullable(child, known) for child in node.children)
    return any(_nullable(child, known) for child in node.children) if node.kind == "alt" else False


def _nullable_rules(rules: dict[str, _Node]) -> set[str]:
    known: set[str] = set()
    while True:
        found = {name for name, body in rules.items() if _nullable(body, known)}
        if found == known:
            return known
        known = found


def _leftmost(node: _Node, nullable: set[str]) -> list[str]:
    """Rules that may stand first in what `node` matches."""
    if node.kind == "ref":
        return [node.name]
    if node.kind == "alt":
        return [name for child in node.children for name in _leftmost(child, nullable)]
    out: list[str] = []
    for child in node.children:
        out += _leftmost(child, nullable)
        if not _nullable(child, nullable):
            break
    return out


def _reaches(start: str, goal: str, edges: dict[str, set[str]]) -> bool:
    seen: set[str] = set()
    stack = list(edges[start])
    while stack:
        name = stack.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            stack.extend(edges[name])
    return False
