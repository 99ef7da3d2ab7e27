"""Tools for models that know them only as text: told in the prompt, parsed out of the answer by us.

The form is the one that Hermes, Qwen and SmolLM2 were trained on: `<tool_call>{"name":..,"arguments":..}
</tool_call>` from the model, `<tool_response>` back to it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from router.model import Event, Text, ToolCall, ToolDelta, ToolSpec

OPEN, CLOSE = "<tool_call>", "</tool_call>"

Wire = dict[str, Any]


def told(messages: Sequence[Wire], tools: Sequence[ToolSpec]) -> list[Wire]:
    """Messages with calls, results and the tools themselves as text, roles still alternating."""
    out: list[Wire] = []
    for message in messages:
        role, content = message["role"], message["content"]
        if message.get("tool_calls"):
            calls = (call["function"] for call in message["tool_calls"])
            spelled = [f"{OPEN}\n{_spell(call['name'], call['arguments'])}\n{CLOSE}" for call in calls]
            content = "\n".join(part for part in (content, *spelled) if part)
        elif role == "tool":
            role, content = "user", f"<tool_response>\n{content}\n</tool_response>"
        if out and out[-1]["role"] == role:
            out[-1] = {"role": role, "content": f"{out[-1]['content']}\n\n{content}"}
        else:
            out.append({"role": role, "content": content})
    if tools:
        offer = _offer(tools)
        if out and out[0]["role"] == "system":
            out[0] = {"role": "system", "content": f"{out[0]['content']}\n\n{offer}"}
        else:
            out.insert(0, {"role": "system", "content": offer})
    return out


def _spell(name: str, arguments: str) -> str:
    return json.dumps({"name": name, "arguments": json.loads(arguments or "{}")}, ensure_ascii=False)


def _offer(tools: Sequence[ToolSpec]) -> str:
    lines = [
        json.dumps(
            {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            ensure_ascii=False,
        )
        for tool in tools
    ]
    return (
        "You may call these tools:\n<tools>\n" + "\n".join(lines) + "\n</tools>\n"
        f'To call one, answer with {OPEN}{{"name": <tool name>, "arguments": <object>}}{CLOSE} '
        "and nothing else."
    )


class Parser:
    """Splits a stream of text into text events and tool calls; what only looks like a call stays text."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._held = ""
        self.made = 0

    def feed(self, text: str) -> list[Event]:
        if not self._enabled:
            return [Text(text=text)] if text else []
        self._held += text
        out: list[Event] = []
        while True:
            start = self._held.find(OPEN)
            if start < 0:
                keep = _partial(self._held)
                self._emit(out, self._held[: len(self._held) - keep])
                self._held = self._held[len(self._held) - keep :]
                return out
            end = self._held.find(CLOSE, start)
            if end < 0:
                self._emit(out, self._held[:start])
                self._held = self._held[start:]
                return out
            self._emit(out, self._held[:start])
            self._call(out, self._held[start + len(OPEN) : end], self._held[start : end + len(CLOSE)])
            self._held = self._held[end + len(CLOSE) :]

    def flush(self) -> list[Event]:
        """The rest; a call whose closing tag never came is still one when its JSON is whole."""
        rest, self._held = self._held, ""
        out: list[Event] = []
        if rest.startswith(OPEN):
            self._call(out, rest[len(OPEN) :], rest)
        else:
            self._emit(out, rest)
        return out

    def _call(self, out: list[Event], body: str, whole: str) -> None:
        try:
            parsed = json.loads(body)
            name, arguments = parsed["name"], parsed.get("arguments", {})
        except (ValueError, KeyError, TypeError):
            self._emit(out, whole)
            return
        if not isinstance(name, str) or not isinstance(arguments, dict):
            self._emit(out, whole)
            return
        self.made += 1
        text = json.dumps(arguments, ensure_ascii=False)
        out.append(ToolDelta(call=ToolCall(id=f"call{self.made:05d}", name=name, arguments=text)))

    @staticmethod
    def _emit(out: list[Event], text: str) -> None:
        if text:
            out.append(Text(text=text))


def _partial(text: str) -> int:
    """Length of the end of `text` that may be the start of an opening tag."""
    for size in range(min(len(OPEN) - 1, len(text)), 0, -1):
        if text.endswith(OPEN[:size]):
            return size
    return 0
