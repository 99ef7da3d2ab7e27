"""The gate alone: a request in words, or an action as JSON, against the rules in force."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from partner.cli.app import app
from partner.cli.chat import Words, words_or_stdin
from partner.cli.run import AtOption, Run, command, complain
from partner.errors import Exit, UsageError
from store.model import Klass

if TYPE_CHECKING:
    from partner.bootstrap import Partner

RULES_SHOWN = 12  # of those that a request did not meet


@command(app, "check")
def check(
    run: Run,
    words: Words = None,
    action: Annotated[
        str | None,
        typer.Option(
            "--action",
            help='Judge an action: {"kind": "shell", "args": {"command": "..."}}',
            show_default=False,
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add what the gate understood of each rule.")
    ] = False,
    at: AtOption = None,
) -> None:
    """Judge a request against the rules. Exits 0 (allowed), 3 (refused) or 7 (the gate asks)."""
    when = run.moment(at)
    if action is not None and words:
        raise UsageError("Give words or --action, not both.")
    text = None if action is not None else words_or_stdin(words)
    with run.existing(by_meaning=False) as partner:
        from gate.model import Decision
        from partner.terminal.render import verdict_text

        request = text if text is not None else _action(action or "", when or partner.clock())
        verdict = partner.check(request, at=when)
        codes = {Decision.ALLOW: Exit.DONE, Decision.REFUSE: Exit.REFUSED, Decision.ASK: Exit.ASKED}
        run.exit = codes[verdict.decision]
        understood = {}
        if explain:
            understood = {
                m.engram_id: partner.explain_rule(partner.store.read(m.engram_id)) for m in verdict.matches
            }
        idle = partner.idle_rules()
        for line in idle:
            complain(line)
        lines = [verdict_text(verdict), *(f"  {said}" for said in understood.values())]
        if explain:
            lines += [f"  near: {m.bindings['near']}" for m in verdict.matches if m.bindings.get("near")]
            lines += [] if verdict.matches else _looked_at(partner)
        data = {"verdict": verdict, "exit": int(run.exit), "understood": understood, "idle_rules": idle}
        run.show(data, "\n".join(lines))


def _looked_at(partner: Partner) -> list[str]:
    """The rules that none of the words met, the newest first, each with what it would have refused."""
    rules = partner.store.current(klass=Klass.PROHIBITION)
    if not rules:
        return ["  No rule is in force."]
    shown = [f"  not met: {rule.content}  ({partner.explain_rule(rule)})" for rule in rules[:RULES_SHOWN]]
    more = len(rules) - len(shown)
    return [*shown, *([f"  and {more} more: partner rules"] if more else [])]


def _action(text: str, at: Any) -> Any:
    from gate.actions import read_action
    from gate.errors import BadAction
    from gate.model import ActionRequest, Facts

    try:
        body = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--action is not JSON: {error}") from error
    if (
        not isinstance(body, dict)
        or not isinstance(body.get("kind"), str)
        or not isinstance(body.get("args"), dict)
    ):
        raise UsageError('--action needs a kind and args, as in {"kind": "shell", "args": {"command": "ls"}}')
    request = ActionRequest(kind=body["kind"], args=body["args"], at=at)
    try:
        read_action(request, Facts())  # what is malformed is the caller's mistake, not a refusal
    except BadAction as error:
        raise UsageError(f"--action: {error}") from error
    return request
