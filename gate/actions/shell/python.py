"""Python one-liners, read with Python's own grammar.

Known calls become frames; anything that could reach the system in a way that is not known here makes the
text 'not understood'. Values are followed through names, concatenation, f-strings and pathlib.
"""

from __future__ import annotations

import ast
import shlex

from gate.actions.shell.effects import Call
from gate.actions.shell.marks import ANY, DEEP, glob_marks
from gate.actions.shell.state import Data
from gate.actions.vocabulary import word_set

MAX_NODES = 3000

_PURE_MODULES = word_set(
    """
    json math re datetime time collections itertools functools operator string random statistics
    textwrap decimal fractions calendar pprint hashlib base64 struct uuid platform typing
    dataclasses enum locale copy heapq bisect unicodedata zoneinfo secrets html csv io argparse
    __future__ warnings
    """
)
_PURE_NAMES = word_set(
    """
    print len range sorted str int float bool list dict set tuple sum min max abs round enumerate
    zip map filter any all isinstance repr chr ord hex bin oct reversed divmod pow type bytes
    bytearray format input iter next hash frozenset complex id ascii slice Exception ValueError
    KeyError object super __name__ exit quit
    """
)
_PURE_DOTTED = word_set(
    """
    os.path os.getcwd os.environ os.getenv os.sep os.name os.linesep os.getpid os.cpu_count os.uname
    os.listdir os.walk os.scandir os.stat sys.argv sys.stdin sys.stdout sys.stderr sys.exit
    sys.version sys.version_info sys.path sys.platform sys.maxsize sys.executable sys.byteorder
    sys.modules pathlib.Path pathlib.PurePath glob.glob glob.iglob os.curdir os.pardir os.getuid
    os.geteuid shutil.which shutil.disk_usage os.expanduser
    """
)
_PURE_METHODS = word_set(
    """
    append join split strip lstrip rstrip format replace upper lower title get items keys values
    encode decode sort startswith endswith count index find rfind read readlines readline close
    group groups match search findall add pop extend insert hexdigest digest isoformat strftime
    total_seconds splitlines copy update partition rpartition zfill ljust rjust center capitalize
    casefold exists is_file is_dir stat glob rglob iterdir resolve absolute expanduser as_posix
    with_suffix with_name relative_to joinpath most_common setdefault isdigit isalpha fromhex hex
    writelines flush write sub compile strptime fromisoformat now today date time quantize discard
    union intersection difference reverse loads dumps tell seek parts stem name suffix parent
    """
)
_DELETES = {"os.remove", "os.unlink", "os.rmdir", "os.removedirs"}
_TREES = {"shutil.rmtree"}
_MOVES = {"os.rename", "os.replace", "os.renames", "shutil.move"}
_COPIES = {"shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "os.link"}
_MAKES = {"os.mkdir", "os.makedirs", "os.mkfifo"}
_CHANGES = {"os.chmod", "os.chown", "os.truncate", "os.utime"}
_SHELLS = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"}
_RUNS = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")}
_FETCHES = {"urllib.request.urlopen", "urllib.request.urlretrieve", "urllib.request.Request"} | {
    f"{module}.{method}"
    for module in ("requests", "httpx")
    for method in ("get", "head", "options", "post", "put", "patch", "delete", "request")
}


def read_python(call: Call) -> None:
    """Put the frames of the Python source in `call.args[0]`."""
    try:
        tree = ast.parse(call.args[0])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        call.not_understood()
        return
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        call.not_understood()
        return
    _Reader(call).read(tree)


class _Reader:
    def __init__(self, call: Call) -> None:
        self.call = call
        self.modules: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.lost = False

    def read(self, tree: ast.AST) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    self.modules[name.asname or name.name.split(".")[0]] = (
                        name.name if name.asname else name.name.split(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    self.modules[name.asname or name.name] = f"{node.module}.{name.name}"
                    self.lost |= name.name == "*"
        try:
            for node in ast.walk(tree):
                self._bind(node)
            called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    self._called(node)
                elif isinstance(node, ast.Attribute | ast.Name) and id(node) not in called:
                    self._mentioned(node)
        except RecursionError:
            self.lost = True
        if self.lost:
            self.call.not_understood()

    def _bind(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            known = self.value(node.value)
            self.values[name] = known if self.values.get(name, known) == known else ANY
        elif (isinstance(node, ast.For) and isinstance(node.target, ast.Name)) or (
            isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name)
        ):
            self.values[node.target.id] = self.value(node.iter)

    def dotted(self, node: ast.AST) -> str | None:
        """`os.path.join` for a chain of names that starts at an imported or built-in name."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        if node.id in self.modules:
            return ".".join([self.modules[node.id], *reversed(parts)])
        return node.id if not parts else None

    def value(self, node: ast.AST | None) -> str:
        """The text that an expression surely means, else ANY."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str | int):
            return str(node.value)
        if isinstance(node, ast.Name):
            return self.values.get(node.id, ANY)
        if isinstance(node, ast.JoinedStr):
            return "".join(
                self.value(part.value if isinstance(part, ast.FormattedValue) else part)
                for part in node.values
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Div):
            left, right = self.value(node.left), self.value(node.right)
            return (
                left + ("/" if isinstance(node.op, ast.Div) else "") + right
                if not right.startswith("/") or isinstance(node.op, ast.Add)
                else right
            )
        if isinstance(node, ast.Call):
            return self._computed(node)
        return ANY

    def _computed(self, node: ast.Call) -> str:
        name = self.dotted(node.func) or ""
        if name in (
            "pathlib.Path",
            "pathlib.PurePath",
            "os.path.join",
            "os.path.abspath",
            "os.path.normpath",
            "str",
            "os.path.expanduser",
        ):
            joined = ""
            for part in map(self.value, node.args):
                joined = part if part.startswith("/") or not joined else joined.rstrip("/") + "/" + part
            return joined
        if name in ("glob.glob", "glob.iglob") and node.args:
            return glob_marks(self.value(node.args[0]))
        if name == "os.getcwd":
            return self.call.world.cwd or ANY
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in ("glob", "rglob", "iterdir") and isinstance(node.func, ast.Attribute):
            return self.value(node.func.value).rstrip("/") + "/" + DEEP
        return ANY

    def _mentioned(self, node: ast.Attribute | ast.Name) -> None:
        """A name that is not called: harmless unless it hands a function of the system to someone."""
        if (
            isinstance(node, ast.Attribute)
            and node.attr.startswith("__")
            and node.attr not in ("__version__", "__file__", "__name__", "__doc__")
        ):
            self.lost = True
        name = self.dotted(node)
        if name is None or not isinstance(node.ctx, ast.Load):
            return
        known = _DELETES | _TREES | _MOVES | _COPIES | _SHELLS | _RUNS | _FETCHES | _MAKES | _CHANGES
        if name in known or name in (
            "eval",
            "exec",
            "compile",
            "__import__",
            "getattr",
            "globals",
            "vars",
            "open",
            "__builtins__",
        ):
            self.lost = True

    def _called(self, node: ast.Call) -> None:
        name = self.dotted(node.func)
        if name is None or name.split(".")[0] in self.values:
            if isinstance(node.func, ast.Attribute):
                self._method(node, node.func)
            elif not isinstance(node.func, ast.Name):
                self.lost = True
            return
        arguments = [self.value(argument) for argument in node.args]
        if name == "open" or name == "io.open":
            self._open(arguments, node)
        elif not self._effect(name, arguments, node):
            root = name.split(".")[0]
            pure = (
                name in _PURE_NAMES
                or root in _PURE_MODULES
                or any(name == dotted or name.startswith(dotted + ".") for dotted in _PURE_DOTTED)
            )
            defined = (
                "." not in name
                and name not in self.modules
                and name
                not in (
                    "eval",
                    "exec",
                    "compile",
                    "getattr",
                    "setattr",
                    "globals",
                    "vars",
                    "locals",
                    "breakpoint",
                    "delattr",
                )
                and not name.startswith("__")
            )
            self.lost |= not pure and not (defined and self._defines(name))

    def _defines(self, name: str) -> bool:
        """Functions that the text itself defines are read where they stand."""
        return f"def {name}" in self.call.args[0] or f"class {name}" in self.call.args[0]

    def _effect(self, name: str, arguments: list[str], node: ast.Call) -> bool:
        first = arguments[:1] or [ANY]
        call = self.call
        if name in _DELETES or name in _TREES:
            call.delete(first, tree=name in _TREES)
        elif name in _MOVES:
            call.emit("move", arguments[:2], labels=("tree", "local"))
            call.delete(first, tree=True)
            call.write(arguments[1:2] or [ANY], Data(None))
        elif name in _COPIES:
            call.emit("copy", arguments[:2], labels=("local",))
            call.read(first, tree=True)
            call.write(arguments[1:2] or [ANY], Data(None))
        elif name in _MAKES:
            call.emit("create", first)
        elif name in _CHANGES:
            call.emit("delete" if name == "os.truncate" else "change", first)
        elif name in _SHELLS:
            call.runner.script(first[0], call.world.copy())
        elif name in _RUNS:
            self._run(node, first[0])
        elif name in _FETCHES:
            self._fetch(name, node, arguments)
        else:
            return False
        return True

    def _run(self, node: ast.Call, text: str) -> None:
        from gate.actions.shell.search import run_words

        shell = any(keyword.arg == "shell" for keyword in node.keywords)
        first = node.args[0] if node.args else None
        if isinstance(first, ast.List | ast.Tuple) and not shell:
            run_words(self.call, [self.value(item) for item in first.elts], Data(""))
        elif shell or isinstance(first, ast.Constant):
            self.call.runner.script(text, self.call.world.copy())
        elif isinstance(first, ast.Call) and self.dotted(first.func) == "shlex.split" and first.args:
            run_words(self.call, shlex.split(self.value(first.args[0])), Data(""))
        else:
            self.lost = True

    def _fetch(self, name: str, node: ast.Call, arguments: list[str]) -> None:
        method = name.rpartition(".")[2]
        url = arguments[1] if method == "request" and len(arguments) > 1 else (arguments or [ANY])[0]
        hosts = self.call.contact([url])
        if method in ("post", "put", "patch", "delete", "request") or any(
            k.arg in ("data", "json", "files") for k in node.keywords
        ):
            self.call.send((), hosts, objects=("http request", "request", "data"))

    def _open(self, arguments: list[str], node: ast.Call) -> None:
        mode = next((self.value(keyword.value) for keyword in node.keywords if keyword.arg == "mode"), None)
        mode = mode or (arguments[1] if len(arguments) > 1 else "r")
        target = arguments[:1] or [ANY]
        if any(letter in mode for letter in "wax+") or ANY in mode:
            self.call.write(target, Data(None), append="a" in mode)
            if "w" in mode and not any(
                isinstance(n, ast.Attribute) and n.attr.startswith("write")
                for n in ast.walk(ast.parse(self.call.args[0]))
            ):
                self.call.emit("delete", target, labels=("empties",))
        else:
            self.call.read(target)

    def _method(self, node: ast.Call, func: ast.Attribute) -> None:
        """A method of some object: pathlib's are known by name, the harmless ones too."""
        target, method, call = self.value(func.value), func.attr, self.call
        arguments = [self.value(argument) for argument in node.args]
        if method in ("unlink", "rmdir", "rmtree"):
            call.delete([target], tree=method == "rmtree")
        elif method in ("rename", "replace") and len(arguments) == 1:
            call.delete([target], tree=True)
            call.write(arguments, Data(None))
        elif method in ("write_text", "write_bytes"):
            call.write([target], Data(arguments[0] if arguments and ANY not in arguments[0] else None))
        elif method in ("read_text", "read_bytes"):
            call.read([target])
        elif method in ("touch", "mkdir", "symlink_to", "hardlink_to"):
            call.emit("create", [target])
        elif method == "open":
            self._open([target, *arguments], node)
        elif method not in _PURE_METHODS:
            self.lost = True
