"""Tools that run and remove things elsewhere (clusters, clouds, hosting): what a command line of theirs does.

Each tool is a few lines of a table: the words of a subcommand and the acts they stand for. What is deleted
is named exactly, as kind and name ('namespace:payments', 'bucket:backups'), and so is where it happens; a
command that deploys without saying where has an unknown environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gate.actions import environments
from gate.actions.shell.catalogue import Handler
from gate.actions.shell.clients import files_and_hosts
from gate.actions.shell.effects import Call
from gate.actions.shell.marks import DEEP, STAR, has_marks
from gate.actions.shell.state import Data
from gate.actions.shell.tools import tools
from gate.actions.vocabulary import word_set

# tools : letters of options with a value : 'subcommand words = acts', longest first when several fit
_AWS_VERBS = {
    "delete": "delete", "terminate": "delete", "remove": "delete", "purge": "delete", "deregister": "delete",
    "rb": "delete", "rm": "delete", "empty": "delete",
    "create": "create", "put": "write", "update": "change", "modify": "change", "set": "change",
    "start": "start",
    "stop": "stop", "reboot": "restart", "run": "start", "describe": "read", "list": "read", "get": "read",
    "ls": "read", "deploy": "deploy",
}  # fmt: skip
_DEPLOYING = re.compile(
    r"(?:create-deployment|deploy|update-service|update-function-code|start-pipeline-execution|publish-version)\Z"
)
# what a word of a subcommand is about
KIND_OF = {
    "ns": "namespace", "project": "namespace", "repo": "repository", "rds": "database", "sql": "database",
    "db": "database", "d1": "database", "pg": "database", "postgres": "database", "mysql": "database",
    "rb": "bucket", "gs": "bucket", "r2": "bucket", "pvc": "volume", "pv": "volume",
    "persistentvolumeclaim": "volume", "disk": "volume", "deploy": "deployment", "svc": "service",
    "po": "pod", "vm": "instance", "kv": "namespace",
}  # fmt: skip
_KINDS = word_set(
    """
    namespace bucket database table volume repository cluster instance stack server secret deployment service
    pod job release branch user role function queue topic container image network app project environment
    dbinstance issue
    """
)
_DELETABLE = frozenset(("namespace", "bucket", "database", "table", "volume", "repository"))
_NAMING_OPTION = re.compile(
    r"(?:.*-)?(?:name|identifier|id|bucket|instance|cluster|database|db|table|namespace|repository|arn)\Z"
)
# what these deploy is a preview unless they are told --prod
_PREVIEWS = frozenset(("vercel", "now", "netlify"))
_STORE_URL = re.compile(r"(?:s3|gs|r2|oss|cos|az|b2|minio|wasbs?|abfss?)://([^/]+)(/.*)?\Z")


def platform(call: Call) -> Data:
    """One command of a platform's tool, as frames."""
    letters, rules = tools()[call.name]
    operands = _operands(call.args, letters)
    acts, rest = _verb(rules, operands)
    if call.name == "gh" and operands[:1] == ["api"]:
        acts = _api(call)
    if call.name in ("terraform", "tofu", "terragrunt") and "-destroy" in call.args and "deploy" in acts:
        acts = ("destroy",)
    if not acts and not operands and call.name in _PREVIEWS:
        acts = ("deploy",)  # `vercel --prod`
    if not acts:
        from gate.actions.shell.clients import by_words

        return by_words(call)
    if _switched(call, operands):
        return Data(None)
    files_and_hosts(call)
    nouns = [word for word in operands if word not in rest]
    if call.name in ("tofu", "terragrunt"):
        call.emit("execute", objects=("terraform", *nouns, *(f"terraform {word}" for word in nouns[:1])))
    put(call, acts, nouns, rest, letters)
    return Data(None, call.stdin.sources | call.sources)


def _operands(args: list[str], letters: str) -> list[str]:
    found: list[str] = []
    skip = False
    for word in args:
        if skip:
            skip = False
        elif word == "--":
            break
        elif word.startswith("--"):
            skip = "=" not in word and environments.takes_value(word.lstrip("-"))
        elif word.startswith("-") and len(word) > 1:
            skip = len(word) == 2 and word[1] in letters
        else:
            found.append(word)
    return found


def _verb(
    rules: list[tuple[tuple[str, ...], tuple[str, ...]]], operands: list[str]
) -> tuple[tuple[str, ...], list[str]]:
    """The acts of the subcommand and the operands after it."""
    lowered = [word.casefold() for word in operands]
    best: tuple[int, int, tuple[str, ...]] | None = None
    for words, acts in rules:
        if words == ("",):
            return acts, operands
        for at in range(max(len(lowered[:6]) - len(words) + 1, 0)):
            first = best is None or (-at, len(words)) > (-best[0], best[1])
            if first and tuple(lowered[at : at + len(words)]) == words:
                best = (at, len(words), acts)
    if best is None:
        return (), operands
    return best[2], operands[best[0] + best[1] :]


def _api(call: Call) -> tuple[str, ...]:
    """`gh api`: the method decides."""
    words = " ".join(call.args)
    method = re.search(r"(?:-X|--method)[ =]?(\w+)", words)
    verb = (
        method.group(1).upper()
        if method
        else "POST"
        if re.search(r"(?:^| )(?:-[fF]|--field|--raw-field)\b", words)
        else "GET"
    )
    if verb in ("GET", "DELETE"):
        return ("read",) if verb == "GET" else ("delete",)
    if re.search(r"/merges?\b", words):
        return ("merge",)
    return ("push", "change") if "/git/refs" in words or "/contents/" in words else ("change",)


def _switched(call: Call, operands: list[str]) -> bool:
    """`kubectl config use-context X`, `terraform workspace select X`: later commands go there."""
    for verb in ("use-context", "select", "set-context", "use"):
        if verb in operands[:3]:
            place = operands[operands.index(verb) + 1 :][:1]
            if place:
                call.world.variables["PARTNER_CONTEXT"] = place[0]
            return True
    return False


def put(call: Call, acts: Iterable[str], nouns: list[str], names: list[str], letters: str = "") -> None:
    """The frames of acts on things named by a command line, where it says that they are."""
    known = [word for word in [*names, *_named_by_options(call.args)] if not has_marks(word)]
    dynamic = any(has_marks(word) for word in names)
    kinds, values = _things(call, nouns, known)
    labels = {
        f"{kind}:{value}" for kind in kinds for value in values if kind != "namespace" or value not in kinds
    }
    places = environments.place_options(call.args, letters)
    around = [w for w in environments.variables_that_place(call.world.variables.items()) if not has_marks(w)]
    objects = [call.name, *nouns, *kinds, *values, *places, *around, *environments.named(call.args)]
    objects += [word for word in names if not has_marks(word)]
    labels |= {f"namespace:{value}" for value in _namespaces(call.args)}
    for act in acts:
        missing = (_DELETABLE.intersection(kinds) or {*_DELETABLE, "kind"}) if dynamic else set[str]()
        missing = set(missing)
        if act == "deploy":
            said = environments.named([*call.args, *around, call.world.cwd or ""]) or call.name in _PREVIEWS
            missing |= set() if said else {"environment"}
            missing |= set() if said or places or around else {"target"}
        if act == "merge":
            missing.add("branch")
            objects += ["branch", "pull request", "changes"]
        if "table" in kinds and act == "delete":
            missing.add("database")
        branches = {f"branch:{name}" for name in re.findall(r"git/refs/heads/(\S+)", " ".join(call.args))}
        call.emit(act, objects=objects, labels=labels | branches, unknown=missing)


def _named_by_options(args: list[str]) -> list[str]:
    found: list[str] = []
    for index, word in enumerate(args):
        name, equals, value = word.lstrip("-").partition("=")
        if word.startswith("--") and _NAMING_OPTION.match(name):
            found.append(value if equals else "".join(args[index + 1 : index + 2]))
    return found


def _namespaces(args: list[str]) -> list[str]:
    values = []
    for index, word in enumerate(args):
        if word in ("-n", "--namespace"):
            values += args[index + 1 : index + 2]
        elif word.startswith("--namespace="):
            values.append(word.partition("=")[2])
    return [value.casefold() for value in values if not has_marks(value)]


def _things(call: Call, nouns: list[str], names: list[str]) -> tuple[list[str], list[str]]:
    """(kinds of thing, names of things) among the words of a command."""
    kinds: dict[str, None] = {}
    values: dict[str, None] = {}
    for word in nouns:
        for piece in re.split(r"[-:]", word.casefold()):
            kind = _kind(piece)
            kinds |= {kind: None} if kind else {}
    waiting = call.name in ("kubectl", "oc", "k3s", "microk8s", "docker", "podman")
    for word in names:
        store = _STORE_URL.match(word)
        kind, slash, name = word.partition("/")
        if store:
            values[store.group(1).casefold()] = None
            if not (store.group(2) or "").strip("/"):
                kinds["bucket"] = None
        elif slash and _kind(kind.casefold()) and waiting:  # kubectl delete ns/payments
            kinds[_kind(kind.casefold()) or kind] = None
            values[name.casefold()] = None
        elif waiting and not values and _kind(word.casefold()):  # kubectl delete namespace payments
            kinds[_kind(word.casefold()) or word] = None
        elif waiting and not values and not kinds:
            kinds[word.casefold()] = None
        elif not re.search(r"\.(ya?ml|json|toml|tf)\Z", word):
            values[word.rpartition("/")[2].casefold()] = None
    if call.name == "gh" and "api" in nouns[:1]:
        kinds |= (
            {"repository": None} if any(re.fullmatch(r"/?repos/[^/]+/[^/]+", word) for word in names) else {}
        )
    if "container" in kinds and "storage" in nouns:
        kinds["bucket"] = None
    if "--all" in call.args:
        values["*"] = None
        if "all" in names:  # everything in a namespace is what it was for
            kinds["namespace"] = None
            values |= dict.fromkeys(_namespaces(call.args))
    return list(kinds), list(values)


def _kind(word: str) -> str | None:
    single = word.removesuffix("s") if word not in KIND_OF else word
    found = KIND_OF.get(single, single)
    return found if found in _KINDS else None


def aws(call: Call) -> Data:
    """aws SERVICE VERB-NOUN --noun-name NAME, and the copying commands of `aws s3`."""
    operands = _operands(call.args, "")
    service, verb = [*operands, "", ""][:2]
    if service == "s3" and verb in ("cp", "mv", "sync"):
        from gate.actions.shell.network import cloud_copy

        return cloud_copy(call)
    act = _AWS_VERBS.get(verb.partition("-")[0], "change" if verb else "")
    acts = [act] if act else []
    if service in ("deploy", "codedeploy", "ecs", "lambda", "codepipeline", "cloudformation") and (
        _DEPLOYING.match(verb) or verb in ("deploy", "create-stack", "update-stack")
    ):
        acts = ["deploy"]
    names = [word for word in operands[2:] if word not in _named_by_options(call.args)]
    if service == "s3" and verb == "rm" and "--recursive" not in call.args:
        names = [word if word.rpartition("/")[2] else word + "*" for word in names]
    put(call, acts, [service, *([verb] if act == "delete" or act == "read" else [])], names)
    return Data(None)


def stored(call: Call, places: list[str]) -> None:
    """Objects or whole buckets are deleted, by a copying tool (gsutil, rclone, mc, s3cmd)."""
    labels: set[str] = set()
    objects = ["object", call.name]
    for word in places:
        url = _STORE_URL.match(word)
        bucket, rest = (url.group(1), url.group(2) or "") if url else _aliased(word, call.name)
        if bucket:
            labels.add(f"bucket:{bucket.casefold()}")
            objects += ["bucket"] if not rest.strip("/*" + STAR + DEEP) else []
    unsure = any(has_marks(word.partition("://")[2].partition("/")[0] or word) for word in places)
    missing = ("bucket",) if unsure and not labels else ()
    call.emit("delete", objects=objects, labels=labels, unknown=missing)


def _aliased(word: str, tool: str) -> tuple[str, str]:
    """(bucket, rest) of `remote:bucket/key` (rclone) or `alias/bucket/key` (mc)."""
    mark = ":" if tool == "rclone" else "/"
    alias, found, rest = word.partition(mark)
    if not found or not alias or tool not in ("rclone", "mc"):
        return "", ""
    bucket, _, key = rest.partition("/")
    return bucket, key


PROGRAMS: dict[str, Handler] = {
    name: platform for name in tools() if name not in ("kubectl", "oc", "k3s", "microk8s", "docker", "podman",
    "nerdctl", "docker-compose", "podman-compose", "gcloud")
} | {"aws": aws}  # fmt: skip
