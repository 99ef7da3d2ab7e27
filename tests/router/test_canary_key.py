"""The key of a hosted engine through every failure at once: it reaches the provider and nothing else."""

from __future__ import annotations

import logging
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_provider import DONE, RESET, STALL, FakeProvider, Reply, delta, error, event, finish

from partner.bootstrap import open_partner
from partner.events import Problem, Replied
from partner.settings import Settings, parse_config
from router.keys import Keys

# like no key that a pattern would know: only the exact replacement can catch it
CANARY = "canary/9f3c77ab_12de-omega"
FAILURES = {
    "k401": error(401, f"Incorrect API key provided: {CANARY}"),
    "k402": error(402, f"no credit left for {CANARY}"),
    "k403": error(403, f"{CANARY} may not do this"),
    "k429": error(429, f"slow down, {CANARY}", Retry_After="7"),
    "k500": error(500, f"unhandled: Authorization: Bearer {CANARY}"),
    "cut": error(500, "x" * 290 + CANARY),  # where the sentence is shortened
    "plain": Reply([f"denied for {CANARY}".encode()], status=400, content_type="text/plain"),
    "overflow": error(400, f"maximum context length is 10 for {CANARY}"),
    "page": Reply([f"<html>{CANARY}</html>".encode()], content_type="text/html"),
    "redirect": Reply([], status=302, headers={"Location": f"http://127.0.0.1/?key={CANARY}"}),
    "empty": Reply([event({"choices": [], "note": CANARY}), DONE]),
    "reset": Reply([RESET]),
    "cut_off": Reply([delta("One ")]),
    "error_event": Reply([delta("One "), event({"error": {"message": f"key {CANARY} is spent"}})]),
    "error_text": Reply([event({"error": f"key {CANARY} is spent"})]),
    "bad_json": Reply([f"data: {{{CANARY}\n\n".encode()]),
    "stall": Reply([STALL]),
    "wrong_model": error(404, f"no model for {CANARY}"),
    "filtered": Reply([finish("content_filter"), DONE]),
}
KINDS = {
    "openai_http": {"base_url": "{url}", "model": "m"},
    "hosted": {"api_base": "{url}", "model": "openai/m"},
}


@pytest.mark.conforms("P13")
@pytest.mark.parametrize("kind", KINDS)
def test_no_failure_shows_the_key(
    kind: str,
    tmp_path: Path,
    clock,
    provider: Callable[..., FakeProvider],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """One message walks through all of them, an engine each, until memory answers."""
    caplog.set_level(logging.DEBUG)
    servers = {name: provider(reply) for name, reply in FAILURES.items()}
    engines = {
        name: {
            "kind": kind,
            "key": "remote",
            # a stall is told in time; everything else is waited for as long as a loaded machine takes
            "first_token_s": 1.0 if name == "stall" else 100.0,
            **{field: value.format(url=server.url) for field, value in KINDS[kind].items()},
        }
        for name, server in servers.items()
    }
    settings = Settings(
        home=tmp_path,
        models_dir=tmp_path / "models",
        store=str(tmp_path / "identity.partner"),
        config=parse_config({"engines": engines, "router": {"order": [*engines, "none"]}}),
    )
    keys = tmp_path / "keys.json"
    Keys(keys, environment={}, keyring=None).set("remote", CANARY + "\n")
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600

    with open_partner(settings, clock=clock) as partner:
        events = list(partner.turn("Who owns the schema?"))
        told = [repr(events), repr(partner.engine_rows()), partner.router.why("Hi"), repr(partner.cost())]
        attempts = partner.ledger.attempts(limit=100)
        told += [repr(attempts), *(repr(engram) for engram in partner.store.log())]
    assert [event.engine for event in events if isinstance(event, Replied)] == [None]
    assert any(isinstance(event, Problem) and event.no_engine for event in events)
    local = {attempt.engine: attempt.outcome for attempt in attempts}
    assert set(local) - {"local"} == set(FAILURES)
    assert "ok" not in local.values()
    for name, server in servers.items():
        if not (kind == "hosted" and name == "redirect"):  # litellm follows it
            assert len(server.all_arrived(1)) == 1, name
        assert server.arrived[0].headers["authorization"] == f"Bearer {CANARY}"

    told += [caplog.text, *capfd.readouterr()]
    assert not [text for text in told if CANARY in text or CANARY[:10] in text]
    for path in tmp_path.rglob("*"):
        if path.is_file() and path != keys:
            assert CANARY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_key_file_that_others_can_read_is_not_used_and_its_key_is_not_told(
    tmp_path: Path, mode: int
) -> None:
    from router.errors import EngineFailed

    keys = Keys(tmp_path / "keys.json", environment={}, keyring=None)
    keys.set("remote", CANARY)
    (tmp_path / "keys.json").chmod(mode)
    with pytest.raises(EngineFailed, match="chmod 600") as caught:
        keys.get("remote")
    assert CANARY not in repr(caught.value)


def test_a_keyring_that_fails_leaves_the_key_in_the_file_of_its_owner(tmp_path: Path) -> None:
    class Locked:
        def get_password(self, service: str, name: str) -> str:
            raise RuntimeError("locked")

        def set_password(self, service: str, name: str, value: str) -> None:
            raise RuntimeError("locked")

    keys = Keys(tmp_path / "keys.json", environment={}, keyring=Locked())
    assert keys.set("remote", f" {CANARY}\n") == str(tmp_path / "keys.json")
    assert keys.get("remote") == CANARY
    assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600
