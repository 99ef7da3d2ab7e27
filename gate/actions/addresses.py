"""Mail recipients as a mail server would deliver to them, apart from the names shown beside them."""

from __future__ import annotations

from collections.abc import Iterable
from email.utils import getaddresses

from gate.actions.hosts import canonical_host
from gate.actions.spelling import plain
from gate.errors import BadAction
from gate.model import Frame


def parse_recipient(text: str) -> list[tuple[str, str, str]]:
    """(address, display name, domain) for each recipient in a header value.

    The address is canonical: lower case, the domain in ASCII without a trailing dot. A recipient without
    an address keeps its name and an empty domain.
    """
    if text.count("(") > 20:  # comments nest, and the parser of the standard library recurses into them
        raise BadAction("to", "holds too many parentheses")
    found: list[tuple[str, str, str]] = []
    for name, address in getaddresses([text], strict=False) if _strict_known() else getaddresses([text]):
        cleaned = address.strip().strip("<>").strip()
        local, at, domain = cleaned.rpartition("@")
        if at:
            host = canonical_host(domain) or plain(domain)
            found.append((f"{plain(local)}@{host}", plain(name), host))
        elif cleaned or name:
            found.append(("", plain(name or cleaned), ""))
    return found


def _strict_known() -> bool:
    """Python 3.11.10 and later reject odd display names unless told not to."""
    return "strict" in (getaddresses.__kwdefaults__ or {}) or "strict" in getaddresses.__code__.co_varnames


def email_frames(
    recipients: Iterable[str],
    *,
    text: str,
    unknown: bool = False,
    objects: tuple[str, ...] = ("email",),
    argv: tuple[str, ...] | None = None,
) -> list[Frame]:
    """One frame a recipient (act email); `text` is content and orders nothing."""
    people = [person for value in recipients for person in parse_recipient(value)]
    frames = [
        Frame(
            act="email",
            objects=objects,
            recipients=tuple(part for part in (address, name) if part),
            hosts=(domain,) if domain else (),
            unknown=frozenset() if domain else frozenset({"host", "address"}),
            count=len(people),
            text=text,
            argv=argv,
        )
        for address, name, domain in people
    ]
    if text.strip():  # writing it to people is mentioning what it is about
        frames.append(
            Frame(
                act="mention",
                objects=objects,
                recipients=tuple(dict.fromkeys(part for frame in frames for part in frame.recipients)),
                hosts=tuple(dict.fromkeys(host for frame in frames for host in frame.hosts)),
                text=text,
                argv=argv,
            )
        )
    if unknown or not people:
        missing = frozenset({"recipient", "host", "address"})
        frames.append(Frame(act="email", objects=objects, unknown=missing, text=text, argv=argv))
    return frames
