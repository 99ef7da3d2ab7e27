"""What the gate understood of a rule, in plain words: shown when it is written, to be corrected."""

from __future__ import annotations

import tomllib
from functools import cache

from gate.constraint import CERTAIN, Constraint, Limit, Term, Window
from gate.language.lexicon import lexicon_dir, split_list
from gate.language.stem import stem
from gate.language.thesaurus import spelled_near
from gate.taxonomy import IMPLIES

SHOWN_WORDS = 5
SHOWN_MANY = 12  # acts from which a rule is said to be on its thing
SHOWN_NEAR = 3
CLOSE = 0.45  # cosine from which a synonym is worth showing
SHOWN_ACTS = 4  # a rule on more acts is a rule on its thing
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_LIMITS = {"above": "more than", "at_least": "from", "below": "less than", "at_most": "up to"}


def explain(constraint: Constraint) -> str:
    """One line: 'refuses: deploy, release ... when: Friday ... unless: nothing'.

    What was learnt is not in it: aliases and exceptions are keys for matching, the answers hold the words.
    """
    parts = [f"{'allows only' if constraint.mode == 'only' else 'refuses'}: {_acts(constraint)}"]
    parts += _slots(constraint)
    parts.append(f"unless: {'; '.join(item.words for item in constraint.unless) or 'nothing'}")
    return " · ".join(parts)


def _acts(constraint: Constraint) -> str:
    if constraint.any_act:
        return "anything that changes, moves, uses or hands on"
    if len(constraint.acts) > SHOWN_MANY:
        return "whatever makes, brings, puts or does it"
    words: list[str] = []
    for act in list(constraint.acts)[:SHOWN_ACTS]:
        words += _act_words(constraint.language, act)[:SHOWN_WORDS]
    implied = [
        other for act in constraint.acts for other in IMPLIES.get(act, ()) if other not in constraint.acts
    ]
    told = ", ".join(dict.fromkeys(words)) + " ..."
    if not implied or len(constraint.acts) > SHOWN_ACTS:
        return told
    return f"{told} and so {', '.join(dict.fromkeys(implied[:SHOWN_WORDS]))}"


@cache
def _act_words(language: str, act: str) -> tuple[str, ...]:
    if act.startswith("do:"):
        return (act.removeprefix("do:"),)
    data = tomllib.loads((lexicon_dir() / f"{language}.toml").read_text(encoding="utf-8"))
    listed = data.get("acts", {}).get(act, act)
    return tuple(word for word in split_list(listed) if "~" not in word) or (act,)


def _slots(constraint: Constraint) -> list[str]:
    parts = []
    outside = "outside " if constraint.outside else ""
    for name, terms in (
        ("what", constraint.objects),
        ("to", constraint.recipients),
        ("at", constraint.places),
    ):
        if terms:
            parts.append(f"{name}: {_terms(terms)}")
    for name, values in (
        ("path", constraint.paths),
        ("host", constraint.hosts),
        ("mail to", constraint.domains),
    ):
        if values:
            parts.append(f"{name}: {outside}{', '.join(values)}")
    if constraint.labels:
        parts.append(f"with: {', '.join(sorted(constraint.labels))}")
    if constraint.locality:
        parts.append(f"engine: {constraint.locality}")
    if constraint.limits:
        parts.append(f"amount: {' and '.join(_limit(limit) for limit in constraint.limits)}")
    if constraint.windows:
        parts.append(f"when: {' or '.join(_window(window) for window in constraint.windows)}")
    return parts


def _terms(terms: tuple[Term, ...]) -> str:
    said = []
    for term in terms:
        head = term.parts[-1]
        near = [
            word
            for word, cosine in spelled_near(head.word)
            if cosine >= CLOSE and head.keys.get(stem(word, "en"), 0.0) >= CERTAIN
        ]
        said.append(f"{term.words} (also: {', '.join(near[:SHOWN_NEAR])} ...)" if near else term.words)
    return ", ".join(said)


def _limit(limit: Limit) -> str:
    unit = f" {limit.unit}" if limit.unit else ""
    per = f" per {limit.per}" if limit.per else ""
    return f"{_LIMITS[limit.kind]} {limit.value:,f}{unit}{per}"


def _window(window: Window) -> str:
    parts = [", ".join(_DAYS[day] for day in sorted(window.weekdays))]
    parts += [f"{_clock(start)} to {_clock(end)}" for start, end in window.minutes]
    parts.append(", ".join(_MONTHS[month - 1] for month in sorted(window.months)))
    parts += [f"{a[1]} {_MONTHS[a[0] - 1]} to {b[1]} {_MONTHS[b[0] - 1]}" for a, b in window.dates]
    return " ".join(part for part in parts if part) or window.words


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
