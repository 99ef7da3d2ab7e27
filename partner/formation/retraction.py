"""Taking back: which engram 'forget that' is about, or a question when it is not clear which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.language.thesaurus import noun_class
from partner.formation.classify import in_past
from partner.formation.compare import MAX_RULES
from partner.formation.cues import Cues
from partner.formation.frames import frame
from partner.formation.languages import cues_for
from partner.formation.model import Context, HoldsView
from partner.formation.mood import after_interjections
from partner.formation.slots import OPERATOR, named
from partner.formation.topics import content_words, spoken_words
from store.model import Authority, Engram, Klass

_CUE_WORDS = content_words(
    """forget mind never disregard ignore scrap strike scratch drop delete cancel discard remove undo
    retract withdraw
    take back said say told tell mention
    mentioned wrong right true false mistake error incorrect correct nonsense joke rubbish made up mixed mix
    up confused preference rule claim
    statement note part bit thing remark last previous earlier applies apply anymore longer please matter
    still decided yet info information figure
    streiche vergiss vergessen falsch irrtum stimmt sage gesagt ignoriere nimm zurück mehr olvida olvídalo
    dicho dije error equivocado oublie oubliez dit faux
    erreur ignore fact story idea later
    ban prohibition restriction embargo lifted over gone ended off void history removed abolished rescinded
    valid force regel verbot sperre gilt aufgehoben vorbei hinfällig vom tisch
    regla prohibición veto vale rige aplica levantada anulada suprimida
    règle interdiction vaut applique tient valable vigueur levée annulée supprimée abolie """
)
_CJK_CUES = (
    "忘",
    "刚才",
    "说的",
    "不对",
    "错",
    "请",
    "取消",
    "撤",
    "言った",
    "間違",
    "違い",
    "なかった",
    "さっき",
    "ください",
    "先ほど",
    "取り消",
)
_REASON = re.compile(
    r"(?i)[,;.–—-]\s*(?:i|we|it|that|this|they|he|she|my|nothing|because|since|as|"
    r"no)\b[^:]*?(?:mixed|wrong|mistake|error|confus|fixed|settled|final|official"
    r"|sure|clear|certain|checked|read|misread|made (?:it|that) up|look|"
    r"joke|no longer|any ?more|decided|not true|doesn't|does not|isn't|wasn't|changed|kidding|"
    r"serious|invented|misheard|guess|old|outdated|time|over|lifted|apply|applies|valid|"
    r"matter).*$"
)
_RULE = re.compile(
    r"(?i)\b(?:rule|ban|prohibition|restriction|regel|verbot|regla|règle|interdiction|规则|ルール)\b"
)
_GOAL = re.compile(r"(?i)\b(?:goal|target|objective|ziel|objetivo|meta|objectif|目标|目標)\b")
_PREFERENCE = re.compile(r"(?i)\bpreference\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction:
    """`targets` to retract, or a `question` back; both empty when nothing at all could be meant."""

    targets: tuple[str, ...] = ()
    question: str | None = None


def parts(sentence: str, cues: Cues) -> tuple[str, str]:
    """A sentence that takes back, as what it points at and what it says anew ('' when only a reason follows).

    'Scratch that, the rehearsal is in room 12' puts a claim in the place of the old one; 'forget the grant,
    I had the wrong letter' tells why.
    """
    sentence = after_interjections(sentence)
    head = _HEAD.match(sentence)
    if not head or not sentence[head.end() :].strip():
        return sentence, ""
    rest = sentence[head.end() :]
    after_colon = re.search(r"[:：]\s+(?=\S)", rest)
    if after_colon and not head[0].rstrip().endswith((":", "：")):
        return head[0], rest[after_colon.end() :]
    if cues.prohibition.match(rest) and not cues.not_prohibition.search(rest):
        return head[0], rest
    if not head[0].rstrip().endswith((":", "：")) and (_REASON.search(sentence) or _tells_why(rest)):
        return head[0], ""
    return head[0], rest


_HEAD = re.compile(
    r"(?:\w+, (?=(?:was|dass|que|qu['’]|ce que|lo que|what|"
    r"that)\b))?[^,:;.!–—，：；。、]{1,120}(?:[,:;.!–—，：；。、]+|\s-)\s*"
)
_WHY = re.compile(
    r"(?i)(?:because|since|as|for|i(?:['’]d (?!like|rather|prefer|love|want)| had| was| got| "
    r"mis)|that(?:['’]s| was| is)|they|he|she|"
    r"nothing|never mind|weil|da|denn|ich hatte|das war|porque|parce que|car|puisque|c['’]était)\b"
)


def _tells_why(rest: str) -> bool:
    """A reason rather than a new claim: told in the past, denied, or opened by a word for a reason."""
    if _WHY.match(rest):
        return True
    return in_past(rest) or frame(rest).negative


def find(sentence: str, holds: HoldsView, context: Context, *, pending: int = 0) -> Retraction:
    """What a retraction points at. `pending`: claims formed earlier in the same turn (then 'that' means
    them)."""
    topic = _topic(sentence)
    if not topic:
        return _bare(holds, context) if not pending else Retraction()
    scored = _scored(sentence, topic, holds)
    if not scored:
        return _bare(holds, context) if _points_back(sentence) else Retraction(question=_nothing(sentence))
    rules = [s for s in scored if s[1].klass is Klass.PROHIBITION]
    if len(rules) > 1 and (_RULE.search(sentence) or len(rules) == len(scored)):
        return Retraction(question=_which([e for _, e in rules]))
    scored = rules if rules and _RULE.search(sentence) else scored
    best = scored[0][0]
    top = [e for score, e in scored if score >= best - 1e-9]
    if best < 1 and all(_shares_names_alone(topic, e) for e in top):
        return Retraction(question=_which(top))
    if len(top) == 1:
        return Retraction(targets=(top[0].id,))
    recent = [e for e in top if e.id in context.formed]
    if len(recent) == 1:
        return Retraction(targets=(recent[0].id,))
    keys = {(e.metadata.get("subject"), e.metadata.get("attribute")) for e in top}
    if len(keys) == 1 and None not in next(iter(keys)):
        return Retraction(targets=tuple(e.id for e in top))
    return Retraction(question=_which(top))


def _shares_names_alone(topic: frozenset[str], engram: Engram) -> bool:
    """'Forget what I said about Keith wanting a home' is not about 'Keith comes on Sunday'. In English, where
    nouns have no capital."""
    if cues_for(engram.content).code != "en":
        return False
    capitals = re.findall(r"\b[A-Z][\w'’-]*", engram.content)
    named = content_words(" ".join(word for word in capitals if noun_class(word.lower()) is None))
    return topic & content_words(engram.content) <= named


def names(sentence: str) -> bool:
    """Whether a retraction says what it is about."""
    return bool(_topic(sentence))


def _topic(sentence: str) -> frozenset[str]:
    text = _REASON.sub("", sentence)
    found = content_words(text) - _CUE_WORDS
    return frozenset(w for w in found if not any(c in w or w in c for c in _CJK_CUES) and not _cue_pair(w))


def _cue_pair(pair: str) -> bool:
    """A pair of CJK letters out of the cue phrases themselves."""
    return (
        len(pair) == 2
        and not pair.isascii()
        and any(letter in "忘掉刚才说的不对错请取消撤回言った間違いさき先ほど" for letter in pair)
    )


def _scored(sentence: str, topic: frozenset[str], holds: HoldsView) -> list[tuple[float, Engram]]:
    wanted = _class(sentence)
    slots = named(frozenset(w for w in re.findall(r"[a-z-]+", sentence.lower())))
    keyed = {e.id for slot in slots for e in holds.by_key(OPERATOR, slot.name)}
    keyed_engrams = [e for slot in slots for e in holds.by_key(OPERATOR, slot.name)]
    found: list[tuple[float, Engram]] = []
    rules = (
        holds.recent(MAX_RULES, Klass.PROHIBITION) if wanted is None or Klass.PROHIBITION in wanted else ()
    )
    spoken = spoken_words(_REASON.sub("", sentence))
    for engram in {e.id: e for e in (*holds.about(spoken), *keyed_engrams, *rules)}.values():
        if (
            engram.provenance.authority < Authority.OPERATOR
            and engram.provenance.authority is not Authority.INFERENCE
        ):
            continue
        if wanted is not None and engram.klass not in wanted:
            continue
        words = content_words(engram.content)
        score = len(topic & words) / len(topic) + (1.2 if engram.id in keyed else 0.0)
        if engram.klass is Klass.PROHIBITION and not topic <= words:
            continue  # 'the ban on music lessons' is not the one on music in the yard
        if engram.id in keyed or score >= (0.5 if len(topic) < 4 else 0.3):
            found.append((score, engram))
    return sorted(found, key=lambda f: (-f[0], -f[1].seq))


def _class(sentence: str) -> frozenset[Klass] | None:
    if _RULE.search(sentence):
        return frozenset({Klass.PROHIBITION, Klass.DISPOSITION, Klass.CONCLUSION})
    if _GOAL.search(sentence):
        return frozenset({Klass.OBJECTIVE})
    return None


def _points_back(sentence: str) -> bool:
    return (
        re.search(r"(?i)\b(?:that|it|this|das|es|eso|ça|cela)\b|^(?:forget|strike|scratch)", sentence)
        is not None
        and len(content_words(sentence) - _CUE_WORDS) <= 1
    )


def _bare(holds: HoldsView, context: Context) -> Retraction:
    """A bare 'that was wrong': what the partner just repeated, else what the last settling turn formed."""
    if context.partner_said:
        said = content_words(context.partner_said)
        echoed = [
            e
            for e in holds.about(spoken_words(context.partner_said))
            if _within(content_words(e.content), said)
        ]
        if len(echoed) == 1:
            return Retraction(targets=(echoed[0].id,))
    formed = set(context.formed)
    if not formed:
        return Retraction(question="What should no longer hold? Name it in a few words.")
    alive = [e for e in holds.recent(max(20, len(formed))) if e.id in formed]
    if len(alive) == 1:
        return Retraction(targets=(alive[0].id,))
    if not alive:
        return Retraction(question="What should no longer hold? Name it in a few words.")
    return Retraction(question=_which(alive))


def _within(words: frozenset[str], said: frozenset[str]) -> bool:
    return len(words) >= 2 and len(words & said) >= 0.8 * len(words)


def _which(engrams: Sequence[Engram]) -> str:
    listed = "; ".join(f"“{e.content}” ({e.id[-8:]})" for e in engrams[:5])
    return f"Which of these should no longer hold? {listed}"


def _nothing(sentence: str) -> str:
    return f"I find nothing that this could take back: “{sentence.strip()}” What should no longer hold?"
