"""Tools of MCP servers and sub-agents (kinds `mcp.tool`, `agent.call`).

A tool's schema is not ours: its name says what it does, and its arguments are searched, however deep, for
paths, hosts, recipients, amounts and nested commands. A sub-agent's instructions are an order in words,
so they come out as a text frame (act `instruct`) for the text side to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.actions.addresses import email_frames
from gate.actions.hosts import host_of
from gate.actions.money import currency_of, read_amount
from gate.actions.paths import argument, places
from gate.actions.schema import first_of, mapping, optional_text, text
from gate.actions.spelling import plain
from gate.errors import BadAction
from gate.model import Amount, Facts, Frame
from gate.taxonomy import ACTS, FAMILY_OF, LOOKING

MAX_DEPTH = 40
MAX_VALUES = 5000

_PATHS = re.compile(
    r"(path|file|filename|dir|directory|folder|target|source|destination|src|dst|from|to|root|cwd)s?$"
)
_TARGETS = re.compile(r"(^to$|dest|dst|target|output|new)")
_COMMANDS = re.compile(r"(cmd|command|commands|script|shell|bash|argv|code_to_run)$")
_QUERIES = re.compile(r"(sql|query|statement|statements)$")
_PEOPLE = re.compile(
    r"(to|cc|bcc|recipient|email|address|user|assignee|payee|beneficiary|channel|contact|phone)s?$"
)
_AMOUNTS = re.compile(r"(amount|price|total|sum|value|cost|fee)$")
_SQL = re.compile(
    r"(?is)^\s*(select|insert|update|delete|drop|truncate|alter|create|with|merge|replace)\b.*\b\w"
)
_PAYING = frozenset(("payment", "payments", "payout", "payouts", "remittance"))
_SYNONYMS = {
    "remove": "delete", "rm": "delete", "unlink": "delete", "erase": "delete", "purge": "delete",
    "trash": "delete",
    "del": "delete", "destroy": "destroy", "drop": "drop", "truncate": "truncate", "clear": "empty",
    "get": "read",
    "fetch": "read", "read": "read", "list": "list", "ls": "list", "search": "search", "find": "search",
    "query": "read",
    "show": "read", "view": "read", "describe": "read", "save": "write", "put": "write",
    "append": "write", "edit": "change",
    "modify": "change", "patch": "change", "make": "create", "new": "create", "add": "create",
    "post": "publish",
    "tweet": "publish", "mail": "email", "dm": "message", "notify": "notify", "run": "execute",
    "exec": "execute",
    "invoke": "execute", "eval": "execute", "launch": "start", "terminate": "kill", "wire": "transfer",
    "purchase": "buy",
    "charge": "pay", "checkout": "buy", "ship": "deploy", "release": "deploy", "rollout": "deploy",
    "comment": "publish",
    "navigate": "connect", "browse": "connect", "crawl": "connect", "request": "connect", "upload": "upload",
    "mkdir": "create", "mv": "move", "cp": "copy", "transfer": "transfer", "reserve": "book",
    "summarize": "summarise",
}  # fmt: skip


def read_tool(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`tool` (or `name`; required), `server`, `arguments`."""
    name = text(args, first_of(args, "tool", "name", "tool_name"))
    given = first_of(args, "arguments", "args", "params", "input")
    reader = _Reader(facts, mapping(args, given))
    return reader.frames(name, optional_text(args, "server"))


def read_agent(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`instructions` (or `task`, `prompt`, `message`; required), `agent`, `context`, `tools`."""
    field = first_of(args, "instructions", "task", "prompt", "message", "goal")
    order = text(args, field)
    agent = plain(optional_text(args, "agent") or optional_text(args, "name"))
    frames = [
        Frame(act="instruct", objects=("agent", *([agent] if agent else [])), certain=False, text=order),
        Frame(act="use", objects=tuple(word for word in ("agent", agent) if word)),
    ]
    rest = {name: value for name, value in args.items() if name not in (field, "agent", "name")}
    for key, value in _walk(rest):
        if isinstance(value, str) and re.search(r"(instruction|task|prompt|message|goal|step)s?$", key):
            frames.append(Frame(act="instruct", objects=("agent",), certain=False, text=value))
    reader = _Reader(facts, rest)
    frames += reader.nested()
    return tuple(dict.fromkeys(frames))


def _walk(value: Any, key: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """(key, leaf) for every leaf; a list's items keep the list's key. Errors: BadAction when too deep."""
    if depth > MAX_DEPTH:
        raise BadAction("arguments", f"are nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _walk(item, plain(str(name)), depth + 1)
    elif isinstance(value, list | tuple):
        if value and all(isinstance(item, str) for item in value) and _COMMANDS.search(key):
            yield key, list(value)
            return
        for item in value:
            yield from _walk(item, key, depth + 1)
    else:
        yield key, value


class _Reader:
    """Searches the arguments of one call."""

    def __init__(self, facts: Facts, arguments: Mapping[str, Any]) -> None:
        self.facts = facts
        self.leaves = list(_walk(arguments))
        if len(self.leaves) > MAX_VALUES:
            raise BadAction("arguments", f"hold more than {MAX_VALUES} values")
        self.paths: list[str] = []
        self.sources: list[str] = []
        self.targets: list[str] = []
        self.hosts: list[str] = []
        self.people: list[str] = []
        self.words: list[str] = []
        self.amounts: list[Amount] = []
        self.unknown: set[str] = set()
        currency = next(
            (value for key, value in self.leaves if key.endswith("currency") and isinstance(value, str)), ""
        )
        self.currency = currency_of(currency)
        for key, value in self.leaves:
            self._leaf(key, value)

    def _leaf(self, key: str, value: Any) -> None:
        if isinstance(value, bool) or value is None:
            return
        if _AMOUNTS.search(key) and isinstance(value, int | float | str):
            number, unit = read_amount(value, key)
            if number is not None:
                self.amounts.append(Amount(value=number, unit=self.currency or unit))
            elif key.endswith(("amount", "price", "total")):
                self.unknown.add("amount")
        if not isinstance(value, str):
            return
        self.words.append(value)
        if "://" in value[:4000] and not value.lower().startswith("file:"):
            for url in re.findall(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s'\"<>]+", value[:4000]):
                host = host_of(url)
                if host:
                    self.hosts.append(host)
                elif host is None:
                    self.unknown.add("host")
        elif re.search(r"(host|hostname|domain|url|uri|endpoint)$", key):
            host = host_of(value, bare_is_host=True)
            if host:
                self.hosts.append(host)
        looks = (
            value.startswith(("/", "~/", "./", "../", "file:")) and "\n" not in value and len(value) < 4097
        )
        if (
            looks
            or (_PATHS.search(key) and "/" in value and "://" not in value and " " not in value)
            or (re.search(r"(path|file|filename|directory|folder)s?$", key) and "://" not in value)
        ):
            self._path(key, value)
        if _PEOPLE.search(key) and "/" not in value:
            self.people.append(value)

    def _path(self, key: str, value: str) -> None:
        pattern, sure = argument(value)
        found = places(pattern, self.facts)
        self.paths += found
        (self.targets if _TARGETS.search(key) else self.sources).extend(found)
        if not found or not sure:
            self.unknown.add("path")

    def frames(self, name: str, server: str) -> tuple[Frame, ...]:
        """The tool's own act on everything it was given, and what its nested commands do."""
        words = [
            word
            for word in re.split(r"[^a-z0-9]+", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower())
            if word
        ]
        acts = [found for word in words for found in (_act(plain(word)),) if found]
        act = acts[0] if acts else f"do:{words[0]}" if words else "use"
        nouns = [word for word in words if _act(word) is None]
        recipients = [part for person in self.people for part in (plain(person),)]
        frames: list[Frame] = [
            Frame(act="use", objects=tuple(dict.fromkeys((plain(name), plain(server), *nouns))))
        ]
        mails = [person for person in self.people if "@" in person]
        if act in ("email", "send") and mails:
            frames += email_frames(mails, text="\n".join(self.words))
        if FAMILY_OF.get(act) in ("tell", "disclose") and act != "mention":
            acts = [*acts, "mention"]
        for each in dict.fromkeys([act, *acts]):
            frames.append(
                Frame(
                    act=each,
                    objects=tuple(dict.fromkeys(nouns)),
                    paths=tuple(dict.fromkeys(self.paths)),
                    hosts=tuple(dict.fromkeys(self.hosts)),
                    recipients=tuple(dict.fromkeys(recipients)),
                    amounts=tuple(self.amounts),
                    labels=frozenset({"tree"})
                    if each in ("delete", "destroy", "move") and self.paths
                    else frozenset(),
                    unknown=frozenset(self.unknown),
                    text="\n".join(self.words)[:20_000],
                )
            )
        frames += self._placing(acts)
        if _PAYING.intersection(words) and act not in LOOKING:
            frames.append(
                Frame(
                    act="pay",
                    objects=("payment",),
                    recipients=tuple(dict.fromkeys(recipients)),
                    amounts=tuple(self.amounts),
                    unknown=frozenset(self.unknown | ({"amount"} if not self.amounts else set())),
                )
            )
        if self.hosts:
            frames.append(Frame(act="connect", objects=("host",), hosts=tuple(dict.fromkeys(self.hosts))))
        return tuple(dict.fromkeys([*frames, *self.nested()]))

    def _placing(self, acts: list[str]) -> list[Frame]:
        """Moving deletes at the source; copying and uploading read there; both write at the target."""
        frames: list[Frame] = []
        unknown = frozenset(self.unknown & {"path"})
        sources, targets = tuple(dict.fromkeys(self.sources)), tuple(dict.fromkeys(self.targets))
        tree = frozenset({"tree"})
        if {"move", "rename"}.intersection(acts):
            frames.append(Frame(act="delete", objects=("file",), paths=sources, labels=tree, unknown=unknown))
        if {"copy", "upload", "send", "email", "share", "publish"}.intersection(acts) and sources:
            frames.append(Frame(act="read", objects=("file",), paths=sources, labels=tree, unknown=unknown))
        if {"move", "rename", "copy", "download"}.intersection(acts) and targets:
            frames.append(Frame(act="write", objects=("file",), paths=targets, labels=tree, unknown=unknown))
        return frames

    def nested(self) -> list[Frame]:
        """Commands and statements inside the arguments, read as the actions they are."""
        from gate.actions import shell_command, sql

        frames: list[Frame] = []
        cwd = next(
            (value for key, value in self.leaves if key in ("cwd", "workdir") and isinstance(value, str)),
            None,
        )
        database = next(
            (value for key, value in self.leaves if key in ("database", "db") and isinstance(value, str)),
            None,
        )
        for key, value in self.leaves:
            if _COMMANDS.search(key) and isinstance(value, str | list):
                frames += shell_command.read({"command": value, "cwd": cwd}, self.facts)
            elif isinstance(value, str) and _QUERIES.search(key) and (key != "query" or _SQL.match(value)):
                frames += sql.statement_frames(value, database=database, dialect=None)
        return frames


def _act(word: str) -> str | None:
    found = _SYNONYMS.get(word)
    if found is not None:
        return found
    return word if word in ACTS and word not in ("use", "do", "set", "cut", "call", "open", "check") else None
