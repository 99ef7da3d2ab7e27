"""Containers: the command inside runs with the host's folders where they are mounted."""

from __future__ import annotations

import re

from gate.actions.environments import named, place_options
from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, where
from gate.actions.shell.marks import has_marks
from gate.actions.shell.options import parse
from gate.actions.shell.platforms import platform, put
from gate.actions.shell.search import run_words
from gate.actions.shell.state import EMPTY, Data, World
from gate.actions.vocabulary import word_set
from gate.match.labels import KINDS

_RUN_SHORT = "veupwhlamc"
_RUN_LONG = word_set(
    """
    volume mount env env-file user publish workdir name network entrypoint hostname label memory
    cpus platform restart device add-host cap-add cap-drop security-opt tmpfs pid ipc userns gpus
    link dns expose log-driver pull ulimit shm-size runtime cidfile volumes-from profile
    """
)
_CHANGES = {
    "rm": "delete", "rmi": "delete", "prune": "delete", "remove": "delete", "down": "stop", "kill": "kill",
    "stop": "stop", "restart": "restart", "start": "start", "up": "start",
}  # fmt: skip
_DEPLOYMENTS = frozenset(
    (group, verb) for group in ("stack", "service") for verb in ("deploy", "update", "create", "rm")
)
_ENGINES = ("docker", "podman", "nerdctl", "lxc", "docker-compose", "podman-compose")


def _engine(call: Call) -> Data:
    parsed = parse(
        call.args, "Hcl", ("host", "context", "config", "log-level", "file", "project-name"), stop=True
    )
    words = parsed.operands
    if words[:1] and words[0] in _GROUPS:
        words = [words[0], *parse(words[1:], "fp", ("file", "project-name"), stop=True).operands]
    group = words[0] if words else ""
    verb, rest = (words[1] if len(words) > 1 else "", words[2:]) if group in _GROUPS else (group, words[1:])
    if verb in ("run", "create", "exec"):
        return _inside(call, verb, rest)
    if (group, verb) in _DEPLOYMENTS:
        return platform(call)
    if verb in _CHANGES:
        _changed(call, group, verb, rest)
    elif verb == "cp" and len(rest) > 1:
        here = [word for word in rest if ":" not in word and not word.startswith("-")]
        (
            call.read(here, tree=True) if rest[-1] not in here else call.write(here, Data(None))
        ) if here else None
    elif verb == "push":
        labels = {f"image:{word.casefold()}" for word in rest if not word.startswith("-")}
        call.emit("push", objects=("image", *rest), labels=labels)
        call.emit("publish", objects=("image", *rest), labels=labels)
    elif verb == "build":
        call.read(
            [word for word in parse(rest, "tf", ("tag", "file", "build-arg")).operands if word != "-"],
            tree=True,
        )
    return Data(None)


_GROUPS = frozenset(
    ("compose", "container", "image", "volume", "network", "system", "builder", "stack", "service")
)


def _changed(call: Call, group: str, verb: str, rest: list[str]) -> None:
    """Containers, images and volumes are started, stopped or removed; by name, where it is said."""
    noun = "image" if verb == "rmi" else group if group in _GROUPS else "container"
    operands = parse(rest, "t").operands
    names = [word for word in operands if not has_marks(word)]
    kind = noun if noun in KINDS else ""
    nouns = (noun, *(("container",) if noun in ("container", "compose", "system") else ()))
    call.emit(
        _CHANGES[verb],
        objects=(call.name, *nouns, *names, *place_options(call.args), *named(call.args)),
        labels={f"{kind}:{name.casefold()}" for name in names if kind},
        unknown=(kind,) if kind and len(names) < len(operands) else (),
    )
    if verb == "up":
        put(call, ["deploy"], ["compose"], names)
    volumes = any(word == "--volumes" or re.fullmatch(r"-[a-z]*v[a-z]*", word) for word in rest)
    if volumes and verb in ("down", "prune", "rm") and noun != "volume":
        call.emit("delete", objects=(call.name, "volume"), unknown=("volume",))


def _inside(call: Call, verb: str, rest: list[str]) -> Data:
    parsed = parse(rest, _RUN_SHORT, _RUN_LONG, stop=True)
    if parsed.unsure or not parsed.operands:
        return call.not_understood() if parsed.unsure else EMPTY
    world = call.world.copy()
    world.cwd, world.links = parsed.value("w", "workdir"), dict(call.world.links)
    for mount in [*parsed.all("v", "volume"), *map(_mount, parsed.all("mount"))]:
        _map(call, world, mount)
    words = parsed.operands[1:]
    entry = parsed.value("entrypoint")
    if entry:
        words = [entry, *words]
    if has_marks(parsed.operands[0]) and not words:
        return EMPTY
    return run_words(call, words, call.stdin, world) if words else EMPTY


def _mount(spec: str) -> str:
    """`type=bind,source=/a,target=/b` as `/a:/b`."""
    pairs = {name: value for part in spec.split(",") for name, _, value in (part.partition("="),)}
    source = pairs.get("source", pairs.get("src", ""))
    return f"{source}:{pairs.get('target', pairs.get('dst', pairs.get('destination', '')))}"


def _map(call: Call, world: World, mount: str) -> None:
    source, _, rest = mount.partition(":")
    target = rest.split(":")[0]
    if not re.match(r"[/.~]", source) and not has_marks(source):
        return  # a named volume is not a folder of this machine
    places = where(source, call.world, call.runner)
    if not places or has_marks(target) or not target.startswith("/"):
        call.not_understood()
        return
    if places[-1] != target:
        world.links[target.rstrip("/") or "/"] = places[-1]


def _kubectl(call: Call) -> Data:
    long = (
        "namespace",
        "context",
        "kubeconfig",
        "container",
        "cluster",
        "user",
        "image",
        "filename",
        "output",
    )
    parsed = parse([word for word in call.args if word != "--"], "ncfoilL", long)
    words = parsed.operands
    verb = words[0] if words else ""
    if verb in ("exec", "debug", "run") and "--" in call.args:
        world = call.world.copy()
        world.cwd, world.links = None, {}
        return run_words(call, call.args[call.args.index("--") + 1 :], call.stdin, world)
    if verb == "exec" and len(words) > 2:
        return run_words(call, words[2:], call.stdin)
    if verb == "cp" and len(words) > 2:
        call.read([word for word in words[1:-1] if ":" not in word], tree=True)
        return EMPTY
    return platform(call)


PROGRAMS: dict[str, Handler] = {
    **dict.fromkeys(_ENGINES, _engine),
    **dict.fromkeys(("kubectl", "oc", "k3s", "microk8s"), _kubectl),
}
