"""Configuration: typed, with clear errors, and changed without losing what the operator wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner import configfile
from partner.errors import BadConfig, UsageError
from partner.settings import Settings, load


def written(home: Path, text: str) -> Settings:
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(text, encoding="utf-8")
    return load({"PARTNER_HOME": str(home)})


def test_without_any_file_the_defaults_work_and_nothing_is_created(home: Path) -> None:
    settings = load({"PARTNER_HOME": str(home)})
    assert settings.store == str(home / "identity.partner")
    assert settings.models_dir == home / "models"
    assert settings.config.order == ("local",)
    assert not home.exists()


def test_options_win_over_variables(home: Path, tmp_path: Path) -> None:
    env = {"PARTNER_HOME": str(tmp_path / "other"), "PARTNER_STORE": "a", "PARTNER_ENGINE": "none"}
    settings = load(env, home=home, store="b", engine="local")
    assert (settings.home, settings.store, settings.engine) == (home, "b", "local")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("engines = [", "not valid TOML"),
        ("[context]\nbudget_tokens = 'many'", "context.budget_tokens: "),
        ("[contexts]\n", "contexts: no such setting"),
        ("[operator]\ntimezone = 'Mars/Olympus'", "operator.timezone: no such time zone"),
        ("[router]\norder = ['ghost']", "unknown engines: ghost"),
        ("[engines.s]\nkind = 'openai_http'", "base_url: Field required"),
        ("[engines.none]\nkind = 'llama_cpp'\nmodel = 'm'", "means no engine"),
    ],
)
def test_a_bad_configuration_names_the_file_the_key_and_the_reason(home: Path, text: str, said: str) -> None:
    with pytest.raises(BadConfig) as caught:
        written(home, text)
    assert str(home / "config.toml") in str(caught.value)
    assert said in str(caught.value)


def test_an_unknown_engine_is_named_with_those_that_are_known(home: Path) -> None:
    with pytest.raises(BadConfig, match=r"no engine 'gpt9'\. Known: local, none"):
        load({"PARTNER_HOME": str(home)}, engine="gpt9")


def test_adding_an_engine_keeps_the_operators_text_and_comments(home: Path) -> None:
    settings = written(home, "# mine\n[context]\nretrieved = 7  # enough\n")
    configfile.add_engine(
        settings, "server", {"kind": "openai_http", "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    )
    configfile.use_engine(load({"PARTNER_HOME": str(home)}), "server")
    after = load({"PARTNER_HOME": str(home)})
    assert after.config.router.order == ["server", "local", "none"]
    assert after.config.context.retrieved == 7
    assert after.config.engines["server"].base_url == "http://127.0.0.1:1/v1"
    assert (home / "config.toml").read_text().startswith("# mine\n[context]\nretrieved = 7  # enough\n")


def test_choosing_again_replaces_the_order_and_nothing_else(home: Path) -> None:
    settings = written(
        home, "[router]\nlocal_only = true\norder = [\n  'local',\n]\n[context]\nretrieved = 3\n"
    )
    configfile.use_engine(settings, "none")
    after = load({"PARTNER_HOME": str(home)})
    assert after.config.router.order == ["none", "local"]
    assert after.config.router.local_only
    assert after.config.context.retrieved == 3


@pytest.mark.parametrize("name", ["none", "a b", "", "x" * 65, 'quote"', "local"])
def test_a_name_that_cannot_be_an_engines_is_refused(home: Path, name: str) -> None:
    settings = load({"PARTNER_HOME": str(home)})
    with pytest.raises(UsageError):
        configfile.add_engine(settings, name, {"kind": "llama_cpp", "model": "m"})
    assert not home.exists()


def test_an_incomplete_engine_is_refused_and_not_written(home: Path) -> None:
    settings = load({"PARTNER_HOME": str(home)})
    with pytest.raises(UsageError, match="base_url: Field required"):
        configfile.add_engine(settings, "s", {"kind": "openai_http"})
    assert not home.exists()
