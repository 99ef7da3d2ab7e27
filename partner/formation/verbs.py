"""English verbs: enough morphology to find the finite verb of a clause, without a model.

A word list with regular inflection and the irregular forms spelled out. A word that is noun and verb
('charges', 'plans') is decided by what stands before it.
"""

from __future__ import annotations

from functools import cache, lru_cache

from gate.language.lexicon import lexicon_dir
from partner.formation.data import load
from partner.formation.words import listed

AUXILIARIES = listed("""is are was were am isn't aren't wasn't weren't ain't has have had hasn't haven't
hadn't do does
    did don't doesn't didn't will would shall should can could may might must won't wouldn't shan't
    shouldn't can't cannot couldn't mightn't mustn't needn't 's 're 'm 've 'll 'd""")
COPULA = listed("is are was were am be been being 's 're 'm isn't aren't wasn't weren't ain't")
_VOWELS = "aeiou"


@cache
def forms() -> dict[str, tuple[str, str]]:
    """Word form -> (base, 'base' | 's' | 'past' | 'ing')."""
    data = load("verbs-en")
    table: dict[str, tuple[str, str]] = {}
    irregular: dict[str, str] = data["irregular"]
    for base, past in irregular.items():
        table.setdefault(base, (base, "base"))
        for form in past.split():
            table.setdefault(form, (base, "past"))
    for base in sorted({*data["regular"].split(), *irregular}):
        table.setdefault(base, (base, "base"))
        table.setdefault(_third(base), (base, "s"))
        for ing in _ings(base):
            table.setdefault(ing, (base, "ing"))
        if base not in irregular:
            for past in _pasts(base):
                table.setdefault(past, (base, "past"))
    table.update(
        {"is": ("be", "s"), "are": ("be", "s"), "am": ("be", "s"), "has": ("have", "s"), "does": ("do", "s")}
    )
    return table


def lemma(word: str) -> str:
    """Base form of a known verb form, else the word itself."""
    found = forms().get(word) or _derived(word)
    return found[0] if found else word


def form_of(word: str) -> str:
    """'base', 's', 'past', 'ing', or '' for a word that is no known verb."""
    found = forms().get(word) or _derived(word)
    return found[1] if found else ""


@cache
def _wider() -> frozenset[str]:
    """Rarer words that are hardly anything but verbs, from the list that the gate reads by too."""
    text = (lexicon_dir() / "en-verbs.txt").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("V "))
    return frozenset(row.split()[1:]) - _MOSTLY_OTHER


_MOSTLY_OTHER = listed("""allot approximate articulate average awake bake-off bode bust can cross
    degenerate duplicate fine fit full halt lean lower mine net own pepper ping pip
    plan pong prey secure slack sour spare thank till trim utter""")


@lru_cache(maxsize=8192)
def _derived(word: str) -> tuple[str, str] | None:
    """(base, form) of a form of one of the rarer verbs, by the rules of inflection alone."""
    if word in _wider():
        return word, "base"
    for base in _bases(word):
        if base in _wider():
            if word == _third(base):
                return base, "s"
            if word in _pasts(base):
                return base, "past"
            if word in _ings(base):
                return base, "ing"
    return None


def _bases(word: str) -> set[str]:
    """What a word may be inflected from."""
    found: set[str] = set()
    for suffix in ("s", "es", "ed", "d", "ing"):
        if word.endswith(suffix) and len(word) > len(suffix) + 2:
            cut = word[: -len(suffix)]
            found |= {cut, cut + "e", cut[:-1], cut[:-1] + "y"}
    return found


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _doubles(base: str) -> bool:
    return len(base) > 2 and base[-1] not in "aeiouwxyh" and base[-2] in _VOWELS and base[-3] not in _VOWELS


def _pasts(base: str) -> tuple[str, ...]:
    if base.endswith("e"):
        return (base + "d",)
    if base.endswith("y") and base[-2] not in _VOWELS:
        return (base[:-1] + "ied",)
    return (base + base[-1] + "ed", base + "ed") if _doubles(base) else (base + "ed",)


def _ings(base: str) -> tuple[str, ...]:
    if base.endswith("ie"):
        return (base[:-2] + "ying",)
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return (base[:-1] + "ing",)
    return (base + base[-1] + "ing", base + "ing") if _doubles(base) else (base + "ing",)
