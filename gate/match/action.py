"""A constraint against an action's frames: unknown is never false, it refuses and names what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

from gate.actions.environments import pieces, synonyms
from gate.actions.vocabulary import word_set
from gate.constraint import ANY, CERTAIN, Constraint, Limit, Term
from gate.language.lexicon import load
from gate.language.normalise import fold_words
from gate.language.reading import read_cached
from gate.match.approvals import approval_for
from gate.match.labels import KINDS, PLATFORM_WORDS, has_labels, term_truth
from gate.match.limits import bare_in, compare, for_acts
from gate.match.region import part_grade
from gate.match.where import host_truth, path_truth
from gate.match.windows import all_of, any_of, in_windows, local_time, moment_at
from gate.model import AT_SITE, ActionRequest, Facts, Frame, Match, Truth
from gate.taxonomy import AT_SITES, FAMILY_OF, LOOKING, covers

_SQL_ACTS = frozenset(("delete", "update", "insert", "drop", "truncate", "read", "create", "change", "write"))
_NETWORK_VERBS = tuple(
    word_set(
        """
        request post get put quer call fetch ping access talk reach visit
        """
    )
)
_LEAVING = frozenset(("send", "upload"))  # a rule on both is about what leaves, whatever the way
_BODILY = frozenset(("urge", "body", "go"))  # acts that no program can do
_TELLING = frozenset(("tell", "disclose", "urge"))
_SITES = word_set(  # 'the production cluster' is production
    "cluster clusters environment environments env system systems site sites platform infrastructure stack"
    " server servers machine machines"
)
_QUALIFIERS = word_set("new other further additional any more extra single existing whole entire")
_PATH_GRADE = 0.85  # a folder's name says what it holds, but not so that a mere synonym would do
_WORD = re.compile(r"[^\W_]+")
_IS_SOFT = attrgetter("soft")
# Words of a rule that a structured slot already says: they add nothing to be looked for.
_STRUCTURAL = word_set(
    """
    file files folder folders directory host hosts server request requests http https subdomain
    subdomains domain domains url site anything email emails mail path machine model way address
    call calls datei dateien ordner rechner fichero archivo archivos carpeta fichier fichiers
    dossier cartella ficheiro addresses adresse adressen direccion direcciones adresses indirizzo
    indirizzi endereco enderecos recipient recipients empfanger people person persons leute personen
    personas gens persone pessoas
    """
)


def match_frames(
    constraint: Constraint,
    frames: Sequence[Frame],
    request: ActionRequest,
    facts: Facts,
    used: set[str] | None = None,
) -> Match | None:
    """The strongest match of a constraint in an action's frames, or None.

    Ids of approvals that lift the rule from a frame are added to `used`.
    """
    if constraint.loose:
        return None
    sited = not constraint.acts.keys().isdisjoint(AT_SITES)
    best: Match | None = None
    lifted = set[str]() if used is None else used
    for frame in frames:
        if frame.act == "instruct" or (frame.locality == "local" and not _names_engine(constraint, frame)):
            continue
        if AT_SITE in frame.labels and not (sited and _names_site(constraint, frame)):
            continue
        match = _match_frame(constraint, frame, request, facts, lifted)
        if match is not None and (
            best is None or (match.truth is Truth.TRUE and best.truth is Truth.UNKNOWN)
        ):
            best = match
            if match.truth is Truth.TRUE:
                break
    return best


def _names_site(constraint: Constraint, frame: Frame) -> bool:
    """Whether a rule on getting something names a site that is contacted: 'never order from Temu'."""
    terms = (*constraint.recipients, *constraint.places, *constraint.objects)
    return any(part.exact and part.word in frame.objects for term in terms for part in term.parts)


def _names_engine(constraint: Constraint, frame: Frame) -> bool:
    """Whether a rule is about engines: what one on this machine reads is told to nobody and goes nowhere."""
    if constraint.locality is not None:
        return True
    keys = frame_keys(replace(frame, objects=(), labels=frozenset(), text=""), False)
    terms = (*constraint.objects, *constraint.recipients, *constraint.places)
    return any(part_grade(part, keys) >= CERTAIN for term in terms for part in term.parts)


def _match_frame(
    constraint: Constraint, frame: Frame, request: ActionRequest, facts: Facts, used: set[str]
) -> Match | None:
    missing: list[str] = []
    truths = [
        _note(act_truth(constraint, frame), "command", missing),
        _note(path_truth(constraint, frame, facts), "path", missing),
        _note(host_truth(constraint, frame), "host", missing),
        _note(_when(constraint, frame, request, facts), "time", missing),
        _note(_limits(constraint, frame), "amount", missing),
        _note(_named(constraint, frame), "object", missing),
        _note(_offends_unless(constraint, frame), "exception", missing),
    ]
    truth = all_of(truths)
    if truth is Truth.FALSE or _approved(constraint, frame, facts, used):
        return None
    if not frame.certain:
        truth = Truth.UNKNOWN
    return Match(
        engram_id=constraint.engram_id,
        sentence=constraint.sentence,
        truth=truth,
        act=frame.act,
        span=frame.span,
        matched=" ".join(frame.argv) if frame.argv else frame.text[:200],
        bindings=_bindings(frame),
        missing=tuple(sorted(set(missing) | set(frame.unknown if truth is Truth.UNKNOWN else ()))),
        lifted_by="; ".join(unless.lifting for unless in constraint.unless),
    )


def _note(truth: Truth, name: str, missing: list[str]) -> Truth:
    if truth is Truth.UNKNOWN:
        missing.append(name)
    return truth


def _bindings(frame: Frame) -> dict[str, str]:
    slots = {
        "paths": ", ".join(frame.paths),
        "hosts": ", ".join(frame.hosts),
        "recipients": ", ".join(frame.recipients),
        "amounts": ", ".join(f"{a.value} {a.unit or ''}".strip() for a in frame.amounts),
        "labels": ", ".join(sorted(frame.labels)),
        "locality": frame.locality or "",
    }
    return {name: value for name, value in slots.items() if value}


def act_truth(constraint: Constraint, frame: Frame) -> Truth:
    """Whether the frame does what is forbidden; a command that cannot be read may do anything."""
    if constraint.any_act:
        if frame.act == "execute":
            return Truth.UNKNOWN if frame.unknown & {"command", "statement"} else Truth.FALSE
        return Truth.FALSE if frame.act in LOOKING else Truth.TRUE
    if any(_does(act, frame, constraint) for act in constraint.acts):
        return Truth.TRUE
    if frame.act == "execute":
        if "command" in frame.unknown:
            bodily = all(FAMILY_OF.get(act) in _BODILY for act in constraint.acts)
            return Truth.FALSE if bodily else Truth.UNKNOWN
        if "statement" in frame.unknown and set(constraint.acts) & _SQL_ACTS:
            return Truth.UNKNOWN
        if _is_command(constraint, frame) and not ("push" in frame.objects and _forced(constraint)):
            return Truth.TRUE
    return Truth.FALSE


def _does(forbidden: str, frame: Frame, constraint: Constraint) -> bool:
    """Whether the frame does the forbidden act. What stays on the machine tells and leaves nothing."""
    if frame.act in ("push", "execute") and "push" in frame.objects and _forced(constraint):
        return "force" in frame.labels or "force" in frame.objects
    if AT_SITE in frame.labels:
        return forbidden in AT_SITES
    if not covers(forbidden, frame.act):
        return _structured_sense(frame, constraint)
    if frame.act == "download" or (frame.act in ("copy", "move") and "local" in frame.labels):
        return not constraint.acts.keys() >= _LEAVING
    return frame.act not in ("write", "create") or FAMILY_OF.get(forbidden) not in _TELLING


def _forced(constraint: Constraint) -> bool:
    """Whether the rule is about forced pushes only."""
    return "push" in constraint.sentence.casefold() and "forc" in constraint.sentence.casefold()


def _structured_sense(frame: Frame, constraint: Constraint) -> bool:
    """What a place makes of a verb: 'write to /srv' writes, 'requests to x.example' connect."""
    words = fold_words(constraint.sentence).split()
    if frame.act == "do:commit":
        return "promise" in constraint.acts and any(word.startswith("commit") for word in words)
    if constraint.paths and frame.act in ("write", "create", "overwrite") and "contact" in constraint.acts:
        return any(word.startswith(("writ", "schreib", "escri", "ecri", "scriv", "escrev")) for word in words)
    if constraint.hosts and frame.act == "connect":
        return any(word.startswith(_NETWORK_VERBS) for word in words)
    return False


def _is_command(constraint: Constraint, frame: Frame) -> bool:
    """A rule on using a tool meets the command of that name."""
    using = any(act in ("use", "execute", "do") or act.startswith("do:") for act in constraint.acts)
    return using and any(term.anchor.word in frame.objects for term in constraint.objects)


def _when(constraint: Constraint, frame: Frame, request: ActionRequest, facts: Facts) -> Truth:
    if not constraint.windows:
        return Truth.TRUE
    return in_windows(constraint.windows, [moment_at(local_time(frame.when or request.at, facts))])


def _limits(constraint: Constraint, frame: Frame) -> Truth:
    return all_of(_limit(for_acts(limit, constraint.acts), frame) for limit in constraint.limits)


def _limit(limit: Limit, frame: Frame) -> Truth:
    values = [compare(bare_in(limit, amount.unit), amount.value, amount.unit) for amount in frame.amounts]
    if limit.unit in ("person", None) and frame.count is not None:
        counted = compare(limit, type(limit.value)(frame.count), limit.unit)
        if not limit.of or not values:
            return counted
        values += [counted] if ANY in limit.of else []
    return any_of(values) if values else Truth.UNKNOWN


def _named(constraint: Constraint, frame: Frame) -> Truth:
    """Whether the frame is about the things, people and places that the rule names."""
    groups = (constraint.objects, constraint.recipients, constraint.places)
    if frame.locality and constraint.qualifiers and not any(groups):
        return _told(constraint.qualifiers, frame)
    return all_of(_group(group, slot, constraint, frame) for slot, group in enumerate(groups) if group)


def _told(terms: tuple[Term, ...], frame: Frame) -> Truth:
    """'Never tell anyone what we earn': an engine that reads of it would be told."""
    keys = frame_keys(frame, True)
    named = any(part_grade(part, keys) >= CERTAIN for term in terms for part in term.parts)
    return Truth.TRUE if named else Truth.FALSE


def _group(terms: tuple[Term, ...], slot: int, constraint: Constraint, frame: Frame) -> Truth:
    looked_for = sought_terms(terms, constraint)
    if not looked_for:
        return Truth.TRUE
    if AT_SITE in frame.labels and slot == 0:
        return Truth.UNKNOWN  # which thing a number in a request stands for
    told = slot == 0 and FAMILY_OF.get(frame.act) in _TELLING
    if told and frame.recipients and FAMILY_OF.get(frame.act) == "tell" and _only_names(looked_for):
        told = False  # 'never email Ana Ruiz' is about who gets it, not about who is named in it
    keys = frame_keys(frame, told)
    exact = [term_truth(term, frame, acted_on=slot == 0) for term in looked_for] if has_labels(frame) else []
    if Truth.TRUE in exact:
        return Truth.TRUE
    left = [term for position, term in enumerate(looked_for) if not exact or exact[position] is None]
    if any(
        _names_environment(term, frame) if _environment(term, frame) else _share(term, keys) >= CERTAIN
        for term in left
    ):
        return Truth.TRUE
    if exact and Truth.UNKNOWN not in exact and not left:
        return Truth.FALSE
    if slot == 1 and frame.locality and _only_names(left):
        return Truth.FALSE  # an engine is not the person
    where = frame.unknown & {"environment", "target"}
    if where and _asks_where(looked_for, slot, where):
        return Truth.UNKNOWN
    unknown = {"database", "branch", "labels", "locality", "recipient", "statement", "command", "table"}
    if not frame.unknown & unknown:
        return Truth.FALSE
    if frame.unknown & {"labels"} and not _mentioned(looked_for, frame):
        return Truth.FALSE
    return Truth.UNKNOWN


def _environment(term: Term, frame: Frame) -> bool:
    return frame.argv is not None and any(synonyms(part.word) for part in term.parts)


def _names_environment(term: Term, frame: Frame) -> bool:
    """Whether a command line names the environment itself; a mere relative of the word is another one."""
    said = {piece for word in (*frame.objects, *frame.paths) for piece in pieces(word)}
    telling = [part.word for part in term.parts if part.weight >= 1.0 and part.word not in _SITES]
    wanted = [synonyms(word) or frozenset((word,)) for word in telling]
    return all(not said.isdisjoint(names) for names in wanted)


def _platform(term: Term) -> bool:
    """'in Kubernetes', 'on AWS': what the tools are for that are looked at anyway."""
    return all(part.word in PLATFORM_WORDS for part in term.parts)


def _asks_where(terms: Sequence[Term], slot: int, unknown: frozenset[str]) -> bool:
    """Whether what is not known of the place decides: which environment, or which of the others."""
    if any(synonyms(part.word) for term in terms for part in term.parts):
        return "environment" in unknown
    return slot > 0 and "target" in unknown


def sought_terms(terms: tuple[Term, ...], constraint: Constraint) -> tuple[Term, ...]:
    """The terms of a group that an action must name one of; empty when whatever it is about will do."""
    if any(map(_IS_SOFT, terms)) or (terms is constraint.places and all(map(_platform, terms))):
        return ()
    acts = constraint.acts
    if constraint.paths or constraint.hosts or "escalate" in acts or "pay" in acts:
        return tuple(term for term in terms if not _structural(term))
    return terms


def _only_names(terms: Sequence[Term]) -> bool:
    return all(part.exact for term in terms for part in term.parts)


def _mentioned(terms: Sequence[Term], frame: Frame) -> bool:
    keys = frame_keys(frame, True)
    return any(_share(term, keys) >= CERTAIN for term in terms) or "locality" in frame.unknown


def _structural(term: Term) -> bool:
    return all(part.word in _STRUCTURAL for part in term.parts)


def _share(term: Term, keys: Mapping[str, float]) -> float:
    """Share of the term's weight that the keys name; no action can say that a thing is 'new' or 'other'."""
    parts = [part for part in term.parts if part.word not in _QUALIFIERS] or term.parts
    total = sum(part.weight for part in parts)
    return sum(part.weight * part_grade(part, keys) for part in parts) / total if total else 0.0


@lru_cache(maxsize=8192)
def _word_keys(word: str) -> tuple[str, ...]:
    """The keys that the words of a name stand for: themselves, their stems and their meanings."""
    english = load("en")
    keys: dict[str, None] = {}
    for piece in _WORD.findall(fold_words(word)):
        stem = english.base(piece)
        keys |= dict.fromkeys((piece, stem))
        keys |= {"=" + phrase.meaning: None for phrase in english.concepts.get(stem, ()) if not phrase.rest}
    return tuple(keys)


@lru_cache(maxsize=512)
def frame_keys(frame: Frame, with_text: bool) -> Mapping[str, float]:
    """Every word that the frame's slots say, as keys: objects, labels, recipients, path parts, locality."""
    stated = {label.partition(":")[2] for label in frame.labels if label.partition(":")[0] in KINDS}
    words: list[str] = [item for item in frame.objects if item not in stated]
    for label in frame.labels:
        name, _, value = label.partition(":")
        if name == "label":
            words.append(value)
    words += [*frame.recipients]
    if frame.locality:
        words += [frame.locality, "model"]
    folders = [part for path in frame.paths for part in path.split("/")]
    keys: dict[str, float] = {}
    for word in words:
        keys.update(dict.fromkeys(_word_keys(word), 1.0))
    if frame.argv:  # a command line that says 'prod' means production
        keys.update(
            dict.fromkeys((name for w in words for piece in pieces(w) for name in synonyms(piece)), 1.0)
        )
    for word in folders:
        for key in _word_keys(word):
            keys.setdefault(key, _PATH_GRADE)
    if with_text and frame.text:
        for token in read_cached(frame.text[:20_000], None).tokens:
            keys.update(dict.fromkeys(token.keys, 1.0))
    return keys


def _offends_unless(constraint: Constraint, frame: Frame) -> Truth:
    """FALSE when an exception of the rule is met by the frame itself."""
    for unless in constraint.unless:
        if unless.kind == "condition":
            if "where" in unless.words.split():
                if "no_where" in frame.labels:
                    return Truth.TRUE
                return Truth.UNKNOWN if "statement" in frame.unknown else Truth.FALSE
            return Truth.UNKNOWN
        if unless.kind in ("recipient", "object"):
            keys = frame_keys(frame, False)
            free = [term for term in unless.terms if not _structural(term)]
            if free and any(_share(term, keys) >= CERTAIN for term in free):
                return Truth.FALSE
    return Truth.TRUE


def _approved(constraint: Constraint, frame: Frame, facts: Facts, used: set[str]) -> bool:
    """Whether a recorded approval covers what the frame does; it is noted as used."""
    if not facts.approvals:
        return False
    said = {*frame_keys(frame, True), frame.act}
    found = approval_for(constraint, said, facts)
    if found is not None:
        used.add(found.id)
    return found is not None
