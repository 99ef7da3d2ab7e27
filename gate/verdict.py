"""The one choke point: a request, facts and a snapshot in, a verdict out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from time import perf_counter

from gate.constraint import COMPILER_VERSION
from gate.language.lexicon import lexicon_version
from gate.language.normalise import MAX_CHARS, NORMALISER_VERSION
from gate.language.reading import Reading, read
from gate.match.literal import literal_matches, may_hold_literals
from gate.match.pieces import pieces
from gate.match.text import match_text, stronger
from gate.match.view import prepare
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


def gate(request: Request, facts: Facts, snapshot: Snapshot) -> Verdict:
    """Judge a request. Never raises: what goes wrong inside is a refusal that says so.

    Pure but for the stopwatch in `micros`: the same arguments give the same verdict on every machine.
    """
    started = perf_counter()
    try:
        matches, note = _evaluate(request, facts, snapshot)
        decision = _decide(request, matches, note)
    except Exception as error:  # noqa: BLE001  fail closed, whatever it is: an unjudged request must not pass
        matches, note = (), f"the gate failed on this request: {type(error).__name__}: {error}"
        decision = Decision.REFUSE
    missing = sorted({name for match in matches for name in match.missing})
    return Verdict(
        decision=decision,
        request_hash=_hash(request),
        head=snapshot.head,
        matches=matches,
        facts_missing=tuple(missing),
        normaliser_version=NORMALISER_VERSION,
        compiler_version=COMPILER_VERSION,
        lexicon_version=lexicon_version(),
        micros=(perf_counter() - started) * 1e6,
        note=note,
    )


def _hash(request: Request) -> str:
    try:
        return request_hash(request)
    except (ValueError, TypeError, AttributeError):
        return "g1:unhashable"  # bound to nothing: no executor accepts it


def _decide(request: Request, matches: tuple[Match, ...], note: str) -> Decision:
    if note or any(match.truth is Truth.TRUE for match in matches):
        return Decision.REFUSE
    if isinstance(request, ActionRequest) and any(not match.act.startswith(INSTRUCTED) for match in matches):
        return Decision.REFUSE  # on an action, unknown is a refusal that names what is missing
    return Decision.ASK if matches else Decision.ALLOW


def _evaluate(request: Request, facts: Facts, snapshot: Snapshot) -> tuple[tuple[Match, ...], str]:
    if isinstance(request, TextRequest):
        return _text(request, facts, snapshot)
    return _action(request, facts, snapshot)


def _text(request: TextRequest, facts: Facts, snapshot: Snapshot) -> tuple[tuple[Match, ...], str]:
    if len(request.text) > MAX_CHARS:
        return (), f"longer than {MAX_CHARS:,} characters: not read, so not allowed"
    if not snapshot.size:
        return (), ""
    strongest: dict[str, Match] = {}
    for offset, piece in pieces(request.text):
        part = request if piece == request.text else TextRequest(text=piece, at=request.at)
        reading = read(piece)
        for match in chain(_judge(part, reading, facts, snapshot), _literals(part, reading, facts, snapshot)):
            known = strongest.get(match.engram_id)
            moved = _moved(match, offset)
            strongest[match.engram_id] = moved if known is None else stronger(known, moved)
    return tuple(sorted(strongest.values(), key=_by_rule)), ""


def _literals(request: TextRequest, reading: Reading, facts: Facts, snapshot: Snapshot) -> list[Match]:
    return literal_matches(request, reading, facts, snapshot) if may_hold_literals(request.text) else []


def _judge(request: TextRequest, reading: Reading, facts: Facts, snapshot: Snapshot) -> Iterator[Match]:
    view = prepare(reading, request, facts)
    if view.regions:
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


def _action(request: ActionRequest, facts: Facts, snapshot: Snapshot) -> tuple[tuple[Match, ...], str]:
    from gate.actions import read_action
    from gate.match.action import match_frames

    frames = read_action(request, facts)
    near = snapshot.action_index.candidates(frames, facts)
    found = [match_frames(snapshot.rule(at), frames, request, facts) for at in near if at < snapshot.size]
    matches = sorted((match for match in found if match is not None), key=_by_rule)
    note = ""
    for frame in frames:  # what another agent is told to do is judged as if it were said here
        if frame.act == "instruct" and frame.text:
            told, problem = _text(TextRequest(text=frame.text, at=request.at), facts, snapshot)
            matches += [replace(match, act=INSTRUCTED + match.act) for match in told]
            note = note or problem
    return tuple(matches), note
