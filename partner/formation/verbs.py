"""English verbs: enough morphology to find the finite verb of a clause, without a model.

A word list with regular inflection and the irregular forms spelled out. A word that is noun and verb
('charges', 'plans') is decided by what stands before it.
"""

from __future__ import annotations

from functools import cache

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
    found = forms().get(word)
    return found[0] if found else word


def form_of(word: str) -> str:
    """'base', 's', 'past', 'ing', or '' for a word that is no known verb."""
    found = forms().get(word)
    return found[1] if found else ""


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
