"""Health: closed, open until a time, half-open with one probe, locked."""

from __future__ import annotations

import pytest

from router.breaker import FIRST_PAUSE_S, LONGEST_PAUSE_S, THRESHOLD, Breakers
from router.errors import EngineFailed, FailureKind


@pytest.fixture
def now() -> list[float]:
    return [1000.0]


@pytest.fixture
def breakers(now) -> Breakers:
    return Breakers(lambda: now[0])


def fail(breakers: Breakers, kind: FailureKind, retry_after_s: float | None = None, key: str = "a") -> None:
    breakers.enter(key)
    breakers.failure(key, EngineFailed("out of order", kind=kind, retry_after_s=retry_after_s))


def test_it_opens_after_failures_in_a_row_and_tells_why_and_for_how_long(breakers):
    for _ in range(THRESHOLD - 1):
        fail(breakers, FailureKind.SERVER)
        assert breakers.closed_reason("a") == ""
    fail(breakers, FailureKind.SERVER)
    assert breakers.closed_reason("a") == "out of order; tried again in 10 s"


def test_a_success_between_failures_keeps_it_closed(breakers):
    for _ in range(THRESHOLD * 2):
        fail(breakers, FailureKind.SERVER)
        breakers.success("a")
    assert breakers.closed_reason("a") == ""


def test_half_open_lets_one_probe_through(breakers, now):
    for _ in range(THRESHOLD):
        fail(breakers, FailureKind.CONNECT)
    now[0] += FIRST_PAUSE_S
    assert breakers.closed_reason("a") == ""
    assert breakers.enter("a")
    assert "being tried" in breakers.closed_reason("a")
    assert not breakers.enter("a")
    breakers.success("a")
    assert breakers.closed_reason("a") == ""


def test_a_failed_probe_opens_it_for_twice_as_long_up_to_a_limit(breakers, now):
    for _ in range(THRESHOLD):
        fail(breakers, FailureKind.CONNECT)
    for opening in range(1, 12):
        now[0] += LONGEST_PAUSE_S
        fail(breakers, FailureKind.CONNECT)
        pause_s = min(FIRST_PAUSE_S * 2**opening, LONGEST_PAUSE_S)
        assert breakers.closed_reason("a").endswith(f"tried again in {pause_s:.0f} s")


def test_a_cancelled_probe_leaves_the_next_one_free(breakers, now):
    for _ in range(THRESHOLD):
        fail(breakers, FailureKind.CONNECT)
    now[0] += FIRST_PAUSE_S
    breakers.enter("a")
    breakers.cancelled("a")
    assert breakers.closed_reason("a") == ""


def test_the_latest_retry_after_wins_also_when_it_is_sooner(breakers, now):
    fail(breakers, FailureKind.RATE, retry_after_s=60)
    fail(breakers, FailureKind.RATE, retry_after_s=5)
    now[0] += 5
    assert breakers.closed_reason("a") == ""


@pytest.mark.parametrize("kind", [FailureKind.OVERFLOW, FailureKind.REFUSED])
def test_a_request_that_was_at_fault_itself_says_nothing_of_the_endpoint(breakers, kind):
    for _ in range(THRESHOLD * 3):
        fail(breakers, kind)
    assert breakers.closed_reason("a") == ""


def test_a_refused_key_locks_it_until_the_configuration_changes(breakers, now):
    fail(breakers, FailureKind.AUTH)
    now[0] += 1e9
    assert "until its configuration changes" in breakers.closed_reason("a")
    assert not breakers.last_resort("a")
    breakers.reset("a")
    assert breakers.closed_reason("a") == ""


def test_one_endpoint_s_health_is_not_another_s(breakers):
    for _ in range(THRESHOLD):
        fail(breakers, FailureKind.SERVER)
    assert breakers.closed_reason("b") == ""
