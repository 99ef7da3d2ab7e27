"""What a turn costs beside the engine, and how much of a transcript is not sent again.

    python -m benchmarks.turn [--turns N] [--json] [--locomo FILE [--conversation N]] [--svg FILE]

Turns run through the real session on a real store file, with a scripted engine, so what is measured is the
partner's own part: gate, formation, retrieval, context, writing. The floor beside it is one durable append of
the same words to a plain SQLite file. A token is four characters, on both sides.
With --locomo the words are those of a real conversation: one speaker is the operator, the other's turns are
the replies. `blocks` gives tokens a turn, sent and of a full transcript, by tenths; --svg draws them.
The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from partner.bootstrap import open_partner
from partner.events import Gathered
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine

PEOPLE = ("Ana", "Ben", "Chloe", "Dev", "Elif", "Femi", "Gita", "Hugo")
THINGS = (
    "schema",
    "invoice template",
    "boiler",
    "north shelf",
    "press kit",
    "seed order",
    "night rota",
    "ferry list",
)
TALK = (
    "We decided that {who} owns the {what} from now on.",
    "Who owns the {what}?",
    "The {what} costs {n} euros a month, which nobody had on the list before.",
    "I walked past the workshop and thought about the {what} for a while; nothing came of it.",
    "How much does the {what} cost?",
    "Actually, {who} owns the {what} now.",
)
RULES = ("Never deploy on Fridays.", "Never email the landlord.", "Do not pay more than 500 euros at once.")


class Counted(ScriptedEngine):
    """Counts four characters a token, as the estimate of the transcript does: both sides in one unit."""

    def count_tokens(self, text: str) -> int:
        return len(text) // 4


def words(number: int) -> str:
    what = THINGS[(number // len(TALK)) % len(THINGS)]
    return TALK[number % len(TALK)].format(who=PEOPLE[number % len(PEOPLE)], what=what, n=20 + number)


REPLY = "That is noted, and here is a short answer of a usual length."


def locomo_talk(path: Path, conversation: int, turns: int) -> list[tuple[str, str]]:
    """What one speaker of a LoCoMo conversation says and what the other answers (Maharana et al. 2024)."""
    talk = json.loads(path.read_text(encoding="utf-8"))[conversation]["conversation"]
    operator = talk["speaker_a"]
    pairs: list[tuple[str, str]] = []
    number = 1
    while (session := talk.get(f"session_{number}")) is not None:
        for turn in session:
            if turn["speaker"] == operator:
                pairs.append((turn["text"], ""))
            elif pairs:
                pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {turn['text']}".strip())
        number += 1
    return [(said, reply or REPLY) for said, reply in pairs[:turns]]


def measure(talk: Sequence[tuple[str, str]], folder: Path) -> dict[str, Any]:
    """Run a conversation; times in ms, tokens as sent and as a full transcript would have been."""
    turns = len(talk)
    now = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
    ticks = iter(range(10**9))
    settings = Settings(home=folder, models_dir=folder / "models", store=str(folder / "identity.partner"))
    engine = Counted(*[reply for _, reply in talk], name="scripted")
    spent: list[float] = []
    sent: list[int] = []
    whole: list[int] = []
    clock = lambda: now + timedelta(seconds=next(ticks))  # noqa: E731
    with open_partner(settings, clock=clock, engines={"scripted": engine}) as partner:
        for rule in RULES:
            partner.forbid(rule)
        for text, _ in talk:
            started = time.perf_counter()
            for event in partner.turn(text):
                if isinstance(event, Gathered):
                    sent.append(event.tokens)
                    whole.append(event.transcript_tokens)
            spent.append((time.perf_counter() - started) * 1000)
    tenth = max(len(sent) // 10, 1)
    return {
        "turns": turns,
        "p50_ms": round(statistics.median(spent), 2),
        "p95_ms": round(sorted(spent)[int(len(spent) * 0.95)], 2),
        "tokens_sent": sum(sent),
        "tokens_transcript": sum(whole),
        "sent_share": round(sum(sent) / max(sum(whole), 1), 4),
        "sent_share_first_tenth": round(sum(sent[:tenth]) / max(sum(whole[:tenth]), 1), 4),
        "sent_share_last_tenth": round(sum(sent[-tenth:]) / max(sum(whole[-tenth:]), 1), 4),
        "blocks": [
            [at + len(sent[at : at + tenth]), _mean(sent[at : at + tenth]), _mean(whole[at : at + tenth])]
            for at in range(0, len(sent), tenth)
        ],
    }


def _mean(values: Sequence[int]) -> int:
    return round(statistics.mean(values))


def drawn(blocks: Sequence[Sequence[int]]) -> str:
    """Tokens a turn over the conversation, as an SVG: what is sent, and what a transcript would be."""
    width, height, left, bottom = 640, 280, 64, 40
    top = max(whole for _, _, whole in blocks)
    last = blocks[-1][0]

    def line(column: int, colour: str) -> str:
        points = " ".join(
            f"{left + (width - left - 16) * block[0] / last:.0f},"
            f"{height - bottom - (height - bottom - 24) * block[column] / top:.0f}"
            for block in blocks
        )
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>'

    ticks = "".join(
        f'<text x="{left - 8}" y="{height - bottom - (height - bottom - 24) * share / 4 + 4:.0f}" '
        f'text-anchor="end">{top * share // 4:,}</text>'
        for share in range(5)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12"><rect width="{width}" height="{height}" fill="#fff"/>{ticks}'
        f'<path d="M{left},24V{height - bottom}H{width - 16}" fill="none" stroke="#888"/>'
        f"{line(2, '#b04a3a')}{line(1, '#2f6f9f')}"
        f'<text x="{left + 12}" y="40" fill="#b04a3a">a full transcript, tokens a turn</text>'
        f'<text x="{left + 12}" y="58" fill="#2f6f9f">sent</text>'
        f'<text x="{width - 16}" y="{height - 12}" text-anchor="end">turn {last}</text>'
        f'<text x="{left}" y="{height - 12}">turn 1</text></svg>\n'
    )


def floor_ms(turns: int, folder: Path) -> float:
    """Median of one durable append of the same words to a plain table."""
    database = sqlite3.connect(folder / "floor.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE said (number INTEGER PRIMARY KEY, words TEXT)")
    spent = []
    for number in range(turns):
        started = time.perf_counter()
        database.execute("INSERT INTO said (words) VALUES (?)", (words(number),))
        spent.append((time.perf_counter() - started) * 1000)
    database.close()
    return round(statistics.median(spent), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    parser.add_argument("--locomo", type=Path, help="locomo10.json: a real conversation instead")
    parser.add_argument("--conversation", type=int, default=2, help="which of it (its third has 331 turns)")
    parser.add_argument("--svg", type=Path, help="draw the tokens a turn into this file")
    given = parser.parse_args()
    talk = [(words(number), REPLY) for number in range(given.turns)]
    if given.locomo is not None:
        talk = locomo_talk(given.locomo, given.conversation, given.turns)
    with tempfile.TemporaryDirectory() as folder:
        result = measure(talk, Path(folder))
        result["append_floor_ms"] = floor_ms(given.turns, Path(folder))
    if given.svg is not None:
        given.svg.write_text(drawn(result["blocks"]), encoding="utf-8")
    if not given.json:
        print(f"{result['turns']} turns: {result['p50_ms']} ms each, no engine (p95 {result['p95_ms']} ms)")
        print(f"tokens sent: {result['tokens_sent']}, full transcripts: {result['tokens_transcript']}")
        first, last = result["sent_share_first_tenth"], result["sent_share_last_tenth"]
        print(f"share sent: first tenth {first}, last tenth {last}")
        for upto, sent, whole in result["blocks"]:
            print(f"to turn {upto}: {sent} tokens a turn sent, {whole} in a transcript")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
