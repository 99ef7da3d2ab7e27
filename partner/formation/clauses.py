"""One claim a clause: a sentence that says several things is split, and each part keeps its subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from partner.formation.announcing import announced
from partner.formation.clause import Clause, sliced
from partner.formation.cues import Cues
from partner.formation.gapped import gapped
from partner.formation.grammar import DETERMINERS, SUBORDINATORS, finite, imperative
from partner.formation.listing import listed_claims
from partner.formation.parting import parted
from partner.formation.redaction import MARK
from partner.formation.relative import main_clause
from partner.formation.sentences import mask
from partner.formation.verbs import AUXILIARIES, COPULA, form_of
from partner.formation.words import Word, words

_AFTERTHOUGHT = re.compile(r"(?i)^[^,;]{2,40}\bit is[.!]?$")
_ONE_CASE = re.compile(r"(?i)(?:whenever|every time|each time|any time|anytime|as soon as|the moment)\b")
# A remark whose 'it' is left out ('Doesn't matter much, I'm a cooper').
_NO_SUBJECT = re.compile(
    r"(?i)(?:doesn|didn|isn|wasn|won|wouldn|can|couldn|hasn|don|shouldn)['’]t (?!you\b|we\b|"
    r"they\b|forget\b)\w+"
)
_OH = re.compile(r"(?i)^(?:oh|ah|and|also|please)\b,?\s+")
_META = re.compile(
    r"(?i)^(?:and |so )?(?:that(?:'s| is)|it(?:'s| is)|this is) (?:now |all |finally |the "
    r")?(?:settled|decided|final|fixed|agreed|official|decision|a promise|a deal|it|that|"
    r"certain|sure|for sure"
    r"|done|the plan|clear|important|new|a must|a fact|confirmed|an order)\b.{0,20}$|^(?:so "
    r"much is (?:clear|certain)|i (?:must|have to|need to) (?:say|admit|confess)[.!]*$|(?:the |my |"
    r"our )?[\w-]+(?: \w+)? (?:says?|said|reckons?|claims?|swears?)|no question|no doubt|"
    r"end of story|full stop|period|okay|ok|"
    r"right)[.!]*$"
)


def split(clause: Clause, cues: Cues) -> list[Clause]:
    """The claims of one sentence, in order. Fragments stay with the clause they belong to."""
    parts: list[Clause] = []
    for piece in _passing(clause, cues):
        said = announced(piece, cues)
        if cues.code == "en" and main_clause(said.text) != said.text:
            parts.append(said)  # 'Lena, who paints the sign in May, wants 310 euros' is one claim
            continue
        if several := listed_claims(said):
            parts += several
            continue
        parts += (gapped(said) if cues.code == "en" else parted(said, cues)) or _coordinate(said, cues)
    return [_tidy(p) for p in parts if p.text.strip(" ,;.-–—")]


def _passing(clause: Clause, cues: Cues) -> list[Clause]:
    """'While you sort the letters, by the way, no letter may ...': two matters."""
    found = cues.passing.search(mask(clause.text))
    if not found or found.start() == 0:
        return [clause]
    left = sliced(clause, 0, found.start())
    right = sliced(clause, found.end(), len(clause.text))
    first = words(left.text)
    if first and first[0].low in SUBORDINATORS and first[0].low != "so" and not _ONE_CASE.match(left.text):
        return [right]
    return [left, *_passing(right, cues)]


def _coordinate(clause: Clause, cues: Cues) -> list[Clause]:
    """Split at conjunctions, semicolons and commas wherever both sides stand as claims of their own."""
    clause = _uncommented(_cleft(clause), cues)
    named = _APPOSED.search(clause.text) if cues.code == "en" else None
    if named:  # 'a new accompanist, Sunniva, she's brilliant': the name goes with what is before it
        clause = replace(
            clause, text=f"{clause.text[: named.end('name')]};{clause.text[named.end('name') + 1 :]}"
        )
    halves = _semicolons(clause)
    if len(halves) > 1:
        return [part for half in halves for part in _coordinate(half, cues)]
    masked = mask(clause.text)
    parts: list[Clause] = []
    begin = 0
    subject = ""
    caused = False
    for joint in cues.joiner.finditer(masked):
        if joint.start() <= begin:
            continue
        left, right = clause.text[begin : joint.start()], clause.text[joint.end() :]
        forbids = cues.prohibition.match(_OH.sub("", right)) is not None
        if (
            re.search(r",\s+so\s", joint[0])
            and begin == 0
            and finite(words(left)) is None
            and _continues(right, joint[0], cues)
        ):
            begin, caused = joint.end(), True  # 'Strikes everywhere, so we go by coach'
            continue
        if not _stands(left, cues, after=bool(subject), forbids=forbids):
            continue
        kind = _continues(right, joint[0], cues)
        if kind == "" or (kind == "verb" and _goes_on(left, right)):
            continue
        parts.append(_with_subject(replace(sliced(clause, begin, joint.start()), caused=caused), subject))
        caused = re.search(r"(?i)\bso\b", joint[0]) is not None
        subject = _subject_of(parts[-1].text) if kind == "verb" else ""
        begin = joint.end()
    last = replace(sliced(clause, begin, len(clause.text)), caused=caused or clause.caused)
    parts.append(_with_subject(last, subject))
    return _meta(parts)


def _cleft(clause: Clause) -> Clause:
    """'It's Noam who picks up the keys' says that Noam picks up the keys."""
    match = re.match(
        r"(?i)(?:(?:wrong|no|actually|sorry|wait),? )*it(?:['’]s| is) "
        r"(?P<who>[^,;]{2,40}?) (?:who|that) (?=\w)",
        clause.text,
    )
    if not match:
        return clause
    return replace(clause, text=match["who"] + " " + clause.text[match.end() :])


_APPOSED = re.compile(
    r"\b(?:a|an|my|our|the) (?:new )?[a-z-]+(?: [a-z-]+)?, (?P<name>[A-Z]\w+(?: [A-Z]\w+)?), "
    r"(?=(?:[Ss]?he|they)\b)"
)
_COMMENT = re.compile(r"^(?P<said>.*\d.*?), (?P<comment>[^,;:\d]{3,40})$")
_ATTACHED = re.compile(
    r"(?i)(?:que|qui|quien|der|die|das|den|dem|weil|wenn|dass|und|oder|aber|porque|si|cuando|donde|pero|y|"
    r"o|car|"
    r"quand|où|mais|et|ou|bis|ab|am|um|im|in|en|a|à|au|de|del|du|mit|con|avec|sin|ohne|sans|por|para|pour|"
    r"für|no|pas|nicht)"
    r"\b(?! digo| pregunt| frag| sag)"
)


def _uncommented(clause: Clause, cues: Cues) -> Clause:
    """Without a few words behind the figure that only comment on it ('3,10 euros, todo sube'): the languages
    that have no grammar here are not parted at commas."""
    found = _COMMENT.match(clause.text) if cues.code in ("de", "es", "fr") else None
    if found is None or len(words(found["comment"])) > 5 or _ATTACHED.match(found["comment"]):
        return clause
    return clause if cues.prohibition.search(found["comment"]) else replace(clause, text=found["said"])


def _semicolons(clause: Clause) -> list[Clause]:
    """Parts between semicolons, where each of them is a clause."""
    masked = mask(clause.text)
    cuts = [m.span() for m in re.finditer(r"\s*;\s+", masked)]
    if not cuts:
        return [clause]
    bounds = [0, *(at for cut in cuts for at in cut), len(clause.text)]
    parts = [sliced(clause, bounds[i], bounds[i + 1]) for i in range(0, len(bounds), 2)]
    whole = all(
        finite(words(p.text)) is not None or imperative(p.text) or _elliptic(p.text) or _directs(p.text)
        for p in parts
    )
    return parts if whole else [clause]


def _directs(text: str) -> bool:
    """'From now on sign my letters with Yours.'"""
    return re.match(r"(?i)(?:from now on|in future|always|please)\b", text) is not None


def _stands(left: str, cues: Cues, *, after: bool, forbids: bool) -> bool:
    tokens = words(left)
    if MARK in left:
        return True
    if _NO_SUBJECT.match(left.strip()):
        return True
    while tokens and tokens[0].low in ("and", "but", "also"):
        tokens = tokens[1:]
    if not tokens or (tokens[0].low in SUBORDINATORS and tokens[0].low not in {"so", "that"}):
        return False
    if _ONE_CASE.match(left.strip()) and not after and not forbids:
        return False
    if tokens[-1].low in COPULA:
        return False  # 'The meeting was so long ...'
    return (
        after
        or finite(tokens) is not None
        or imperative(left)
        or bool(cues.prohibition.search(left))
        or _elliptic(left)
    )


def _goes_on(left: str, right: str) -> bool:
    """'I'll paint it and sell it', 'a new diet and exercise routine': a base form behind a modal, a 'to' or a
    past is no verb of the subject's."""
    first = words(right)[:1]
    if not first or form_of(first[0].low) != "base":
        return False
    tokens = words(left)
    found = finite(tokens)
    if found is None:
        return False
    low = tokens[found.verb].low
    return (
        low in AUXILIARIES - {"do", "don't"} or form_of(low) != "base" or any(t.low == "to" for t in tokens)
    )


_DIARY = re.compile(
    r"(?i)^(?:sold|traded|switched|changed|put|finished|started|moved|signed|got|booked|"
    r"dropped|bought|swapped|replaced|quit|left|joined)\b"
)


def _elliptic(left: str) -> bool:
    """A diary sentence without its 'I' ('Sold the car')."""
    return _DIARY.match(left.strip()) is not None


def _continues(right: str, joint: str, cues: Cues) -> str:
    """'clause' when the right side has a subject of its own, 'verb' when it shares the left one, '' when
    neither."""
    head = right[:400]
    if _ONE_CASE.match(head) and "," in joint:
        return "clause"
    tokens = words(head)
    conditional = bool(tokens) and tokens[0].low in SUBORDINATORS - {"that"}
    if conditional and re.search(r"(?i)\b(?:and|but)\b", joint) and cues.prohibition.search(head):
        return "clause"  # '..., and until the swelling is gone nobody rides her'
    if not tokens or conditional or _AFTERTHOUGHT.search(head):
        return ""
    if re.match(
        r"(?i)(?:please )?(?:you must |you may )?(?:never|do not|don't|no \w+ (?:may|is|are|must))\b", head
    ) or cues.prohibition.match(head):
        return "clause"
    conjunction = re.search(r"(?i)\b(?:and|but|yet|plus|while|whereas)\b", joint) is not None
    found = finite(tokens)
    if found is not None and _told_of(tokens, found.verb):
        return ""
    comma_end = _next_break(head, tokens)
    if found is not None and tokens[found.verb].start < comma_end and not _inside_phrase(tokens, found.verb):
        if tokens[0].low == "that" and not re.match(r"(?i)that(?:'s| is) ", head):
            return ""
        return "clause"
    if re.search(r"\bso\b", joint) and "," in joint and (imperative(head) or _BIDS.match(head)):
        return "clause"  # 'I'm left-handed, so mirror the sketches for me'
    if tokens[0].low == "please" and imperative(head):
        return "clause"
    low = (
        tokens[0].low
        if tokens[0].low not in {"also", "still", "always", "usually", "just", "now", "then"}
        else tokens[min(1, len(tokens) - 1)].low
    )
    if (
        conjunction
        and (low in AUXILIARIES or form_of(low) in {"s", "base", "past"})
        and len(tokens) > 1
        and not low.startswith("'")
    ):
        return "verb"
    return ""


_BIDS = re.compile(r"(?i)[a-z]{3,} (?:the|my|our|your|this|that|these|those|it|them|me|us)\b(?!['’])")


def _told_of(tokens: Sequence[Word], verb: int) -> bool:
    """'and the friends I've made', 'and how much joy they bring': what somebody does tells which, or how
    much, and there is no statement."""
    if tokens[0].low == "how" or (tokens[0].low == "what" and tokens[1:2] and tokens[1].low in ("a", "an")):
        return True
    who = next((t.low for t in reversed(tokens[1:verb]) if not t.low.endswith("ly")), "")
    relative = who in ("i", "we", "you", "they", "he", "she") and tokens[0].low in DETERMINERS
    return relative and finite(tokens[verb + 1 :]) is None


def _next_break(head: str, tokens: Sequence[Word]) -> int:
    stop = re.search(r",\s|;|\s(?:and|but)\s", head[tokens[0].end :])
    return (stop.start() + tokens[0].end) if stop else len(head)


def _inside_phrase(tokens: Sequence[Word], verb: int) -> bool:
    """The verb belongs to a relative clause ('and the man who sings')."""
    return any(t.low in {"who", "which", "that"} for t in tokens[1:verb])


def _subject_of(text: str) -> str:
    tokens = words(text)
    found = finite(tokens)
    if found is None or tokens[found.verb].start > 80:
        return ""
    return text[tokens[found.subject].start : tokens[found.verb].start].strip()


def _with_subject(piece: Clause, subject: str) -> Clause:
    if not subject or (finite(words(piece.text)) is not None and not _starts_with_verb(piece.text)):
        return piece
    return replace(piece, text=f"{subject} {piece.text.strip()}")


def _starts_with_verb(text: str) -> bool:
    tokens = words(text)
    return bool(tokens) and (tokens[0].low in AUXILIARIES or form_of(tokens[0].low) in {"s", "base", "past"})


def _meta(parts: list[Clause]) -> list[Clause]:
    """'..., that's settled' says something about the clause before it and is no claim of its own."""
    kept: list[Clause] = []
    for part in parts:
        if kept and _META.match(part.text.strip()):
            kept[-1] = replace(kept[-1], end=part.end, lead=f"{kept[-1].lead} {part.text.strip()}".strip())
        else:
            kept.append(part)
    return kept


def _tidy(clause: Clause) -> Clause:
    text = re.sub(r",? (?:and|but) (?:oh|ah|also|please)$", "", clause.text.rstrip(" ,;"))
    return replace(clause, text=re.sub(r"\s+", " ", text).strip())
