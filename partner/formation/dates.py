"""Relative dates, resolved at the operator's own offset and put beside the words as an ISO date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache

from partner.formation.calendar_words import MONTHS, NUMBER_WORDS, RELATIVE_DAYS, WEEKDAYS
from partner.formation.literals import Sieve

_N = r"(?P<n>\d{1,3}|" + "|".join(sorted((re.escape(w) for w in NUMBER_WORDS), key=len, reverse=True)) + r")"
_WD = r"(?P<wd>" + "|".join(sorted((re.escape(w) for w in WEEKDAYS), key=len, reverse=True)) + r")"
_DAY = r"(?P<rel>" + "|".join(sorted((re.escape(w) for w in RELATIVE_DAYS), key=len, reverse=True)) + r")"
_UNIT = (
    r"(?P<unit>days?|weeks?|fortnights?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?|"
    r"días?|semanas?|mes(?:es)?|años?"
    r"|jours?|semaines?|mois|ans?|giorni|settiman[ae]|mesi|dias?)"
)
_FLAGS = re.IGNORECASE

# Order matters: the longer phrase first. Each gives a date through `_resolve`.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "weekfrom",
        re.compile(
            rf"\b(?:{_N} )?weeks? (?:from|after) (?P<base>today|tomorrow|{'|'.join(WEEKDAYS)})\b", _FLAGS
        ),
    ),
    ("weekfrom", re.compile(rf"\b(?P<base>today|tomorrow|{'|'.join(WEEKDAYS)}) week\b(?!end)", _FLAGS)),
    (
        "endof",
        re.compile(
            r"\b(?:at |by |until |till )?(?:the )?end of (?:(?P<which>next|this|the) "
            r")?(?P<what>month|week|year)\b",
            _FLAGS,
        ),
    ),
    ("ahead", re.compile(rf"\b{_N} {_UNIT} (?:from (?:now|today)|hence)\b", _FLAGS)),
    (
        "ahead",
        re.compile(
            rf"\b(?:in|within|in exactly|in genau|dentro de|en|dans|d'ici|tra|fra|daqui a|em) {_N} "
            rf"{_UNIT}(?:'s time|' time)?\b(?! of\b)",
            _FLAGS,
        ),
    ),
    (
        "week",
        re.compile(rf"\b{_N} (?:weeks?) on {_WD}\b|\ba week on (?P<wd2>{'|'.join(WEEKDAYS)})\b", _FLAGS),
    ),
    (
        "ago",
        re.compile(
            rf"\b{_N} {_UNIT} ago\b|\b(?:vor|hace|il y a|há) {_N.replace('?P<n>', '?P<n2>')} "
            rf"{_UNIT.replace('?P<unit>', '?P<unit2>')}\b",
            _FLAGS,
        ),
    ),
    ("day", re.compile(rf"(?<![\w-]){_DAY}(?![\w-])", _FLAGS)),
    (
        "next",
        re.compile(
            rf"\b(?:next|the coming|nächste[nrms]?|kommende[nrms]?|(?:el )?próximo|(?:el )?proximo|"
            rf"próxima) {_WD}\b|\b{_WD.replace('?P<wd>', '?P<wd2>')} (?:que viene|próximo|prochain|"
            rf"prossim[oa]|que vem|next|nächster woche)\b",
            _FLAGS,
        ),
    ),
    (
        "last",
        re.compile(
            rf"\b(?:last|letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?|el pasado) {_WD}\b|"
            rf"\b{_WD.replace('?P<wd>', '?P<wd2>')} (?:pasado|dernier|passé|scorso)\b",
            _FLAGS,
        ),
    ),
    (
        "this",
        re.compile(
            rf"\b(?:this coming|coming|this|diese[nrms]?|este|esta|ce|cette|questo|quest[ao]) {_WD}\b", _FLAGS
        ),
    ),
    (
        "bare",
        re.compile(
            rf"(?:\b(?:on|by|until|till|am|bis|el|ab|from|before|due|since|seit)\b|\ble) {_WD}\b(?!s\b|"
            rf" afternoons| mornings| evenings| nights)",
            _FLAGS,
        ),
    ),
    (
        "bare",  # French says a weekday without any word before it: 'à rendre vendredi'
        re.compile(
            r"(?<!le )(?<!les )(?<!du )(?<!de )(?<!au )(?<!à )(?<!et )(?<!ou )(?<!chaque )(?<!, )"
            r"\b(?P<wd>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b(?! (?:au|à|et|ou)\b|,)",
            _FLAGS,
        ),
    ),
    ("period", re.compile(r"\b(?P<which>next|this|last) (?P<what>week|month|year)\b", _FLAGS)),
    (
        "cjk",
        re.compile(
            r"(?P<cjk>明々後日|明後日|あさって|一昨日|おととい|今日|本日|明日|あした|昨日|きのう|大后天|后天|前天|今天|明天|昨天)"
        ),
    ),
    (
        "cjkweek",
        re.compile(
            r"(?P<cw>来週|今週|先週|下周|下星期|下个星期|这周|本周|上周|上星期|来周)の?(?P<cd>[月火水木金土日一二三四五六天])(?:曜日?)?"
        ),
    ),
    (
        "cjkin",
        re.compile(
            r"(?P<cn>\d+|[一二三四五六七八九十两])\s*(?P<cu>日|天|週間|周|个星期|か月|ヶ月|个月)(?P<cs>後|后|前)"
        ),
    ),
)
_ISO_THERE = re.compile(r"\s*\(?\d{4}-\d{2}-\d{2}")
_RECURS = re.compile(
    r"(?i)\b(?:every|each|jede[nrms]?|cada|todos los|tous les|chaque|weekly|always|immer|"
    r"toujours|siempre|usually|habit)\b"
)
_RANGE = re.compile(r"(?i)from \w+ to \w+")
_BECAME = re.compile(
    r"(?i)\b(?:from|since|as of|starting|effective|ab|seit|von|desde|a partir de|depuis|à "
    r"partir d[eu]|dès|con efecto)\b[\s(]*(?:the |dem |el |le )?$"
)
_SINCE_YEAR = re.compile(
    r"(?i)\b(?:since|from|seit|ab|desde|depuis|dès)\s+(?:the\s+)?(?:(?P<d>\d{1,2})(?:st|nd|rd|"
    r"th|\.)?\s+(?:de\s+)?)?(?:(?P<m>[A-Za-zäûéç]{3,10})\s+(?:de\s+)?)?(?P<y>(?:19|20)\d{2})\b"
)
_EVENT = re.compile(
    r"(?i)^(?:yesterday|today|this morning|gestern|heute|ayer|hoy|hier|aujourd'hui|vorgestern|"
    r"the day before yesterday|anteayer|avant-hier)$"
)
_CJK_DAYS = {
    "明々後日": 3,
    "明後日": 2,
    "あさって": 2,
    "一昨日": -2,
    "おととい": -2,
    "今日": 0,
    "本日": 0,
    "明日": 1,
    "あした": 1,
    "昨日": -1,
    "きのう": -1,
    "大后天": 3,
    "后天": 2,
    "前天": -2,
    "今天": 0,
    "明天": 1,
    "昨天": -1,
}
_CJK_WEEKDAY = {
    c: i for i, group in enumerate(("月一", "火二", "水三", "木四", "金五", "土六", "日天")) for c in group
}
_CJK_NUMBER = {c: i for i, c in enumerate("一二三四五六七八九十", 1)} | {"两": 2}


@dataclass(frozen=True, slots=True)
class Dated:
    """`text` with ISO dates beside the relative words; `valid_from` when the words say since when it is
    true."""

    text: str
    valid_from: datetime | None = None
    resolved: tuple[str, ...] = ()


def resolve(text: str, at: datetime) -> Dated:
    """Put an ISO date beside every relative date of `text`, as of `at` (aware; its own offset decides the
    day)."""
    today = at.date()
    recurring = _RECURS.search(text) is not None
    spans: list[tuple[int, int, date, str]] = []
    for place in _sieve().candidates(text.lower()):
        kind, pattern = _PATTERNS[place]
        for match in pattern.finditer(text):
            if kind == "bare" and (recurring or _RANGE.match(text, match.start())):
                continue
            found = _resolve(kind, match, today, text)
            if found is not None and not any(match.start() < e and s < match.end() for s, e, *_ in spans):
                spans.append((match.start(), match.end(), found, match[0]))
    return _annotated(text, sorted(spans), at)


@cache
def _sieve() -> Sieve:
    return Sieve([pattern.pattern for _, pattern in _PATTERNS])


def _annotated(text: str, spans: list[tuple[int, int, date, str]], at: datetime) -> Dated:
    parts: list[str] = []
    position = 0
    since = _since(text, at)
    for start, end, day, words in spans:
        parts.append(text[position:end])
        if not _ISO_THERE.match(text, end):
            parts.append(f" ({day.isoformat()})")
        if since is None and (
            _BECAME.search(text[:start]) or _EVENT.match(words) or _starts(text[start:end])
        ):
            since = _midnight(day, at)
        position = end
    parts.append(text[position:])
    return Dated("".join(parts), since, tuple(s[2].isoformat() for s in spans))


def _starts(words: str) -> bool:
    return re.match(r"(?i)(?:from|since|ab|seit) ", words) is not None


def _since(text: str, at: datetime) -> datetime | None:
    match = _SINCE_YEAR.search(text)
    if not match:
        return None
    month = MONTHS.get((match["m"] or "").lower(), 0)
    if match["m"] and not month:
        return None
    try:
        return datetime(int(match["y"]), month or 1, int(match["d"] or 1) if month else 1, tzinfo=at.tzinfo)
    except ValueError:
        return None


def _midnight(day: date, at: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=at.tzinfo)


def _resolve(kind: str, m: re.Match[str], today: date, text: str) -> date | None:
    groups = {k: v for k, v in m.groupdict().items() if v is not None}
    if kind == "day":
        return _named_day(groups["rel"].lower(), m, today, text)
    if kind in ("ahead", "ago"):
        count = _count(groups.get("n") or groups.get("n2") or "")
        return _shift(
            today,
            count if kind == "ahead" else -count,
            (groups.get("unit") or groups.get("unit2") or "").lower(),
        )
    if kind == "period":
        return None
    if kind == "weekfrom":
        base = groups["base"].lower()
        first = (
            today + timedelta(days=base == "tomorrow")
            if base in ("today", "tomorrow")
            else _after(today, WEEKDAYS[base])
        )
        return first + timedelta(weeks=_count(groups.get("n", "1")))
    if kind == "endof":
        return _end_of(today, groups["what"].lower(), further=groups.get("which", "").lower() == "next")
    if kind.startswith("cjk"):
        return _cjk(kind, groups, today)
    weekday = WEEKDAYS[(groups.get("wd") or groups.get("wd2") or "").lower()]
    if kind == "week":
        return _after(today, weekday) + timedelta(weeks=_count(groups.get("n", "1")))
    if kind == "next":
        return _monday(today) + timedelta(days=7 + weekday)
    if kind == "last":
        return _before(today, weekday)
    if kind == "this":
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    return _before(today, weekday) if _is_past(text) else _after(today, weekday)


def _end_of(today: date, unit: str, *, further: bool) -> date | None:
    """The last day of this or the next month or year; Friday of a week."""
    if unit == "week":
        return _monday(today) + timedelta(days=7 * further + 4)
    if unit == "year":
        return date(today.year + further, 12, 31)
    inside = _shift(today.replace(day=1), int(further), "month")
    return inside.replace(day=_days_in(inside.year, inside.month)) if inside else None


def _named_day(name: str, m: re.Match[str], today: date, text: str) -> date | None:
    if name == "mañana" and re.search(r"(?i)(?:la|por la|de la|cada)\s*$", text[: m.start()]):
        return None
    if name == "morgen" and re.search(r"(?i)(?:am|jeden|guten|heute|gestern|der|den)\s*$", text[: m.start()]):
        return None
    if name == "hier" and not re.search(r"(?i)[éèàç]|\b(?:le|la|les|est|était|a|ont|été|nous|je)\b", text):
        return None
    return today + timedelta(days=RELATIVE_DAYS[name])


_PAST = re.compile(
    r"(?i)\b(?:was|were|had|did|[a-z]{3,}ed|came|went|left|broke|got|made|took|said|met|"
    r"bought|sold|sent|paid|wurde|war|hat|ist \w+ ge\w+|fue|era|llegó|était|a été|"
    r"(?:ai|as|a|avons|avez|ont) (?:\w+é|reçu|pris|mis|fait|dit|écrit|vu|eu|vendu|perdu))\b"
)
_FUTURE = re.compile(
    r"(?i)\b(?:will|is|are|'ll|going to|shall|must|has to|have to|until|by|due|wird|werden)\b"
)


def _is_past(text: str) -> bool:
    return _PAST.search(text) is not None and _FUTURE.search(text) is None


def _count(word: str) -> int:
    return int(word) if word.isdigit() else NUMBER_WORDS.get(word.lower(), 1)


def _shift(day: date, count: int, unit: str) -> date | None:
    try:
        if unit.startswith("fortnight"):
            return day + timedelta(weeks=2 * count)
        if unit[:4] in ("week", "woch", "sema", "sett"):
            return day + timedelta(weeks=count)
        if unit[:3] in ("mon", "mes", "moi"):
            month = day.month - 1 + count
            year, month = day.year + month // 12, month % 12 + 1
            return date(year, month, min(day.day, _days_in(year, month)))
        if unit[:3] in ("yea", "jah", "año", "ans", "an"):
            return date(day.year + count, day.month, min(day.day, _days_in(day.year + count, day.month)))
        return day + timedelta(days=count)
    except (ValueError, OverflowError):
        return None


def _days_in(year: int, month: int) -> int:
    following = date(year + month // 12, month % 12 + 1, 1)
    return (following - timedelta(days=1)).day


def _cjk(kind: str, groups: dict[str, str], today: date) -> date | None:
    if kind == "cjk":
        return today + timedelta(days=_CJK_DAYS[groups["cjk"]])
    if kind == "cjkweek":
        shift = {"来": 7, "下": 7, "先": -7, "上": -7}.get(groups["cw"][0], 0)
        return _monday(today) + timedelta(days=shift + _CJK_WEEKDAY[groups["cd"]])
    count = int(groups["cn"]) if groups["cn"].isdigit() else _CJK_NUMBER.get(groups["cn"], 1)
    unit = "week" if groups["cu"] in ("週間", "周", "个星期") else "month" if "月" in groups["cu"] else "day"
    return _shift(today, count if groups["cs"] in "後后" else -count, unit)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _after(day: date, weekday: int) -> date:
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def _before(day: date, weekday: int) -> date:
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)
