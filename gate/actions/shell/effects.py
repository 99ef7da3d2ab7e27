"""One command about to run, and the frames that its effects become."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate.actions.hosts import canonical_host, host_of, remote_of, site_names
from gate.actions.paths import literal, places, resolve
from gate.actions.shell.marks import has_marks, pattern_of, shown
from gate.actions.shell.state import EMPTY, MAX_WORD, NOTHING, Data, World
from gate.actions.vocabulary import word_set
from gate.model import AT_SITE, Amount, Frame

if TYPE_CHECKING:
    from gate.actions.shell.runner import Runner

_STREAMS = word_set(
    """
    /dev/null /dev/zero /dev/stdin /dev/stdout /dev/stderr /dev/tty /dev/random /dev/urandom
    /dev/full
    """
)
NETWORK = ("host", "network", "access", "internet", "connection")
_NO_DATA = frozenset(("/dev/null", "/dev/zero"))


def where(word: str, world: World, runner: Runner) -> tuple[str, ...]:
    """Every place that a word means in a world; empty when it cannot be known."""
    pattern = pattern_of(word)
    if pattern is None:
        return ()
    found = places(pattern, runner.sink.facts, cwd=world.cwd or "\0")
    if any(place.startswith("/\0") or "\0" in place for place in found):
        return ()
    if not world.links:
        return found
    led: list[str] = list(found)
    for place in found:
        target = resolve(place, world.links)
        if target is None:
            return ()
        led.append(target)
    return tuple(dict.fromkeys(led))


@dataclass(slots=True)
class Call:
    """A command with its expanded arguments. `sources` are the files whose data stands in them."""

    runner: Runner
    world: World
    name: str
    args: list[str]
    stdin: Data = EMPTY
    sources: frozenset[str] = NOTHING
    argv: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.argv:
            self.argv = tuple(shown(word) for word in (self.name, *self.args))

    def emit(
        self,
        act: str,
        words: Iterable[str] = (),
        *,
        objects: Iterable[str] = (),
        hosts: Iterable[str] = (),
        recipients: Iterable[str] = (),
        amounts: tuple[Amount, ...] = (),
        labels: Iterable[str] = (),
        unknown: Iterable[str] = (),
        extra_paths: Iterable[str] = (),
        text: str = "",
        count: int | None = None,
        certain: bool = True,
    ) -> None:
        """Put one frame; `words` are path arguments, `extra_paths` patterns that are already absolute."""
        paths: list[str] = list(extra_paths)
        missing = set(unknown)
        for word in words:
            found = where(word, self.world, self.runner)
            if not found:
                missing.add("path")
            paths += (place for place in found if place not in _STREAMS and not place.startswith("/dev/fd/"))
        known_hosts = [host for host in hosts if host]
        self.runner.sink.put(
            Frame(
                act=act,
                objects=tuple(dict.fromkeys(item for item in objects if item and not has_marks(item))),
                paths=tuple(dict.fromkeys(paths)),
                hosts=tuple(dict.fromkeys(known_hosts)),
                recipients=tuple(dict.fromkeys(recipients)),
                amounts=amounts,
                labels=frozenset(labels),
                unknown=frozenset(missing),
                text=text,
                count=count,
                certain=certain,
                argv=self.argv,
            )
        )

    # -- files -------------------------------------------------------------------------------------

    def read(self, words: Iterable[str], *, tree: bool = False) -> Data:
        """Files are read; what is known of their text, and that it comes from them."""
        listed = [word for word in words if word != "-"]
        if not listed:
            return self.stdin
        real = [word for word in listed if not self._stream(word)]
        if real:
            copied = {origin for word in real for origin in self._origins(word)}
            labels = ("tree",) if tree else ()
            self.emit("read", real, objects=_nouns(tree), labels=labels, extra_paths=sorted(copied))
        data = EMPTY
        for word in listed:
            data = data.joined(self.content(word))
        return data

    def _origins(self, word: str) -> frozenset[str]:
        """The files that the script copied into this one."""
        if not self.world.origins:
            return NOTHING
        places = where(word, self.world, self.runner)
        return NOTHING.union(*(self.world.origins.get(place, NOTHING) for place in places))

    def content(self, word: str) -> Data:
        """What is known of a file without reporting that it is read."""
        if word in _NO_DATA:
            return EMPTY
        if word in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            return self.stdin
        found = where(word, self.world, self.runner)
        sources = frozenset(found)
        for place in found:
            sources |= self.world.origins.get(place, NOTHING)
        text = next((self.world.contents[place] for place in found if place in self.world.contents), None)
        if any(place.startswith("/dev/fd/") for place in found):
            sources = self.world.origins.get(found[0], NOTHING)
        return Data(text, sources)

    def write(self, words: Iterable[str], data: Data, *, append: bool = False, into: bool = False) -> None:
        """Files are written. Replacing a file by nothing empties it, which is a deletion of what it held."""
        listed = [word for word in words if not self._stream(word)]
        if not listed:
            return
        self.emit(
            "write",
            listed,
            objects=("file",),
            labels=("append",) if append else () if into else ("overwrite",),
        )
        if not append and data.text is not None and not data.text.strip("\n"):
            self.emit("delete", listed, objects=("file", "content"), labels=("empties",))
        for word in listed:
            if "/cron" in word and data.text:
                self._scheduled(word, data.text)
            for place in where(word, self.world, self.runner):
                before = self.world.contents.get(place, "") if append else ""
                known = None if data.text is None or before is None else (before + data.text)[:MAX_WORD]
                self.world.contents[place] = known
                self.world.origins[place] = data.sources | self.sources

    def _scheduled(self, word: str, text: str) -> None:
        """A line in a cron table is a command that will run; /etc/cron.d names a user before it."""
        fields = 6 if "cron.d/" in word or word.endswith("/crontab") else 5
        for line in text.splitlines():
            command = re.sub(rf"^\s*(?:@\w+\s+(?:\S+\s+)?|(?:\S+\s+){{{fields}}})", "", line)
            self.runner.script(command, self.world.copy())

    def delete(self, words: Iterable[str], *, tree: bool = False) -> None:
        """Files are gone afterwards; with `tree` everything below them too."""
        listed = list(words)
        if listed:
            self.emit("delete", listed, objects=_nouns(tree), labels=("tree",) if tree else ())

    def _stream(self, word: str) -> bool:
        return word in _STREAMS or word.startswith("/dev/fd/")

    # -- network -----------------------------------------------------------------------------------

    def hosts_of(self, words: Iterable[str], *, urls: bool = True) -> tuple[list[str], bool]:
        """(hosts, whether one of the words is a host that cannot be known)."""
        found: list[str] = []
        unknown = False
        for word in words:
            known = _authority(word) if urls else None if has_marks(word) else word
            if known is None:
                unknown = True
                continue
            host = host_of(known, bare_is_host=True) if urls else canonical_host(known.rpartition("@")[2])
            if host is None:
                unknown = True
            elif host:
                found.append(host)
        return found, unknown

    def contact(self, words: Iterable[str], *, urls: bool = True, labels: Iterable[str] = ()) -> list[str]:
        """Hosts are contacted; returns them."""
        found, unknown = self.hosts_of(words, urls=urls)
        missing = ("host",) if unknown else ()
        self.emit("connect", hosts=found, objects=NETWORK, labels=labels, unknown=missing)
        return found

    def send(
        self,
        words: Iterable[str],
        hosts: Iterable[str],
        *,
        data: Data = EMPTY,
        tree: bool = False,
        objects: Iterable[str] = ("data",),
        act: str = "send",
    ) -> None:
        """Data leaves the machine: files, and what came out of files through pipes and variables."""
        listed = [word for word in words if not self._stream(word)]
        origin = set(data.sources) | set(self.sources)
        for word in listed:
            origin |= self._origins(word)
        text = data.text if data.text and not has_marks(data.text) else ""
        sites = site_names(hosts) if "http request" in objects else ()
        if sites:  # what it changes there may be an order
            self.emit(
                "order", objects=sites, hosts=hosts, labels=(AT_SITE,), unknown=("deed",), certain=False
            )
        unknown = () if list(hosts) else ("host",)
        for each in (act, "upload") if listed or origin else (act,):
            self.emit(
                each,
                listed,
                hosts=hosts,
                objects=objects,
                labels=("tree",) if tree else (),
                extra_paths=sorted(origin),
                unknown=unknown,
                text=text,
            )

    def not_understood(self) -> Data:
        """This command could do anything."""
        self.runner.not_understood(" ".join(self.argv), self.argv)
        return Data(None, self.stdin.sources | self.sources)


def _authority(word: str) -> str | None:
    """A URL up to the end of its host, when no mark stands in that part; else None.

    A glob in a path or query matches no file, so the shell hands it on as it stands.
    """
    if not has_marks(word):
        return word
    head = re.match(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://)?[^/?#\\]*[/?#\\]", word)
    return None if head is None or has_marks(head.group()) else head.group()


def remote(word: str) -> str | None:
    """The host of `user@host:path`; None for a local path."""
    return (
        None
        if has_marks(word.partition(":")[0])
        else remote_of(word.split("/", 1)[0] if "://" not in word else word)
    )


def _nouns(tree: bool) -> tuple[str, ...]:
    return ("file", "folder", "directory") if tree else ("file",)


def child(folder: str, source: str) -> str:
    """The word for a file of the name of `source` inside `folder`."""
    name = re.sub(r"/+\Z", "", source).rpartition("/")[2]
    return folder.rstrip("/") + "/" + (name or ".")


__all__ = ["Call", "child", "literal", "remote", "where"]
