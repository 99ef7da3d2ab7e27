"""What the data file of ranking promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.errors import BadRequest
from store.retrieval.settings import RankSettings, load_settings

SHIPPED = Path(__file__).resolve().parents[3] / "configs" / "retrieval.toml"


def test_the_shipped_file_says_what_the_code_does_without_it():
    assert load_settings(SHIPPED) == RankSettings() == load_settings(None)


def test_the_shipped_file_names_every_setting():
    text = SHIPPED.read_text(encoding="utf-8")
    assert all(f"\n{name} = " in text for name in RankSettings.__dataclass_fields__)


@pytest.mark.parametrize(
    "body",
    [
        "[rank]\nweigth_late = 1",
        "[rank]\nread = 'many'",
        "[rank]\nread = -1",
        "not toml",
        "[rank]\nread = true",
        "[rank]\nread = 1.5",
        "[rank]\nwindow_after = 1",
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_with_its_reason(tmp_path, body):
    path = tmp_path / "retrieval.toml"
    path.write_text(body, encoding="utf-8")
    with pytest.raises(BadRequest):
        load_settings(path)


def test_one_value_may_be_changed_alone(tmp_path):
    path = tmp_path / "retrieval.toml"
    path.write_text("[rank]\nread = 40\nwindow_before = []\n", encoding="utf-8")
    assert load_settings(path) == RankSettings(read=40, window_before=())
