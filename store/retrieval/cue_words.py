"""Closed classes of words that cues are read from, folded, in en de es fr it pt."""

from __future__ import annotations

import re

_MONTH_NAMES = """
january januar enero janvier gennaio janeiro | february februar febrero fevrier febbraio fevereiro
march marz maerz marzo mars marco | april abril avril aprile | may mai mayo maggio maio
june juni junio juin giugno junho | july juli julio juillet luglio julho | august agosto aout
september septiembre septembre settembre setembro | october oktober octubre octobre ottobre outubro
november noviembre novembre novembro | december dezember diciembre decembre dicembre dezembro
"""
_TIME = """
yesterday today tonight tomorrow last next ago week weeks weekend weekends month months year years day days
since recent recently monday tuesday wednesday thursday friday saturday sunday morning evening summer winter
spring fall autumn just gestern heute morgen letzte letzten letztes nachste nachsten vor woche wochen monat
monate jahr jahre jahren tag tage tagen montag dienstag mittwoch donnerstag freitag samstag sonntag ayer hoy
manana semana semanas mes meses ano anos dia dias lunes martes miercoles jueves viernes sabado domingo hier
aujourdhui demain semaine semaines mois ans annee jour jours lundi mardi mercredi jeudi vendredi samedi
dimanche ieri oggi domani settimana mese mesi anno anni giorno giorni ontem hoje amanha
"""
_NUMBERS = """
one two three four five six seven eight nine ten once twice first second third several couple dozen few many
zwei drei vier funf sechs sieben acht neun zehn einmal zweimal dos tres cuatro cinco seis siete ocho nueve
diez deux trois quatre cinq sept huit neuf dix due tre quattro cinque sei sette otto nove dieci dois quatro
sete oito dez
"""
_BEFORE_A_MONTH = "in on of during since until by from early late mid this last next im am en de em a di"
_TIME_QUESTIONS = "when wann cuando quand quando"
_NUMBER_QUESTIONS = """
cuanto cuanta cuantos cuantas combien quanto quanta quanti quante quantos quantas wieviel
"""
_I = """
i im ive id ill me my mine myself ich mir mich mein meine meinen yo mi mis je jai moi mon ma mes io mio eu meu
"""
_PAIRS_OF_TIME = """
how long | what date day month year time | which date day month year | wie lange | welchem tag monat jahr
que dia mes ano hora | quel jour mois | che giorno mese anno ora
"""
_PAIRS_OF_NUMBER = "how many much often old | wie viel viele oft alt"


def _pairs(text: str) -> dict[str, frozenset[str]]:
    """'a b c | d e' as {'a': {'b', 'c'}, 'd': {'e'}}."""
    lines = [line.split() for line in re.split(r"[|\n]", text) if line.strip()]
    return {first: frozenset(rest) for first, *rest in lines}


MONTHS = {
    name: number
    for number, names in enumerate(re.split(r"[|\n]", _MONTH_NAMES.strip()), start=1)
    for name in names.split()
}
AMBIGUOUS_MONTHS = frozenset(["may", "march", "mars", "mai", "marco"])  # also a verb, a planet, a name
BEFORE_A_MONTH = frozenset(_BEFORE_A_MONTH.split())
ASKS_TIME = frozenset(_TIME_QUESTIONS.split())
ASKS_TIME_AFTER = _pairs(_PAIRS_OF_TIME)
ASKS_NUMBER = frozenset(_NUMBER_QUESTIONS.split())
ASKS_NUMBER_AFTER = _pairs(_PAIRS_OF_NUMBER)
TIME_WORDS = frozenset(_TIME.split())
NUMBER_WORDS = frozenset(_NUMBERS.split())
FIRST_PERSON = frozenset(_I.split())
_SAY = (
    "say|said|tell|told|suggest(?:ed)?|recommend(?:ed)?|mention(?:ed)?|advise[d]?|explain(?:ed)?|list(?:ed)?"
)
PARTNER_SAYS = re.compile(
    rf"\b(?:(?:did|have|had|do|can|could) you (?:\w+ )?(?:{_SAY}|give|gave|write|wrote)"
    rf"|you (?:\w+ )?(?:{_SAY}|gave|wrote|provided)"
    r"|your (?:\w+ )?(?:suggestions?|recommendations?|advice|answers?|explanation|list|reply)"
    r"|hast du (?:\w+ )*(?:gesagt|empfohlen|vorgeschlagen|geraten)"
    r"|du (?:\w+ )*(?:gesagt|empfohlen|vorgeschlagen))\b"
)
TO_ME = frozenset(["me", "mir", "moi", "mi"])
ANSWERING = frozenset(  # 'tell me'
    ["tell", "show", "give", "remind", "help", "let", "send", "sag", "zeig", "dis", "donne", "di", "da"]
)
OPERATOR_NAMES = frozenset(["operator", "user", "human", "me"])
PARTNER_NAMES = frozenset(["partner", "assistant", "ai", "bot", "model", "system"])
