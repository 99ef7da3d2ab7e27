"""What a rule names: things, to whom, where, and what says which of the things are meant."""

from __future__ import annotations

from dataclasses import replace

from gate.compile.opening import Opening
from gate.compile.phrases import is_proper, terms_of
from gate.compile.verbs import RuleActs
from gate.constraint import Term
from gate.language.reading import Reading
from gate.language.thesaurus import ANIMAL, GROUP, PERSON, noun_class
from gate.taxonomy import FAMILY_OF

_WITH_SOMEBODY = frozenset(("tell", "disclose", "urge", "acquire", "plan", "part", "place", "general"))
TWO = 2
_SPENDING = frozenset(
    ("pay", "invest", "discuss", "criticise", "advise")
)  # 'spend on', 'bet on', 'comment on'
_FEEDING = frozenset(("feed", "treat"))
_GIVING = _FEEDING | {"give", "hand_out"}
_SAYING = frozenset(
    ("notify", "reveal", "mention", "discuss", "publish", "promise", "write", "send", "email")
)


def named_terms_of(
    reading: Reading,
    opening: Opening,
    taken: set[int],
    acts: RuleActs,
    subject: tuple[int, int],
    rest: tuple[int, int],
) -> tuple[tuple[Term, ...], tuple[Term, ...], tuple[Term, ...], tuple[Term, ...]]:
    """Objects, recipients, places and qualifiers of a rule; `taken` are tokens that another slot used,
    `subject` and `rest` the ranges of its subject and of what follows its acts."""
    tokens, lexicon = reading.tokens, reading.lexicon
    direct: list[int] = list(acts.modifiers) + [i for i in range(*subject) if i not in taken]
    recipients: list[int] = []
    places: list[int] = []
    qualifiers: list[int] = []
    target = places if opening.state == "out of" else direct
    told = False
    for index in range(*rest):
        token = tokens[index]
        if index in taken:
            continue
        if qualifiers or _describes(reading, index, target, acts) or _unread_time(reading, index):
            qualifiers.append(index)
            continue
        if lexicon.language == "en" and token.text == "as" and direct and index + 1 < rest[1]:
            qualifiers.append(index)
            continue  # 'never send it as a Word file'
        if _in_what_manner(reading, index) and (direct or acts.acts):
            qualifiers.append(index)
            break  # 'never unlock the door remotely'
        if token.text == "with" and target is direct and _anything(reading, direct):
            continue  # 'anything with her face on it'
        of = target is direct and _tells_of(reading, index, direct, acts)
        if of or (target is direct and _second_object(reading, acts, index, direct)):
            recipients, direct = [*recipients, *direct], [] if of else [index]
            target, told = direct, True
            continue
        if told and lexicon.has("to_prep", token.text):
            continue  # 'the code to the vault'
        if _next_to(reading, index):
            target = places
            continue
        if lexicon.has("to_prep", token.text) and not (
            acts.placing and lexicon.has("place_prep", token.text) and not _people(reading, index + 1)
        ):
            target = recipients
            continue
        if lexicon.has("on_prep", token.text) and acts.acts.keys() & _SPENDING:
            continue
        if lexicon.has("place_prep", token.text) and (direct or acts.acts):
            target = places
            continue
        if lexicon.has("place_adverb", token.text) and _ends_phrase(reading, index) and (direct or acts.acts):
            places.append(index)
            continue  # 'never post lenses abroad'
        if lexicon.has("of_prep", token.text):
            target = target if target is not direct else direct
            continue
        if target and target is not direct and not direct and _starts_object(reading, index):
            target = direct
        target.append(index)
    if opening.kind == "touch":
        direct, recipients, places = direct + recipients + places, [], []
    denied = any(lexicon.has("negator", tokens[i].text) for i in qualifiers)
    qualifiers = [i for i in qualifiers if not lexicon.has("circumstance", tokens[i].text)]
    make = [terms_of(reading, indices) for indices in (direct, recipients, places, qualifiers)]
    said = tuple(replace(term, denied=denied) for term in make[3])
    where = tuple(replace(term, soft=False) for term in make[2])  # 'at work' is a place
    things = () if _any_goods(reading, direct, (*make[1], *where)) else _together(reading, subject, make[0])
    return things, make[1], where, said


def _any_goods(reading: Reading, direct: list[int], others: tuple[Term, ...]) -> bool:
    """'Never order supplies from Kestrel': beside a name from or to whom, such a word is whatever it is."""
    goods = reading.lexicon.words.get("any_goods", frozenset())
    named = any(part.exact for term in others for part in term.parts)
    return named and bool(direct) and all(reading.tokens[index].text in goods for index in direct)


def _together(reading: Reading, subject: tuple[int, int], objects: tuple[Term, ...]) -> tuple[Term, ...]:
    """'The Brandts and the Kellers may not sit at the same table': both are meant, as one."""
    lexicon, tokens = reading.lexicon, reading.tokens
    joined = any(lexicon.has("conjunction", tokens[i].text) for i in range(*subject))
    apart = any(lexicon.has("together", token.text) for token in tokens[subject[1] :])
    if len(objects) != TWO or not joined or not apart:
        return objects
    first, second = objects
    return (Term(words=f"{first.words} and {second.words}", parts=first.parts + second.parts),)


def _second_object(reading: Reading, acts: RuleActs, index: int, direct: list[int]) -> bool:
    """'tell guests the code': a determiner after a noun begins what is told to the first."""
    text = reading.tokens[index].text
    if direct == [index - 1] and _name_and_thing(reading, index, acts):
        return True  # 'give Bruno painkillers'
    if direct and direct[-1] == index - 1 and _people_and_thing(reading, index, acts):
        return True
    follow = reading.tokens[index + 1].text if index + 1 < len(reading.tokens) else ""
    if (
        not direct
        or not reading.lexicon.has("determiner", text)
        or reading.lexicon.has("preposition", text)
        or (reading.lexicon.has("relative", text) and reading.lexicon.has("auxiliary", follow))
    ):
        return False  # 'a unit that hasn't been checked': it says which
    telling = any(FAMILY_OF.get(act) in ("tell", "disclose", "part", "urge") for act in acts.acts)
    before = reading.tokens[index - 1]
    return (
        telling
        and index - 1 in direct
        and before.kind == "w"
        and not before.possessive
        and not (reading.lexicon.has("determiner", before.text))
    )


def _tells_of(reading: Reading, index: int, direct: list[int], acts: RuleActs) -> bool:
    """'tell the landlord about the cat': behind whom it is told, what."""
    lexicon = reading.lexicon
    if lexicon.language != "en" or not direct or not lexicon.has("telling_of", reading.tokens[index].text):
        return False
    telling = any(FAMILY_OF.get(act) in ("tell", "disclose") for act in acts.acts)
    return telling and noun_class(reading.tokens[direct[-1]].text) in (PERSON, GROUP)


def _people_and_thing(reading: Reading, index: int, acts: RuleActs) -> bool:
    """'feed the ducks bread', 'give toddlers whole grapes': several who get something, and what they get."""
    lexicon, before, token = reading.lexicon, reading.tokens[index - 1], reading.tokens[index]
    given = any(
        FAMILY_OF.get(act) in ("tell", "disclose", "part", "urge") or act in _FEEDING for act in acts.acts
    )
    if lexicon.language != "en" or not given or before.possessive or token.kind != "w":
        return False
    if noun_class(lexicon.irregular.get(before.text, before.text)) not in (PERSON, GROUP, ANIMAL):
        return False
    if lexicon.has_any(("preposition", "conjunction", "auxiliary", "determiner", "subordinator"), token.text):
        return False
    several = before.text.endswith("s") and before.text != before.stem
    if several or lexicon.has("plural_only", before.text):
        return noun_class(token.text) not in (PERSON, None) or _before_noun(reading, index)
    definite = index > 1 and lexicon.has("definite", reading.tokens[index - 2].text)
    animal = noun_class(before.text) == ANIMAL  # 'the guest list' is one thing
    if not definite or not animal or acts.acts.keys().isdisjoint(_GIVING):
        return False
    return not _before_noun(reading, index) and noun_class(token.text) != PERSON


def _before_noun(reading: Reading, index: int) -> bool:
    """Whether the word at `index` describes the noun behind it ('whole grapes')."""
    follow = reading.tokens[index + 1] if index + 1 < len(reading.tokens) else None
    return follow is not None and follow.kind == "w" and noun_class(follow.text) not in (PERSON, None)


def _name_and_thing(reading: Reading, index: int, acts: RuleActs) -> bool:
    """Whether a name stands before a common noun, behind a verb of giving or telling."""
    lexicon, before, token = reading.lexicon, reading.tokens[index - 1], reading.tokens[index]
    given = any(FAMILY_OF.get(act) in ("tell", "part") for act in acts.acts)
    if lexicon.language != "en" or not given or before.possessive or reading.is_upper(token):
        return False
    return is_proper(reading, index - 1) and noun_class(token.text) is not None


def _describes(reading: Reading, index: int, target: list[int], acts: RuleActs) -> bool:
    """'a hen that is still laying', 'animals we haven't examined': a clause that says which are meant."""
    token, lexicon = reading.tokens[index], reading.lexicon
    if lexicon.language != "en":
        return False
    if lexicon.has("circumstance", token.text):
        return True  # 'must not run when the wind ...', 'while they are in bloom'
    before = reading.tokens[index - 1].text
    beside = not target or target[-1] >= index - 2
    if (
        token.text == "with"
        and beside
        and (not _reaching(acts) or lexicon.has("anyword", before) or not _somebody(reading, index + 1))
    ):
        return not _anything(reading, target)  # 'no refuelling with passengers on board'
    if lexicon.has("circumstance_prep", token.text) and index - 1 in acts.used and target:
        return True  # 'the gate is never opened after dark'
    if not target or not beside:
        return False
    if lexicon.has("circumstance_prep", token.text):
        return True  # 'a fee after delivery'
    if lexicon.has("describing", token.text):
        follow = reading.tokens[index + 1].text if index + 1 < len(reading.tokens) else ""
        told = lexicon.has("that", token.text) and not lexicon.has("auxiliary", follow)
        return not (told and acts.acts.keys() & _SAYING)
    if lexicon.has("describing", reading.tokens[index - 1].text):
        return False  # 'tell customers that we use frozen dough': the thing itself
    if lexicon.has("anyword", reading.tokens[index - 1].text) and token.text.endswith("ed"):
        return True  # 'anything dated after 2015'
    return (
        lexicon.has("subject", token.text)
        and index - 1 == target[-1]
        and not lexicon.has("anyword", token.text)
    )


def _in_what_manner(reading: Reading, index: int) -> bool:
    """'remotely', 'first' at the end of a rule: unsaid, the gate asks."""
    word, tokens = reading.tokens[index], reading.tokens
    if reading.lexicon.has("ordering", word.text):
        return index + 1 == len(tokens) or tokens[index + 1].kind == "p"
    if reading.language != "en" or not word.text.endswith("ly") or len(word.text) < 6:
        return False
    last = index + 1 == len(tokens) or tokens[index + 1].kind == "p"
    return last and noun_class(word.text) is None


def _next_to(reading: Reading, index: int) -> bool:
    """Whether a word is one of 'next to', which says where."""
    tokens = reading.tokens
    pairs = (tokens[index - 1 : index + 1], tokens[index : index + 2])
    return reading.language == "en" and any(
        [token.text for token in pair] == ["next", "to"] for pair in pairs
    )


def _unread_time(reading: Reading, index: int) -> bool:
    """'avant Pâques': a time that is not known as one; what it says decides nothing, so the gate asks."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if lexicon.language == "en":
        return False
    listed = (*lexicon.calendar["window"].get("before", ()), *lexicon.calendar["window"].get("after", ()))
    return any(
        [token.text for token in tokens[index : index + len(phrase)]] == list(phrase)
        for phrase in listed
        if len(phrase) > 1 or "".join(phrase[:1]) in ("vor", "nach", "avant", "apres")
    )


def _starts_object(reading: Reading, index: int) -> bool:
    """'in Briefen nie das Wort ...': a determiner behind a place begins the object."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if lexicon.language == "en" or not lexicon.has("determiner", tokens[index].text):
        return False
    before = tokens[index - 1].text
    return not lexicon.has("preposition", before) and not lexicon.has("determiner", before)


def _ends_phrase(reading: Reading, index: int) -> bool:
    """Whether nothing that the word could describe follows it."""
    tokens = reading.tokens
    follow = tokens[index + 1] if index + 1 < len(tokens) else None
    return follow is None or follow.kind != "w" or reading.lexicon.has_any(
        ("preposition", "conjunction", "auxiliary"), follow.text
    )  # fmt: skip


def _somebody(reading: Reading, index: int) -> bool:
    """Whether the noun phrase that begins here may name somebody: a name, a person, a group."""
    tokens, lexicon = reading.tokens, reading.lexicon
    head = None
    while index < len(tokens) and tokens[index].kind == "w":
        if lexicon.has_any(("preposition", "conjunction", "auxiliary"), tokens[index].text):
            break
        if reading.is_upper(tokens[index]) or lexicon.has("pronoun", tokens[index].text):
            return True
        head, index = tokens[index], index + 1
    return head is None or noun_class(head.text) in (PERSON, GROUP, None)


def _people(reading: Reading, index: int) -> bool:
    """Whether the noun phrase that begins here is one of people: 'lend to visitors' says whom, not where."""
    tokens, lexicon = reading.tokens, reading.lexicon
    head = None
    while index < len(tokens) and tokens[index].kind == "w":
        if lexicon.has_any(("preposition", "conjunction", "auxiliary"), tokens[index].text):
            break
        head, index = tokens[index], index + 1
    return lexicon.language == "en" and head is not None and noun_class(head.text) == PERSON


def _anything(reading: Reading, indices: list[int]) -> bool:
    """Whether words so far name no thing: 'anything'; 'anyone' is somebody."""
    words = [reading.tokens[i].text for i in indices]
    lexicon = reading.lexicon
    return bool(words) and all(lexicon.has("anyword", w) and not lexicon.has("pronoun", w) for w in words)


def _reaching(acts: RuleActs) -> bool:
    """Whether 'with X' says whom the acts reach: 'share with', 'book with'; else how or with what."""
    return any(FAMILY_OF.get(act) in _WITH_SOMEBODY for act in acts.acts)
