"""No part of the partner has another way to an engine, a tool, a program or the network than the judged ones.

Read from the source. What is asked here is not whether a call is made, but whether the means to make one are
there at all: a method taken without calling it, a name put together at run time, a module imported by another
spelling, the inside of somebody else's object.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from surroundings import ROOT

from gate.actions.vocabulary import word_set

# Where the partner holds what asks an engine or runs a tool: each asks the gate (test_past_the_gate.py).
ASKING = {
    ("partner/speaking.py", "self._router.stream"),
    ("partner/proposing.py", "self._router.stream"),
    ("partner/cli/engines.py", "partner.router.test"),
    ("partner/tools/builtin.py", "httpx.stream"),
}
RUNNING = {
    ("partner/tools/executor.py", "tool.run"),
    ("partner/formation/former.py", "turn.run"),
    ("partner/terminal/piped.py", "commands.run"),
    ("partner/terminal/slash.py", "entry.run"),
    ("partner/terminal/slash.py", "self.run"),
    ("partner/terminal/talk.py", "self._commands.run"),
}
ROUTER = {"router", *(f"router.{name}" for name in word_set("config errors files keys model models routing"))}
# names that are only known when the program runs: a settings field, a field of what is shown
COMPUTED = {("partner/bootstrap.py", "getattr(wanted, name)"), ("partner/views.py", "getattr(value, f.name)")}
OUTWARD = {  # both run behind the executor alone
    ("partner/tools/running.py", "subprocess"),
    ("partner/tools/builtin.py", "httpx"),
}
REACHING = word_set(
    "subprocess socket socketserver ssl httpx httpcore requests aiohttp urllib.request urllib3 http ftplib "
    "smtplib poplib imaplib telnetlib nntplib xmlrpc websockets websocket paramiko asyncio trio anyio "
    "multiprocessing concurrent.futures.process pty pexpect ctypes cffi _ctypes _posixsubprocess _socket "
    "posix webbrowser importlib runpy imp pkgutil code codeop litellm llama_cpp openai anthropic"
)
REFLECTING = word_set(
    "eval exec compile __import__ import_module vars globals locals setattr delattr methodcaller attrgetter "
    "breakpoint __builtins__ __getattribute__ __globals__ __code__ __subclasses__ __loader__"
)
OF_THE_SYSTEM = ("system", "popen", "exec", "spawn", "posix_spawn", "fork", "startfile")


def nodes(package: str) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from ((path.relative_to(ROOT).as_posix(), node) for node in ast.walk(tree))


def named(node: ast.AST) -> str:
    """A name or an attribute's own name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def imported(node: ast.AST) -> list[str]:
    """The modules that an import may bind, by their full names: `from urllib import request` too."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def under(module: str, tops: frozenset[str]) -> str:
    """The one of `tops` that a module is or lies below."""
    parts = module.split(".")
    return next((top for n in range(len(parts)) if (top := ".".join(parts[: n + 1])) in tops), "")


@pytest.mark.conforms("P5")
def test_what_asks_an_engine_or_runs_a_tool_is_held_in_these_places_alone() -> None:
    held = {
        (name, ast.unparse(node))
        for name, node in nodes("partner")
        if isinstance(node, ast.Attribute) and node.attr in ("stream", "test", "run")
    }
    assert held == ASKING | RUNNING
    inside = {
        (name, ast.unparse(node))
        for name, node in nodes("router")
        if isinstance(node, ast.Attribute) and node.attr == "stream" and "/engines/" not in name
    }
    assert inside == {("router/routing.py", "engine.stream")}


@pytest.mark.conforms("P5")
def test_nothing_of_the_partner_reaches_into_another_object_or_puts_a_name_together() -> None:
    private = {
        (name, ast.unparse(node))
        for name, node in nodes("partner")
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and ast.unparse(node.value) not in ("self", "cls")
    }
    assert private == set()
    reflecting = {
        (name, named(node)) for name, node in nodes("partner") if named(node) in REFLECTING - {"compile"}
    }
    reflecting |= {
        (name, "compile")
        for name, node in nodes("partner")
        if isinstance(node, ast.Name) and node.id == "compile"
    }
    assert reflecting == set()
    computed = {
        (name, ast.unparse(node))
        for name, node in nodes("partner")
        if isinstance(node, ast.Call)
        and named(node.func) == "getattr"
        and not isinstance(node.args[1], ast.Constant)
    }
    assert computed == COMPUTED
    fetched = {
        ast.literal_eval(node.args[1])
        for _, node in nodes("partner")
        if isinstance(node, ast.Call)
        and named(node.func) == "getattr"
        and isinstance(node.args[1], ast.Constant)
    }
    assert not {name for name in fetched if name.startswith("_") or name in ("stream", "test", "run")}


@pytest.mark.conforms("P5")
def test_the_partner_imports_nothing_that_reaches_out_and_of_the_router_no_engine() -> None:
    modules = {(name, module) for name, node in nodes("partner") for module in imported(node)}
    reaching = {(name, top) for name, module in modules if (top := under(module, REACHING))}
    assert reaching == OUTWARD
    of_router = {module for _, module in modules if module.split(".")[0] == "router"}
    below = {module for module in of_router if (ROOT / (module.replace(".", "/") + ".py")).exists()}
    below |= {module for module in of_router if (ROOT / module.replace(".", "/")).is_dir()}
    assert below <= ROUTER


@pytest.mark.conforms("P5")
def test_no_program_is_started_through_the_system_module() -> None:
    started = {
        (name, named(node))
        for name, node in nodes("partner")
        if isinstance(node, ast.Attribute)
        and ast.unparse(node.value) in ("os", "posix")
        and node.attr.startswith(OF_THE_SYSTEM)
    }
    started |= {
        (name, module)
        for name, node in nodes("partner")
        for module in imported(node)
        if module.startswith(tuple(f"os.{word}" for word in OF_THE_SYSTEM))
    }
    assert started == set()
    spelled = {
        (name, alias.asname)
        for name, node in nodes("partner")
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "os" and alias.asname
    }
    assert spelled == set()  # under another name it would not be seen here
