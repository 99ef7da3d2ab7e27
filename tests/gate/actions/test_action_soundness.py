"""Random scripts run by a real bash with a harmless `rm` that only writes down what it was given.

Everything that bash would delete must be among the deletions that the reader names, unless the reader says
that it does not know. The scripts hold no other program than the stub and printing ones.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from judging import shell

from gate.actions.paths import literal, normalise, touches
from gate.model import Facts, Truth

SCRIPTS = 120
STUB = """#!/bin/bash
for word in "$@"; do
  case "$word" in
    -*) ;;
    /*) printf '%s\\1' "$word" >> "$SEEN" ;;
    *) printf '%s\\1' "$PWD/$word" >> "$SEEN" ;;
  esac
done
"""
PREFACE = 'R=rm; V=v/y; set -- p1 "p 2"\nf1() { rm fx; }\nf2() { local f=$1; rm "$f"; }\n'
WORDS = (
    *(
        "x",
        "a/x",
        "./z",
        "../q",
        '"s p"',
        "'l$it'",
        "$V",
        '"$V"',
        "${V}t",
        "${V%y}",
        "${V/x/m}",
        "{p,q}",
        "n{1..2}",
    ),
    *(
        "$1",
        '"$@"',
        '"$f"',
        r"e\sc",
        "$'\\x74'",
        "$((1+2))",
        "$(echo o i)",
        '"$(echo o i)"',
        "`printf w`",
        "$(pwd)",
    ),
    *("$(basename /g/h)", "$(dirname /g/h/i)", "$(echo zyx | rev)", "$(cat <<< hs)", "$(seq 1 2)"),
)
COMMANDS = (
    *(
        "rm {w}",
        "rm -rf -- {w} {w}",
        "\\rm {w}",
        "r''m {w}",
        "command rm {w}",
        "env A=1 rm {w}",
        "timeout 5 rm {w}",
    ),
    *(
        "$R {w}",
        '"$R" {w}',
        "! rm {w}",
        "eval rm {w}",
        "echo {w} | xargs rm",
        "f2 {w}",
        "f1",
        "sh -c 'rm \"$1\"' _ {w}",
    ),
    *(
        "printf '%s\\n' {w} | while read -r g; do rm \"$g\"; done",
        "xargs -I% rm %/u <<< {w}",
        "bash <<E\nrm $V\nE\n",
    ),
    *("echo 'rm a/x' | bash", 'bash -c "rm $V/y"', "V={w}", "V+={w}", "set -- {w} {w}", "read -r V <<< {w}"),
    *(
        'A=({w} {w}); rm "${{A[@]}}"',
        "cd b",
        "cd ..",
        "cd nope || cd b",
        "cd - > /dev/null",
        "pushd b > /dev/null",
    ),
    *("popd > /dev/null", "R='rm -f'; $R {w}; R=rm", "IFS=:; V=m:n; rm $V; IFS=' '", "unset V; V={w}"),
)
SHAPES = (
    *(
        "{s}",
        "{s}",
        "{s}; {s}",
        "({s})",
        "{{ {s}; }}",
        "if true; then {s}; else {s}; fi",
        "if false; then {s}; fi",
    ),
    *(
        "for f in {w} {w}; do {s}; done",
        "case {w} in x*) {s};; *) {s};; esac",
        "{s} && {s} || {s}",
        "false && {s}",
    ),
    *("i=0; while [ $i -lt 2 ]; do rm i$i; i=$((i+1)); done",),
)


def grow(rng: random.Random, shape: str, depth: int = 0) -> str:
    """Fill a shape's places with random statements and words."""
    text = shape
    while "{s}" in text or "{w}" in text:
        if "{s}" in text:
            inner = rng.choice(SHAPES) if depth < 2 and rng.random() < 0.3 else rng.choice(COMMANDS)
            text = text.replace("{s}", grow(rng, inner, depth + 1), 1)
        else:
            text = text.replace("{w}", rng.choice(WORDS) + rng.choice(["", "", "k", "/m"]), 1)
    return text.replace("{{", "{").replace("}}", "}")


def deleted_by_bash(script: str, folder: Path) -> list[str]:
    """What the stub was given, as absolute paths."""
    seen = folder / "seen"
    seen.write_text("")
    environment = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "SEEN": str(seen), "HOME": str(folder / "w")}
    subprocess.run(
        ["bash", "-c", script],
        cwd=folder / "w",
        env=environment,
        capture_output=True,
        timeout=20,
        check=False,
    )
    return [path for path in seen.read_text().split("\1") if path]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash to compare with")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_bash_would_delete_is_named_or_unknown(seed: int, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("w/a", "w/b", "b", "w/b/b"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    stub = tmp_path / "bin" / "rm"
    stub.write_text(STUB)
    stub.chmod(0o755)
    here = str(tmp_path / "w")
    rng = random.Random(seed)
    missed: list[str] = []
    judged = 0
    for _ in range(SCRIPTS // 3):
        script = PREFACE + "\n".join(grow(rng, rng.choice(SHAPES)) for _ in range(rng.randint(1, 4)))
        frames = shell(script, Facts(home=here), cwd=here)
        if any(frame.unknown & {"command", "path"} for frame in frames):
            continue
        judged += 1
        named = [path for frame in frames if frame.act == "delete" for path in frame.paths]
        for path in deleted_by_bash(script, tmp_path):
            root = normalise(literal(path))
            if root and not any(touches(mine, root, True) is not Truth.FALSE for mine in named):
                missed.append(f"{path}\n{script}")
    assert missed == []
    assert judged > SCRIPTS // 12
