"""Hosts as a client would contact them (WHATWG URL Standard, by ada-url; IDNA by UTS 46).

What only looks like a host (user info, a path, a query) is not one. IPv4 in odd spellings (hexadecimal,
octal, one number, mapped into IPv6) comes out dotted; the root's trailing dot goes.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache

from gate.actions.spelling import without_lookalikes

_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
_INVISIBLE = re.compile(r"[\t\r\n]")  # URL parsers drop them wherever they stand
_SCP = re.compile(r"(?:[^@/\s:]+@)?(\[[0-9A-Fa-f:.]+\]|[^@/\s:]+):(?!//)")


@lru_cache(maxsize=4096)
def canonical_host(host: str) -> str | None:
    """A bare host or `host:port` as lower-case ASCII; None when no client could contact it."""
    import ada_url

    bare = host.strip().strip("/")
    if bare.count(":") > 1 and not bare.startswith("["):
        bare = f"[{bare}]"
    try:
        name = ada_url.URL(f"http://{bare}/").hostname
    except ValueError:
        return None
    return _settled(name)


@lru_cache(maxsize=4096)
def host_of(url: str, *, bare_is_host: bool = False) -> str | None:
    """The host that fetching `url` contacts; "" for a URL without one (file:, data:), None when unreadable.

    With `bare_is_host` a URL without a scheme is read as a command-line client does: `example.org/x`.
    """
    import ada_url

    text = _INVISIBLE.sub("", url).strip()
    scheme = _SCHEME.match(text)
    if scheme is None or _bare_port(text):
        if text.startswith("//"):
            text = "http:" + text
        elif bare_is_host:
            text = "http://" + text
        else:
            return None
    try:
        parsed = ada_url.URL(text)
    except ValueError:
        return None
    name = parsed.hostname
    if not name:
        return ""
    if parsed.protocol in ("http:", "https:", "ws:", "wss:", "ftp:"):
        return _settled(name)
    return canonical_host(name)  # other schemes are opaque to the URL Standard: apply the host rules


def remote_of(word: str) -> str | None:
    """The host of an scp-like `user@host:path` or an ssh/rsync URL; None when the word is a local path."""
    if "://" in word:
        return host_of(word) or None
    match = _SCP.match(word)
    if match is None or word.startswith(("/", ".")):
        return None
    return canonical_host(match.group(1))


def _bare_port(text: str) -> bool:
    """`localhost:8080/x` has no scheme, although the part before the colon could be one."""
    return re.match(r"[A-Za-z0-9.-]+:\d+(/|\?|#|$)", text) is not None


def _settled(name: str) -> str | None:
    bare = name.rstrip(".").lower()
    if bare.startswith("["):
        try:
            address = ipaddress.IPv6Address(bare.strip("[]"))
        except ValueError:
            return None
        return str(address.ipv4_mapped or address.compressed)
    if not bare or ".." in bare:
        return None
    if bare.isascii():
        return bare
    import ada_url

    return ada_url.idna_to_ascii(bare).decode() or None


def site_names(hosts: Iterable[str]) -> tuple[str, ...]:
    """What hosts are called: 'temu' of 'www.temu.com'."""
    names = (label for host in hosts for label in host.split(".")[:-1])
    return tuple(dict.fromkeys(name for name in names if name != "www" and not name.isdigit()))


_EMBEDDED = re.compile(r"(?<![\w])((?:\d{1,3}[.-]){3}\d{1,3})(?=[.-])|(?<![\w-])([0-9a-f]{8})(?=\.)")

_WILDCARDS = (".nip.io", ".sslip.io", ".xip.io", ".traefik.me", ".backname.io", ".ipq.co")


@lru_cache(maxsize=4096)
def also_means(host: str) -> tuple[str, ...]:
    """Hosts that a canonical name is likely to lead to, or that it passes itself off as.

    Wildcard DNS answers with the address that a name spells: `10.0.0.5.nip.io`, `app-10-0-0-5.sslip.io`,
    `0a000005.nip.io`. A label that mixes scripts imitates the one it looks like. Else nothing.
    """
    found: dict[str, None] = {}
    if host.endswith(_WILDCARDS):
        for match in _EMBEDDED.finditer(host):
            dotted = match[1].replace("-", ".") if match[1] else str(ipaddress.IPv4Address(int(match[2], 16)))
            address = canonical_host(dotted)
            if address is not None:
                found[address] = None
    if "xn--" in host:
        import ada_url

        labels = ada_url.idna_to_unicode(host).split(".")
        imitated = canonical_host(".".join(without_lookalikes(label) or label for label in labels))
        if imitated is not None and imitated != host:
            found[imitated] = None
    return tuple(found)
