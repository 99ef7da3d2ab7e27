"""What the host of an address is called: 'temu' of 'www.temu.com/lamp' and of 'help@temu.com'."""

from __future__ import annotations

import re
from collections.abc import Callable

_HOST = re.compile(r"(?:(?:https?|ftp)://|[^@\s]+@|\A)((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[:/?#]|\Z)")
_SECOND = frozenset(("co", "com", "org", "net", "ac", "gov"))  # of endings in two parts: 'shop.co.uk'
# Endings of files that look like those of hosts: 'report.pdf' is no house of that name.
_FILES = frozenset(
    (
        *("txt", "csv", "pdf", "py", "md", "doc", "docx", "xls", "xlsx", "odt", "json", "toml", "sh", "yaml"),
        *("yml", "js", "ts", "rs", "html", "htm", "css", "log", "zip", "gz", "tgz", "png", "jpg", "jpeg"),
        *("sql", "db", "wav", "exe", "ini", "cfg", "conf", "bak", "tmp", "tar", "svg", "gif", "php", "java"),
        *("go", "rb", "cpp"),
    )
)
SHORTEST = 3  # letters of a name that tells anything


def host_names(address: str, base: Callable[[str], str]) -> tuple[str, ...]:
    """The name of an address's host as a rule's word has it (`base`), alone; empty where it names none."""
    match = _HOST.match(address)
    labels = match[1].split(".") if match else []
    if len(labels) < 2 or labels[-1] in _FILES:
        return ()
    if len(labels) > 2 and labels[-2] in _SECOND:
        labels.pop()
    return (base(labels[-2]),) if len(labels[-2]) >= SHORTEST else ()
