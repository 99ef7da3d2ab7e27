"""HTTP requests (kind `http`): the host that a client would contact, and what leaves with the request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gate.actions.hosts import canonical_host, host_of, site_names
from gate.actions.paths import argument, places
from gate.actions.schema import mapping, optional_text, text, texts
from gate.errors import BadAction
from gate.model import AT_SITE, Facts, Frame

_LOOKS = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))
MAX_URL = 100_000
_BY_METHOD = {"DELETE": "delete", "PUT": "write", "PATCH": "update"}
_FILES = ("body_file", "file", "files", "upload", "attachments", "form_files")


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`url` (required), `method`, `headers`, `body`, `json`, `body_file`, `files`, `output`, `proxy`."""
    url = text(args, "url", MAX_URL)
    method = (optional_text(args, "method") or "GET").strip().upper()
    if not re.fullmatch(r"[A-Z-]{1,20}", method):
        raise BadAction("method", "must be an HTTP method")
    if url.strip().lower().startswith("file:"):
        from gate.actions.files import read as read_file

        return read_file({"path": url}, facts)
    host = host_of(url, bare_is_host=True)
    hosts = [host] if host else []
    unknown = set() if host else {"host"}
    for value in (*_header(args, "host"), optional_text(args, "proxy")):
        other = (
            (host_of(value, bare_is_host=True) if "://" in value else canonical_host(value))
            if value
            else None
        )
        if other and other not in hosts:
            hosts.append(other)
    labels = frozenset({f"method:{method}"})
    objects = ("http request", "request")
    missing = frozenset(unknown)
    reached = (*objects, "network", "access", "internet")
    frames = [Frame(act="connect", objects=reached, hosts=tuple(hosts), labels=labels, unknown=missing)]
    body = args.get("body")
    if body is not None and not isinstance(body, str | bytes | list | dict | int | float | bool):
        raise BadAction("body", f"must be text or JSON, not {type(body).__name__}")
    paths, unsure = _files(args, facts)
    sent = " ".join(_strings([body, args.get("json"), args.get("data"), args.get("form")]))
    if method in _LOOKS:
        frames.append(
            Frame(act="send", objects=objects, hosts=tuple(hosts), labels=labels, unknown=missing, text=sent)
        )
    else:
        frames += _sending(hosts, paths, labels, missing, unsure, sent)
    if paths or unsure:
        frames.append(Frame(act="read", objects=("file",), paths=paths, unknown=unsure))
        frames.append(
            Frame(act="upload", objects=("file",), paths=paths, hosts=tuple(hosts), unknown=missing | unsure)
        )
    if method in _BY_METHOD:
        frames.append(
            Frame(act=_BY_METHOD[method], objects=("resource",), hosts=tuple(hosts), unknown=missing)
        )
    output = optional_text(args, "output") or optional_text(args, "save_to")
    if output:
        found = places(argument(output)[0], facts)
        frames.append(
            Frame(
                act="write",
                objects=("file",),
                paths=found,
                unknown=frozenset() if found else frozenset({"path"}),
            )
        )
    return tuple(frames)


def _sending(
    hosts: list[str],
    paths: tuple[str, ...],
    labels: frozenset[str],
    missing: frozenset[str],
    unsure: frozenset[str],
    sent: str,
) -> list[Frame]:
    """What leaves with a request, and what the site may do with it: an order, to rules that name the site."""
    frames = [
        Frame(
            act="send",
            objects=("http request", "request", "data"),
            hosts=tuple(hosts),
            paths=paths,
            labels=labels,
            unknown=missing | unsure,
            text=sent,
        )
    ]
    sites = site_names(hosts)
    if sites:
        frames.append(
            Frame(
                act="order",
                objects=sites,
                hosts=tuple(hosts),
                labels=labels | {AT_SITE},
                unknown=missing | {"deed"},
                certain=False,
            )
        )
    return frames


def _header(args: Mapping[str, Any], name: str) -> list[str]:
    headers = args.get("headers")
    if isinstance(headers, list | tuple):
        pairs = [
            tuple(item) if isinstance(item, list | tuple) else str(item).partition(":")[::2]
            for item in headers
        ]
        return [
            str(pair[1]).strip() for pair in pairs if len(pair) == 2 and str(pair[0]).strip().lower() == name
        ]
    return [
        str(value).strip()
        for key, value in mapping(args, "headers").items()
        if str(key).strip().lower() == name
    ]


def _files(args: Mapping[str, Any], facts: Facts) -> tuple[tuple[str, ...], frozenset[str]]:
    """(paths of the files that are sent, {"path"} when one of them is unknown)."""
    listed: list[str] = []
    for name in _FILES:
        value = args.get(name)
        if isinstance(value, Mapping):
            listed += _strings(list(value.values()))
        else:
            listed += texts(args, name)
    body = args.get("body")
    if isinstance(body, str) and re.fullmatch(r"@[^\s@]{1,4096}", body):
        listed.append(body[1:])
    found: list[str] = []
    unsure: frozenset[str] = frozenset()
    for path in listed:
        pattern, sure = argument(path)
        where = places(pattern, facts)
        found += where
        if not where or not sure:
            unsure = frozenset({"path"})
    return tuple(dict.fromkeys(found)), unsure


def _strings(value: Any, depth: int = 0) -> list[str]:
    """Every string in a JSON value, to a bounded depth."""
    if isinstance(value, str):
        return [value]
    if depth > 20:
        return []
    if isinstance(value, Mapping):
        return [found for item in value.values() for found in _strings(item, depth + 1)]
    if isinstance(value, list | tuple):
        return [found for item in value for found in _strings(item, depth + 1)]
    return []
