"""Which rules an action could possibly touch, without looking at the others.

A rule is filed once, under the most telling thing it names: a path (found by walking up from the action's
path), a host (by its suffixes), a word of its terms, or only its act. `candidates` gives every rule that
`match_frames` could match and some more; it never decides anything (tests compare it with trying them all).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gate.actions.vocabulary import word_set
from gate.constraint import CERTAIN, Constraint, Term
from gate.match.action import frame_keys, sought_terms
from gate.match.labels import KIND_WORDS, KINDS, PLATFORM_WORDS, keys_of, pieces_of
from gate.model import AT_SITE, Facts, Frame
from gate.taxonomy import ACTS, AT_SITES, COVERED

ANY_ACT = "*"
_EVERYTHING = frozenset(("command", "statement"))  # a frame that lacks one of these could be any act
_NAMING = word_set(
    """
    database branch labels locality recipient table namespace bucket volume repository environment target
    """
)
_COVERING: dict[str, tuple[str, ...]] = {
    act: tuple(forbidden for forbidden in ACTS if act in COVERED[forbidden]) for act in ACTS
}
_BESIDE = KIND_WORDS.keys() | PLATFORM_WORDS  # say what kind of thing a name is of, not which
_USING = ("use", "execute", "start", "do")

ByAct = dict[str, list[int]]


@dataclass(slots=True)
class ActionIndex:
    """Positions of constraints in the sequence that `build` was given."""

    total: int = 0
    paths: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    roots: list[str] = field(default_factory=list)
    rooted_elsewhere: list[int] = field(default_factory=list)  # paths that need facts or hold globs
    hosts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    words: dict[tuple[str, str], list[int]] = field(default_factory=dict)  # (word, act) -> rules
    keys: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # key -> words it stands for
    seen: set[int] = field(default_factory=set)  # the key tables of parts that are in `keys` already
    acts: ByAct = field(default_factory=lambda: defaultdict(list))
    placed: ByAct = field(default_factory=lambda: defaultdict(list))  # all rules with paths
    hosted: list[int] = field(default_factory=list)  # all rules with hosts
    named: ByAct = field(default_factory=lambda: defaultdict(list))  # all rules that name anything else

    @classmethod
    def build(cls, constraints: Sequence[Constraint]) -> ActionIndex:
        """File every constraint."""
        index = cls()
        for constraint in constraints:
            index._file(index.total, constraint)
            index.total += 1
        index.roots = sorted(index.paths)
        return index

    def add(self, constraint: Constraint) -> None:
        """File one more; what is filed stays where it is, so shorter readers may go on."""
        before = len(self.paths)
        self._file(self.total, constraint)
        self.total += 1
        if len(self.paths) > before:
            for path in constraint.paths:
                at = bisect_left(self.roots, path)
                if path in self.paths and self.roots[at : at + 1] != [path]:
                    self.roots.insert(at, path)
            if len(self.roots) != len(self.paths):
                self.roots = sorted(self.paths)

    def _file(self, position: int, constraint: Constraint) -> None:
        if constraint.loose:
            return  # no action offends words of which nothing is understood
        around = constraint.outside or constraint.mode == "only"
        turned = around and bool(constraint.paths or constraint.hosts)
        acts = (ANY_ACT,) if turned else _acts_of(constraint)
        if constraint.paths and not around:
            for act in acts:
                self.placed[act].append(position)
            self._file_paths(position, constraint.paths)
        elif constraint.hosts and not around:
            self.hosted.append(position)
            for host in constraint.hosts:
                self.hosts[_host_key(host)].append(position)
        else:
            terms = () if turned else _telling_terms(constraint)
            if not terms:
                for act in acts:
                    self.acts[act].append(position)
                return
            pivots = {word for term in terms for word in self._pivots(term)}
            if not constraint.acts.keys().isdisjoint(AT_SITES):
                pivots.update(self._sites(constraint))
            for act in acts:
                self.named[act].append(position)
                for word in pivots:
                    filed = self.words.get((word, act))
                    if filed is None:
                        self.words[word, act] = [position]
                    else:
                        filed.append(position)

    def _file_paths(self, position: int, paths: Iterable[str]) -> None:
        from gate.actions.paths import is_wild, normalise

        for path in paths:
            root = None if path.startswith((".", "~")) or is_wild(path) else normalise(path)
            if root is None:
                self.rooted_elsewhere.append(position)
            else:
                self.paths[root].append(position)

    def _pivots(self, term: Term) -> list[str]:
        """Words of a term of which an action must name one: the average of their grades reaches CERTAIN."""
        named = [part for part in term.parts if part.word not in _BESIDE] or term.parts
        for part in named:
            if id(part.keys) not in self.seen:
                self.seen.add(id(part.keys))
                for key, grade in part.keys.items():
                    if grade >= CERTAIN:
                        self.keys[key].add(part.word)
        return [part.word for part in named]

    def _sites(self, constraint: Constraint) -> list[str]:
        """Names that may be those of sites ('never order shoes from Zalando')."""
        terms = (*constraint.recipients, *constraint.places)
        named = [part for term in terms for part in term.parts if part.exact]
        for part in named:
            self.keys[part.word].add(part.word)
        return [part.word for part in named]

    def candidates(self, frames: Sequence[Frame], facts: Facts) -> list[int]:
        """Positions of the constraints that could match one of the frames, in order."""
        found: set[int] = set()
        for frame in frames:
            if frame.unknown & _EVERYTHING:
                return list(range(self.total))
            acts = _forbidding(frame.act) if AT_SITE not in frame.labels else tuple(sorted(AT_SITES))
            _take(found, self.acts, acts)
            if "path" in frame.unknown:
                _take(found, self.placed, (*acts, "contact"))
            if "host" in frame.unknown and "configured" not in frame.labels:
                found.update(self.hosted)
            if frame.paths:
                self._reach(found, frame)
            for host in frame.hosts:
                self._contact(found, host)
            if frame.unknown & _NAMING or any(label.endswith(":*") for label in frame.labels):
                _take(found, self.named, acts)
                continue
            words = {word for key in _keys_of(frame) for word in self.keys.get(key, ())}
            for word in words:
                for act in acts:
                    found.update(self.words.get((word, act), ()))
        return sorted(found)

    def _reach(self, found: set[int], frame: Frame) -> None:
        from gate.actions.paths import is_wild

        found.update(self.rooted_elsewhere)
        for path in frame.paths:
            base = path
            if is_wild(path):
                base = path[: min(at for at in map(path.find, "*?[\\") if at >= 0)].rpartition("/")[0] or "/"
            if "tree" in frame.labels or base != path:
                self._below(found, base)
            while base:
                found.update(self.paths.get(base, ()))
                base = base.rpartition("/")[0] if base != "/" else ""
            found.update(self.paths.get("/", ()))

    def _below(self, found: set[int], base: str) -> None:
        prefix = base.rstrip("/") + "/"
        at = bisect_left(self.roots, prefix)
        while at < len(self.roots) and self.roots[at].startswith(prefix):
            found.update(self.paths[self.roots[at]])
            at += 1

    def _contact(self, found: set[int], host: str) -> None:
        from gate.actions.hosts import also_means

        for name in (host, *also_means(host)):
            labels = name.split(".")
            for start in range(len(labels)):
                found.update(self.hosts.get(".".join(labels[start:]), ()))


def _acts_of(constraint: Constraint) -> tuple[str, ...]:
    """The acts to file a rule under; one whose act no list covers is tried on every act."""
    if not constraint.acts or not constraint.acts.keys() <= ACTS:
        return (ANY_ACT,)
    return tuple(constraint.acts)


def _forbidding(act: str) -> tuple[str, ...]:
    """Acts whose ban would cover `act`."""
    more = _USING if act == "execute" else ("promise",) if act == "do:commit" else ()
    return (*_COVERING.get(act, (act,)), *more, ANY_ACT)


def _take(found: set[int], table: ByAct, acts: tuple[str, ...]) -> None:
    for act in acts:
        positions = table.get(act)
        if positions:
            found.update(positions)


def _telling_terms(constraint: Constraint) -> tuple[Term, ...]:
    """The terms of one group that an action must name; empty when no group has any."""
    best: tuple[Term, ...] = ()
    for group in (constraint.objects, constraint.recipients, constraint.places):
        terms = sought_terms(group, constraint) if group else ()
        if terms and (not best or len(terms) < len(best)):
            best = terms
    return best


def _host_key(host: str) -> str:
    from gate.actions.hosts import canonical_host

    return (canonical_host(host) or host).removeprefix("*.")


def _keys_of(frame: Frame) -> set[str]:
    """Every key that the frame's slots and its text can name, labels included."""
    keys = set(frame_keys(frame, True))
    for label in frame.labels:
        kind, colon, value = label.partition(":")
        if colon and kind in KINDS:
            keys |= {kind, f"{kind}s"}.union(*map(keys_of, pieces_of(value)))
    return keys
