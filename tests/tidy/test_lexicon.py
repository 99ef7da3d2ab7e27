"""The digests of the lexicon's derived files are those of the files that are shipped."""

from __future__ import annotations

from pathlib import Path

from gate.language.manifest import MANIFEST, manifest

LEXICON = Path(__file__).resolve().parents[2] / "configs" / "lexicon"


def test_the_manifest_of_the_lexicon_names_every_derived_file_as_it_is() -> None:
    stale = "run: python -m gate.language.manifest configs/lexicon"
    assert (LEXICON / MANIFEST).read_text(encoding="utf-8") == manifest(LEXICON), stale
