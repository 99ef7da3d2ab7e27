"""The quiet lines beside a conversation: what was formed, what was refused, what went wrong."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from partner.events import (
    Asked,
    Clarify,
    Formed,
    Gathered,
    Notice,
    Problem,
    Received,
    Refused,
    ToolRunning,
    ToolUsed,
    TurnEvent,
)
from partner.names import day, first_line, short
from store.model import Engram, EngramType, Relation

if TYPE_CHECKING:
    from partner.operations import Rule

MARKS = {"new": "+", "supersede": "~", "retract": "-", "same": "=", "proposed": "?"}


def quiet_line(event: TurnEvent) -> str:
    """One line (or a few, for a refusal) for an event that is not the reply; empty for what needs no word."""
    match event:
        case Received(warning=warning):
            return f"! {warning}" if warning else ""
        case Formed():
            return formed_line(event)
        case Clarify(question=question):
            return f"? {question}"
        case Refused(message=message):
            return message
        case Asked(question=question):
            return f"? {question}"
        case Problem(message=message):
            return f"! {message}"
        case Notice(message=message):
            return f"({message})"
        case ToolRunning(says=says):
            return f"> {says}"
        case ToolUsed(tool=tool, outcome=outcome, says=says):
            return "" if outcome == "ran" else f"! {tool}: {outcome}: {first_line(says, 300)}"
        case Gathered():
            return ""
        case _:
            return ""


def formed_line(event: Formed) -> str:
    """`+ 3f2a19bc conclusion: Ana owns the schema now.`"""
    engram = event.engram
    if event.change == "retract" and event.old is not None:
        return f"- {short(event.old.id)} {event.old.klass} no longer holds: {first_line(event.old.content)}"
    line = f"{MARKS.get(event.change, '+')} {short(engram.id)} {engram.klass}: {first_line(engram.content)}"
    if event.change == "same":
        return line + " (known already)"
    if event.change == "proposed":
        return line + " (waits in the inbox)"
    if event.old is not None:
        return line + f" (replaces {short(event.old.id)})"
    return line


def rule_lines(rule: Rule) -> str:
    """A rule just said, what the gate understood of it, and which of its words are no rule."""
    from partner.rules import unchecked_part

    lines = [formed_line(rule.event), f"  {rule.understood}", unchecked_part(rule.engram)]
    return "\n".join(filter(None, lines))


def approval_line(engram: Engram) -> str:
    """`+ 3f2a19bc approval by Ana: email to the client (until 2026-05-16 00:00)`"""
    until = engram.metadata.get("until")
    end = f" (until {datetime.fromisoformat(until):%Y-%m-%d %H:%M})" if until else ""
    return f"+ {short(engram.id)} approval by {engram.metadata['by']}: {engram.content}{end}"


def undone_line(entry: Engram, about: Engram) -> str:
    """What one entry of an undo did: `about` is what it ended or what holds again by it."""
    if entry.type is EngramType.RETRACTION:
        return f"- {short(about.id)} {about.klass} no longer holds: {first_line(about.content)}"
    instead = [link.target for link in entry.links if link.relation is Relation.SUPERSEDES]
    place = f" (in place of {short(instead[0])})" if instead else ""
    return f"+ {short(entry.id)} {entry.klass} holds again: {first_line(entry.content)}{place}"


def inbox_line(engram: Engram) -> str:
    """A proposal and the words it rests on."""
    evidence = first_line(engram.provenance.evidence or "", 120)
    who = engram.provenance.source or "an engine"
    return f"{engram_line(engram)}\n          {who} read it in: “{evidence}”"


def engram_line(engram: Engram, *, struck: bool = False, written: bool = False) -> str:
    """An engram in a list: id, day, type, claim; struck ones are marked.

    `written` gives the minute it was written in place of the day since which it is true.
    """
    when = f"{engram.created_at:%Y-%m-%d %H:%M}" if written else day(engram)
    mark = "x " if struck else ""
    content = "(erased)" if engram.erased else first_line(engram.content, 200)
    return f"{mark}{short(engram.id)}  {when}  {engram.type:<12}  {content}"
