"""The forbidden acts of a rule: from its verb, its noun of an act, or none (then every effect is meant)."""

from __future__ import annotations

from dataclasses import dataclass

from gate.constraint import Term
from gate.language.clauses import is_participle
from gate.language.conjugate import SEPARABLE
from gate.language.inferring import acts_abroad, nominal_acts
from gate.language.lexicon import GAP, Lexicon, Phrase
from gate.language.reading import Reading
from gate.language.thesaurus import ACTION, EVENT, noun_class
from gate.language.tokens import Token, match_phrase
from gate.taxonomy import FAMILIES, FAMILY_OF

_PUTTING = ("insert", "store")
_SAYING = ("insert", "write", "mention", "send", "email", "message", "publish", "create")
_EGRESS = (
    "send",
    "email",
    "upload",
    "share",
    "publish",
    "push",
    "forward",
    "message",
    "move",
    "copy",
    "carry",
    "lend",
    "give",
)
_KEPT_BESIDE = frozenset(("accept", "approve", "publish", "reveal"))  # 'accept payments' is both
_REGULATING = ("set", "heat", "cool", "start", "change")
_GOING = frozenset(("go", "get", "reach", "leav", "appear"))
_MESSAGES = ("message", "email", "send", "notify", "forward")
# What is done by sending its noun: to send an email, an offer, a payment, an approval; of other nouns
# ('send orders', 'send releases') the thing is meant.
_DONE_BY_SENDING = frozenset(
    (*(act for family in ("tell", "disclose", "urge", "money") for act in FAMILIES[family]), "approve")
)


@dataclass(frozen=True, slots=True)
class RuleActs:
    """Graded acts, the words they came from, the token after them, and which tokens they used.

    `modifiers` are tokens of a nominal's phrase that say more of it ('work' in 'work emails')."""

    acts: dict[str, float]
    words: str
    after: int
    used: tuple[int, ...] = ()
    modifiers: tuple[int, ...] = ()

    @property
    def placing(self) -> bool:
        """Whether 'to X' says where to rather than to whom."""
        return bool(self.acts) and all(
            FAMILY_OF.get(act) in ("place", "alter", "operate", "make", "remove", "body", "go")
            for act in self.acts
        )


def rule_acts(reading: Reading, kind: str, start: int, end: int, last: int, taken: set[int]) -> RuleActs:
    """Read the acts at the beginning of a rule's body (tokens [start, end)), a final verb up to `last`."""
    tokens, lexicon = reading.tokens, reading.lexicon
    at = start
    final = _verb_final(reading, start, last)
    if final is not None:
        return _with_noun_of_act(reading, kind, final, end, taken)
    while (
        at < end
        and (lexicon.has("filler", tokens[at].text) or lexicon.has("adverb", tokens[at].text))
        and tokens[at].stem not in lexicon.acts
    ):
        at += 1
    while lexicon.language != "en" and at < end - 1 and lexicon.has("reflexive", tokens[at].text):
        at += 1  # 'no se corta el césped'
    nominal = _nominal(reading, at, end, taken)
    if at < end and (lexicon.has("determiner", tokens[at].text) or _noun_opening(reading, at)):
        thing = lexicon.has("determiner", tokens[at].text) or (
            lexicon.language == "en" and _no_verb(reading, at, end)
        )
        bare = None if nominal or thing else _verb(reading, at, end)
        return nominal or bare or RuleActs({}, "", start)
    verb = _let_go(reading, at, end) or _verb(reading, at, end)
    if verb is None:
        return nominal or _unknown_verb(reading, kind, at, end) or RuleActs({}, "", start)
    return _with_noun_of_act(reading, kind, verb, end, taken)


def _let_go(reading: Reading, at: int, end: int) -> RuleActs | None:
    """'let the pressure go above 2 bar': whatever would bring it there."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if at >= end or tokens[at].text not in ("let", "allow"):
        return None
    for index in range(at + 2, end - 1):
        if lexicon.has("let_go", tokens[index].text) and any(
            tokens[index + 1].text == words[0]
            for listed in lexicon.calendar["limits"].values()
            for words in listed
        ):
            return RuleActs(dict.fromkeys(_REGULATING, 1.0), "let go", at + 1, (at, index))
    return None


def _noun_opening(reading: Reading, at: int) -> bool:
    """'No calls', 'no purchases': the word before the body is a determiner of nothing."""
    lexicon = reading.lexicon
    before = reading.tokens[at - 1].text if at else ""
    if lexicon.language != "en" and at > 1 and before in ("de", "d'", "di"):
        tokens = reading.tokens  # 'nada de publicidad', 'pas de courrier', but 'basta de fumar'
        return lexicon.has("no_of", tokens[at - 2].text) and tokens[at].text not in lexicon.verb_words
    return lexicon.has("no", before) and (
        lexicon.language == "en" or reading.tokens[at].text not in lexicon.verb_words
    )


def _no_verb(reading: Reading, at: int, end: int) -> bool:
    """'No contracts', 'no contact lenses': behind 'no' a plural is no verb, nor what describes a noun."""
    tokens, lexicon = reading.tokens, reading.lexicon
    text = tokens[at].text
    if text.endswith("ing"):
        return False
    if text.endswith("s") and text != tokens[at].stem:
        return True
    follow = tokens[at + 1] if at + 1 < end else None
    if follow is None or lexicon.has_any(("preposition", "conjunction", "auxiliary"), follow.text):
        return False
    return noun_class(follow.text) is not None


def _phrase_acts(
    tokens: list[Token], index: int, end: int, phrases: tuple[Phrase, ...]
) -> tuple[list[str], int]:
    best, after, weight = [], index + 1, -1
    possible: list[str] = []  # what the bare verb may mean: taken where nothing is certain
    for phrase in phrases:
        size = sum(2 for word in phrase.rest if word != GAP)
        if size < weight:
            continue
        stop = match_phrase(tokens, index, phrase, end) if phrase.rest else index + 1
        if stop < 0:
            continue
        if size > weight:
            best, weight, after = [], size, index + 1 if GAP in phrase.rest else stop
        if phrase.meaning not in best and not phrase.unsure:
            best.append(phrase.meaning)
        elif phrase.unsure and not phrase.rest:
            possible.append(phrase.meaning)
    if weight > 0 and after == index + 1:  # parted by its object: the bare verb is meant as well
        best += [p.meaning for p in phrases if not p.rest and not p.unsure and p.meaning not in best]
    return best or possible, after


def _verb(reading: Reading, at: int, end: int) -> RuleActs | None:
    tokens, lexicon = reading.tokens, reading.lexicon
    acts: dict[str, float] = {}
    used: list[int] = []
    while at < end:
        verb = not tokens[at].noun and lexicon.is_verb(tokens[at].text)
        listed = lexicon.acts.get(tokens[at].stem, ()) if verb else ()
        found, after = _phrase_acts(tokens, at, end, listed)
        if not found:
            break
        acts.update(dict.fromkeys(found, 1.0))
        used.extend(range(at, after))
        used.extend(_particles(tokens, at, end, listed))
        at = after
        while at < end and lexicon.has("adverb", tokens[at].text):
            at += 1
        step = at
        while step < end and (lexicon.has("conjunction", tokens[step].text) or tokens[step].text in ",/"):
            step += 1
        more = step > at and step < end and tokens[step].stem in lexicon.acts
        if not more or (lexicon.language == "en" and lexicon.has("determiner", tokens[step].text)):
            break
        at = step
    if not acts:
        return None
    return RuleActs(acts, " ".join(tokens[i].text for i in used), at, tuple(used))


def _particles(tokens: list[Token], at: int, end: int, phrases: tuple[Phrase, ...]) -> list[int]:
    """Where the parted end of a verb stands: 'gib niemals die Adressen heraus'."""
    stops = [match_phrase(tokens, at, phrase, end) for phrase in phrases if phrase.rest[:1] == (GAP,)]
    return sorted({stop - 1 for stop in stops if stop > at and tokens[stop - 1].text in SEPARABLE})


def _verb_final(reading: Reading, start: int, end: int) -> RuleActs | None:
    """German and the like put the verb last: 'Rechnungen ohne Freigabe bezahlen'."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if not lexicon.patterns.get("infinitive_endings"):
        return None
    for index in range(end - 1, start, -1):
        token = tokens[index]
        if token.kind != "w" or token.noun or token.stem not in lexicon.acts:
            continue
        infinitive = token.text.endswith(tuple(lexicon.patterns["infinitive_endings"]))
        if not infinitive and not (index == end - 2 and lexicon.has("auxiliary", tokens[end - 1].text)):
            continue
        found, _ = _phrase_acts(tokens, index, end, lexicon.acts[token.stem])
        if found:
            return RuleActs(dict.fromkeys(found, 1.0), token.text, start, (index,))
    last = tokens[end - 1]
    small = ("auxiliary", "pronoun", "adverb", "filler", "determiner", "preposition")
    verb = last.kind == "w" and not last.noun and last.text.endswith("en") and end - start > 1
    if verb and _any_noun(tokens, start, end) and not lexicon.has_any(small, last.text):
        return RuleActs({f"do:{last.stem}": 1.0}, last.text, start, (end - 1,))
    return None


def _any_noun(tokens: list[Token], start: int, end: int) -> bool:
    """Whether the sentence is written with the capitals of German nouns, so that a small word is none."""
    return any(token.noun for token in tokens[start:end])


def _unknown_verb(reading: Reading, kind: str, at: int, end: int) -> RuleActs | None:
    """A verb that no act covers stands for itself."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if at >= end or tokens[at].kind != "w" or kind == "touch":
        return None
    token = tokens[at]
    if lexicon.language != "en":
        known = token.stem in lexicon.concepts or token.stem in lexicon.nominals or _noun_opening(reading, at)
        small = ("determiner", "preposition", "auxiliary", "negator", "pronoun", "comparing")
        passive = kind == "passive" and is_participle(token, lexicon)
        if not (passive or (kind == "forbid" and not known)) or lexicon.has_any(small, token.text):
            return None
        abroad = dict(acts_abroad(token.stem, lexicon.language))
        return RuleActs(abroad or {f"do:{token.stem}": 1.0}, token.text, at + 1, (at,))
    if lexicon.verbs.get(token.stem) in ("V", "B") or (kind == "forbid" and token.stem in lexicon.verbs):
        if tokens[at].text in lexicon.words.get("be", ()):
            return None
        return RuleActs({f"do:{token.stem}": 1.0}, token.text, at + 1, (at,))
    return None


def _nominal(reading: Reading, start: int, end: int, taken: set[int]) -> RuleActs | None:
    """A noun of an act as head of the first noun phrase: 'calls', 'work emails', 'red-eye flights' (none)."""
    tokens, lexicon = reading.tokens, reading.lexicon
    phrase: list[int] = []
    for index in range(start, end):
        token = tokens[index]
        if not phrase and lexicon.has("of_prep", token.text) and lexicon.language != "en":
            continue  # 'jamais de mails'
        if index in taken or lexicon.has("preposition", token.text) or token.text == ",":
            break
        phrase.append(index)
    heads = phrase[-1:] if lexicon.language == "en" else phrase
    for index in reversed(heads):
        found, after = _phrase_acts(tokens, index, end, lexicon.deeds(tokens[index].text, tokens[index].stem))
        if (
            not found
            and lexicon.language == "en"
            and lexicon.has("deed_prep", tokens[index + 1].text if index + 1 < end else "")
        ):
            found = _deeds(tokens[index].text)
        if found:
            acts = dict.fromkeys(_widen(found), 1.0)
            modifiers = tuple(i for i in phrase if i < index)  # an English head is the last noun
            used = tuple(range(index, after))
            return RuleActs(acts, tokens[index].text, after, used, modifiers)
    return None


def _deeds(noun: str) -> list[str]:
    """Acts of an English noun made from a verb, where its main sense is a doing ('training') or money's;
    a contract, a report or a document is a thing, though one contracts, reports and documents."""
    doing = noun_class(noun) in (ACTION, EVENT)
    return [act for act in nominal_acts(noun) if doing or act in FAMILIES["money"]]


def doings(objects: tuple[Term, ...], reading: Reading) -> list[str]:
    """'No digging in trench C': the verb that a noun of a doing is made of forbids as well."""
    heads = [term.parts[-1].word for term in objects] if reading.language == "en" else []
    named = [word for word in heads if word.endswith("ing") and noun_class(word) in (ACTION, EVENT)]
    return [f"do:{reading.lexicon.base(word)}" for word in named]


def _widen(acts: list[str]) -> list[str]:
    return list(dict.fromkeys([*acts, *(_MESSAGES if "message" in acts else ())]))


def _with_noun_of_act(reading: Reading, kind: str, verb: RuleActs, end: int, taken: set[int]) -> RuleActs:
    """'make promises', 'send emails', 'give advice': the noun says the act, the verb is light."""
    lexicon = reading.lexicon
    light = any(reading.tokens[i].stem in lexicon.stems.get("light_rule", frozenset()) for i in verb.used)
    nominal = _nominal(reading, verb.after, end, taken)
    handing = any(reading.tokens[i].stem in lexicon.stems["handing"] for i in verb.used)
    if nominal is not None and handing:
        light = not _DONE_BY_SENDING.isdisjoint(nominal.acts)
    if nominal is not None and light:
        acts = dict(nominal.acts) | {act: 1.0 for act in verb.acts if act in _KEPT_BESIDE}
        return RuleActs(
            acts, f"{verb.words} {nominal.words}", nominal.after, verb.used + nominal.used, nominal.modifiers
        )
    acts = dict(verb.acts)
    if kind == "passive" and (
        acts.keys() & {"leave"} or reading.tokens[verb.used[0]].stem in _GOING
    ):  # 'must never leave this machine'
        return RuleActs(dict.fromkeys(_EGRESS, 1.0), verb.words, end, tuple(range(verb.used[0], end)))
    if set(acts) & set(_PUTTING) and any(
        reading.tokens[i].stem in ("put", "includ", "insert", "add") for i in verb.used
    ):
        acts.update(dict.fromkeys(_SAYING, 1.0))
    return RuleActs(acts, verb.words, verb.after, verb.used)


def lexicon_acts(lexicon: Lexicon, stem: str) -> frozenset[str]:
    """All acts that a bare verb may mean."""
    return frozenset(phrase.meaning for phrase in lexicon.acts.get(stem, ()) if not phrase.rest)
