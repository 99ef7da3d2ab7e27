"""The table of a turn: closed, reachable, and drawn from itself."""

from __future__ import annotations

import pytest

from partner.turn import TRANSITIONS, EventKind, Machine, State, diagram


def test_every_state_can_be_reached_and_leads_back_to_idle() -> None:
    onward = {state: {t for (s, _), t in TRANSITIONS.items() if s is state} for state in State}

    def reach(start: State) -> set[State]:
        seen, front = {start}, {start}
        while front:
            front = set().union(*(onward[s] for s in front)) - seen
            seen |= front
        return seen

    assert reach(State.IDLE) == set(State)
    assert all(State.IDLE in reach(state) for state in State)


def test_every_event_is_used() -> None:
    assert {event for _, event in TRANSITIONS} == set(EventKind)


def test_a_refusal_never_passes_a_state_in_which_an_engine_is_asked() -> None:
    path, state = [], State.REFUSING
    while state is not State.IDLE:
        path.append(state)
        following = {t for (s, _), t in TRANSITIONS.items() if s is state}
        assert len(following) == 1
        state = following.pop()
    assert not {State.ROUTING, State.STREAMING, State.GATHERING} & set(path)


def test_an_event_out_of_place_is_a_programming_error() -> None:
    with pytest.raises(AssertionError, match="idle"):
        Machine().on(EventKind.ENDED)


def test_the_diagram_has_a_line_for_every_transition() -> None:
    drawn = diagram()
    assert drawn.startswith("stateDiagram-v2")
    for (state, event), target in TRANSITIONS.items():
        assert f"{state} --> {target}: {event}\n" in drawn
