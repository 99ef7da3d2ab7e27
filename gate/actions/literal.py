"""Commands and SQL statements that a text holds literally: 'please run rm -rf /srv/x', '`DROP TABLE a`'.

Recognised by their grammar: a known program where a verb or a line begins, followed by what only a command
line holds (an option, a path, a sign of the shell, a subcommand of that program), or a statement that a SQL
grammar reads. Words that are also words of the language ('find', 'make', 'cat') need such a sign at once:
'find the letter' and 'cat pictures' are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from gate.actions.shell.names import NAMES, RUNNING
from gate.actions.vocabulary import may_hold_statements, word_set
from gate.language.lexicon import Lexicon
from gate.language.thesaurus import noun_class

MAX_LITERALS = 20  # of one piece of text
MAX_CHARS = 2_000  # of one literal
MAX_TRIES = 40  # stretches of one piece of text that a SQL grammar is tried on
SHELL, SQL = "shell", "sql"
_FENCE = re.compile(r"```[ \t]*([\w+-]*)[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`\n]{2,400})`(?!`)")
_START = re.compile(r"(?<![\w./@:'’-])(?:\./|[a-z])[\w.+/-]*")
_WORD = re.compile(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'])+")
_STRONG = re.compile(
    r"-{1,2}[A-Za-z][\w-]*(?:=.*)?\Z|-\d\Z|.*[|<>$*=;]|&&|.*/.|[~.]{1,2}/?\Z|.+\.[A-Za-z][A-Za-z0-9]{0,4}\Z"
)
_STATEMENT = re.compile(
    r"(?<![\w-])(?:drop\s+(?:table|database|schema|view|index|user|role|materialized)\s+|"
    r"truncate\s+(?:table\s+)?|delete\s+from\s+|update\s+[\w.\"`\[\]]+\s+set\s+|insert\s+into\s+|"
    r"alter\s+(?:table|database|schema|user|role)\s+|"
    r"merge\s+into\s+|create\s+(?:or\s+replace\s+)?(?:table|database|schema|view|index|user|role)\s+|"
    r"select\s+[^;\n]{1,400}?\sfrom\s+|grant\s+\w[^;\n]{0,200}\sto\s+)[\w\"`\[(]",
    re.IGNORECASE,
)
# words that only lead up to a verb
_SMALL = ("please", "pronoun", "auxiliary", "conjunction", "filler", "subject", "adverb")
_STOPPING = ("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "please", "filler", "adverb")
_ENGLISH = word_set("just most less which at micro ex ed false true pr id comm perf exec env nice mini")
_WITHOUT_WORDS = word_set("poweroff")
_TOOLS_OF_FILES = word_set("rm mv cp rmdir mkdir unlink chmod chown dropdb createdb mysqladmin")


@dataclass(frozen=True, slots=True)
class Literal:
    """A command or a statement and the stretch of the text that holds it. `marked`: as code; `alone`: on
    lines of its own."""

    kind: str
    text: str
    start: int
    end: int
    marked: bool = False
    alone: bool = False


def literals(text: str, lexicon: Lexicon) -> list[Literal]:
    """The literals of a text, in order; no two overlap."""
    found: list[Literal] = []
    if "`" in text:
        found += islice(_code(text), MAX_LITERALS)
    statements = _statements(text, lexicon) if may_hold_statements(text) else ()
    for literal in (*_commands(text, lexicon), *statements):
        if len(found) >= MAX_LITERALS:
            break
        if not any(literal.start < other.end and other.start < literal.end for other in found):
            found.append(literal)
    return sorted(found, key=lambda literal: literal.start)


def _code(text: str) -> Iterator[Literal]:
    covered: list[tuple[int, int]] = []
    for fence in _FENCE.finditer(text):
        covered.append(fence.span())
        kind = _kind(fence.group(2), fence.group(1).lower())
        if kind:
            body = fence.group(2)[:MAX_CHARS]
            lines = [re.sub(r"^\s*[$#>] ", "", line) for line in body.split("\n")]
            yield Literal(kind, "\n".join(lines), fence.start(), fence.end(), marked=True, alone=True)
    for span in _SPAN.finditer(text):
        if any(start <= span.start() < end for start, end in covered):
            continue
        code = span.group(1).strip().removeprefix("$ ")
        kind = _kind(code, "")
        if kind:
            alone = not text[text.rfind("\n", 0, span.start()) + 1 : span.start()].strip()
            line_end = text.find("\n", span.end())
            alone = alone and not text[span.end() : line_end if line_end >= 0 else len(text)].strip(" .!")
            yield Literal(kind, code, span.start(), span.end(), marked=True, alone=alone)


def _kind(code: str, language: str) -> str | None:
    """What marked code is: its language says, or how it begins."""
    if language in ("sql", "psql", "mysql", "postgresql", "sqlite") or _STATEMENT.match(code.lstrip()):
        return SQL
    if language in ("sh", "bash", "shell", "zsh", "console", "fish"):
        return SHELL
    if language:
        return None
    words = code.split()
    name = words[0].rpartition("/")[2] if words else ""
    return SHELL if name in NAMES and (len(words) > 1 or name in _WITHOUT_WORDS) else None


# -- commands --------------------------------------------------------------------------------------


def _commands(text: str, lexicon: Lexicon) -> Iterator[Literal]:
    past = 0
    for match in _START.finditer(text):
        name = match.group().rstrip(".")
        if match.start() < past or not (name in NAMES or name.startswith("./")):
            continue
        if lexicon.has("filler", name) or lexicon.has("please", name):
            continue  # `please` and `now` are programs too
        if _before(text, match.start(), lexicon) is False:
            continue
        line_end = text.find("\n", match.start())
        line = text[match.start() : line_end if line_end >= 0 else len(text)][:MAX_CHARS]
        size = _command_size(line, name, lexicon)
        if size:
            past = match.start() + size
            start = text.rfind("\n", 0, match.start()) + 1
            alone = not text[start : match.start()].strip(" $#>") and not text[
                past : line_end if line_end >= 0 else len(text)
            ].strip(" .!")
            yield Literal(SHELL, line[:size], match.start(), past, alone=alone)


def _before(text: str, at: int, lexicon: Lexicon) -> bool | None:
    """Whether a verb may stand here: at a line's or clause's beginning (None: a verb of running stands
    before it), after small words; not after a noun, an article or a preposition."""
    before = text[max(0, at - 60) : at].rpartition("\n")[2].rstrip(" ")
    if not before or before[-1] in '$#>:;,.!?&|("“-–—':
        return True
    word = re.findall(r"[\w']+", before)[-1:]
    last = word[0].casefold() if word else ""
    if last in RUNNING:
        return None
    if lexicon.has("determiner", last) or (lexicon.has("preposition", last) and last not in ("to",)):
        return False
    return last == "to" or last == "sudo" or lexicon.has_any(_SMALL, last)


def _command_size(line: str, name: str, lexicon: Lexicon) -> int:
    """How many characters of a line are the command that begins it; 0 when it is none."""
    words = list(_WORD.finditer(line))
    kept, stopping = 1, lexicon.unions[_STOPPING]
    for word in words[1:]:
        bare = word.group().rstrip(".,!?:;").casefold()
        if bare in stopping and bare.isalpha():
            break
        kept += 1
        if word.group()[-1] in ",!?:" or (word.group()[-1] == "." and len(word.group()) > 2):
            break
    args = [word.group().rstrip(",!?:") for word in words[1:kept]]
    if not args or not _is_command(name, args, lexicon, whole=kept == len(words)):
        return 0
    end = words[kept - 1].end()
    text = line[:end]
    return len(text.rstrip(",!?:") if text[-1] != "." or text.endswith(" .") else text[:-1])


def _is_command(name: str, args: list[str], lexicon: Lexicon, *, whole: bool) -> bool:
    """`whole`: no word of the language ended the arguments."""
    strong = [bool(_STRONG.match(word)) for word in args]
    if name.startswith("./"):
        return True
    if name == "sudo":
        inner = next((at for at, word in enumerate(args) if not word.startswith("-")), len(args))
        rest = args[inner + 1 :]
        return inner < len(args) and (args[inner] in NAMES or any(strong)) and (bool(rest) or any(strong))
    if known_subcommand(name, args):
        return True
    if any(re.match(r"[A-Z][A-Z_]*=", word) for word in args):
        return True
    if any(part in ("&&", "||", "|", ">", ">>", ";") for part in args) and not _is_word(name, lexicon):
        return True
    if _is_word(name, lexicon):
        if whole and any(word.startswith(("/", "~/", "./")) for word in args):
            return True
        return strong[0] and (
            args[0].startswith(("-", "/", "~", "./", "../", "*", "http"))
            or name in ("cat", "touch", "kill", "sort")
        )
    return any(strong) or (name in _TOOLS_OF_FILES and args[0].islower())


def _is_word(name: str, lexicon: Lexicon) -> bool:
    """Whether a program's name is an ordinary word too."""
    if name in _ENGLISH or lexicon.has_any((*_STOPPING, "generic"), name):
        return True
    return noun_class(name) is not None or lexicon.base(name) in lexicon.verbs


def known_subcommand(name: str, args: list[str]) -> bool:
    """Whether the first word is one that the program knows ('git push', 'kubectl delete')."""
    from gate.actions.shell.system import PACKAGE_VERBS, SERVICE_VERBS
    from gate.actions.shell.tools import tools
    from gate.actions.shell.versioning import SUBCOMMANDS

    words = [word for word in args if not word.startswith("-")]
    first = words[0] if words else ""
    if name == "git":
        return first in SUBCOMMANDS or (first.islower() and any(word.startswith("-") for word in args))
    if name in ("docker", "podman"):
        return first in _DOCKER_VERBS
    if name in ("aws", "gsutil", "rclone"):
        return len(words) > 1 and words[1].islower()
    if name in ("systemctl", "service", "pm2", "supervisorctl"):
        return bool({*words[:2]} & SERVICE_VERBS.keys())
    if name in (
        "apt",
        "apt-get",
        "pip",
        "pip3",
        "npm",
        "yarn",
        "pnpm",
        "brew",
        "cargo",
        "dnf",
        "yum",
        "conda",
    ):
        return first in PACKAGE_VERBS or first == "run"
    rules = tools().get(name)
    if rules is None:
        return False
    verbs = {verb[0] for verb, _ in rules[1]} | {verb[-1] for verb, _ in rules[1]}
    return any(word.casefold() in verbs for word in words[:3]) and not (
        len(words) > 3 and name in ("render", "now")
    )


_DOCKER_VERBS = word_set(
    "run exec rm rmi stop kill start restart push pull build compose container image volume network system "
    "stack service ps logs cp save load tag login prune"
)


# -- statements ------------------------------------------------------------------------------------


def _statements(text: str, lexicon: Lexicon) -> Iterator[Literal]:
    past, tries = 0, iter(range(MAX_TRIES))
    for match in _STATEMENT.finditer(text):
        if match.start() < past:
            continue
        rest = text[match.start() : match.start() + MAX_CHARS].split("\n\n")[0]
        size = _statement_size(rest, match.end() - match.start(), lexicon, tries)
        if size:
            past = match.start() + size
            start = text.rfind("\n", 0, match.start()) + 1
            alone = not text[start : match.start()].strip(" $#>") and not text[past:].partition("\n")[
                0
            ].strip(" .;!")
            yield Literal(SQL, rest[:size], match.start(), past, alone=alone)


def _statement_size(rest: str, least: int, lexicon: Lexicon, tries: Iterator[int]) -> int:
    """How many characters are a statement that a grammar reads; 0 for a sentence that begins like one, and
    when nothing is left of `tries`."""
    from gate.actions.sql import statement_frames

    end = rest.find(";")
    whole = rest[: end + 1] if end >= 0 else rest.rstrip(" .!?\n")
    shouted = rest[: rest.find(" ")].isupper()
    ends = [len(whole)]
    if end < 0:
        ends += [at.start() for at in re.finditer(r"[,.!?:\n]?\s+(?=\S)", whole) if at.start() >= least][
            ::-1
        ][:24]
    for size in ends:
        code = whole[:size]
        names = [word.casefold() for word in re.findall(r"\w+", code)[1:]]
        if any(lexicon.has("determiner", word) for word in names if word not in ("all", "any", "no")):
            continue
        sure = shouted or end >= 0 or re.search(r"[*()=\"`]", code) is not None
        if not sure and (code.split()[0].casefold() in ("select", "truncate", "grant") or size != len(whole)):
            continue
        if next(tries, None) is None:
            return 0
        frames = statement_frames(code, database=None, dialect=None)
        if frames and not any("statement" in frame.unknown for frame in frames):
            return size
    return 0
