"""What passes: moods, noises, verdicts and remarks that hold for a moment and that nobody asks for (English).

A clause with a figure never passes, and one with a name after its verb only as a verdict: 'the bakery is
closing on 3 May' and 'the guide is calling from Oslo' tell something. Words are data:
`configs/formation/passing-en.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from partner.formation.data import load
from partner.formation.grammar import ADVERBS, DETERMINERS, PREPOSITIONS, finite
from partner.formation.verbs import form_of
from partner.formation.words import Word, listed, words

_LINKING = listed("""is are am was were 's 're 'm be been being feel feels felt look looks looked seem seems
    seemed sound sounds sounded taste tastes tasted smell smells smelled get gets got getting went turned""")
_BE_NOW = listed("is are am 's 're 'm")
_BE_THEN = listed("was were")
_DEGREE = ADVERBS | listed("""so very too quite rather pretty really incredibly absolutely totally utterly a
    bit little such an the way far much""")
_REMARK = re.compile(
    r"(?i)^(?:some|most|many|other) (?:people|folks?|days?|things?|guys|men|women|kids|years?|nights?|"
    r"mornings?)\b"
    r"|^(?:every(?:one|body|thing)|no(?:body|thing)|people|life|time|love|money) (?:is|are|seems?|looks?|"
    r"feels?|flies|"
    r"goes|has|have|ever|tells?|wants?|loves?|hates?)\b"
    r"|^that(?:'s| is) (?:all|it|enough|plenty)\b|\b(?:that's|that is) all for (?:today|now)\b"
    r"|^(?:we|you|time)(?:['’]ll| will) (?:just )?(?:see|tell)\b"
    r"|^(?:looks?|sounds?|feels?|smells?|seems?) like\b"
)
_COURTEOUS = re.compile(
    r"(?i)^(?:i|we)(?:['’]ll| will) (?:definitely |surely |certainly |totally |always |be sure to )*"
    r"(?:let you know|keep (?:that|it|this|you) (?:in mind|posted|updated)|be honest|"
    r"check (?:it|that|them|those) out|"
    r"give (?:it|that|them) a (?:try|go|shot))\b"
    r"|^(?:i|we)(?:['’]d| would) love to (?:take a look|hear|know more|see (?:it|that|them|those|some)|"
    r"check (?:it|that|them|those) out|join you)\b"
    r"|^(?:i|we) (?:totally |really |completely |so )?(?:get (?:it|that|you)|hear you|feel you|"
    r"know the feeling|know (?:what|how) you (?:mean|feel))\b"
    r"|^(?:\w+,? )?(?:i |we )?(?:can['’]t|cannot) wait\b"
)
_STAGED = re.compile(r"\[[^\]]{3,}\]\.?")  # '[shares a photo of a dog]': what is done, not said
_FEELING = re.compile(
    r"(?i)^(?:i|we)(?:['’]m| am|['’]re| are| was| were) (?:\w+ ){0,2}?"
    r"(?:in (?:such )?an? (?:\w+ )?(?:mood|state|daze|panic|slump)|over the moon|on cloud nine|"
    r"running (?:late|behind)|"
    r"under the weather|on edge|at a loss|out of (?:breath|sorts|ideas)|at my wits['’]? end|fed up|"
    r"worn out|wiped out|"
    r"burnt out|burned out|all over the place|on my (?:first|second|third|fourth|\w+th) \w+|"
    r"lost for words|speechless)\b"
    r"|^(?:i|we) (?:\w+(?:ed|ept)|agree|disagree|swear|promise|confess|shiver|yawn)[.!]*$"
    r"|^(?:i|we)(?:['’]m| am|['’]re| are) (?:\w+ )?(?:on|in|at) (?:the|my|a) (?:train|bus|tram|plane|"
    r"phone|loo|bath|shower|car|"
    r"road|way|lift|queue|line|kitchen|garden|balcony|sofa|couch|checkout)\b(?! to \w)"
    r"|^(?:i|we)(?:['’]ve| have) (?:got to|just|been \w+ing)\b(?!.*\b(?:since|year|month|decided|agreed|"
    r"signed|bought|sold|"
    r"moved|joined|hired|started|stopped|switched|changed|become|learn\w*|liv|work|teach|train|us|play|"
    r"stud|sav|"
    r"try)\w*)"
    r"|^(?:i|we) keep \w+ing\b"
    r"|^(?:i|we) (?:feel|felt|miss|envy|pity|dread|adore this|crave)\b"
    r"|^(?:i|we)(?:['’]ve| have) (?:had (?:enough|it|my fill)|lost my \w+|run out of (?:steam|patience|"
    r"ideas|words))\b"
    r"|^(?:i|we) (?:can['’]?t|cannot|could(?:n['’]t| not)|don['’]t|do not|"
    r"didn['’]t) (?:\w+ ){0,2}?(?:concentrate|focus|sleep|"
    r"think straight|breathe|get (?:it|that|this|over)|understand|follow|see why|see how|be bothered|"
    r"keep my eyes|"
    r"find (?:my|the) (?:glasses|keys|words|phone)|stop (?:laughing|crying|yawning|sneezing))\b"
)
_ILL = re.compile(
    r"(?i)^(?:i|we)(?:['’]ve| have)? (?:got |have |had |caught )+(?:an?|the|some|"
    r"such an?) (?P<what>[\w' -]{3,40})"
)
_ONE_OFF = re.compile(
    r"(?i)\b(?:this time|just this once|for once|this once|for this one)[.!]*$|\byet another\b"
    r"|,? (?:typical(?:ly)?|as (?:always|usual|ever)|of course|obviously|what else|go figure|"
    r"no surprise there)[.!]*$"
    r"|\bso \w+ (?:that )?(?:i|we|he|she|they|it|you|my|the) \w+"
)
_YOUR_WORK = re.compile(
    r"(?i)^your (?:\w+ )?(?:answers?|repl(?:y|ies)|summar(?:y|ies)|drafts?|texts?|versions?|suggestions?|"
    r"ideas?|jokes?|tables?|"
    r"translations?) (?:is|are|was|were|looks?|sounds?|reads?)\b"
)


@cache
def _listed(name: str) -> frozenset[str]:
    return listed(load("passing-en")[name])


def passes(text: str) -> bool:
    """Whether a clause says what holds for a moment only, or what one thinks of it."""
    if _STAGED.fullmatch(text):
        return True
    if re.search(r"\d", text):
        return False
    if _COURTEOUS.match(text):
        return True
    if _REMARK.search(text) or _FEELING.match(text) or _YOUR_WORK.match(text) or _ONE_OFF.search(text):
        return True
    ill = _ILL.match(text)
    if ill and not _listed("ailments").isdisjoint(ill["what"].lower().split()):
        return True
    tokens = words(text)
    found = finite(tokens)
    return found is not None and (_verdict(tokens, found.verb) or _under_way(tokens, found.verb))


def _verdict(tokens: Sequence[Word], verb: int) -> bool:
    """'The view from here is stunning': behind a linking verb nothing but a verdict and its measure."""
    if tokens[verb].low not in _LINKING:
        return False
    rest = [t for t in tokens[verb + 1 :] if t.low not in _DEGREE and t.low not in _LINKING]
    if not rest or rest[0].low not in _listed("verdicts"):
        return bool(rest) and rest[0].low in _listed("verdict_nouns") and len(rest) == 1
    after = rest[1:]
    if (
        after
        and after[0].low == "of"
        and not (len(after) > 1 and after[1].low in DETERMINERS | {"it", "you", "them"})
    ):
        return False  # 'I'm scared of heights' says what one is like
    if after and after[0].low not in PREPOSITIONS | {"this", "today", "that", "though", "and", "out"}:
        return (
            len(after) == 1 and not after[0].capital and tokens[0].low != "the"
        )  # 'Cats are funny creatures'
    return not any(t.capital for t in after)


def _under_way(tokens: Sequence[Word], verb: int) -> bool:
    """'The phone is ringing', 'we were chatting', 'I'm just making a sandwich', 'my tea is getting cold'."""
    low = tokens[verb].low
    if low not in _BE_NOW and low not in _BE_THEN:
        return False
    after = [t for t in tokens[verb + 1 :] if t.low not in ADVERBS]
    if not after or any(t.capital for t in after[1:]):
        return False
    if after[0].low in _listed("momentary"):
        return True
    if form_of(after[0].low) != "ing":
        return False
    just = any(t.low == "just" for t in tokens[verb + 1 : verb + 3])
    if after[0].low == "getting":
        return len(after) > 1 and after[1].low not in DETERMINERS and form_of(after[1].low) != "past"
    return just or (low in _BE_THEN and len(after) < 8)
