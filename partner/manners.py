"""What a message is to a conversation before it is about anything: a question, a greeting, thanks."""

from __future__ import annotations

import re

from store.retrieval.text import words

# 'so much', 'you are great', 'for your help': closed, or it would pass over an order that follows the thanks
_MORE = (
    r"(?: (?:so|very|much|a|lot|you|youre|are|were|is|thats|great|good|kind|the|best|for|that|this|your|help"
    r"|it|all|everything|again|partner|dir|ihnen|schon|sehr|fur|die|deine|hilfe|das|ti|te|por|todo|tu|ayuda"
    r"|beaucoup|vous|bien|pour|tout|ton|aide|mille|tanto|di|per|tutto|il|tuo|aiuto|pela|ajuda|tudo))*"
)
# Folded words in, an answer in the same language out; the whole message has to read so.
_COURTESIES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?:{said})"), answer)
    for said, answer in (
        (
            rf"(?:ok |okay |great |perfect |ah )?(?:many )?(?:thanks|thank you|thx|cheers){_MORE}",
            "You're welcome.",
        ),
        (rf"(?:ok |super |prima )?(?:vielen |besten |herzlichen )?(?:danke|dank){_MORE}", "Gern."),
        (rf"(?:muchas |mil )?gracias{_MORE}", "De nada."),
        (rf"(?:ok )?merci{_MORE}", "Je vous en prie."),
        (rf"(?:ok )?(?:tante |mille )?grazie{_MORE}", "Prego."),
        (rf"(?:muito )?obrigad[oa]{_MORE}", "De nada."),
        (r"(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| again| partner)?", "Hello."),
        (r"(?:hallo|guten (?:morgen|tag|abend)|moin|servus)(?: zusammen| partner)?", "Hallo."),
        (r"(?:hola|buen(?:os|as) (?:dias|tardes|noches))", "Hola."),
        (r"(?:salut|bonjour|bonsoir)", "Bonjour."),
        (r"(?:buongiorno|buonasera|salve)", "Buongiorno."),
        (r"(?:ola|bom dia|boa (?:tarde|noite))", "Olá."),
        (
            r"(?:ok|okay|alright|all right|got it|fine|great|perfect|good|nice|cool|sure|understood|i see)",
            "All right.",
        ),
        (r"(?:alles klar|in ordnung|verstanden|gut|passt|super|prima)", "Gut."),
        (r"(?:vale|de acuerdo|entendido|perfecto)", "De acuerdo."),
        (r"(?:daccord|entendu|parfait|tres bien)", "D'accord."),
        (r"(?:va bene|daccordo|capito|perfetto)", "Va bene."),
        (r"(?:(?:good ?)?bye(?: bye)?|good night|see you(?: \w+){0,2}|until tomorrow)", "See you."),
        (r"(?:tschuss|auf wiedersehen|gute nacht|bis morgen)", "Bis dann."),
    )
)


def noted(text: str) -> str:
    """What memory says to a message that only states things, in the message's own language."""
    from gate.language.detect import detect_language
    from gate.language.normalise import fold
    from partner.formation.data import load
    from partner.formation.languages import CODES, cues_for

    said: dict[str, str] = load("replies")["noted"]
    code = detect_language(fold(text).text, text)
    if code in CODES or code not in said:  # else one that nothing is formed in, and that formation takes for
        code = cues_for(text).code  # the nearest of its own
    return said.get(code, said["en"])


def asks(text: str) -> bool:
    """Whether the words ask for something back; a plain statement does not."""
    return "?" in text or "？" in text or "؟" in text


def courtesy(text: str) -> str | None:
    """What one says to a greeting, to thanks and the like; None for a message that is more than that."""
    if len(text) > 60 or asks(text) or any(mark.isdigit() for mark in text):
        return None
    line = " ".join(words(text))
    return next((answer for shape, answer in _COURTESIES if shape.fullmatch(line)), None)
