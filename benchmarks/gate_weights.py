"""Fits the weights by which the gate decides to ask: `python -m benchmarks.gate_weights --cases FILE... `.

    python -m benchmarks.gate_weights --cases A.jsonl B.jsonl ... --talk locomo10.json --out asking.toml

Cases are contrast pairs as benchmarks.gate reads them (text alone), a set a file. --talk are files of
conversations (LoCoMo's form), of memory scripts (their operator turns) or of lines with a language and a
text, judged under the example prohibitions or those of the cases in its language: nothing is to be asked of
it. Every clause that may ask gives a row of features; a text counts by its highest row (multiple-instance
logistic regression: the row is chosen anew for each of a few fits by Newton's method with a ridge). Each set
is also left out once: the figures printed are of the sets that the weights were not fitted to. Without --out
nothing is written.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.gate import engram
from gate import Facts, Snapshot, TextRequest
from gate.constraint import Constraint
from gate.language.reading import read
from gate.match.features import FEATURES
from gate.match.signs import asking_regions
from gate.match.text import evidence, settled_match
from gate.match.view import TextView, prepare
from gate.model import Truth

Rows = NDArray[np.float64]

RIDGE = 20.0  # on features scaled to unit variance
FITS = 4  # times the row of each text is chosen
STEPS = 12  # of Newton's method
TALK_WEIGHT = 1.0  # of a rule and a text of talk that touch, beside a case
TALK_AT = datetime.fromisoformat("2026-03-03T10:00:00+01:00")
EXAMPLES = Path(__file__).resolve().parents[1] / "configs" / "examples" / "prohibitions.toml"
NOTHING = -9.0  # score of a text in which nothing is within reach


@dataclass(frozen=True, slots=True)
class Bags:
    """Rows of features by text: rows [n, f], and for each row the number of its text."""

    rows: Rows
    text: NDArray[np.int64]
    wrong: NDArray[np.bool_]  # per text: it must be refused
    refused: NDArray[np.bool_]  # per text: the slots alone refuse it
    group: tuple[str, ...]  # per text: the set it is of


def rows_of(constraint: Constraint, view: TextView) -> list[list[float]]:
    """The features of every clause of a text for one rule."""
    found = (evidence(constraint, view, region) for region in asking_regions(view))
    return [[one.numbers[name] for name in FEATURES] for one in found if one is not None]


def refuses(rule: Constraint, view: TextView) -> bool:
    """Whether the slots alone settle that a rule is offended."""
    found = (settled_match(rule, view, region) for region in view.regions)
    return not rule.loose and any(match is not None and match.truth is Truth.TRUE for match in found)


def view_of(text: str, at: datetime) -> TextView:
    request = TextRequest(text=text, at=at)
    return prepare(read(text), request, Facts())


def case_bags(sets: Mapping[str, Sequence[Mapping[str, Any]]]) -> Bags:
    """The bags of labelled cases, by set."""
    rules: dict[str, Constraint | None] = {}
    rows, text, wrong, refused, group = [], [], [], [], []
    for name, cases in sets.items():
        for case in cases:
            sentence = case["prohibition"]
            if sentence not in rules:
                snapshot = Snapshot.build([engram(sentence)], head="fit")
                rules[sentence] = snapshot.rule(0) if snapshot.size else None
            rule, view = rules[sentence], view_of(case["request"], datetime.fromisoformat(case["now"]))
            made = rows_of(rule, view) if rule is not None else []
            rows += made
            text += [len(wrong)] * len(made)
            wrong.append(case["expect"] == "refuse")
            refused.append(rule is not None and refuses(rule, view))
            group.append(name)
    return _bags(rows, text, wrong, refused, group)


def talk_bags(texts: Iterable[tuple[str, str]], sentences: Mapping[str, Sequence[str]]) -> Bags:
    """The bags of ordinary talk, (set, text), under each of its set's rules that it touches."""
    rows, text, group = [], [], []
    rules = {
        name: Snapshot.build([engram(one, at) for at, one in enumerate(listed)], head="fit").constraints
        for name, listed in sentences.items()
    }
    for name, words in texts:
        view = view_of(words, TALK_AT)
        for rule in rules[name]:
            made = rows_of(rule, view)
            if made:
                rows += made
                text += [len(group)] * len(made)
                group.append(name)
    return _bags(rows, text, [False] * len(group), [False] * len(group), group)


def _bags(rows: Any, text: Any, wrong: Any, refused: Any, group: list[str]) -> Bags:
    matrix = np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))
    return Bags(
        matrix, np.array(text, dtype=np.int64), np.array(wrong, dtype=bool), np.array(refused, dtype=bool),
        tuple(group),
    )  # fmt: skip


def newton(rows: Rows, wrong: Rows, counts: Rows) -> tuple[Rows, float]:
    """Weights [f] and bias of a ridge logistic regression; `wrong` 0 or 1 and `counts` by row."""
    middle, spread = rows.mean(0), rows.std(0) + 1e-6
    scaled = np.c_[(rows - middle) / spread, np.ones(len(rows))]
    ridge = np.eye(scaled.shape[1]) * RIDGE
    ridge[-1, -1] = 1e-6
    found = np.zeros(scaled.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ found, -30, 30)))
        slope = scaled.T @ (counts * (chance - wrong)) + ridge @ found
        bend = (scaled * (counts * chance * (1 - chance))[:, None]).T @ scaled + ridge
        found -= np.linalg.solve(bend, slope)
    return found[:-1] / spread, float(found[-1] - (found[:-1] / spread * middle).sum())


def fit(cases: Bags, talk: Bags, left_out: str = "") -> tuple[Rows, float]:
    """Weights and bias from every set but one."""
    kept = np.array([group != left_out for group in cases.group])[cases.text]
    told = np.array([group != left_out for group in talk.group], dtype=bool)
    spoken = told[talk.text] if len(told) else np.zeros(0, dtype=bool)
    rows = np.r_[cases.rows[kept], talk.rows[spoken]]
    text = np.r_[cases.text[kept], talk.text[spoken] + len(cases.group)]
    wrong = np.r_[cases.wrong, talk.wrong].astype(np.float64)
    counts = np.r_[np.ones(len(cases.group)), np.full(len(talk.group), TALK_WEIGHT)]
    column = {name: at for at, name in enumerate(FEATURES)}
    scores = rows[:, column["region_gist"]] + rows[:, column["act"]] + 0.3 * rows[:, column["order"]]
    weights, bias = np.zeros(len(FEATURES)), 0.0
    for _ in range(FITS):
        best = _best_rows(scores, text)
        weights, bias = newton(rows[best], wrong[text[best]], counts[text[best]])
        scores = rows @ weights + bias
    return weights, bias


def _best_rows(scores: Rows, text: NDArray[np.int64]) -> NDArray[np.int64]:
    """The highest row of every text."""
    order = np.lexsort((-scores, text))
    sorted_text = text[order]
    return order[np.r_[True, sorted_text[1:] != sorted_text[:-1]]]


def text_scores(bags: Bags, weights: Rows, bias: float) -> Rows:
    """The score of every text: of its highest row."""
    scores = np.full(len(bags.group), NOTHING)
    np.maximum.at(scores, bags.text, bags.rows @ weights + bias)
    return scores


def figures(bags: Bags, scores: Rows, chosen: NDArray[np.bool_], ask: float) -> dict[str, float]:
    """caught and asked_of_allow of some texts at a threshold, and how well the scores order them."""
    wrong, refused, scores = bags.wrong[chosen], bags.refused[chosen], scores[chosen]
    asked = (scores >= ask) & ~refused
    ranks = scores.argsort(kind="stable").argsort(kind="stable") + 1.0
    positive, negative = wrong.sum(), (~wrong).sum()
    order = (ranks[wrong].sum() - positive * (positive + 1) / 2) / max(1, positive * negative)
    return {
        "auc": round(float(order), 3),
        "caught": round(float((asked | refused)[wrong].mean()), 3),
        "asked_of_allow": round(float(asked[~wrong].mean()), 3),
    }


def read_cases(paths: Iterable[Path]) -> dict[str, list[dict[str, Any]]]:
    """File name -> its text cases in the languages whose words are weighed."""
    found = {}
    for path in paths:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        found[path.name] = [
            row for row in rows if "request" in row and row.get("language") not in ("ja", "zh")
        ]
    return found


def read_talk(path: Path) -> list[tuple[str, str]]:
    """(set, text) of a file of conversations, of memory scripts, or of lines with a language and a text."""
    if path.suffix == ".jsonl":
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        told = [
            ("scripts", step["operator"])
            for line in lines
            for step in line.get("steps", ())
            if "operator" in step
        ]
        return told + [(line["language"], line["text"]) for line in lines if "steps" not in line]
    found = []
    for number, one in enumerate(json.loads(path.read_text(encoding="utf-8"))):
        sessions = (value for key, value in one["conversation"].items() if key.startswith("session_"))
        found += [(f"talk {number % 2}", turn["text"]) for s in sessions if isinstance(s, list) for turn in s]
    return found


def rules_of_talk(
    talk: Iterable[tuple[str, str]], sets: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, list[str]]:
    """Set of talk -> the rules it is judged under: the examples, or those of the cases in its language."""
    examples = [rule["text"] for rule in tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))["prohibition"]]
    spoken: dict[str, dict[str, None]] = {}
    for case in (case for cases in sets.values() for case in cases):
        spoken.setdefault(case.get("language", ""), {})[case["prohibition"]] = None
    return {name: list(spoken.get(name, examples)) for name in dict.fromkeys(name for name, _ in talk)}


def main() -> None:
    """Print the figures of every set left out, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--talk", type=Path, nargs="*", default=[])
    parser.add_argument("--ask", type=float, default=-1.6, help="score from which the gate asks")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    sets = read_cases(options.cases)
    texts = [pair for path in options.talk for pair in read_talk(path)]
    cases, talk = case_bags(sets), talk_bags(texts, rules_of_talk(texts, sets))
    for name in dict.fromkeys(cases.group):
        weights, bias = fit(cases, talk, name)
        chosen = np.array([group == name for group in cases.group])
        print(name, figures(cases, text_scores(cases, weights, bias), chosen, options.ask))
    for name in dict.fromkeys(talk.group):
        weights, bias = fit(cases, talk, name)
        scores = text_scores(talk, weights, bias)[[group == name for group in talk.group]]
        print(name, {"asked": int((scores >= options.ask).sum()), "touched": len(scores)})
    weights, bias = fit(cases, talk)
    if options.out is not None:
        listed = "".join(f"{n} = {round(w * 1000)}\n" for n, w in zip(FEATURES, weights, strict=True))
        head = "# Written by benchmarks/gate_weights.py: thousandths of a logit.\n"
        options.out.write_text(
            f"{head}bias = {round(bias * 1000)}\nask = {round(options.ask * 1000)}\n\n[weights]\n{listed}",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
