"""German."""

from __future__ import annotations

from partner.formation.cues import Cues, places, rx

_OPEN = r"^(?:(?:und|aber|also|oh|ok|okay|bitte|so|ach|ja|nein|gut|na|übrigens|außerdem)[,:]?\s+)*"
_GOAL = r"(?:ziel|zielvorgabe|vorhaben|vorsatz|etappenziel)"
_DONT = r"vergiss|vergesst|vergessen|vergesse|zögere?|sorge?|keine sorge|scheu"

DE = Cues(
    code="de",
    words=frozenset(
        """der die das und ist nicht ein eine ich wir du sie es mit für auf im den dem des zu von bei wird werden haben hat sind war
        mein meine unser unsere dass auch nur noch jetzt bitte niemals kein keine sollen wie was wer wann""".split()
    ),
    stop=frozenset(
        """der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden worden hat haben
        habe hatte ich wir du ihr sie er es mich mir uns dich dir euch mein meine meinen meinem meiner unser unsere unseren unserem
        dein deine sein seine ihre ihr zu zum zur von vom bei beim im in an am auf für mit nach aus um bis seit über unter dass
        daß auch nur noch schon jetzt nun dann da doch so als wie was wer wann wo warum nicht kein keine keinen mehr bitte immer
        sehr ganz einmal mal sollen soll sollte kann können muss müssen darf dürfen will wollen stattdessen korrektur""".split()
    ),
    question=rx(
        _OPEN + r"(?:wer|was|wann|wo|warum|wieso|weshalb|wie|welche[rsnm]?|woher|wohin|womit|wieviel)\b(?!.*[.!:]$)",
        _OPEN + r"(?:ist|sind|hat|haben|soll|sollen|sollte[n]?|kann|können|darf|dürfen|wird|werden|muss|müssen|will|wollen|gibt|weißt|meinst|findest) (?:ich|wir|du|er|sie|es|man|der|die|das|den|unser\w*|mein\w*)\b(?!.*[.!]$)",
        r"\bich frage mich\b|\bob (?:wir|ich|man|das) (?:wohl|vielleicht)\b",
    ),
    hedge=rx(
        r"\b(?:vielleicht|eventuell|evtl|möglicherweise|womöglich|wahrscheinlich|vermutlich|wohl eher|mal sehen|unsicher|unentschlossen|unentschieden)\b",
        r"\b(?:nicht|noch nicht) (?:sicher|entschieden|klar)\b|\bweiß (?:ich )?(?:noch )?nicht\b|\bich (?:glaube|denke|vermute|überlege|schätze|spiele mit)\b|\bwir (?:überlegen|denken|spielen mit)\b",
        r"\b(?:könnte|könnten|dürfte|müsste)\b|^h+m+\b|\blaut gedacht\b|\bnur so (?:eine idee|ein gedanke)\b|\bdarüber schlafen\b|\bnichts entschieden\b",
    ),
    hypothetical=rx(
        r"\b(?:wäre|wären|hätte|hätten|würde|würden|könnte|könnten|gäbe|bräuchte)\b(?!.*\b(?:gern|gerne|lieber|am liebsten)\b)",
        r"^(?:angenommen|stell dir vor|stellen wir uns vor|nehmen wir an|gesetzt den fall|was wäre wenn|mal angenommen)\b|\bgedankenspiel\b|\bluftschloss\b",
    ),
    supposed=rx(r"\b(?:wäre|wären|hätte|hätten|würde|würden|könnte|könnten)\b"),
    joke=rx(r"\b(?:(?:nur )?(?:ein )?(?:scherz|spaß|witz)\b(?! mit)|scherz beiseite|haha\w*|hihi|lol|kleiner scherz)|[🤣😂😜😝😆]|;-?\)"),
    sarcasm=rx(
        r"^(?:oh |ach |na )?(?:klar|toll|super|genial|großartig|prima|wunderbar|herrlich|na dann|sicher)[,!]? (?:lass|lasst|und|dann|wir|machen|verkaufen|noch|genau|weil)\b",
        r"[🙄😏🙃]|\bwas soll schon schiefgehen\b|\bgenau mein humor\b|\bna bravo\b|\btolle idee\b.*\bnicht\b",
    ),
    undo_before=rx(
        r"^(?:nicht|von wegen|(?:nur |war nur |war )?(?:ein )?(?:scherz|spaß|witz)|kleiner scherz|(?:ha ?)+[,!. ]*(?:nur )?(?:ein )?(?:scherz|spaß))[.! 😂🤣😉]*$",
        r"^(?:das (?:ist|war) )?(?:nur|bloß) (?:so )?(?:ein|eine) (?:gedankenspiel|idee|gedanke|scherz|spinnerei|träumerei)\b",
    ),
    smalltalk=rx(
        r"^(?:hallo|hi|guten (?:morgen|tag|abend)|gute nacht|moin|servus|danke\w*|vielen dank|tschüss|bis (?:später|dann|morgen|bald)|gut|super|prima|toll|schön|okay|ok|ja|nein|genau|klar|alles klar|verstanden|passt|stimmt|aha|ach so|na gut|perfekt|wunderbar|entschuldigung|sorry|gern|gerne)"
        r"(?:[,.! ]+(?:danke|dir|schön|gut|dann|sehr|vielmals|mal|auch|bis \w+|ich \w+ nur|das ist alles))*[.! ]*$",
        r"^(?:was für (?:ein|eine|einen)|wie (?:schön|nett|schade|lustig|ärgerlich))\b|^ich (?:bin|war|hab\w*) (?:so |sehr |ziemlich |total |völlig |ganz |gerade )*(?:müde|hungrig|durstig|froh|traurig|kaputt|fertig|gespannt|neugierig|unterwegs|gleich|weg|zurück|da|krank|erledigt|hunger|durst|kopfweh)\b",
        r"^(?:das|es) (?:ist|war|klingt|wird|sieht) (?:so |sehr |echt |ganz |wirklich |ja |nicht )*(?:gut|schön|toll|super|schade|lustig|kalt|warm|heiß|schlecht|interessant|nett|komisch|egal|okay|richtig|prima|klasse|aus)\b[^0-9]{0,30}$",
        r"^(?:das wetter|der tag|der morgen|der abend|der kaffee|das wochenende) (?:ist|war|wird)\b[^0-9]{0,50}$|^es (?:regnet|schneit)\b",
        r"^(?:mach|macht) (?:es gut|weiter|mal)\b|^ich (?:muss los|gehe jetzt|geh jetzt|freue mich|hoffe|melde mich|schaue|gucke|sehe mal)\b",
    ),
    example=rx(r"^(?:zum beispiel|z\. ?b\.|beispielsweise|etwa so|wie etwa)\b|\b(?:ein|der) kunde (?:könnte|würde)\b|\bzum beispiel\b"),
    report=rx(
        r"\b(?:sagt|sagte|meint|meinte|behauptet|behauptete|glaubt|glaubte|findet|schrieb|schreibt|rief|schrie|erzählt|erzählte|erklärte|flüsterte|hofft)(?:,|:| dass| mir| uns| ihm| ihr|$)|\blaut (?!plan|vertrag)\w+|\bangeblich\b|\bhabe ich gehört\b"
    ),
    request=rx(r"^(?:bitte|kannst du|könntest du|kannst|könnten sie)\b|^(?:zeig|such|schau|prüf|lies|fass|erklär|erinnere|schick|mach|öffne)\w* (?!.*\b(?:immer|nie|niemals)\b)"),
    prohibition=rx(
        r"\b(?:niemals|nie|nie wieder|keinesfalls|auf keinen fall|unter keinen umständen|nie mehr)\b",
        r"\b(?:darf|dürfen|darfst|dürft|soll|sollen|sollst|können|kann)\b[^.]*\b(?:nicht|kein\w*|niemand|nichts)\b|\b(?:niemand|keiner|kein\w* \w+)\b[^.]*\b(?:darf|soll)\b",
        r"\b(?:ist|sind|bleibt|bleiben|wird|werden)\b[^.]*\b(?:verboten|untersagt|tabu|nicht erlaubt|nicht gestattet|nicht zulässig)\b",
        _OPEN + r"(?!(?:" + _DONT + r")\b)(?:[a-zäöüß]+(?:e|t|en sie)?) (?:bitte |mir |ja |das |die |den |dem |der |\w+ ){0,6}(?:nicht|keine?n?)\b(?=.*$)(?<!ist nicht)(?<!war nicht)(?<!ich nicht)(?<!sind nicht)(?<!bin nicht)",
        _OPEN + r"kein(?:e|en)? [a-zäöüß]+ (?:ohne|vor|nach|an|am|in|im|auf|bei|für|ins)\b|\bfinger weg\b|\bich (?:verbiete|untersage)\b|\bnur [\wäöüß ]{2,40} (?:darf|dürfen)\b",
    ),
    not_prohibition=rx(
        r"\b(?:vergiss|vergesst|vergessen sie|zögere?|zögern sie) (?:bitte )?(?:nicht|nie)\b(?!.*\b(?:niemals|darf)\b)|\bnicht vergessen\b|\bnicht mehr\b(?!.*\b(?:darf|dürfen|soll|sollen)\b)|\bkeine (?:ahnung|sorge|eile|frage|zeit)\b|\bkein (?:problem|ding|thema|wunder)\b",
        r"^(?:ich|er|sie|es|wir|das|der|die|mein\w*|unser\w*|[A-ZÄÖÜ]\w+) (?:\w+ )?(?:habe|hat|haben|hatte|hatten|bin|ist|sind|war|waren|esse|isst|trinke|mag|kann|weiß|kenne|gehe|fahre|rauche|arbeite|will|möchte|heiße)\b.*\b(?:nie|niemals|nicht|kein\w*)\b(?!.*\b(?:verboten|erlaubt|gestattet|zulässig)\b)",
        r"\bspätestens\b(?!.*\b(?:nie|niemals|darf)\b)|\bnicht (?:nur|ganz|so|schlecht|immer)\b",
    ),
    permission=rx(r"\b(?:ist|sind) (?:jetzt |wieder |nun |ab sofort )*(?:erlaubt|gestattet|zulässig|in ordnung)\b|\b(?:darf|dürfen|darfst) (?:jetzt|wieder|ab sofort|nun)\b|\b(?:verbot|sperre|regel)\b.*\b(?:aufgehoben|vorbei|gilt nicht mehr|hinfällig)\b"),
    reminder=rx(r"\b(?:vergiss|vergesst|vergessen sie) (?:bitte )?nicht\b|\bnicht vergessen\b|\bdenk(?:e|t)? (?:bitte )?(?:daran|dran|an)\b|\berinnere mich\b"),
    preference=rx(
        r"\bich (?:\w+ )?(?:mag|bevorzuge|hasse|liebe|ziehe \w+ vor|trinke|esse|nehme|benutze|verwende)\b(?!.*\bnie wieder\b)|\b(?:hätte|möchte|will|würde)\b.*\b(?:gern|gerne|lieber|am liebsten|bitte|immer|künftig|in zukunft)\b|\b(?:am liebsten|lieber)\b",
        r"\bich (?:möchte|will|hätte) (?:meine|meinen|mein|die|den|das|antworten|berichte)\b|\bmir ist (?:es )?(?:lieber|wichtig)\b|\bgefällt mir\b|\b(?:ich )?mag (?:ich )?(?:nicht|keine?n?)\b|\bnenn(?:e|t|en sie)? mich\b|\bduze mich\b|\bsieze mich\b|\bich (?:fange|beginne) immer\b|\bich \w+ immer\b",
        r"^(?:bitte )?(?:antworte|schreib|schreibe|halte|nutze|verwende|benutze|fasse|sprich)\w*\b.*\b(?:immer|kurz|künftig|in zukunft|ab jetzt|ab sofort|grundsätzlich|auf (?:deutsch|englisch|französisch))\b",
    ),
    habit=rx(
        r"\b(?:immer wenn|jedes mal(?:,)? wenn|sooft|sobald|jedes mal)\b|^(?:wenn|sobald|falls|bevor|nachdem)\b[^,]+,\s*(?:dann )?(?:bitte )?(?!ich|wir|er|sie|es|der|die|das|ist|wird|hat|sind)[a-zäöüß]+(?:e|t|en sie)?\b(?! (?:ich|wir|er|sie|es|der|die|das|man)\b)",
        r"^(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft|grundsätzlich|generell|immer)\b|\bmit [\"„'“]?[\w ]+[\"“”']? meine ich\b",
    ),
    identity=rx(
        r"^(?:ich bin|ich heiße|ich wohne|ich lebe|ich arbeite|ich komme aus|ich habe (?:einen|eine|ein|zwei|drei|vier|\d+)|ich spreche|ich fahre|ich studiere|ich leite|ich spiele|ich lerne|ich unterrichte|ich singe|ich esse|wir haben (?:einen|eine|ein|zwei|drei|\d+))\b",
        r"^mein(?:e)? (?:name|beruf|geburtstag|alter|frau|mann|partner\w*|tochter|sohn|kinder|hund|katze|bruder|schwester|mutter|vater|adresse|wohnung|haus|hobby|arbeitgeber|chef\w*|muttersprache|blutgruppe|zahnarzt|zahnärztin|hausarzt|hausärztin|auto|handy|lieblings\w*)\b",
    ),
    objective=rx(
        r"\b(?:mein|unser|das|neues|nächstes|ein) (?:\w+ )?" + _GOAL + r"\b.*(?::|\bist\b|\blautet\b|\bbleibt\b)|^" + _GOAL + r"\b.*(?::|\bist\b)|\b(?:ich|wir) (?:will|wollen|möchte|möchten|plane|planen|habe vor|haben vor|beabsichtige\w*|strebe\w*)\b.*\b\w+(?:en|n)\b[.!]*$|\bhabe mir vorgenommen\b|\bnehme mir vor\b",
    ),
    not_objective=rx(r"\b(?:ins bett|nach hause|schlafen|sagen|wissen|fragen|nur kurz|betonen)\b"),
    decision=rx(
        r"\b(?:wir|ich) haben? (?:uns )?(?:\w+ )*?(?:entschieden|beschlossen|vereinbart|festgelegt|geeinigt|ausgewählt|gewählt|abgemacht)\b|\b(?:ist|sind|war) (?:jetzt |nun |damit )*(?:beschlossen|entschieden|abgemacht|vereinbart|fix|ausgemacht|endgültig)\b",
        r"^(?:beschlossen|entschieden|entscheidung|beschluss|vereinbart|abgemacht|ergebnis|festgelegt)\b[^:]{0,60}[:,.–—-]|\b(?:wir|ich) (?:nehmen|nehme|machen das|bleiben bei|bleibe bei|entscheiden uns|entscheide mich|setzen auf)\b|\bes bleibt (?:bei|dabei)\b",
    ),
    correction=rx(
        r"\b(?:korrektur|berichtigung|korrigiere|doch nicht|doch|stattdessen|statt|anstatt|anstelle|eigentlich|meinung geändert|anders entschieden|umentschieden|überlegt|irrtum|verwechselt|vertan|geirrt|versehen|falsch|stimmt nicht|nein,|moment|streich das|neuer plan|planänderung|ab sofort|ab jetzt|von nun an|neu:|ersetzt|gilt jetzt)\b"
    ),
    now=rx(r"\b(?:jetzt|nun|inzwischen|mittlerweile|neuerdings|ab sofort|ab heute|ab morgen|künftig|seit heute|wieder|verschoben|geändert|verlegt|neu|neue[rsn]?|übernimmt|wurde auf)\b"),
    gone=rx(r"\b(?:nicht mehr|kein\w* \w+ mehr|nicht länger|aufgehört|gekündigt|ausgezogen|verlassen|vorbei|abgesagt|zurückgetreten|verkauft)\b"),
    retract=rx(
        r"^(?:nein,? |bitte |sorry,? |ach,? |und |moment,? |oh,? )*(?:vergiss|vergessen sie|streiche?|lösche?|ignoriere?|verwirf|verwerfe) (?:bitte )?(?:das\b|es\b|alles\b|was ich\b|die (?:sache|regel|aussage|notiz|angabe|info\w*)\b|den (?:satz|punkt|hinweis)\b|(?:die|den|das|meine|mein) [\wäöüß -]{2,40}(?:,|\.|$| wieder))",
        r"^(?:nein,? |sorry,? |ach,? |oh,? )*(?:das|was ich (?:gesagt|geschrieben)[\w ]*|die (?:angabe|aussage|zahl|sache)[\w äöüß]*|das mit [\w äöüß]+) (?:war|ist|stimmt) (?:\w+ )?(?:falsch|nicht|ein irrtum|ein fehler|nicht richtig|unsinn|quatsch|nicht wahr)",
        r"\bich nehme (?:das|alles|meine aussage|zurück)\b.*\bzurück\b|\bnehme (?:das )?zurück\b|\bziehe (?:das|meine \w+) zurück\b",
    ),
    reached=rx(r"\b" + _GOAL + r"\b.{0,30}\b(?:erreicht|geschafft|erfüllt)\b|\b(?:geschafft|erreicht|erledigt|vollbracht)\b|\bhabe?n? .{0,60}(?:abgegeben|bestanden|eingereicht|abgeschlossen)\b"),
    dropped=rx(r"\b(?:ich|wir) (?:gebe?n?|lasse?n?|streiche?n?|verwerfe?n?|begrabe?n?) .{0,60}(?:auf|fallen|ziel|plan|vorhaben)\b|\b" + _GOAL + r"\b.{0,40}\b(?:gestrichen|aufgegeben|vom tisch|hinfällig|verworfen)\b|\bich will nicht mehr\b|\bwir wollen nicht mehr\b"),
    goal=rx(r"\b" + _GOAL + r"\b"),
    lead=places(
        r"^(?:und|aber|also|oh|ach|ok|okay|gut|ja|nein|na ja|naja|übrigens|apropos|nebenbei|kurz|kurzum|außerdem|zudem|ferner|dann|danke|schön|korrektur|kleine korrektur|berichtigung|entschieden|beschlossen|entscheidung|vereinbart|abgemacht|wichtig|hinweis|zur info|nur zur info|notiz|eigentlich|doch|nein doch|moment|sorry|entschuldigung|streich das|neuer plan|planänderung|zur bestätigung|noch etwas|noch eins|nochmals|im ernst|ernsthaft|jedenfalls|ergebnis|fürs protokoll)(?:\s*[,:;.!…]+\s*|\s*[-–—]+\s+)(?=\S)",
        r"^(?:und|aber|also|ach|oh)\s+(?=\S)",
        r"^(?:bitte )?(?:beachte|merk dir|merke dir|notiere|wisse|denk daran|es bleibt dabei|ich habe (?:meine meinung geändert|mich umentschieden))(?:,? dass|,|:)\s+",
    ),
    passing=places(r"(?:[,;.]|\s[-–—])\s*(?:und )?(?:übrigens|nebenbei(?: bemerkt)?|ach ja|ach übrigens|noch etwas|bevor ich es vergesse|apropos)[,:]?\s+", r"\s(?:übrigens|nebenbei)[,:]\s+"),
    joiner=places(r"\s*;\s*|,?\s+(?:und|aber) (?=(?:\w+ ){0,2}(?:niemals|nie|darf|dürfen|keinesfalls)\b)|\s[-–—]\s|,\s+aber\s+"),
)
