"""Names of days, months and small numbers in the languages the former reads."""

from __future__ import annotations

_DAY_NAMES = (
    "monday montag lunes lundi lunedì segunda-feira",
    "tuesday dienstag martes mardi martedì terça-feira",
    "wednesday mittwoch miércoles mercredi mercoledì quarta-feira",
    "thursday donnerstag jueves jeudi giovedì quinta-feira",
    "friday freitag viernes vendredi venerdì sexta-feira",
    "saturday samstag sonnabend sábado samedi sabato",
    "sunday sonntag domingo dimanche domenica",
)
WEEKDAYS: dict[str, int] = {name: i for i, names in enumerate(_DAY_NAMES) for name in names.split()}

_MONTH_NAMES = (
    "january januar enero janvier gennaio janeiro jan",
    "february februar febrero février febbraio fevereiro feb",
    "march märz marzo mars março mar",
    "april abril avril aprile apr",
    "may mai mayo maggio maio",
    "june juni junio juin giugno junho jun",
    "july juli julio juillet luglio julho jul",
    "august agosto août aug",
    "september septiembre septembre settembre setembro sep sept",
    "october oktober octubre octobre ottobre outubro oct okt",
    "november noviembre novembre novembro nov",
    "december dezember diciembre décembre dicembre dezembro dec dez",
)
MONTHS: dict[str, int] = {name: i for i, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}

_NUMBER_NAMES = (
    "one a an ein eine einem einer einen un una uno une um uma",
    "two zwei dos deux due dois duas",
    "three drei tres trois tre três",
    "four vier cuatro quatre quattro quatro",
    "five fünf cinco cinq cinque",
    "six sechs seis sei",
    "seven sieben siete sept sette sete",
    "eight acht ocho huit otto oito",
    "nine neun nueve neuf nove",
    "ten zehn diez dix dieci dez",
    "eleven elf once onze undici",
    "twelve zwölf doce douze dodici doze",
)
_LARGER = {
    "fourteen": 14, "vierzehn": 14, "fifteen": 15, "quinze": 15, "quince": 15, "twenty": 20, "thirty": 30,
    "a couple of": 2,
}  # fmt: skip
NUMBER_WORDS: dict[str, int] = _LARGER | {
    name: i for i, names in enumerate(_NUMBER_NAMES, 1) for name in names.split()
}

RELATIVE_DAYS: dict[str, int] = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2, "tomorrow": 1,
    "yesterday": -1, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "last night": -1,
    "übermorgen": 2, "morgen": 1, "heute": 0, "gestern": -1, "vorgestern": -2,
    "pasado mañana": 2, "mañana": 1, "hoy": 0, "ayer": -1, "anteayer": -2, "anoche": -1,
    "après-demain": 2, "demain": 1, "aujourd'hui": 0, "aujourd’hui": 0, "hier": -1, "avant-hier": -2,
    "dopodomani": 2, "domani": 1, "oggi": 0, "ieri": -1, "amanhã": 1, "hoje": 0, "ontem": -1,
}  # fmt: skip
