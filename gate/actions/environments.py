"""Where a command takes effect: the environments, contexts and projects that its line and variables name.

'production' is named by an option (`-n production`, `--prod`), an assignment (`ENV=production`), or a piece
of a word (`deploy:production`, `envs/production`, `production.tfvars`). A command that changes what runs
somewhere and names no place does it where the machine's configuration says: unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gate.actions.vocabulary import word_set

# every name of an environment stands for the others of its line
SYNONYMS = (
    word_set("production prod prd live"),
    word_set("staging stage stg preproduction preprod"),
    word_set("development dev devel"),
    word_set("test testing tst qa"),
    word_set("preview sandbox demo local uat canary ci nightly integration"),
)
ENVIRONMENTS = frozenset[str]().union(*SYNONYMS)
_ALONE = SYNONYMS[-1]  # names of environments that are not each other
# options whose value names the place; short ones mean so only for the tools that read them here
_OPTIONS = word_set(
    """
    namespace context kube-context cluster environment env stage workspace project profile stack target
    account subscription inventory region app remote var var-file chdir field raw-field
    resource-group instance host tag limit
    """
)
_VALUED = word_set(
    "filename file values set image output format selector image-tag message body title query method field"
)
_VARIABLE = re.compile(
    r"(?i)(?:\w*_)?(?:env|environment|stage|target|tier|workspace|profile|context|namespace|project|cluster|stack)\Z"
)
_PIECE = re.compile(r"[^\W_]+")


def takes_value(option: str) -> bool:
    """Whether a long option of these tools is followed by its value."""
    naming = ("name", "identifier", "id", "bucket", "database", "table", "instance", "namespace")
    return option in _OPTIONS or option in _VALUED or option.rpartition("-")[2] in naming


def pieces(word: str) -> list[str]:
    """The words that a word of a command line is made of: 'ProductionStack' is production and stack."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", word)
    return [piece.casefold() for piece in _PIECE.findall(apart)]


def synonyms(piece: str) -> frozenset[str]:
    """Every name of the environment that a word names; empty for what is none."""
    if piece in _ALONE:
        return frozenset((piece,))
    return next((names for names in SYNONYMS if piece in names), frozenset())


def named(words: Iterable[str]) -> list[str]:
    """The environments among the pieces of words."""
    return [piece for word in words for piece in pieces(word) if piece in ENVIRONMENTS]


def variables_that_place(variables: Iterable[tuple[str, str]]) -> list[str]:
    """Values of variables whose names say where: ENV, TF_WORKSPACE, AWS_PROFILE."""
    return [value for name, value in variables if value and _VARIABLE.match(name)]


def place_options(args: list[str], short: str = "") -> list[str]:
    """Values of the options that say where, in order; `--prod` names itself."""
    found: list[str] = []
    for index, word in enumerate(args):
        if not word.startswith("-"):
            if re.match(r"[A-Za-z_]\w*=", word):  # make deploy ENV=production
                found.append(word.partition("=")[2])
            continue
        name, equals, value = word.lstrip("-").partition("=")
        if name.casefold() in ENVIRONMENTS:
            found.append(name)
        letter = not word.startswith("--") and name[:1] in short
        if name in _OPTIONS or letter:
            if letter and len(name) > 1 and not equals:
                found.append(name[1:])
            else:
                found.append(value if equals else "".join(args[index + 1 : index + 2]))
    return [value for value in found if value and not value.startswith("-")]
