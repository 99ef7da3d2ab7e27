"""Stricter still: a process with this on its path may not connect anywhere, not even to itself."""

import sys


def _watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind"):
        raise PermissionError(f"{event} {args[1:]}: no socket is needed here")


sys.addaudithook(_watch)
