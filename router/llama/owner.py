"""The one owner of a loaded model: chat, token counts, embeddings. Runs in the worker only.

Uses llama.cpp through llama-cpp-python below its chat API, because that API drops bytes of a character cut
between two tokens, takes llama-2's template for a model without one, and ignores a JSON schema given in
OpenAI's form.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from router.llama import grammar as gbnf
from router.llama.embedding import EmbeddingModel
from router.llama.frames import Frame
from router.llama.text import LoopWatcher, Pacer, StopWatcher, Utf8Joiner, defuse

PREFILL_TOKENS = 64  # a cancellation is noticed after at most this many prompt tokens
MIN_ANSWER_TOKENS = 8
SAMPLING = ("top_k", "top_p", "min_p", "repeat_penalty", "frequency_penalty", "presence_penalty")
_CONTROL = 1 << 3  # LLAMA_TOKEN_ATTR_CONTROL


class Unusable(Exception):
    """The model cannot do what is asked; the message is for the operator."""


class Overflow(Exception):
    """The prompt does not fit the window."""


class Emit(Protocol):
    def __call__(self, event: str, binary: bytes | None = None, **fields: Any) -> None: ...


class Owner(Protocol):
    def facts(self) -> dict[str, Any]: ...

    def handle(self, request: Frame, *, emit: Emit, cancelled: Callable[[], bool]) -> None: ...


def load(spec: Frame) -> Owner:
    """The model of a `load` frame: {path, kind: "chat" | "embed", n_ctx, n_threads, lora, template}.

    Raises:
        Unusable: no such file, not a GGUF, a damaged one, or one of another kind than asked for.
    """
    path = Path(spec["path"])
    if not path.is_file():
        raise Unusable(f"there is no model file {path}")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise Unusable(f"{path.name} is not a GGUF file")
    try:
        return EmbeddingModel(spec) if spec["kind"] == "embed" else ChatModel(spec)
    except (ValueError, RuntimeError, OSError) as error:
        raise Unusable(f"{path.name} cannot be loaded: {error}") from error


@dataclass(slots=True)
class Work:
    """What the model really did: `evaluated` tokens since it was loaded, prompts and answers together, and of
    the last answer its prompt, how much of that was `reused`, what was `written`, and how it ended."""

    evaluated: int = 0
    answers: int = 0
    prompt: int = 0
    reused: int = 0
    written: int = 0
    reason: str = ""


class ChatModel:
    """A generative model with its own chat template, prefix kept between requests."""

    def __init__(self, spec: Frame) -> None:
        import llama_cpp

        self._lib = llama_cpp
        self._llm = llama_cpp.Llama(
            spec["path"],
            n_ctx=spec["n_ctx"],
            n_threads=spec["n_threads"],
            n_threads_batch=spec["n_threads"],
            lora_path=spec.get("lora"),
            verbose=False,
        )
        self._work = Work()
        self._count_evaluated()
        vocab = llama_cpp.llama_model_get_vocab(self._llm.model)
        if vocab is None:
            raise ValueError("it has no vocabulary")
        self._vocab = vocab
        self._template: str | None = spec.get("template") or self._llm.metadata.get("tokenizer.chat_template")
        self._formatter = None
        if self._template:
            from llama_cpp.llama_chat_format import Jinja2ChatFormatter

            self._formatter = Jinja2ChatFormatter(
                self._template,
                eos_token=self._piece(self._llm.token_eos()),
                bos_token=self._piece(self._llm.token_bos()),
            )
        self._special = self._control_tokens()

    def facts(self) -> dict[str, Any]:
        """Window in tokens, whether there is a chat template, and the model's own name."""
        metadata = self._llm.metadata
        return {
            "window": self._llm.n_ctx(),
            "trained_window": int(self._lib.llama_model_n_ctx_train(self._llm.model)),
            "template": self._template,
            "name": metadata.get("general.name", ""),
            "architecture": metadata.get("general.architecture", ""),
        }

    def handle(self, request: Frame, *, emit: Emit, cancelled: Callable[[], bool]) -> None:
        """Answer one request frame: `chat`, `count`, `render`, `warm` (read a beginning ahead), `work`."""
        match request["op"]:
            case "count":
                counts = [len(self._tokens(text, special=False)) for text in request["texts"]]
                emit("counts", counts=counts)
            case "render":
                emit("prompt", prompt=self._prompt(request))
            case "work":
                emit("work", **asdict(self._work))
            case "warm":
                tokens = self._tokens(self._prompt(request), special=True)
                if len(tokens) < self._llm.n_ctx() and self._read(tokens, cancelled):
                    next(iter(self._llm.generate(tokens, temp=0.0)))
                emit("warmed", tokens=len(tokens))
            case "chat":
                self._chat(request, emit, cancelled)
            case other:
                raise Unusable(f"a language model cannot do {other!r}")

    # ---- one answer

    def _chat(self, request: Frame, emit: Emit, cancelled: Callable[[], bool]) -> None:
        tokens = self._tokens(self._prompt(request), special=True)
        room = self._llm.n_ctx() - len(tokens)
        if room < min(MIN_ANSWER_TOKENS, request["max_tokens"]):
            raise Overflow(
                f"the request has {len(tokens)} tokens; the window of this model is {self._llm.n_ctx()}"
            )
        budget = min(request["max_tokens"], room)
        work = self._work
        work.answers, work.prompt, work.reused = work.answers + 1, len(tokens), self._shared(tokens)
        joiner, stops = Utf8Joiner(), StopWatcher(tuple(request["stop"]))
        paced = Pacer(lambda text: emit("text", text=text))
        written, reason = 0, "length"
        # a grammar may ask for repetition; what it allows is no loop
        loop = LoopWatcher() if request.get("grammar") is None and request.get("schema") is None else None
        for token in self._generate(tokens, request, cancelled, emit):
            if token is None:
                reason = "cancelled"
                break
            if self._lib.llama_vocab_is_eog(self._vocab, token):
                reason = "stop"
                break
            written += 1
            text = stops.feed(joiner.feed(self._llm.detokenize([token])))
            if text:
                paced.feed(text)
                if loop is not None:
                    loop.feed(text)
            if stops.hit or (loop is not None and loop.looping):
                reason = "stop"
                break
            if written >= budget:
                break
        rest = "" if stops.hit or reason == "cancelled" else stops.flush(joiner.flush())
        paced.feed(rest)
        paced.flush()
        work.written, work.reason = written, reason
        emit("done", reason=reason, tokens_in=len(tokens), tokens_out=written)

    def _count_evaluated(self) -> None:
        """Let every pass through the model be counted: what a prefix saved shows only here."""
        evaluate = self._llm.eval

        def counted(tokens: list[int]) -> None:
            self._work.evaluated += len(tokens)
            evaluate(tokens)

        setattr(self._llm, "eval", counted)  # noqa: B010  its own generate() finds it there

    def _generate(
        self, tokens: list[int], request: Frame, cancelled: Callable[[], bool], emit: Emit
    ) -> Iterator[int | None]:
        """Token ids until the caller stops; None once when the request was cancelled."""
        llm = self._llm
        if not self._read(tokens, cancelled, emit):
            yield None
            return
        llm.set_seed(request["seed"] if request["seed"] is not None else secrets.randbits(31))
        options = {name: request["sampling"][name] for name in SAMPLING if name in request["sampling"]}
        grammar = self._grammar(request)
        for token in llm.generate(tokens, temp=request["temperature"], grammar=grammar, **options):
            if cancelled():
                yield None
                return
            yield token

    def _grammar(self, request: Frame) -> Any:
        text = request.get("grammar")
        if request.get("schema") is not None:
            text = gbnf.of_schema(request["schema"])
        elif text is not None:
            gbnf.check(text)
        return self._lib.LlamaGrammar.from_string(text) if text is not None else None

    def _read(self, tokens: list[int], cancelled: Callable[[], bool], emit: Emit | None = None) -> bool:
        """Read all but the last piece of a prompt; False when the request was cancelled meanwhile.

        `emit` is told after each piece: a large model that takes minutes over a long prompt has not stalled.
        """
        # piecewise, so that a long prompt can be cancelled; each piece finds the one before as its prefix
        for end in range(self._shared(tokens) + PREFILL_TOKENS, len(tokens), PREFILL_TOKENS):
            if cancelled():
                return False
            next(iter(self._llm.generate(tokens[:end], temp=0.0)))
            if emit is not None:
                emit("reading", tokens=end)
        return True

    def _shared(self, tokens: list[int]) -> int:
        """How many leading tokens the model has already read."""
        known = self._llm.input_ids[: self._llm.n_tokens]
        shared = 0
        for have, want in zip(known, tokens, strict=False):
            if have != want:
                break
            shared += 1
        return shared

    def _prompt(self, request: Frame) -> str:
        if self._formatter is None:
            raise Unusable(
                "this model has no chat template: it is a base model, which continues text and cannot hold a "
                "conversation; take its instruct version or set `template` for the engine"
            )
        day = request.get("day") or ""
        # a template that prints today's date would make the same request another one tomorrow
        setattr(self._formatter, "strftime_now", lambda _format: day)  # noqa: B010
        messages = [self._defused(message) for message in request["messages"]]
        tools = request.get("tools") or None
        try:
            return self._formatter(messages=messages, tools=tools).prompt
        except Exception as error:
            raise ValueError(f"the model's chat template refused the conversation: {error}") from error

    def _defused(self, message: Any) -> Any:
        return {**message, "content": defuse(message.get("content") or "", self._special)}

    # ---- tokens

    def _tokens(self, text: str, *, special: bool) -> list[int]:
        # surrogates cannot be encoded: a replacement character is what a terminal would show for them
        return self._llm.tokenize(text.encode("utf-8", "replace"), add_bos=special, special=special)

    def _piece(self, token: int) -> str:
        if token < 0:
            return ""
        return self._lib.llama_vocab_get_text(self._vocab, token).decode("utf-8", "replace")

    def _control_tokens(self) -> tuple[str, ...]:
        lib, vocab = self._lib, self._vocab
        count = lib.llama_vocab_n_tokens(vocab)
        found = (token for token in range(count) if lib.llama_vocab_get_attr(vocab, token) & _CONTROL)
        return tuple(text for token in found if len(text := self._piece(token)) > 2)
