"""Every way to an engine or a tool leads past the gate: each call in the source, and each way walked."""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from surroundings import ROOT, Program

from gate.model import ActionRequest, Verdict
from partner.bootstrap import open_partner
from partner.events import Refused, ToolUsed, TurnEvent
from partner.operations import Partner
from partner.settings import Config, FormationSettings, Settings, parse_config
from partner.tools.executor import Unjudged
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities, Engine, Request, ToolCall

FRIDAY = datetime.fromisoformat("2026-03-06T10:15:00+01:00")
FORBIDDEN = "Deploy the new build now."
Opener = Callable[..., Partner]

# Where the source asks an engine or runs a tool, and nowhere else. A new place belongs here once it asks
# the gate first.
ROUTER_CALLS = {
    ("partner/speaking.py", "self._router.stream"),
    ("partner/proposing.py", "self._router.stream"),
    ("partner/cli/engines.py", "partner.router.test"),
}
ENGINE_CALLS = {("router/routing.py", "engine.stream")}
TOOL_CALLS = {("partner/tools/executor.py", "tool.run"), ("partner/tools/toolbox.py", "execute")}
OUTWARD = {"partner/tools/running.py", "partner/tools/builtin.py"}  # both run behind `execute` alone
WIRES = {"subprocess", "socket", "httpx", "ctypes", "urllib.request", "http.client", "asyncio", "litellm"}


def sources(package: str) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def calls(package: str) -> Iterator[tuple[str, str, ast.Call]]:
    for name, tree in sources(package):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield name, ast.unparse(node.func), node


@pytest.mark.conforms("P5")
def test_an_engine_is_asked_in_three_places_of_the_partner_and_each_asks_the_gate_first() -> None:
    asking = [
        (name, called, call)
        for name, called, call in calls("partner")
        if called.rpartition(".")[2] in ("stream", "test") and not called.startswith("httpx.")
    ]
    assert {(name, called) for name, called, _ in asking} == ROUTER_CALLS
    for name, called, call in asking:
        allow = next((word.value for word in call.keywords if word.arg == "allow"), None)
        assert isinstance(allow, ast.Name), f"{name}: {called} without the gate's word"
    asked = {(name, called) for name, called, _ in calls("router") if called.endswith("engine.stream")}
    assert asked == ENGINE_CALLS


@pytest.mark.conforms("P5")
def test_a_tool_runs_in_one_place_and_nothing_else_of_the_partner_reaches_out() -> None:
    ran = {
        (name, called)
        for name, called, _ in calls("partner")
        if called == "tool.run" or called.rpartition(".")[2] == "execute"
    }
    assert ran == TOOL_CALLS
    reaching = set()
    for name, tree in sources("partner"):
        for node in ast.walk(tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if WIRES.intersection(modules):
                reaching.add(name)
    assert reaching == OUTWARD


class Untouchable(ScriptedEngine):
    """Raises when it is asked. `far`: it would run elsewhere."""

    def __init__(self, name: str = "local", *, far: bool = False) -> None:
        super().__init__(
            "never", name=name, capabilities=Capabilities(local=not far, window=8192, schema=True)
        )
        self.asked = 0

    def stream(self, request: Request):
        self.asked += 1
        raise AssertionError("no engine may be asked this")


@pytest.fixture
def opened(tmp_path: Path, clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:

        def open_(engine: Engine, config: Config | None = None) -> Partner:
            settings = Settings(
                home=tmp_path / "home",
                models_dir=tmp_path / "models",
                store=str(tmp_path / "home" / "identity.partner"),
                config=config or parse_config({}),
            )
            return stack.enter_context(open_partner(settings, clock=clock, engines={engine.name: engine}))

        yield open_


def refused(events: list[TurnEvent]) -> bool:
    return any(isinstance(event, Refused) for event in events)


@pytest.mark.conforms("P5")
def test_a_forbidden_message_reaches_no_engine_whether_typed_pinned_or_with_a_file(
    opened: Opener, tmp_path: Path
) -> None:
    engine = Untouchable()
    partner = opened(engine)
    partner.forbid("Never deploy on Fridays.")
    assert refused(list(partner.turn(FORBIDDEN, at=FRIDAY)))
    assert refused(list(partner.turn(FORBIDDEN, at=FRIDAY, engine="local")))
    (tmp_path / "plan.txt").write_text("Build 7.")
    partner.attach(tmp_path / "plan.txt")
    assert refused(list(partner.turn(FORBIDDEN, at=FRIDAY)))
    assert engine.asked == 0


@pytest.mark.conforms("P5")
def test_an_engine_elsewhere_that_a_rule_bans_is_not_asked_in_a_turn_a_file_or_to_propose(
    opened: Opener, tmp_path: Path
) -> None:
    engine = Untouchable(far=True)
    forming = Config(formation=FormationSettings.model_validate({"accept": "inbox", "engine": "local"}))
    partner = opened(engine, forming)
    partner.forbid("Never send anything to a hosted model.")
    list(partner.turn("Lena paints the shop sign in May, for 310 euros."))
    (tmp_path / "plan.txt").write_text("The ferry leaves at noon.")
    partner.attach(tmp_path / "plan.txt")
    list(partner.turn("When does the ferry leave?"))
    assert engine.asked == 0
    assert partner.inference_calls() == 0


@pytest.mark.conforms("P5")
@pytest.mark.parametrize("fault", ["raises", "stalls"])
def test_where_the_gate_itself_fails_or_does_not_end_nothing_is_asked_and_nothing_runs(
    opened: Opener, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> Verdict:
        if fault == "raises":
            raise RuntimeError("inside the gate")
        time.sleep(30)
        raise AssertionError("nobody waits so long")

    monkeypatch.setattr("partner.policy.gate", broken)
    engine = Untouchable()
    partner = opened(engine)
    partner.policy._limit_s = 0.2
    assert refused(list(partner.turn("When does the ferry leave?")))
    assert not partner.check(ActionRequest(kind="shell", args={"command": "ls"}, at=FRIDAY)).allowed
    assert engine.asked == 0


@pytest.mark.conforms("P5")
@pytest.mark.parametrize("place", ["gate.verdict.read", "gate.verdict.prepare", "gate.verdict._decide"])
def test_a_fault_anywhere_inside_the_gate_refuses(
    opened: Opener, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> None:
        raise RuntimeError("inside the gate")

    engine = Untouchable()
    partner = opened(engine)
    partner.forbid("Never deploy on Fridays.")
    monkeypatch.setattr(place, broken)
    assert refused(list(partner.turn("When does the ferry leave?")))
    assert engine.asked == 0


@pytest.mark.conforms("P5")
def test_a_verdict_is_of_no_use_for_anything_but_what_was_judged(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("plan.txt").write_text("The ferry leaves at noon.")
    reading = ToolCall(id="a", name="read_file", arguments=json.dumps({"path": "plan.txt"}))
    partner = opened(
        ScriptedEngine([reading], "Done.", name="local"), parse_config({"tools": {"read_file": True}})
    )
    check = partner.policy.check_action

    def of_another(request: ActionRequest, **more: Any) -> Verdict:
        if request.kind == "file.read":
            request = replace(request, args={"path": "elsewhere.txt"})
        return check(request, **more)

    monkeypatch.setattr(partner.policy, "check_action", of_another)
    with pytest.raises(Unjudged):
        list(partner.turn("When does the ferry leave?"))


@pytest.mark.conforms("P5")
def test_a_rule_holds_from_the_moment_it_is_given(opened: Opener) -> None:
    engine = ScriptedEngine("Understood.", "Understood.", name="local")
    partner = opened(engine)
    assert not refused(list(partner.turn(FORBIDDEN, at=FRIDAY)))
    partner.forbid("Never deploy on Fridays.")
    assert refused(list(partner.turn(FORBIDDEN, at=FRIDAY)))
    assert len(engine.requests) == 1


@pytest.mark.conforms("P5")
def test_an_engine_is_sent_the_very_words_that_the_gate_judged_round_after_round(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("plan.txt").write_text("The ferry leaves at noon.")
    reading = ToolCall(id="a", name="read_file", arguments=json.dumps({"path": "plan.txt"}))
    engine = ScriptedEngine("Noted.", [reading], "At noon.", name="local")
    partner = opened(engine, parse_config({"tools": {"read_file": True}}))
    judged: list[str] = []
    check = partner.policy.check_action

    def listening(request: ActionRequest, **more: Any) -> Verdict:
        if request.kind == "model.call":
            judged.append(str(request.args["prompt"]))
        return check(request, **more)

    monkeypatch.setattr(partner.policy, "check_action", listening)
    toolbox = partner.session.toolbox
    assert toolbox is not None
    toolbox.confirm = lambda wish: True
    list(partner.turn("The ferry is called Stella."))
    events = list(partner.turn("When does the ferry leave?"))
    assert [event.outcome for event in events if isinstance(event, ToolUsed)] == ["ran"]
    sent = ["\n".join([r.notes, *(m.content for m in r.messages)]) for r in engine.requests]
    assert len(sent) == 3
    assert "Stella" in engine.requests[-1].notes
    assert set(sent) <= set(judged)


@pytest.mark.conforms("P5")
def test_an_engine_that_proposes_is_sent_the_very_words_that_the_gate_judged(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = ScriptedEngine(
        *(['{"claims": []}'] * 4),
        name="local",
        capabilities=Capabilities(local=True, window=8192, schema=True),
    )
    forming = Config(formation=FormationSettings.model_validate({"accept": "inbox", "engine": "local"}))
    partner = opened(engine, forming)
    judged: list[str] = []
    check = partner.policy.check_action

    def listening(request: ActionRequest, **more: Any) -> Verdict:
        judged.append(str(request.args.get("prompt", "")))
        return check(request, **more)

    monkeypatch.setattr(partner.policy, "check_action", listening)
    list(partner.turn("Lena paints the shop sign in May, for 310 euros."))
    list(partner.turn("The ferry leaves at noon."))
    sent = ["\n".join(m.content for m in r.messages) for r in engine.requests if r.schema is not None]
    assert sent
    assert set(sent) <= set(judged)


@pytest.mark.conforms("P5")
def test_the_program_asks_no_engine_what_a_rule_forbids_not_even_to_test_it(
    program: Program, program_env: dict[str, str], tmp_path: Path
) -> None:
    asked = tmp_path / "asked"
    home = Path(program_env["PARTNER_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(
        f'[engines.own]\nkind = "command"\nargv = ["/usr/bin/touch", "{asked}"]\n'
    )
    program("engines", "test", "own")
    assert asked.exists()  # so the way is open where no rule closes it
    asked.unlink()
    assert program("forbid", "Never use a model.").returncode == 0
    assert program("forbid", "Never deploy.").returncode == 0
    harmless = "Write a limerick about ferries."
    for words in (("ask", FORBIDDEN), ("ask", harmless, "--engine", "own"), ("engines", "test", "own")):
        program(*words)
        assert not asked.exists(), words
    program("chat", "--engine", "own", stdin=f"{FORBIDDEN}\n{harmless}\n")
    assert not asked.exists()
