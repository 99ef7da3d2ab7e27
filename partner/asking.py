"""What one reply is asked for, and the request that each engine would get for it.

A context is compiled for the engine that reads it: one with a small window, or of the kind that reads a
single note beside a question, is asked in its own way also when it takes over from another in mid-turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from partner.context import Context, Limits, Parts, compile_for
from partner.tags import NOTHING, Tags
from router.errors import RouterError
from router.model import Attachment, Message, Request

if TYPE_CHECKING:
    from partner.tools.toolbox import Toolbox
    from router import Router
    from store.model import Engram


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What one reply is asked for. `order` are the engines to ask, the wanted one first.

    `only` lets no other than the wanted one answer. `utterance` is the operator's message as it was
    kept. `told` are the tags of what it settles, `turn_tags` those of each of the `turns`.
    """

    text: str
    at: datetime
    parts: Parts
    turns: Sequence[Message]
    pin: str | None
    order: Sequence[str]
    transcript_tokens: int
    told: Tags = NOTHING
    turn_tags: Sequence[Tags] = ()
    only: bool = False
    attachments: tuple[Attachment, ...] = ()
    utterance: Engram | None = None


class Requests:
    """Calling it with an engine's name gives the request for that engine. Compiled once an engine.

    `add` puts the calls of an answer and their results behind each; `offering` False takes the tools away.
    """

    def __init__(
        self,
        asking: Asking,
        router: Router,
        limits: Limits,
        toolbox: Toolbox | None,
    ) -> None:
        self._asking = asking
        self._router = router
        self._limits = limits
        self._toolbox = toolbox
        self._contexts: dict[str, Context] = {}
        self._added: tuple[Message, ...] = ()
        self._added_tags = NOTHING
        self.offering = True

    def __call__(self, name: str) -> Request:
        """Raises RouterError for an engine that cannot be had."""
        request = self.context(name).request
        capabilities = self._router.capabilities(name)
        if self._asking.attachments:
            last = replace(request.messages[-1], attachments=self._asking.attachments)
            request = replace(request, messages=(*request.messages[:-1], last))
        # an engine of the kind that reads one note at a time makes nothing of a list of tools
        able = capabilities.tools and not capabilities.notes_in_user
        if self._toolbox is not None and self.offering and able:
            request = replace(request, tools=self._toolbox.specs())
        if self._added:
            messages = (*request.messages, *self._added)
            request = replace(request, messages=messages, tags=request.tags | self._added_tags)
        return request

    def add(self, messages: Sequence[Message], tags: Tags) -> None:
        self._added += tuple(messages)
        self._added_tags |= tags

    def context(self, name: str) -> Context:
        """What was gathered, fitted to that engine, without what the turn has added since."""
        known = self._contexts.get(name)
        if known is None:
            known = self._contexts[name] = compile_for(
                self._asking.parts,
                self._asking.text,
                self._asking.turns,
                capabilities=self._router.capabilities(name),
                count=lambda text: self._router.count_tokens(name, text),
                limits=self._limits,
                told=self._asking.told,
                turn_tags=self._asking.turn_tags,
            )
        return known

    def shown(self, name: str) -> Context | None:
        """The context of an answer. One from the cache may bear the name of an engine that is no longer."""
        try:
            return self.context(name)
        except RouterError:
            return next(iter(self._contexts.values()), None)
