"""The words and redirections of one simple command, and the bodies of here-documents.

tree-sitter-bash gives the structure of a script (lists, pipelines, loops, functions); it is unsure about
here-documents that are followed by `;` or stand beside another redirection, so those are taken out first
and put back as a redirection from a marked word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.actions.shell.marks import ANY, HERE_DOCUMENT, HERE_STRING
from gate.actions.shell.scan import closing, end_of_backtick, end_of_double

_OPERATOR = re.compile(r"(\d+|\{[A-Za-z_]\w*\})?(&>>|&>|>>|>\||>&|<&|<>|<|>)(?!\()")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
_BREAKS = frozenset(" \t\n;&|<>()")
_RUN = re.compile(r"[A-Za-z0-9_./:%,=~^{}\[\]#-]+")  # characters that end no word and begin no quotation


@dataclass(frozen=True, slots=True)
class Redirect:
    """`descriptor` is 0 or 1 when the operator implies it; `target` is a raw word."""

    descriptor: int
    operator: str
    target: str


@dataclass(slots=True)
class Simple:
    """A simple command, still raw: `assignments` stand before its name.

    `rest` is what follows an unquoted line end: the grammar takes a line that begins with a backslash for
    more arguments of the one before it, the shell does not.
    """

    assignments: list[str]
    words: list[str]
    redirects: list[Redirect]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """The body of a here-document; a quoted delimiter keeps it literal."""

    body: str
    literal: bool


def read_simple(text: str, *, across_lines: bool = False) -> Simple:
    """Split the source of one simple command (or of what follows a compound one).

    With `across_lines` a line end only separates words, as in the list of an array or a loop.
    """
    simple = Simple([], [], [])
    index, size = 0, len(text)
    while index < size:
        char = text[index]
        if char in " \t" or (across_lines and char == "\n"):
            index += 1
        elif char == "\n":
            if simple.words or simple.assignments or simple.redirects:
                simple.rest = text[index + 1 :].strip()
                break
            index += 1
        elif char == "\\" and text[index + 1 : index + 2] == "\n":
            index += 2
        elif char == "#":
            end = text.find("\n", index)
            index = size if end < 0 else end
        else:
            operator = _OPERATOR.match(text, index) if char in "<>&{" or char.isdigit() else None
            if operator:
                index = _redirect(text, operator, simple)
                continue
            end = end_of_word(text, index)
            if end == index:  # a stray metacharacter: what it means is for the grammar to say
                index += 1
                continue
            word = text[index:end]
            assigns = _ASSIGNMENT.match(word) is not None
            if assigns:
                end = _array_end(text, index, end)
            group = simple.assignments if assigns and not simple.words else simple.words
            group.append(text[index:end])
            index = end
    return simple


def _redirect(text: str, operator: re.Match[str], simple: Simple) -> int:
    start = operator.end()
    while start < len(text) and text[start] in " \t":
        start += 1
    end = end_of_word(text, start)
    target = text[start:end]
    if target.startswith(HERE_STRING) and len(target) == 1:
        while end < len(text) and text[end] in " \t":
            end += 1
        start, end = end, end_of_word(text, end)
        target = HERE_STRING + text[start:end]
    number = operator.group(1) or ""
    sign = operator.group(2)
    descriptor = int(number[:4]) if number.isdigit() else (0 if sign.startswith("<") else 1)
    simple.redirects.append(Redirect(descriptor, sign, target))
    return end


def _array_end(text: str, start: int, end: int) -> int:
    """The end of `name=(...)`, whose parenthesis would otherwise end the word."""
    if end < len(text) and text[end] == "(" and text[end - 1] == "=":
        close = closing(text, end + 1, "(", ")")
        return len(text) if close < 0 else close + 1
    return end


def end_of_word(text: str, index: int) -> int:
    """Where the word that begins at `index` ends."""
    size = len(text)
    while index < size:
        run = _RUN.match(text, index)
        if run:
            index = run.end()
            if index == size:
                break
        char = text[index]
        if char in "<>" and text[index + 1 : index + 2] == "(":
            index = _past(closing(text, index + 2, "(", ")"), size)
            continue
        if char in "@!+?*" and text[index + 1 : index + 2] == "(":
            index = _past(closing(text, index + 2, "(", ")"), size)
            continue
        if char in _BREAKS:
            return index
        index = skip(text, index)
    return size


def skip(text: str, index: int) -> int:
    """The index after the character, quotation or expansion at `index`."""
    size, char = len(text), text[index]
    if char == "\\":
        return min(index + 2, size)
    if char == "'":
        return _past(text.find("'", index + 1), size)
    if char == '"':
        return _past(end_of_double(text, index + 1), size)
    if char == "`":
        return _past(end_of_backtick(text, index + 1), size)
    if char == "$":
        following = text[index + 1 : index + 2]
        if following == "(":
            return _past(closing(text, index + 2, "(", ")"), size)
        if following == "{":
            return _past(closing(text, index + 2, "{", "}"), size)
        if following == "'":
            end = index + 2
            while end < size and text[end] != "'":
                end += 2 if text[end] == "\\" else 1
            return min(end + 1, size)
    return index + 1


def _past(end: int, size: int) -> int:
    return size if end < 0 else end + 1


def take_documents(source: str, documents: list[Document]) -> str:
    """`source` with here-documents and here-strings replaced by marked redirections.

    The bodies are appended to `documents`; a mark holds the place of its body in that list.
    """
    if "<<" not in source and "<>" not in source:
        return source
    out: list[str] = []
    pending: list[tuple[int, str, bool, bool]] = []
    index, size = 0, len(source)
    while index < size:
        char = source[index]
        if char == "\n" and pending:
            out.append(char)
            index = _bodies(source, index + 1, pending, documents)
            pending = []
        elif char == "#" and (index == 0 or source[index - 1] in " \t\n;&|("):
            end = source.find("\n", index)
            index = size if end < 0 else end
        elif source.startswith("((", index):
            end = _past(closing(source, index + 1, "(", ")"), size)
            out.append(source[index:end])
            index = end
        elif source.startswith("<<<", index):
            out.append("<" + HERE_STRING)
            index += 3
        elif source.startswith("<<", index):
            index = _delimiter(source, index, pending, documents, out)
        elif source.startswith("<>", index):
            out.append(">>")
            index += 2
        else:
            end = skip(source, index)
            out.append(source[index:end])
            index = end
    return "".join(out)


def _delimiter(
    source: str,
    index: int,
    pending: list[tuple[int, str, bool, bool]],
    documents: list[Document],
    out: list[str],
) -> int:
    tabs = source.startswith("<<-", index)
    start = index + (3 if tabs else 2)
    while start < len(source) and source[start] in " \t":
        start += 1
    end = end_of_word(source, start)
    raw = source[start:end]
    quoted = any(char in raw for char in "'\"\\")
    documents.append(Document(ANY, True))
    pending.append((len(documents) - 1, re.sub(r"['\"\\]", "", raw), quoted, tabs))
    out.append(f"<{HERE_DOCUMENT}{len(documents) - 1}")
    return end


def _bodies(
    source: str, index: int, pending: list[tuple[int, str, bool, bool]], documents: list[Document]
) -> int:
    for place, delimiter, quoted, tabs in pending:
        lines: list[str] = []
        while index < len(source):
            end = source.find("\n", index)
            end = len(source) if end < 0 else end
            line = source[index:end]
            index = end + 1
            line = line.lstrip("\t") if tabs else line
            if line == delimiter:
                break
            lines.append(line + "\n")
        documents[place] = Document("".join(lines), quoted)
    return index
