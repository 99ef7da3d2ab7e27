"""The project's conventions, held by tests: sizes, names, arrows, documents."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("store", "gate", "router", "partner")
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 70
VAGUE = {"utils.py", "util.py", "helpers.py", "helper.py", "misc.py", "common.py"}


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders or PACKAGES:
        yield from sorted((ROOT / folder).rglob("*.py"))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def named(path: Path, detail: object) -> str:
    return f"{path.relative_to(ROOT)}: {detail}"


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    long = [named(p, n) for p in modules() if (n := len(p.read_text().splitlines())) > MAX_MODULE_LINES]
    assert not long


def test_no_function_is_longer_than_a_screen() -> None:
    long = []
    for path in modules():
        for node in functions(ast.parse(path.read_text())):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                long.append(named(path, f"{node.name} {length}"))
    assert not long


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [named(p, p.name) for p in modules(*PACKAGES, "tests", "benchmarks") if p.name in VAGUE]


def test_no_two_test_modules_share_a_name() -> None:
    """pytest imports them by their bare names here."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        named(p, "no docstring")
        for p in modules()
        if p.read_text().strip() and not ast.get_docstring(ast.parse(p.read_text()))
    ]
    assert not silent


CLOCKS = re.compile(r"\b(?:datetime\.(?:now|utcnow|today)|date\.today|time\.time(?:_ns)?)\(")


def test_the_time_of_day_is_an_argument_everywhere_but_in_the_composition_root() -> None:
    readers = {p.relative_to(ROOT).as_posix() for p in modules() if CLOCKS.search(p.read_text())}
    assert readers <= {"partner/bootstrap.py"}


def reads_environment(path: Path) -> bool:
    """Whether the module itself, not some text in it, uses os.environ or os.getenv."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in ("environ", "getenv")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        for node in ast.walk(ast.parse(path.read_text()))
    )


def test_the_gate_and_the_store_do_not_read_the_environment() -> None:
    assert not [named(p, "os.environ") for p in modules("gate", "store") if reads_environment(p)]


def test_nothing_is_left_half_done() -> None:
    marks = re.compile(r"\b(?:TODO|FIXME|XXX|NotImplementedError)\b")
    assert not [named(p, "unfinished") for p in modules() if marks.search(p.read_text())]


def test_every_error_module_opens_with_its_tree() -> None:
    for package in PACKAGES:
        path = ROOT / package / "errors.py"
        if path.exists():
            assert "├──" in (ast.get_docstring(ast.parse(path.read_text())) or ""), named(path, "no tree")


def test_every_config_file_parses() -> None:
    for path in (ROOT / "configs").rglob("*.toml"):
        tomllib.loads(path.read_text())


def test_every_dependency_says_in_a_word_why_it_is_there() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    block = text[text.index("\ndependencies = [") : text.index("[project.scripts]")]
    entries = [line for line in block.splitlines() if line.strip().startswith('"')]
    assert entries
    assert not [line for line in entries if "#" not in line]


def test_the_locks_hold_every_declared_dependency_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    names = {re.split(r"[\[<>=~! ]", d)[0].lower() for d in project["project"]["dependencies"]}
    lock = (ROOT / "configs/lock/runtime.txt").read_text()
    locked = set(re.findall(r"^([a-z0-9-]+)==", lock, flags=re.M))
    assert names <= locked
    assert len(re.findall(r"^[a-z0-9-]+==", lock, flags=re.M)) <= lock.count("--hash=sha256:")


@pytest.mark.parametrize("package", PACKAGES)
def test_the_public_surface_is_exactly_what_all_names(package: str) -> None:
    code = (
        f"import {package} as p; missing = [n for n in p.__all__ if not hasattr(p, n)];"
        "assert not missing, missing; print(sorted(p.__all__))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    snapshot = ROOT / "tests/tidy/surface" / f"{package}.txt"
    assert ast.literal_eval(done.stdout) == snapshot.read_text().split(), f"{snapshot.name} differs"


def test_the_arrows_between_the_packages_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_documents_speak_of_the_project_only() -> None:
    foreign = re.compile(r"/work/|\.\./shared|/tmp/w")  # a path of somebody's machine
    texts = [*ROOT.glob("*.md"), *modules(*PACKAGES), *ROOT.glob("*/*.md")]
    assert not [named(p, "names a foreign path") for p in texts if foreign.search(p.read_text())]
