"""How surely a clause asks for what a rule forbids."""

from __future__ import annotations

from functools import lru_cache

from gate.constraint import Constraint
from gate.language.lexicon import load
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.match.doings import allowed_by_word, does_its_noun, does_something, listed, puts_in_place, sells
from gate.match.ending import KEPT_HERE, ends_it
from gate.match.region import Region
from gate.taxonomy import EFFECTS, FAMILY_OF, LOOKING, REVERSES, covers

SURE, MAYBE, NO = 2, 1, 0
LETTERS = 3  # of a noun that may head a compound
MANY = 15  # a rule on more acts than these is a rule on its object
RECORDING = frozenset(  # acts that may be about what has been
    ("write", "insert", "mention", "notify", "reveal", "enrol", "check", "read", "email", "send", "message",
     "publish", "discuss", "store", "summarise", "reply", "share", "sign", "recommend", "search")
)  # fmt: skip
_WRITING = frozenset(
    ("write", "insert", "mention", "enrol", "notify", "reveal", "publish", "print", "read", "discuss")
)
_DECLINING = frozenset(("reject", "cancel", "refrain"))
_NO_RECORD = frozenset(
    (
        "send",
        "email",
        "message",
        "call",
        "delete",
        "remove",
        "discard",
        "destroy",
        "publish",
        "forward",
        "cancel",
    )
)
_CHANNELS = frozenset(("call", "email", "message", "invite", "print"))
PLANNED = frozenset(("schedule", "book", "rent", "invite", "postpone", "order", "enrol"))
_ENTERING = frozenset(("enter", "insert", "enrol", "schedule"))
_LIGHT = PLANNED | {
    *(
        "create",
        "send",
        "give",
        "execute",
        "start",
        "approve",
        "offer",
        "insert",
        "store",
        "fetch",
        "set",
        "use",
    ),
    *("pay", "buy", "accept", "assign"),
}


def act_level(constraint: Constraint, region: Region, reading: Reading) -> tuple[int, ActHit | None]:
    """How surely the clause asks for the forbidden act, and the words that do."""
    clause = region.clause
    if clause.refrains or tells_the_operator(constraint, region, reading):
        return NO, None
    said = says_its_verb(constraint, clause, reading) or does_its_noun(constraint, clause, reading)
    if said and clause.mood is not Mood.FRAGMENT:
        return MAYBE if clause.tentative else SURE, None
    if declines(constraint, clause) or ends_it(constraint, clause, reading):
        return NO, None
    if records(constraint, region, reading):
        return NO, None
    most = MAYBE if _tells_a_denial(constraint, region, reading) else SURE
    best, chosen = NO, None
    for hit in clause.hits:
        level = _hit_level(constraint, hit, clause)
        if puts_in_place(constraint, hit, region, reading) or sells(constraint, hit, clause, reading):
            level = SURE
        level = min(level, most)
        if level > best:
            best, chosen = level, hit
    if best == NO:
        best = _unknown_verb(constraint, region, reading)
    if best == MAYBE and constraint.has_things and _same_verb(constraint, clause, reading):
        best = SURE
    if best < SURE and constraint.has_things and allowed_by_word(constraint, region, reading):
        best = SURE
    if clause.mood is Mood.FRAGMENT:
        best = SURE if listed(constraint, region, reading) else min(best, MAYBE)
    if not constraint.has_things and (
        (best < SURE and chosen is None) or (chosen is not None and chosen.inferred)
    ):
        return NO, None  # a rule on an act alone needs the act itself
    return best, chosen


def _same_verb(constraint: Constraint, clause: Clause, reading: Reading) -> bool:
    """'Post the lenses' for a rule on posting them: the word itself, whichever of its acts was meant."""
    if clause.tentative or clause.weak or any(hit.negated for hit in clause.hits):
        return False
    lexicon, tokens = reading.lexicon, reading.tokens
    if lexicon.language != "en" or constraint.language != "en":
        return False
    said = {tokens[at].stem for at in clause.verbs} - _empty_verbs("en")
    if said.isdisjoint(_bases(constraint.verbs)):
        return False
    last = clause.end - 1
    parted = any(
        lexicon.has("particle", tokens[at].text)
        and (at == last or lexicon.has("preposition", tokens[at + 1].text))
        for at in range(clause.start, clause.end)
    )
    return not parted  # 'copy her in on the mail': another verb


@lru_cache(maxsize=8)
def _empty_verbs(language: str) -> frozenset[str]:
    stems = load(language).stems
    return stems.get("generic_verb", frozenset()) | stems.get("empty_verb", frozenset())


@lru_cache(maxsize=1024)
def _bases(verbs: str) -> frozenset[str]:
    """The stems of a rule's English verbs as it lists them; many rules have the same."""
    return frozenset(map(load("en").base, verbs.split()))


def says_its_verb(constraint: Constraint, clause: Clause, reading: Reading) -> bool:
    """Whether the clause orders a verb that no act covers and that the rule names ('dig', 'repot')."""
    denied = any(hit.negated for hit in clause.hits)
    return not denied and any(f"do:{reading.tokens[at].stem}" in constraint.acts for at in clause.verbs)


def tells_the_operator(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Tell me', 'send us': what goes to the operator alone is no message to anybody."""
    if not goes_to_the_operator(region, reading):
        return False
    sent = any(hit.act in ("send", "email") and not hit.nominal for hit in region.clause.hits)
    if sent and "upload" in constraint.acts:
        return False
    return all(FAMILY_OF.get(act) != "urge" for act in constraint.acts)  # advice to the operator is advice


def goes_to_the_operator(region: Region, reading: Reading) -> bool:
    """Whether the clause asks that something be told, shown or made, and for nobody but the operator."""
    if "mine" not in region.kept:
        region.kept["mine"] = _goes_to_the_operator(region, reading)
    return region.kept["mine"]


def _goes_to_the_operator(region: Region, reading: Reading) -> bool:
    verbs = [hit.act for hit in region.clause.hits if not hit.nominal and not hit.negated]
    families = (
        ("tell", "disclose", "inspect")
        if reading.language == "en"
        else ("tell", "disclose", "inspect", "make")
    )
    if not verbs or not any(FAMILY_OF.get(act) in families for act in verbs):
        return False
    if reading.language == "en" and not all(FAMILY_OF.get(act) in families for act in verbs):
        return False
    lexicon, clause = reading.lexicon, region.clause
    tokens = reading.tokens
    mine = [
        i
        for i in range(clause.start, clause.end)
        if lexicon.has("operator", tokens[i].text) or lexicon.to_me(tokens[i].text)
    ]
    if not mine or any(i != clause.start for i in region.names):
        return False
    return not any(
        lexicon.has("to_prep", tokens[i].text) and i + 1 not in mine and tokens[i].text != "for"
        for i in range(clause.start, clause.end)
    )


def records(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Put that in the minutes', 'note that ... yesterday': a report is written down, no more."""
    if "recorded" not in region.kept:
        region.kept["recorded"] = _recorded(region, reading)
    noted, told, nouns = region.kept["recorded"]
    if noted or (told and not (_is_on_telling(constraint) and len(constraint.acts) <= MANY)):
        return True
    if not nouns:
        return False
    terms = (*constraint.objects, *constraint.recipients, *constraint.places)
    about = {key for term in terms for part in term.parts for key, grade in part.keys.items() if grade >= 0.9}
    if any(key in about for i in nouns for key in reading.tokens[i].keys):
        return False  # the very thing that the rule is about
    return region.anaphoric


def _recorded(region: Region, reading: Reading) -> tuple[bool, bool, list[int]]:
    """What `records` asks of a clause, whatever the rule: whether it notes a report, whether it tells of
    what was, and its nouns of a record."""
    clause = region.clause
    written = {hit.start for hit in clause.hits if hit.act in _WRITING}  # 'schreib' may be both
    for hit in clause.hits:
        if hit.act in _NO_RECORD and not hit.nominal and hit.sure and hit.start not in written:
            return False, False, []
    nouns = _record_nouns(clause, reading)
    return _notes_a_report(region, reading), _tells_of_what_was(region, reading), nouns


def _tells_a_denial(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Say that we don't give that out': what is told is that nothing is."""
    after = region.position + 1
    if after >= len(reading.clauses) or len(constraint.acts) > MANY:
        return False
    told = reading.clauses[after]
    if told.mood is not Mood.CONTENT or told.sentence != region.clause.sentence:
        return False
    telling = all(FAMILY_OF.get(act) in ("tell", "disclose", "urge") for act in constraint.acts)
    denied = any(hit.negated for hit in told.hits) and all(hit.negated or hit.nominal for hit in told.hits)
    return telling and bool(constraint.acts) and denied


def _record_nouns(clause: Clause, reading: Reading) -> list[int]:
    """'the log', 'Wartungsbuch': nouns of a record, in German as the head of a compound, too."""
    nouns = reading.lexicon.words.get("record_noun", frozenset())
    compounds = reading.language == "de"
    return [
        at
        for at, token in enumerate(reading.tokens[clause.start : clause.end], clause.start)
        if (token.text in nouns or (compounds and token.noun and _heads(token.text, nouns)))
        and at not in reading.verb_places
    ]


def _heads(text: str, nouns: frozenset[str]) -> bool:
    return any(len(noun) > LETTERS and text.endswith(noun) for noun in nouns)


def _is_on_telling(constraint: Constraint) -> bool:
    return any(FAMILY_OF.get(act) in ("tell", "disclose") for act in constraint.acts)


def _tells_of_what_was(region: Region, reading: Reading) -> bool:
    """'Somebody moved it; write that in the log': a pronoun is written down, for what was told before."""
    clause, lexicon = region.clause, reading.lexicon
    verbs = [hit for hit in clause.hits if not hit.nominal and not hit.negated]
    if any(hit.sure and hit.act == "write" for hit in verbs):
        verbs = [hit for hit in verbs if hit.sure]  # 'write it down': what 'down' may be besides
    if (
        lexicon.language != "en"
        or not verbs
        or not {hit.act for hit in verbs} <= _WRITING
        or not region.position
    ):
        return False
    after = max(hit.start for hit in verbs) + 1
    if after >= clause.end or reading.tokens[after].text not in ("it", "that", "this", "them"):
        return False
    return any(
        token.text in lexicon.irregular or token.text.endswith("ed") or lexicon.has("past", token.text)
        for before in reading.clauses[: region.position]
        if before.sentence == reading.clauses[region.position - 1].sentence
        and before.mood in (Mood.STATEMENT, Mood.FRAGMENT)
        for token in reading.tokens[before.start : before.end]
    )


def _notes_a_report(region: Region, reading: Reading) -> bool:
    """A verb of noting with what is noted in a clause of its own."""
    lexicon, after = reading.lexicon, region.position + 1
    if after >= len(reading.clauses) or reading.clauses[after].mood is not Mood.CONTENT:
        return False
    verbs = lexicon.stems.get("noting", frozenset())
    return any(reading.tokens[i].stem in verbs for i in range(region.clause.start, region.clause.end))


def declines(constraint: Constraint, clause: Clause) -> bool:
    """The clause's own verb undoes or declines what is forbidden, and no other verb does it."""
    verbs = [hit for hit in clause.hits if not hit.nominal and not hit.negated]
    if any(forbids(constraint, hit.act) for hit in verbs if hit.sure and hit.act not in _DECLINING):
        first = min(hit.start for hit in verbs)
        leading = [hit.act for hit in verbs if hit.start == first]
        covered = any(forbids(constraint, other) for other in leading)
        return not covered and any(act in _DECLINING for act in leading)
    if not verbs:
        return False
    if constraint.any_act:
        set_to = {hit.start for hit in verbs if hit.act == "set" and hit.sure}  # 'turn it down to 17'
        return any(hit.act == "refrain" or (hit.act == "reject" and hit.start not in set_to) for hit in verbs)
    return any(
        hit.act not in constraint.acts
        and (hit.act in _DECLINING or any(hit.act in REVERSES.get(act, ()) for act in constraint.acts))
        for hit in verbs
    )


def forbids(constraint: Constraint, act: str) -> bool:
    """Whether an act is among the rule's; a list of many acts is meant as it stands, with nothing implied."""
    if len(constraint.acts) > MANY or constraint.verbs == KEPT_HERE:
        return act in constraint.acts
    return any(covers(forbidden, act) for forbidden in constraint.acts)


def _hit_level(constraint: Constraint, hit: ActHit, clause: Clause) -> int:
    if hit.negated:
        return NO
    if constraint.any_act or "use" in constraint.acts:
        if hit.nominal or hit.act not in EFFECTS:
            return NO
        return SURE if hit.sure and hit.act != "leave" else MAYBE  # 'leave the cables': alone, or to somebody
    if not forbids(constraint, hit.act):
        return NO
    if not hit.nominal:
        return SURE if hit.sure else MAYBE
    return _nominal_level(constraint, hit, clause)


def _nominal_level(constraint: Constraint, hit: ActHit, clause: Clause) -> int:
    """A noun of the act is the act under a light verb, and is not when declined or looked at."""
    governing = [other for other in clause.hits if not other.nominal and other.start < hit.start]
    if not governing:
        return SURE if clause.mood in (Mood.FRAGMENT, Mood.WISH) or not clause.verbs else MAYBE
    acts = {other.act for other in governing if other.sure} or {other.act for other in governing}
    if acts & _DECLINING:
        return NO
    if acts <= LOOKING | {"translate", "print", "delete", "remove"}:
        return NO
    if hit.act in PLANNED and acts & _ENTERING:
        return SURE  # 'enter the booking of the scouts'
    return SURE if acts & _LIGHT else MAYBE


def _only_is(reading: Reading, at: int) -> bool:
    lexicon, text = reading.lexicon, reading.tokens[at].text
    return lexicon.has("auxiliary", text) or text in ("be", "been", "being")


def _unknown_verb(constraint: Constraint, region: Region, reading: Reading) -> int:
    """An order whose verb no act covers may be anything; one of a known other act may still be meant."""
    clause, lexicon = region.clause, reading.lexicon
    known = [hit for hit in clause.hits if not hit.nominal]
    if lexicon.language == "en" and not known and all(_only_is(reading, at) for at in clause.verbs):
        return NO  # 'it could be fun'
    if clause.mood is Mood.FRAGMENT or clause.weak or any(hit.negated for hit in known):
        return NO
    if known and all(hit.act in LOOKING for hit in known):
        return NO
    if known and constraint.verbs == KEPT_HERE and all(hit.sure and not hit.inferred for hit in known):
        return NO  # 'sort the letters': they stay where they are
    if not known and (constraint.any_act or "use" in constraint.acts) and does_something(clause, reading):
        return SURE
    if constraint.acts.keys() & _CHANNELS and known and all(hit.act in _CHANNELS for hit in known):
        return NO  # 'no calls' is no rule on letters
    channelled = constraint.acts and _CHANNELS.issuperset(constraint.acts)
    if channelled and any(hit.sure and hit.act in _CHANNELS for hit in known):
        return NO  # 'schreib ihr eine Mail', whatever 'schreib' may be besides
    if constraint.acts and all(FAMILY_OF.get(act) == "tell" for act in constraint.acts):
        speech = lexicon.stems.get("speech", frozenset())
        return MAYBE if any(reading.tokens[i].stem in speech for i in region.own) else NO
    return MAYBE
