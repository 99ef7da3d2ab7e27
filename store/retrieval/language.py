"""Which language a text is in, its stop words and its stems: en, de, es, fr, it, pt.

Snowball stems (Porter 2001) come from `snowballstemmer`; English irregular forms are mapped to their base
first, because no suffix rule relates 'went' to 'go'. A language is named only when its function words
outnumber every other language's; otherwise English is assumed at write and every language is tried on
reading, so a one-word query in any of them still meets its text.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Protocol

LANGUAGES = ("en", "de", "es", "fr", "it", "pt")
_SNOWBALL = {
    "en": "english",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "pt": "portuguese",
}

# Folded (no case, no accents, no apostrophes), as `text.words` gives them.
_FUNCTION_WORDS = {
    "en": """
        a about after again all also am an and any are as at be because been before being both but by can
        cannot could did do does doing dont during each else ever few for from further get gets getting
        got had has have having he her here hers him his how i if im in into is isnt it its ive just let
        lets like me might more most much must my no nor not of off on once one only or other our ours
        out over own please s same she should so some such t tell than that thats the their theirs them
        then there these they this those through to too under until up upon us very was we were what whats
        when where which while who whom whose why will with without would you your youre yours yourself
    """,
    "de": """
        aber alle als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den der
        des die dies diese doch du durch ein eine einem einen einer eines er es euch fur gegen hab habe
        haben hat hatte hier ich ihm ihn ihr ihre im in ist ja jede kann kein keine man mein meine mich
        mir mit nach nicht noch nun nur ob oder ohne schon sehr sein seine sich sie sind so uber um und
        uns unser vom von vor wann warum was weil welche wem wen wenn wer werden wie wieder wir wird wo
        wurde zu zum zur zwar
    """,
    "es": """
        a al algo ante aqui asi aun como con cual cuando cuanto de del desde donde dos e el ella ellas
        ellos en entre era es esa ese eso esta este esto estoy fue ha hace han hasta hay he la las le les
        lo los mas me mi mis muy nada ni no nos nosotros o para pero por porque que quien se sea ser si
        sin sobre son soy su sus tambien te tengo tiene todo tu tus un una uno unos y ya yo
    """,
    "fr": """
        a ai alors apres au aux avait avec avez avoir c ce cela ces cest cet cette ceux comme d dans de
        des deux du elle elles en es est et etait ete etre eu fait ici il ils j jai je l la le les leur
        leurs lui ma mais me meme mes moi mon n ne nos notre nous on ont ou par pas plus pour pourquoi
        quand que quel quelle qui quil s sa sans se ses si son sont sur ta te tes toi ton tres tu un une
        vos votre vous y
    """,
    "it": """
        a ad ai al alla alle anche c che chi ci come con cosa da dal dalla dei del della delle di dove due
        e ed era essere fa fino fra gli ha hai hanno ho i il in io l la le lei lo loro lui ma me mi mia
        mio molto ne nei nel nella no noi non o per perche piu poi quale quando quanto quella quello
        questa questo qui se si sia sono sta su sua sul suo te ti tra tu tutto un una uno vi voi
    """,
    "pt": """
        a ao aos as ate com como da das de dela dele do dos e ela ele eles em entre era essa esse esta
        este estou eu foi ha isso isto ja la lhe mais mas me mesmo meu meus minha muito na nao nas nem no
        nos nossa nosso o onde os ou para pela pelo por porque pra quando que quem se sem ser seu seus sim
        so sobre sou sua suas tambem te tem tenho ter tu um uma voce
    """,
}
STOP_WORDS = {language: frozenset(text.split()) for language, text in _FUNCTION_WORDS.items()}
_FUNCTION = frozenset().union(*STOP_WORDS.values())

_IRREGULAR_FORMS = """
be was were been am is are | become became | begin began begun | bite bit bitten | blow blew blown |
break broke broken | bring brought | build built | burn burnt | buy bought | catch caught |
choose chose chosen | come came | deal dealt | dig dug | do did done does | draw drew drawn |
dream dreamt | drink drank drunk | drive drove driven | eat ate eaten | fall fell fallen | feed fed |
feel felt | fight fought | find found | fly flew flown | forget forgot forgotten |
forgive forgave forgiven | freeze froze frozen | get got gotten | give gave given | go went gone goes |
grow grew grown | hang hung | have has had | hear heard | hide hid hidden | hold held | keep kept |
know knew known | lay laid | lead led | learn learnt | leave left | lend lent | lie lay lain | light lit
| lose lost | make made | mean meant | meet met | pay paid | ride rode ridden | ring rang rung |
rise risen | run ran | say said | see saw seen | seek sought | sell sold | send sent | sew sewn |
shake shook shaken | shine shone | shoot shot | show shown | shrink shrank shrunk | sing sang sung |
sink sank sunk | sit sat | sleep slept | speak spoke spoken | spend spent | spin spun | stand stood |
steal stole stolen | stick stuck | strike struck | swear swore sworn | sweep swept | swim swam swum |
swing swung | take took taken | teach taught | tear tore torn | tell told | think thought |
throw threw thrown | understand understood | wake woke woken | wear wore worn | weave wove woven |
win won | wind wound | withdraw withdrew withdrawn | write wrote written | child children | man men |
woman women | person people | foot feet | tooth teeth | mouse mice | goose geese |
wife wives | knife knives | shelf shelves | half halves | good better best |
bad worse worst
"""
IRREGULAR = {
    form: base for line in _IRREGULAR_FORMS.split("|") for base, *forms in [line.split()] for form in forms
}


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@cache
def _stemmer(language: str) -> _Stemmer:
    import snowballstemmer

    return snowballstemmer.stemmer(_SNOWBALL[language])


@lru_cache(maxsize=1 << 16)
def stem(word: str, language: str = "en") -> str:
    """The stem of a folded word; digits and scripts the language doesn't write come back unchanged."""
    if language == "en":
        word = IRREGULAR.get(word, word)
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    return _stemmer(language).stemWord(word)


def detect(words: Iterable[str]) -> str | None:
    """The language of which strictly the most function words occur in `words`, or None."""
    languages = likely(words)
    return languages[0] if len(languages) == 1 else None


def likely(words: Iterable[str]) -> tuple[str, ...]:
    """The languages of which the most function words occur in `words`; () where there is none of any."""
    distinct = _FUNCTION.intersection(words)  # most words are none, and every append asks
    if not distinct:
        return ()
    counts = [len(distinct & stop) for stop in STOP_WORDS.values()]
    best = max(counts)
    return tuple(language for language, count in zip(LANGUAGES, counts, strict=True) if count == best)
