"""How a rule begins: which kind of prohibition it is, and what of the sentence is the forbidden thing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gate.language.lexicon import Lexicon, load
from gate.language.normalise import fold_words


@dataclass(frozen=True, slots=True)
class Opening:
    """`kind`: forbid, touch, passive, keep or only. `body` is the forbidden thing as verb and object;
    `subject` what the rule is about when it comes first; `who` those who alone may."""

    kind: str
    body: str
    subject: str = ""
    who: str = ""
    lead: str = ""
    state: str = ""
    tail: str = ""


@cache
def _patterns(language: str) -> dict[str, tuple[re.Pattern[str], ...]]:
    listed = load(language).patterns
    compiled = {
        name: tuple(re.compile(r"\A" + source + r"\Z") for source in listed.get(name, ()))
        for name in ("reserved", "keep", "touch", "subject_verb", "passive", "only")
    }
    compiled["forbid"] = tuple(re.compile(r"\A(?:" + source + ")") for source in listed.get("forbid", ()))
    compiled["inner"] = tuple(
        re.compile(r"(?:^|[\s,])(?:" + source + ")")
        for source in listed.get("inner", listed.get("forbid", ()))
    )
    return compiled


def open_rule(sentence: str, language: str) -> Opening | None:
    """Take a rule's opening off. None when nothing in the sentence forbids."""
    text = folded_rule(sentence)
    patterns = _patterns(language)
    reserved = _reserved(text, patterns["reserved"])
    if reserved:
        return reserved
    for pattern in patterns["touch"]:
        match = pattern.match(text)
        if match:
            groups = match.groupdict()
            body = (groups.get("o") or "") + " " + (groups.get("rest") or "")
            return Opening("touch", re.sub(r"\s+", " ", body).strip())
    found = _kept(text, patterns["keep"], language) or _only(text, patterns["only"], language)
    if found:
        return found
    found = _passive(text, patterns["subject_verb"])
    if found:
        return found
    for pattern in patterns["forbid"]:
        match = pattern.match(text)
        if match and match.end() < len(text) and match.end() > 0:
            return Opening("forbid", text[match.end() :].strip())
    if _negated_order(text, language):
        return Opening("forbid", text)
    found = _passive(text, patterns["passive"])
    if found:
        return found
    for pattern in patterns["inner"]:
        match = pattern.search(text)
        if match and 0 < match.start() < len(text) * 0.8 and match.end() < len(text):
            return _inner(text, match, language)
    return None


def _inner(text: str, match: re.Match[str], language: str) -> Opening:
    """A ban in the middle; in 'wir verkaufen keine Messer' the verb stands before it."""
    lead = text[: match.start()].strip(" ,")
    last = lead.rpartition(" ")[2]
    lexicon = load(language)
    if language == "de" and " " in lead and lexicon.base(last) in lexicon.acts:
        begin = text.rfind(last, 0, match.start() + 1)
        return Opening("forbid", text[begin:].strip(), lead=lead[: -len(last)].strip(" ,"))
    return Opening("forbid", text[match.end() :].strip(), lead=lead)


def folded_rule(sentence: str) -> str:
    """A rule as the patterns of its opening read it."""
    return re.sub(r"\s+", " ", fold_words(sentence)).strip().rstrip(".! ").strip()


def _reserved(text: str, patterns: tuple[re.Pattern[str], ...]) -> Opening | None:
    """'X is not for visitors', 'nobody may know X': what a state forbids, said without naming it."""
    for pattern in patterns:
        match = pattern.match(text)
        if match:
            groups = match.groupdict()
            state = next(name for name in groups if name.startswith("s_") and groups[name] is not None)
            rest, tail = ((groups.get(name) or "").strip() for name in ("rest", "tail"))
            named = state.removeprefix("s_").replace("_", " ")
            return Opening("keep", rest, subject=groups["o"].strip(), state=named, tail=tail)
    return None


def _negated_order(text: str, language: str) -> bool:
    """'Send no emails ...', 'Verrate niemandem ...': an order's verb first, a negator soon after."""
    lexicon = load(language)
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)?", text)[:7]
    if len(words) < 3 or lexicon.base(words[0]) not in lexicon.acts:
        return False
    if language == "en" and (words[0].endswith(("s", "ed", "ing")) or _finite_after(words, lexicon)):
        return False  # 'Files must never ...', 'Milk from cows must not ...' are no orders
    return any(lexicon.has("negator", word) and word not in ("without", "ohne", "sin") for word in words[1:])


def _finite_after(words: list[str], lexicon: Lexicon) -> bool:
    """Whether an auxiliary stands before the negator: then the first word is a subject."""
    for word in words[1:]:
        if lexicon.has("negator", word):
            return lexicon.has("auxiliary", word) and word not in ("don't", "doesn't")
        if lexicon.has("auxiliary", word):
            return True
    return False


def _kept(text: str, patterns: tuple[re.Pattern[str], ...], language: str) -> Opening | None:
    """'X must stay closed': the acts that would end the state are forbidden."""
    states = load(language).keep
    for pattern in patterns:
        match = pattern.match(text)
        if match and match["s"].strip() in states:
            rest = (match.groupdict().get("rest") or "").strip()
            return Opening("keep", rest, subject=match["o"].strip(), state=match["s"].strip())
    return None


def _passive(text: str, patterns: tuple[re.Pattern[str], ...]) -> Opening | None:
    for pattern in patterns:
        match = pattern.match(text)
        if match:
            groups = match.groupdict()
            verb, subject, rest = groups.get("v") or "", groups.get("o") or "", groups.get("rest") or ""
            kind = "passive" if subject else "forbid"
            return Opening(kind, verb.strip(), subject=subject.strip(), tail=rest.strip())
    return None


def _only(text: str, patterns: tuple[re.Pattern[str], ...], language: str) -> Opening | None:
    for pattern in patterns:
        match = pattern.match(text)
        if match:
            groups = match.groupdict()
            verb = groups.get("verb")  # 'Only Wiebke takes the boat out': the verb tells who from what
            first = groups.get("who", "").partition(" ")[0]
            acts = load(language).acts
            if verb is not None and (
                load(language).base(verb) not in acts or load(language).base(first) in acts
            ):
                continue
            subject = (groups.get("o") or "").strip()
            return Opening(
                "only", (groups.get("v") or "").strip(), subject, (groups.get("who") or "").strip()
            )
    return None
