"""Files that go with a message, and engines that are named: what is sent where, and what is said of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from surroundings import Program

from partner.bootstrap import open_partner
from partner.events import Notice, Problem, Replied
from partner.operations import Partner
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine
from router.errors import BadRequest, EngineFailed
from router.model import Capabilities, Engine

FAR = Capabilities(local=False, window=8192)
Opener = Callable[..., Partner]


@pytest.fixture
def opened(tmp_path: Path, clock) -> Iterator[Opener]:
    with ExitStack() as stack:

        def open_(*engines: Engine) -> Partner:
            home = tmp_path / "home"
            settings = Settings(home=home, models_dir=home / "models", store=str(home / "identity.partner"))
            named = {engine.name: engine for engine in engines}
            return stack.enter_context(open_partner(settings, clock=clock, engines=named))

        yield open_


def notices(events: list) -> str:
    return "\n".join(event.message for event in events if isinstance(event, Notice))


@pytest.mark.conforms("P12")
def test_the_bytes_read_when_attached_are_the_bytes_sent_and_their_hash_is_kept(
    opened: Opener, tmp_path: Path
) -> None:
    path, engine = tmp_path / "plan.txt", ScriptedEngine("Read.")
    path.write_text("ship on monday")
    partner = opened(engine)
    partner.attach(path)
    path.write_text("ship on friday")  # after it was read: not what was attached
    list(partner.turn("What does the plan say?"))
    sent = engine.requests[0].messages[-1].attachments
    assert [(part.name, part.data) for part in sent] == [("plan.txt", b"ship on monday")]
    kept = next(e for e in partner.store.log() if e.metadata.get("attachments"))
    assert kept.metadata["attachments"][0]["sha256"] == hashlib.sha256(b"ship on monday").hexdigest()
    assert all("ship on" not in e.content for e in partner.store.log())
    list(partner.turn("And now?"))
    assert engine.requests[1].messages[-1].attachments == ()


@pytest.mark.conforms("P12")
def test_a_file_rewritten_under_the_same_length_and_time_is_asked_again(
    opened: Opener, tmp_path: Path
) -> None:
    path, engine = tmp_path / "plan.txt", ScriptedEngine("One.", "Two.")
    partner = opened(engine)
    said = []
    for text in ("ship on monday", "ship on friday"):
        path.write_text(text)
        os.utime(path, ns=(1, 1))
        partner.attach(path)
        said.append(list(partner.turn("What does the plan say?", engine="scripted")))
    replies = [next(e.text for e in events if isinstance(e, Replied)) for events in said]
    assert replies == ["One.", "Two."]


def test_it_is_said_when_a_file_leaves_the_machine_and_not_when_it_stays(
    opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "plan.txt"
    path.write_text("ship on monday")
    for capabilities, told in ((FAR, "plan.txt (14 bytes) leaves this machine: it goes to one."), (None, "")):
        partner = opened(ScriptedEngine("Read.", name="one", capabilities=capabilities))
        partner.attach(path)
        assert notices(list(partner.turn(f"What does it say to {told}?"))) == told


@pytest.mark.conforms("P19")
def test_what_a_file_says_is_part_of_what_a_rule_on_hosted_models_judges(
    opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("This is client data of Meyer: he owes us 300 euros.")
    far, near = ScriptedEngine("Far.", name="far", capabilities=FAR), ScriptedEngine("Near.", name="near")
    partner = opened(far, near)
    partner.forbid("Never send client data to a hosted model.")
    partner.attach(path)
    list(partner.turn("Sum this up, will you?"))
    assert far.requests == []


def test_what_is_no_file_is_refused_and_nothing_is_attached(opened: Opener, tmp_path: Path) -> None:
    engine = ScriptedEngine("Read.")
    partner = opened(engine)
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(BadRequest):
            partner.attach(path)
    list(partner.turn("Well?"))
    assert engine.requests[0].messages[-1].attachments == ()


def test_another_engine_than_the_wanted_one_is_named_with_the_reason(opened: Opener) -> None:
    partner = opened(
        ScriptedEngine([EngineFailed("out of order")], name="a"), ScriptedEngine("Hello.", name="b")
    )
    events = list(partner.turn("Well?", engine="a"))
    assert notices(events) == "b answered instead of a (a: out of order)."


def test_with_only_no_other_engine_answers(opened: Opener) -> None:
    other = ScriptedEngine("Hello.", name="b")
    partner = opened(ScriptedEngine([EngineFailed("out of order")], name="a"), other)
    partner.session.only = True
    events = list(partner.turn("Well?", engine="a"))
    assert other.requests == []
    assert any(isinstance(e, Problem) and "out of order" in e.message and e.no_engine for e in events)
    assert next(e for e in events if isinstance(e, Replied)).engine is None  # memory answers


CONFIG = """
[router]
order = ["sees", "none"]
[engines.sees]
kind = "command"
argv = [{python!r}, "-c", "import sys; print('I read:', sys.stdin.read()[-400:])"]
[engines.broken]
kind = "command"
argv = ["no-such-program"]
"""


def test_the_command_line_attaches_and_names_engines(program: Program, home: Path, tmp_path: Path) -> None:
    import sys

    home.mkdir()
    (home / "config.toml").write_text(CONFIG.format(python=sys.executable))
    (tmp_path / "plan.txt").write_text("ship on monday")
    done = program("ask", "What does it say?", "--attach", "plan.txt")
    assert done.returncode == 0, done.stderr
    assert "ship on monday" in done.stdout
    assert "plan.txt (14 bytes) leaves this machine: it goes to sees." in done.stderr
    piped = program("chat", stdin="/attach plan.txt\nWhat does it say?\n/attach nowhere.txt\n")
    assert "plan.txt goes with your next message: 14 bytes" in piped.stdout
    assert "ship on monday" in piped.stdout
    assert "cannot be read: No such file" in piped.stdout
    other = program("ask", "Well?", "--engine", "broken")
    assert "sees answered instead of broken" in other.stderr
    alone = program("ask", "Well?", "--engine", "broken", "--only")
    assert alone.returncode == 5
    assert program("ask", "Well?", "--only").returncode == 2
    missing = program("ask", "Well?", "--attach", "nowhere.txt")
    assert missing.returncode == 2
    assert "cannot be read" in missing.stderr
