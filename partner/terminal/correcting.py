"""After a rule is written in a terminal: the operator sees what was understood and may correct it at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gate.errors import GateError
from partner import rules
from partner.errors import PartnerError
from store.errors import StoreError

if TYPE_CHECKING:
    from partner.operations import Partner

HINT = (
    "  Enter if this is right · also NAME (another name) · means REQUEST · not REQUEST · say RULE (in other"
    " words) · drop"
)


def correct(partner: Partner, ref: str, ask: Callable[[], str | None], write: Callable[[str], None]) -> None:
    """Take corrections until the operator is content. `ask` gives a line, None where there is no more."""
    write(HINT)
    while line := (ask() or "").strip():
        word, _, rest = line.partition(" ")
        try:
            ref = _one(partner, ref, word.casefold(), rest.strip(), write)
        except (PartnerError, GateError, StoreError) as error:
            write(f"! {error}")
        if not ref:
            return


def _one(partner: Partner, ref: str, word: str, rest: str, write: Callable[[str], None]) -> str:
    """One correction. Returns the id of the rule that holds afterwards, '' when none does."""
    match word:
        case "also" if rest:
            rules.add_name(partner, ref, rest)
        case "means" | "not" if rest:
            rules.add_meaning(partner, ref, rest, means=word == "means")
        case "say" if rest:
            ref = partner.supersede(ref, rest).id
        case "drop":
            partner.store.retract(ref, reason="not what was meant")
            write("- dropped; it no longer holds.")
            return ""
        case _:
            write(HINT)
            return ref
    write(rules.text(rules.view(partner, ref)))
    return ref
