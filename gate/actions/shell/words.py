"""Expansion of one shell word: quotes, variables, substitutions, tilde, braces, globs, field splitting.

The order is that of the bash manual (Shell Expansions). What depends on the machine comes out as marks
(gate.actions.shell.marks), so a word is literal exactly when it can be read off the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from gate.actions.shell import parameters
from gate.actions.shell.marks import ANY, ONE, STAR, has_marks
from gate.actions.shell.scan import ansi_c, braces, closing, end_of_backtick, end_of_double
from gate.actions.shell.state import MAX_FIELDS, MAX_WORD, NOTHING, Data, World

_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=-]+\Z")
_OPEN, _SHUT = "\ue0f8", "\ue0f9"  # unquoted brackets, until the word is whole
_BRACKET = re.compile(f"{_OPEN}[^/{_OPEN}]*{_SHUT}")
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!_-]")
_BLANKS = " \t\n"


class Runs(Protocol):
    """Who runs the commands inside `$(...)`, `` `...` ``, `<(...)` and `>(...)`."""

    def capture(self, source: str, world: World) -> Data: ...
    def attach(self, source: str, world: World, *, reading: bool) -> str: ...


class Expander:
    """Expands words in one world; `sources` gathers the files whose data went into them."""

    def __init__(self, world: World, runs: Runs) -> None:
        self.world = world
        self.runs = runs
        self.sources: frozenset[str] = NOTHING

    def fields(self, raw: str) -> list[str]:
        """The arguments that a raw word becomes, none or many."""
        if _PLAIN.match(raw):
            return [raw]
        found: list[str] = []
        for word in braces(raw):
            builder = _Fields(self.world.variables.get("IFS", _BLANKS))
            self._walk(word, builder, quoted=False)
            found += builder.finish()
            if len(found) > MAX_FIELDS:
                return [ANY]
        return found

    def string(self, raw: str) -> str:
        """The one string that a raw word becomes where no splitting takes place (an assignment)."""
        if _PLAIN.match(raw):
            return raw
        builder = _Fields(None)
        self._walk(raw, builder, quoted=False)
        return " ".join(builder.finish())

    def document(self, raw: str) -> str:
        """The text of a here-document whose delimiter is not quoted."""
        builder = _Fields(None)
        self._double(raw, builder, here=True)
        return "".join(builder.finish())

    def _walk(self, raw: str, out: _Fields, *, quoted: bool) -> None:
        index, size = 0, len(raw)
        if raw.startswith("~") and not quoted:
            index = self._tilde(raw, out)
        while index < size:
            char = raw[index]
            if char == "\\":
                if raw[index + 1 : index + 2] != "\n":
                    out.add(raw[index + 1 : index + 2])
                index += 2
            elif char == "'":
                end = raw.find("'", index + 1)
                end = size if end < 0 else end
                out.add(raw[index + 1 : end])
                index = end + 1
            elif char == '"':
                end = end_of_double(raw, index + 1)
                end = size if end < 0 else end
                self._double(raw[index + 1 : end], out)
                index = end + 1
            elif char == "$" or char == "`":
                index = self._dollar(raw, index, out, quoted=False)
            elif char in "<>" and raw[index + 1 : index + 2] == "(":
                end = closing(raw, index + 2, "(", ")")
                end = size if end < 0 else end
                out.add(self.runs.attach(raw[index + 2 : end], self.world, reading=char == "<"))
                index = end + 1
            else:
                index = self._literal(raw, index, out)

    def _literal(self, raw: str, index: int, out: _Fields) -> int:
        char = raw[index]
        if raw[index + 1 : index + 2] == "(" and char in "@!+?*":
            end = closing(raw, index + 2, "(", ")")
            out.add(STAR)
            return len(raw) if end < 0 else end + 1
        out.add_unquoted(char)
        return index + 1

    def _double(self, raw: str, out: _Fields, *, here: bool = False) -> None:
        index, size = 0, len(raw)
        out.add("")
        while index < size:
            char = raw[index]
            if char == "\\":
                following = raw[index + 1 : index + 2]
                if following == "\n":
                    pass
                elif following and (following in "$`\\" or (following == '"' and not here)):
                    out.add(following)
                else:
                    out.add("\\" + following)
                index += 2
            elif char == "$" or char == "`":
                index = self._dollar(raw, index, out, quoted=True)
            else:
                stop = index + 1
                while stop < size and raw[stop] not in "\\$`":
                    stop += 1
                out.add(raw[index:stop])
                index = stop

    def _dollar(self, raw: str, index: int, out: _Fields, *, quoted: bool) -> int:
        """Read one expansion at `index`; returns where the text goes on."""
        put: Callable[[str], None] = out.add if quoted else out.add_split
        size = len(raw)
        if raw[index] == "`":
            end = end_of_backtick(raw, index + 1)
            end = size if end < 0 else end
            put(self._captured(re.sub(r"\\([\\`$])", r"\1", raw[index + 1 : end])))
            return end + 1
        following = raw[index + 1 : index + 2]
        if following == "'" and not quoted:
            end = index + 2
            while end < size and raw[end] != "'":
                end += 2 if raw[end] == "\\" else 1
            out.add(ansi_c(raw[index + 2 : end]))
            return end + 1
        if following == '"' and not quoted:
            return index + 1
        if raw.startswith("$((", index):
            end = closing(raw, index + 3, "(", ")")
            if end >= 0 and raw[end + 1 : end + 2] == ")":
                self._run_inside(raw[index + 3 : end])
                put(parameters.arithmetic(raw[index + 3 : end], self.world))
                return end + 2
        if following == "(":
            end = closing(raw, index + 2, "(", ")")
            end = size if end < 0 else end
            put(self._captured(raw[index + 2 : end]))
            return end + 1
        if following == "[":
            end = closing(raw, index + 2, "[", "]")
            put(parameters.arithmetic(raw[index + 2 : end], self.world))
            return size if end < 0 else end + 1
        if following == "{":
            end = closing(raw, index + 2, '"' if quoted else "{", "}")
            end = size if end < 0 else end
            self._parameter(raw[index + 2 : end], out, put, quoted)
            return end + 1
        name = _NAME.match(raw, index + 1)
        if name is None:
            out.add("$")
            return index + 1
        self._parameter(name.group(), out, put, quoted)
        return name.end()

    def _captured(self, source: str) -> str:
        data = self.runs.capture(source, self.world)
        self.sources |= data.sources
        return ANY if data.text is None else data.text.rstrip("\n")

    def _run_inside(self, text: str) -> None:
        """Substitutions in a subscript or a sum run, whatever their value is worth."""
        if "$(" in text or "`" in text:
            self.string(text)

    def _parameter(self, body: str, out: _Fields, put: Callable[[str], None], quoted: bool) -> None:
        if "[" in body:
            self._run_inside(body.partition("[")[2])
        items = parameters.items(body, self.world)
        if items is not None:  # "$@", "${list[@]}": one field each
            for position, item in enumerate(items):
                if position:
                    out.next_field()
                put(item)
            if not items and quoted:
                out.forget_empty()
            return
        self.sources |= self.world.tainted.get(re.match(r"[!#]?(\w*)", body).group(1), NOTHING)  # type: ignore[union-attr]
        put(parameters.value(body, self.world, self.string))

    def _tilde(self, raw: str, out: _Fields) -> int:
        end = re.match(r"~[^/'\"\\$`]*", raw).end()  # type: ignore[union-attr]
        name = raw[1:end]
        home = self.world.variables.get("HOME", ANY)
        if end < len(raw) and raw[end] != "/":
            out.add(ANY)
        elif name == "":
            out.add(home)
        elif name == "+":
            out.add(self.world.cwd or ANY)
        elif name == "root":
            out.add("/root")
        elif not has_marks(home) and home.rpartition("/")[2] == name:
            out.add(home)
        else:
            out.add(ANY)
        return end


class _Fields:
    """Builds fields piece by piece; `separators` None means that nothing is split."""

    def __init__(self, separators: str | None) -> None:
        self.separators = separators
        self.done: list[str] = []
        self.pieces: list[str] = []
        self.begun = False

    def add(self, text: str) -> None:
        self.begun = True
        self.pieces.append(text)

    def add_unquoted(self, text: str) -> None:
        """Text in which glob characters act."""
        self.begun = True
        if self.separators is not None:
            text = text.replace("*", STAR).replace("?", ONE).replace("[", _OPEN).replace("]", _SHUT)
        self.pieces.append(text)

    def add_split(self, text: str) -> None:
        """The result of an unquoted expansion: split at the separators, globs act."""
        if self.separators is None:
            self.add(text)
            return
        if not self.separators or has_marks(self.separators):
            if text:
                self.add_unquoted(text if not self.separators else ANY)
            return
        if text and text[0] in self.separators and self.begun:
            self.next_field()
        parts = [part for part in re.split(f"[{re.escape(self.separators)}]+", text) if part]
        for position, part in enumerate(parts):
            if position:
                self.next_field()
            self.add_unquoted(part)
        if parts and text[-1] in self.separators:
            self.next_field()

    def next_field(self) -> None:
        if self.begun:
            self.done.append(self._whole())
        self.pieces, self.begun = [], False

    def forget_empty(self) -> None:
        """ "$@" without arguments leaves no field at all."""
        if not any(self.pieces):
            self.pieces, self.begun = [], False

    def finish(self) -> list[str]:
        self.next_field()
        return self.done

    def _whole(self) -> str:
        word = "".join(self.pieces)
        if not word.isascii():
            if STAR + STAR in word:
                word = re.sub(f"{STAR}{{2,}}", "\ue0f2", word)
            if _OPEN in word or _SHUT in word:
                word = _BRACKET.sub(ONE, word).replace(_OPEN, "[").replace(_SHUT, "]")
        return word if len(word) <= MAX_WORD else ANY
