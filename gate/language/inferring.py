"""Acts of words that the lexicon does not list: by verbs they are a way of, made from, or called abroad."""

from __future__ import annotations

from functools import lru_cache

from gate.language.interlingual import english_verbs
from gate.language.lexicon import Lexicon, load
from gate.language.thesaurus import verbs_of, ways_of

SURELY = 0.75  # grade from which an inferred act counts as said


@lru_cache(maxsize=4096)
def inferred_acts(word: str, language: str) -> tuple[tuple[str, float], ...]:
    """Acts of a verb that the lexicon does not list: those of the verbs it is a way of, the nearest alone."""
    lexicon = load(language)
    for base in _base_forms(word, lexicon):
        if lexicon.has("own_verb", base):
            return ()
        if base.startswith("re") and len(base) > 5:
            again = [
                p.meaning for p in lexicon.acts.get(lexicon.base(base[2:]), ()) if not p.rest and not p.unsure
            ]
            if again:
                return tuple((act, 1.0) for act in again)
        acts: dict[str, float] = {}
        for other, grade in ways_of(base):
            if acts and grade < min(acts.values()):
                break
            for phrase in lexicon.acts.get(lexicon.base(other), ()):
                if not phrase.rest and not phrase.unsure:
                    acts.setdefault(phrase.meaning, grade)
        if acts:
            return tuple(acts.items())
    return ()


@lru_cache(maxsize=4096)
def acts_abroad(stemmed: str, language: str) -> tuple[tuple[str, float], ...]:
    """Acts of a verb of another language that its lexicon does not list: of its nearest English verbs."""
    lexicon = load("en")
    acts: dict[str, float] = {}
    for verb, grade in english_verbs(stemmed, language):
        if acts and grade < min(acts.values()):
            break
        listed = [p.meaning for p in lexicon.acts.get(lexicon.base(verb), ()) if not p.rest and not p.unsure]
        for act in listed or [act for act, _ in inferred_acts(verb, "en")] or [f"do:{lexicon.base(verb)}"]:
            acts.setdefault(act, grade)
    return tuple(acts.items())


@lru_cache(maxsize=4096)
def nominal_acts(noun: str) -> tuple[str, ...]:
    """Acts of an English noun that the lexicon does not list as one, by the verb that it is made from."""
    lexicon = load("en")
    acts: dict[str, None] = {}
    for verb in verbs_of(noun):
        listed = [p.meaning for p in lexicon.acts.get(lexicon.base(verb), ()) if not p.rest and not p.unsure]
        acts.update(
            dict.fromkeys(listed or [act for act, grade in inferred_acts(verb, "en") if grade >= SURELY])
        )
    return tuple(acts)


def _base_forms(word: str, lexicon: Lexicon) -> list[str]:
    """What an inflected verb may be a form of, the word itself first."""
    forms = [lexicon.irregular.get(word, word)]
    for ending, instead in (("ing", ("", "e")), ("ed", ("", "e")), ("es", ("", "e")), ("s", ("",))):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            rest = word[: -len(ending)]
            forms += [rest + more for more in instead]
            if len(rest) > 3 and rest[-1] == rest[-2]:
                forms.append(rest[:-1])
    return forms
