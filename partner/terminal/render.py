"""Results as text for people: briefings, reasons, engines, verdicts, the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.model import Decision, Verdict
from partner.names import moment, short, source
from partner.policy import question, refusal
from partner.terminal.lines import engram_line
from store.model import Engram

if TYPE_CHECKING:
    from partner.operations import Partner, Why

_HEADINGS = {
    "who": "Who you are and how you want things",
    "concluded": "What was concluded",
    "pursued": "What is pursued",
    "forbidden": "What is forbidden",
}


def state_text(state: dict[str, list[Engram]]) -> str:
    blocks = []
    for key, heading in _HEADINGS.items():
        lines = [f"  {engram_line(engram)}" for engram in state[key]] or ["  (nothing yet)"]
        blocks.append("\n".join([heading, *lines]))
    return "\n\n".join(blocks)


def why_text(why: Why) -> str:
    engram = why.engram
    lines = [f"{short(engram.id)}  {engram.type}: {'(erased)' if engram.erased else engram.content}"]
    said = "holds" if why.holds else "no longer holds"
    whose = "" if engram.metadata.get("speaker") == "partner" else f", written by {engram.author}"
    lines.append(f"  {said}; {source(engram)}, {moment(engram.created_at)}{whose}")
    if engram.provenance.evidence:
        lines.append(f"  in the words: “{engram.provenance.evidence}”")
    groups: list[tuple[str, Any]] = [
        ("because of", why.causes),
        ("replaced", why.replaced),
        ("replaced by", why.replaced_by),
        ("retracted by", (why.retracted_by,) if why.retracted_by else ()),
        ("contradicted by", why.contradicts),
        ("resting on", why.context),
    ]
    for title, engrams in groups:
        lines += [f"  {title}: {engram_line(item)}" for item in engrams]
    return "\n".join(lines)


def verdict_reasons(verdict: Verdict) -> str:
    """Everything about a verdict that an operator may ask for."""
    lines = [f"{verdict.decision}, at {verdict.head[:14]}, {verdict.micros:.0f} µs, no model asked"]
    for match in verdict.matches:
        lines.append(f"  rule {short(match.engram_id)}: “{match.sentence}”")
        lines.append(f"    act {match.act}, {match.truth}; the words: “{match.matched}”")
        if match.missing:
            lines.append(f"    not known: {', '.join(match.missing)}")
        if match.lifted_by:
            lines.append(f"    lifted by: {match.lifted_by}")
    return "\n".join([*lines, *([f"  {verdict.note}"] if verdict.note else [])])


def verdict_text(verdict: Verdict) -> str:
    if verdict.decision is Decision.ALLOW:
        touched = [f"(near your rule {short(m.engram_id)}: “{m.sentence}”)" for m in verdict.matches]
        return "\n".join(["Allowed.", *touched])
    if verdict.decision is Decision.ASK:
        return f"{question(verdict)}. Nobody can answer here, so it counts as refused."
    return refusal(verdict)


def brief_text(briefing: Any) -> str:
    return briefing.text()


def cost_text(partner: Partner) -> str:
    """What the engines were asked, ever, by their own count."""
    calls = partner.inference_calls()
    lines = [f"{calls} inference call{'' if calls == 1 else 's'}"]
    for total in partner.cost():
        unknown = f", {total.unknown} of unknown cost" if total.unknown else ""
        if failed := total.attempts - total.answered:
            unknown += f"; asked {failed} more time{'' if failed == 1 else 's'} without an answer"
        lines.append(
            f"{total.engine}: {total.answered} answer{'' if total.answered == 1 else 's'} "
            f"({total.cached} from the cache), "
            f"{total.tokens_in} tokens in, {total.tokens_out} out, ${total.cost_usd:.4f}{unknown}"
        )
    return "\n".join(lines)


def engines_text(partner: Partner) -> str:
    """The engines by name, the one in use marked, each with where it runs and how it is."""
    lines = []
    in_use = partner.engine_in_use()
    for name, kind, model, condition in partner.engine_rows():
        mark = "*" if name == in_use else " "
        lines.append(f"{mark} {name:<14} {kind:<12} {model:<28} {condition}")
    return "\n".join(lines)
