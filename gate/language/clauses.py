"""Clauses: where a sentence says a second thing.

A comma or a conjunction parts two clauses only when what follows starts one (a verb in its base form,
or a subject with a finite verb); otherwise it parts the items of a list and the clause goes on.
"""

from __future__ import annotations

from gate.language.lexicon import Lexicon
from gate.language.reading import Clause
from gate.language.tokens import Sentence, Token

_SOFT = frozenset((",", "-", "(", ")", "/"))
_HARD = frozenset((":", ";", "\n"))
_SIGNS = _SOFT | _HARD
_PARTING = ("conjunction", "subordinator")  # words at which a clause may begin
_MOST_FILLERS = 12  # words and signs skipped before what may begin a clause
_LOOK_AHEAD = 6  # words within which a subject must find its verb
MAX_CLAUSES = 20_000


def split_clauses(tokens: list[Token], bounds: list[Sentence], lexicon: Lexicon) -> list[Clause]:
    """All clauses of a text in order; every token but parting signs is in exactly one."""
    clauses: list[Clause] = []
    parting = lexicon.unions[_PARTING]
    for number, sentence in enumerate(bounds):
        start = sentence.start
        link = ""
        index = start
        while index < sentence.end:
            token = tokens[index]
            parts = (token.text in parting or token.text in _SIGNS) and not token.quoted
            opener = _boundary(tokens, index, sentence.end, lexicon) if parts else None
            if opener is not None and index >= start:
                if index > start:
                    clauses.append(Clause(start, index, link, sentence=number))
                link, start = token.text, opener
                index = max(opener, index + 1)
                continue
            index += 1
        if start < sentence.end:
            clauses.append(Clause(start, sentence.end, link, sentence=number))
        if len(clauses) > MAX_CLAUSES:
            break
    return clauses


def _boundary(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> int | None:
    """Where the next clause starts if one begins at `index`, else None."""
    token = tokens[index]
    text = token.text
    if text in _HARD:
        return index + 1
    if text in _SOFT:
        if text in "-/" and (tokens[index - 1].end == token.start or tokens[index + 1 : index + 2] == []):
            return None  # a hyphen inside a word
        after = index + 1
        while after < min(end, index + _MOST_FILLERS) and lexicon.has("conjunction", tokens[after].text):
            after += 1
        if after < end and _subordinates(tokens, after, end, lexicon):
            return index + 1  # the subordinator itself parts next
        return after if after < end and starts_clause(tokens, after, end, lexicon) else None
    if text == "so" and lexicon.language == "en" and not _opens_with_so(tokens, index, end, lexicon):
        return None
    if lexicon.has("conjunction", text):
        return index + 1 if starts_clause(tokens, index + 1, end, lexicon) else None
    if lexicon.has("determiner", text) and lexicon.language != "en" and tokens[index - 1].text != ",":
        return None  # an article, not a relative pronoun
    if lexicon.has("subordinator", text) and _subordinates(tokens, index, end, lexicon):
        asked = (
            lexicon.language != "en"
            and index
            and tokens[index - 1].text in ("por", "para", "pour", "per", "o")
        )
        return None if asked else index + 1  # 'por que ...?'
    return None


def _opens_with_so(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """'..., so send it' is a consequence; 'so glad', 'so good as to' is a degree."""
    follow = tokens[index + 1].text if index + 1 < end else ""
    return tokens[index - 1].text == "," or lexicon.has("subject", follow) or lexicon.has("opener", follow)


def _subordinates(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """Whether a subordinator at `index` opens a clause (and is no preposition or determiner here)."""
    if not lexicon.has("subordinator", tokens[index].text) or index + 1 >= end:
        return False
    follow = tokens[index + 1]
    if lexicon.has("always_subordinator", tokens[index].text):
        return True
    if tokens[index].text == "as" and follow.text == "well":
        return False  # 'you might as well send it'
    if tokens[index].text == "as" and index + 2 < end and lexicon.has("be", tokens[index + 2].text):
        return not lexicon.has("as_it", follow.text)  # 'leave the lamps as they are'
    if lexicon.language == "en" and lexicon.has("particle", follow.text):
        return False  # 'write that down', 'set that up'
    return has_subject_and_verb(tokens, index + 1, end, lexicon) or (
        lexicon.has("relative", tokens[index].text)
        and (is_finite(follow, lexicon) or (follow.stem in lexicon.verbs and follow.kind == "w"))
    )


def starts_clause(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """Whether the words from `index` begin a clause of their own."""
    limit = min(end, index + _MOST_FILLERS)
    while index < limit and (lexicon.has("filler", tokens[index].text) or tokens[index].text in _SOFT):
        index += 1
    if index >= limit:
        return False
    first = tokens[index]
    if (
        lexicon.has("causative", first.text)
        and index + 1 < end
        and not lexicon.has("subject", tokens[index + 1].text)
    ):
        return True
    if lexicon.has("negator", first.text) and not lexicon.has("determiner", first.text):
        return True
    follow = tokens[index + 1].text if index + 1 < end else ""
    if lexicon.has("opener", first.text):
        return True
    if lexicon.has("proposing", first.text) and lexicon.has("proposed", follow):
        return True  # '..., so how about giving it to her?'
    return (
        begins_with_verb(tokens, index, end, lexicon)
        or has_subject_and_verb(tokens, index, end, lexicon)
        or orders_by_number(tokens, index, end, lexicon)
    )


def orders_by_number(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """'... and refund order 3381': a verb that is a noun as well, before a thing called by its number."""
    if lexicon.language != "en" or index + 2 >= end or tokens[index + 2].kind != "n":
        return False
    token, thing = tokens[index], tokens[index + 1]
    listed = any(not phrase.rest and not phrase.unsure for phrase in lexicon.acts.get(token.stem, ()))
    return (
        listed
        and is_base_form(token, lexicon)
        and thing.kind == "w"
        and not lexicon.has_any(_CLOSED, thing.text)
    )


def begins_with_verb(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """Whether the token is a verb in base form in the place of an order's verb."""
    if index >= end:
        return False
    token = tokens[index]
    if token.kind != "w" or lexicon.has("determiner", token.text) or lexicon.has("pronoun", token.text):
        follow = tokens[index + 1].text if index + 1 < end else ""
        return lexicon.language != "en" and token.text in lexicon.irregular and lexicon.has("to_prep", follow)
    if lexicon.language != "en":
        return is_order_form(token, lexicon) or _unknown_order(tokens, index, end, lexicon)
    if not is_base_form(token, lexicon):
        return False
    kind = lexicon.verbs.get(token.stem, "V" if token.stem in lexicon.acts else "")
    if not kind or lexicon.has("auxiliary", token.text) or lexicon.has("preposition", token.text):
        return False
    if token.possessive or (token.text not in lexicon.verb_words and token.stem not in lexicon.acts):
        return False  # 'Blue's my favourite', 'cute' (whose stem is that of 'cut')
    if kind == "N" and lexicon.has("adverb", token.text):
        return False
    if kind != "V" and _is_subject(tokens, index, end, lexicon):
        return False
    if index + 1 >= end:
        return kind != "N" and token.stem in lexicon.acts
    follow = tokens[index + 1]
    if (
        kind == "N"
        and token.stem not in lexicon.acts
        and (not lexicon.has("determiner", follow.text) or lexicon.has("subject", follow.text))
    ):
        return False
    followed = (
        lexicon.has("subject", follow.text) and index + 2 < end and is_finite(tokens[index + 2], lexicon)
    )
    if followed and not lexicon.has("causative", token.text):
        return False  # 'joy it brings'
    takes_object = (
        lexicon.has("determiner", follow.text) or lexicon.has("pronoun", follow.text) or follow.possessive
        or lexicon.has("title", follow.text)
    )  # fmt: skip
    if kind == "V" or takes_object:
        return not lexicon.has("auxiliary", follow.text)
    if kind == "N":
        return follow.kind == "n" or any(
            phrase.rest[:1] == (follow.stem,) for phrase in lexicon.acts.get(token.stem, ())
        )
    if follow.kind in "nx" or lexicon.has("preposition", follow.text):
        return True
    return (
        follow.kind == "w" and not lexicon.has("conjunction", follow.text) and not is_finite(follow, lexicon)
    )


def _is_subject(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """'rock climbing was awesome', 'support is always nice': the clause's verb comes later."""
    for at in range(index + 1, min(end, index + _LOOK_AHEAD + 3)):
        text = tokens[at].text
        if (tokens[at].kind == "p" and text != "-") or lexicon.has("subordinator", text):
            return False
        if lexicon.has("copula", text):
            return True
    return False


_ENDING_IN_ING = frozenset(
    [
        "bring",
        "sing",
        "ring",
        "string",
        "swing",
        "cling",
        "spring",
        "wring",
        "fling",
        "sling",
        "sting",
        "ping",
        "bling",
    ]
)
_CLOSED = (
    *("determiner", "pronoun", "preposition", "conjunction", "subordinator", "auxiliary", "negator"),
    *("question", "filler", "adverb"),
)
_PLURAL_ENDINGS = {
    "es": ("mos", "n", "o"),
    "pt": ("mos", "m", "o"),
    "it": ("mo", "no", "o"),
    "fr": ("ons", "ent"),
    "de": (),
}


def _unknown_order(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """A word of no closed class that opens a clause and has an object: an order's verb, if unknown."""
    token = tokens[index]
    if index + 1 >= end or token.stem in lexicon.concepts or token.stem in lexicon.nominals:
        return False
    if lexicon.has_any(_CLOSED, token.text) or is_participle(token, lexicon):
        return False
    if token.text.endswith(_PLURAL_ENDINGS.get(lexicon.language, ())) or len(token.text) < 3:
        return False
    follow = tokens[index + 1]
    if follow.text == "-" and index + 2 < end and lexicon.has("enclitic", tokens[index + 2].text):
        return True  # 'prolonge-lui', 'renova-lhe'
    if lexicon.has("auxiliary", follow.text):
        return False  # 'Mireille a donné ...': a subject
    return follow.kind == "n" or lexicon.has("determiner", follow.text) or lexicon.has("to_prep", follow.text)


def is_base_form(token: Token, lexicon: Lexicon) -> bool:
    """English: the word carries no ending of past, progressive or plural."""
    text = token.text
    if lexicon.has("short_form", text):
        return True
    if lexicon.irregular.get(text, text) != text:
        return False
    if text.endswith(("ing", "ed", "s")) and text != token.stem:
        return text.endswith(("ss", "us", "eed")) or text in _ENDING_IN_ING
    return True


def is_order_form(token: Token, lexicon: Lexicon) -> bool:
    """Other languages: a known verb, and not a participle."""
    if token.noun or (token.stem not in lexicon.acts and not lexicon.has("verb_form", token.text)):
        return False
    return token.text not in lexicon.told and not is_participle(token, lexicon)


def is_participle(token: Token, lexicon: Lexicon) -> bool:
    endings = lexicon.patterns.get("participle_endings")
    if not endings:
        return False
    if token.text.endswith(tuple(endings)) and token.text not in lexicon.orders:
        return True
    return lexicon.language == "de" and token.text.startswith("ge") and token.text.endswith(("t", "en"))


def is_finite(token: Token, lexicon: Lexicon) -> bool:
    """Whether a word can be the finite verb of a subject: an auxiliary, a past, a third person."""
    text = token.text
    if token.kind != "w":
        return False
    if lexicon.has("auxiliary", text):
        return True
    if lexicon.language != "en":
        return not token.noun and (
            (token.stem in lexicon.acts and lexicon.is_verb(text)) or lexicon.has("verb_form", text)
        )
    kind = lexicon.verbs.get(token.stem, "B" if token.stem in lexicon.acts else None)
    if kind is None:
        return False
    if text in lexicon.irregular:
        return True
    if text.endswith("ed") and text != token.stem:
        return True
    known = text in lexicon.verb_words or (
        text.endswith("s") and not {text[:-1], text[:-2]}.isdisjoint(lexicon.verb_words)
    )
    return kind == "V" and not text.endswith("ing") and (known or token.stem in lexicon.acts)


def has_subject_and_verb(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """Whether a subject stands at `index` and a finite verb follows before the clause could end."""
    if index >= end:
        return False
    first = tokens[index]
    if first.kind == "w" and lexicon.has("contracted", first.text):
        return True
    if lexicon.has("preposition", first.text):
        return False
    limit = min(end, index + _LOOK_AHEAD + 1)
    subject_seen = lexicon.has("subject", first.text)
    for at in range(index + 1, limit):
        token = tokens[at]
        if token.text in _HARD or token.text in ",()":
            return False
        if tokens[at - 1].possessive or (lexicon.has("subordinator", token.text) and at > index + 1):
            return False
        if token.text == "am" and (tokens[at - 1].kind == "n" or tokens[at - 1].text in lexicon.numbers):
            continue  # 'between midnight and 6 am'
        if lexicon.has("auxiliary", token.text):
            return True
        if subject_seen and at <= index + 2 and (is_finite(token, lexicon) or token.stem in lexicon.verbs):
            return True
        if (
            not subject_seen
            and is_finite(token, lexicon)
            and not lexicon.has("preposition", tokens[at - 1].text)
        ):
            return True
        if lexicon.has("conjunction", token.text):
            return False
    return False
