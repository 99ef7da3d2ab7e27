"""What a clause would have done: verbs and idioms in a verb's place, nouns of acts, outcomes wished for."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from gate.language.clauses import is_base_form, is_participle
from gate.language.inferring import SURELY, acts_abroad, inferred_acts, nominal_acts
from gate.language.lexicon import GAP, Lexicon, Phrase, load
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.thesaurus import noun_class
from gate.language.tokens import Token, match_phrase
from gate.language.words import KEPT_CHARS

_NOT_NEGATED = frozenset(
    (
        ("don't", "forget"),
        ("don't", "hesitate"),
        ("not", "only"),
        ("why", "not"),
        ("why", "don't"),
        ("no", "later"),
        ("no", "matter"),
        ("no", "doubt"),
    )
)
_NEGATION_REACH = 12


def find_acts(reading: Reading) -> None:
    """Fill `hits`, `verbs`, `reversed` and `refrains` of every clause."""
    for clause in reading.clauses:
        if clause.mood in (Mood.QUESTION, Mood.STATEMENT) and not _may_matter(reading, clause):
            continue
        _find_in_clause(reading, clause)


def _may_matter(reading: Reading, clause: Clause) -> bool:
    """Statements are read too: an approval may be stated in one ('Ana approved it')."""
    return clause.end - clause.start > 1


def _find_in_clause(reading: Reading, clause: Clause) -> None:
    tokens, lexicon = reading.tokens, reading.lexicon
    english = lexicon.language == "en"
    covered = clause.start
    said = _stems(tokens[clause.start : clause.end])
    for index in range(clause.start, clause.end):
        token = tokens[index]
        if token.kind != "w" or token.quoted or (english and _is_idle(token.text, token.stem)):
            continue
        if index >= covered and in_verb_place(tokens, index, clause, lexicon):
            clause.verbs.append(index)
            phrases = lexicon.acts.get(token.stem, ())
            end, acts, unsure = _longest(tokens, index, clause.end, phrases, said, english)
            if not acts and token.alternatives:
                for other in token.alternatives:
                    phrases = lexicon.acts.get(other, ())
                    end, acts, unsure = _longest(tokens, index, clause.end, phrases, said, english)
                    if acts:
                        break
            clause.hits.extend(ActHit(act, index, end, sure=act not in unsure) for act in acts)
            if not acts:
                clause.hits.extend(_inferred(token, index, end, lexicon))
            if acts:
                covered = max(covered, _solid(tokens, index, end))
        elif index >= covered:
            phrases = lexicon.deeds(token.text, token.stem)
            end, acts = index + 1, []
            if phrases:
                end, acts, _ = _longest(tokens, index, clause.end, phrases, said, english)
            if not acts and english:
                acts = nominal_acts(token.text)
            clause.hits.extend([ActHit(act, index, end, nominal=True) for act in acts])
    if clause.mood in (Mood.WISH, Mood.ORDER):
        _find_states(tokens, clause, said, lexicon)
    _set_polarity(reading, clause)


def _stems(tokens: list[Token]) -> set[str]:
    """Every stem that some words may have."""
    said = {token.stem for token in tokens}
    for token in tokens:
        if token.alternatives:
            said.update(token.alternatives)
    return said


def _is_idle(word: str, stemmed: str) -> bool:
    """Whether an English word names no act, wherever it stands."""
    return len(word) <= KEPT_CHARS and _idle(word, stemmed)


@lru_cache(maxsize=65536)
def _idle(word: str, stemmed: str) -> bool:
    lexicon = load("en")
    verbal = lexicon.verbs.get(stemmed) or stemmed in lexicon.acts
    return not verbal and not lexicon.deeds(word, stemmed) and not nominal_acts(word)


def _inferred(token: Token, index: int, end: int, lexicon: Lexicon) -> list[ActHit]:
    """Hits of a verb that the lexicon does not list; of several acts none is sure."""
    if token.stem in lexicon.acts or lexicon.has_any(("please", "filler", "auxiliary"), token.text):
        return []
    acts = (
        inferred_acts(token.text, "en")
        if lexicon.language == "en"
        else acts_abroad(token.stem, lexicon.language)
    )
    alone = len(acts) == 1
    return [ActHit(act, index, end, sure=grade >= SURELY or alone, inferred=True) for act, grade in acts]


def _longest(
    tokens: list[Token], index: int, end: int, phrases: tuple[Phrase, ...], said: set[str], english: bool
) -> tuple[int, list[str], set[str]]:
    """End and acts of the longest phrases that match at `index`, and which of the acts are unsure.

    `said`: the stems of the clause. One whose words stand together goes before one with a gap: 'turn off the
    music on the terrace'. Not in German, whose prefixes stand at the end.
    """
    best, acts, length, apart = index + 1, [], -1, False
    unsure: set[str] = set()
    for phrase in phrases:
        weight = phrase.weight
        if weight < length or (phrase.last and phrase.last not in said):
            continue
        at = match_phrase(tokens, index, phrase, end) if phrase.rest else index + 1
        if at < 0:
            continue
        gap = english and at - index > 1 + len(phrase.rest) - phrase.rest.count(GAP)
        if weight > length or (apart and not gap):
            best, acts, length, unsure, apart = at, [], weight, set(), gap
        elif gap and not apart:
            continue
        if phrase.meaning not in acts:
            acts.append(phrase.meaning)
            if phrase.unsure:
                unsure.add(phrase.meaning)
    if length > 0:  # an idiom with a gap may be a chance meeting of words: the bare verb stays possible
        bare = [phrase.meaning for phrase in phrases if not phrase.rest and phrase.meaning not in acts]
        acts += bare
        unsure.update(bare)
    return best, acts, unsure


def _solid(tokens: list[Token], index: int, end: int) -> int:
    """Where the unbroken beginning of a matched phrase ends: words in its gap may be acts of their own."""
    return min(end, index + 2) if end - index > 3 else end


def in_verb_place(tokens: list[Token], index: int, clause: Clause, lexicon: Lexicon) -> bool:
    """Whether the word at `index` stands where a verb stands."""
    token = tokens[index]
    if lexicon.language != "en":
        return _other_verb_place(tokens, index, clause, lexicon)
    if index == clause.opens and clause.mood is Mood.ORDER:
        return True
    kind = lexicon.verbs.get(token.stem, "V" if token.stem in lexicon.acts else "")
    if not kind or lexicon.has("determiner", token.text):
        return False
    at = index - 1
    while at >= clause.start and (
        (tokens[at].text.endswith("ly") and tokens[at].text not in ("reply", "supply", "apply", "family"))
        or (tokens[at].text in lexicon.words["filler"] and tokens[at].text not in ("and", "or", "but"))
    ):
        at -= 1
    if at < clause.start:
        return _opens_clause(tokens, index, clause, lexicon, kind)
    before = tokens[at]
    if before.text == "-" and at > clause.start and tokens[at - 1].end == before.start:
        return False  # 'the slow-train'
    if before.kind == "p" or before.text == "to":
        return is_base_form(token, lexicon) and (
            kind != "N" or _object_follows(tokens, index, clause, lexicon)
        )
    if lexicon.has("conjunction", before.text):
        return is_base_form(token, lexicon) and (
            kind == "V" or _object_follows(tokens, index, clause, lexicon)
        )
    modal = lexicon.has("auxiliary", before.text) and not _is_owned(tokens, at, clause, lexicon)
    if (
        modal or lexicon.has("subject", before.text)
        or (lexicon.has("negator", before.text) and not lexicon.has("determiner", before.text))
    ):  # fmt: skip
        return True
    if token.text.endswith("ing") and token.text != token.stem:
        if lexicon.has("determiner", before.text) or before.possessive:
            return False
        return not _noun_in_ing(tokens, index, clause, lexicon)
    if lexicon.has("determiner", before.text) or lexicon.has("preposition", before.text) or before.possessive:
        return False
    return _after_noun(tokens, index, clause, lexicon, kind)


def _is_owned(tokens: list[Token], at: int, clause: Clause, lexicon: Lexicon) -> bool:
    """'the May invoices', 'my will copies': what an article stands before is no modal."""
    return at > clause.start and lexicon.has("owning", tokens[at - 1].text)


def _noun_in_ing(tokens: list[Token], index: int, clause: Clause, lexicon: Lexicon) -> bool:
    """'a short video meeting on ...': a noun that ends like a verb, after another and without an object."""
    token, before = tokens[index], tokens[index - 1]
    if before.kind != "w" or lexicon.has_any(("preposition", "auxiliary", "subject", "pronoun"), before.text):
        return False
    if (before.stem in lexicon.verbs and lexicon.verbs[before.stem] == "V") or noun_class(token.text) is None:
        return False
    return not _object_follows(tokens, index, clause, lexicon)


def _opens_clause(tokens: list[Token], index: int, clause: Clause, lexicon: Lexicon, kind: str) -> bool:
    token = tokens[index]
    if clause.mood is Mood.FRAGMENT:
        return False
    if clause.mood is Mood.ORDER:
        return True
    follow = tokens[index + 1] if index + 1 < clause.end else None
    if token.text.endswith("ing"):
        return True
    return kind == "V" and (follow is None or not lexicon.has("auxiliary", follow.text))


def _object_follows(tokens: list[Token], index: int, clause: Clause, lexicon: Lexicon) -> bool:
    if index + 1 >= clause.end:
        return False
    follow = tokens[index + 1]
    return (
        lexicon.has("determiner", follow.text) or lexicon.has("pronoun", follow.text)
        or lexicon.has("title", follow.text) or follow.kind in "nx" or follow.possessive
    )  # fmt: skip


def _after_noun(tokens: list[Token], index: int, clause: Clause, lexicon: Lexicon, kind: str) -> bool:
    """'have the invoice paid', 'let the crew start', 'Ana approved it': a verb after its noun."""
    token = tokens[index]
    irregular = lexicon.irregular.get(token.text, token.text) != token.text and not lexicon.has(
        "plural_only", token.text
    )
    participle = irregular or (token.text.endswith("ed") and token.text != token.stem)
    if participle:
        return True
    delegates = lexicon.stems.get("delegate", frozenset())
    caused = any(tokens[at].stem in delegates for at in clause.verbs if at < index - 1)
    if not caused or not is_base_form(token, lexicon):
        return False
    return kind == "V" or _object_follows(tokens, index, clause, lexicon)


def _other_verb_place(tokens: list[Token], index: int, clause: Clause, lexicon: Lexicon) -> bool:
    token = tokens[index]
    if token.noun or not (lexicon.is_verb(token.text) or index == first_word(tokens, clause, lexicon)):
        return False
    if token.stem not in lexicon.acts and not any(stem in lexicon.acts for stem in token.alternatives):
        return clause.mood is Mood.ORDER and index == first_word(tokens, clause, lexicon)
    opens = clause.mood is Mood.ORDER and index == first_word(tokens, clause, lexicon)
    if not opens and lexicon.has_any(("filler", "adverb", "question", "negator"), token.text):
        return False  # 'kurz' is no form of 'kürzen'
    if lexicon.has_any(("preposition", "determiner", "pronoun", "auxiliary"), token.text):
        return opens and lexicon.irregular.get(token.text) is not None  # 'Dai alla signora ...'
    if index == clause.start:
        return True
    before = tokens[index - 1]
    if lexicon.has("determiner", before.text) and not lexicon.has("pronoun", before.text):
        return False
    if token.stem in lexicon.nominals and token.text[:1] and lexicon.has("preposition", before.text):
        return lexicon.has("infinitive_mark", before.text)
    return True


def first_word(tokens: list[Token], clause: Clause, lexicon: Lexicon) -> int:
    """The clause's first token that is neither a sign nor a filler."""
    at = clause.start
    while at < clause.end - 1 and (tokens[at].kind == "p" or lexicon.has("filler", tokens[at].text)):
        at += 1
    return at


def _find_states(tokens: list[Token], clause: Clause, said: set[str], lexicon: Lexicon) -> None:
    states = lexicon.states
    for index in range(clause.start + 1, clause.end):
        token = tokens[index]
        for phrase in states.get(token.stem) or states.get(token.text, ()):
            if phrase.last and phrase.last not in said:
                continue
            end = match_phrase(tokens, index, phrase, clause.end) if phrase.rest else index + 1
            if end < 0:
                continue
            governed = any(
                lexicon.has("be", tokens[at].text) for at in range(max(clause.start, index - 4), index)
            )
            last = end >= clause.end
            if governed or last:
                clause.hits.append(ActHit(phrase.meaning, index, end, sure=governed, state=True))


def _set_polarity(reading: Reading, clause: Clause) -> None:
    tokens, lexicon = reading.tokens, reading.lexicon
    said = [token.text for token in tokens[clause.start : clause.end]]
    if not _NOT_NEGATED.isdisjoint(pairwise(said)):
        return
    negator = lexicon.words["negator"]
    negators = [at for at, text in enumerate(said, clause.start) if text in negator and not tokens[at].quoted]
    asking = clause.mood.asks and negators and lexicon.has("asking_negator", tokens[negators[0]].text)
    if asking and negators[0] <= first_word(tokens, clause, lexicon):
        negators.pop(0)  # 'Couldn't you ...?' asks for it
    if lexicon.language != "en" and clause.mood.asks and reading.sentences[clause.sentence].ending == "?":
        negators.clear()  # 'Könntest du nicht ...?', 'no podrías ...?' ask for it
    if lexicon.has("negator", clause.link):
        negators.insert(0, clause.start)
    if clause.tentative:
        for hit in clause.hits:
            hit.sure = False
    after = lexicon.language in ("de",)  # German negates the verb from behind: 'Bezahle sie noch nicht.'
    for hit in clause.hits:
        hit.negated = any(
            at <= hit.start <= at + _NEGATION_REACH or (after and not hit.nominal and at > hit.start)
            for at in negators
        )
    if lexicon.language == "en" and clause.mood is Mood.ORDER:
        for hit in clause.hits:  # 'the projector we bought': told of the thing, not ordered
            before = tokens[hit.start - 1].text if hit.start > clause.start + 1 else ""
            if before in ("i", "we", "he", "she", "they") and hit.start - 1 > first_word(
                tokens, clause, lexicon
            ):
                hit.negated = True
    refraining = lexicon.stems.get("refrain", frozenset())
    if any(tokens[at].stem in refraining for at in clause.verbs):
        clause.refrains = True
    if any(hit.act == "refrain" and _ends_something(hit, clause, tokens, lexicon) for hit in clause.hits):
        clause.refrains = True
    if is_only_negative(clause, negators, tokens, lexicon) or (
        lexicon.language == "en" and _leaves_out(clause, tokens, lexicon)
    ):
        clause.refrains = True


def _ends_something(hit: ActHit, clause: Clause, tokens: list[Token], lexicon: Lexicon) -> bool:
    """A noun of refraining tells what it ends behind it ('a stop to it'); 'bus stop list' is a thing."""
    follow = tokens[hit.end].text if hit.end < clause.end else ""
    said = lexicon.words.get("ended_by")  # a language without the list: any such noun refrains
    return not hit.nominal or not said or follow in said


def _leaves_out(clause: Clause, tokens: list[Token], lexicon: Lexicon) -> bool:
    """'..., but not the final code', 'Not a word about it', 'no online translator, please': a thing denied,
    with no verb that is finite, though its noun may be one."""
    at = clause.start
    while at < clause.end - 1 and lexicon.has_any(("conjunction", "filler"), tokens[at].text):
        at += 1
    if at >= clause.end - 1 or not lexicon.has("denying", tokens[at].text):
        return False
    follow = tokens[at + 1]
    if tokens[at].text == "not" and not lexicon.has("determiner", follow.text):
        return False
    if lexicon.has("denied_idiom", follow.text):
        return False  # 'no need to ask', 'no problem'
    return not any(lexicon.has("auxiliary", token.text) for token in tokens[at : clause.end])


def is_only_negative(clause: Clause, negators: list[int], tokens: list[Token], lexicon: Lexicon) -> bool:
    """A clause without a verb of its own that opens with a negator: 'no email until I am back'."""
    if not negators or clause.verbs:
        return False
    return negators[0] <= clause.start + 1 and not is_participle(tokens[clause.start], lexicon)
