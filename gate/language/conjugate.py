"""Forms of a verb from its infinitive: Spanish, French, Italian, Portuguese, German.

Stemmers part what belongs together ('sacar', 'no saques'; 'contar', 'cuenta'; 'inscribirse', 'apuntes')
and join what does not ('elimino' is told, 'elimina' is ordered). Forms are made by rule, folded, and made
for too many verbs rather than too few: one that no text says costs nothing. What a form is for follows
from its ending: an order (also the negative one), or something told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Forms = tuple[frozenset[str], frozenset[str]]  # what may order, what only tells
# Endings of what is told: past, future, conditional, participles.
_ES_AR = "amos aron aste aba aban ando ado ada ados adas ara aran are aria arias arian arais aremos abamos"
_ES_ER = (
    "emos imos iste ia ian ido ida idos idas era ira eran iran eria iria erias irias erian irian "
    "eremos iremos"
)
_PT_AR = "o as am amos ou aram ava avam ando ado ada ados adas ara arao aste aria arias ariam aremos"
_PT_ER = (
    "es em emos imos eu iu eram iram ia iam endo indo ido ida idos idas era ira i este iste eria "
    "iria erias irias erao irao"
)
_IT_ERE = (
    "o e ono eva evano endo uto uta uti ute ei ette ettero erono era ero erei eresti erebbe "
    "ereste eranno iamo rei resti rebbe ra ro"
)
_IT_IRE = (
    "o e ono isco isce iscono iva ivano endo ito ita iti ii irono ira iro irei iresti irebbe "
    "ireste iranno iamo"
)
_FR_ER = "ais ait aient a ai as ant ons erai era eras erais erait eriez erez eront ee ees es"
_NONE: Forms = (frozenset(), frozenset())


def forms(infinitive: str, language: str) -> Forms:
    """Folded forms of a folded infinitive; empty for a word that is no infinitive of the language."""
    maker = {"es": _spanish, "pt": _portuguese, "it": _italian, "fr": _french, "de": _german}.get(language)
    return maker(infinitive) if maker is not None and len(infinitive) > 3 else _NONE


def _made(roots: Iterable[str], endings: str) -> set[str]:
    return {root + ending.strip("_") for root in roots for ending in endings.split()}


def _sets(orders: set[str], told: set[str]) -> Forms:
    return frozenset(orders), frozenset(told - orders)


_LAST_VOWEL = re.compile(r"([aeiou])([^aeiou]*)\Z")


def _changed(root: str, changes: dict[str, tuple[str, ...]]) -> list[str]:
    """The root, and the root with its last vowel changed as stressed roots change it."""
    found = [root]
    last = _LAST_VOWEL.search(root)
    if last:
        found += [root[: last.start()] + new + last[2] for new in changes.get(last[1], ())]
    return found


def _before_e(root: str) -> str:
    """Spelling that keeps the sound before e: sac- saqu-, pag- pagu-, cruz- cruc-."""
    if root.endswith("c"):
        return root[:-1] + "qu"
    if root.endswith("g"):
        return root + "u"
    return root[:-1] + "c" if root.endswith("z") else root


def _before_a(root: str) -> list[str]:
    """Spelling that keeps the sound before a and o: escog- escoj-, venc- venz-, conoc- conozc-."""
    if root.endswith("g"):
        return [root[:-1] + "j"]
    if root.endswith("gu"):
        return [root[:-1]]
    if root.endswith("c"):
        return [root[:-1] + "z", root[:-1] + "zc"]
    return [root + "y"] if root.endswith("u") else [root]


def _spanish(word: str) -> Forms:
    word = word.removesuffix("se") if word.endswith(("arse", "erse", "irse")) else word
    root, kind = word[:-2], word[-2:]
    if kind == "ar":
        stressed = _changed(root, {"e": ("ie",), "o": ("ue",), "u": ("ue",)})
        soft = [_before_e(one) for one in stressed]
        orders = _made(stressed, "a") | _made(soft, "e es en") | {root + "ad", word}
        told = _made(stressed, "o as an") | _made([root], _ES_AR)
        return _sets(orders, told | {_before_e(root) + "emos"})
    if kind not in ("er", "ir"):
        return _NONE
    stressed = _changed(root, {"e": ("ie", "i"), "o": ("ue",)})
    hard = [other for one in stressed for other in _before_a(one)]
    orders = _made(stressed, "e") | _made(hard, "a as an") | {root + kind[0] + "d", word}
    told = _made([*stressed, *hard], "o") | _made(stressed, "es en io ieron iendo")
    return _sets(orders, told | _made([root], _ES_ER))


def _portuguese(word: str) -> Forms:
    root, kind = word[:-2], word[-2:]
    if kind == "ar":
        soft = _before_e(root)
        orders = _made([root], "a ai") | _made([soft], "e es em") | {word}
        if root.endswith("e"):
            orders |= _made([root + "i"], "a e es em")  # 'bloquear', 'bloqueia'
        told = _made([root], _PT_AR) | {soft + "ei", soft + "emos"}
        return _sets(orders, told)
    if kind not in ("er", "ir"):
        return _NONE
    stressed = _changed(root, {"e": ("i",), "o": ("u",)}) if kind == "ir" else [root]
    hard = [
        other.removesuffix("c") + "c" if one.endswith("c") else other
        for one in stressed
        for other in _before_a(one)[:1]
    ]
    orders = _made([*stressed], "e") | _made(hard, "a as am") | {root + kind[0] + "i", word}
    told = _made(hard, "o") | _made([root], _PT_ER)
    return _sets(orders, told)


def _italian(word: str) -> Forms:
    word = word[:-2] + "e" if word.endswith(("arsi", "ersi", "irsi")) else word
    root, kind = word[:-3], word[-3:]
    if kind == "are":
        soft = root + "h" if root.endswith(("c", "g")) else root.removesuffix("i")
        orders = _made([root], "a ate") | _made([soft], "i ino") | {word}
        told = _made([root], "o ano ai arono avo ava avano ando ato ata ati") | _made(
            [soft], "era ero iamo erei eresti erebbe eremmo ereste eranno"
        )
        return _sets(orders, told)
    if kind == "ere":
        orders = _made([root], "i a ete ano") | {word}
        return _sets(orders, _made([root], _IT_ERE))
    if kind == "ire":
        orders = _made([root], "i a ite ano isci isca iscano") | {word}
        return _sets(orders, _made([root], _IT_IRE))
    return _NONE


def _french(word: str) -> Forms:
    root, kind = word[:-2], word[-2:]
    if kind == "er":
        roots = [root]
        if root.endswith("y"):
            roots.append(root[:-1] + "i")
        if root.endswith(("el", "et")):
            roots.append(root + root[-1])
        told = _made(roots, "ent") | _made(
            [root, root + "e" if root.endswith("g") else root],
            _FR_ER,
        )
        return _sets(_made(roots, "e ez es") | {word}, told)
    if kind == "ir":
        return _sets(
            _made([root], "is issez isse isses") | {word},
            _made([root], "it issent issait issaient issant issons irent i ie"),
        )
    if kind == "re":
        return _sets(
            _made([root], "s ez e es") | {word}, _made([root], "_ ent ait aient ant u ue us ons it irent")
        )
    return _NONE


_PARTICLES = (
    "herunter hinunter zusammen heraus herein hinaus hinein weiter zuruck wieder herum hervor herauf runter "
    "rauf raus rein rum vorbei voraus bekannt kaputt sauber frei fest hoch fort vor "
    "ab an auf aus bei ein her hin los mit nach um weg zu durch"
)
SEPARABLE = frozenset(_PARTICLES.split())
_LONGEST_FIRST = tuple(sorted(SEPARABLE, key=lambda particle: (-len(particle), particle)))


def separated(infinitive: str) -> tuple[str, str] | None:
    """A German infinitive as (verb, particle) where the particle may part: ('schicken', 'ab')."""
    for particle in _LONGEST_FIRST:
        rest = infinitive.removeprefix(particle)
        if rest != infinitive and len(rest) >= 4 and rest.endswith(("en", "ern", "eln", "tun", "sein")):
            return rest, particle
    return None


def _german(word: str) -> Forms:
    if not word.endswith(("en", "ern", "eln")):
        return _NONE
    parted = separated(word)
    if parted:
        return _sets({word}, {parted[1] + "zu" + parted[0]})
    root = word[:-2] if word.endswith("en") else word[:-1]
    return _sets({word, root, root + "e"}, _made([root], "t st et est te ten test ete eten"))
