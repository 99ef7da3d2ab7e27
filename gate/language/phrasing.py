"""Turns of phrase that decide a clause's mood in English: tags, emphatic orders, items of a list."""

from __future__ import annotations

from gate.language.clauses import begins_with_verb, is_base_form, is_finite
from gate.language.lexicon import Lexicon
from gate.language.reading import Clause, Reading
from gate.language.thesaurus import noun_class
from gate.language.tokens import Token


def do_order(reading: Reading, clause: Clause, at: int, ending: str) -> bool:
    """'Do find him a slot, please', 'Do the accounts': an order made stronger or a plain one, no question."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if lexicon.language != "en" or tokens[at].text != "do" or ending == "?" or at + 1 >= clause.end:
        return False
    follow = tokens[at + 1]
    if lexicon.has("subject", follow.text):
        return False
    thing = lexicon.has("determiner", follow.text) or follow.possessive
    return thing or begins_with_verb(tokens, at + 1, clause.end, lexicon)


def past_front(reading: Reading, clause: Clause, at: int) -> int:
    """Behind a place or purpose that stands first, the verb: 'For the fair at the castle send the flag'."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if lexicon.language != "en" or not lexicon.has("preposition", tokens[at].text):
        return at
    if any(lexicon.has("auxiliary", token.text) for token in tokens[at : clause.end]):
        return at
    closed = ("determiner", "preposition", "conjunction", "pronoun", "subordinator", "subject")
    for index in range(at + 2, clause.end - 1):
        token, before, follow = tokens[index], tokens[index - 1], tokens[index + 1]
        if token.kind != "w" or token.stem not in lexicon.acts or token.quoted or token.possessive:
            continue
        if not is_base_form(token, lexicon) or before.possessive or lexicon.has_any(closed, before.text):
            continue
        if token.text in lexicon.irregular or lexicon.has("same_past", token.text):
            continue  # 'In 2024 a guest let the dog in'
        if lexicon.has_any(("determiner", "pronoun"), follow.text) or follow.possessive:
            return index
        named = follow.kind == "w" and reading.is_upper(follow)
        if lexicon.verbs.get(token.stem) == "V" and (named or lexicon.has("particle", follow.text)):
            return index
    return at


def noun_as_order(reading: Reading, clause: Clause, at: int, ending: str) -> bool:
    """'Book court 5 for the final': a word mostly a noun, first in a sentence without another verb."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if lexicon.language != "en" or ending == "?" or at + 2 >= clause.end or at > clause.start + 1:
        return False
    token, follow = tokens[at], tokens[at + 1]
    listed = [phrase for phrase in lexicon.acts.get(token.stem, ()) if not phrase.rest and not phrase.unsure]
    if lexicon.verbs.get(token.stem) != "N" or not listed or not is_base_form(token, lexicon):
        return False
    if follow.kind not in "wn" or any(
        lexicon.has(group, follow.text) for group in ("preposition", "conjunction", "auxiliary")
    ):
        return False
    if clause.start != reading.sentences[clause.sentence].start or token.possessive:
        return False
    told = any(
        tokens[i].kind == "n" or lexicon.has_any(("to_prep", "particle"), tokens[i].text)
        for i in range(at + 1, clause.end)
    )
    sentence = reading.sentences[clause.sentence]
    asked = any(lexicon.has("please", token.text) for token in tokens[sentence.start : sentence.end])
    named = follow.kind == "w" and reading.is_upper(follow)  # 'Message Ola ...'
    return (told or asked or named) and not has_verb(reading, clause, plurals=False)


def is_tag(reading: Reading, clause: Clause, previous: Clause | None) -> bool:
    """'..., would you?', '..., won't it?': asks nothing beyond the clause before."""
    lexicon = reading.lexicon
    if previous is None or lexicon.language != "en":
        return False
    words = [t for t in reading.tokens[clause.start : clause.end] if t.kind == "w"]
    return (
        1 < len(words) <= 4
        and all(
            lexicon.has_any(("auxiliary", "subject", "please", "negator", "filler"), t.text) for t in words
        )
        and lexicon.has("auxiliary", words[0].text)
    )


def only_described(reading: Reading, clause: Clause) -> bool:
    """'... and the Vogel wedding booked for Saturday': an item with a participle, and no verb of its own."""
    lexicon = reading.lexicon
    words = reading.tokens[clause.start : clause.end]
    told = any(lexicon.has("auxiliary", token.text) or lexicon.has("subject", token.text) for token in words)
    return not told and any(token.text.endswith("ed") for token in words[1:])


def before_a_request(reading: Reading, clause: Clause) -> bool:
    """'She is so keen on it, could you let her have it?': only the last clause asks."""
    position = reading.clauses.index(clause)
    return any(
        later.sentence == clause.sentence and not reading.lexicon.has("subordinator", later.link)
        for later in reading.clauses[position + 1 : position + 3]
    )


def has_verb(reading: Reading, clause: Clause, plurals: bool = True) -> bool:
    """Whether a clause has a verb that somebody does or did; without `plurals`, one that is no plural
    either ('Ship cheese wheels ...')."""
    lexicon = reading.lexicon
    tokens = reading.tokens[clause.start : clause.end]
    if lexicon.language != "en":
        return any(is_finite(token, lexicon) for token in tokens)
    for index, token in enumerate(tokens):
        if lexicon.has("auxiliary", token.text) or token.text in lexicon.irregular:
            return True
        past = token.text.endswith("ed") and token.text != token.stem  # 'red' is none
        if past and token.stem in lexicon.verbs and index:
            return True
        alone = plurals or noun_class(token.text) is None
        if index and alone and _third_person(token, tokens[index - 1], lexicon):
            return True
        subject = tokens[index - 1].text if index else ""
        if lexicon.has("subject", subject) and token.stem in lexicon.verbs and is_base_form(token, lexicon):
            return True
    return False


def _third_person(token: Token, before: Token, lexicon: Lexicon) -> bool:
    """'The cup drags on': a verb with the ending of the third person after its subject."""
    if not token.text.endswith("s") or token.text == token.stem or token.possessive:
        return False
    if lexicon.verbs.get(token.stem) not in ("V", "B") or before.kind != "w" or before.possessive:
        return False
    return not (lexicon.has("determiner", before.text) or lexicon.has("preposition", before.text))
