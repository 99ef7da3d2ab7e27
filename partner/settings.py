"""What an operator can set: `PARTNER_HOME`, its `config.toml`, and typed defaults for all of it.

Nothing here reads the environment or the clock: `load` takes the environment as an argument.
An installed wheel works without any file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from partner.errors import BadConfig, UsageError
from router.config import EngineConfig, RouterConfig, SelectionConfig

CONFIG_NAME = "config.toml"
STORE_NAME = "identity.partner"
NO_ENGINE = "none"


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OperatorSettings(_Table):
    name: str = "operator"
    words: tuple[str, ...] = ("me", "I", "myself")
    timezone: str | None = None

    @field_validator("timezone")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                ZoneInfo(value)
            except (KeyError, ValueError, OSError):
                raise ValueError(f"no such time zone: {value!r}; write it as in 'Europe/Madrid'") from None
        return value


class ContextSettings(_Table):
    budget_tokens: int = Field(default=1500, ge=128, le=1_000_000)
    retrieved: int = Field(default=12, ge=0, le=200)
    last_turns: int = Field(default=4, ge=0, le=100)
    reply_tokens: int = Field(default=512, ge=16, le=100_000)


class FormationSettings(_Table):
    """`engine` names who proposes what a turn settles besides what the words themselves say ('' for nobody);
    `accept` is whether proposals wait in the inbox or hold at once, as inferences."""

    engine: str = ""
    accept: Literal["inbox", "auto"] = "inbox"


class EmbeddingSettings(_Table):
    """`path` stands in for `model`: a GGUF file, or a folder of a sentence-transformers model (the extra).
    `reranker` is the folder of a cross-encoder that reads the best hits once more."""

    enabled: bool = True
    model: str = "all-minilm-l6-v2"
    path: Path | None = None
    reranker: Path | None = None


class ToolSettings(_Table):
    """What an engine may do besides talking; each is off until it is turned on here."""

    read_file: bool = False
    list_folder: bool = False
    write_file: bool = False
    run_command: bool = False
    http_get: bool = False
    recall: bool = False
    remember: bool = False
    rounds: int = Field(default=6, ge=1, le=50)  # how often one message may lead to calls
    timeout_s: float = Field(default=30.0, gt=0, le=3600)
    output_chars: int = Field(default=8_000, ge=100, le=1_000_000)


class Config(_Table):
    """The whole of `config.toml`. A file adds to the default engines; it need not repeat them."""

    operator: OperatorSettings = OperatorSettings()
    context: ContextSettings = ContextSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    formation: FormationSettings = FormationSettings()
    tools: ToolSettings = ToolSettings()
    router: SelectionConfig = Field(default_factory=SelectionConfig)
    engines: dict[str, EngineConfig] = Field(default_factory=lambda: dict(RouterConfig().engines))

    @model_validator(mode="after")
    def _consistent(self) -> Config:
        if self.engines.get(NO_ENGINE) != RouterConfig().engines[NO_ENGINE]:
            raise ValueError("the name 'none' means no engine and cannot be given to one")
        unknown = [name for name in self.router.order if name not in self.engines]
        if self.formation.engine and self.formation.engine not in self.engines:
            raise ValueError(f"formation.engine names an unknown engine: {self.formation.engine}")
        if unknown:
            raise ValueError(f"router.order names unknown engines: {', '.join(unknown)}")
        return self

    @property
    def order(self) -> tuple[str, ...]:
        """The engines that are asked, first to last; memory alone is no engine."""
        return tuple(name for name in self.router.order if name != NO_ENGINE)


class Settings(_Table):
    """Where this partner lives and how it is set. Paths are absolute; nothing is created by reading them."""

    home: Path
    models_dir: Path
    store: str  # a path or postgresql://...
    config: Config = Config()
    engine: str | None = None  # pinned for this process; "none" for no engine
    passphrase: SecretStr | None = None  # of a sealed or encrypted store; never in `config.toml`
    ask_passphrase: Callable[[], str | None] | None = None  # where somebody can be asked once it is needed

    @property
    def key_to_store(self) -> str | Callable[[], str | None] | None:
        """What opens the store: the passphrase that was given, or whom to ask."""
        return self.passphrase.get_secret_value() if self.passphrase else self.ask_passphrase

    @property
    def unused(self) -> bool:
        """Whether the store is the home's own, which nobody named, and nothing was written to it yet."""
        own = self.home / STORE_NAME
        return self.store == str(own) and not own.exists()

    @property
    def config_path(self) -> Path:
        return self.home / CONFIG_NAME

    @property
    def cache_dir(self) -> Path:
        return self.home / "cache"

    @property
    def ledger_path(self) -> Path:
        return self.home / "ledger.sqlite"


def load(
    env: Mapping[str, str],
    *,
    home: Path | None = None,
    store: str | None = None,
    engine: str | None = None,
    passphrase: str | None = None,
    ask_passphrase: Callable[[], str | None] | None = None,
) -> Settings:
    """Settings from options, then variables, then `config.toml`, then the defaults.

    The variables: PARTNER_HOME, PARTNER_MODELS, PARTNER_STORE, PARTNER_ENGINE, PARTNER_PASSPHRASE.
    Raises BadConfig with the file, the key and what it should be.
    """
    base = home or (Path(env["PARTNER_HOME"]) if env.get("PARTNER_HOME") else _platform_home())
    base = base.expanduser().absolute()
    config = _read_config(base / CONFIG_NAME)
    pinned = engine or env.get("PARTNER_ENGINE") or None
    if pinned is not None and pinned not in config.engines:
        raise BadConfig("--engine", unknown_engine(pinned, config.engines))
    models = (
        Path(env["PARTNER_MODELS"]).expanduser().absolute() if env.get("PARTNER_MODELS") else base / "models"
    )
    said = passphrase or env.get("PARTNER_PASSPHRASE") or None
    target = store or env.get("PARTNER_STORE") or str(base / STORE_NAME)
    return Settings(
        home=base,
        models_dir=models,
        store=target,
        config=config,
        engine=pinned,
        passphrase=SecretStr(said) if said else None,
        ask_passphrase=ask_passphrase,
    )


def engine_meant(name: str, known: Mapping[str, object]) -> str:
    """The engine that a name, the beginning of one, or its model's name stands for, in either case.

    Raises UsageError where it stands for none, or for several.
    """
    if name in known:
        return name
    said = name.casefold()
    names = {one: (one.casefold(), _model_of(engine).casefold()) for one, engine in known.items()}
    for fits in (lambda word: word == said, lambda word: word.startswith(said)):
        found = [one for one, words in names.items() if any(map(fits, filter(None, words)))]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"'{name}' may be {' or '.join(found)}: say which.")
    raise UsageError(unknown_engine(name, known))


def _model_of(engine: object) -> str:
    """The model's name without its folders: 'openai/gpt-4o' is asked for as gpt-4o."""
    return (getattr(engine, "model", "") or "").rsplit("/", 1)[-1]


def unknown_engine(name: str, known: Mapping[str, object]) -> str:
    """The sentence for an engine that is not configured, with those that are written nearly so."""
    from difflib import get_close_matches  # for a mistake alone

    names = ", ".join(known)
    near = get_close_matches(name.casefold(), known, n=2)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    add = "Add one with: partner engines add NAME --kind KIND"
    return f"There is no engine '{name}'.{hint} Known: {names}. {add}"


def _platform_home() -> Path:
    from platformdirs import user_data_path  # only when nothing names a home

    return user_data_path("partner", appauthor=False)


def _read_config(path: Path) -> Config:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Config()
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(path, f"not valid TOML: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(path, f"cannot be read: {error}") from error
    try:
        return parse_config(raw)
    except ValidationError as error:
        raise BadConfig(path, explain_findings(error)) from error


def parse_config(raw: dict[str, Any]) -> Config:
    """A configuration from parsed TOML, laid over the default engines. Raises pydantic's ValidationError."""
    if isinstance(raw.get("engines"), dict):
        raw = {**raw, "engines": {**RouterConfig().engines, **raw["engines"]}}
    return Config.model_validate(raw)


def explain_findings(error: ValidationError) -> str:
    """At most three of pydantic's findings, each as `key: what is wrong`."""
    found = []
    for problem in error.errors()[:3]:
        key = ".".join(str(part) for part in problem["loc"]) or "file"
        said = problem["msg"].removeprefix("Value error, ")
        said = "no such setting" if problem["type"] == "extra_forbidden" else said
        found.append(f"{key}: {said}")
    return "; ".join(found)
