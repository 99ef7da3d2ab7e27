"""Tool calls in a turn: judged as the action they are, confirmed, run as judged, observed, never endless."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gate.model import ActionRequest, Decision, Verdict, request_hash
from partner.bootstrap import open_partner
from partner.events import EngineEvent, Notice, Problem, Replied, ToolRunning, ToolUsed, TurnEvent
from partner.operations import Partner
from partner.settings import Settings, parse_config
from partner.tools.builtin import READ_FILE
from partner.tools.executor import Unjudged, execute
from partner.tools.model import Bounds, Place
from partner.tools.toolbox import MAX_CALLS, Wish
from router.engines.llama_cpp import LlamaCppEngine
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities, Engine, Request, Role, Text, ToolCall
from store.model import Klass, ProvenanceKind

Opener = Callable[..., Partner]
EVERYTHING = dict.fromkeys(
    ("read_file", "list_folder", "write_file", "run_command", "http_get", "recall", "remember"), True
)


@pytest.fixture
def opened(tmp_path: Path, clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """A partner in `tmp_path/home`, its tools in `tmp_path/work`; everything on unless said."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    with ExitStack() as stack:

        def open_(*engines: Engine, confirm: object = True, **tools: object) -> Partner:
            settings = Settings(
                home=tmp_path / "home",
                models_dir=tmp_path / "models",
                store=str(tmp_path / "home" / "identity.partner"),
                config=parse_config({"tools": tools or EVERYTHING}),
            )
            named = {engine.name: engine for engine in engines}
            partner = stack.enter_context(open_partner(settings, clock=clock, engines=named))
            if partner.session.toolbox is not None and confirm is not None:
                partner.session.toolbox.confirm = confirm if callable(confirm) else lambda wish: bool(confirm)
            return partner

        yield open_


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(id=f"id-{name}", name=name, arguments=json.dumps(arguments))


def calling(*calls: ToolCall, then: str = "Done.", **options: object) -> ScriptedEngine:
    """An engine that makes these calls in one answer, and then says something."""
    return ScriptedEngine([*calls], then, **options)  # type: ignore[arg-type]


def used(events: list[TurnEvent]) -> list[tuple[str, str]]:
    return [(event.tool, event.outcome) for event in events if isinstance(event, ToolUsed)]


def reply_in(events: list[TurnEvent]) -> Replied:
    return next(event for event in events if isinstance(event, Replied))


def result_given(engine: ScriptedEngine) -> str:
    """What the engine was told of its last call."""
    return next(m.content for m in reversed(engine.requests[-1].messages) if m.role is Role.TOOL)


@pytest.mark.conforms("P19")
def test_a_call_is_run_observed_and_its_result_given_back(opened: Opener) -> None:
    Path("plan.txt").write_text("The ferry leaves at noon.")
    engine = calling(call("read_file", path="plan.txt"), then="At noon.")
    partner = opened(engine)
    events = list(partner.turn("When does the ferry leave?"))
    assert used(events) == [("read_file", "ran")]
    assert reply_in(events).text == "At noon."
    assert result_given(engine) == "The ferry leaves at noon."
    asked = engine.requests[-1].messages[-2]
    assert (asked.role, asked.tool_calls[0].name) == (Role.ASSISTANT, "read_file")
    observed = partner.store.current(klass=Klass.OBSERVATION)
    kept = next(e for e in observed if e.metadata.get("tool") == "read_file")
    assert "ferry leaves at noon" in kept.content
    assert kept.provenance.kind is ProvenanceKind.ACTION
    assert kept.author == "partner"
    assert kept.metadata["request_hash"].startswith("g1:")
    kept_reply = partner.store.read(reply_in(events).engram.id)
    assert kept_reply.metadata["calls"][0]["outcome"] == "ran"
    assert kept_reply.metadata["calls"][0]["result"] == kept.id


def test_no_tool_is_offered_or_run_unless_it_was_turned_on(opened: Opener) -> None:
    engine = calling(call("run_command", command="touch made"), call("read_file", path="x"))
    partner = opened(engine, recall=True)
    events = list(partner.turn("Do it?"))
    assert [spec.name for spec in engine.requests[0].tools] == ["recall"]
    assert used(events) == [("run_command", "unknown tool"), ("read_file", "unknown tool")]
    assert not Path("made").exists()


def test_without_any_tool_a_call_is_told_and_nothing_runs(opened: Opener) -> None:
    engine = calling(call("run_command", command="touch made"))
    partner = opened(engine, rounds=3)
    events = list(partner.turn("Do it?"))
    assert engine.requests[0].tools == ()
    assert used(events) == []
    assert any(isinstance(e, Problem) and "none is turned on" in e.message for e in events)
    assert not Path("made").exists()


@pytest.mark.conforms("P19")
@pytest.mark.parametrize(
    ("rule", "made"),
    [
        ("Never delete anything under {work}.", call("run_command", command="rm -rf ./old")),
        ("Never write to any file under {work}.", call("write_file", path="old/a.txt", content="x")),
        ("Never read files under {work}/old.", call("read_file", path="old/a.txt")),
        ("Never read files under {work}/old.", call("read_file", path="link/a.txt")),
        ("Never read files under {work}/old.", call("list_folder", path="{work}/old/../old")),
        ("Never contact example.com.", call("http_get", url="http://example.com/x")),
    ],
    ids=["shell", "file.write", "file.read", "through a link", "folder", "http"],
)
def test_a_call_is_refused_as_the_action_it_is_and_never_reaches_the_operator(
    opened: Opener, rule: str, made: ToolCall
) -> None:
    work = Path.cwd()
    (work / "old").mkdir()
    (work / "old" / "a.txt").write_text("kept")
    os.symlink("old", "link")
    asked: list[Wish] = []
    engine = calling(ToolCall(id="a", name=made.name, arguments=made.arguments.replace("{work}", str(work))))
    partner = opened(engine, confirm=lambda wish: asked.append(wish) or True)
    partner.forbid(rule.format(work=work))
    events = list(partner.turn("What would you do?"))
    assert used(events) == [(made.name, "refused")]
    refused = next(event for event in events if isinstance(event, ToolUsed))
    assert "Refused by your rule" in refused.says
    assert refused.verdict.decision is Decision.REFUSE
    assert asked == []
    assert (work / "old" / "a.txt").read_text() == "kept"
    assert result_given(engine).startswith("[refused] Refused by your rule")
    assert reply_in(events).text == "Done."


CHANGING = [
    call("run_command", command="echo hello > made"),
    call("write_file", path="made", content="hello"),
    call("remember", text="The lamp is blue."),
]


@pytest.mark.parametrize("made", CHANGING, ids=lambda made: made.name)
@pytest.mark.parametrize(("said", "outcome"), [(False, "declined"), (None, "unanswered")])
def test_what_changes_something_runs_only_with_a_yes(
    opened: Opener, made: ToolCall, said: bool | None, outcome: str
) -> None:
    engine = calling(made)
    partner = opened(engine, confirm=None if said is None else lambda wish: said)
    before = len(partner.store.current(klass=Klass.KNOWLEDGE))
    events = list(partner.turn("Do it?"))
    assert used(events) == [(made.name, outcome)]
    assert not any(isinstance(event, ToolRunning) for event in events)
    assert not Path("made").exists()
    assert len(partner.store.current(klass=Klass.KNOWLEDGE)) == before


@pytest.mark.parametrize("made", CHANGING, ids=lambda made: made.name)
def test_with_a_yes_it_is_done_once_and_the_operator_saw_what(opened: Opener, made: ToolCall) -> None:
    asked: list[Wish] = []
    partner = opened(calling(made), confirm=lambda wish: asked.append(wish) or True)
    events = list(partner.turn("Do it?"))
    assert used(events) == [(made.name, "ran")]
    shown = {"run_command": "echo hello > made", "write_file": "hello", "remember": "The lamp is blue."}
    assert [wish.tool for wish in asked] == [made.name]
    assert shown[made.name] in asked[0].says
    if made.name == "remember":
        note = next(e for e in partner.store.current(klass=Klass.KNOWLEDGE) if "lamp" in e.content)
        assert (note.provenance.kind, note.author) == (ProvenanceKind.INFERENCE, "partner")
    else:
        assert Path("made").read_text().strip() == "hello"


def test_a_wish_cannot_hide_what_it_does(opened: Opener) -> None:
    asked: list[Wish] = []
    hidden = "echo ok\r\x1b[2Kls \u202e; rm -r x"
    partner = opened(
        calling(call("run_command", command=hidden)), confirm=lambda wish: asked.append(wish) or False
    )
    list(partner.turn("Do it?"))
    assert asked[0].says == r"shell: echo ok\u000d\u001b[2Kls \u202e; rm -r x"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("{", "no JSON"),
        ("[1]", "no JSON object"),
        ("{}", "path is missing"),
        ('{"path": 7}', "no string"),
        ('{"path": "a", "mode": "w"}', "no argument mode"),
        ("[" * 100_000, "no JSON"),
        ('{"path": "a\\u0000b"}', "null"),
    ],
)
def test_arguments_that_are_no_call_are_told_and_the_turn_goes_on(
    opened: Opener, arguments: str, told: str
) -> None:
    engine = calling(ToolCall(id="a", name="read_file", arguments=arguments))
    events = list(opened(engine).turn("Read it?"))
    assert used(events)[0][1] in ("malformed", "refused")
    assert told in result_given(engine)
    assert reply_in(events).text == "Done."


def test_an_engine_that_never_stops_calling_is_stopped_and_said(opened: Opener) -> None:
    engine = ScriptedEngine([call("recall", query="x")])
    partner = opened(engine, recall=True, rounds=3)
    events = list(partner.turn("Look?"))
    assert used(events) == [("recall", "ran")] * 3
    assert [bool(request.tools) for request in engine.requests] == [True, True, True, False]
    assert any(isinstance(e, Problem) and "stopped after 3 rounds" in e.message for e in events)
    assert isinstance(events[-1], Replied)


def test_of_very_many_calls_in_one_answer_the_first_few_run(opened: Opener) -> None:
    engine = calling(*[ToolCall(id=str(n), name="recall", arguments='{"query": "x"}') for n in range(20)])
    outcomes = [outcome for _, outcome in used(list(opened(engine).turn("Look?")))]
    assert outcomes == ["ran"] * MAX_CALLS + ["too many"] * (20 - MAX_CALLS)
    assert sum(m.role is Role.TOOL for m in engine.requests[-1].messages) == 20  # every call is answered


def test_a_command_that_hangs_is_ended_with_all_it_started(opened: Opener) -> None:
    hanging = "sleep 3000 & echo $! > child; sleep 3000"
    engine = calling(call("run_command", command=hanging))
    events = list(opened(engine, run_command=True, timeout_s=1.5).turn("Do it?"))
    assert used(events) == [("run_command", "timed out")]
    assert "did not end within 1.5 s" in result_given(engine)
    child = Path("child")
    if child.exists() and child.read_text().strip():  # a loaded machine may not have come that far
        state = Path(f"/proc/{int(child.read_text())}/stat")
        assert not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_a_child_left_behind_does_not_hold_up_the_turn(opened: Opener) -> None:
    engine = calling(call("run_command", command="sleep 3000 & echo started"))
    events = list(opened(engine).turn("Do it?"))
    assert used(events) == [("run_command", "ran")]
    assert result_given(engine).strip() == "started"


def test_huge_output_is_cut_and_its_length_told(opened: Opener) -> None:
    engine = calling(call("run_command", command="yes word | head -c 3000000"))
    partner = opened(engine, run_command=True, output_chars=500)
    events = list(partner.turn("Do it?"))
    assert used(events) == [("run_command", "ran")]
    assert len(result_given(engine)) < 700
    assert "more" in result_given(engine)
    assert all(len(e.content) < 2_000 for e in partner.store.log())


def test_a_command_sees_no_key_and_no_passphrase(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARTNER_PASSPHRASE", "canary-word")
    monkeypatch.setenv("OPENAI_API_KEY", "canary-word")
    engine = calling(call("run_command", command="env"))
    list(opened(engine).turn("Do it?"))
    assert "PATH=" in result_given(engine)
    assert "canary" not in result_given(engine)


def test_a_secret_in_a_result_is_neither_stored_nor_sent(opened: Opener) -> None:
    secret = "sk-proj-" + "Ab3" * 14
    Path("keys.txt").write_text(f"The key is {secret}.")
    engine = calling(call("read_file", path="keys.txt"))
    partner = opened(engine)
    list(partner.turn("Read it?"))
    assert secret not in result_given(engine)
    assert all(secret not in engram.content for engram in partner.store.log())


def test_the_partners_own_files_are_closed_to_tools(opened: Opener, tmp_path: Path) -> None:
    engine = calling(call("read_file", path=str(tmp_path / "home" / "keys.json")))
    partner = opened(engine)
    (tmp_path / "home" / "keys.json").write_text('{"claude": "canary"}')
    assert used(list(partner.turn("Read it?"))) == [("read_file", "failed")]
    assert "canary" not in result_given(engine)


@pytest.mark.parametrize("path", ["missing.txt", "folder", "/dev/zero", "pipe"])
def test_what_is_no_file_is_told_and_does_not_hang(opened: Opener, path: str) -> None:
    os.mkdir("folder")
    os.mkfifo("pipe")
    events = list(opened(calling(call("read_file", path=path))).turn("Read it?"))
    assert used(events) == [("read_file", "failed")]


def test_a_file_goes_to_an_engine_elsewhere_only_with_a_yes(opened: Opener) -> None:
    Path("plan.txt").write_text("The ferry leaves at noon.")
    far = Capabilities(local=False, window=8192, tools=True)
    engine = calling(call("read_file", path="plan.txt"), capabilities=far)
    assert used(list(opened(engine, confirm=None).turn("Read it?"))) == [("read_file", "unanswered")]


def test_a_redirect_is_told_and_not_followed_and_offline_fetches_nothing(opened: Opener) -> None:
    place = Place(cwd="/", home="/", offline=True)
    from partner.tools.builtin import HTTP_GET
    from partner.tools.model import ToolFailed

    with pytest.raises(ToolFailed, match="offline mode"):
        HTTP_GET.run({"url": "http://127.0.0.1:9/"}, place, Bounds())


@pytest.mark.conforms("P19")
def test_the_executor_takes_only_a_verdict_bound_to_the_very_action(tmp_path: Path) -> None:
    at = datetime(2026, 3, 4, tzinfo=UTC)
    (tmp_path / "a").write_text("a")
    place = Place(cwd=str(tmp_path), home=str(tmp_path))

    def action(name: str) -> ActionRequest:
        kind, arguments = READ_FILE.action({"path": name}, place)
        return ActionRequest(kind=kind, args=arguments, at=at)

    def verdict(of: ActionRequest, decision: Decision = Decision.ALLOW) -> Verdict:
        return Verdict(decision=decision, request_hash=request_hash(of), head="")

    judged = action("a")
    assert execute(READ_FILE, judged, verdict(judged), place, Bounds()) == "a"
    for wrong in (
        verdict(action("b")),
        verdict(judged, Decision.ASK),
        verdict(judged, Decision.REFUSE),
        Verdict(decision=Decision.ALLOW, request_hash="g1:unhashable", head=""),
    ):
        with pytest.raises(Unjudged):
            execute(READ_FILE, judged, wrong, place, Bounds())


def test_a_path_that_leads_elsewhere_since_it_was_judged_is_not_opened(tmp_path: Path) -> None:
    place = Place(cwd=str(tmp_path), home=str(tmp_path))
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text(name)
    (tmp_path / "link").symlink_to("good")
    kind, arguments = READ_FILE.action({"path": "link/a"}, place)
    judged = ActionRequest(kind=kind, args=arguments, at=datetime(2026, 3, 4, tzinfo=UTC))
    allowed = Verdict(decision=Decision.ALLOW, request_hash=request_hash(judged), head="")
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("bad")
    from partner.tools.model import ToolFailed

    with pytest.raises(ToolFailed, match="leads elsewhere"):
        execute(READ_FILE, judged, allowed, place, Bounds())


def test_ctrl_c_in_a_running_tool_ends_it_and_keeps_what_was_said(opened: Opener) -> None:
    class Breaking:
        """Ctrl-C arrives while a tool runs, and only then."""

        def __init__(self) -> None:
            self.on = False

        def armed(self):
            from contextlib import contextmanager

            @contextmanager
            def inside():
                if self.on:
                    raise KeyboardInterrupt
                yield

            return inside()

    breaking = Breaking()
    partner = opened(ScriptedEngine(["Let me see. ", call("read_file", path="x")]))
    partner.session.interrupts = breaking
    events = []
    for event in partner.turn("Read it?"):
        events.append(event)
        breaking.on = breaking.on or isinstance(event, ToolRunning)
    assert (reply_in(events).text.strip(), reply_in(events).partial) == ("Let me see.", True)


def test_an_engine_without_tools_answers_without_them(opened: Opener) -> None:
    plain = ScriptedEngine("From memory.", name="plain", capabilities=Capabilities(local=True, window=8192))
    partner = opened(plain)
    events = list(partner.turn("Well?"))
    assert plain.requests[0].tools == ()
    assert reply_in(events).engine == "plain"


def test_when_the_engine_with_tools_fails_one_without_them_takes_over(opened: Opener) -> None:
    from router.errors import EngineFailed

    failing = ScriptedEngine([EngineFailed("out of order")], name="able")
    plain = ScriptedEngine("From memory.", name="plain", capabilities=Capabilities(local=True, window=8192))
    events = list(opened(failing, plain).turn("Well?"))
    assert reply_in(events).text == "From memory."
    assert plain.requests[0].tools == ()
    notice = next(event for event in events if isinstance(event, Notice))
    assert "plain answered instead of able" in notice.message


def test_what_a_tool_returns_is_in_no_later_prompt_as_the_operators_words(opened: Opener) -> None:
    Path("plan.txt").write_text("We decided to sell the house.")
    partner = opened(calling(call("read_file", path="plan.txt")))
    list(partner.turn("Read it?"))
    assert partner.store.current(klass=Klass.CONCLUSION) == []


class Forced(LlamaCppEngine):
    """The small model under a grammar that leaves it only the choice of the file; then as it likes."""

    GRAMMAR = (
        'root ::= "<tool_call>" call "</tool_call>"\n'
        'call ::= "{\\"name\\": \\"read_file\\", \\"arguments\\": {\\"path\\": \\"" file "\\"}}"\n'
        'file ::= "ferry.txt" | "lamp.txt"'
    )

    def stream(self, request: Request):
        from dataclasses import replace

        if request.messages[-1].role is not Role.TOOL:
            request = replace(request, extra={"grammar": self.GRAMMAR})
        return super().stream(replace(request, max_tokens=60))


@pytest.mark.conforms("P19")
def test_the_small_model_itself_calls_a_tool_under_a_grammar(opened: Opener, models_dir: Path) -> None:
    for name in ("ferry", "lamp"):
        Path(f"{name}.txt").write_text(f"The {name} is blue.")
    path = models_dir / "SmolLM2-135M-Instruct.Q4_1.gguf"
    partner = opened(Forced(path, name="small", notes_in_user=False), read_file=True)
    events = list(partner.turn("What colour is the ferry?"))
    assert used(events) == [("read_file", "ran")]
    assert "is blue." in next(e for e in events if isinstance(e, ToolUsed)).says
    assert any(isinstance(e, EngineEvent) and isinstance(e.event, Text) for e in events)
    assert reply_in(events).engine == "small"


def test_the_partner_is_the_author_of_its_words_and_the_operator_of_theirs(opened: Opener) -> None:
    partner = opened(ScriptedEngine("Hello.", name="voice"), recall=True)
    list(partner.turn("Good morning?"))
    theirs, own = [e for e in partner.store.log() if e.metadata.get("speaker")]
    assert (theirs.author, theirs.metadata["speaker"]) == ("operator", "operator")
    assert (own.author, own.metadata["engine"]) == ("partner", "voice")
    assert partner.store.verify(full=True).ok
