"""Paths and hosts as a rule writes them, found in the sentence itself: a path keeps its capitals and blanks.

Quoted paths may hold blanks; globs stay; Windows paths, URLs, IP addresses, ports and `*.domain` are read.
The host of a mail address is not a host that the rule is about: 'ana@x.example' names one recipient.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PATH = r"(?:~?/|\.{1,2}/|[A-Za-z]:[\\/]|\\\\)"
_QUOTED = re.compile(rf"[\"'`“‘«](?P<path>{_PATH}[^\"'`”’»]+)[\"'`”’»]")
_URL = re.compile(r"(?<![\w.])(?P<url>[A-Za-z][A-Za-z0-9+.-]*://[^\s,;\"'<>()`]+)")
_BARE = re.compile(rf"(?<![\w/:.@~\\*-])(?P<path>{_PATH}[^\s,;:\"'()`”’]+)")
_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+")
_IPV4 = re.compile(r"(?<![\w.])(?P<host>\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?![\w.]*\w)")
_IPV6 = re.compile(r"(?<![\w:])(?P<host>\[?[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}\]?)(?::\d+)?(?![\w:])")
_HOST = re.compile(
    r"(?<![\w.@/-])@?(?P<host>(?:\*\.)?(?:[^\W_](?:[\w-]*[^\W_])?\.)+(?:[a-zß-ÿ]{2,}|[A-Z][A-Za-z]+|xn--[\w-]+))"
    r"(?::\d+)?(?![\w@])"
)
_FILE_ENDING = re.compile(
    r"\.(txt|csv|pdf|py|md|docx?|xlsx?|odt|json|toml|sh|yaml|yml|js|ts|rs|html?|css|log|zip|gz|tgz|png|jpe?g|sql|db)\Z",
    re.IGNORECASE,
)


_FORMS = (
    (_QUOTED, "path"),
    (_URL, "url"),
    (_ADDRESS, "skip"),
    (_BARE, "path"),
    (_IPV4, "host"),
    (_IPV6, "host"),
    (_HOST, "host"),
)


@dataclass(frozen=True, slots=True)
class Written:
    """A path or a host and the stretch [start, end) of the sentence that names it."""

    kind: str
    value: str
    start: int
    end: int


def written_places(sentence: str) -> tuple[Written, ...]:
    """Every path and host in a sentence, in order; no two overlap."""
    found: list[Written] = []
    for pattern, kind in _FORMS:
        for match in pattern.finditer(sentence):
            if any(other.start < match.end() and match.start() < other.end for other in found):
                continue
            place = _read(kind, match)
            if place is not None:
                found.append(place)
    ordered = sorted(found, key=lambda place: place.start)
    return tuple(place for place in ordered if place.kind != "skip")


def _read(kind: str, match: re.Match[str]) -> Written | None:
    if kind == "skip":
        return Written(kind, "", match.start(), match.end())
    if kind == "url":
        return _url(match)
    if kind == "path":
        quoted = match.group().startswith(match.group("path")) is False
        value = match.group("path") if quoted else match.group("path").rstrip(".!?")
        trimmed = value.rstrip("/") or "/"
        if len(trimmed.strip("./~")) == 0 and trimmed not in ("~", "/"):
            return None
        return Written("path", trimmed, match.start(), match.end())
    return _host(match.group("host"), match)


def _url(match: re.Match[str]) -> Written | None:
    from gate.actions.hosts import host_of

    text = match.group("url").rstrip(".!?")
    if text.lower().startswith("file:"):
        return Written("path", re.sub(r"(?i)^file:(//)?", "", text), match.start(), match.end())
    host = host_of(text)
    return Written("host", host, match.start(), match.end()) if host else None


def _host(name: str, match: re.Match[str]) -> Written | None:
    from gate.actions.hosts import canonical_host

    wild = name.startswith("*.")
    bare = name.removeprefix("*.")
    if _FILE_ENDING.search(bare) and not wild:
        return None
    host = canonical_host(bare)
    return Written("host", "*." * wild + host, match.start(), match.end()) if host else None
