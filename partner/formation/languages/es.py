"""Spanish."""

from __future__ import annotations

from partner.formation.cues import Cues, places, rx

_OPEN = r"^(?:¡|¿|(?:y|pero|así que|oh|ok|vale|bueno|por favor|ah|además|también|oye|mira)[,:]?\s+)*"
_GOAL = r"(?:objetivo|meta|propósito)"

ES = Cues(
    code="es",
    words=frozenset(
        """el la los las de del que y en un una es son por para con no mi nuestro nuestra se lo al como más pero está están hay
        ser ha hemos vamos nunca cuando siempre yo nosotros""".split()
    ),
    stop=frozenset(
        """el la los las un una unos unas de del que y e o u en es son era ser está están por para con sin no mi mis tu tus su sus nuestro
        nuestra nuestros nuestras me te se nos lo le les al a como más pero ya hay ha han he hemos muy también si sí cuando donde quien
        qué cuál cómo dónde ahora hoy siempre nunca yo nosotros ella él eso esto este esta corrección vez""".split()
    ),
    question=rx(
        r"^¿|¿[^?]*\?", _OPEN + r"(?:qué|quién|quiénes|cuándo|dónde|por qué|cómo|cuál|cuáles|cuánto\w*|cuánta\w*)\b(?!.*[.!:]$)", r"\bme pregunto\b|\bno sé si\b",
    ),
    hedge=rx(
        r"\b(?:quizás?|tal vez|a lo mejor|probablemente|posiblemente|igual|puede que|seguramente|supongo|creo que|pienso que|me parece que|no estoy segur[oa]|no sé|aún no|todavía no (?:sé|hemos|está)|estoy pensando|estamos pensando|dudo|podríamos|podría|podrían|déjame pensar|lo consulto con la almohada|sin decidir|indecis[oa])\b|^h+m+\b",
    ),
    hypothetical=rx(
        r"^(?:y |pero )?(?:si|imagina|imaginemos|supongamos|suponiendo|pongamos|digamos)\b.*\b\w+(?:ría|rías|ríamos|rían|ara|aras|áramos|aran|iera|ieras|iéramos|ieran|ase|iese)\b|^(?:imagina|imaginemos|supongamos|supón)\b|\bqué pasaría si\b|\bojalá\b|\bsi \w+ (?:\w+ )?(?:pudiera|tuviera|fuera|hubiera)\w*\b|\bsería (?:genial|bonito|divertido|mejor)\b",
    ),
    supposed=rx(r"\b\w+(?:ría|ríamos|rían)\b"),
    joke=rx(r"\b(?:es broma|era broma|bromeo|broma|jaja\w*|jeje\w*|de broma|lol|estoy bromeando)\b|[🤣😂😜😝😆]|;-?\)"),
    sarcasm=rx(r"^(?:ah |oh |sí |claro,? )*(?:claro|genial|perfecto|estupendo|brillante|fantástico|maravilloso|por supuesto)[,!]? (?:vamos|vendamos|y|que|hagamos|porque|entonces|pongamos)\b|[🙄😏🙃]|\bqué podría salir mal\b|\bsí,? claro\b"),
    undo_before=rx(r"^(?:¡)?(?:no|es broma|era broma|bromeaba|ja ?ja\w*[,! ]*(?:es broma)?|nada,? es broma|mentira)[.! 😂🤣😉]*$|^(?:es|era) (?:solo|sólo|nada más que) (?:una )?(?:idea|hipótesis|broma|fantasía|ocurrencia)\b"),
    smalltalk=rx(
        r"^(?:¡)?(?:hola|buenos días|buenas (?:tardes|noches)|gracias|muchas gracias|adiós|hasta (?:luego|mañana|pronto)|vale|ok|bien|muy bien|perfecto|genial|estupendo|sí|no|claro|exacto|entendido|de acuerdo|ya|ah|ya veo|qué bien|perdón|perdona|lo siento|por supuesto)(?:[,.! ]+(?:gracias|bien|entonces|todo|a ti|vale|eso es todo|pues))*[.! ]*$",
        r"^(?:¡)?qué (?:día|mañana|tarde|noche|bien|bonito|pena|lástima|calor|frío|gracia|rico|suerte|cansancio|susto|alegría)\b|^(?:estoy|estamos|me siento|tengo) (?:muy |tan |un poco |mucha |mucho )*(?:cansad[oa]s?|hambre|sed|sueño|feliz|contento|contenta|triste|aburrid[oa]|ocupad[oa]|list[oa]|frío|calor|prisa|molid[oa]|agotad[oa])\b",
        r"^(?:eso|esto) (?:es|está|suena|fue) (?:muy |tan |bastante )*(?:bien|bueno|genial|bonito|raro|divertido|mal|interesante|curioso|todo|verdad)\b[^0-9]{0,30}$|^(?:llueve|nieva|hace (?:frío|calor|sol|viento))\b|^me voy\b|^voy a (?:comer|dormir|salir|almorzar|ver|mirar)\b",
    ),
    example=rx(r"^(?:por ejemplo|p\. ?ej\.|un ejemplo)\b|\bpor ejemplo\b|\bun cliente podría\b"),
    report=rx(r"\b(?:dice|dijo|dicen|piensa|cree|creen|opina|asegura|afirma|escribió|gritó|cuenta|contó|comentó|insiste|espera)(?:,|:| que\b| «| ['\"])|\bsegún (?!el plan|lo acordado|el contrato)\w+|\bhe oído que\b"),
    request=rx(r"^(?:por favor|puedes|podrías|me puedes)\b|^(?:dime|busca|muéstrame|resume|explica|revisa|envía|abre|lee|recuérdame)\b"),
    prohibition=rx(
        _OPEN + r"(?:nunca|jamás|nunca más)\b (?!he\b|hemos\b|ha\b|fui\b|me\b|había\b|supe\b)\w+",
        r"(?:^|[,;:] |\b(?:y|pero|además|por favor,?) )no (?!olvid|dud|te preocup|se preocup|hay\b|es\b|está\b|sé\b|tengo\b|tenemos\b|puedo\b|me\b|he\b|hemos\b|ha\b|estoy\b|soy\b|creo\b|quiero\b|importa\b|pasa\b|sabía\b|era\b|fue\b|nos\b|lo sé|te rías|son\b|están\b|vive\b|trabaja\b|te pierdas)(?:la |lo |las |los |le |les |se |te )?\w+(?:as|es|a|e|an|en|éis|áis|ís)\b",
        r"\b(?:no se (?:puede|debe|permite)|no (?:puedes|debes|pueden|deben|puede|debe|está permitido|están permitid[oa]s)|está (?:prohibid[oa]|terminantemente prohibid[oa])|están prohibid[oa]s|queda prohibid[oa]|prohibido|nadie (?:puede|debe)|ningun[oa]? \w+ (?:puede|debe)|bajo ningún concepto|en ningún caso|de ninguna manera|ni se te ocurra|prohíbo)\b",
        r"\bsolo [\wáéíóúñ ]{2,40} (?:puede|pueden)\b",
    ),
    not_prohibition=rx(r"\bno (?:te )?(?:olvides|olvidéis|olvide|dudes|dude|te preocupes)\b(?!.*\b(?:nunca|jamás)\b)|^(?:yo |él |ella )?(?:nunca|jamás) (?:he|ha|hemos|como|bebo|fumo|voy|veo)\b|\bno más tarde (?:de|que|del)\b(?!.*\bnunca\b)|\bno hay (?:problema|prisa|nada)\b|\bya no\b(?!.*\b(?:se puede|puedes)\b)|^no (?:es|está|era|son) (?!permitid)"),
    permission=rx(r"\b(?:está|están|queda) (?:ya |ahora |otra vez |de nuevo )*(?:permitid[oa]s?|autorizad[oa]s?)\b|\bya (?:se )?(?:puede|puedes|pueden)\b|\b(?:prohibición|regla|veto)\b.*\b(?:levantad[oa]|anulad[oa]|ya no)\b"),
    reminder=rx(r"\bno (?:te )?(?:olvides|olvide|olvidéis)\b|\brecuerda\b|\bacuérdate\b|\brecuérdame\b"),
    preference=rx(
        r"\b(?:prefiero|preferimos|me gusta\w*|no me gusta\w*|me encanta\w*|odio|detesto|adoro|preferiría|me gustaría (?:recibir|tener|que)|quiero (?:mi|mis|el|la|los|las|que|recibir)|quisiera (?:mi|mis|el|la|que|recibir)|no soporto|mi favorit[oa])\b",
        r"\b(?:llámame|háblame|respóndeme|escríbeme|trátame)\b|^(?:por favor,? )?(?:responde|contesta|escribe|usa|mantén|habla)\b.*\b(?:siempre|breve\w*|cort[oa]s?|en (?:español|inglés)|a partir de ahora|en adelante)\b|\b(?:siempre|normalmente|suelo) (?!que\b)\w+o\b|^suelo\b",
    ),
    habit=rx(r"^(?:cuando|siempre que|cada vez que|en cuanto|si|antes de|después de)\b[^,]+,\s*(?:por favor,? |siempre )?(?!yo|el|la|los|las|se|me|nos|es|está|hay|no hay|vamos|iremos|será)\w+\b|\b(?:cada vez que|siempre que)\b|^(?:a partir de ahora|de ahora en adelante|por defecto|en general|siempre)\b|\bcuando digo\b|\bquiero decir\b|\bme refiero a\b"),
    identity=rx(
        r"^(?:yo )?(?:soy|me llamo|vivo|trabajo|tengo (?:un|una|dos|tres|cuatro|\d+)|nací|hablo|estudio|conduzco|enseño|juego|canto|aprendo|toco|dirijo|llevo \w+ años)\b|^mi (?:nombre|profesión|trabajo|oficio|cumpleaños|edad|mujer|esposa|marido|esposo|pareja|hija|hijo|perro|perra|gato|gata|hermano|hermana|madre|padre|dirección|casa|piso|jefe|jefa|dentista|médico|médica|coche|móvil|teléfono|grupo sanguíneo|color favorito|lengua materna)\b"
    ),
    objective=rx(r"\b(?:mi|nuestro|nuestra|el|la|nuevo|nueva|otro) (?:\w+ )?" + _GOAL + r"\b.*(?::|\bes\b|\bsigue\b|\bson\b)|^" + _GOAL + r"\b.*(?::|\bes\b)|\b(?:quiero|queremos|pienso|pensamos|me propongo|nos proponemos|pretendo|pretendemos|aspiro a|espero|tengo la intención de|planeo|planeamos|quisiera) \w*(?:ar|er|ir)(?:me|nos|se|lo|la)?\b"),
    not_objective=rx(r"\b(?:quiero|queremos) (?:dormir|decir|saber|irme|preguntar|agradecer)\b"),
    decision=rx(
        r"\b(?:hemos|he|se ha|han) (?:\w+ )?(?:decidido|acordado|elegido|optado|resuelto|escogido|quedado en|pactado)\b|\b(?:está|queda|es) (?:ya )?(?:decidido|acordado|definitivo|cerrado|resuelto|hecho)\b|^(?:decidido|decisión|acordado|acuerdo|resuelto|conclusión)\b[^:]{0,60}[:,.–—-]|\b(?:decidimos|acordamos|elegimos|optamos por|nos quedamos con|me quedo con|vamos con|iremos con|vamos a \w+r)\b",
    ),
    correction=rx(r"\b(?:corrección|corrijo|rectifico|rectificación|en realidad|mejor dicho|al final|finalmente|en vez de|en lugar de|en cambio|cambié de idea|he cambiado de (?:idea|opinión)|cambio de planes?|me equivoqué|me he equivocado|error mío|no,|perdón|quise decir|borra eso|tacha eso|nuevo plan|a partir de (?:hoy|ahora)|ya no|reemplaza|sustituye|confundí)\b"),
    now=rx(r"\b(?:ahora|ya|actualmente|a partir de|desde (?:hoy|mañana|ahora)|de nuevo|otra vez|últimamente|nuev[oa]s?|pasa a|se mueve|se cambia|cambia a|cambió|se aplaza|se traslada|se encarga ahora)\b"),
    gone=rx(r"\b(?:ya no|dejó de|dejé de|se fue|renunció|se jubiló|dimitió|terminó|se acabó|vendí|cancelad[oa])\b"),
    retract=rx(
        r"^(?:no,? |por favor,? |perdón,? |ah,? |y |espera,? )*(?:olvida|olvídate de|olvídalo|ignora|borra|tacha|descarta|anula|elimina)\b(?!.*\b(?:archivo|carpeta|fichero|disco)\b)",
        r"^(?:no,? |perdón,? |ah,? )*(?:eso|lo que (?:dije|he dicho|te dije)[\wáéíóúñ ]*|lo del? [\wáéíóúñ ]+|lo de la [\wáéíóúñ ]+|el dato[\wáéíóúñ ]*|la cifra[\wáéíóúñ ]*) (?:estaba|está|era|es|no era|no es|fue) (?:mal|un error|falso|incorrect[oa]|equivocad[oa]|cierto|verdad|mentira)",
        r"\b(?:retiro|me retracto de|retiro lo dicho)\b",
    ),
    reached=rx(r"\b" + _GOAL + r"\b.{0,30}\b(?:alcanzad[oa]|cumplid[oa]|logrado|conseguido|lograda|conseguida)\b|\b(?:lo (?:logramos|conseguimos|logré|conseguí|hicimos)|hemos (?:alcanzado|llegado a|conseguido|cumplido|logrado)|he (?:alcanzado|conseguido|cumplido|logrado|entregado|terminado))\b"),
    dropped=rx(r"\b(?:abandono|abandonamos|renuncio a|renunciamos a|dejo|dejamos|desisto de|descartamos|descarto|cancelo|cancelamos|ya no (?:quiero|queremos|vamos a|voy a))\b|\b" + _GOAL + r"\b.{0,40}\b(?:descartad[oa]|abandonad[oa]|cancelad[oa]|anulad[oa])\b"),
    goal=rx(r"\b" + _GOAL + r"\b"),
    lead=places(
        r"^(?:y|pero|bueno|vale|ok|oye|mira|ah|oh|sí|no|por cierto|además|también|entonces|pues|gracias|perfecto|corrección|rectifico|rectificación|decidido|decisión|acordado|acuerdo|finalmente|al final|en realidad|en serio|ahora en serio|resumen|en resumen|nota|aviso|importante|perdón|confirmado|para confirmar|una cosa más|otra cosa|conclusión|espera|mejor dicho|borra eso|nuevo plan)(?:\s*[,:;.!…]+\s*|\s*[-–—]+\s+)(?=\S)",
        r"^(?:y|pero|pues)\s+(?=\S)",
        r"^(?:ten en cuenta|recuerda|apunta|anota|queda decidido|está decidido|he decidido|hemos decidido)(?: que|,|:)\s+",
    ),
    passing=places(r"(?:[,;.]|\s[-–—])\s*(?:y )?(?:por cierto|a propósito|ah,? y|otra cosa|antes de que se me olvide)[,:]?\s+", r"\spor cierto[,:]\s+"),
    joiner=places(r"\s*;\s*|,?\s+(?:y|pero) (?=(?:nunca|jamás|no se puede|no debes|no puedes|nadie|está prohibid)\b)|\s[-–—]\s"),
)
