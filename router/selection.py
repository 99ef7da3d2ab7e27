"""Which engines may answer a request, and in what order. Pure: no call is made here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from router.model import Capabilities, Request

Asked = Request | Callable[[str], Request]  # one request for all engines, or made for each by its name
MOST_CHARS_A_TOKEN = 8  # no tokenizer packs ordinary text tighter: beyond this it certainly does not fit


class Preference(StrEnum):
    """How engines that may answer are ordered."""

    ORDER = "order"  # as configured
    COST = "cost"  # cheapest first, by configured price
    LATENCY = "latency"  # quickest to the first token first, by the ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the operator wants of the choice.

    `stay_local` are tags of a context (classes and types of engrams, or names the operator gave) with which
    it may not leave the machine. Budgets are US dollars; they stop engines that are not local, nothing else.
    """

    offline: bool = False
    local_only: bool = False
    stay_local: frozenset[str] = frozenset()
    prefer: Preference = Preference.ORDER
    day_budget_usd: float | None = None
    month_budget_usd: float | None = None
    keep_sampled: bool = False  # cache answers that were sampled, too


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An engine as the choice sees it: `unusable` says why it cannot be had, `open_reason` why not now."""

    name: str
    capabilities: Capabilities | None
    unusable: str = ""
    open_reason: str = ""
    last_resort: bool = True
    latency_ms: float | None = None
    price_usd: float | None = None  # a million tokens in and out, None unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Names in the order they are tried, and those left out with the reason for each."""

    names: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    reasons: dict[str, str]

    def explain(self) -> str:
        """A line an engine, in words."""
        lines = [f"{place}. {name}: {self.reasons[name]}" for place, name in enumerate(self.names, start=1)]
        return "\n".join([*lines, *(f"-  {skip.name}: {skip.reason}" for skip in self.skipped)])


def request_for(asked: Asked, name: str) -> Request:
    """What the engine of that name is asked."""
    return asked if isinstance(asked, Request) else asked(name)


def choose(
    asked: Asked,
    candidates: Sequence[Candidate],
    rules: Rules,
    *,
    pin: str | None = None,
    allow: Callable[[str, Capabilities], bool] | None = None,
    spent_day_usd: float = 0.0,
    spent_month_usd: float = 0.0,
) -> Plan:
    """Rules first, then health, then the operator's pin and preference, then the configured order.

    Each engine is judged by the request that it would get: a context made for another one may hold more.
    Engines whose breaker is open come after all healthy ones, where that is allowed at all; one without
    language comes last.
    """
    over = _over_budget(rules, spent_day_usd, spent_month_usd)
    skipped: list[Skipped] = []
    usable: list[Candidate] = []
    for candidate in candidates:
        reason = candidate.unusable or _refusal(asked, candidate, rules, over)
        capabilities = candidate.capabilities
        if not reason and capabilities and allow and not allow(candidate.name, capabilities):
            reason = "a prohibition forbids it for this request"
        if not reason and candidate.open_reason and not candidate.last_resort:
            reason = candidate.open_reason
        if reason:
            skipped.append(Skipped(name=candidate.name, reason=reason))
        else:
            usable.append(candidate)
    places = {candidate.name: place for place, candidate in enumerate(candidates)}
    usable.sort(key=lambda candidate: (*_rank(candidate, rules, pin), places[candidate.name]))
    return Plan(
        names=tuple(candidate.name for candidate in usable),
        skipped=tuple(skipped),
        reasons={candidate.name: _reason(candidate, rules, pin) for candidate in usable},
    )


def _refusal(asked: Asked, candidate: Candidate, rules: Rules, over_budget: str) -> str:
    """Why the rules leave an engine out; empty where they do not."""
    capabilities = candidate.capabilities
    if capabilities is None:
        return "it cannot be reached"
    if not capabilities.language:
        return ""
    if not capabilities.local:
        if rules.offline:
            return "skipped: offline mode, and it is not on this machine"
        if rules.local_only:
            return "the rules allow local engines only"
    request = request_for(asked, candidate.name)
    if not capabilities.local:
        if private := sorted(request.tags & rules.stay_local):
            return f"the context holds what may not leave this machine: {', '.join(private)}"
        if over_budget:
            return over_budget
    if request.tools and not capabilities.tools:
        return "it cannot call tools"
    if request.schema is not None and not capabilities.schema:
        return "it cannot answer by a schema"
    images = any(part.is_image for message in request.messages for part in message.attachments)
    if images and not capabilities.vision:
        return "it cannot see images"
    newest = len(request.messages[-1].content) if request.messages else 0
    if newest > capabilities.window * MOST_CHARS_A_TOKEN:
        return f"its window of {capabilities.window} tokens cannot hold the request"
    return ""


def _over_budget(rules: Rules, day: float, month: float) -> str:
    if rules.day_budget_usd is not None and day >= rules.day_budget_usd:
        return f"today's budget of ${rules.day_budget_usd:.2f} is spent"
    if rules.month_budget_usd is not None and month >= rules.month_budget_usd:
        return f"this month's budget of ${rules.month_budget_usd:.2f} is spent"
    return ""


def _rank(candidate: Candidate, rules: Rules, pin: str | None) -> tuple[int, int, int, float]:
    assert candidate.capabilities is not None
    worth = 0.0
    if rules.prefer is Preference.COST:
        price = 0.0 if candidate.capabilities.local else candidate.price_usd
        worth = price if price is not None else float("inf")
    elif rules.prefer is Preference.LATENCY:
        worth = candidate.latency_ms if candidate.latency_ms is not None else float("inf")
    return (
        int(candidate.name != pin and not candidate.capabilities.language),
        int(bool(candidate.open_reason)),
        int(candidate.name != pin),
        worth,
    )


def _reason(candidate: Candidate, rules: Rules, pin: str | None) -> str:
    parts = ["you chose it"] if candidate.name == pin else []
    capabilities = candidate.capabilities
    assert capabilities is not None
    if not capabilities.language:
        return ", ".join([*parts, "answers from memory without a model"])
    parts.append("on this machine" if capabilities.local else "hosted")
    if rules.prefer is Preference.LATENCY and candidate.latency_ms is not None:
        parts.append(f"first token in {candidate.latency_ms:.0f} ms")
    if rules.prefer is Preference.COST and candidate.price_usd is not None:
        parts.append(f"${candidate.price_usd:.2f} a million tokens")
    if candidate.open_reason:
        parts.append(f"only as a last resort: {candidate.open_reason}")
    return ", ".join(parts)
