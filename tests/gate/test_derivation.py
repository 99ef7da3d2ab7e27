"""The programs that make the derived files of the lexicon, on a few words; the version that names them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from gate import Decision, Facts, Snapshot, TextRequest, gate
from gate.errors import LexiconDamaged
from gate.language import derive, derive_near, manifest

# Three matters, one an axis; what is added leans a word towards another. 'runner' has the stem of 'runners'.
WORDS = ["boat", "boating", "cash", "money", "runner", "runners", "ship", "stone"]
AXES = {"boat": 0, "boating": 0, "ship": 0, "cash": 1, "money": 1, "runner": 2, "runners": 2, "stone": 3}
DATA_NOUN = """  1 a line of the licence
00000100 04 n 01 cancellation 0 001 + 00000900 v 0102 | the act of cancelling
00000200 04 n 02 refund 0 repayment 0 002 + 00000950 v 0101 @ 00000100 n 0000 | money given back
00000300 06 n 01 hammer 0 001 + 00000950 v 0101 | a tool
00000400 04 n 01 hammer 0 001 + 00000950 v 0101 | the act of pounding, not its main sense
"""
DATA_VERB = """00000900 41 v 02 call_off 0 cancel 0 000 | postpone
00000950 40 v 01 refund 0 000 | pay back
"""
INDEX_NOUN = """cancellation n 1 0 1 0 00000100
refund n 1 0 1 0 00000200
repayment n 1 0 1 0 00000200
hammer n 2 0 2 0 00000300 00000400
"""


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    rows = np.zeros((len(WORDS), 4), dtype=np.float32)
    for at, word in enumerate(WORDS):
        rows[at, AXES[word]] = 1
    rows[WORDS.index("money"), 3] = 0.3
    path = tmp_path / "vectors.npz"
    np.savez(path, words=np.array(WORDS), vec=rows + np.float32(5))  # what all share says nothing
    return path


def test_near_words_are_those_of_the_same_matter_but_not_of_the_same_stem(
    vectors: Path, tmp_path: Path
) -> None:
    target = tmp_path / "near.tsv"
    derive_near.main(["near", str(vectors), str(target)])
    near = dict(line.split("\t") for line in target.read_text().splitlines())
    assert near["ship"] in ("boat:100 boating:100", "boating:100 boat:100")
    assert near["boat"] == "ship:100"
    assert near["cash"].startswith("money:")
    assert near["cash"].partition(":")[2] == near["money"].partition(":")[2]
    assert not near.keys() & {"runner", "runners"}


def test_kinds_far_from_their_noun_are_left_out_and_synonyms_stay(vectors: Path, tmp_path: Path) -> None:
    nouns = tmp_path / "nouns.tsv"
    nouns.write_text(
        "boat\t6\t90:cash\t85:cash ship yawl\t50:stone\nmoney\t21\t85:cash\nyawl\t6\t50:cash\n",
        encoding="utf-8",
    )
    derive_near.main(["filter", str(vectors), str(nouns), str(nouns)])
    assert nouns.read_text(encoding="utf-8").splitlines() == [
        "boat\t6\t90:cash\t85:ship yawl",
        "money\t21\t85:cash",
        "yawl\t6\t50:cash",  # no vector, no ground to leave anything out
    ]


def test_vectors_that_are_not_one_for_each_word_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    np.savez(path, words=np.array(["boat"]), vec=np.zeros((2, 4), dtype=np.float32))
    with pytest.raises(ValueError, match="1 words"):
        derive_near.load_vectors(path)


def test_a_noun_names_the_verb_it_is_made_from_in_its_main_sense_alone(tmp_path: Path) -> None:
    for name, text in {
        "data.noun": DATA_NOUN,
        "data.verb": DATA_VERB,
        "index.noun": INDEX_NOUN,
        "index.verb": "refund v 1 0 1 0 00000950\n",
        "index.adj": "",
        "index.adv": "",
        "cntlist.rev": "refund%1:04:00:: 1 3\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    target = tmp_path / "nominals.tsv"
    derive.write_nominals(derive.WordNet(tmp_path), target)
    assert target.read_text(encoding="utf-8") == "cancellation\tcancel\nrefund\trefund\n"


def lexicon(folder: Path, near: bytes) -> Path:
    folder.mkdir()
    (folder / "en.toml").write_text("a = 1\n", encoding="utf-8")
    (folder / "en-near.tsv").write_bytes(near)
    manifest.main([str(folder)])
    return folder


def test_another_derived_file_is_another_version_of_the_lexicon(tmp_path: Path) -> None:
    one, same = lexicon(tmp_path / "one", b"boat\tship:80\n"), lexicon(tmp_path / "same", b"boat\tship:80\n")
    other = lexicon(tmp_path / "other", b"boat\tship:81\n")
    edited = lexicon(tmp_path / "edited", b"boat\tship:80\n")
    (edited / "en.toml").write_text("a = 2\n", encoding="utf-8")
    versions = [manifest.version_of(folder) for folder in (one, same, other, edited)]
    assert versions[0] == versions[1]
    assert len(set(versions)) == 3


def test_a_derived_file_that_the_version_does_not_name_is_not_read(tmp_path: Path) -> None:
    path = lexicon(tmp_path / "one", b"boat\tship:80\n") / "en-near.tsv"
    assert manifest.read_checked(path) == b"boat\tship:80\n"
    path.write_bytes(b"boat\tship:10\n")
    with pytest.raises(LexiconDamaged, match=r"en-near\.tsv: not the file that VERSIONS names"):
        manifest.read_checked(path)


@pytest.mark.parametrize("text", [None, "no digest  en-near.tsv\n"])
def test_a_lexicon_without_a_readable_manifest_has_no_version(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / manifest.MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(LexiconDamaged, match="VERSIONS"):
        manifest.version_of(tmp_path)


def test_the_gate_refuses_and_does_not_raise_when_its_lexicon_has_no_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged() -> str:
        raise LexiconDamaged("VERSIONS: gone")

    monkeypatch.setattr("gate.verdict.lexicon_version", damaged)
    at = datetime.fromisoformat("2026-05-17T18:30:00+02:00")
    verdict = gate(TextRequest(text="Good morning", at=at), Facts(), Snapshot.build([], head="h"))
    assert verdict.decision is Decision.REFUSE
    assert "VERSIONS: gone" in verdict.note
