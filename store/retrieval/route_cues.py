"""Words of a question that choose a class, closed lists on folded words, in en de es fr it pt.

The first that is there decides, in the order of `CUES`: a document is named most plainly, who one is and
what one wants most loosely.
"""

from __future__ import annotations

import re

from store.model import Klass

# A document is named after a word that makes it a source, or as what says, requires or covers something.
_DOCUMENT = (
    r"(?:document|doc|file|manual|handbook|report|policy|contract|spec|specification|guide|attachment|pdf|lease|"
    r"datasheet|tender|brochure|leaflet|letter|e?mail|article|paper|warranty|transcript|annex|appendix|clause|"
    r"statute|booklet|section|chapter|license|licence|protocol|syllabus|invoice|offer|study|note)s?|policies|"
    r"readme|wiki|documentation|minutes|bylaws|terms|instructions|faq|changelog|rfc|adr|"
    r"dokumente?|handbuch|bericht|datei|vertrag|mietvertrag|protokoll|anleitung|satzung|richtlinie|gutachten|"
    r"documentos?|informe|archivo|contrato|manual|reglamento|acta|poliza|rapport|fichier|contrat|bail|reglement|"
    r"notice|manuel|relatorio|arquivo|regulamento|ata|apolice|documenti|relazione|contratto|verbale|manuale|"
    r"regolamento|polizza"
)
_ARTICLE = (
    r"(?:the|a|an|any|our|my|your|his|her|their|this|that|which|der|die|das|den|dem|el|la|los|las|le|les|il|lo|"
    r"gli|o|os|as|no|na)"
)
_SOURCE = (
    r"(?:according to|in|from|per|under|read(?:s)?|laut|gemass|im|in der|segun|selon|dapres|dans|secondo|nel|"
    r"nella|de acordo com)"
)
_SPEAKING = (
    r"(?:does|do|did|sagt|steht|verlangt|schreibt|regelt|dit|prevoit|exige|dice|establece|prevede|diz|preve)"
)
_DECIDED = (
    r"(?:decided?|agreed?|settled?|concluded?|choose|chose|chosen|pick(?:ed)?|resolved?|opt(?:ed)?|selected|"
    r"(?:go|going|went|gone) (?:with|for))"
)
_SAID = (
    r"(?:say|said|saying|tell|told|telling|mention(?:ed|ing)?|ask(?:ed|ing)?|describ(?:e|ed|ing)|"
    r"complain(?:ed|ing)?|talk(?:ed|ing)?|discuss(?:ed|ing)?|call(?:ed)?|bring up|brought up)"
)
_GOALS = r"(?:goals?|objectives?|aims?|todos?|to dos?|resolutions?|ambitions?|targets?)"
_TASKS = r"(?:tasks?|items?|questions?|points?|issues?|threads?|matters?)"
_LIKE = r"(?:like|prefer|hate|dislike|enjoy|favou?r)"
_SHOWED = (
    r"(?:measure[sd]?|show(?:s|n|ed)?|report(?:ed)?|return(?:ed)?|print(?:ed)?|output|log(?:ged)?|"
    r"record(?:ed)?|weigh(?:ed)?)"
)
# What these say besides is not looked for: a decision on how a report is made must not answer what it says.
SPENT = frozenset(["it asks what a document says", "it asks what was decided", "it asks what was said"])
CUES: tuple[tuple[Klass, re.Pattern[str], str], ...] = (
    (
        Klass.KNOWLEDGE,
        re.compile(
            rf"\b(?:{_SOURCE} (?:{_ARTICLE} )?(?:\w+ )?(?:{_DOCUMENT})"
            rf"|{_SPEAKING} {_ARTICLE} (?:\w+ )?(?:{_DOCUMENT})"
            rf"|(?:{_DOCUMENT}) (?:say(?:s)?|states?|requires?|prescribes?|explains?|asks? for)"
            rf"|(?:section|clause|chapter|paragraph|article|page|part|line) (?:of|in) {_ARTICLE} (?:\w+ )?"
            rf"(?:{_DOCUMENT})"
            r"|(?:section|clause|chapter|paragraph|article|annex|page|artikel|kapitel|seite|articulo) \d+"
            r"|what (?:is|was|stands?) (?:\w+ )?(?:written|stated|documented))\b"
        ),
        "it asks what a document says",
    ),
    (
        Klass.CONCLUSION,
        re.compile(
            rf"\b(?:(?:did|have|had|do|are) we (?:\w+ ){{0,2}}{_DECIDED}"
            r"|(?:was|were|been|got) (?:\w+ )?(?:decided|agreed|settled|concluded|chosen|picked|resolved"
            r"|selected)|(?:our|the|which|what) (?:\w+ )?decisions?|(?:our|the) conclusions?"
            r"|our (?:position|stance|choice)|why did we"
            r"|haben wir (?:\w+ )*(?:entschieden|beschlossen|vereinbart|gewahlt)|entscheidung(?:en)?"
            r"|beschluss|(?:que|por que|como) (?:decidimos|acordamos)|decision(?:es)?"
            r"|(?:avons nous|on a) decide|decisione|abbiamo deciso|decisao)\b"
        ),
        "it asks what was decided",
    ),
    (
        Klass.OBSERVATION,
        re.compile(
            rf"\b(?:(?:did|have|had|was|were) (?:i|you|we) (?:\w+ ){{0,2}}{_SAID}"
            r"|(?:i|you) (?:said|told|mentioned|asked|described)|(?:my|your) words"
            r"|(?:i|you|we) (?:last )?(?:talked|spoke|chatted) (?:about|of)"
            r"|(?:our|last|the|this) (?:last )?(?:conversation|chat|talk)"
            r"|(?:habe ich|hast du|haben wir) (?:\w+ )*(?:gesagt|erzahlt|erwahnt|gesprochen)"
            r"|(?:te|me) (?:dije|dijiste|conte|contaste)|tai (?:je )?dit|mas dit|ti ho detto|mi hai detto"
            r"|te disse|me disseste)\b"
        ),
        "it asks what was said",
    ),
    (
        Klass.OBSERVATION,
        re.compile(
            rf"\b(?:(?:did|does|has) {_ARTICLE} (?:\w+ ){{1,2}}{_SHOWED}"
            r"|(?:came|come) (?:out|back) (?:when|of|from)"
            r"|when (?:i|you|we) (?:ran|run|executed|checked|tested|measured)"
            rf"|(?:results?|output|outcome|readings?) (?:of|from) {_ARTICLE}"
            r"|hat (?:der|die|das) (?:\w+ )+(?:gemessen|angezeigt|ergeben)|a (?:mesure|affiche)"
            r"|midio|mostro|ha (?:misurato|mostrato)|mediu|mostrou)\b"
        ),
        "it asks what was measured or shown",
    ),
    (
        Klass.OBJECTIVE,
        re.compile(
            rf"\b(?:(?:my|our|open) (?:\w+ ){{0,2}}{_GOALS}|(?:open|pending|unfinished|outstanding) {_TASKS}"
            r"|(?:am|are|do|was|were) (?:i|we) (?:\w+ )?(?:work(?:ing)?|aim(?:ing)?|striv(?:e|ing)"
            r"|sav(?:e|ing)|train(?:ing)?) (?:towards?|for|at)|(?:am|are) (?:i|we) (?:pursuing|trying to)"
            r"|(?:left|remains|remaining) (?:for (?:me|us) )?to (?:do|finish)|(?:still|yet) to (?:do|be done)"
            r"|what (?:do|should) (?:i|we) still (?:have|need) to"
            r"|(?:meine|unsere|offene[nr]?) (?:\w+ )?(?:ziele?|vorhaben|aufgaben)|woran arbeiten? (?:ich|wir)"
            r"|noch (?:offen|zu tun)|(?:mes|nos) (?:\w+ )?objectifs|reste t il a faire|reste a faire"
            r"|(?:mis|nuestros) (?:objetivos|metas)|quedan? por hacer|(?:miei|nostri) (?:obiettivi|traguardi)"
            r"|resta da fare|(?:meus|nossos) objetivos|(?:minhas|nossas) metas|falta fazer)\b"
        ),
        "it asks what is pursued",
    ),
    (
        Klass.DISPOSITION,
        re.compile(
            rf"\b(?:(?:do|would|should) i (?:\w+ )?{_LIKE}"
            r"|my (?:preferences?|habits?|tastes?|dislikes|pronouns)"
            r"|(?:know|remember|learned|learnt) (?:\w+ )?(?:about|of) me"
            r"|who am i\b(?! \w+ing\b)|what am i called"
            r"|(?:what|whats|which|how|where|wheres) (?:is |are |was )?my (?:full |first |last |current )?"
            r"(?:name|job|profession|occupation|role|diet|birthday|address|allerg(?:y|ies)|nationality|hometown|age"
            r"|hobb(?:y|ies)|favou?rite|mother tongue|native language|time zone)"
            r"|(?:should|shall|must) you (?:\w+ ){0,2}(?:answer|reply|respond|write|speak|talk|call|address)"
            r"|(?:mag|bevorzuge|mochte) ich|weisst du (?:\w+ )?(?:uber mich|von mir)|wer bin ich"
            r"|wie heisse ich|meine? (?:name|beruf|geburtstag|vorlieben?)"
            r"|sollst du (?:\w+ )*(?:antworten|schreiben|reden)"
            r"|je prefere|sais tu (?:de|sur) moi|qui suis je|mon (?:nom|metier|anniversaire)"
            r"|dois tu (?:me )?(?:repondre|ecrire)|prefiero|me gustan?|sabes (?:de|sobre) mi"
            r"|quien soy|mi (?:nombre|profesion|cumpleanos)|debes responder(?:me)?|preferisco"
            r"|mi piac(?:e|ciono)|sai (?:di|su di) me|chi sono io|mio (?:nome|lavoro|compleanno)"
            r"|devi rispondermi|prefiro|eu gosto|sabes? (?:de|sobre) mim|quem sou eu"
            r"|meu (?:nome|trabalho|aniversario)|deves? responder)\b"
            r"|^am i (?!\w+ing\b|allowed|free|late|supposed|right|on\b|in\b|due)"
        ),
        "it asks who the operator is or how they want things",
    ),
)
# Rules are compiled into the gate and never ranked: a question for them is told where they stand.
RULES = re.compile(
    r"\b(?:(?:are|were) you (?:\w+ )?(?:not |never )?(?:allowed|permitted|forbidden|prohibited)"
    r"|(?:may|must|can) you (?:not|never)|you (?:may|must|can) (?:not|never)"
    r"|rules? (?:have|did|do) (?:i|we) (?:\w+ )?(?:given?|set|made|make|have|told)"
    r"|my (?:rules|prohibitions)|rules (?:apply to|for) you"
    r"|(?:have|did|do) i (?:\w+ )?(?:forbidden|forbid|prohibit(?:ed)?|ban(?:ned)?)"
    r"|darfst du (?:\w+ )*nicht|(?:dir|ihnen) verboten|meine (?:regeln|verbote)|tai interdit"
    r"|tu ne dois (?:pas|jamais)|mes (?:regles|interdictions)|te (?:he )?prohibi(?:do)?|no (?:puedes|debes)"
    r"|mis (?:reglas|prohibiciones)"
    r"|ti ho (?:vietato|proibito)|non (?:puoi|devi)|mie regole|te proibi|nao (?:podes?|deves?)"
    r"|minhas regras)\b"
)
