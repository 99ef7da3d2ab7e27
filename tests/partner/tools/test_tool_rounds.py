"""Tool calls in a turn: observed, given back, never endless; an engine that knows none takes over."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import Opener, call, calling, reply_in, result_given, used

from partner.events import EngineEvent, Notice, Problem, Replied, ToolRunning, ToolUsed
from partner.tools.toolbox import MAX_CALLS
from router.engines.llama_cpp import LlamaCppEngine
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities, Request, Role, Text, ToolCall
from store.model import Klass, ProvenanceKind


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
