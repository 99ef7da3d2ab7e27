"""Places of an action against those of a rule: paths with globs and links, hosts with their subdomains."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gate.constraint import Constraint
from gate.match.windows import any_of
from gate.model import Facts, Frame, Truth


def path_truth(constraint: Constraint, frame: Frame, facts: Facts) -> Truth:
    """Whether the frame reaches a place that the rule names; for 'outside' and 'only', another one."""
    if not constraint.paths:
        return Truth.TRUE
    from gate.actions import paths

    if not frame.paths:
        return Truth.UNKNOWN if frame.unknown & {"path", "command"} else Truth.FALSE
    roots = [paths.normalise(_as_pattern(root), cwd=facts.cwd, home=facts.home) for root in constraint.paths]
    known = [root for root in roots if root is not None]
    if constraint.outside or constraint.mode == "only":
        inside = [any_of(paths.inside(path, root) for root in known) for path in frame.paths]
        found = any_of(_not(truth) for truth in inside)
    else:
        found = any_of(_reached(path, root, frame) for path in frame.paths for root in known)
    if found is Truth.FALSE and ("path" in frame.unknown or len(known) < len(roots)):
        return Truth.UNKNOWN
    return found


def _as_pattern(root: str) -> str:
    """A rule's path as a place: a glob at its end stands for what lies in the folder before it."""
    return re.sub(r"/\*+$", "", root) or "/"


def _reached(path: str, root: str, frame: Frame) -> Truth:
    from gate.actions import paths

    spared = (label.partition(":")[2] for label in frame.labels if label.startswith("except:"))
    if any(paths.inside(root, folder) is Truth.TRUE for folder in spared):
        return Truth.FALSE
    return paths.touches(path, root, "tree" in frame.labels)


def _not(truth: Truth) -> Truth:
    if truth is Truth.UNKNOWN:
        return truth
    return Truth.FALSE if truth is Truth.TRUE else Truth.TRUE


def host_truth(constraint: Constraint, frame: Frame) -> Truth:
    """Whether the frame contacts a host that the rule names, or one that it leaves out."""
    if not constraint.hosts:
        return Truth.TRUE
    from gate.actions.hosts import also_means, canonical_host

    if "configured" in frame.labels and not (constraint.outside or constraint.mode == "only"):
        return (
            Truth.FALSE
        )  # a remote or registry of the machine's configuration, not one that was chosen here
    if not frame.hosts:
        return Truth.UNKNOWN if frame.unknown & {"host", "command"} else Truth.FALSE
    named = [canonical_host(host) or host for host in constraint.hosts]
    free = constraint.outside or constraint.mode == "only"
    words = constraint.sentence.casefold()
    named_below = any(word in words for word in ("subdomain", "sub-domain", "*."))
    below = named_below or not (free or "host" in words.split())  # 'the host x' is that machine alone
    hits = [_is_host(host, named, below) for host in frame.hosts]
    truth = Truth.TRUE if (not all(hits) if free else any(hits)) else Truth.FALSE
    if truth is Truth.TRUE:
        return truth
    meant = () if free else (other for host in frame.hosts for other in also_means(host))
    likely = any(_is_host(other, named, below) for other in meant)
    return Truth.UNKNOWN if likely or "host" in frame.unknown else truth


def _is_host(host: str, named: Iterable[str], below: bool) -> bool:
    return any(
        host == name.removeprefix("*.")
        or ((below or name.startswith("*.")) and host.endswith("." + name.removeprefix("*.")))
        for name in named
    )
