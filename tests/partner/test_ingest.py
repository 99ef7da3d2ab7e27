"""A document read into memory: knowledge under its name, beneath what the operator says."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_child import run

from partner.documents import ingest
from partner.errors import UsageError
from partner.operations import Partner
from partner.terminal.slash import Commands
from router.errors import BadRequest
from store.model import Klass, ProvenanceKind

LEASE = "The notice period is three months. Subletting needs consent. API key: sk-live-Qz81mVt4-Hh27pLw9aa.\n"


@pytest.fixture
def partner(unaided: Partner) -> Partner:
    return unaided


def knowledge(partner: Partner) -> list[str]:
    return sorted(engram.content for engram in partner.store.current(klass=Klass.KNOWLEDGE))


def test_the_sentences_of_a_document_are_found_under_its_name_and_hold_no_secret(
    partner: Partner, tmp_path: Path
) -> None:
    (tmp_path / "lease.txt").write_text(LEASE)
    done = ingest(partner, tmp_path / "lease.txt", tags=["house"])
    assert len(done.written) == len(knowledge(partner)) == 3
    assert "sk-live" not in " ".join(knowledge(partner))
    (hit, *_) = partner.recall("How long is the notice period?")
    assert hit.engram.content == "The notice period is three months."
    assert (hit.engram.provenance.kind, hit.engram.provenance.source) == (
        ProvenanceKind.DOCUMENT,
        "lease.txt",
    )
    assert "house" in hit.engram.metadata["tags"]


def test_read_again_a_document_brings_only_what_is_new_in_it(partner: Partner, tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text(LEASE)
    ingest(partner, tmp_path / "lease.txt")
    (tmp_path / "lease.txt").write_text(LEASE + "Pets are welcome.\n")
    done = ingest(partner, tmp_path / "lease.txt")
    assert done.line == "lease.txt: 1 passage written, 3 known already."


def test_read_again_what_a_document_no_longer_says_is_taken_back_and_undo_brings_it_back(
    partner: Partner, tmp_path: Path
) -> None:
    said: list[str] = []
    commands = Commands(partner, write=said.append)
    (tmp_path / "lease.txt").write_text(LEASE)
    commands.run(f"/ingest {tmp_path / 'lease.txt'}")
    (tmp_path / "lease.txt").write_text(LEASE.replace("three months", "six weeks"))
    commands.run(f"/ingest {tmp_path / 'lease.txt'}")
    assert said[-1] == "lease.txt: 1 passage written, 2 known already, 1 no longer in it taken back."
    assert [c for c in knowledge(partner) if "notice" in c] == ["The notice period is six weeks."]
    commands.run("/undo")
    assert [c for c in knowledge(partner) if "notice" in c] == ["The notice period is three months."]


def test_a_file_of_the_same_name_elsewhere_takes_nothing_back(partner: Partner, tmp_path: Path) -> None:
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
    (tmp_path / "here" / "lease.txt").write_text(LEASE)
    (tmp_path / "there" / "lease.txt").write_text("Pets are welcome.\n")
    ingest(partner, tmp_path / "here" / "lease.txt")
    assert ingest(partner, tmp_path / "there" / "lease.txt").gone == ()
    assert len(knowledge(partner)) == 4
    assert str(tmp_path) not in str([dict(e.metadata) for e in partner.store.current(klass=Klass.KNOWLEDGE)])


def test_what_the_operator_says_is_not_replaced_by_a_document(partner: Partner, tmp_path: Path) -> None:
    list(partner.turn("My notice period is six weeks."))
    (tmp_path / "lease.txt").write_text(LEASE)
    ingest(partner, tmp_path / "lease.txt")
    assert any("six weeks" in e.content for e in partner.state()["concluded"])


def test_one_undo_takes_a_whole_document_back(partner: Partner, tmp_path: Path) -> None:
    said: list[str] = []
    commands = Commands(partner, write=said.append)
    (tmp_path / "lease.txt").write_text(LEASE)
    commands.run(f"/ingest {tmp_path / 'lease.txt'}")
    assert said == ["lease.txt: 3 passages written."]
    commands.run("/undo")
    assert knowledge(partner) == []


def test_what_is_no_text_and_what_is_no_file_is_refused_and_nothing_is_written(
    partner: Partner, tmp_path: Path
) -> None:
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7\n\xff\xfe\xe2\x00")
    with pytest.raises(UsageError):
        ingest(partner, tmp_path / "scan.pdf")
    with pytest.raises(UsageError, match="is a folder"):
        ingest(partner, tmp_path)
    with pytest.raises(BadRequest):
        ingest(partner, tmp_path / "nowhere.txt")
    assert partner.store.head().seq == 0


def test_the_command_reads_several_files_each_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text(LEASE)
    (tmp_path / "pets.txt").write_text("Pets are welcome.")
    command = ("--home", str(tmp_path / "home"), "ingest")
    files = [str(tmp_path / name) for name in ("lease.txt", "nowhere.txt", "pets.txt")]
    code, said, errors = run(*command, *files)
    assert (code, said.strip()) == (2, "lease.txt: 3 passages written."), errors
    assert "nowhere.txt" in errors
    code, said, _ = run(*command, files[2], "--name", "house rules")
    assert (code, said.strip()) == (0, "house rules: 1 passage written.")
    assert run(*command, files[0], files[2], "--name", "both")[0] == 2
