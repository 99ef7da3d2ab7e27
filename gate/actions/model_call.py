"""Calls of a language model (kind `model.call`): where the model runs, and what kind of data it would see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gate.actions.hosts import host_of
from gate.actions.schema import optional_text, texts
from gate.actions.spelling import plain
from gate.actions.vocabulary import word_set
from gate.errors import BadAction
from gate.model import Facts, Frame

_LOCAL = word_set(
    """
    local on-device ondevice device localhost offline embedded self onprem
    """
)
# What an engine is called in a rule, wherever it runs; and what one elsewhere is called besides.
_ENGINE = ("model", "llm", "ai", "engine", "chatbot", "assistant")
_ELSEWHERE = ("hosted", "remote", "cloud", "online", "external", "provider", "api", "internet")
_HOSTED = frozenset(("hosted", "remote", "cloud", "api", "external", "online", "provider", "third-party"))


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`prompt` or `messages` (one of them), `model`, `locality`, `data_labels`, `attachments`, `endpoint`.

    What the caller found out (`facts.locality`) outranks what the action says of itself. With labels, the
    labels decide what the data is; without them it can only be guessed from the words, so it is unknown.
    """
    prompt = _prompt(args)
    attachments = texts(args, "attachments")
    locality = _locality(facts.locality or optional_text(args, "locality"))
    labels = (
        None if args.get("data_labels") is None else [plain(label) for label in texts(args, "data_labels")]
    )
    missing: set[str] = set()
    if locality is None:
        missing.add("locality")
    if labels is None:
        missing.add("labels")
    endpoint = optional_text(args, "endpoint") or optional_text(args, "base_url")
    host = host_of(endpoint, bare_is_host=True) if endpoint else None
    model = plain(optional_text(args, "model"))
    called = (*((model,) if model else ()), *_ENGINE, *(_ELSEWHERE if locality == "hosted" else ()))
    frame = Frame(
        act="send",
        objects=("prompt", "data", *(labels or ())),
        hosts=(host,) if host else (),
        recipients=called,
        labels=frozenset(f"label:{label}" for label in labels or ()),
        locality=locality,
        unknown=frozenset(missing),
        text="" if labels is not None else "\n".join((prompt, *map(_title, attachments))),
    )
    use = Frame(act="use", objects=called, locality=locality)
    return (frame, use)


def _title(attachment: str) -> str:
    """The words of a file's name: 'client_4471.pdf' speaks of a client."""
    return re.sub(r"[_\W]+", " ", attachment.rpartition("/")[2])


def _prompt(args: Mapping[str, Any]) -> str:
    messages = args.get("messages")
    if messages is None:
        return "\n".join(texts(args, "prompt", "system", "input")) or _required(args)
    if not isinstance(messages, list | tuple):
        raise BadAction("messages", f"must be a list, not {type(messages).__name__}")
    parts: list[str] = []
    for message in messages:
        content = message.get("content") if isinstance(message, Mapping) else message
        blocks = content if isinstance(content, list | tuple) else [content]
        for block in blocks:
            words = block.get("text", "") if isinstance(block, Mapping) else block
            if isinstance(words, str):
                parts.append(words)
    return "\n".join(parts)


def _required(args: Mapping[str, Any]) -> str:
    if "prompt" not in args and not args.get("attachments"):
        raise BadAction("prompt", "is required (or messages)")
    return ""


def _locality(word: str) -> str | None:
    name = plain(word).strip()
    return "local" if name in _LOCAL else "hosted" if name in _HOSTED else None
