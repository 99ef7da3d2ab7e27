"""The tools there are. Each says as which action of the gate it is judged, and runs that action alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from partner.tools.model import Action, Bounds, Param, Place, Tool, ToolFailed
from partner.tools.running import shell, within

MAX_ENTRIES = 500
BYTES_A_CHAR = 4  # UTF-8's longest


# ---- paths


def _placed(written: str, place: Place) -> dict[str, str]:
    """A path made absolute, and where it leads now: both are judged, and only that place is opened."""
    expanded = place.home + written[1:] if written == "~" or written.startswith("~/") else written
    path = os.path.join(place.cwd, expanded)
    return {"path": path, "real_path": os.path.realpath(path)}


def _open_place(args: Mapping[str, Any], place: Place) -> str:
    """The real path, if it is still what was judged and lies in no closed folder."""
    real = str(args["real_path"])
    if os.path.realpath(args["path"]) != real:
        raise ToolFailed("the path leads elsewhere now than when it was judged")
    if any(real == folder or real.startswith(folder + os.sep) for folder in place.closed):
        raise ToolFailed("this folder is the partner's own; its files are not for tools")
    return real


def _opened(real: str, flags: int) -> int:
    """A regular file, opened without following a link that was put there meanwhile."""
    try:
        descriptor = os.open(real, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise ToolFailed(f"{real}: {error.strerror}") from error
    opened = os.fstat(descriptor)
    moved = os.path.realpath(real) != real or not os.path.samestat(opened, os.lstat(real))
    if moved or not stat.S_ISREG(opened.st_mode):
        os.close(descriptor)
        raise ToolFailed(f"{real} " + ("is another file now" if moved else "is no file"))
    return descriptor


def _file_action(kind: str) -> Any:
    def action(args: Mapping[str, Any], place: Place) -> Action:
        rest = {name: value for name, value in args.items() if name != "path"}
        return kind, {**_placed(args["path"], place), **rest}

    return action


# ---- what they do


def _read(args: Mapping[str, Any], place: Place, bounds: Bounds) -> str:
    def work() -> str:
        with os.fdopen(_opened(_open_place(args, place), os.O_RDONLY), "rb") as file:
            data = file.read(bounds.output_chars * BYTES_A_CHAR)
            rest = os.fstat(file.fileno()).st_size - len(data)
        text = data.decode("utf-8", "replace")
        return text + (f"\n[{rest:,} more bytes]" if rest > 0 else "")

    return within(bounds.timeout_s, work)


def _list(args: Mapping[str, Any], place: Place, bounds: Bounds) -> str:
    def work() -> str:
        real = _open_place(args, place)
        try:
            with os.scandir(real) as entries:
                found = list(islice(entries, MAX_ENTRIES + 1))
            lines = sorted(
                entry.name + ("/" if entry.is_dir(follow_symlinks=False) else "") for entry in found
            )
        except OSError as error:
            raise ToolFailed(f"{real}: {error.strerror}") from error
        more = [f"[more than {MAX_ENTRIES} entries]"] if len(found) > MAX_ENTRIES else []
        return "\n".join([*lines[:MAX_ENTRIES], *more]) or "(empty)"

    return within(bounds.timeout_s, work)


def _write(args: Mapping[str, Any], place: Place, bounds: Bounds) -> str:
    def work() -> str:
        real = _open_place(args, place)
        data = str(args["content"]).encode("utf-8", "replace")
        with os.fdopen(_opened(real, os.O_WRONLY | os.O_CREAT), "wb") as file:
            file.truncate(0)
            file.write(data)
        return f"wrote {len(data):,} bytes to {real}"

    return within(bounds.timeout_s, work)


def _command(args: Mapping[str, Any], place: Place, bounds: Bounds) -> str:
    keep = bounds.output_chars * BYTES_A_CHAR
    status, data, total = shell(
        str(args["command"]), str(args["cwd"]), seconds=bounds.timeout_s, keep_bytes=keep
    )
    text = data.decode("utf-8", "replace")
    if total > len(data):
        text += f"\n[{total - len(data):,} more bytes]"
    return text + (f"\n[it ended with status {status}]" if status else "")


def _get(args: Mapping[str, Any], place: Place, bounds: Bounds) -> str:
    url = str(args["url"])
    if place.offline:
        raise ToolFailed("offline mode: nothing is sent off this machine")
    if urlsplit(url).scheme not in ("http", "https"):
        raise ToolFailed("only http and https addresses can be fetched")

    def work() -> str:
        import httpx

        try:
            # a redirect leads to another address, which nobody has judged: it is told, not followed
            with httpx.stream("GET", url, timeout=bounds.timeout_s, follow_redirects=False) as response:
                if response.is_redirect:
                    return f"[{response.status_code}: it redirects to {response.headers.get('location', '')}]"
                body = bytearray()
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) >= bounds.output_chars * BYTES_A_CHAR:
                        break
                text = bytes(body).decode(response.charset_encoding or "utf-8", "replace")
                return text if response.is_success else f"[status {response.status_code}]\n{text}"
        except (httpx.HTTPError, httpx.InvalidURL, LookupError) as error:
            raise ToolFailed(f"{url} could not be fetched: {type(error).__name__}") from error

    return within(bounds.timeout_s, work)


READ_FILE = Tool(
    name="read_file",
    says="Read a text file on this machine.",
    params=(Param(name="path", says="the file's path"),),
    action=_file_action("file.read"),
    run=_read,
    reads=True,
)
LIST_FOLDER = Tool(
    name="list_folder",
    says="List the names in a folder on this machine.",
    params=(Param(name="path", says="the folder's path"),),
    action=_file_action("file.read"),
    run=_list,
    reads=True,
)
WRITE_FILE = Tool(
    name="write_file",
    says="Write a text file on this machine, replacing what it held.",
    params=(Param(name="path", says="the file's path"), Param(name="content", says="all it shall hold")),
    action=_file_action("file.write"),
    run=_write,
    confirm=True,
)
RUN_COMMAND = Tool(
    name="run_command",
    says="Run a shell command on this machine and read its output.",
    params=(Param(name="command", says="the command line"),),
    action=lambda args, place: ("shell", {"command": args["command"], "cwd": place.cwd}),
    run=_command,
    confirm=True,
)
HTTP_GET = Tool(
    name="http_get",
    says="Fetch a web address.",
    params=(Param(name="url", says="the whole address, with https://"),),
    action=lambda args, place: ("http", {"url": args["url"], "method": "GET"}),
    run=_get,
    confirm=True,
)

TOOLS = (READ_FILE, LIST_FOLDER, WRITE_FILE, RUN_COMMAND, HTTP_GET)
