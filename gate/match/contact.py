"""Whether an order touches what a rule is about, short of naming act and object: ground to ask.

The guards of mood come first; here only clauses that ask for something are looked at. What counts as
contact: a word of the rule's object, recipient or place anywhere in what the text says (not in what it
denies or quotes), or the rule's act on a thing that is not named or of the same broad kind.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.constraint import MODIFIER_WEIGHT, Constraint, Part, Term
from gate.language.interlingual import class_in
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.thesaurus import noun_class
from gate.match.acts import MANY, MAYBE, NO, SURE, act_level, declines, records, tells_the_operator
from gate.match.region import Region, around, part_best
from gate.taxonomy import FAMILY_OF, LOOKING, covers, near

REACH = 2  # sentences that a pronoun may point back over
LITTLE = 3  # content words up to which a clause leans on what was said before
ACTED = 2
TWO = 2  # words of a rule that make a text speak of it
PLAIN = 0.8  # grade from which a word counts as said plainly
TOUCH = 0.45  # grade from which a word of the rule is touched
PERSON = "18"
_KINDS = frozenset(
    ("5", "6", "10", "13", "20", "21", "27")
)  # animals, things, messages, food, plants, money, stuffs


def context_keys(reading: Reading, region: Region) -> dict[str, float]:
    """What the clause may be about: its own words, and those around it where it leans on them."""
    if region.context is not None:
        return region.context
    keys = region.context = dict(region.keys)
    clauses = around(region, reading)
    short = region.clause.end - region.clause.start < 3 and not region.anaphoric
    if short or not (region.anaphoric or _says_little(reading, region)):
        near = [c for c in clauses if c.sentence == region.clause.sentence]
    else:
        near = [c for c in clauses if 0 <= region.clause.sentence - c.sentence <= REACH]
    for clause in near:
        if clause.refrains or clause.mood is Mood.QUESTION or any(hit.negated for hit in clause.hits):
            continue
        if clause is not region.clause and clause.mood.asks and clause.hits:
            continue  # another order has its own object
        for index in range(clause.start, clause.end):
            token = reading.tokens[index]
            verbal = index in reading.verb_places and not token.text.endswith("ing")
            if not token.quoted and not verbal:
                for key in token.keys:
                    keys.setdefault(key, 1.0)
    return keys


def _says_little(reading: Reading, region: Region) -> bool:
    lexicon = reading.lexicon
    small = (
        "determiner",
        "pronoun",
        "preposition",
        "conjunction",
        "auxiliary",
        "filler",
        "please",
        "generic_verb",
    )
    content = [
        i
        for i in region.own
        if reading.tokens[i].kind == "w"
        and not any(lexicon.has(group, reading.tokens[i].text) for group in small)
    ]
    return len(content) <= LITTLE


def names_said(constraint: Constraint, keys: Mapping[str, float]) -> bool:
    """Whether every slot that the rule fills with names alone has one of them among the keys."""
    for group in (constraint.objects, constraint.recipients, constraint.places):
        named = group and all(any(part.exact for part in term.parts) for term in group)
        if named and not any(_has_names(term, keys) for term in group):
            return False
    return True


def _has_names(term: Term, keys: Mapping[str, float]) -> bool:
    return all(not part.exact or not part.keys.keys().isdisjoint(keys) for part in term.parts)


def touches(constraint: Constraint, region: Region, reading: Reading, passed: bool = False) -> bool:
    """Whether the clause of `region` may be about the rule: reason enough to ask.

    `passed`: the text itself names a time in the rule's window or a value beyond its limit.
    """
    clause = region.clause
    if clause.weak or clause.refrains or constraint.paths or constraint.hosts:
        return False
    if clause.mood is Mood.FRAGMENT:
        return _in_a_list(constraint, region, reading, passed)
    if declines(constraint, clause) or tells_the_operator(constraint, region, reading):
        return False
    if records(constraint, region, reading) or _only_looks(constraint, region):
        return False
    context = context_keys(reading, region)
    if not names_said(constraint, context):
        return False
    groups = [group for group in (constraint.objects, constraint.recipients, constraint.places) if group]
    level, hit = act_level(constraint, region, reading)
    if clause.end - clause.start < 3 and (hit is None or not region.anaphoric):
        return False  # 'Cool.' 'Hang on.'
    acted = _acted(constraint, clause, hit, reading)
    if any(
        _touched(term, region, reading, context, acted) for group in groups for term in group if not term.soft
    ):
        return True
    if level >= MAYBE and _excepted_by_name(constraint, context):
        return True
    if hit is None or not 0 < len(constraint.acts) <= MANY:
        return False
    if passed and not hit.nominal:
        return True
    if level < SURE:
        return False
    return _described(constraint, hit, region, reading)


def _in_a_list(constraint: Constraint, region: Region, reading: Reading, passed: bool) -> bool:
    """An item without a verb: the rule's thing as a whole phrase, or with a value that passes its limit."""
    for term in constraint.objects or constraint.recipients or constraint.places:
        telling = [part for part in term.parts if part.weight >= 1.0]
        if term.soft or not telling:
            continue
        said = all(part_best(part, region.keys)[0] >= PLAIN for part in telling)
        if (
            said
            and (passed or len(telling) > 1 or any(part.exact for part in telling))
            and not _tells(constraint)
        ):
            return True
    return False


def _tells(constraint: Constraint) -> bool:
    return bool(constraint.acts) and all(
        FAMILY_OF.get(act) in ("tell", "disclose", "urge") for act in constraint.acts
    )


def _excepted_by_name(constraint: Constraint, context: dict[str, float]) -> bool:
    """Who has to approve or alone may do it is spoken of: 'Gunnar can taste it when he is back'."""
    return any(
        part.exact and not part.word.isdigit() and not part.keys.keys().isdisjoint(context)
        for unless in constraint.unless
        for term in unless.terms
        for part in term.parts
    )


def _acted(constraint: Constraint, clause: Clause, hit: ActHit | None, reading: Reading) -> int:
    """2: the rule's act is said, 1: one of its family is, or the verb is not known, 0: another is."""
    if reading.language != "en":
        return ACTED
    if hit is not None:
        return (
            ACTED if hit.sure and 0 < len(constraint.acts) <= MANY else MAYBE
        )  # a rule on any act says nothing by it
    known = [other for other in clause.hits if not other.nominal and not other.negated]
    if any(near(forbidden, other.act) for other in known for forbidden in constraint.acts):
        return MAYBE
    return MAYBE if not known and clause.verbs else NO


def spoken_of(constraint: Constraint, region: Region, reading: Reading, keys: Mapping[str, float]) -> bool:
    """Whether the text as a whole speaks of what the rule names, and this clause asks for something.

    `keys`: what is said in any clause that neither denies nor asks for news. Two of the rule's words, each
    by a word of its own, or its act and one word that is used of the same matters.
    """
    clause = region.clause
    if clause.weak or clause.refrains or clause.mood is Mood.FRAGMENT or constraint.paths or constraint.hosts:
        return False
    if declines(constraint, clause) or tells_the_operator(constraint, region, reading):
        return False
    if (
        records(constraint, region, reading)
        or _only_looks(constraint, region)
        or not names_said(constraint, keys)
    ):
        return False
    groups = (constraint.objects, constraint.recipients, constraint.places, constraint.qualifiers)
    said: set[str] = set()
    near_by = here = False
    for group in groups:
        for term in group:
            for part in term.parts:
                grade, key = part_best(part, keys)
                if grade >= PLAIN and part.weight >= 1.0 and not part.word.isdigit():
                    said.add(key)
                near_by = near_by or grade >= TOUCH
                here = here or (
                    grade >= PLAIN and part.weight >= 1.0 and not part.word.isdigit()
                    and clause.mood is Mood.ORDER and _definite(key, region, reading)
                )  # fmt: skip
    if len(said) >= TWO or (here and _busy(region, reading)):
        return True
    level, hit = act_level(constraint, region, reading)
    return (
        near_by
        and level == SURE
        and hit is not None
        and 0 < len(constraint.acts) <= MANY
        and not _tells(constraint)
    )


def _definite(key: str, region: Region, reading: Reading) -> bool:
    """Whether the clause's own word is of a phrase that points at one thing: 'the ...', 'our ...'."""
    at = region.where.get(key, -1)
    if at < region.clause.start or region.keys.get(key) != 1.0:
        return False
    before = reading.tokens[max(region.clause.start, at - 3) : at]
    return any(reading.lexicon.has("definite", token.text) or token.possessive for token in before)


def _busy(region: Region, reading: Reading) -> bool:
    """An order with a verb that does something to a thing: not 'come join us', 'think of ...'."""
    acts = [hit for hit in region.clause.hits if not hit.nominal and not hit.negated]
    return any(hit.act not in LOOKING for hit in acts) or not acts


def _touched(term: Term, region: Region, reading: Reading, context: dict[str, float], acted: int) -> bool:
    """A telling word of the term is said, and no other word stands where a missing one would.

    `acted`: 2 the rule's act is said, 1 it may be, 0 another is.
    """
    if any(grade * context.get(key, 0.0) >= TOUCH for key, grade in term.whole.items()):
        return True
    telling = [part for part in term.parts if part.weight >= 1.0]
    if acted == ACTED and reading.language != "en" and _same_matter(term, region):
        return True
    grades = _each_by_its_own(telling, context)
    said = [(grade, key) for grade, key in grades if grade >= TOUCH]
    if not said or 2 * len(said) < len(telling):
        return False
    missing = [part for part, (grade, _) in zip(telling, grades, strict=True) if grade < TOUCH]
    if any(part.exact for part in missing):
        return False
    here = all(key in region.keys for _, key in said)
    if not here and acted < ACTED and not (acted and _leans(region, reading)):
        return False  # another act, and the thing was spoken of before
    plain = any(grade >= PLAIN for grade, _ in said)
    if not missing:
        return acted == ACTED or plain
    if acted == ACTED:
        return missing[-1] is telling[-1] or not other_kind(grades[-1][1], region, reading)
    if acted and region.clause.mood is Mood.ORDER:
        return any(grade >= PLAIN and region.keys.get(key) == 1.0 for grade, key in said)
    head, key = grades[-1]  # half a phrase and another act: its head, and as it is called
    return head >= PLAIN and region.keys.get(key, 0.0) == 1.0


def _each_by_its_own(parts: list[Part], context: dict[str, float]) -> list[tuple[float, str]]:
    """The best grade and key of every part; a key names one of them only, the one it names best."""
    grades = [part_best(part, context) for part in parts]
    best: dict[str, float] = {}
    for grade, key in grades:
        best[key] = max(grade, best.get(key, 0.0))
    return [(grade, key) if key and grade == best[key] else (0.0, "") for grade, key in grades]


def _same_matter(term: Term, region: Region) -> bool:
    """'que la redacción se muda' for 'la mudanza de la redacción': whose it is, is said as it stands."""
    owners = [part for part in term.parts if part.weight == MODIFIER_WEIGHT]
    return bool(owners) and all(part_best(part, region.keys)[0] >= PLAIN for part in owners)


def _leans(region: Region, reading: Reading) -> bool:
    """'Make it happen', 'sort that out': the clause says nothing of its own."""
    lexicon, clause = reading.lexicon, region.clause
    return region.anaphoric and any(
        lexicon.has("generic_verb", reading.tokens[at].text) for at in clause.verbs
    )


def other_kind(head_key: str, region: Region, reading: Reading) -> bool:
    """The rule's head noun is said with another word before it: 'the south apse' for 'the north apse'."""
    index = region.where.get(head_key, -1)
    if index < 1:
        return False
    before = reading.tokens[index - 1]
    lexicon = reading.lexicon
    small = ("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "generic")
    return before.kind == "w" and not any(lexicon.has(group, before.text) for group in small)


def _only_looks(constraint: Constraint, region: Region) -> bool:
    verbs = [hit for hit in region.clause.hits if not hit.nominal]
    if constraint.acts.keys() & LOOKING or not verbs:
        return False
    return all(hit.act in LOOKING or hit.negated for hit in verbs)


def _described_elsewhere(constraint: Constraint, hit: ActHit, region: Region, reading: Reading) -> bool:
    """Other languages know the classes of fewer nouns: the act alone is ground to ask, unless its thing is
    known to be of another class; what is told can be anything."""
    if any(FAMILY_OF.get(act) in ("tell", "disclose") for act in constraint.acts):
        names = [i for i in region.names if i > hit.start]
        return bool(names) and any(
            term.klass == PERSON for term in (*constraint.objects, *constraint.recipients)
        )
    if not any(covers(forbidden, hit.act) for forbidden in constraint.acts):
        return False  # a rule on using covers much: only what it names is ground to ask
    classes = {term.klass for term in constraint.objects}
    head = _direct_object(hit, region, reading)
    said = class_in(reading.tokens[head].text, reading.language) if head is not None else None
    return said is None or None in classes or not classes or said in classes


def _described(constraint: Constraint, hit: ActHit, region: Region, reading: Reading) -> bool:
    """The act is done to somebody by name, and the rule names a kind of person."""
    if reading.language != "en":
        return _described_elsewhere(constraint, hit, region, reading)
    persons = [
        term for term in (*constraint.objects, *constraint.recipients)
        if term.klass == PERSON and not any(part.exact for part in term.parts)
    ]  # fmt: skip
    names = [i for i in region.names if i >= hit.end and i != region.clause.start]
    if persons and names:
        return True
    head = _direct_object(hit, region, reading)
    if head in names and constraint.objects and FAMILY_OF.get(hit.act) not in ("tell", "disclose", "acquire"):
        return True  # 'Hire out the Seagull': what has a name of its own may be of any kind
    if any(FAMILY_OF.get(act) in ("tell", "disclose") for act in constraint.acts):
        return False  # anything can be told: the act says nothing about what
    unknown = [term for term in (*constraint.objects, *constraint.recipients) if term.klass is None]
    if hit.sure and any(len(term.parts) == 1 and not term.parts[0].exact for term in unknown):
        return True  # a word that no dictionary knows may be meant by any other
    classes = {term.klass for term in constraint.objects if term.klass} & _KINDS
    if (
        not hit.sure
        or not classes
        or not any(reading.lexicon.has("determiner", reading.tokens[i].text) for i in region.own)
    ):
        return False
    return head is not None and noun_class(reading.tokens[head].text) in classes


def _direct_object(hit: ActHit, region: Region, reading: Reading) -> int | None:
    """The head of the noun phrase right after the verb."""
    lexicon, tokens = reading.lexicon, reading.tokens
    head = None
    for index in range(hit.start + 1, region.clause.end):
        token = tokens[index]
        if (
            token.kind != "w"
            or lexicon.has("preposition", token.text)
            or lexicon.has("conjunction", token.text)
        ):
            break
        if not any(lexicon.has(group, token.text) for group in ("determiner", "pronoun", "filler", "adverb")):
            head = index
    return head
