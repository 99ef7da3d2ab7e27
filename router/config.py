"""configs/engines.toml: which engines there are, and the rules of the choice. Typed defaults live here."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from router.errors import BadConfig
from router.selection import Preference, Rules

if TYPE_CHECKING:
    from router.cache import Cache
    from router.keys import Keys
    from router.ledger import Ledger
    from router.llama.pool import MemoryPool
    from router.model import Engine, Request
    from router.routing import Router


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Timeouts(_Strict):
    connect_s: float = Field(default=5.0, gt=0)
    first_token_s: float = Field(default=60.0, gt=0)
    between_tokens_s: float = Field(default=30.0, gt=0)


class LlamaCppConfig(_Strict):
    """A GGUF file in a worker process. `model` is an embedded model's name or a path."""

    kind: Literal["llama_cpp"]
    model: str = "smollm2-135m-instruct"
    n_ctx: int = Field(default=2048, ge=256)
    n_threads: int | None = Field(default=None, ge=1)
    lora: str | None = None
    template: str | None = None
    notes_in_user: bool | None = None  # None: where the file is a small model's
    languages: list[str] | None = None  # that it writes; None: what is known of an embedded model, else any
    system_role: bool = True
    # the penalty is on what the model wrote itself, not on the prompt: small models loop without one
    sampling: dict[str, float] = Field(default_factory=lambda: {"repeat_penalty": 1.1})


class OpenAIHttpConfig(_Timeouts):
    """A server with OpenAI's chat completions. `key` names a key, or is env:VARIABLE."""

    kind: Literal["openai_http"]
    base_url: str
    model: str
    key: str = ""
    window: int = Field(default=8192, ge=256)
    tools: bool = True
    schema_: bool = Field(default=True, alias="schema")
    vision: bool = False
    notes_in_user: bool = False
    schema_form: Literal["json_schema", "json_object"] = "json_schema"
    price_in: float | None = Field(default=None, ge=0)  # US dollars a million tokens
    price_out: float | None = Field(default=None, ge=0)
    options: dict[str, Any] = Field(default_factory=dict)


class OllamaConfig(_Timeouts):
    """Ollama's own interface, because its OpenAI one ignores the window."""

    kind: Literal["ollama"]
    base_url: str = "http://127.0.0.1:11434"
    model: str
    n_ctx: int = Field(default=8192, ge=256)
    tools: bool = True
    vision: bool = False
    notes_in_user: bool = False
    options: dict[str, Any] = Field(default_factory=dict)


class HostedConfig(_Timeouts):
    """A provider by litellm's name for its model."""

    kind: Literal["hosted"]
    model: str
    key: str = ""
    api_base: str | None = None
    window: int = Field(default=128_000, ge=256)
    vision: bool = False
    price_in: float | None = Field(default=None, ge=0)
    price_out: float | None = Field(default=None, ge=0)
    options: dict[str, Any] = Field(default_factory=dict)


class CommandConfig(_Strict):
    """A program that answers on stdout what it reads on stdin."""

    kind: Literal["command"]
    argv: list[str] = Field(min_length=1)
    model: str = ""
    output: Literal["text", "json_lines"] = "text"
    local: bool = False
    window: int = Field(default=32_768, ge=256)
    timeout_s: float = Field(default=120.0, gt=0)
    environment: dict[str, str] = Field(default_factory=dict)


class ScriptedConfig(_Strict):
    """Fixed replies, for demonstrations and tests."""

    kind: Literal["scripted"]
    replies: list[str] = Field(min_length=1)


class NoneConfig(_Strict):
    """No language: memory answers as it stands."""

    kind: Literal["none"]


EngineConfig = Annotated[
    LlamaCppConfig
    | OpenAIHttpConfig
    | OllamaConfig
    | HostedConfig
    | CommandConfig
    | ScriptedConfig
    | NoneConfig,
    Field(discriminator="kind"),
]


class SelectionConfig(_Strict):
    """The table [router]."""

    order: list[str] = Field(default_factory=lambda: ["local", "none"])
    offline: bool = False
    local_only: bool = False
    stay_local: list[str] = Field(default_factory=list)
    prefer: Preference = Preference.ORDER
    day_budget_usd: float | None = Field(default=None, ge=0)
    month_budget_usd: float | None = Field(default=None, ge=0)
    keep_sampled: bool = False
    memory_budget_mb: int = Field(default=6144, ge=256)  # loaded local models together
    cache_limit_mb: int = Field(default=256, ge=0)  # 0 keeps no answers

    def rules(self) -> Rules:
        return Rules(
            offline=self.offline,
            local_only=self.local_only,
            stay_local=frozenset(self.stay_local),
            prefer=self.prefer,
            day_budget_usd=self.day_budget_usd,
            month_budget_usd=self.month_budget_usd,
            keep_sampled=self.keep_sampled,
        )


def _default_engines() -> dict[str, EngineConfig]:
    return {"local": LlamaCppConfig(kind="llama_cpp"), "none": NoneConfig(kind="none")}


class RouterConfig(_Strict):
    """The whole file. Without one: the embedded model, then memory alone."""

    router: SelectionConfig = Field(default_factory=SelectionConfig)
    engines: dict[str, EngineConfig] = Field(default_factory=_default_engines)


def load_config(source: Path | str | None = None) -> RouterConfig:
    """A file, TOML text, or (None) the defaults. An engine `none` is always there as the last resort.

    Raises:
        BadConfig: it is no TOML, a field is unknown or wrong, or `order` names an engine that is not there.
    """
    if source is None:
        return RouterConfig()
    try:
        text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
        config = RouterConfig.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadConfig("engines.toml", f"it is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise BadConfig(".".join(str(part) for part in first["loc"]), first["msg"]) from None
    engines = dict(config.engines)
    engines.setdefault("none", NoneConfig(kind="none"))
    for name in config.router.order:
        if name not in engines:
            raise BadConfig("router.order", f"there is no engine {name!r}; configured: {', '.join(engines)}")
    return config.model_copy(update={"engines": engines})


def build(
    config: RouterConfig,
    *,
    models_dir: Path,
    ledger: Ledger,
    keys: Keys | None = None,
    cache: Cache | None = None,
    render: Callable[[Request], str] | None = None,
) -> Router:
    """A Router of the configured engines, each built when first used.

    `render` is what the engine `none` answers with. `models_dir` is where the embedded models are.
    """
    from router.llama.pool import MemoryPool
    from router.routing import Router

    pool = MemoryPool(config.router.memory_budget_mb * 1024**2)
    makers: dict[str, Engine | Callable[[], Engine]] = {}
    prices: dict[str, float] = {}
    for name, engine in config.engines.items():
        makers[name] = _maker(name, engine, models_dir=models_dir, keys=keys, pool=pool, render=render)
        if isinstance(engine, OpenAIHttpConfig | HostedConfig):
            known = _prices(engine)
            if known is not None:
                prices[name] = sum(known) / 2
    order = [name for name in config.router.order if name != "none"]
    return Router(
        makers,
        order=[*order, *(name for name in makers if name not in order and name != "none"), "none"],
        ledger=ledger,
        cache=cache if config.router.cache_limit_mb else None,
        rules=config.router.rules(),
        prices=prices,
    )


def _maker(
    name: str,
    config: EngineConfig,
    *,
    models_dir: Path,
    keys: Keys | None,
    pool: MemoryPool,
    render: Callable[[Request], str] | None,
) -> Callable[[], Engine]:
    match config:
        case LlamaCppConfig():
            return lambda: _llama_cpp(name, config, models_dir, pool)
        case OpenAIHttpConfig():
            return lambda: _openai_http(name, config, keys)
        case OllamaConfig():
            return lambda: _ollama(name, config)
        case HostedConfig():
            return lambda: _hosted(name, config, keys)
        case CommandConfig():
            return lambda: _command(name, config)
        case ScriptedConfig():
            return lambda: _scripted(name, config)
        case NoneConfig():
            return lambda: _none(render)


def _llama_cpp(name: str, config: LlamaCppConfig, models_dir: Path, pool: MemoryPool) -> Engine:
    from router import models
    from router.engines.llama_cpp import LlamaCppEngine

    if config.model in models.REGISTRY:
        path = models.locate(models_dir, config.model)
        known = models.REGISTRY[config.model].languages
    else:
        path, known = Path(config.model).expanduser(), ()
    return LlamaCppEngine(
        path,
        name=name,
        n_ctx=config.n_ctx,
        n_threads=config.n_threads,
        lora_path=Path(config.lora).expanduser() if config.lora else None,
        template=config.template,
        notes_in_user=config.notes_in_user,
        languages=known if config.languages is None else tuple(config.languages),
        system_role=config.system_role,
        sampling=config.sampling,
        pool=pool,
    )


def _openai_http(name: str, config: OpenAIHttpConfig, keys: Keys | None) -> Engine:
    from router.engines.openai_http import OpenAIHttpEngine

    return OpenAIHttpEngine(
        config.base_url,
        config.model,
        name=name,
        api_key=_key(config.key, keys),
        key_name=config.key,
        window=config.window,
        tools=config.tools,
        schema=config.schema_,
        vision=config.vision,
        notes_in_user=config.notes_in_user,
        schema_form=config.schema_form,
        prices=_prices(config),
        options=config.options,
        **_timeouts(config),
    )


def _ollama(name: str, config: OllamaConfig) -> Engine:
    from router.engines.ollama import OllamaEngine

    return OllamaEngine(
        config.base_url,
        config.model,
        name=name,
        n_ctx=config.n_ctx,
        tools=config.tools,
        vision=config.vision,
        notes_in_user=config.notes_in_user,
        options=config.options,
        **_timeouts(config),
    )


def _hosted(name: str, config: HostedConfig, keys: Keys | None) -> Engine:
    from router.engines.hosted import HostedEngine

    return HostedEngine(
        config.model,
        name=name,
        api_key=_key(config.key, keys),
        key_name=config.key,
        api_base=config.api_base,
        window=config.window,
        vision=config.vision,
        prices=_prices(config),
        options=config.options,
        **_timeouts(config),
    )


def _command(name: str, config: CommandConfig) -> Engine:
    from router.engines.command import CommandEngine

    return CommandEngine(
        config.argv,
        name=name,
        model=config.model,
        output=config.output,
        local=config.local,
        window=config.window,
        timeout_s=config.timeout_s,
        environment=config.environment,
    )


def _scripted(name: str, config: ScriptedConfig) -> Engine:
    from router.engines.scripted import ScriptedEngine

    return ScriptedEngine(*config.replies, name=name)


def _none(render: Callable[[Request], str] | None) -> Engine:
    from router.engines.none import NoneEngine

    return NoneEngine(render) if render else NoneEngine()


def _key(name: str, keys: Keys | None) -> Callable[[], str] | str:
    return (lambda: keys.get(name)) if name and keys is not None else ""


def _prices(config: OpenAIHttpConfig | HostedConfig) -> tuple[float, float] | None:
    if config.price_in is None or config.price_out is None:
        return None
    return config.price_in, config.price_out


def _timeouts(config: _Timeouts) -> Mapping[str, float]:
    return {
        "connect_s": config.connect_s,
        "first_token_s": config.first_token_s,
        "between_tokens_s": config.between_tokens_s,
    }
