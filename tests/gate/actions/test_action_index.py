"""The index of rules for actions finds what trying every rule finds."""

from __future__ import annotations

import json
import random

from judging import DATA, FRIDAY, request

from gate import Facts, compile_prohibition
from gate.actions import read_action
from gate.constraint import Constraint
from gate.match.action import match_frames
from gate.match.action_index import ActionIndex

FILES = ("actions", "shell", "shell-rules", "sql", "paths", "hosts", "kinds")
MORE = [
    "Never restart the cups service.",
    "Don't run docker.",
    "Never use npm.",
    "Do not install new packages.",
    "Never drop the postings table.",
    "Do not push to release branches.",
    "Never email Ana Ruiz.",
    "Never read ~/.ssh.",
    "Never delete *.env files.",
    "Don't delete any files.",
    "Never touch /srv.",
    "Only write under /home/lea.",
    "Never transfer money.",
    "Never kill processes.",
    "Never publish packages.",
    "Never contact 10.0.0.1.",
]


def everything() -> tuple[list[Constraint], list[tuple[str, dict, Facts, str]]]:
    """Every rule of the batteries and every action of them."""
    rules, actions = set(MORE), []
    for name in FILES:
        for line in (DATA / f"gate-{name}.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            rules.add(case["prohibition"])
            action = case.get("action", case)
            facts = Facts(**{"home": "/home/lea", **case.get("facts", {})})
            actions.append((action["kind"], action["args"], facts, case.get("now", FRIDAY)))
    return [compile_prohibition(rule, rule) for rule in sorted(rules)], actions


def test_no_rule_that_matches_is_left_out_and_most_others_are() -> None:
    constraints, actions = everything()
    order = random.Random(7)
    order.shuffle(constraints)
    index = ActionIndex.build(constraints)
    missed: list[str] = []
    tried = 0
    for kind, args, facts, now in order.sample(actions, 400):
        asked = request(kind, args, now)
        frames = read_action(asked, facts)
        candidates = set(index.candidates(frames, facts))
        tried += len(candidates)
        missed += [
            f"{constraint.sentence}: {args}"
            for at, constraint in enumerate(constraints)
            if at not in candidates and match_frames(constraint, frames, asked, facts)
        ]
    assert missed == []
    assert tried < 400 * len(constraints) / 3


def test_the_work_for_one_action_does_not_grow_with_rules_about_other_things() -> None:
    constraints = [
        compile_prohibition(str(n), f"Never delete anything under /data/{n}.") for n in range(2000)
    ]
    index = ActionIndex.build(constraints)
    frames = read_action(request("file.delete", {"path": "/data/7/x"}), Facts())
    assert index.candidates(frames, Facts()) == [7]
