"""Makes the thesaurus files of configs/lexicon from WordNet's database files.

    python -m gate.language.derive DICT_DIR OUT_DIR

Run by hand when WordNet or this program changes; the product only reads what it wrote. Output:
`en-nouns.tsv` and `en-verbs.tsv` (sorted by word; columns: word, lexicographer class of its first sense,
then `grade:word word ...`), `en-nominals.tsv` (noun, the verbs whose doing it names) and `en-verbs.txt`
(verbs by what the word mostly is). The shipped `en-nouns.tsv` then went through gate.language.derive_near.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

_POS = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
MAIN_SENSE_SHARE = 0.2  # a sense counts when it is at least so frequent as the first
MAX_SENSES = 3
MAX_DEPTH = 4
MAX_WORDS = 400
SYNONYM, MEMBER, OTHER_SENSE, KIND, PART = 90, 85, 60, 50, 45
ABOVE, FAR_ABOVE = 75, 55  # verbs: what a verb is a way of doing, and what that is a way of
# Classes of nouns that name a doing: act, communication, event, possession, process (lexnames(5WN)).
_DOINGS = (4, 10, 11, 21, 22)
_MIN_NOMINAL = 4


class Pointer(NamedTuple):
    sign: str
    offset: str  # of the synset that is pointed to
    pos: str
    source: int  # which word of the synset points, from 1; 0 is the whole synset
    target: int  # which word of the other it points to


class Synset(NamedTuple):
    lexfile: int
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


class WordNet:
    """Synsets and sense frequencies of one database folder."""

    def __init__(self, folder: Path) -> None:
        self.counts: Counter[tuple[str, str, int]] = Counter()
        for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
            key, number, count = line.split()
            lemma, _, rest = key.partition("%")
            self.counts[lemma, _POS[rest[0]], int(number)] = int(count)
        self.synsets = {pos: _synsets(folder / f"data.{pos}") for pos in ("noun", "verb")}
        self.index = {pos: _index(folder / f"index.{pos}") for pos in ("noun", "verb", "adj", "adv")}

    def senses(self, word: str, pos: str) -> list[str]:
        """Offsets of the senses in use, most frequent first."""
        offsets = self.index[pos].get(word, [])
        counts = [self.counts[word, pos, at + 1] for at in range(len(offsets))]
        top = max(counts, default=0) or 1
        used = [o for at, o in enumerate(offsets) if at == 0 or counts[at] >= max(1, MAIN_SENSE_SHARE * top)]
        return used[:MAX_SENSES]

    def frequency(self, word: str, pos: str) -> int:
        return sum(self.counts[word, pos, at + 1] for at in range(len(self.index[pos].get(word, []))))


def _synsets(path: Path) -> dict[str, Synset]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        words = tuple(fields[4 + 2 * at].partition("(")[0] for at in range(count))
        pointers = fields[5 + 2 * count :][: 4 * int(fields[4 + 2 * count])]
        found[fields[0]] = Synset(int(fields[1]), words, _pointers(pointers))
    return found


def _pointers(fields: list[str]) -> tuple[Pointer, ...]:
    """Four fields a pointer; the last holds source and target, two hex digits each."""
    return tuple(
        Pointer(sign, offset, pos, int(ends[:2], 16), int(ends[2:], 16))
        for sign, offset, pos, ends in zip(*(fields[at::4] for at in range(4)), strict=True)
    )


def _index(path: Path) -> dict[str, list[str]]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            found[fields[0]] = fields[-int(fields[2]) :]
    return found


def _usable(word: str) -> bool:
    return word.isalpha() and word.islower() and len(word) > 2


def related(net: WordNet, word: str, pos: str) -> dict[str, int]:
    """Words that may stand for `word`, with grades from 0 to 100."""
    graded: dict[str, int] = {}
    for rank, offset in enumerate(net.senses(word, pos)):
        cap = 100 if rank == 0 else OTHER_SENSE
        synset = net.synsets[pos][offset]
        _grade(net, graded, synset, offset, pos, min(SYNONYM, cap))
        _members(net, graded, offset, pos, cap)
        if pos != "noun":
            _ways(net, graded, synset, cap)
            continue
        for pointer in synset.pointers:
            if pointer.pos != "n":
                continue
            other = net.synsets["noun"][pointer.offset]
            if pointer.sign in ("@", "@i"):
                _grade(net, graded, other, pointer.offset, "noun", min(KIND, cap))
            elif pointer.sign in ("%p", "%m", "%s"):
                _grade(net, graded, other, pointer.offset, "noun", min(PART, cap))
    graded.pop(word, None)
    return dict(sorted(graded.items(), key=lambda item: (-item[1], item[0]))[:MAX_WORDS])


def _ways(net: WordNet, graded: dict[str, int], synset: Synset, cap: int) -> None:
    """The verbs that this one is a way of doing: 'shunt' is a way to move something."""
    for grade in (ABOVE, FAR_ABOVE):
        above = [to.offset for to in synset.pointers if to.sign == "@" and to.pos == "v"]
        if not above:
            return
        synset = net.synsets["verb"][above[0]]
        _grade(net, graded, synset, above[0], "verb", min(grade, cap))


def _grade(net: WordNet, graded: dict[str, int], synset: Synset, offset: str, pos: str, grade: int) -> None:
    for word in synset.words:
        if not _usable(word):
            continue
        senses = net.senses(word, pos)
        if offset not in senses:
            continue
        worth = grade if senses[0] == offset else min(grade, OTHER_SENSE)
        graded[word] = max(graded.get(word, 0), worth)


def _members(net: WordNet, graded: dict[str, int], offset: str, pos: str, cap: int) -> None:
    level = [offset]
    for _ in range(MAX_DEPTH if pos == "noun" else 1):
        level = [
            to.offset for one in level for to in net.synsets[pos][one].pointers if to.sign in ("~", "~i")
        ]
        for other in level:
            _grade(net, graded, net.synsets[pos][other], other, pos, min(MEMBER, cap))


def write_thesaurus(net: WordNet, pos: str, path: Path) -> None:
    lines = []
    for word in sorted(net.index[pos]):
        if not _usable(word):
            continue
        groups: dict[int, list[str]] = defaultdict(list)
        for other, grade in related(net, word, pos).items():
            groups[grade].append(other)
        lexfile = net.synsets[pos][net.index[pos][word][0]].lexfile
        if not groups and net.frequency(word, pos) == 0:
            continue
        fields = [word, str(lexfile)]
        fields += [
            f"{grade}:{' '.join(sorted(words))}" for grade, words in sorted(groups.items(), reverse=True)
        ]
        lines.append("\t".join(fields))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def nominals(net: WordNet) -> dict[str, set[str]]:
    """Nouns whose main sense names a doing -> the verbs that they are derived from or to."""
    found: dict[str, set[str]] = defaultdict(set)
    for offset, synset in net.synsets["noun"].items():
        if synset.lexfile not in _DOINGS:
            continue
        for pointer in synset.pointers:
            if pointer.sign != "+" or pointer.pos != "v":
                continue
            noun = synset.words[pointer.source - 1]
            verb = net.synsets["verb"][pointer.offset].words[pointer.target - 1]
            if not _usable(noun) or len(noun) < _MIN_NOMINAL or not verb.isalpha():
                continue
            if net.index["noun"][noun][0] == offset:
                found[noun].add(verb)
    return found


def write_nominals(net: WordNet, path: Path) -> None:
    lines = [f"{noun}\t{' '.join(sorted(verbs))}" for noun, verbs in sorted(nominals(net).items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_verbs(net: WordNet, path: Path) -> None:
    groups: dict[str, list[str]] = {"V": [], "B": [], "N": []}
    for word in sorted(net.index["verb"]):
        if not word.isalpha():
            continue
        as_verb = net.frequency(word, "verb")
        as_other = net.frequency(word, "noun") + net.frequency(word, "adj")
        if (word not in net.index["noun"] and word not in net.index["adj"]) or (
            as_verb > 0 and as_verb >= 2 * as_other
        ):
            kind = "V"
        elif as_other == 0 or as_verb * 4 >= as_other:
            kind = "B"
        else:
            kind = "N"
        groups[kind].append(word)
    kinds = "V verb, B both, N mostly other"
    lines = [f"# English verbs by what the word mostly is: {kinds}. From WordNet 3.0 (NOTICE)."]
    lines += [f"{kind} {' '.join(words)}" for kind, words in groups.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> None:
    source, target = Path(arguments[0]), Path(arguments[1])
    net = WordNet(source)
    write_thesaurus(net, "noun", target / "en-nouns.tsv")
    write_thesaurus(net, "verb", target / "en-verbs.tsv")
    write_nominals(net, target / "en-nominals.tsv")
    write_verbs(net, target / "en-verbs.txt")


if __name__ == "__main__":
    main(sys.argv[1:])
