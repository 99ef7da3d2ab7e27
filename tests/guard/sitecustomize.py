"""No socket leaves the machine: an audit hook that every test process and its Python children install.

A folder on PYTHONPATH brings it into child processes (workers, servers, the program itself). What tries
to leave is stopped with an error, and noted in the file that PARTNER_GUARD_LOG names, so that a test can
tell even where the program swallowed the error.
"""

import ipaddress
import os
import sys

LOCAL_NAMES = {"localhost", "", "ip6-localhost"}


def _local(host):
    if host is None:
        return True
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if str(host).lower() in LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(str(host).split("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _watch(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if not isinstance(address, tuple):  # a path of a Unix socket, or an already connected one
            return
        host = address[0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0]
    else:
        return
    if not _local(host):
        _refuse(event, host)


def _refuse(event, host):
    message = f"{event} to {host!r}: tests may not leave the machine"
    log = os.environ.get("PARTNER_GUARD_LOG")
    if log:
        with open(log, "a") as file:
            file.write(f"{message} (pid {os.getpid()}, {' '.join(sys.argv[:4])})\n")
    raise PermissionError(message)


if not getattr(sys, "_partner_guard", False):
    sys._partner_guard = True
    sys.addaudithook(_watch)
