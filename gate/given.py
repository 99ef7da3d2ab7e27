"""A constraint given as data, where the operator would rather say it exactly than in a sentence.

    {"acts": ["deploy"], "objects": ["client portal"], "windows": [{"weekdays": ["friday"], "from": "18:00"}]}

Every key is optional; what is absent restricts nothing, but something must be named. Unknown keys, acts
that the taxonomy does not have and values of the wrong type are errors (BadConstraint): a rule that is
not what its author thinks protects nothing. Schema in gate/SEMANTICS.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any

from gate.compile.gist import gist_of_terms
from gate.compile.phrases import named_terms
from gate.constraint import ANY, Constraint, Limit, Unless, Window
from gate.errors import BadConstraint
from gate.taxonomy import ACTS

KEYS = ("mode", "acts", "objects", "recipients", "places", "paths", "hosts", "locality", "outside", "limits",
        "windows", "unless", "language")  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LIMIT_KINDS = ("above", "at_least", "below", "at_most")
_UNLESS_KINDS = ("approval", "recipient", "object", "condition", "actor")


def given_constraint(engram_id: str, sentence: str, data: Mapping[str, Any]) -> Constraint:
    """The constraint that `data` describes, under the rule's own sentence. Raises BadConstraint."""
    unknown = sorted(set(data) - set(KEYS))
    if unknown:
        raise BadConstraint(f"there is no key '{unknown[0]}'; one of: {', '.join(KEYS)}")
    language = str(data.get("language", "en"))
    acts = _texts(data, "acts")
    strange = [act for act in acts if act not in ACTS and not act.startswith("do:")]
    if strange:
        raise BadConstraint(f"'{strange[0]}' is no act; one of: {', '.join(sorted(ACTS))}")
    mode, locality = data.get("mode", "forbid"), data.get("locality")
    if mode not in ("forbid", "only"):
        raise BadConstraint(f"mode is 'forbid' or 'only', not {mode!r}")
    if locality not in (None, "local", "hosted"):
        raise BadConstraint(f"locality is 'local' or 'hosted', not {locality!r}")
    try:
        terms = {
            name: named_terms(_texts(data, name), language) for name in ("objects", "recipients", "places")
        }
        unless = tuple(_unless(item, language) for item in _items(data, "unless"))
    except (KeyError, LookupError) as error:
        raise BadConstraint(f"language {language!r} is not one that rules are read in") from error
    constraint = Constraint(
        engram_id=engram_id,
        sentence=sentence,
        language=language,
        mode=mode,
        acts=MappingProxyType(dict.fromkeys(sorted(acts), 1.0)),
        verbs=", ".join(acts),
        objects=terms["objects"],
        recipients=terms["recipients"],
        places=terms["places"],
        gist=gist_of_terms(term for named in terms.values() for term in named),
        windows=tuple(map(_window, _items(data, "windows"))),
        limits=tuple(map(_limit, _items(data, "limits"))),
        unless=unless,
        paths=tuple(_texts(data, "paths")),
        hosts=tuple(_texts(data, "hosts")),
        locality=locality,
        outside=bool(data.get("outside", False)),
    )
    named = (*constraint.objects, *constraint.recipients, *constraint.paths, *constraint.hosts)
    if not acts and not named:
        raise BadConstraint("name at least one of acts, objects, recipients, paths or hosts")
    return constraint


def _texts(data: Mapping[str, Any], name: str) -> list[str]:
    value = data.get(name, [])
    if not isinstance(value, list | tuple) or not all(
        isinstance(item, str) and item.strip() for item in value
    ):
        raise BadConstraint(f"{name} must be a list of words")
    return [item.strip() for item in value]


def _items(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = data.get(name, [])
    if not isinstance(value, list | tuple) or not all(isinstance(item, Mapping) for item in value):
        raise BadConstraint(f"{name} must be a list of objects")
    return list(value)


def _limit(item: Mapping[str, Any]) -> Limit:
    try:
        value = Decimal(str(item.get("value")))
    except InvalidOperation:
        raise BadConstraint(f"a limit's value must be a number, not {item.get('value')!r}") from None
    if item.get("kind") not in _LIMIT_KINDS or not value.is_finite():
        raise BadConstraint(f"a limit needs a finite value and a kind: {', '.join(_LIMIT_KINDS)}")
    unit, per = _word(item.get("unit"), "unit"), _word(item.get("per"), "per")
    return Limit(kind=item["kind"], value=value, unit=unit, per=per, of=() if unit else (ANY,))


def _word(value: Any, name: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise BadConstraint(f"{name} must be a word, not {value!r}")
    return value


def _window(item: Mapping[str, Any]) -> Window:
    days = [str(day).casefold() for day in item.get("weekdays", ())]
    strange = [day for day in days if day not in _DAYS]
    if strange:
        raise BadConstraint(f"'{strange[0]}' is no weekday")
    minutes: tuple[tuple[int, int], ...] = ()
    if "from" in item or "to" in item:
        minutes = ((_minute(item.get("from", "00:00")), _minute(item.get("to", "24:00"))),)
    months = item.get("months", ())
    if not all(isinstance(month, int) and 1 <= month <= 12 for month in months):
        raise BadConstraint("months are numbers from 1 to 12")
    if not (days or minutes or months):
        raise BadConstraint("a window needs weekdays, from, to or months")
    return Window(weekdays=frozenset(map(_DAYS.index, days)), minutes=minutes, months=frozenset(months))


def _minute(text: Any) -> int:
    hours, colon, minutes = str(text).partition(":")
    if not (colon and hours.isdigit() and minutes.isdigit() and int(minutes) < 60 and int(hours) <= 24):
        raise BadConstraint(f"{text!r} is no time of day; write it as in 18:00")
    return int(hours) * 60 + int(minutes)


def _unless(item: Mapping[str, Any], language: str) -> Unless:
    words = item.get("words")
    if item.get("kind") not in _UNLESS_KINDS or not isinstance(words, str) or not words.strip():
        raise BadConstraint(f"an exception needs words and a kind: {', '.join(_UNLESS_KINDS)}")
    return Unless(kind=item["kind"], words=words.strip(), terms=named_terms([words], language))
