"""Plays memory scripts through the whole partner and dies by SIGKILL after a step: `python crash_child.py`.

Reads JSON lines from standard input, each {script, cuts}; for every cut, and for None (nothing happens),
prints one JSON line with the state that is left. Each life is forked, so that imports are paid for once,
and so is what is loaded at the first use of a language: the script is played beforehand, without a fork.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.memory import Clock, PartnerPlayer
from partner.bootstrap import open_partner
from partner.settings import Config, ContextSettings, Settings
from store import open_store
from store.model import Engram

_OF_A_LIFE = frozenset({"session", "context"})  # what names this process or entries by their random ids


def live(home: Path, script: dict[str, Any], begin: int, end: int, *, narrow: bool, die: bool) -> None:
    """Steps `begin` to `end` in a process of their own; its last act is to be killed, if it is to die."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert killed if die else status == 0, status
        return
    steps(home, script, begin, end, narrow=narrow, die=die)
    os._exit(0)


def steps(home: Path, script: dict[str, Any], begin: int, end: int, *, narrow: bool, die: bool) -> None:
    clock = Clock()
    config = Config(context=ContextSettings(budget_tokens=128, last_turns=0) if narrow else ContextSettings())
    settings = Settings(
        home=home, models_dir=home / "m", store=str(home / "s.partner"), config=config, engine="none"
    )
    with open_partner(settings, clock=clock, engine_free=True) as partner:
        on = PartnerPlayer(partner, clock)
        for number, step in enumerate(script["steps"]):
            at = clock.set(step.get("at"))
            if begin <= number < end:
                act(on, step, at)
        if die:
            os.kill(os.getpid(), signal.SIGKILL)


def act(on: PartnerPlayer, step: dict[str, Any], at: datetime) -> None:
    if "operator" in step:
        on.operator(step["operator"], at)
    elif "partner" in step:
        on.partner(step["partner"])
    elif "tool" in step:
        on.tool(step["tool"], step["result"], at)
    else:
        on.document(step["document"], step["text"], at)


def state(home: Path) -> list[Any]:
    """Every engram with what became of it, without what differs from one life to the next: the ids."""
    clock = Clock()
    with open_store(str(home / "s.partner"), clock=clock, author="operator") as store:
        engrams = list(store.log())
        at = {engram.id: number for number, engram in enumerate(engrams)}
        return [[*described(e, at), store.status(e.id).holds] for e in engrams]


def described(engram: Engram, at: dict[str, int]) -> list[Any]:
    """An engram without ids; its time to the minute: a script's clock ticks with every look at it."""
    links = sorted(f"{link.relation} {at[link.target]}" for link in engram.links)
    metadata = {k: v for k, v in engram.metadata.items() if k not in _OF_A_LIFE}
    if verdict := metadata.get("verdict"):  # its rules by where they stand; hashes are made from ids
        metadata["verdict"] = {"decision": verdict["decision"], "rules": [at[i] for i in verdict["rules"]]}
    plain = json.loads(json.dumps(metadata, sort_keys=True, default=str))
    return [str(engram.type), engram.content, str(engram.created_at)[:16], links, plain]


def main() -> None:
    for line in sys.stdin:
        task = json.loads(line)
        script, count = task["script"], len(task["script"]["steps"])
        with tempfile.TemporaryDirectory() as folder:
            steps(Path(folder), script, 0, count, narrow=False, die=False)
        for cut in task["cuts"]:
            with tempfile.TemporaryDirectory() as folder:
                home, narrow = Path(folder), cut == "narrow"
                if isinstance(cut, int):
                    live(home, script, 0, cut, narrow=False, die=True)
                begin = cut if isinstance(cut, int) else 0
                live(home, script, begin, count, narrow=narrow, die=False)
                sys.stdout.write(json.dumps([script["id"], cut, state(home)]) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
