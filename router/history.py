"""History, kept neutral of any engine, compiled for the one that is asked.

Every turn is compiled anew, so a swap of engines never finds a conversation it cannot read: tool ids are
renumbered, calls that were never answered are answered, results without a call become text, roles alternate
where the target wants that, the system message is folded into the first user message where its template
refuses one, reasoning is left out, what an engine signed goes back to that engine and to no other, and what
does not fit the target's window is left out, oldest first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from router.errors import EngineFailed, FailureKind
from router.model import Message, Request, Role, ToolCall

Wire = dict[str, Any]  # a message in the chat-completions form

MESSAGE_TOKENS = 6  # role markers of one message; a template may take fewer
IMAGE_TOKENS = 1500  # what the larger providers count for a full-size one
CUT_MARK = " [interrupted]"
NO_RESULT = "No result was recorded for this call."


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the engine that is asked can read."""

    window: int  # tokens, prompt and answer together
    count: Callable[[str], int]  # the engine's own tokenizer
    tools: bool = True  # reads tool calls and results as such
    system: bool = True  # has a system role
    alternate: bool = False  # refuses two messages of one role in a row
    notes_in_user: bool = False  # small model: notes and question in one fixed shape
    vision: bool = False  # reads images
    engine: str = ""  # whose own signed thoughts are sent back to it; "" for an engine that knows none


# (context, question, answer): the same at every turn, so that a local model reads them once
EXAMPLES = (
    (
        "The shop is on Elm Street.\nTom drives a red van.\nThe report is due in April.",
        "What does Tom drive?",
        "Tom drives a red van.",
    ),
    (
        "Sara works at the library.\nThe dinner costs 40 dollars.\nThe train leaves at noon.",
        "How much does the dinner cost?",
        "The dinner costs 40 dollars.",
    ),
)


def examples() -> list[Message]:
    """Two exchanges that show a small model what is wanted of it."""
    out: list[Message] = []
    for notes, question, answer in EXAMPLES:
        out.append(Message(role=Role.USER, content=with_notes(question, notes, small=True)))
        out.append(Message(role=Role.ASSISTANT, content=answer))
    return out


def compile_history(request: Request, target: Target) -> list[Wire]:
    """The messages to send, notes placed, fitted to the window less the answer.

    Raises:
        EngineFailed: (overflow) the newest user message alone does not fit.
    """
    messages = [_files_told(message) for message in _answered(_speaking(request.messages))]
    messages = _renumbered(messages) if target.tools else [_as_text(message) for message in messages]
    messages = fit(messages, request, target)
    # before neighbours are joined: the notes belong to the last request, not to what stands before it
    messages = _with_notes(messages, request.notes, small=target.notes_in_user)
    if target.alternate or not target.tools:
        messages = _alternated(messages)
    if target.notes_in_user and request.notes.strip():
        head = sum(message.role is Role.SYSTEM for message in messages)
        messages = [*messages[:head], *examples(), *messages[head:]]
    if not target.system:
        messages = _system_folded(messages)
    return [_wire(message, target) for message in messages]


def estimate_tokens(text: str) -> int:
    """Tokens where the tokenizer is not known, on the careful side: one for three bytes of UTF-8.

    English has about four characters a token, Chinese and Japanese about one token a character.
    """
    return len(text.encode("utf-8", "replace")) // 3 + 1


def with_notes(question: str, notes: str, *, small: bool) -> str:
    """The user message that carries what the store contributed.

    Small models read notes only right before the question, as running text and without dates or marks
    (measured with SmolLM2 on 16 questions and two notes: 16 right in this shape, 13 to 15 with dates or
    bullets, 11 without the instruction). With two examples before it (EXAMPLES), on 20 other questions, the
    note that answers last: one note 20 right, two or three 19 (17 without the examples), four 14.
    """
    lines = [line.strip().removeprefix("- ") for line in notes.splitlines() if line.strip()]
    if not lines:
        return question
    if small:
        told = " ".join(line if line[-1] in ".!?" else f"{line}." for line in lines)
        return f"Context: {told}\n\nQuestion: {question}\n\nAnswer using only the context."
    return f"What is known that bears on this:\n{notes.strip()}\n\n{question}"


# ---- repairs


def _speaking(messages: Sequence[Message]) -> list[Message]:
    """Without messages that say nothing; an interrupted answer is marked as one."""
    out = []
    for message in messages:
        if message.partial and message.content.strip():
            message = replace(message, content=message.content.rstrip() + CUT_MARK, partial=False)
        if message.content.strip() or message.tool_calls or message.attachments:
            out.append(message)
    return out


def _files_told(message: Message) -> Message:
    """Text files as part of the content; images stay attachments; the rest is named only."""
    files = [part for part in message.attachments if not part.is_image] if message.attachments else None
    if not files:
        return message
    told = [message.content]
    for part in files:
        name = part.name or "file"
        if part.media_type.startswith("text/") or part.media_type == "application/json":
            told.append(f"File {name}:\n{part.data.decode('utf-8', 'replace')}\n(end of {name})")
        else:
            told.append(f"[{name}, {len(part.data)} bytes of {part.media_type}, cannot be shown]")
    images = tuple(part for part in message.attachments if part.is_image)
    return replace(message, content="\n\n".join(filter(None, told)), attachments=images)


def _any_calls(messages: Sequence[Message]) -> bool:
    """Most conversations have none, and are long."""
    return any(message.tool_calls or message.role is Role.TOOL for message in messages)


def _answered(messages: Sequence[Message]) -> list[Message]:
    """Every call followed by exactly one result; results that answer nothing become the user's text."""
    if not _any_calls(messages):
        return list(messages)
    out: list[Message] = []
    waiting: dict[str, ToolCall] = {}
    strays: list[Message] = []  # told after the call's own results, which nothing may come between

    def close() -> None:
        for call in waiting.values():
            out.append(Message(role=Role.TOOL, content=NO_RESULT, tool_call_id=call.id))
        waiting.clear()
        out.extend(strays)
        strays.clear()

    for message in messages:
        if message.role is Role.TOOL:
            if message.tool_call_id in waiting:
                del waiting[message.tool_call_id]
                out.append(message)
            else:
                strays.append(Message(role=Role.USER, content=f"[a tool's result] {message.content}"))
            continue
        close()
        out.append(message)
        waiting = {call.id: call for call in message.tool_calls}
    close()
    return out


def _renumbered(messages: Sequence[Message]) -> list[Message]:
    """Tool ids in nine letters and digits, in order: the strictest provider takes these."""
    if not _any_calls(messages):
        return list(messages)
    out: list[Message] = []
    known: dict[str, str] = {}
    count = 0
    for message in messages:
        if message.tool_calls:
            known = {}
            for call in message.tool_calls:
                count += 1
                known[call.id] = f"call{count:05d}"
            calls = tuple(
                replace(call, id=known[call.id], arguments=_json_object(call.arguments))
                for call in message.tool_calls
            )
            message = replace(message, tool_calls=calls)
        elif message.role is Role.TOOL and message.tool_call_id:
            message = replace(message, tool_call_id=known[message.tool_call_id])
        out.append(message)
    return out


def _json_object(arguments: str) -> str:
    """Arguments that a provider will parse; what is no JSON object is kept under one key."""
    try:
        parsed = json.loads(arguments or "{}")
    except ValueError:
        parsed = arguments
    return (
        arguments
        if isinstance(parsed, dict) and arguments
        else json.dumps(parsed if isinstance(parsed, dict) else {"value": parsed})
    )


def _as_text(message: Message) -> Message:
    """Calls and results told in words, for a target that knows no tools."""
    if message.role is Role.TOOL:
        return Message(role=Role.USER, content=f"[a tool's result] {message.content}")
    if not message.tool_calls:
        return message
    told = "\n".join(f"[used the tool {call.name} with {call.arguments}]" for call in message.tool_calls)
    return replace(message, content=f"{message.content}\n{told}".strip(), tool_calls=())


def _alternated(messages: Sequence[Message]) -> list[Message]:
    """System first, then user and assistant in turn: neighbours of one role are joined."""
    system = [message.content for message in messages if message.role is Role.SYSTEM]
    out: list[Message] = []
    for message in messages:
        if message.role is Role.SYSTEM:
            continue
        joins = out and out[-1].role is message.role and message.role in (Role.USER, Role.ASSISTANT)
        if joins and not (message.tool_calls or out[-1].tool_calls):
            out[-1] = replace(
                out[-1],
                content=f"{out[-1].content}\n\n{message.content}",
                attachments=out[-1].attachments + message.attachments,
            )
        else:
            out.append(message)
    while out and out[0].role is not Role.USER:
        del out[0]
    head = [Message(role=Role.SYSTEM, content="\n\n".join(system))] if system else []
    return head + out


def _system_folded(messages: Sequence[Message]) -> list[Message]:
    """The system text in front of the first user message."""
    system = "\n\n".join(message.content for message in messages if message.role is Role.SYSTEM)
    rest = [message for message in messages if message.role is not Role.SYSTEM]
    if not system:
        return rest
    for index, message in enumerate(rest):
        if message.role is Role.USER:
            rest[index] = replace(message, content=f"{system}\n\n{message.content}")
            return rest
    return [Message(role=Role.USER, content=system), *rest]


# ---- the window


def fit(messages: list[Message], request: Request, target: Target) -> list[Message]:
    """The system messages and the newest of the rest that the window holds; a call stays with its results.

    Raises:
        EngineFailed: (overflow) the newest turn alone does not fit.
    """
    room = target.window - reserve(request, target) - MESSAGE_TOKENS
    notes = with_notes("", request.notes, small=target.notes_in_user)
    room -= target.count(notes) if notes else 0
    if notes and target.notes_in_user:
        room -= sum(_tokens(message, target) for message in examples())
    for tool in request.tools:
        room -= target.count(f"{tool.name} {tool.description} {json.dumps(dict(tool.parameters))}")
    system = [message for message in messages if message.role is Role.SYSTEM]
    room -= sum(_tokens(message, target) for message in system)
    blocks = _blocks([message for message in messages if message.role is not Role.SYSTEM])
    kept: list[list[Message]] = []
    for block in reversed(blocks):
        size = _tokens(block[0], target) + sum(_tokens(message, target) for message in block[1:])
        if size > room:
            break
        room -= size
        kept.append(block)
    if blocks and not kept:
        raise EngineFailed(
            f"the request does not fit this engine's window of {target.window} tokens",
            kind=FailureKind.OVERFLOW,
        )
    kept.reverse()
    # a conversation that starts with an answer confuses every template: begin with the operator
    while len(kept) > 1 and kept[0][0].role is not Role.USER and len(kept) < len(blocks):
        del kept[0]
    return system + [message for block in kept for message in block]


def reserve(request: Request, target: Target) -> int:
    """Tokens kept free for the answer: what was asked for, at most a quarter of the window."""
    return min(request.max_tokens, target.window // 4)


def answer_tokens(messages: Sequence[Wire], request: Request, target: Target) -> int:
    """How long the answer to compiled `messages` may be, for servers that refuse more than the window."""
    used = sum(target.count(str(message["content"])) + MESSAGE_TOKENS for message in messages)
    return min(request.max_tokens, max(target.window - used, reserve(request, target)))


def _tokens(message: Message, target: Target) -> int:
    tokens = target.count(message.content) + MESSAGE_TOKENS
    if message.tool_calls:
        tokens += sum(target.count(f"{call.name} {call.arguments}") for call in message.tool_calls)
    if message.attachments and target.vision:
        tokens += IMAGE_TOKENS * len(message.attachments)
    return tokens


def _blocks(messages: Sequence[Message]) -> list[list[Message]]:
    """Messages in groups that may only be left out together."""
    out: list[list[Message]] = []
    for message in messages:
        if message.role is Role.TOOL and out:
            out[-1].append(message)
        else:
            out.append([message])
    return out


# ---- the wire


def _with_notes(messages: list[Message], notes: str, *, small: bool) -> list[Message]:
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.role is Role.USER:
            told = replace(message, content=with_notes(message.content, notes, small=small))
            return [*messages[:index], told, *messages[index + 1 :]]
    return messages


def _wire(message: Message, target: Target) -> Wire:
    wire: Wire = {"role": str(message.role), "content": message.content}
    images = [part for part in message.attachments if part.is_image] if target.vision else []
    if images:
        parts = [{"type": "image_url", "image_url": {"url": part.data_url()}} for part in images]
        wire["content"] = [{"type": "text", "text": message.content}, *parts]
    own = bool(target.engine) and message.engine == target.engine
    if message.tool_calls:
        wire["tool_calls"] = [_wire_call(call, signed=own) for call in message.tool_calls]
    if own and message.signed:
        wire["thinking_blocks"] = json.loads(message.signed)
    if message.role is Role.TOOL:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _wire_call(call: ToolCall, *, signed: bool) -> Wire:
    function = {"name": call.name, "arguments": call.arguments}
    wire: Wire = {"id": call.id, "type": "function", "function": function}
    if signed and call.signed:
        wire["provider_specific_fields"] = json.loads(call.signed)
    return wire
