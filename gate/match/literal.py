"""A request in words that holds a command or a statement is judged as that action as well.

What counts is that the text asks for it to be run: its mood is read with the literal put out of the way
('please run it', 'never run it', 'what does it do?'). What is TRUE of the action refuses; where something
is missing (which branch, which database) the operator is asked. A command that is not understood is left
to the gate at its execution.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gate.actions.shell.names import NAMES, RUNNING
from gate.actions.vocabulary import may_hold_statements
from gate.errors import BadAction
from gate.language.lexicon import load
from gate.language.reading import Clause, Reading, read
from gate.match.view import WHOLE, WORDING
from gate.model import ActionRequest, Facts, Match, TextRequest, Truth

if TYPE_CHECKING:
    from gate.actions.literal import Literal
    from gate.snapshot import Snapshot

_WORDS = re.compile(r"[a-z][\w.+-]*[\w+]|\./")
_RUN = frozenset(("execute", "start", "use", "do"))
_LEADS = frozenset(("ok", "okay", "pls", "hey", "hi", "next", "sudo"))
WITHIN = 400  # characters before and after a literal that may say what is to be done with it
_OPAQUE = frozenset(("command", "statement"))


def may_hold_literals(text: str) -> bool:
    """Whether a text has a word that could begin a command or a statement, or a mark of code."""
    return (
        "`" in text or "./" in text or may_hold_statements(text) or not NAMES.isdisjoint(_WORDS.findall(text))
    )


def literal_matches(request: TextRequest, reading: Reading, facts: Facts, snapshot: Snapshot) -> list[Match]:
    """What the rules say of the commands and statements that the text asks to be run."""
    from gate.actions.literal import literals  # the readers behind it load with the first command

    found: list[Match] = []
    for literal in literals(request.text, reading.lexicon):
        if asked_for(request.text, literal):
            found += _judged(literal, request, facts, snapshot)
    return found


def _judged(literal: Literal, request: TextRequest, facts: Facts, snapshot: Snapshot) -> list[Match]:
    from gate.actions import read_action
    from gate.match.action import match_frames

    args = {"command" if literal.kind == "shell" else "statement": literal.text}
    action = ActionRequest(kind=literal.kind, args=args, at=request.at)
    try:
        frames = [frame for frame in read_action(action, facts) if not frame.unknown & _OPAQUE]
    except BadAction:
        return []
    matches: list[Match] = []
    said = f"${' '.join(literal.text.split())}"
    for at in snapshot.action_index.candidates(frames, facts):
        if at >= snapshot.size:
            continue
        rule = snapshot.rule(at)
        match = match_frames(rule, frames, action, facts)
        if match is None or (match.truth is Truth.UNKNOWN and said in rule.exceptions):
            continue
        truth = Truth.TRUE if said in rule.aliases else match.truth
        bindings = {**match.bindings, **({} if truth is Truth.TRUE else {WORDING: said, WHOLE: ""})}
        span = (literal.start, literal.end)
        matches.append(replace(match, truth=truth, span=span, matched=literal.text, bindings=bindings))
    return matches


def asked_for(text: str, literal: Literal) -> bool:
    """Whether the text around a literal asks for it to be run, as far as its mood says."""
    before, after = text[: literal.start], text[literal.end :]
    if literal.marked and literal.alone:
        around = read(before + " . " + after)
        asking = [clause for clause in around.clauses if clause.mood.asks and clause.hits]
        prose = any(token.kind == "w" for token in around.tokens)
        return not prose or any(map(_runs, asking))
    if _announced(before, literal):
        return False
    before, after = _last_of(before), after[:WITHIN]  # its own sentence tells; read anew for each literal
    if not _goes_on(after) and not _says_more(before.rpartition("\n")[2]):
        return True  # 'ok now git push': nothing but small words leads up to it
    last = before.rstrip(" \"'“").rpartition(" ")[2].rpartition("\n")[2].casefold().strip("`'\"“")
    noun = literal.marked or last in RUNNING
    stand_in = "it" if noun else "run it"
    ending = "?" if "?" in after.partition("\n")[0] else "."
    return _asks(before, stand_in, " " + after, noun) or (
        not _goes_on(after) and _asks(before, stand_in, ending, noun)
    )


def _asks(before: str, stand_in: str, after: str, noun: bool) -> bool:
    masked = read(before + stand_in + after)
    clause = next((each for each in masked.clauses if _covers(masked, each, len(before))), None)
    if clause is None:
        return False
    if not noun:
        return _runs(clause)
    return clause.mood.asks and not clause.refrains and (not clause.hits or _runs(clause))


def _last_of(before: str) -> str:
    """The end of what stands before a literal, from the beginning of a sentence or line where one is near."""
    near = before[-WITHIN:]
    if len(near) == len(before):
        return before
    begins = max(
        near.rfind("\n", 0, -1), near.rfind(". ", 0, -2), near.rfind("? ", 0, -2), near.rfind("! ", 0, -2)
    )
    return near[begins + 1 :] if begins >= 0 else near.partition(" ")[2]


def _says_more(before: str) -> bool:
    """Whether more than small words stand before a literal on its line."""
    lexicon = load("en")
    groups = ("please", "filler", "adverb", "conjunction")
    words = re.findall(r"[^\W_]+(?:'\w+)?", before.casefold())
    return any(
        lexicon.has("negator", word) or not (lexicon.has_any(groups, word) or word in _LEADS)
        for word in words
    )


def _goes_on(after: str) -> bool:
    """Whether a verb follows that says something of the command: '... is forbidden', '... removes it all'."""
    words = re.findall(r"[\w']+", after[:40])[:2]
    if not words or not re.match(r"[`\"'”]?\s+\w", after):
        return False
    lexicon = load("en")
    if lexicon.has("auxiliary", words[0]) and words[1:] != ["you"]:
        return True
    return words[0].endswith("s") and lexicon.base(words[0]) in lexicon.verbs


def _covers(reading: Reading, clause: Clause, offset: int) -> bool:
    first, last = reading.tokens[clause.start], reading.tokens[clause.end - 1]
    start, end = reading.folded.span(first.start, last.end)
    return start <= offset < end


def _runs(clause: Clause) -> bool:
    """An order to run, do or use it, not denied and not to be left alone."""
    hits = [hit for hit in clause.hits if hit.act in _RUN]
    return clause.mood.asks and not clause.refrains and bool(hits) and not any(hit.negated for hit in hits)


def _announced(before: str, literal: Literal) -> bool:
    """'It failed with:', 'What does this do?': what follows is shown, not asked for."""
    said = before.rstrip(" \n")
    if not said or said[-1] not in (":?" if literal.alone else ":"):
        return False
    clauses = read(said).clauses
    return bool(clauses) and not clauses[-1].mood.asks and not re.fullmatch(r"(?i)\W*(do|run)( this)?:", said)
