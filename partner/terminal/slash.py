"""The slash commands of a conversation. One table; terminal and pipe share it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from partner.cli.boundary import explain
from partner.context import note_line
from partner.errors import UsageError
from partner.events import Clarify, Formed
from partner.terminal.lines import (
    approval_line,
    engram_line,
    formed_line,
    inbox_line,
    quiet_line,
    rule_lines,
    undone_line,
)
from partner.terminal.render import brief_text, cost_text, engines_text, verdict_reasons, why_text
from partner.undoing import undoes

if TYPE_CHECKING:
    from partner.operations import Partner


# Names of commands that are no message by themselves, as 'why' and 'forbid' may be.
BARE = frozenset({"undo", "inbox", "brief", "context", "retract", "attach", "ingest", "recall", "history"})


WITHOUT_STORE = frozenset({"help", "exit", "model", "cost"})


class Leave(Exception):
    """The operator wants to go."""


@dataclass(frozen=True, slots=True)
class Entry:
    usage: str
    says: str
    run: Callable[[Commands, str], None]


class Commands:
    """Runs slash commands against an opened partner; `write` shows a line or several."""

    def __init__(self, partner: Partner, *, write: Callable[[str], None]) -> None:
        self.partner = partner
        self.write = write

    @staticmethod
    def names() -> list[str]:
        return [f"/{name}" for name in TABLE]

    def knows(self, text: str) -> bool:
        """Whether the words are meant as a command: a path such as /etc/hosts is not."""
        word = text.split(maxsplit=1)[0][1:]
        return word in TABLE or "/" not in word

    def meant(self, text: str) -> bool:
        """Deal with the name of a command said without its slash; False for every other message.

        Who says 'exit' wants to go, and 'help' does no harm; the others are asked about.
        """
        word = text.strip().casefold()
        if word in ("exit", "quit", "help"):
            self.run("/help" if word == "help" else "/exit")
        elif word in BARE:
            self.write(f"Did you mean /{word}? Commands begin with a slash; /help lists them.")
        else:
            return False
        return True

    def run(self, text: str) -> None:
        """Run one command. Mistakes are said and leave the conversation where it was; Leave passes."""
        word, _, rest = text.strip()[1:].partition(" ")
        entry = TABLE.get(word)
        if entry is None:
            near = [f"Did you mean /{one}?" for one in get_close_matches(word, TABLE, n=1)]
            self.write(" ".join([f"! There is no command /{word}.", *near, "See /help"]))
            return
        try:
            if not rest.strip() and entry.usage == f"/{word} WORDS":
                raise UsageError(f"{entry.usage}: {entry.says}")
            if word not in WITHOUT_STORE:
                self.partner.presence.check()
            entry.run(self, rest.strip())
        except Leave:
            raise
        except Exception as error:  # noqa: BLE001 - a slip in a command must not end the conversation
            self.write(f"! {explain(error)[1]}")


def _help(c: Commands, _: str) -> None:
    width = max(len(entry.usage) for entry in TABLE.values()) + 2
    longest = width + 2 + max(len(entry.says) for entry in TABLE.values())
    gap = "" if longest <= get_terminal_size((longest, 24)).columns else "\n      "  # a narrow window
    lines: list[str] = []
    for title, names in GROUPS.items():
        lines.append(title)
        for entry in map(TABLE.__getitem__, names):
            lines.append(
                f"  {entry.usage}{gap}{entry.says}" if gap else f"  {entry.usage:<{width}}{entry.says}"
            )
    c.write("\n".join([*lines, KEYS]))


def _model(c: Commands, name: str) -> None:
    if not name:
        c.write(engines_text(c.partner))
        return
    chosen = c.partner.use_engine(name)
    c.partner.prepare()
    c.write(f"Answers come from {chosen} now. What is known stays what it is.")


def _written(c: Commands, events: list[Formed | Clarify]) -> None:
    for event in events:
        c.write(quiet_line(event))
    _note(c, *(event for event in events if isinstance(event, Formed)))


def _note(c: Commands, *events: Formed) -> None:
    """Keep what a command wrote, for /undo."""
    if events:
        c.partner.session.written.append(events)


def _remember(c: Commands, text: str) -> None:
    _written(c, c.partner.remember(text))


def _aim(c: Commands, text: str) -> None:
    _written(c, c.partner.aim(text))


def _forbid(c: Commands, text: str) -> None:
    from partner.rules import forbid_each

    found = forbid_each(c.partner, text)
    _note(c, *(rule.event for rule in found))
    c.write("\n".join(map(rule_lines, found)))


def _approve(c: Commands, text: str) -> None:
    if not text:
        raise UsageError("What is permitted? /approve WORDS, or /approve ANA: WORDS for somebody else's word")
    engram = c.partner.approve(text)
    _note(c, Formed(engram=engram, change="new"))
    c.write(approval_line(engram))


def _recall(c: Commands, query: str) -> None:
    hits = c.partner.recall(query)
    c.write("\n".join(engram_line(hit.engram) for hit in hits) or "Nothing I remember bears on this.")


def _why(c: Commands, ref: str) -> None:
    if not ref and c.partner.session.last_verdict is not None:
        c.write(verdict_reasons(c.partner.session.last_verdict))
        return
    if not ref:
        reply = c.partner.session.last_reply
        if reply is None:
            raise UsageError("Nothing was answered yet. /why ID explains an engram.")
        if reply.engram is None:
            raise UsageError("The last answer was made of the notes themselves, with their ids beside them.")
        ref = reply.engram.id
    c.write(why_text(c.partner.why(ref)))


def _brief(c: Commands, scope: str) -> None:
    c.write(brief_text(c.partner.brief(scope or None)))


def _retract(c: Commands, rest: str) -> None:
    ref, _, reason = rest.partition(" ")
    if not ref:
        raise UsageError("Which one? /retract ID [why]. /history and /recall show ids.")
    event = c.partner.retract(ref, reason=reason.strip())
    _note(c, event)
    c.write(formed_line(event))


def _inbox(c: Commands, rest: str) -> None:
    verb, _, more = rest.partition(" ")
    ref, _, text = more.strip().partition(" ")
    if not verb:
        waiting = c.partner.inbox()
        c.write("\n".join(map(inbox_line, waiting)) or "Nothing waits in the inbox.")
        return
    if verb not in ("accept", "edit", "discard") or not ref or (verb == "edit" and not text.strip()):
        raise UsageError("/inbox, /inbox accept ID, /inbox edit ID WORDS, or /inbox discard ID [WHY]")
    if verb == "discard":
        event = c.partner.discard(ref, reason=text.strip())
    else:
        event = c.partner.accept(ref, text=text.strip() if verb == "edit" else None)
    _note(c, event)
    c.write(formed_line(event))


def _context(c: Commands, _: str) -> None:
    context = c.partner.session.last_context
    if context is None:
        raise UsageError("No engine was asked yet in this conversation.")
    held = c.partner.store.statuses([engram.id for engram in context.engrams])
    ended = [engram.id for engram in context.engrams if not held[engram.id].holds]
    lines = [f"{note_line(e)}{' (it held before)' if e.id in ended else ''}" for e in context.engrams]
    lines = lines or ["(no engrams)"]
    c.write("\n".join([f"In the last context, {context.tokens} tokens:", *lines]))


def _cost(c: Commands, _: str) -> None:
    session = c.partner.session
    sent, whole = session.tokens_sent, session.transcript_tokens
    c.write(
        f"Sent in this conversation: {sent:,} tokens, with what memory added; all that was ever said here, "
        f"sent along each time, would have been about {whole:,}."
    )
    if c.partner.router is not None:
        c.write("In all conversations, by the engines' own count (their templates and examples included):")
        c.write(cost_text(c.partner))


def _undo(c: Commands, _: str) -> None:
    undone = c.partner.undo()
    lines = [undone_line(entry, c.partner.store.read(undoes(entry))) for entry in undone]
    c.write("\n".join(["Undone:", *lines]) if undone else "There is nothing to undo.")


def _history(c: Commands, ref: str) -> None:
    if ref:
        chain = c.partner.store.history(ref)
        holds = {e.id: c.partner.store.status(e.id).holds for e in chain}
        c.write("\n".join(engram_line(e, struck=not holds[e.id], written=True) for e in chain))
        return
    entries = list(c.partner.store.log(newest_first=True, limit=20))
    lines = [engram_line(engram, written=True) for engram in reversed(entries)]
    c.write("\n".join(lines) or "Nothing was said yet.")


def _attach(c: Commands, name: str) -> None:
    if not name:
        raise UsageError("Which file? /attach FILE sends it with your next message.")
    read = c.partner.attach(Path(name))
    more = "" if read.whole else " (a part of it)"
    c.write(
        f"{read.path.name}{more} goes with your next message: {len(read.data):,} bytes, "
        f"sha256 {read.sha256[:12]}."
    )


def _ingest(c: Commands, name: str) -> None:
    from partner.documents import ingest

    if not name:
        raise UsageError("Which file? /ingest FILE remembers what it says; /attach FILE only sends it.")
    done = ingest(c.partner, Path(name))
    _note(c, *done.written, *done.gone)
    c.write(f"! {done.warning}\n{done.line}" if done.warning else done.line)


def _rule(c: Commands, ref: str) -> None:
    from partner import rules
    from partner.names import short

    word, _, rest = ref.partition(" ")
    words = rest.strip()
    verb, _, said = words.partition(" ")
    if not ref:
        found = rules.views(c.partner)
        c.write("\n".join(map(rules.text, found)) or "Nothing is forbidden. /forbid WORDS forbids something.")
    elif word == "forget":
        taken = rules.forget(c.partner, words)
        c.write(f"- {short(taken.id)} {taken.content}")
    elif not words:
        c.write(rules.text(rules.view(c.partner, ref)))
    elif verb in ("also", "means", "not") and said.strip():
        if verb == "also":
            rules.add_name(c.partner, word, said)
        else:
            rules.add_meaning(c.partner, word, said, means=verb == "means")
        c.write(rules.text(rules.view(c.partner, word)))
    else:
        raise UsageError("/rule [ID [also NAME | means REQUEST | not REQUEST]] · /rule forget ID")


def _exit(c: Commands, _: str) -> None:
    raise Leave


GROUPS = {
    "Write down": ("remember", "forbid", "aim", "ingest", "inbox"),
    "Look": ("recall", "brief", "why", "history", "context", "rule"),
    "Take back": ("undo", "retract", "approve"),
    "Answers": ("model", "attach", "cost", "help", "exit"),
}
KEYS = (
    "Keys: Tab completes a command, an engine, a file · Ctrl-R searches what you said · Alt-Enter, or \\ "
    "before Enter, begins a new line"
)
TABLE: dict[str, Entry] = {
    "help": Entry("/help", "this list", _help),
    "model": Entry("/model [NAME]", "the engines, or answer with another one ('none' for none)", _model),
    "remember": Entry("/remember WORDS", "write down what the words settle", _remember),
    "forbid": Entry("/forbid WORDS", "write a rule that the gate enforces", _forbid),
    "aim": Entry("/aim WORDS", "write down what is pursued", _aim),
    "approve": Entry("/approve [WHO:] WORDS", "permit what a rule forbids without that word", _approve),
    "recall": Entry("/recall WORDS", "what memory holds about it", _recall),
    "why": Entry("/why [ID]", "what the last answer, or an engram, rests on", _why),
    "brief": Entry("/brief [SCOPE]", "a briefing: what holds, why, what is open, what is forbidden", _brief),
    "retract": Entry("/retract ID [WHY]", "it no longer holds; it stays readable", _retract),
    "inbox": Entry("/inbox [accept|edit|discard ID]", "what an engine has proposed", _inbox),
    "context": Entry("/context", "what the engine was last given", _context),
    "ingest": Entry("/ingest FILE", "remember what a document says, beneath what you say yourself", _ingest),
    "attach": Entry("/attach FILE", "send a file with the next message", _attach),
    "cost": Entry("/cost", "tokens sent, against full transcripts", _cost),
    "undo": Entry("/undo", "take back what the last message or command wrote", _undo),
    "history": Entry("/history [ID]", "the last entries, or the chain of one", _history),
    "rule": Entry("/rule [ID [also|means|not WORDS]]", "the rules as understood; correct one", _rule),
    "exit": Entry("/exit", "leave (Ctrl-D too)", _exit),
}
