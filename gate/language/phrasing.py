"""Turns of phrase that decide a clause's mood in English: tags, emphatic orders, items of a list."""

from __future__ import annotations

from gate.language.clauses import begins_with_verb
from gate.language.reading import Clause, Reading


def do_order(reading: Reading, clause: Clause, at: int, ending: str) -> bool:
    """'Do find him a slot, please': an order made stronger, no question."""
    tokens = reading.tokens
    return (
        reading.lexicon.language == "en" and tokens[at].text == "do" and ending != "?"
        and begins_with_verb(tokens, at + 1, clause.end, reading.lexicon)
    )  # fmt: skip


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
