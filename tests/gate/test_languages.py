"""Rules and requests in German, Spanish, French, Italian, Portuguese, Japanese and Chinese.

Of the pairs the first set was written before the lexicons were read; what is held here is a floor.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gate_rules import prohibition
from oracle import all_matches

from gate import Decision, Facts, Snapshot, TextRequest, compile_prohibition, gate
from gate.errors import CompileQuestion
from gate.language.conjugate import forms, separated
from gate.language.detect import detect_language
from gate.language.normalise import fold
from gate.language.reading import read

DATA = Path(__file__).parents[1] / "data"
FIVE = ("de", "es", "fr", "it", "pt")
SUNDAY_EVENING = datetime.fromisoformat("2026-05-17T18:30:00+02:00")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


@cache
def alone(sentence: str) -> Snapshot:
    return Snapshot.build([prohibition(sentence)], head="h")


def judge(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the gate's decision, each under its one rule."""
    return [
        {
            **row,
            "decision": gate(
                TextRequest(text=row["request"], at=datetime.fromisoformat(row["now"])),
                Facts(),
                alone(row["prohibition"]),
            ).decision,
        }
        for row in rows
    ]


def figures(rows: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Shares as benchmarks.gate reports them."""
    decided: dict[str, list[Decision]] = {"refuse": [], "allow": []}
    for row in rows:
        decided[row["expect"]].append(row["decision"])

    def share(expect: str, *wanted: Decision) -> float:
        return sum(decision in wanted for decision in decided[expect]) / len(decided[expect])

    return {
        "recall": share("refuse", Decision.REFUSE),
        "caught": share("refuse", Decision.REFUSE, Decision.ASK),
        "false_refusals": share("allow", Decision.REFUSE),
        "asked_of_allow": share("allow", Decision.ASK),
    }


@cache
def judged() -> Mapping[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in judge(lines("gate-languages.jsonl")):
        found[row["language"]].append(row)
    return found


def rules(languages: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {language: {} for language in languages}
    for row in lines("gate-languages.jsonl"):
        if row["language"] in found:
            found[row["language"]][row["prohibition"]] = None
    return {language: list(sentences) for language, sentences in found.items()}


@cache
def in_force(language: str) -> Snapshot:
    sentences = rules([language])[language]
    return Snapshot.build([prohibition(text, at) for at, text in enumerate(sentences, 1)], head="h")


def test_pairs_in_five_languages_are_told_apart() -> None:
    of_five = figures(row for language in FIVE for row in judged()[language])
    assert of_five["caught"] >= 0.88
    assert of_five["recall"] >= 0.55
    assert of_five["false_refusals"] <= 0.03
    assert of_five["asked_of_allow"] <= 0.35


@pytest.mark.parametrize("language", FIVE)
def test_no_language_falls_behind(language: str) -> None:
    found = figures(judged()[language])
    assert found["caught"] >= 0.82
    assert found["recall"] >= 0.42
    assert found["false_refusals"] <= 0.05
    assert found["asked_of_allow"] <= 0.40


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_plain_rules_without_word_boundaries_are_decided(language: str) -> None:
    found = figures(judged()[language])
    assert found["caught"] == 1.0
    assert found["recall"] >= 0.85
    assert found["false_refusals"] == 0.0


def test_every_rule_of_the_pairs_protects_something() -> None:
    inert = [rule for language in (*FIVE, "ja", "zh") for rule in in_force(language).inert]
    assert len(inert) <= 3, inert


def test_ordinary_talk_is_not_asked_about() -> None:
    asked = [
        row["text"]
        for row in lines("gate-talk.jsonl")
        if gate(TextRequest(text=row["text"], at=SUNDAY_EVENING), Facts(), in_force(row["language"])).decision
        is not Decision.ALLOW
    ]
    assert len(asked) <= 2, asked


def test_a_rule_in_one_language_holds_for_a_request_in_another() -> None:
    found = judge(lines("gate-across.jsonl"))
    assert [row["id"] for row in found if row["expect"] == "allow" and row["decision"] != "allow"] == []
    assert [row["id"] for row in found if row["expect"] == "refuse" and row["decision"] == "allow"] == []


@pytest.mark.parametrize("language", [*FIVE, "ja", "zh"])
def test_the_index_leaves_out_no_rule_of_another_language(language: str) -> None:
    snapshot = in_force(language)
    for row in [row for row in lines("gate-languages.jsonl") if row["language"] == language][::7]:
        request = TextRequest(text=row["request"], at=datetime.fromisoformat(row["now"]))
        assert gate(request, Facts(), snapshot).matches == all_matches(request, Facts(), snapshot)


def test_the_language_of_a_sentence_is_known() -> None:
    said = {
        (row["language"], row[key])
        for row in lines("gate-languages.jsonl")
        for key in ("prohibition", "request")
    }
    said |= {(row["language"], row["text"]) for row in lines("gate-talk.jsonl")}
    of_five = [(language, text) for language, text in sorted(said) if language in FIVE]
    wrong = [text for language, text in of_five if detect_language(fold(text).text, text) != language]
    assert len(wrong) <= 0.02 * len(of_five), wrong


@pytest.mark.parametrize(
    ("language", "infinitive", "orders", "tells"),
    [
        ("es", "sacar", {"saca", "saques"}, {"saco", "sacaron"}),
        ("es", "contar", {"cuenta", "cuentes"}, {"conto", "contaban"}),
        ("pt", "apagar", {"apaga", "apagues"}, {"apaguei", "apagou"}),
        ("pt", "bloquear", {"bloqueia", "bloqueies"}, {"bloqueou"}),
        ("it", "cercare", {"cerca", "cerchi"}, {"cercato", "cerchera"}),
        ("fr", "jeter", {"jette", "jetez"}, {"jetait"}),
        ("de", "machen", {"mach", "mache"}, {"machte"}),
    ],
)
def test_a_verb_orders_with_some_forms_and_tells_with_others(
    language: str, infinitive: str, orders: set[str], tells: set[str]
) -> None:
    ordering, telling = forms(infinitive, language)
    assert orders <= ordering
    assert tells <= telling
    assert not orders & telling


def test_a_german_verb_is_found_when_its_particle_stands_apart() -> None:
    assert separated("abschicken") == ("schicken", "ab")
    acts = {hit.act for clause in read("Schick den Vertrag heute noch ab.").clauses for hit in clause.hits}
    assert "send" in acts


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Loesche die Vertraege.", "Lösche die Verträge."),
        ("Prete-lui la cle.", "Prête-lui la clé."),
        ("Enviaselo al medico.", "Envíaselo al médico."),
    ],
)
def test_accents_and_umlauts_may_be_missing(written: str, plain: str) -> None:
    def acts(text: str) -> set[str]:
        return {hit.act for clause in read(text).clauses for hit in clause.hits}

    assert acts(written) == acts(plain)
    assert acts(plain)


@pytest.mark.parametrize(
    "sentence", ["廊下では静かに。", "9時以降は電話しないでください。", "请不要在18点以后打电话。"]
)
def test_what_is_not_understood_without_word_boundaries_asks_the_operator(sentence: str) -> None:
    with pytest.raises(CompileQuestion):
        compile_prohibition("x", sentence)
