"""Talks of one person with an assistant, as tests of retrieval: written by hand, filled up by a generator.

`tests/data/talks.txt` has what the person says of themselves in passing, a few things that the assistant
names, and questions with the turns that answer them; `talks-more.txt` is of another author, and was measured
before it was read. Around these stand the long answers of general advice
that assistants give, questions that tell nothing, and whole sessions of such: made here, the same for the
same seed. The assistant takes up the person's words at the beginning of half of its answers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
TALKS, MORE_TALKS, ADVICE = DATA / "talks.txt", DATA / "talks-more.txt", DATA / "talks-advice.txt"
SAME_DAY = datetime(2025, 5, 1, tzinfo=UTC)
QUIET_TURNS = 5  # questions that tell nothing, after the told ones of a session
_SWAPPED = {
    "i": "you", "my": "your", "me": "you", "mine": "yours", "am": "are", "i'm": "you're", "i've": "you've",
    "our": "your", "we": "you", "us": "you", "myself": "yourself", "i'd": "you'd", "ours": "yours",
}  # fmt: skip
_WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Said:
    ref: str
    speaker: str
    session: str
    said_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    kind: str
    evidence: frozenset[str]


@dataclass(slots=True)
class Talk:
    """One set: everything that one person said and was told, and the questions."""

    name: str
    said: list[Said] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)


@dataclass(slots=True)
class _Session:
    day: datetime
    topic: str
    words: list[str]
    told: list[tuple[str, str, str]] = field(default_factory=list)  # label, the person's words, what is named


def read_talks(path: Path = TALKS, *, advice: Path = ADVICE, seed: int = 7) -> list[Talk]:
    """The sets of the file with what is made around them."""
    phrases = _phrases(advice)
    return [
        _filled(name, undated, sessions, asked, phrases, random.Random(f"{seed} {name}"))
        for name, undated, sessions, asked in _read(path)
    ]


def _phrases(path: Path) -> dict[str, list[str]]:
    """Sections of phrases by name; a line that begins with '[' opens one."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[] ")
        elif line.strip() and not line.startswith("#"):
            found.setdefault(name, []).append(line)
    return found


def _read(path: Path) -> Iterator[tuple[str, bool, list[_Session], list[Asked]]]:
    name, last, undated, sessions, asked, count = "", "", False, [], [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            if sessions:
                yield name, undated, sessions, asked
            name, _, how = line[2:].partition(" | ")
            undated, sessions, asked = how == "undated", [], []
        elif line.startswith("== "):
            day, topic, words = line[3:].split(" | ")
            sessions.append(
                _Session(datetime.fromisoformat(day).replace(tzinfo=UTC), topic, words.split(", "))
            )
        elif said := re.match(r"([ua])(?:\[(\w+)\])?: (.*)", line):
            count += 1
            label = said[2] or f"t{count}"
            told = sessions[-1].told
            if said[1] == "u":
                told.append((label, said[3], ""))
            else:
                before, words, _ = told[-1]
                told[-1] = (before, words, said[3])
                label = f"{before}/reply"
            last = label
        elif line.startswith("? "):
            text, kind, *named = line[2:].split(" | ")
            asked.append(Asked(text, kind, frozenset(named[0].split() if named else [last])))
    yield name, undated, sessions, asked


def _filled(
    name: str,
    undated: bool,
    sessions: Sequence[_Session],
    asked: list[Asked],
    phrases: dict[str, list[str]],
    rng: random.Random,
) -> Talk:
    talk = Talk(name, asked=asked)
    topics = [line.split(" | ") for line in phrases["topics"]]
    quiet = [_Session(one.day + timedelta(days=2), *_topic(rng.choice(topics))) for one in sessions[::3]]
    for number, session in enumerate(sorted([*sessions, *quiet], key=lambda one: one.day)):
        turns = list(session.told)
        while len(turns) < len(session.told) + QUIET_TURNS:
            asking = _put(rng.choice(phrases["questions"]), session, rng)
            turns.insert(rng.randrange(len(turns) + 1), ("", asking, ""))
        for at, (label, words, named) in enumerate(turns):
            ref = label or f"q{number}.{at}"
            where = (f"session {number}", SAME_DAY if undated else session.day)
            talk.said.append(Said(ref, "user", *where, words))
            talk.said.append(
                Said(f"{ref}/reply", "assistant", *where, _reply(session, words, named, phrases, rng))
            )
    return talk


def _topic(parts: Sequence[str]) -> tuple[str, list[str]]:
    return parts[0], parts[1].split(", ")


def _put(phrase: str, session: _Session, rng: random.Random) -> str:
    """A phrase with words of the session's subject in its gaps."""
    picked = rng.sample(session.words, k=3)
    return phrase.format(a=picked[0], b=picked[1], c=picked[2], topic=session.topic)


def _reply(
    session: _Session, words: str, named: str, phrases: dict[str, list[str]], rng: random.Random
) -> str:
    """An answer of 80 to 250 words: taking up, advice, a list, an offer of more."""
    parts = []
    if rng.random() < 0.5:
        parts.append(_put(rng.choice(phrases["openings"]), session, rng))
    else:
        parts.append(f"{rng.choice(phrases['echoes'])} {_swapped(words, rng)}.")
    parts += [_put(line, session, rng) for line in rng.sample(phrases["sentences"], k=rng.randint(2, 4))]
    items = [_put(line, session, rng) for line in rng.sample(phrases["items"], k=rng.randint(3, 6))]
    listed = "\n".join(f"{place}. {item}" for place, item in enumerate(items, 1))
    after = [_put(line, session, rng) for line in rng.sample(phrases["sentences"], k=rng.randint(0, 2))]
    if named:
        after.insert(rng.randrange(len(after) + 1), named)
    closing = _put(rng.choice(phrases["closings"]), session, rng)
    return f"{' '.join(parts)}\n\n{listed}\n\n{' '.join([*after, closing])}"


def _swapped(words: str, rng: random.Random) -> str:
    """One sentence of the person's, as it is said back to them."""
    sentence = rng.choice([one for one in re.split(r"(?<=[.!?])\s+", words) if one.strip()])
    turned = _WORD.sub(lambda word: _SWAPPED.get(word[0].lower(), word[0]), sentence.rstrip(".!? "))
    return turned[:1].lower() + turned[1:]
