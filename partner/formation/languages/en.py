"""English."""

from __future__ import annotations

from partner.formation.cues import Cues, places, rx

_OPEN = r"^(?:(?:and|but|so|also|oh|ok|okay|well|please|now|then|hey|right|just|actually|anyway)[,:]?\s+)*"
_BASE_NEVER = (
    r"(?!mind\b|been\b|had\b|was\b|were\b|got\b|thought\b|heard\b|saw\b|seen\b|knew\b|again\b|fear\b|once\b|ever\b"
    r"|the\b|a\b|in my\b|know when\b|say never|too\b|ending\b|(?!(?:f|n|h|sp|s|w|bl|br|exc|proc|succ)eed\b|shred\b|embed\b|shed\b)[a-z]+ed\b)[a-z]+"
)
_NOT_FORBIDDEN = (
    r"forget|hesitate|worry|bother|mind|be (?:shy|afraid|surprised|alarmed|sad|sorry|silly|late)|panic|get me wrong"
    r"|you (?:think|agree|see|dare)|know|have|think|believe|feel|see|remember|understand|care|need|want|like|get me"
    r"|tell me|ask me|laugh|stress|sweat|wait up|give up|lose heart|be long|miss|neglect|fail to|need to|take it"
)
_GOAL = r"(?:goals?|target|objective|aims?|ambition|mission|resolution|milestone|purpose|OKR)"

EN = Cues(
    code="en",
    words=frozenset(
        ["the", "and", "is", "are", "was", "of", "to", "in", "that", "it", "for", "on", "with", "as", "at", "by", "from", "this", "have", "has", "i", "you", "we", "they", "be", "not", "my", "our", "your", "will", "would", "do", "don't", "i'm", "it's", "who", "what", "when", "where", "which", "never", "please"]
    ),
    stop=frozenset(
        ["the", "a", "an", "and", "or", "but", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "have", "has", "had", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "of", "to", "in", "on", "at", "for", "with", "from", "by", "as", "into", "onto", "about", "over", "under", "up", "down", "out", "off", "than", "then", "that", "this", "these", "those", "it", "its", "he", "him", "his", "she", "her", "they", "them", "their", "we", "us", "our", "i", "me", "my", "mine", "you", "your", "yours", "who", "whom", "which", "what", "when", "where", "why", "how", "there", "here", "not", "no", "nor", "so", "if", "also", "just", "now", "again", "still", "already", "too", "very", "really", "actually", "instead", "only", "any", "more", "longer", "please", "let", "let's", "get", "got", "go", "goes", "going", "s", "t", "re", "ve", "ll", "d", "m", "own", "some", "all", "each", "every", "both", "one", "ones", "thing", "things", "new", "old", "use", "used", "like", "said", "say", "says", "right", "okay", "ok", "yes", "and/or", "from", "today", "tomorrow", "yesterday", "time", "times", "day", "days"]
    ),
    question=rx(
        _OPEN
        + r"(?:who|whom|whose|what|which|where|why|how)(?:'s| [\w-]+){0,3}? (?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|am|may"
        r"|might|shall)\b(?! need\b| want\b)(?!.*[.!:])",
        _OPEN
        + r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|may|shall|am|isn't|aren't|wasn't|don't"
        r"|doesn't|didn't|can't|couldn't|shouldn't|wouldn't|won't|haven't|hasn't) "
        r"(?:i|you|we|he|she|it|they|there|that|this|these|those|the|my|our|your|his|her|their|a|an|any|some|anyone|someone)\b"
        r"(?!.*[.!]$)",
        r"\b(?:i|we) (?:wonder|was wondering|were wondering|am wondering|'m wondering|'d like to know|want to know"
        r"|need to know|would like to know|'m curious|am curious|ask myself)\b",
        r"^(?:any idea|do you (?:know|remember|think)|can you (?:tell|say)|could you (?:tell|say)|remind me|tell me)\b",
        r"^(?:please )?(?:show|list|summari[sz]e|explain|describe|look up|find out|check|tell me|give me a summary) "
        r"(?:me |us )?(?:what|who|when|where|why|how|whether|if|which)\b",
    ),
    hedge=rx(
        r"\b(?:maybe|perhaps|possibly|presumably|supposedly|allegedly|probably|potentially|conceivably)\b",
        r"\b(?:might|could) (?:be|go|well|just|try|do|use|move|make|take|want|have|also|even|possibly|end)\b",
        r"\b(?:not|n't) (?:\w+ )?(?:sure|certain|decided|convinced|settled|know yet|really know|made up)\b",
        r"\bundecided\b|\bstill (?:open|thinking|deciding|debating|considering|weighing|unsure|torn)\b|\bon the fence\b",
        r"\b(?:i|we) (?:lean|tend|waver|dither)\b|\bi (?:told you|said|thought|wrote|mentioned) (?!no\b|yes\b)",
        r"\b(?:i|we)(?:'m| am|'re| are|'ve been| have been)? (?:just |still |only )?(?:thinking|considering|toying|wondering|mulling"
        r"|leaning|debating|tempted|pondering|contemplating|torn|weighing|playing with|flirting|daydreaming|brainstorming|musing)\b",
        r"^(?:thinking|considering|toying|wondering|mulling|leaning|debating|pondering|tempted|dreaming|brainstorming)\b",
        r"\b(?:i|we) (?:think|guess|suppose|reckon|imagine|feel like|assume|suspect|bet|doubt|keep wondering)\b",
        r"^h+m+\b|\blet me think\b|\bsleep on it\b|\bthink (?:it|about it|this|that) over\b|\bjust (?:an? )?(?:idea|thought)\b",
        r"\bwe(?: could|'d better| should (?:maybe|perhaps|probably))\b|\bi could\b|\bone could\b|\bwhat about\b|\bhow about\b",
        r"\bif i (?:remember|recall)\b|\bfrom memory\b|\boff the top of my head\b|\bor so i (?:think|believe)\b|\bi'd guess\b",
        r"\bone option\b|\banother option\b|\bon the other hand\b|\bat the same time, though\b|\bpart of me\b|\bwho knows\b",
        r"\bnothing(?:'s| is) (?:decided|settled|fixed|final)\b|\bnot decided\b|\bidk\b|\bno idea\b|\bdunno\b",
        r"\bcould (?:paint|sell|buy|build|rent|get|add|drop|switch|start|call|put|open|hire|invite|ask|ship|run|plant|swap)\b",
    ),
    hypothetical=rx(
        r"\bwhat if\b|^(?:suppose|supposing|imagine|assume|assuming|say|pretend|picture|let's say|let's imagine|let's assume"
        r"|let us suppose|let's pretend|hypothetically|in theory|in an ideal world|in a perfect world|in another life)\b",
        r"^(?:and |but |so |well,? )?(?:even )?if (?:i|we|you|he|she|they|it|there|the|my|our|that|this|[A-Z]\w+)\b.*\b(?:would|'d|could|might)\b",
        r"\bwould\b.*\bif (?:i|we|you|he|she|they|it|the|my|our)\b|\bcould\b.*\bif (?:i|we) (?:had|were|did|could|ever|only)\b",
        r"\bif only\b|\bi wish\b|\bif (?:i|we|it|he|she|they|that|this|the \w+) were\b|\bwere (?:i|we) to\b|\bhad (?:i|we) (?:only )?\w+ed\b",
        r"\bthought experiment\b|\bdaydream|\bpie in the sky\b|\bhypothetical|\bpurely theoretical|\bfor the sake of argument\b",
        r"^(?:it|that|this) would\b|\bwould (?:be|have been) (?:nice|great|fun|lovely|cool|funny|wonderful|amazing|something|ideal|easier)\b",
        r"\b(?:one|some) day (?:i|we)\b|\b(?:i|we)(?:'d| would) (?:all )?(?!rather|like|prefer|love|appreciate|sooner|hate|want)\w+",
    ),
    supposed=rx(r"\b(?:would|could|might|'d|wouldn't|couldn't)\b"),
    joke=rx(
        r"\b(?:just |only |i'm |i was |was )?(?:kidding|joking|jesting|pulling your leg|messing with you|teasing)\b|\bj/?k\b",
        r"\b(?:ha){2,}h?\b|\bha,? ha\b|\bhe,? he\b|\blo+l\b|\blmao\b|\brofl\b|\bas a joke\b|\bwas a joke\b|\bin jest\b|;-?\)",
        r"[🤣😂😜😝😆😹🤪]",
    ),
    sarcasm=rx(
        r"^(?:oh|yeah|yes|ah)?,? ?(?:sure|brilliant|great|fantastic|wonderful|perfect|lovely|fabulous|marvell?ous|super|genius|terrific)"
        r"(?: thing| idea| plan)?(?:,| -|\s[–—]|:|!)? (?:let's|let us|and |because|why|we'll|i'll|another|just what|as if|next|exactly what|then)\b",
        r"^(?:oh|ah),? (?:sure|brilliant|great|fantastic|wonderful|perfect|yes|yeah|of course|right|joy|how|what a|absolutely|totally|naturally)\b",
        r"\byeah,? right\b|\bwhat could (?:possibly )?go wrong\b|\bas if\b(?! it)|\bbecause that (?:always |really |went |worked )?\w+ (?:so )?well\b",
        r"\b(?:brilliant|genius|great|wonderful|fantastic|stellar) (?:plan|idea|move|strategy|stuff)\b(?=,? ?(?:ha|lol|really|as always|as usual)|[.!]*$)",
        r"[🙄😏🙃]|\(sarcasm\)|/s\b|\bjust what (?:i|we) (?:needed|wanted|always)\b|\bhow (?:delightful|charming|original)\b",
        r"^(?:right|sure|yes|yeah),? (?:because|and pigs|and next|and i'm|as though|like that)\b|\bwhen (?:hell freezes|pigs fly)\b",
        r"\bi(?:'m| am) sure that will (?:go|end|work)\b|\bthe \w+ will be (?:thrilled|delighted|overjoyed|over the moon)\b|\bgood luck with that\b",
    ),
    undo_before=rx(
        r"^(?:not|nope|as if|yeah right|or not|i wish|no,? not really|(?:ha ?)+[,!. ]*(?:just|only)? ?(?:kidding|joking)|just kidding|only joking|kidding"
        r"|just joking|not really|i'm (?:just )?(?:kidding|joking)|that was (?:a joke|sarcasm|ironic)|obviously (?:a joke|not serious))[.! 🤣😂😜😄😉🙄]*$",
        r"^(?:that's |it's |this is |it was |that was )?(?:all )?(?:just|only|purely|merely) (?:a |an )?(?:thought experiment|daydream\w*|hypothetical|joke|fantasy"
        r"|idea|thought|what-if|dream|musing|brainstorm\w*)\b",
    ),
    smalltalk=rx(
        r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|night|day)|morning|evening|thanks?|thank you|many thanks|cheers|thx|ta|bye|goodbye"
        r"|see you|see ya|talk (?:to you )?(?:later|soon|tomorrow)|later|take care|ciao|welcome back|congrat\w*|well done|good job|nice(?: one| work)?|great|perfect|cool"
        r"|awesome|excellent|super|lovely|fine|good|ok|okay|alright|all right|right|yes|yep|yeah|no|nope|sure|of course|exactly|indeed|true|agreed|got it|i see|noted"
        r"|understood|sounds good|sounds great|never mind|no problem|no worries|oh well|fair enough|you're welcome|obviously|seriously|absolutely|definitely|wow|phew|ugh|oops"
        r"|sorry|my bad|ha|haha|hm+|ah|oh|enjoy|good luck|happy \w+|merry \w+|cheerio|amen|bravo|gotcha|interesting|funny|just curious)"
        r"(?:[,.!\s]+(?:thanks?|thank you|then|again|so much|a lot|very much|everyone|all|there|partner|right|ok|okay|good|great|nice|cool|perfect|well|you too|that's all|for that|for now"
        r"|for (?:the|your) \w+|with that|that's good|just curious|yes|no|indeed|file it|go ahead|see you\b.*|talk\b.*|later|tomorrow|have a .*|good for you|i see))*[.!…\s]*$",
        r"^(?:what a|what an|how (?:nice|lovely|funny|sad|cool|annoying|exciting|strange|odd|weird|wonderful|kind|sweet|boring|true|awful))\b",
        r"^(?:i'm|i am|we're|we are|i feel|i was|i've been|i'll be|i'm feeling) (?:so |very |really |a bit |a little |quite |pretty |just |totally |all |still |already |absolutely |not )*"
        r"(?:starving|hungry|thirsty|tired|exhausted|knackered|sleepy|beat|back|off|here|home|away|in a (?:hurry|rush|meeting)|sorry|glad|happy|sad|afraid|sure|certain|curious|excited|bored|fine|ok|okay|good|great|well|ready|done for"
        r"|late|busy|sick of|stuck|lost|confused|cold|hot|soaked|shattered|amazed|impressed|pleased|proud|relieved|annoyed|angry|cross|stressed|nervous|worried|dying|freezing|on my way|heading|going to (?:bed|sleep|lunch|have|grab|get)"
        r"|about to|in court|in town|out (?:for|of|to)|grateful|thankful|delighted|thrilled|kidding|joking|looking forward|right|wrong|with you|all ears|awake|up|so)\b",
        r"^(?:that|this|it)(?:'s| is| was| sounds| looks| feels| seems| will be| makes)? (?:all |so |very |really |quite |a bit |a |an |pretty |too |just |not |rather |already |even )*"
        r"(?:great|good|nice|fine|perfect|lovely|funny|sad|cool|fun|true|right|bad|awful|terrible|interesting|odd|weird|strange|annoying|okay|ok|enough|all|raining|snowing|sunny|cold|hot|late|early|amazing|brilliant|helpful|useful|better|worse|kind"
        r"|hard|easy|exciting|boring|sense|shame|pity|relief|mess|joke|day|night|nightmare|pleasure|surprise|beautiful|delicious|done|fair|crazy|wild|clear|dark|warm|freezing|pouring|me|him|her|us|what (?:i|we) (?:thought|meant|wanted)|it)\b[^0-9]{0,40}$",
        r"^(?:you(?:'re| are| were|'ve| have| won't| know| can imagine| see| might| could| should have| wouldn't|'ll| will)?)\b(?!.*\b(?:must|may|always|from now on|can use|are allowed|should always|are to)\b)",
        r"^let(?:'s| me| us) (?:see|know|start|begin|go|talk|continue|look|think|check|get|call|move on|take a|have a|do (?:this|that|it)|tell|say|put it|sleep|be honest|face it)\b",
        r"^(?:the )?(?:weather|sun|rain|snow|day|morning|evening|night|weekend|week|traffic|coffee|tea|lunch|dinner|breakfast|soup|view|sky|wind|air|garden|sunset) (?:is|was|were|has been|looks?|tastes?|smells?|feels?) "
        r"(?:\w+ ){0,2}(?:nice|lovely|great|good|awful|terrible|bad|cold|hot|warm|odd|strange|beautiful|long|short|fine|delicious|quiet|wild|gorgeous|grey|gray|ok|okay|horrible|perfect|busy|heavy|fun|crazy|dusty|amazing|glorious|dreadful|sunny)\b",
        r"^(?:can't|cannot|could not|couldn't|don't|didn't|won't) (?:complain|wait|believe|stop)\b|^(?:i|we) (?:can't|cannot|couldn't) (?:wait|believe|complain|stop|help)\b",
        r"^(?:i|we) (?:slept|hope|love it|like it|enjoyed|laughed|cried|smiled|hate (?:it|mondays|this)|miss (?:you|it)|wish|appreciate|understand|see|get it|know|agree|remember|forgot|have to (?:go|run)|must (?:go|run|dash)|need (?:to (?:go|run|sleep|think)|a (?:break|coffee|nap|drink|holiday))"
        r"|got to (?:go|run)|gotta|think so|guess so|suppose so|believe so|mean it|don't know|don't care|don't mind|had (?:a|an|the) (?:good|great|nice|bad|lovely|long|terrible|quiet|busy|awful|rough|wonderful|strange|odd))\b",
        r"^.{0,60}\b(?:looks?|sounds?|seems?|tastes?|smells?|feels?) (?:\w+ )?(?:fine|good|great|nice|lovely|perfect|ok|okay|right|wrong|odd|off|delicious|amazing)(?: to me| so far| already| indeed)?[.!]*$",
        r"\b(?:was|is|were|feels|felt|looks|went) (?:so |much |a lot |really |way |totally |very )*(?:much better|better|worse|nicer|worth it|great|lovely|awful|fun|delicious|amazing|fantastic|gorgeous|exhausting)(?: for my \w+| than [\w ]+| this time| though| already| so far)?[.!]*$",
        r"^(?:here(?:'s| is| are|'re)|there(?:'s| is| are| was| were) (?:nothing|no hurry|no rush|more where))\b(?!.*:.*\d)",
        r"^(?:just )?(?:wanted|wanting|checking|popping|dropping|saying|writing|calling) (?:to|in|by)\b|^(?:file it|carry on|go on|go ahead|keep going|do it|try again|try it|wait|hold on|hang on|one (?:sec|moment|minute)|give me a \w+)\b[^0-9]{0,30}$",
        r"^my (?:back|head|feet|foot|knees?|legs?|arms?|neck|eyes|stomach|throat|tooth|teeth|shoulder|brain|hands?) (?:is|are|hurts?|aches?|feels?|itch(?:es)?|was|were)\b|\b(?:hates|loves|likes) me\b(?! to)",
        r"^(?:fingers crossed|touch wood|long day|big day|monday again|finally|almost there|so far so good|time flies|life goes on|story of my life|speak soon|until then|sleep well|have (?:a|an) \w+|safe travels)\b[^0-9]{0,40}$",
        r"\bi'll (?:believe it when|look into|think about|get back|let you know|be (?:back|right back|there)|see|tell you|check|try|find out|look (?:it|that|at|for)|sort it|deal with|have a look|keep you|do (?:it|that))\b",
    ),
    example=rx(
        r"^(?:for example|for instance|e\.?g\.?|as an example|an example|say,|example:|take for example|such as|something like|like this:)",
        r"\b(?:for example|for instance|e\.g\.)\b",
        r"\b(?:a|the) (?:customer|user|client|guest|reader|person|caller|student|patient|visitor) (?:might|could|would|may) (?:write|say|ask|type|enter|complain)\b",
        r"^(?:think of|consider|picture|take) (?:an?|the case|this case|something)\b",
    ),
    report=rx(
        r"\b(?:says?|said|thinks?|thought|claims?|claimed|believes?|believed|insists?|insisted|reckons?|argues?|argued|hopes?|joked|jokes|grumbled|muttered|swears|swore)"
        r"(?:,| that| to (?:me|us|him|her)|:|\b(?= (?:he|she|it|they|we|i|you|the|our|my|his|her|one|everyone|nobody|['\"“‘„])))",
        r"\b(?:wrote|writes|told|tells|asked|asks|shout(?:s|ed)|announced|mentioned|complain(?:s|ed)|replied|recommends?|suggests?|suggested|warned|yelled|whispered|hinted|proposed|demanded|demands|wished|preaches|preached|sings?|sang|quips?|quoted)"
        r"(?:,| that\b| me\b| us\b| him\b| her\b| them\b| to (?:me|us|him|her|them)\b|:| ['\"“‘„])",
        r"\baccording to (?!plan\b|schedule\b|the (?:plan|schedule|contract|rules?)\b)|\brumou?r (?:has|says)\b|\bpeople say\b|\bthey say\b|\bword is\b|\bi (?:heard|read|was told)\b(?! that the meeting)",
        r"\b(?:sign|poster|headline|article|ad|advert|song|lyrics|slogan|t-shirt|sticker|banner|tweet|post|paper|newspaper|motto|proverb|saying|film|movie|novel|character|quote) (?:on [\w ]+ )?(?:says|said|reads|read|goes|claims|was)\b",
    ),
    request=rx(
        _OPEN + r"(?:please|kindly|could you|can you|would you|will you)\b",
    ),
    prohibition=rx(
        _OPEN + r"(?:you (?:must |should |may |can |will |are to |shall )?)?never (?:ever )?" + _BASE_NEVER,
        r"\b(?:please|and|but|so|also|then|therefore|:|;|—|–|-|,)\s*(?:please )?(?:do not|don't|never(?: ever)?) (?!" + _NOT_FORBIDDEN + r"\b)[a-z]+",
        _OPEN + r"(?:you )?(?:do not|don't|do never) (?:ever )?(?!" + _NOT_FORBIDDEN + r"\b)[a-z]+",
        r"\b(?:you|we|they|it|he|she|i|one|people|staff|everyone|nobody|[a-z]+s?) (?:must|may|shall|should|can|are|is|am|will) (?:not|never) (?:ever )?(?:be )?(?:to )?(?!only\b)[a-z]+(?=.*)(?<!be able)(?<=\w)"
        r"(?:(?<=allowed)|(?<=permitted)|(?<=welcome\b)(?!))",
        r"\b(?:you|we|they|one|people|staff|nobody|no one|guests?|visitors?|[a-z]+s) (?:must|shall|may) (?:not|never)\b",
        r"\b(?:must|may|shall) (?:not|never) (?!have\b|be (?:right|true|easy|enough|able|perfect|available|ready|so)\b)[a-z]+",
        r"\b(?:mustn't|shan't)\b",
        r"\b(?:is|are|'s|'re) (?:strictly |absolutely |hereby |now |also |still |currently )*(?:not (?:allowed|permitted|acceptable|to be\b)|n't (?:allowed|permitted|to be\b)|forbidden|prohibited|banned|off[- ]limits|taboo|a no-go|verboten|not an option|out of bounds)",
        r"\b(?:isn't|aren't) (?:allowed|permitted|to be\b|acceptable)",
        r"\b(?:nobody|no one|no-one|none of (?:us|you|them)|nothing|no [a-z]+(?: [a-z]+){0,3}) (?:is|are|may|must|shall|should|can|gets?|goes?|ever|leaves?|enters?|touche?s?)\b(?=.*\b(?:to|may|must|shall|should|can|ever|gets?|goes?|leaves?|enters?|touche?s?|without|before|allowed|after|until|unless)\b)(?!.*\b(?:knows?|answered|replied|came|seems?|understands?)\b)",
        r"^(?:please[,:]? |and |but |also |rule: |absolutely |strictly )*no (?!(?:problem|worries|idea|need|news|doubt|wonder|rush|hurry|thanks|way|kidding|one|change|changes|more|longer|later|offen[cs]e|luck|time|point|comment|big deal|surprise|matter|question|questions|objections?|reply|answer|sign|joke|reason|it|i|we|he|she|that|the|you|they|this|but|not|wait|actually|sorry)\b)[a-z-]+(?: [a-z0-9'-]+){1,}",
        r"\bunder no circumstances\b|\bin no case\b|\bon no account\b|\bat no (?:time|point)\b|\bat all costs? avoid\b|\bby no means\b(?= (?:may|should|must|can|shall|open|use|send|share|touch))",
        _OPEN + r"(?:refrain from|stay away from|keep (?:away from|your hands off|out of)|steer clear of|stop (?!by\b|at\b)[a-z]+ing\b|quit [a-z]+ing|avoid [a-z]+ing)\b",
        r"\bi (?:forbid|prohibit|won't allow|will not allow|don't allow|do not allow|don't want you (?:ever )?to|do not want you (?:ever )?to|don't want (?:anyone|anybody|any of you)(?: ever)? to)\b",
        r"\bwe (?:never (?!got\b|had\b|saw\b|heard\b|met\b|were\b|did\b|found\b|knew\b|thought\b|went\b|came\b|made\b|(?!(?:f|n|h|sp|s|w|bl|br|exc|proc)eed\b)[a-z]+ed\b)[a-z]+|do not (?!have|know|need|want|think|see|like|get|mind|care|feel|yet)[a-z]+|don't (?!have|know|need|want|think|see|like|get|mind|care|feel|yet)[a-z]+)\b(?!.*\?)",
        r"\bonly (?:[a-z]+ ){1,3}(?:may|can|is allowed to|are allowed to|is permitted to|are permitted to|shall|must|should be able to)\b",
        r"\b(?:can't|cannot|can not) be (?:shared|sent|used|deleted|opened|published|touched|changed|moved|removed|given|told|posted|entered|sold|disclosed|modified)\b",
        r"\bhands off\b|\bnot without (?:my|our|his|her|the|asking|prior|written)\b|\bkeep [\w' ]+ (?:out of|away from|off) (?:the|my|our|any|all)\b",
    ),
    not_prohibition=rx(
        r"\b(?:do not|don't|never|must not|mustn't) (?:you )?(?:ever )?(?:forget|hesitate|neglect|fail|omit|be shy|be afraid|worry|mind|bother|panic)\b(?!.*\b(?:and|but|;) (?:never|do not|don't)\b)",
        r"\bno later than\b(?!.*\b(?:never|must not|don't|may not)\b)|\bno longer\b(?!.*\b(?:never|must not|allowed|permitted|may)\b)|\bno less than\b|\bno more than\b(?=.*\b(?:takes?|took|costs?|needs?)\b)|\bno fewer than\b",
        r"\b(?:i|he|she|they|it|this|that|there) (?:have |has |had |'ve |'s )?never\b(?!.*\b(?:must|may|should)\b)",
        r"^i (?:don't|do not|can't|cannot|won't|am not|'m not|mustn't|must not)\b(?! want (?:you|any)| allow)",
        r"\bthere(?:'s| is| are| was| were) (?:no|never)\b|\bno one (?:knows|knew|answered)\b|\bwhy don't\b|\bif you don't\b|\bdon't you\b|\bdon't i\b|\bdon't we\b|\bwhy not\b",
        r"\b(?:nothing|no \w+) (?:is|are) (?:decided|settled|fixed|final|wrong|broken|missing|left|new|planned)\b",
    ),
    permission=rx(
        r"\b(?:is|are|'s|'re) (?:now |again |once more |hereby |finally )*(?:allowed|permitted|ok|okay|fine|possible|acceptable|welcome)(?: again| now| once more)?\b(?<!not allowed)",
        r"\b(?:you|we|they|everyone|anyone|people|staff|guests) (?:may|can)(?: now| again)?\b(?!'t| ?not)",
        r"\b(?:rule|ban|prohibition|restriction|block|freeze|embargo)\b.*\b(?:lifted|over|gone|no longer (?:applies|needed|holds)|off|ended|ends|cancelled|canceled|dropped|void|doesn't apply|does not apply|removed|suspended)\b",
    ),
    reminder=rx(
        r"\b(?:do not|don't|never|mustn't|must not|let's not) (?:you )?(?:ever )?forget (?:to|about|that|the|my|our|we|i|it)\b|\bremember to\b|\bmake sure (?:to|you|that)\b|\bremind me (?:to|about|that|of)\b|\bdon't let me forget\b|\bnot to forget\b",
    ),
    preference=rx(
        r"\b(?:i|we) (?:(?:really|strongly|much|definitely|generally|usually|always|still|also|actually|now|just|simply|absolutely|personally|both|rather|do|would|truly|kind of|quite) )*"
        r"(?:prefer|dislike|hate|detest|loathe|favou?r|adore|can't stand|cannot stand|can't bear|appreciate it (?:when|if)|enjoy|love|value|am fond of|'m fond of|don't like|do not like|am not a fan|'m not a fan|don't care for|like)\b(?! it\b[.!]*$| that\b[.!]*$| this\b[.!]*$| to know)",
        r"\b(?:i'd|i would|we'd|we would) (?:(?:much|really|actually|always|now|still|also|definitely|again) )*(?:rather|prefer|sooner|like (?:my|the|your|our|all|to (?:get|have|receive|see|be|hear|read|keep)|you to|it|them|answers|replies|every|each|short|a (?:short|brief|daily|weekly|monthly))|love (?:it if|to (?:get|have|receive)|my|the)|appreciate|want (?:my|the|you))\b",
        r"\bi(?:'ll| will)? (?:now |always |only |also |still )*want (?:my|the|all|every|your|you to|each|answers|replies|it|them|short|to (?:get|receive|be (?:called|addressed|told|asked|informed|notified|copied)|see))\b",
        r"\bmy (?:\w+ )?(?:preference|preferred|favou?rite|usual|go-to|pet peeve)\b|\bi(?:'m| am) (?:(?:not|really|more|very|much|rather|also) )*(?:a |an )?(?:(?:big|huge|great) )?(?:fan of|fond of|partial to|keen on|not into|allergic to (?:jargon|small ?talk|meetings))\b",
        r"^(?:and |but |also |please |so |oh,? )*(?:please )?(?:always|keep|use|write|call me|address me|send me|give me|answer|reply|respond|format|start|begin|speak|make|put|show|skip|leave out|include|stick to|book me|sign|be)\b.*\b(?:always|from now on|in future|in the future|every time|each time|whenever|by default|as a rule|going forward|going forwards|henceforth|answers?|replies|repl(?:y|ies) to me|to me|emails?|summar(?:y|ies)|reports?|messages?|tone|briefs?|concise|short)\b",
        r"^(?:and |but |also |please |so )*(?:please )?(?:call|address) me\b|\b(?:works?|suits?) best for me\b|\bsuits me\b|\bfor my taste\b|\bnot my (?:thing|cup of tea|style)\b|\bi like (?:my|to|it when|when|being|getting)\b",
        r"\bi (?:always |only |usually |never |normally |generally |typically |mostly |often |rarely |seldom |still |no longer )(?!wanted|thought|had|knew|said|was|did|got|saw|heard|been)[a-z]+\b",
        r"^(?:book|get|order|give|send|bring) me (?:the|a|an|my)\b.*\b(?:seat|row|coach|room|always|usually)\b",
    ),
    habit=rx(
        r"\b(?:whenever|every time|each time|any time|anytime|as soon as)\b",
        r"^(?:and |but |also |please |so )*(?:from now on|going forward|henceforth|as a rule|by default|in general|in future|in the future|starting (?:today|now|tomorrow)|always)\b(?=.*)",
        r"^(?:when|if|once|before|after|until|unless|while)\b[^,]+,\s*(?:then |please |always |just )*(?!i\b|we\b|he\b|she\b|it\b|they\b|the\b|there\b|my\b|our\b|you (?:won't|will|get))[a-z]+\b",
        r"\b(?:always) (?:use|put|write|send|ask|check|start|begin|keep|add|include|run|call|reply|answer|wear|close|lock|sign|copy|water|feed|clean|turn|leave|take|make|book|order|pay|name|say|tell|round|store|save|back|test|deploy|review|read|bring|give|let|warn|mention|show|cite|quote)\b",
        r"^(?:i|we) (?:call|mean|refer to)\b.*\b(?:when|by|as)\b|\bby (?:['\"“]?[\w ]+['\"”]?) (?:i|we) mean\b|\bi mean\b",
    ),
    identity=rx(
        r"^(?:i'm|i am|i was born|i've been|i have been|i live|i work|i come from|i was raised|i grew up|i study|i studied|i teach|i speak|i run|i own|i drive|i play|i have (?:a|an|two|three|four|five|no|the|\d+)|i've got|we have (?:a|an|two|three|four|five|\d+) (?:dogs?|cats?|kids?|child|children|sons?|daughters?|hens|chickens)|i take|i eat|i drink|i follow|i wear|i use|i referee|i coach|i sing|i train|i volunteer|i practi[sc]e|i suffer|i belong|i serve|i commute|i lead|i manage|i head|i chair|i represent|i specialise|i specialize|i own|i keep|i breed|i grow|i collect|i cook|i cycle|i swim|i climb|i paint|i write|i go|i do|i see|i need glasses|i rent|i stay|i lodge|i was)\b",
        r"^(?:and |also |by the way,? )*my (?:full |first |last |middle |maiden |nick|sur|current |new |old )*(?:name|surname|nickname|job|profession|occupation|trade|home|house|flat|apartment|birthday|date of birth|age|nationality|pronouns|blood (?:group|type)|height|weight|shoe size|size|diet|religion|faith|hobby|hobbies|mother tongue|native language|first language|home ?town|"
        r"time ?zone|employer|boss|title|role|position|wife|husband|spouse|girlfriend|boyfriend|partner|fianc[ée]e?|kids?|child(?:ren)?|sons?|daughters?|mum|mother|dad|father|brothers?|sisters?|dogs?|cats?|horse|car|phone|bike|dentist|doctor|gp|allerg(?:y|ies)|eyesight|star sign|degree|email|e-mail|address|phone number|postcode|favou?rite|handle|username|pets?|instrument|sport|team)\b",
        r"^i (?:don't|do not|can't|cannot|never|no longer) (?:eat|drink|smoke|drive|speak|own|have (?:a|any)|use|wear|cook|swim|fly|dance|work|live|take|keep|read|play)\b(?! it\b| that\b| this\b| (?:a )?(?:clue|idea|time)\b)",
        r"^(?:call me|people call me|everyone calls me|they call me|home for me is|born in)\b",
    ),
    objective=rx(
        r"^(?:" + _GOAL + r"|new " + _GOAL + r"|the " + _GOAL + r"|(?:my|our) [\w' -]{0,40}?" + _GOAL + r")\b[^.]{0,60}?(?::|\bis\b|\bare\b|'s|\bremains\b|\bwould be\b)",
        r"^(?:new|next|main|big|another|first|second|third|stretch|revised|updated|annual|quarterly|personal|final|the|this year's|q[1-4]) (?:\w+ )?" + _GOAL + r"\b.*(?::|\bis\b)",
        r"\b(?:i|we)(?:'m|'re| am| are)? (?:also |still |now |really )*(?:aiming|hoping|working|trying|planning|striving|shooting|gunning|going) (?:(?:towards?|really|hard) )*(?:for|at|to|towards?)\b(?! (?:the (?:shop|store|park|office|gym|beach|doctor)|bed|lunch|dinner|work|sleep))(?<!going to)(?<!going for)",
        r"\b(?:i|we) (?:(?:also|still|really|now|definitely|both|hope|all) )*(?:want|aim|intend|plan|aspire|strive|hope|resolve|mean|am determined|are determined|am aiming|are aiming|'m aiming|'re aiming|am hoping|'m hoping|am working|'m working|'re working|am trying|'m trying|'re trying|are trying|am planning|'m planning|'re planning|are planning|need|have set out|set out|set myself|are out|would like|'d like|'d love|would love) (?:(?:myself|ourselves|out|towards?|toward|the goal|a goal|a target|for|on) )*(?:to|at|for)\b",
        r"\b(?:i'd|i would|we'd|we would) (?:also |really |still )*(?:like|love) to\b(?! (?:get|have|receive|see|know|hear|be (?:called|addressed|told)))",
        r"\b(?:by|before) (?:the end of|next|this|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|christmas|easter|\d{4}|q[1-4])\b.*\b(?:i|we) (?:want|will have|need|should have)\b",
        r"\b(?:make|set|rais|lower|chang|mov|bump|push|updat|adjust|reduc|cut|increas|extend|shift|lift|scal|revis|doubl|halv|tighten|relax|stretch)[a-z]* (?:it |that |this |the |my |our )?(?:[\w'-]+ ){0,5}?" + _GOAL + r"\b(?=.*(?:\bto\b|:|\bdown\b|\bup\b|\bby\b))",
        r"\b(?:is|as) (?:my|our|the) (?:new |next |main |big )?" + _GOAL + r"\b",
    ),
    not_objective=rx(
        r"\b(?:want|need|like|hope|plan) to (?:go (?:home|to bed)|sleep|cry|scream|die|know|say|ask|thank|apologi[sz]e|believe|think|mention|add|tell|be clear|point out|hear|vent|note|emphasi[sz]e|remind)\b",
        r"\bi (?:don't|do not) (?:want|plan|intend)\b|\byou (?:want|need)\b|\bneed to (?:talk|go|run|leave|hurry)\b",
    ),
    decision=rx(
        r"\b(?:we|i)(?:'ve| have|'d| had)? (?:(?:now|just|finally|all|both|definitely|also|already|together|jointly|provisionally|unanimously|today|then) )*(?:decided|agreed|settled|chosen|chose|picked|opted|resolved|concluded|determined|voted|committed|plumped|signed off|approved|confirmed|ruled)\b",
        r"\b(?:it(?:'s| is| was)|that(?:'s| is)|this is|everything is|is|are|been|now) (?:now |all |finally |hereby |officially |been )*(?:decided|settled|agreed|final|fixed|official|a done deal|set in stone|confirmed|signed off|approved|sorted)\b",
        r"^(?:decided|decision|decisions|agreed|settled|resolved|final(?: word| decision| answer)?|verdict|outcome|conclusion|resolution|confirmed|it's final|done deal|the decision)\b[^:]{0,60}[:,.—–-]",
        r"\b(?:let's|let us|we'll|we will|i'll|i will|we're|we are|i'm|i am) (?:(?:just|now|then|definitely|all|both|finally) )*(?:go|going|stick|sticking|stay|staying|settle|settling|proceed|proceeding|opt|opting) (?:with|for|on|ahead with|to)\b",
        r"\b(?:the|our|my) (?:decision|choice|verdict|conclusion|pick) (?:is|was|fell|stands)\b|\bmade up my mind\b|\bdone deal\b|\bthat(?:'s| is) that\b",
        r"\b(?:we'll|we will|i'll|i will|we're going to|we are going to|i'm going to) (?!see\b|think\b|look\b|let\b|try\b|check\b|ask\b|talk\b|get back\b|be (?:back|late|there|right)\b|probably\b|maybe\b|never\b|tell\b|go to (?:bed|lunch|sleep))[a-z]+",
        r"^(?:please )?make (?:it|that) (?!quick|fast|so|snappy|happen|work|home|stop)\w",
        r"\blet's (?:make|set|use|keep|call|drop|move|switch|take|start|meet|hold|do|paint|buy|book|hire|have|ship|put|name|rename|plant|build|send|run|schedule|postpone|cancel|leave)\b",
    ),
    correction=rx(
        r"\b(?:actually|correction|corrected|instead|rather than|scratch that|strike that|on second thou?ghts?|changed my mind|change (?:of|to) (?:plan|plans|mind|heart|target|goal|venue|date|time|owner|the|point|item)|changed (?:our|their) minds?|no wait|wait,? no|i meant|i misspoke|i mis\w+|mixed up|mix-up|my mistake|my error|typo|not right|is wrong|was wrong|were wrong|that's wrong|got (?:that|it) wrong|wrong (?:line|number|date|day)|i was mistaken|mistaken|to correct|let me correct|make (?:it|that)|revised|replaces?|replaced|replacing|in place of|overrides?|supersedes?|update|new rules?|from now on|as of (?:today|now)|after all|the other way round|forget what|new plan|new (?:date|time|price|number|owner|target|goal|deadline|venue|room|address)|turns out|it turned out|no,|nope,|sorry,|oops|final word|last word|rang|called back|got back to us|have (?:now )?confirmed)\b",
    ),
    now=rx(
        r"\b(?:now|nowadays|these days|from today|from tomorrow|from (?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|starting|meanwhile|by now|again|since (?:today|yesterday|monday|last)|currently|at the moment|has (?:become|changed|moved|gone up|gone down|risen|dropped|been (?:moved|changed|postponed|raised|lowered|renamed|replaced|extended))|moved|changed|switched|no more|took over|takes over|stepped (?:down|in)|last reduction|lately|new|raised?|lowered?|increased?|reduced?|adjust(?:ed)?|revised?|extend(?:ed)?|lift(?:ed|ing)?|scal(?:ed|ing)|raising|lowering|doubl(?:ed|ing)|cut)\b",
    ),
    gone=rx(
        r"\b(?:no longer|not [\w' ]{0,40}any ?more|n't [\w' ]{0,40}any ?more|any longer|stopped|quit|gave up|given up|stepped down|has left|have left|left (?:the|us)|resigned|retired|is gone|are gone|is out|has ended|is over|is off|is cancelled|is canceled|was cancelled|called off|used to|dropped out|has moved out|sold)\b",
    ),
    retract=rx(
        r"^(?:no,? |please,? |oh,? |sorry,? |actually,? |and |ok,? |wait,? |but |hm+,? |so |oops,? )*(?:please )?(?:forget|disregard|ignore|scrap|strike|scratch|drop|delete|erase|cancel|discard|remove|undo|dismiss|retract|withdraw|unlearn)"
        r"(?: about| out| entirely| completely)? (?:that\b|it\b|this\b|all that\b|everything\b|what (?:i|we)\b|(?:that )?(?:i|we) (?:said|mentioned|told)|which\b|where\b|who\b|whom\b|when\b|how\b|the (?:last|previous|earlier|rule|thing|bit|part|note|point|one|idea|claim|statement|remark|entry|decision|goal|plan|preference|fact|info|information|business)\b|my (?:last|previous|earlier|remark|statement|message|preference|\w+ (?:preference|order|rule|comment|remark|statement))\b|(?:the|my|our) [\w' -]{2,50}(?:,|$|\.))",
        r"\b(?:i|we) (?:hereby |have to |must |want to |would like to |'d like to )?(?:take back|withdraw|retract|take (?:that|it|this) back)\b",
        r"^(?:no,? |sorry,? |oh,? |actually,? |ah,? |hm+,? |oops,? |wait,? )*(?:that|this|it|what (?:i|we) (?:said|told you|wrote)[\w' ]{0,60}?|my (?:last|previous) (?:statement|message|claim)|the (?:bit|part|thing|claim|info|information|note|figure|number|statement)[\w' ]{0,50}?|that [\w' ]{1,40}?|the [\w' ]{1,40}?) (?:was|were|is|isn't|wasn't|are) (?:\w+ ){0,2}?(?:wrong|not (?:right|true|correct)|incorrect|false|a mistake|an error|nonsense|a joke|rubbish|mistaken|untrue|no longer true|not true any ?more|made up|a misunderstanding|right\b(?<=n't right)|true\b(?<=n't true)|correct\b(?<=n't correct))",
        r"^(?:no,? |sorry,? |oh,? |actually,? |ah,? |oops,? )*(?:that|this|it)(?:'s| isn't| wasn't| is not| was not) (?:\w+ ){0,2}?(?:wrong|not (?:right|true|correct)|incorrect|false|a mistake|an error|nonsense|a joke|rubbish|mistaken|untrue|made up|right\b(?<=n't right)|true\b(?<=n't true)|correct\b(?<=n't correct))",
        r"\b(?:is|was|are) (?:void|null and void)\b|\bi (?:made (?:it|that) up|got (?:it|that) (?:all )?(?:wrong|mixed up)|mixed (?:it|that|them|things) up|was (?:wrong|mistaken) about|invented that|was confused about|spoke too soon|never said that)\b",
        r"\b(?:i have|i've|there is|there's) no [\w ]{2,30} (?:preference|any ?more)\b.*\b(?:drop|forget|ignore)\b",
        r"^(?:strike|scratch|scrap) (?:that|it)\b",
    ),
    reached=rx(
        r"\b" + _GOAL + r"\b.{0,40}\b(?:reached|achieved|met|hit|done|accomplished|fulfilled|completed|complete|attained|smashed|exceeded|made|ticked off|in the bag)\b",
        r"\b(?:reached|achieved|met|hit|accomplished|fulfilled|attained|completed|smashed|exceeded|beat|surpassed) (?:\w+ ){0,3}?" + _GOAL + r"\b",
        r"\b(?:mission accomplished|we did it|i did it|we made it|i made it|we've done it|i've done it|all done|it's done|is done|are done|that's done|finally done|done and dusted|can be ticked off|ticked off|we've hit|we hit|i've hit|i hit|we've reached|we reached|i've reached|i reached|i finally|we finally|we've managed|i've managed|i managed|we managed|as of today|passed (?:the|my)|i passed|handed in|was handed in|is handed in|have handed in|has been (?:submitted|handed in|finished|completed|published|accepted|paid off|signed)|is (?:finished|completed|complete|submitted|published|paid off)|i(?:'ve| have) (?:now |just |finally )?(?:finished|submitted|completed|learned|learnt|run|paid off|read|written|published|lost|saved|reached|made|passed))\b",
    ),
    dropped=rx(
        r"\b(?:i'm|i am|we're|we are|i've|i have|we've|we have|i|we|let's|i'll|we'll|let us)\b (?:(?:now|just|hereby|definitely|finally|all|been|also|going to|decided to|have to|had to|will|am|are) )*(?:giv(?:e|ing|en) up|gave up|drop(?:ping|ped)?|abandon(?:ing|ed)?|scrap(?:ping|ped)?|shelv(?:e|ing|ed)|bury(?:ing)?|buried|cancel(?:l?ing|l?ed)?|call(?:ing|ed)? off|let(?:ting)? go of|quit(?:ting)?|no longer (?:want|plan|aim|intend|pursue|pursuing|trying|need|aiming)|not (?:going to|pursuing|trying)|don't want to|do not want to|won't (?:be )?|put(?:ting)? (?:on ice|to rest))\b",
        r"\b" + _GOAL + r"\b.{0,40}\b(?:is (?:off|dead|dropped|cancelled|canceled|history|over|gone|abandoned|no longer|void|off the table)|no longer (?:applies|matters|holds|stands))\b",
        r"\b(?:forget|drop|scrap|scratch|cancel|abandon|shelve|strike) (?:about )?(?:the|my|our|that|this) [\w' -]{0,50}?(?:" + _GOAL + r"|plan|project|idea)\b",
    ),
    goal=rx(r"\b" + _GOAL + r"\b"),
    lead=places(
        r"^(?:and|but|so|also|oh|ah|okay|ok|well|hey|hi|hello|right|anyway|anyhow|besides|plus|then|now then|alright|all right|yes|no|nope|yeah|yep|hm+|ha|haha|great|good|fine|sure|thanks|thank you|sorry|oops|wait|look|listen|as agreed|in short|in brief|in summary|to sum up|btw|by the way|oh by the way|fyi|for the record|for your information|for the file|incidentally|on another note|on a different note|separately|additionally|furthermore|moreover|finally|lastly|first|firstly|second|secondly|third|thirdly|next|actually|in fact|as a matter of fact|seriously|seriously now|seriously though|honestly|frankly|basically|obviously|of course|naturally|luckily|unfortunately|sadly|happily|long story short|also|ps|p\.s\.|nb|n\.b\.|scratch that|strike that|no wait|on second thoughts?|on reflection|again|as i said|like i said|as mentioned|as discussed|as you know|you know|obviously|guess what|good news|bad news|big news|one more thing|another thing|one last thing|just so you know|just a heads up|heads up|quick note|quick update|small update|update|note|nota bene|reminder|quick reminder|attention|correction|small correction|a correction|decided|decision|agreed|settled|final word|last word|confirmed|my mistake|new plan|important|very important|just to confirm|to confirm|to be clear|just to be clear|for clarity|to clarify|and yes|after all|turns out|it turns out|it turned out|rule|house rule|new rule|meanwhile|so far)"
        r"(?:\s*[,:;.!…]+\s*|\s*[-–—]+\s+)(?=\S)",
        r"^(?:and|but|so|also|oh|well|plus|then)\s+(?=\S)",
        r"^(?:please )?(?:note|remember|keep in mind|bear in mind|be aware|take note|know|mind|don't forget|do not forget|it turns out|turns out|for the record|i should (?:mention|add|say)|i want to (?:mention|add)|i forgot to (?:mention|say)|let me (?:add|mention)|you should know|i must say|i can confirm|we can confirm|i confirm|i repeat|it's (?:now )?(?:clear|certain|official|decided|settled|agreed|final)|it is (?:now )?(?:clear|certain|official|decided|settled|agreed))(?: that|,|:)\s+(?=\S)",
        r"^(?:please )(?=never|do not|don't|no\b)",
        r"^(?:please )?(?:note|remember|write|take|put|jot|mark)(?: this| that| it)?(?: down)?:\s+",
    ),
    passing=places(
        r"(?:[,;.]|\s[-–—])\s*(?:oh,? )?(?:and )?(?:by the way|btw|incidentally|one more thing|while i(?:'m| am) at it|while we(?:'re| are) at it|before i forget|speaking of which|that reminds me|oh and|also)[,:]?\s+",
        r"\s(?:by the way|btw|incidentally)[,:]\s+",
    ),
    joiner=places(r"(?:,|;|\s[-–—])?\s+(?:and|but|so|while|whereas|yet|plus)\s+(?:also |then |so )?|\s*;\s*|,\s+|\s[-–—]\s"),
)
