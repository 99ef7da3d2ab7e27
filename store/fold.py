"""What one entry does to what holds: pure, used when writing, when verifying and when rebuilding.

The rule (DESIGN §3): an engram holds from its entry on until another supersedes it, retracts it, erases
it, or contradicts it with more authority. Ending is final: retracting a superseder does not revive what it
replaced; whoever wants it back says it again. Superseding needs at least the authority of what is replaced.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from store.codec import micros
from store.errors import BadRequest, InvalidEngram, NotAuthorised, NotFound
from store.model import CLASS_OF, Engram, EngramType, Klass, Relation
from store.port import EdgeRow, Standing

NO_RIVALS: Mapping[str, Sequence[Standing]] = {}
LINK_SOURCE = "source"  # metadata key of a link entry: the engram that the edge starts from


class Effect(NamedTuple):
    """What an entry changes: its own standing, the standings it ends, the edges it claims."""

    standing: Standing
    ended: tuple[Standing, ...]
    edges: tuple[EdgeRow, ...]


def key_of(text: object) -> str | None:
    """The comparable form of a subject or attribute: NFKC, casefolded, single spaces; None when empty.

    NUL counts as a space, since not every backend's text can hold it.
    """
    return _folded(text) if isinstance(text, str) else None


@lru_cache(maxsize=4096)
def _folded(text: str) -> str | None:
    folded = unicodedata.normalize("NFKC", text.replace("\x00", " ")).casefold()
    return " ".join(folded.split()) or None


def targets_of(engram: Engram) -> tuple[str, ...]:
    """Ids whose standing `fold` needs to know."""
    ids = [link.target for link in engram.links]
    if engram.type is EngramType.LINK:
        ids.append(engram.metadata[LINK_SOURCE])
    return tuple(ids)


def fold(
    engram: Engram, known: Mapping[str, Standing], rivals: Mapping[str, Sequence[Standing]] = NO_RIVALS
) -> Effect:
    """Return the effect of `engram` given the standings it refers to.

    `rivals` gives, for a target that is superseded already, the engrams of its chain that hold: of several
    superseders all stay and are reported, and the latest of the highest authority is the one that holds.
    Raises NotFound for a missing endpoint, NotAuthorised for a supersession that its authority does not
    carry, BadRequest for a link that makes no sense. On a verified log it never raises.
    """
    own = own_standing(engram)
    if not engram.links:
        return Effect(own, (), ())
    ended: dict[str, Standing] = {}
    edges = []
    for link in engram.links:
        target = known.get(link.target)
        if target is None:
            raise NotFound(link.target)
        target = ended.get(target.id, target)
        source = own
        if engram.type is EngramType.LINK:
            source_id = str(engram.metadata.get(LINK_SOURCE))
            if source_id not in known:
                raise NotFound(source_id)
            source = ended.get(source_id, known[source_id])
        changes = _endings(engram, source, link.relation, target, own.effective_us)
        if link.relation is Relation.SUPERSEDES:
            changes += _contention(engram.seq, source, rivals.get(target.id, ()))
        for changed in changes:
            if changed.id == own.id:
                own = changed
            else:
                ended[changed.id] = changed
        edges.append(
            EdgeRow(own.seq, own.id, source.id, link.relation, target.id, own.author, own.created_us)
        )
    return Effect(own, tuple(ended.values()), tuple(edges))


def own_standing(engram: Engram) -> Standing:
    """The standing an entry has by itself, before its links do anything."""
    created = micros(engram.created_at)
    metadata = engram.metadata
    return Standing(
        engram.seq,
        engram.id,
        CLASS_OF[engram.type],
        engram.type,
        engram.author,
        engram.provenance.authority,
        created,
        created if engram.valid_from is None else micros(engram.valid_from),
        key_of(metadata.get("subject")) if metadata else None,
        key_of(metadata.get("attribute")) if metadata else None,
    )


def _endings(
    engram: Engram, source: Standing, relation: Relation, target: Standing, at_us: int
) -> list[Standing]:
    if source.id == target.id:
        raise BadRequest("an engram cannot be linked to itself")
    if relation is Relation.SUPERSEDES:
        _check_supersession(source, target)
        return [_end(target, engram.seq, source.effective_us, "superseded")]
    if relation is Relation.RETRACTS:
        return _retraction(engram, target, at_us)
    if relation is Relation.CONTRADICTS and source.authority != target.authority:
        lower, higher = sorted((source, target), key=lambda s: s.authority)
        if higher.holds:
            return [_end(lower, engram.seq, at_us, "outranked")]
    return []


def _contention(seq: int, source: Standing, rivals: Sequence[Standing]) -> list[Standing]:
    others = [rival for rival in rivals if rival.id != source.id and rival.holds]
    if any(rival.authority > source.authority for rival in others):
        return [_end(source, seq, source.effective_us, "outranked")]
    return [_end(rival, seq, source.effective_us, "superseded") for rival in others]


def _check_supersession(source: Standing, target: Standing) -> None:
    if Klass.CONTROL in (source.klass, target.klass):
        raise BadRequest("entries about entries are not superseded; retract them instead")
    if source.seq < target.seq:
        raise BadRequest("an engram can only supersede an earlier one")
    if source.authority < target.authority:
        raise NotAuthorised(
            f"{source.authority.name.lower()} cannot supersede {target.authority.name.lower()}; "
            "both stay, joined by contradicts"
        )


def _retraction(engram: Engram, target: Standing, at_us: int) -> list[Standing]:
    if engram.type not in (EngramType.RETRACTION, EngramType.ERASURE):
        raise InvalidEngram("links", "only a retraction or an erasure retracts; use retract or erase")
    if engram.provenance.authority < target.authority:
        raise NotAuthorised(
            f"{engram.provenance.kind} cannot withdraw what {target.authority.name.lower()} provenance states"
        )
    if target.type in (EngramType.RETRACTION, EngramType.ERASURE) and engram.type is EngramType.RETRACTION:
        raise BadRequest("a retraction is history and stays; write the claim again instead")
    if engram.type is EngramType.RETRACTION:
        return [_end(target, engram.seq, at_us, "retracted")]
    if target.type is EngramType.LINK:
        raise BadRequest("a link holds only ids; retract it instead of erasing it")
    return [_end(target, engram.seq, at_us, "erased")._replace(erased=True, subject=None, attribute=None)]


def _end(standing: Standing, seq: int, at_us: int, why: str) -> Standing:
    """The first ending says since when and why; a later one may only move the effective time back."""
    if standing.holds:
        return standing._replace(ended_seq=seq, ended_us=at_us, ended_why=why)
    return standing._replace(ended_us=min(at_us, standing.ended_us or at_us))
