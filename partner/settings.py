"""What an operator can set: `PARTNER_HOME`, its `config.toml`, and typed defaults for all of it.

Nothing here reads the environment or the clock: `load` takes the environment as an argument.
An installed wheel works without any file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
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

from partner.errors import BadConfig

CONFIG_NAME = "config.toml"
STORE_NAME = "identity.partner"
DEFAULT_ENGINE = "smollm2"
NO_ENGINE = "none"
EngineKind = Literal["llama_cpp", "openai_http", "hosted", "command", "scripted"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EngineSettings(_Table):
    """One way to get language. `model` is a registry name (llama_cpp), a server's or a provider's name."""

    kind: EngineKind
    model: str = ""
    path: Path | None = Field(default=None, description="llama_cpp: a GGUF file instead of a registry name")
    url: str | None = Field(default=None, description="openai_http: the base, as in http://127.0.0.1:8080/v1")
    api_key_env: str | None = Field(
        default=None, description="the variable that holds the key, never the key"
    )
    argv: tuple[str, ...] = Field(default=(), description="command: the command line that is run")
    window: int | None = Field(default=None, ge=256, description="tokens of context")
    options: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _complete(self) -> EngineSettings:
        needs = {
            "openai_http": ("url", self.url),
            "hosted": ("model", self.model),
            "command": ("argv", self.argv),
        }
        name, value = needs.get(self.kind, ("", True))
        if not value:
            raise ValueError(f"an engine of kind {self.kind} needs `{name}`")
        if self.kind == "llama_cpp" and not (self.model or self.path):
            raise ValueError("an engine of kind llama_cpp needs `model` or `path`")
        return self


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


class RoutingSettings(_Table):
    """`order` is who is asked, first to last; `local_only` keeps every model call on this machine."""

    order: tuple[str, ...] = (DEFAULT_ENGINE,)
    local_only: bool = False
    cache: bool = True


class EmbeddingSettings(_Table):
    enabled: bool = True
    model: str = "all-minilm-l6-v2"
    path: Path | None = None


def _default_engines() -> dict[str, EngineSettings]:
    return {DEFAULT_ENGINE: EngineSettings(kind="llama_cpp", model="smollm2-135m-instruct")}


class Config(_Table):
    """The whole of `config.toml`. A file adds to the default engines; it need not repeat them."""

    operator: OperatorSettings = OperatorSettings()
    context: ContextSettings = ContextSettings()
    routing: RoutingSettings = RoutingSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    engines: dict[str, EngineSettings] = Field(default_factory=_default_engines)

    @model_validator(mode="after")
    def _consistent(self) -> Config:
        if NO_ENGINE in self.engines:
            raise ValueError("the name 'none' means no engine and cannot be given to one")
        unknown = [name for name in self.routing.order if name != NO_ENGINE and name not in self.engines]
        if unknown:
            raise ValueError(f"routing.order names unknown engines: {', '.join(unknown)}")
        return self


class Settings(_Table):
    """Where this partner lives and how it is set. Paths are absolute; nothing is created by reading them."""

    home: Path
    models_dir: Path
    store: str  # a path or postgresql://...
    config: Config = Config()
    engine: str | None = None  # pinned for this process; "none" for no engine
    passphrase: SecretStr | None = None  # of a sealed store; never in a file

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
    env: Mapping[str, str], *, home: Path | None = None, store: str | None = None, engine: str | None = None
) -> Settings:
    """Settings from options, then variables, then `config.toml`, then the defaults.

    The variables: PARTNER_HOME, PARTNER_MODELS, PARTNER_STORE, PARTNER_ENGINE, PARTNER_PASSPHRASE.
    Raises BadConfig with the file, the key and what it should be.
    """
    base = home or (Path(env["PARTNER_HOME"]) if env.get("PARTNER_HOME") else _platform_home())
    base = base.expanduser().absolute()
    config = _read_config(base / CONFIG_NAME)
    pinned = engine or env.get("PARTNER_ENGINE") or None
    if pinned is not None and pinned != NO_ENGINE and pinned not in config.engines:
        raise BadConfig("--engine", unknown_engine(pinned, config.engines))
    models = (
        Path(env["PARTNER_MODELS"]).expanduser().absolute() if env.get("PARTNER_MODELS") else base / "models"
    )
    target = store or env.get("PARTNER_STORE") or str(base / STORE_NAME)
    return Settings(
        home=base,
        models_dir=models,
        store=target,
        config=config,
        engine=pinned,
        passphrase=SecretStr(env["PARTNER_PASSPHRASE"]) if env.get("PARTNER_PASSPHRASE") else None,
    )


def unknown_engine(name: str, known: Mapping[str, object]) -> str:
    """The sentence for an engine that is not configured."""
    names = ", ".join([*known, NO_ENGINE])
    return f"there is no engine '{name}'. Known: {names}. Add one with: partner engines add NAME --kind KIND"


def _platform_home() -> Path:
    from platformdirs import user_data_path  # only when nothing names a home

    return user_data_path("partner", appauthor=False)


def _read_config(path: Path) -> Config:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Config()
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(path, f"not valid TOML: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(path, f"cannot be read: {error}") from error
    if isinstance(raw.get("engines"), dict):
        raw["engines"] = _default_engines() | raw["engines"]
    try:
        return Config.model_validate(raw)
    except ValidationError as error:
        raise BadConfig(path, explain_findings(error)) from error


def explain_findings(error: ValidationError) -> str:
    """At most three of pydantic's findings, each as `key: what is wrong`."""
    found = []
    for problem in error.errors()[:3]:
        key = ".".join(str(part) for part in problem["loc"]) or "file"
        said = problem["msg"].removeprefix("Value error, ")
        said = "no such setting" if problem["type"] == "extra_forbidden" else said
        found.append(f"{key}: {said}")
    return "; ".join(found)
