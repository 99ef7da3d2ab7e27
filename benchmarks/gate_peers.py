"""Policy engines by other people on the structured rules of `benchmarks.gate --scale`, in the same run.

Of the mixed rules two kinds can be said in their languages without loss: no deletion under a path, no
contact with a host. Each engine is asked about one action at a time, as the gate is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import thread_time
from typing import Any

from gate import Constraint

MOST_RULES = 10_000  # they go through every rule: beyond this one question takes too long to wait for
Asked = tuple[str, str]  # (delete or connect, path or host)


def structured(rules: Sequence[Constraint]) -> list[Asked]:
    """The rules that can be said to the peers, as act and place."""
    paths = [("delete", path) for rule in rules for path in rule.paths]
    return paths + [("connect", host) for rule in rules for host in rule.hosts]


def peers(rules: Sequence[Constraint], asked: Sequence[Asked]) -> dict[str, Any]:
    """Microseconds (median) of one decision by each engine that is installed."""
    said = structured(rules)[:MOST_RULES]
    found: dict[str, Any] = {"rules": len(said), "dict_of_ancestors_us": _timed(_dictionary(said), asked)}
    for name, make in (("cel_us", _cel), ("cedarpy_us", _cedar)):
        try:
            found[name] = _timed(make(said), asked)
        except ImportError:
            found[name] = None  # not installed
    return found


def _timed(decide: Callable[[Asked], bool], asked: Sequence[Asked]) -> float:
    times = []
    for one in asked:
        started = thread_time()
        decide(one)
        times.append((thread_time() - started) * 1e6)
    return round(median(times), 1)


def _above(place: str) -> list[str]:
    parts = place.strip("/").split("/")
    return ["/" + "/".join(parts[:end]) for end in range(len(parts) + 1)]


def _dictionary(said: Sequence[Asked]) -> Callable[[Asked], bool]:
    """The floor: a set, and the folders above a path."""
    known = set(said)

    def decide(one: Asked) -> bool:
        act, place = one
        return any((act, above) in known for above in (_above(place) if act == "delete" else [place]))

    return decide


def _cel(said: Sequence[Asked]) -> Callable[[Asked], bool]:
    from cel import Context, compile  # type: ignore[import-not-found,attr-defined]

    programs = [compile(f'act == "{act}" && "{place}" in above') for act, place in said]

    def decide(one: Asked) -> bool:
        act, place = one
        context = Context()
        context.add_variable("act", act)
        context.add_variable("above", _above(place) if act == "delete" else [place])
        offended = [program.execute(context) for program in programs]  # all of them, to name every rule
        return any(offended)

    return decide


def _cedar(said: Sequence[Asked]) -> Callable[[Asked], bool]:
    import cedarpy

    policies = "\n".join(
        ["permit(principal, action, resource);"]
        + [
            f'forbid(principal, action == Action::"{act}", resource) '
            f'when {{ context.above.contains("{place}") }};'
            for act, place in said
        ]
    )
    prepared = cedarpy.PolicySet.from_str(policies)  # parsed once

    def decide(one: Asked) -> bool:
        act, place = one
        above = _above(place) if act == "delete" else [place]
        request = {
            "principal": 'User::"u"',
            "action": f'Action::"{act}"',
            "resource": 'Thing::"t"',
            "context": {"above": above},
        }
        return not cedarpy.is_authorized(request, prepared, []).allowed

    return decide
