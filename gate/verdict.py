"""The one choke point: a request, facts and a snapshot in, a verdict out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from time import perf_counter

from gate.constraint import COMPILER_VERSION
from gate.language.manifest import lexicon_version
from gate.language.normalise import MAX_CHARS, NORMALISER_VERSION
from gate.language.reading import read
from gate.match.approvals import in_force
from gate.match.literal import literal_matches, may_hold_literals
from gate.match.pieces import pieces
from gate.match.signs import asking_regions
from gate.match.text import match_text, stronger
from gate.match.view import TextView, prepare
from gate.model import (
    ActionRequest,
    Decision,
    Facts,
    Match,
    Request,
    TextRequest,
    Truth,
    Verdict,
    request_hash,
)
from gate.snapshot import Snapshot

INSTRUCTED = "instruct:"


@dataclass(slots=True)
class _Found:
    """What an evaluation gathers: matches, ids of the approvals that lifted a rule, why it could not read."""

    matches: list[Match] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    note: str = ""


def gate(request: Request, facts: Facts, snapshot: Snapshot) -> Verdict:
    """Judge a request. Never raises: what goes wrong inside is a refusal that says so.

    Pure but for the stopwatch in `micros`: the same arguments give the same verdict on every machine.
    """
    started = perf_counter()
    version = ""
    try:
        version = lexicon_version()
        found = _evaluate(request, facts, snapshot)
        decision = _decide(request, found.matches, found.note)
    except Exception as error:  # noqa: BLE001  fail closed, whatever it is: an unjudged request must not pass
        found = _Found(note=f"the gate failed on this request: {type(error).__name__}: {error}")
        decision = Decision.REFUSE
    missing = sorted({name for match in found.matches for name in match.missing})
    return Verdict(
        decision=decision,
        request_hash=_hash(request),
        head=snapshot.head,
        matches=tuple(found.matches),
        facts_used=tuple(f"approval:{approval}" for approval in sorted(found.used)),
        facts_missing=tuple(missing),
        normaliser_version=NORMALISER_VERSION,
        compiler_version=COMPILER_VERSION,
        lexicon_version=version,
        micros=(perf_counter() - started) * 1e6,
        note=found.note,
    )


def _hash(request: Request) -> str:
    try:
        return request_hash(request)
    except (ValueError, TypeError, AttributeError):
        return "g1:unhashable"  # bound to nothing: no executor accepts it


def _decide(request: Request, matches: Sequence[Match], note: str) -> Decision:
    if note or any(match.truth is Truth.TRUE for match in matches):
        return Decision.REFUSE
    if isinstance(request, ActionRequest) and any(not match.act.startswith(INSTRUCTED) for match in matches):
        return Decision.REFUSE  # on an action, unknown is a refusal that names what is missing
    return Decision.ASK if matches else Decision.ALLOW


def _evaluate(request: Request, facts: Facts, snapshot: Snapshot) -> _Found:
    found = _Found()
    current = in_force(facts, request.at)
    if isinstance(request, TextRequest):
        found.note = _text(request, current, snapshot, found)
        found.matches.sort(key=_by_rule)
    else:
        _action(request, current, snapshot, found)
    return found


def _text(request: TextRequest, facts: Facts, snapshot: Snapshot, found: _Found) -> str:
    """Add what the rules say of a text; returns why it was not read, or nothing."""
    if len(request.text) > MAX_CHARS:
        return f"longer than {MAX_CHARS:,} characters: not read, so not allowed"
    if not snapshot.size:
        return ""
    strongest: dict[str, Match] = {}
    for offset, piece in pieces(request.text):
        part = request if piece == request.text else TextRequest(text=piece, at=request.at)
        reading = read(piece)
        view = prepare(reading, part, facts)
        literals = literal_matches(part, reading, facts, snapshot) if may_hold_literals(piece) else ()
        for match in chain(literals, _judge(view, snapshot)):
            known = strongest.get(match.engram_id)
            moved = _moved(match, offset)
            strongest[match.engram_id] = moved if known is None else stronger(known, moved)
        found.used |= view.used
    found.matches += strongest.values()
    return ""


def _judge(view: TextView, snapshot: Snapshot) -> Iterator[Match]:
    if asking_regions(view) or snapshot.text_index.learned:
        for at in snapshot.text_index.candidates(view, snapshot.size):
            match = match_text(snapshot.rule(at), view)
            if match is not None:
                yield match


def _moved(match: Match, offset: int) -> Match:
    if not offset or match.span is None:
        return match
    return replace(match, span=(match.span[0] + offset, match.span[1] + offset))


def _by_rule(match: Match) -> str:
    return match.engram_id


def _action(request: ActionRequest, facts: Facts, snapshot: Snapshot, found: _Found) -> None:
    from gate.actions import read_action
    from gate.match.action import match_frames

    frames = read_action(request, facts)
    for at in snapshot.action_index.candidates(frames, facts):
        if at < snapshot.size:
            match = match_frames(snapshot.rule(at), frames, request, facts, found.used)
            if match is not None:
                found.matches.append(match)
    found.matches.sort(key=_by_rule)
    for frame in frames:  # what another agent is told to do is judged as if it were said here
        if frame.act == "instruct" and frame.text:
            told = _Found()
            problem = _text(TextRequest(text=frame.text, at=request.at), facts, snapshot, told)
            told.matches.sort(key=_by_rule)
            found.matches += [replace(match, act=INSTRUCTED + match.act) for match in told.matches]
            found.used |= told.used
            found.note = found.note or problem
