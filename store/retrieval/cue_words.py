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
_WE = """
we us our ours weve wir uns unser unsere unseren nosotros nuestro nuestra
nous notre noi nostro nostra nossa
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
OWN = FIRST_PERSON | frozenset(_WE.split())  # asked for oneself, alone or with one's own
_SAID = (
    "said|told|suggested|recommended|mentioned|advised|explained|listed|gave|given|wrote|written|provided|proposed"
    "|offered|named|described|pointed|showed|shown|came up with|brought up|put (?:down|in|on)|called"
)
_SAY = (
    "say|tell|suggest|recommend|mention|advise|explain|list|give|write|propose|offer|name|describe|point"
    "|show|call"
)
# what it has said, not what it is asked to say ('can you suggest ...', 'what do you recommend')
PARTNER_SAYS = re.compile(
    rf"\b(?:(?:did|have|had) you (?:\w+ )?(?:{_SAY}|{_SAID}|come up with|bring up)"
    rf"|you(?:d|ve)? (?:had |have )?(?:(?!were|are|was|have|had|only)\w+ )?(?:{_SAID})"
    r"|your (?:\w+ )?(?:suggestions?|recommendations?|advice|answers?|explanation|list|reply|proposals?)"
    r"|according to you|in your (?:view|opinion)"
    r"|hast du (?:\w+ )*(?:gesagt|empfohlen|vorgeschlagen|geraten|genannt)"
    r"|du (?:\w+ )*(?:gesagt|empfohlen|vorgeschlagen|geraten|genannt)"
    r"|(?:tu mas|vous mavez|as tu|avez vous) (?:\w+ )?(?:dit|conseille|recommande|propose|suggere)"
    r"|(?:dijiste|recomendaste|sugeriste|aconsejaste|propusiste|has dicho|has recomendado)"
    r"|(?:hai|avevi) (?:\w+ )?(?:detto|consigliato|suggerito|proposto))\b"
)
TO_ME = frozenset(["me", "mir", "moi", "mi"])
ANSWERING = frozenset(  # 'tell me'
    ["tell", "show", "give", "remind", "help", "let", "send", "sag", "zeig", "dis", "donne", "di", "da"]
)
PARTNER_NAMES = frozenset(["partner", "assistant", "ai", "bot", "model", "system"])
