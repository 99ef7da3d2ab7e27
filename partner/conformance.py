"""Which conformance statements a test names. Read from the tests' own marks, so only a checkout has them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from partner.errors import UsageError

GROUPS = {"S": ("substrate", 18), "E": ("engine", 27), "P": ("partner", 20), "F": ("fragment", 15)}


def covered(root: Path | None = None) -> dict[str, list[str]]:
    """Number -> the tests that carry it, in the statements' order; an empty list where none does."""
    tests = (root or Path(__file__).resolve().parents[1]) / "tests"
    if not tests.is_dir():
        raise UsageError(
            "There are no tests beside this installation. Run this in a checkout of the project."
        )
    found: dict[str, list[str]] = {
        f"{g}{n}": [] for g, (_, count) in GROUPS.items() for n in range(1, count + 1)
    }
    for path in sorted(tests.rglob("test_*.py")) + sorted((tests / "contracts").glob("*.py")):
        for number, test in _marks(path):
            name = f"{path.relative_to(tests.parent)}::{test}"
            if name not in found.setdefault(number, []):
                found[number].append(name)
    return found


def text(found: dict[str, list[str]]) -> str:
    """A line a number: how many tests, and the first of them."""
    lines = [
        f"{number:<4} {len(tests):>3}  {tests[0] if tests else 'no test'}" for number, tests in found.items()
    ]
    having = sum(1 for tests in found.values() if tests)
    return "\n".join([*lines, f"{having} of {len(found)} statements have a test that names them."])


def _marks(path: Path) -> Iterator[tuple[str, str]]:
    """(number, test) for every `@pytest.mark.conforms(...)` and module-wide `pytestmark` of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                yield from ((number, node.name) for number in _numbers(decorator))
        elif isinstance(node, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets
        ):
            yield from ((number, path.stem) for call in ast.walk(node.value) for number in _numbers(call))


def _numbers(node: ast.AST) -> list[str]:
    """The statements of `pytest.mark.conforms(...)`, also where the mark goes by its own name."""
    if not isinstance(node, ast.Call):
        return []
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called != "conforms":
        return []
    return [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
