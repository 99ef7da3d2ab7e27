"""engines.toml: what it may say, and engines out of it; keys apart."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from asking import ask, text_of
from fake_provider import said

from router import BadRequest, EngineFailed
from router.config import build, load_config
from router.errors import BadConfig
from router.keys import Keys

ROOT = Path(__file__).resolve().parents[2]


def test_the_shipped_file_loads_and_is_the_typed_defaults():
    assert load_config(ROOT / "configs" / "engines.toml") == load_config()


def test_without_a_file_there_is_the_embedded_model_and_then_memory(ledger, tmp_path):
    router = build(load_config(), models_dir=tmp_path, ledger=ledger)
    assert [status.name for status in router.engines()] == ["local", "none"]
    assert "partner models pull" in router.why("Hi")
    assert "From memory" in text_of(router.stream(ask("Hi", notes="- Ana")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("engines = 3", "engines"),
        ("[router", "no TOML"),
        ('[router]\norder = ["nobody"]', "there is no engine 'nobody'"),
        ('[router]\nprefer = "luck"', "router.prefer"),
        ("[router]\nofline = true", "router.ofline"),
        ('[engines.a]\nkind = "magic"', "engines.a"),
        ('[engines.a]\nkind = "openai_http"\nmodel = "m"', "base_url"),
        ('[engines.a]\nkind = "command"\nargv = []', "argv"),
        ('[engines.a]\nkind = "llama_cpp"\nn_ctx = 1', "n_ctx"),
    ],
)
def test_a_mistake_is_named_by_its_field(text, told):
    with pytest.raises(BadConfig, match=told):
        load_config(text)


def test_a_mistake_never_repeats_the_value_beside_it():
    with pytest.raises(BadConfig) as caught:
        load_config('[engines.a]\nkind = "hosted"\nmodel = "m"\nkey_value = "sk-verysecret0123456789"')
    assert "verysecret" not in str(caught.value)


def test_memory_is_always_the_last_resort_wherever_the_file_put_it(ledger, tmp_path):
    text = '[router]\norder = ["none", "talk"]\n[engines.talk]\nkind = "scripted"\nreplies = ["Hello."]'
    router = build(load_config(text), models_dir=tmp_path, ledger=ledger)
    assert router.plan(ask("Hi")).names == ("talk", "none")


def test_every_kind_of_engine_is_built_from_the_file(ledger, tmp_path):
    text = """
        [router]
        order = ["a", "b", "c", "d", "e", "f", "none"]
        stay_local = ["client"]
        [engines.a]
        kind = "llama_cpp"
        model = "/nowhere/model.gguf"
        [engines.b]
        kind = "openai_http"
        base_url = "http://127.0.0.1:9/v1"
        model = "m"
        price_in = 1.0
        price_out = 2.0
        [engines.c]
        kind = "ollama"
        model = "m"
        [engines.d]
        kind = "hosted"
        model = "anthropic/m"
        key = "env:NO_SUCH_KEY"
        [engines.e]
        kind = "command"
        argv = ["cat"]
        [engines.f]
        kind = "scripted"
        replies = ["Hello."]
    """
    router = build(load_config(text), models_dir=tmp_path, ledger=ledger)
    local = {status.name: status.local for status in router.engines()}
    assert local == {"a": True, "b": True, "c": True, "d": False, "e": False, "f": True, "none": True}
    private = router.plan(ask("Hi", tags=frozenset({"client"})))
    assert private.names == ("a", "b", "c", "f", "none")
    router.close()


def test_a_key_from_the_environment_reaches_the_provider_and_nothing_else(provider, ledger, tmp_path):
    server = provider(said("Hello"))
    text = f'[engines.a]\nkind = "openai_http"\nbase_url = "{server.url}"\nmodel = "m"\nkey = "env:MY_KEY"'
    keys = Keys(tmp_path / "keys.json", environment={"MY_KEY": "sk-verysecret0123456789"})
    config = load_config('[router]\norder = ["a"]\n' + text)
    router = build(config, models_dir=tmp_path, ledger=ledger, keys=keys)
    assert text_of(router.stream(ask("Hi"))) == "Hello"
    assert server.arrived[0].headers["authorization"] == "Bearer sk-verysecret0123456789"
    assert "verysecret" not in repr((ledger.attempts(), router.engines(), config))
    router.close()


def test_a_missing_key_is_told_by_its_name_and_another_engine_answers(ledger, tmp_path):
    text = '[router]\norder = ["a"]\n[engines.a]\nkind = "hosted"\nmodel = "openai/m"\nkey = "work"'
    router = build(
        load_config(text),
        models_dir=tmp_path,
        ledger=ledger,
        keys=Keys(tmp_path / "keys.json", environment={}),
    )
    assert "No language engine" in text_of(router.stream(ask("Hi")))
    assert ledger.attempts()[0].outcome == "auth"
    assert "no key named work" in ledger.attempts()[0].detail


class Ring:
    """A keyring that works, or one that is locked."""

    def __init__(self, *, locked: bool = False) -> None:
        self.locked = locked
        self.kept: dict[tuple[str, str], str] = {}

    def _check(self) -> None:
        if self.locked:
            raise RuntimeError("locked")

    def get_password(self, service: str, name: str) -> str | None:
        self._check()
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        self._check()
        self.kept[service, name] = value

    def delete_password(self, service: str, name: str) -> None:
        self._check()
        del self.kept[service, name]


def test_a_key_goes_to_the_keyring_where_there_is_one(tmp_path):
    ring = Ring()
    keys = Keys(tmp_path / "keys.json", environment={}, keyring=lambda: ring)
    assert keys.set("work", "secret") == "keyring"
    assert keys.get("work") == "secret"
    assert not (tmp_path / "keys.json").exists()
    assert keys.delete("work")
    with pytest.raises(EngineFailed, match="no key named work"):
        keys.get("work")


@pytest.mark.parametrize("keyring", [None, Ring(locked=True)], ids=["none", "locked"])
def test_without_a_working_keyring_it_goes_to_a_file_that_only_the_operator_reads(tmp_path, keyring):
    file = tmp_path / "keys.json"
    keys = Keys(file, environment={}, keyring=keyring)
    assert keys.set("work", "secret") == str(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Keys(file, environment={}).get("work") == "secret"
    file.chmod(0o644)
    with pytest.raises(EngineFailed, match="chmod 600"):
        keys.get("work")


def test_an_empty_key_is_refused(tmp_path):
    with pytest.raises(BadRequest):
        Keys(tmp_path / "keys.json", environment={}).set("work", " ")
