"""A tool call is judged as the action it is, confirmed, and run as judged or not at all."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from calling import Opener, call, calling, reply_in, result_given, used

from gate.model import ActionRequest, Decision, Verdict, request_hash
from partner.events import Problem, ToolRunning, ToolUsed
from partner.tools.builtin import READ_FILE
from partner.tools.executor import Unjudged, execute
from partner.tools.model import Bounds, Place
from partner.tools.toolbox import Wish
from router.model import Capabilities, ToolCall
from store.model import Klass, ProvenanceKind


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


def test_a_file_goes_to_an_engine_elsewhere_only_with_a_yes(opened: Opener) -> None:
    Path("plan.txt").write_text("The ferry leaves at noon.")
    far = Capabilities(local=False, window=8192, tools=True)
    engine = calling(call("read_file", path="plan.txt"), capabilities=far)
    assert used(list(opened(engine, confirm=None).turn("Read it?"))) == [("read_file", "unanswered")]


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
