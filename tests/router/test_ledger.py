"""Every attempt is written down, and what it says can be added up."""

from __future__ import annotations

import stat
import threading
from datetime import UTC, datetime

import pytest
from asking import ask
from fake_provider import error, said

from router import Cache, Capabilities, Ledger, Usage
from router.engines.none import NoneEngine
from router.engines.openai_http import OpenAIHttpEngine
from router.engines.scripted import ScriptedEngine
from router.ledger import LedgerUnavailable
from router.selection import Preference, Rules


def record(ledger: Ledger, **fields) -> None:
    ledger.record(**{"engine": "e", "model": "m", "local": False, "outcome": "ok", "ms": 5.0, **fields})


def test_a_failed_attempt_and_the_one_that_answered_are_both_there(provider, route, ledger):
    bad, good = provider(error(500, "broken")), provider(said("Hello"))
    router = route(
        OpenAIHttpEngine(bad.url, "m", name="bad"),
        OpenAIHttpEngine(good.url, "m", name="good", prices=(1.0, 2.0)),
    )
    list(router.stream(ask("Hi")))
    first, second = ledger.attempts()
    assert (first.engine, first.outcome, first.tokens_out) == ("bad", "server", None)
    assert "broken" in first.detail
    assert (second.engine, second.outcome, second.tokens_in, second.tokens_out) == ("good", "ok", 7, 3)
    assert second.first_token_ms is not None
    assert second.first_token_ms <= second.ms
    assert ledger.inference_calls() == 2


def test_cost_is_what_the_prices_say_nothing_for_this_machine_and_unknown_without_prices(ledger):
    record(ledger, cost_usd=0.25, engine="priced")
    record(ledger, cost_usd=None, engine="unpriced")
    record(ledger, cost_usd=0.0, engine="here", local=True)
    totals = {total.engine: total for total in ledger.totals()}
    assert totals["priced"].cost_usd == 0.25
    assert (totals["unpriced"].cost_usd, totals["unpriced"].unknown) == (0, 1)
    assert totals["here"].unknown == 0


def test_a_budget_counts_the_day_and_the_month_in_the_operator_s_time(clock, ledger):
    record(ledger, cost_usd=1.0)
    clock.set(datetime(2026, 3, 9, 12, 0, tzinfo=UTC))
    record(ledger, cost_usd=0.5)
    assert (ledger.spent(), ledger.spent(month=True)) == (0.5, 1.5)
    clock.set(datetime(2026, 4, 1, 12, 0, tzinfo=UTC))
    assert (ledger.spent(), ledger.spent(month=True)) == (0, 0)


def test_a_spent_budget_turns_to_this_machine(provider, route, ledger):
    server = provider(said("far"))
    far = OpenAIHttpEngine(server.url, "m", name="far")
    far._capabilities = far.capabilities().__class__(local=False, window=8192)
    router = route(far, ScriptedEngine("near"), rules=Rules(day_budget_usd=1.0))
    assert router.plan(ask("Hi")).names[0] == "far"
    record(ledger, cost_usd=1.0)
    assert router.plan(ask("Hi")).names[0] == "scripted"
    assert "budget" in router.why("Hi")


def test_latency_is_the_median_of_the_last_answers_and_can_decide(route, ledger):
    for ms in (900, 20, 30, 25):
        record(ledger, engine="quick", first_token_ms=float(ms))
        record(ledger, engine="slow", first_token_ms=float(ms) * 10)
    assert ledger.latency_ms("quick") == 30
    assert ledger.latency_ms("never asked") is None
    router = route(
        ScriptedEngine("a", name="slow"),
        ScriptedEngine("b", name="quick"),
        rules=Rules(prefer=Preference.LATENCY),
    )
    assert router.plan(ask("Hi")).names == ("quick", "slow")


@pytest.mark.conforms("P5")
def test_memory_alone_is_no_inference(route, ledger):
    list(route(NoneEngine()).stream(ask("Hi")))
    assert ledger.attempts() == []
    assert ledger.inference_calls() == 0


def test_an_answer_from_the_cache_is_no_inference(route, ledger, tmp_path):
    router = route(ScriptedEngine("Hello."), cache=Cache(tmp_path / "cache"))
    for _ in range(3):
        list(router.stream(ask("Hi")))
    assert ledger.inference_calls() == 1


def test_the_file_survives_and_is_the_operator_s_alone(tmp_path, clock):
    path = tmp_path / "ledger.sqlite"
    for _ in range(2):
        ledger = Ledger(path, clock=clock)
        record(ledger)
        ledger.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    ledger = Ledger(path, clock=clock)
    assert [attempt.number for attempt in ledger.attempts()] == [1, 2]
    ledger.close()


def test_two_ledgers_on_one_file_and_many_threads_lose_nothing(tmp_path, clock):
    ledgers = [Ledger(tmp_path / "ledger.sqlite", clock=clock) for _ in range(2)]
    threads = [
        threading.Thread(target=lambda ledger=ledger: [record(ledger) for _ in range(50)])
        for ledger in ledgers * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ledgers[0].attempts()) == 300
    for ledger in ledgers:
        ledger.close()


def test_a_ledger_that_cannot_be_written_does_not_cost_the_answer(tmp_path, clock, route):
    from router import End, Router

    broken = Ledger(tmp_path / "missing" / "ledger.sqlite", clock=clock)
    with pytest.raises(LedgerUnavailable, match=r"ledger.sqlite cannot be used"):
        broken.attempts()
    router = Router({"scripted": ScriptedEngine("Hello.")}, order=["scripted"], ledger=broken)
    assert list(router.stream(ask("Hi")))[-1] == End(reason="stop")
    assert "cannot be used" in router.ledger_error


def test_many_ledgers_may_make_the_same_new_file_at_once(tmp_path, clock):
    for number in range(20):
        ledgers = [Ledger(tmp_path / f"{number}.sqlite", clock=clock) for _ in range(6)]
        start = threading.Barrier(len(ledgers))

        def first(ledger: Ledger, start: threading.Barrier = start) -> None:
            start.wait()
            record(ledger)

        threads = [threading.Thread(target=first, args=(ledger,)) for ledger in ledgers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(ledgers[0].attempts()) == len(ledgers)
        for ledger in ledgers:
            ledger.close()


def test_the_cheapest_comes_first_by_what_it_really_cost_where_no_price_is_configured(route, ledger):
    dear, cheap = (
        ScriptedEngine(
            ["Hello.", Usage(tokens_in=500, tokens_out=500, cost_usd=cost)],
            name=name,
            capabilities=Capabilities(local=False, window=8192),
        )
        for name, cost in (("dear", 0.02), ("cheap", 0.001))
    )
    unknown = ScriptedEngine("Hello.", name="unknown", capabilities=Capabilities(local=False, window=8192))
    router = route(unknown, dear, cheap, rules=Rules(prefer=Preference.COST))
    for name in ("dear", "cheap"):
        list(router.stream(ask("Hi"), pin=name, only=True))
    assert ledger.price_usd("dear") == pytest.approx(20.0)
    assert ledger.price_usd("unknown") is None
    assert router.plan(ask("Hi")).names == ("cheap", "dear", "unknown")
    assert "$1.00 a million tokens" in router.why("Hi")
