"""What a turn costs beside the engine, and how much of a transcript is not sent again.

    python -m benchmarks.turn [--turns N] [--json]

Turns run through the real session on a real store file, with a scripted engine, so what is measured is the
partner's own part: gate, formation, retrieval, context, writing. The floor beside it is one durable append of
the same words to a plain SQLite file. A token is four characters, on both sides.
The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

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


def measure(turns: int, folder: Path) -> dict[str, object]:
    """Run `turns` turns; times in ms, tokens as sent and as a full transcript would have been."""
    now = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
    ticks = iter(range(10**9))
    settings = Settings(home=folder, models_dir=folder / "models", store=str(folder / "identity.partner"))
    engine = Counted(
        *["That is noted, and here is a short answer of a usual length."] * turns, name="scripted"
    )
    spent: list[float] = []
    sent: list[int] = []
    whole: list[int] = []
    clock = lambda: now + timedelta(seconds=next(ticks))  # noqa: E731
    with open_partner(settings, clock=clock, engines={"scripted": engine}) as partner:
        for rule in RULES:
            partner.forbid(rule)
        for number in range(turns):
            started = time.perf_counter()
            for event in partner.turn(words(number)):
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
    }


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
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = measure(given.turns, Path(folder))
        result["append_floor_ms"] = floor_ms(given.turns, Path(folder))
    if not given.json:
        print(f"{result['turns']} turns: {result['p50_ms']} ms each, no engine (p95 {result['p95_ms']} ms)")
        print(f"tokens sent: {result['tokens_sent']}, full transcripts: {result['tokens_transcript']}")
        first, last = result["sent_share_first_tenth"], result["sent_share_last_tenth"]
        print(f"share sent: first tenth {first}, last tenth {last}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
