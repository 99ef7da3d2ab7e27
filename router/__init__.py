"""Who speaks: engines, selection, failover, content-addressed cache, ledger.

Importing this loads none of httpx, litellm, llama_cpp: names are looked up when they are used (PEP 562).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from router.cache import Cache
    from router.config import EngineConfig, RouterConfig, load_config
    from router.embedding import LlamaEmbedder
    from router.errors import BadRequest, EngineFailed, ModelMissing, RouterError, UnknownEngine
    from router.ledger import Ledger
    from router.model import (
        Attachment,
        Capabilities,
        End,
        Engine,
        Event,
        Failed,
        Message,
        Reasoning,
        Request,
        Role,
        Start,
        Switched,
        Text,
        ToolCall,
        ToolDelta,
        ToolSpec,
        Usage,
    )
    from router.routing import EngineStatus, Router
    from router.transformer_models import TransformerEmbedder, TransformerReranker

_HOMES = {
    "router.cache": ("Cache",),
    "router.config": ("EngineConfig", "RouterConfig", "load_config"),
    "router.embedding": ("LlamaEmbedder",),
    "router.errors": ("BadRequest", "EngineFailed", "ModelMissing", "RouterError", "UnknownEngine"),
    "router.ledger": ("Ledger",),
    "router.model": (
        "Attachment", "Capabilities", "End", "Engine", "Event", "Failed", "Message", "Reasoning", "Request",
        "Role", "Start", "Switched", "Text", "ToolCall", "ToolDelta", "ToolSpec", "Usage",
    ),
    "router.routing": ("EngineStatus", "Router"),
    "router.transformer_models": ("TransformerEmbedder", "TransformerReranker"),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Attachment",
    "BadRequest",
    "Cache",
    "Capabilities",
    "End",
    "Engine",
    "EngineConfig",
    "EngineFailed",
    "EngineStatus",
    "Event",
    "Failed",
    "Ledger",
    "LlamaEmbedder",
    "Message",
    "ModelMissing",
    "Reasoning",
    "Request",
    "Role",
    "Router",
    "RouterConfig",
    "RouterError",
    "Start",
    "Switched",
    "Text",
    "ToolCall",
    "ToolDelta",
    "ToolSpec",
    "TransformerEmbedder",
    "TransformerReranker",
    "UnknownEngine",
    "Usage",
    "load_config",
]


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'router' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted(__all__)
