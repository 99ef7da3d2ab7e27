"""Finishing an erasure: an updated or deleted row stays in its page until the table is written anew.

What lies outside the tables is not reached from here: the server's write-ahead log is reused in its own time,
and archives, standbys and dumps are the administrator's (see FORMAT.md on erasure).
"""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import Connection

_FIRST_NUMBER = re.compile(r"\d+")


def scrub(connection: Connection) -> bool:
    """Run the owner's `engram.scrub()` and look at what it reports.

    False when the tables could not be had within five seconds, or when some transaction is older than the
    erasure, so that its rows had to be carried over: `CLUSTER (VERBOSE)` says how many in the first line of
    its detail, the only number there in any language.
    """
    driver: Any = connection.connection.driver_connection
    carried: list[int] = []

    def hear(notice: Any) -> None:
        found = _FIRST_NUMBER.search((notice.message_detail or "").partition("\n")[0])
        if found is not None:
            carried.append(int(found.group()))

    driver.add_notice_handler(hear)
    try:
        done = connection.exec_driver_sql("SELECT engram.scrub()").scalar()
    finally:
        driver.remove_notice_handler(hear)
    return bool(done) and not any(carried)
