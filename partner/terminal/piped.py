"""The conversation in a pipe: each line of standard input is a turn, and only plain text comes out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from partner.errors import Exit, UsageError
from partner.events import Asked, EngineEvent, Problem, Replied, TurnEvent
from partner.receive import MAX_MESSAGE_CHARS, decode
from partner.settings import Settings
from partner.terminal.lines import quiet_line
from partner.terminal.slash import Commands, Leave

if TYPE_CHECKING:
    from partner.operations import Partner

MAX_LINE_BYTES = MAX_MESSAGE_CHARS * 4


def converse_lines(settings: Settings, stream: BinaryIO, *, as_json: bool = False) -> int:
    """Take every line as a turn until the input ends. Empty lines are passed over.

    Returns 0 when every turn was dealt with (a refusal is an answer), 5 when no engine could be asked.
    """
    from partner.bootstrap import open_partner

    code = Exit.DONE
    with open_partner(settings) as partner:
        partner.prepare()
        commands = Commands(partner, write=_say)
        for line in _lines(stream):
            text = decode(line).strip("\r\n")
            if not text.strip():
                continue
            try:
                if text.startswith("/") and commands.knows(text):
                    commands.run(text)
                    continue
                if commands.meant(text):
                    continue
                answered = _turn(partner, partner.turn(text), as_json=as_json)
                if partner.session.pending is not None:
                    _turn(partner, partner.session.answer(applies=True, record=False), as_json=as_json)
                code = code if answered else Exit.NO_ENGINE
            except Leave:
                break
            except UsageError as error:
                _say(f"! {error}")
    return int(code)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines as bytes. One beyond the limit is handed on cut, so that it is refused and not half taken."""
    while True:
        line = stream.readline(MAX_LINE_BYTES)
        if not line:
            return
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (more := stream.readline(MAX_LINE_BYTES)) and not more.endswith(b"\n"):
                pass
        yield line


def _turn(partner: Partner, events: Iterator[TurnEvent], *, as_json: bool) -> bool:
    """Print a turn's events; False when no engine could be asked."""
    from partner.rules import understood
    from partner.views import plain

    answered = True
    for event in events:
        answered = answered and not (isinstance(event, Problem) and event.no_engine)
        if as_json:
            if not isinstance(event, EngineEvent):
                _say(json.dumps({"event": type(event).__name__.lower(), **plain(event)}, ensure_ascii=False))
        elif isinstance(event, Replied):
            _say(event.text.strip() + (" [cut short]" if event.partial else ""))
        elif isinstance(event, Asked):
            _say(f"? {event.question} Nobody can answer here, so it counts as refused.")
        elif line := quiet_line(event):
            _say(line)
            if rule := understood(partner, event):
                _say(rule)
    return answered


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
