"""French."""

from __future__ import annotations

from partner.formation.cues import Cues, places, rx

_OPEN = r"^(?:(?:et|mais|donc|alors|oh|ok|bon|bien|s['’]il (?:te|vous) plaît|ah|aussi|eh bien)[,:]?\s+)*"
_GOAL = r"(?:objectif|but|cible|ambition|résolution)"

FR = Cues(
    code="fr",
    words=frozenset(
        """le la les de des du et est un une que qui dans pour pas ne je nous vous il elle on mon ma notre nos ce c'est sont sur avec
        au aux en plus par se jamais mes sa son été ai avons""".split()
    ),
    stop=frozenset(
        """le la les l un une des de du d et ou en est sont était être a ai as ont avons avez pour par pas ne n que qu qui dans sur sous avec
        sans je j nous vous tu il elle on ils elles mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces c
        se s me m te t au aux y plus aussi mais donc si oui non très bien tout tous toute maintenant ici là où quand comment combien quoi
        quel quelle finalement correction lieu""".split()
    ),
    question=rx(
        r"\best-ce qu", _OPEN + r"(?:qui|que|quoi|quand|où|pourquoi|comment|combien|quel|quelle|quels|quelles)\b(?! que\b)(?!.*[.!:]$)", r"\b(?:as|avez|est|sont|faut|peut|doit|devons|veux|voulez|a)-(?:tu|vous|il|elle|on|nous|t-il|t-elle|t-on|ce)\b", r"\bje me demande\b",
    ),
    hedge=rx(
        r"\b(?:peut-être|probablement|sans doute|éventuellement|possiblement|je (?:pense|crois|suppose|dirais)|on pourrait|nous pourrions|je pourrais|je ne sais pas|pas (?:encore )?(?:sûre?|certaine?|décidé)|j['’]hésite|on hésite|nous hésitons|je réfléchis|on réfléchit|à voir|laisse-moi réfléchir|rien n['’]est décidé|la nuit porte conseil)\b|^h+u?m+\b",
    ),
    hypothetical=rx(
        r"^(?:et |mais )?(?:si|imagine|imaginons|supposons|admettons|disons)\b.*\b\w+(?:rais|rait|rions|raient|riez)\b|^(?:imagine|imaginons|supposons|admettons)\b|\bet si (?:on|nous|je)\b|\bidée en l['’]air\b|\bce serait (?:bien|beau|génial|drôle|chouette)\b|\bsi seulement\b|\bhypothèse\b.*\brien de plus\b",
    ),
    supposed=rx(r"\b\w+(?:rais|rait|rions|raient)\b"),
    joke=rx(r"\b(?:je (?:plaisante|rigole|blague)|c['’]est (?:une blague|pour rire)|haha\w*|hihi|mdr|lol|blague à part|pour rire)\b|[🤣😂😜😝😆]|;-?\)"),
    sarcasm=rx(r"^(?:oh |ah |mais )?(?:oui|bien sûr|super|génial|parfait|formidable|évidemment|magnifique|brillant)[,!]? (?:et|vendons|faisons|allons|mettons|parce|comme ça|on|alors)\b|[🙄😏🙃]|\bqu['’]est-ce qui pourrait mal tourner\b|\bmais bien sûr\b"),
    undo_before=rx(r"^(?:non|pas|je (?:plaisante|rigole|blague)|c['’](?:est|était) (?:une blague|pour rire)|ha ha[,! ]*(?:je plaisante)?|ou pas|blague)[.! 😂🤣😉]*$|^(?:ce n['’]est|c['’]est) (?:qu['’]|juste |seulement )?une? (?:idée|hypothèse|blague|rêve|pensée)\b"),
    smalltalk=rx(
        r"^(?:bonjour|bonsoir|salut|merci|merci beaucoup|au revoir|à (?:demain|bientôt|plus tard|tout à l['’]heure)|d['’]accord|ok|bien|très bien|parfait|super|génial|oui|non|exact|exactement|compris|entendu|voilà|ah|ah bon|je vois|pardon|désolée?|bien sûr|bonne (?:nuit|journée|soirée))(?:[,.! ]+(?:merci|bien|alors|beaucoup|c['’]est tout|à toi|oui))*[.! ]*$",
        r"^(?:quelle?|quel) (?:journée|matinée|soirée|temps|chance|dommage|belle|beau|bonheur|chaleur|horreur|nuit)\b|^(?:je suis|on est|nous sommes|je me sens|j['’]ai) (?:très |si |un peu |trop |vraiment )*(?:fatiguée?s?|faim|soif|sommeil|contente?|heureu(?:x|se)|triste|malade|occupée?|prête?|crevée?|froid|chaud|pressée?|épuisée?)\b",
        r"^(?:c['’]est|ça (?:a l['’]air|sonne|semble)|c['’]était) (?:très |si |vraiment |assez |trop )*(?:bien|bon|génial|super|drôle|beau|dommage|intéressant|bizarre|vrai|tout|parfait|noté|gentil)\b[^0-9]{0,30}$|^il (?:pleut|neige|fait (?:froid|chaud|beau|gris))\b|^je (?:file|m['’]en vais|vais (?:manger|dormir|déjeuner|voir|regarder))\b",
    ),
    example=rx(r"^(?:par exemple|p\. ?ex\.|un exemple)\b|\bpar exemple\b|\bun client pourrait\b"),
    report=rx(r"\b(?:dit|disent|pense|pensent|croit|affirme|prétend|assure|a (?:dit|écrit|crié|raconté|annoncé|répondu|hurlé)|raconte|espère|trouve)(?:,|:| que\b| qu['’]| «)|\bselon (?!le plan|le contrat)\w+|\bd['’]après \w+|\bil paraît\b|\bj['’]ai entendu\b"),
    request=rx(r"^(?:s['’]il (?:te|vous) plaît|peux-tu|pouvez-vous|pourrais-tu)\b|^(?:montre|cherche|dis|résume|explique|vérifie|envoie|ouvre|lis|rappelle)\b"),
    prohibition=rx(
        r"\b(?:ne|n['’])(?: |\b)?(?:\w+ ){0,3}?(?:\w+) (?:jamais|plus jamais)\b|^(?:\w+ )?jamais (?:de|d['’])\w+|\b(?:ne jamais|jamais ne)\b",
        _OPEN + r"(?:ne|n['’]) ?(?!t['’]inquiète|oublie|hésite|oubliez|hésitez|vous inquiétez)(?:me |le |la |les |l['’]|lui |y |en )*\w+ (?:pas|plus|rien|personne)\b",
        r"(?:[,;:]| et| mais) (?:surtout )?(?:ne|n['’]) ?(?!oublie|hésite|oubliez|hésitez)(?:me |le |la |les |l['’]|lui )*\w+ (?:pas|plus|jamais)\b(?<!est pas)(?<!sais pas)(?<!suis pas)(?<!ai pas)",
        r"\b(?:il (?:est|reste) (?:strictement |formellement )?(?:interdit|défendu)|(?:est|sont) (?:strictement |formellement )?(?:interdite?s?|défendue?s?|prohibée?s?|proscrite?s?)|interdiction (?:de|d['’])|interdit de|pas le droit|(?:ne|n['’]) ?(?:peut|peuvent|doit|doivent|dois|peux|devez|pouvez|faut|est) (?:pas|jamais|en aucun cas)(?: permis| autorisé| être)?|personne ne (?:peut|doit)|aucune? \w+ ne (?:peut|doit|sort|quitte)|en aucun cas|sous aucun prétexte|j['’]interdis)\b",
        r"\bseule?s? [\wéèàç ]{2,40} (?:peut|peuvent)\b",
    ),
    not_prohibition=rx(r"\bn['’](?:oublie|oubliez|hésite|hésitez)\b(?!.*\b(?:et|mais) ne\b)|\bne (?:t['’]inquiète|vous inquiétez)\b|^(?:je|j['’]|il|elle|ce|c['’]|on|ça|cela|mon|ma|[A-Z]\w+)\b.*\b(?:ne|n['’])\b.*\b(?:jamais|pas|plus)\b(?!.*\b(?:doit|doivent|peut être|droit)\b)|\bau plus tard\b(?!.*\bjamais\b)|\bn['’]est (?:qu['’]|pas (?:grave|encore|la peine))"),
    permission=rx(r"\b(?:est|sont) (?:de nouveau |maintenant |désormais |à nouveau )*(?:permise?s?|autorisée?s?)\b|\b(?:on|tu|vous) (?:peut|peux|pouvez) (?:de nouveau|maintenant|désormais)\b|\b(?:interdiction|règle)\b.*\b(?:levée|annulée|plus valable|ne s['’]applique plus)\b"),
    reminder=rx(r"\bn['’](?:oublie|oubliez) pas\b|\brappelle-moi\b|\bpense(?:z)? à\b"),
    preference=rx(
        r"\b(?:je|j['’]|nous|on) ?(?:n['’])?(?:préfère|préférons|aime|adore|déteste|aimerais (?:recevoir|avoir|que|mes|mon|ma)|voudrais (?:mes|mon|ma|que|recevoir)|veux (?:mes|mon|ma|que|recevoir)|apprécie|aime (?:bien|mieux|pas)|supporte pas)\b|\bmon (?:\w+ )?préféré\b|\bma (?:\w+ )?préférée\b|\b(?:appelle|tutoie|vouvoie|appelez)-moi\b|^(?:réponds|écris|parle|garde|utilise)\b.*\b(?:toujours|désormais|bref|courte?s?|en (?:français|anglais)|à l['’]avenir)\b",
        r"\bje (?:\w+ )?(?:toujours|d['’]habitude|généralement|commence toujours)\b",
    ),
    habit=rx(r"^(?:quand|lorsque|chaque fois que|dès que|si|avant de|après)\b[^,]+,\s*(?:s['’]il te plaît,? |toujours )?(?!je|j['’]|on|nous|il|elle|le|la|les|c['’]|ça|ce)\w+\b|\b(?:chaque fois que|à chaque fois|toutes les fois)\b|^(?:désormais|dorénavant|à partir de maintenant|par défaut|en général|toujours)\b|\bquand je dis\b|\bje veux dire\b"),
    identity=rx(
        r"^(?:je suis|je m['’]appelle|j['’]habite|je vis|je travaille|j['’]ai (?:un|une|deux|trois|quatre|\d+)|je suis née?|je parle|j['’]étudie|je conduis|j['’]enseigne|je joue|je chante|j['’]apprends|je dirige)\b|^(?:mon|ma|mes) (?:nom|prénom|métier|profession|anniversaire|âge|femme|mari|compagn\w+|fille|fils|enfants|chien\w*|chat\w*|frère|sœur|mère|père|adresse|maison|appartement|chef\w*|patron\w*|dentiste|médecin|voiture|téléphone|groupe sanguin|langue maternelle|couleur préférée)\b"
    ),
    objective=rx(r"\b(?:mon|notre|l['’]|le|nouvel|un|nouveau) ?(?:\w+ )?" + _GOAL + r"\b.*(?::|\best\b|\breste\b|\bserait\b)|^" + _GOAL + r"\b.*(?::|\best\b)|\b(?:je|nous|on|j['’]) ?(?:veux|voulons|veut|compte|comptons|prévois|prévoyons|vise|visons|souhaite|souhaitons|espère|aimerais|voudrais|ai l['’]intention de|avons l['’]intention de|envisage) \w*(?:er|ir|re|oir)\b"),
    not_objective=rx(r"\bje (?:veux|voudrais) (?:dire|dormir|savoir|partir|demander|remercier)\b"),
    decision=rx(
        r"\b(?:on a|nous avons|j['’]ai|ils ont) (?:\w+ )?(?:décidé|choisi|convenu|opté|tranché|retenu|arrêté)\b|\b(?:c['’]est|est|sont) (?:maintenant |donc )*(?:décidée?s?|acquis|tranchée?s?|convenu|définiti(?:f|ve)|entendu|réglée?s?)\b|^(?:décidé|décision|convenu|conclusion|c['’]est décidé|accord)\b[^:]{0,60}[:,.–—-]|\b(?:on|nous) (?:prend|prenons|garde|gardons|part sur|partons sur|reste sur|restons sur|va \w+er|allons \w+er)\b",
    ),
    correction=rx(r"\b(?:correction|rectification|je (?:corrige|rectifie)|en fait|finalement|plutôt|au lieu de|à la place|changé d['’]avis|changement de (?:plan|programme)|je me suis trompée?|erreur de ma part|mon erreur|non,|pardon|je voulais dire|oublie ça|nouveau plan|désormais|dorénavant|à partir de (?:maintenant|demain)|remplace|j['’]ai confondu|en réalité)\b"),
    now=rx(r"\b(?:maintenant|désormais|à présent|actuellement|à partir d|depuis (?:hier|aujourd)|de nouveau|à nouveau|dernièrement|nouve(?:au|lle|l)s?|passe à|passe au|est passée?|est reportée?|est déplacée?|a changé|reprend)\b"),
    gone=rx(r"\b(?:ne \w+ plus|n['’]\w+ plus|a quitté|a arrêté|arrêté de|démissionné|parti à la retraite|terminée?|annulée?|vendue?|déménagé)\b"),
    retract=rx(
        r"^(?:non,? |pardon,? |ah,? |et |attends,? |s['’]il te plaît,? )*(?:oublie|oubliez|ignore|ignorez|raye|efface|annule|laisse tomber)\b(?! pas)(?!.*\b(?:fichier|dossier|disque)\b)",
        r"^(?:non,? |pardon,? |ah,? )*(?:c['’]|ce que j['’]ai dit[\wéèàç' ]*|cela|l['’]histoire d[\wéèàç' ]+|le chiffre[\wéèàç' ]*|l['’]info[\wéèàç' ]*) ?(?:était|est|n['’]était|n['’]est) (?:pas )?(?:faux|fausse|une erreur|inexacte?|vrai|juste|n['’]importe quoi)",
        r"\bje (?:retire|reprends) (?:ce que|mes|ma)\b",
    ),
    reached=rx(r"\b" + _GOAL + r"\b.{0,30}\b(?:atteinte?|rempli|réalisée?|accompli)\b|\b(?:on (?:y est|l['’]a fait|a réussi)|nous avons (?:atteint|réussi)|j['’]ai (?:atteint|réussi|rendu|terminé|fini))\b"),
    dropped=rx(r"\b(?:j['’]abandonne|nous abandonnons|on abandonne|je renonce|nous renonçons|on renonce|je laisse tomber|on laisse tomber|j['’]arrête|je ne veux plus|on ne veut plus)\b|\b" + _GOAL + r"\b.{0,40}\b(?:abandonnée?|annulée?|caduc|enterrée?)\b"),
    goal=rx(r"\b" + _GOAL + r"\b"),
    lead=places(
        r"^(?:et|mais|bon|bien|ok|oh|ah|oui|non|au fait|d['’]ailleurs|de plus|aussi|alors|donc|merci|parfait|correction|rectification|décidé|c['’]est décidé|décision|convenu|finalement|en fait|sérieusement|bref|en résumé|note|info|important|pardon|confirmé|pour confirmer|encore une chose|autre chose|conclusion|attends|nouveau plan|à propos)(?:\s*[,:;.!…]+\s*|\s*[-–—]+\s+)(?=\S)",
        r"^(?:et|mais|donc)\s+(?=\S)",
        r"^(?:note|sache|retiens|rappelle-toi|c['’]est décidé)(?: que|,|:| qu['’])\s*",
    ),
    passing=places(r"(?:[,;.]|\s[-–—])\s*(?:et )?(?:au fait|d['’]ailleurs|soit dit en passant|à propos|ah oui|autre chose|avant que j['’]oublie)[,:]?\s+", r"\sau fait[,:]\s+"),
    joiner=places(r"\s*;\s*|,?\s+(?:et|mais) (?=(?:surtout )?(?:ne |n['’]|personne ne|il est interdit|aucune? )\b)|\s[-–—]\s"),
)
