"""The rules as the gate understood them, correcting that, and the approvals in force."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from partner.cli.app import app
from partner.cli.chat import Words, words_or_stdin
from partner.cli.groups import listing_group
from partner.cli.run import AtOption, Run, command
from partner.errors import UsageError

if TYPE_CHECKING:
    from partner.bootstrap import Partner

group, shows = listing_group("rules", "The rules: list, show, alias, means, not, data, forget.")
RuleRef = Annotated[str, typer.Argument(metavar="ID", help="The rule's id, or its end.")]


@command(group, "list")
def list_(run: Run) -> None:
    """Every rule in force: what it refuses, when, unless what, and what you corrected."""
    with run.existing() as partner:
        from partner import rules

        found = rules.views(partner)
        lines = [rules.text(item) for item in found]
        run.show({"rules": found}, "\n".join(lines) or "Nothing is forbidden. To forbid: partner forbid TEXT")


shows(list_)


@command(group, "show")
def show(run: Run, ref: RuleRef) -> None:
    """One rule."""
    with run.existing() as partner:
        from partner import rules

        found = rules.view(partner, ref)
        run.show(found, rules.text(found))


@command(group, "alias")
def alias(run: Run, ref: RuleRef, words: Words = None) -> None:
    """Say by what other name the thing goes that the rule is about."""
    from partner import rules

    text = words_or_stdin(words)
    _corrected(run, ref, lambda partner: rules.add_name(partner, ref, text))


@command(group, "means")
def means(run: Run, ref: RuleRef, words: Words = None) -> None:
    """Say a request that the rule means: it is refused from now on."""
    from partner import rules

    text = words_or_stdin(words)
    _corrected(run, ref, lambda partner: rules.add_meaning(partner, ref, text, means=True))


@command(group, "not")
def not_(run: Run, ref: RuleRef, words: Words = None) -> None:
    """Say a request that the rule does not mean: it is not asked about again."""
    from partner import rules

    text = words_or_stdin(words)
    _corrected(run, ref, lambda partner: rules.add_meaning(partner, ref, text, means=False))


@command(group, "data")
def data(run: Run, ref: RuleRef, words: Words = None) -> None:
    """Give the constraint as JSON, in place of what was understood (gate/SEMANTICS.md)."""
    text = words_or_stdin(words)
    try:
        given = json.loads(text)
    except ValueError as error:
        raise UsageError(f"This is not JSON: {error}") from error
    from partner import rules

    _corrected(run, ref, lambda partner: rules.give_data(partner, ref, given))


@command(group, "forget")
def forget(
    run: Run, ref: Annotated[str, typer.Argument(metavar="ID", help="The correction's id, or its end.")]
) -> None:
    """Take a correction back."""
    with run.partner(engine_free=True) as partner:
        from partner import rules
        from partner.names import short

        taken = rules.forget(partner, ref)
        run.show(taken, f"- {short(taken.id)} {taken.content}")


def _corrected(run: Run, ref: str, correct: Callable[[Partner], object]) -> None:
    """Correct a rule, and show it as it is understood now."""
    with run.partner(engine_free=True) as partner:
        from partner import rules

        correct(partner)
        found = rules.view(partner, ref)
        run.show(found, rules.text(found))


@command(app, "approvals")
def approvals(run: Run, at: AtOption = None) -> None:
    """The permissions on record, and which are in force. One is taken back with: partner retract ID"""
    when = run.moment(at)
    with run.existing() as partner:
        from partner import rules

        found = rules.approvals(partner, at=when or partner.clock())
        lines = [rules.approval_text(item, lasting) for item, lasting in found]
        rows = [{"approval": item, "in_force": lasting} for item, lasting in found]
        run.show({"approvals": rows}, "\n".join(lines) or "Nothing is approved.")
