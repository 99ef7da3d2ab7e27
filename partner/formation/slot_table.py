"""The rows of `slots.py`: name, whether one value holds, words for it, and how it is said in the first person.

`{V}` is a value up to the end of its phrase, `{N}` a name or figure. Patterns are case-sensitive where a name counts,
so they carry `(?i)` only where it does not. Order: the specific before the general.
"""

from __future__ import annotations

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DATE = (
    r"(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? (?:of )?"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
)

ROWS: tuple[tuple[str, bool, str, tuple[str, ...]], ...] = (
    (
        "name", True, "name called",
        (
            r"(?i)^my (?:full |real |first )?name(?:'s| is) (?:now )?{V}", r"^(?:Please )?(?:[Cc]all|[Aa]ddress) me (?:as )?{V}", r"(?i)^ich heiße {V}", r"(?i)\bmein name ist {V}",
            r"(?i)^me llamo {V}", r"(?i)^mi nombre es {V}", r"(?i)^je m['’]appelle {V}", r"(?i)^mon nom est {V}", r"(?i)^(?:people|everyone|they) calls? me {V}",
        ),
    ),
    (
        "employer", True, "employer work job company firm employed workplace",
        (
            r"(?i)\bmy (?:new |current )?employer(?:'s| is) (?:now )?{V}", r"\bI work (?:at|for) {V}", r"\bI(?:'ve| have|'m| am) (?:been )?(?:employed |working )?(?:at|by|for|with) {N} (?:for|now|since|as)",
            r"(?i:switched|changed) jobs? (?:from [\w ]+? )?to {V}", r"\b(?:I(?:'ve| have)? |^)(?:just )?(?:[Jj]oined|got hired (?:at|by)|was hired by|started (?:work |working |a job )?(?:at|with)) {N}",
            r"(?i:\bfirst (?:day|week|month) (?:at|with)) {N}", r"(?i:\b(?:manager|boss|team|desk|colleagues|badge|office|supervisor|onboarding) (?:at|from)) {N}", r"(?i:\bjob (?:at|with)) {N}",
            r"(?i:\bmoved (?:over )?from) [A-Z][\w ]+ to {N} (?:as|for work)", r"(?i:\bpays? ?check (?:from|at)) {N}", r"(?i)\bi(?:'m| am) employed (?:at|by) {V}",
        ),
    ),
    (
        "occupation", True, "occupation profession job work trade living career",
        (
            r"(?i)\bmy (?:job|profession|occupation|trade|day job) is (?:as |being )?(?:an? )?{V}", r"(?i)\bI work as (?:an? |the )?{V}",
            r"(?i)\bich arbeite(?: seit \d+)? als {V}", r"(?i)\bich bin (?:von beruf )?(?P<v>\w+(?:in|er|arzt|ärztin|frau|mann))\b(?=$|[.,])", r"(?i)\btrabajo (?:como|de) {V}", r"(?i)\bje (?:suis|travaille comme) (?P<v>\w+(?:eur|euse|ier|ière|iste|ien|ienne|teur|trice))\b",
            r"(?i)\bI(?:'m| am) (?:an? |the )?(?:\w+[ -]){0,3}?(?P<v>nurse|doctor|teacher|lawyer|midwife|engineer|developer|plumber|electrician|carpenter|pilot|baker|chef|cook|farmer|architect|accountant|vet|veterinarian|dentist|pharmacist|librarian|gardener|translator|designer"
            r"|journalist|student|researcher|scientist|musician|painter|photographer|driver|mechanic|judge|notary|surgeon|physiotherapist|therapist|psychologist|social worker|firefighter|policeman|officer|consultant|manager|programmer|analyst|editor|writer|author|professor|lecturer"
            r"|carer|paramedic|tailor|butcher|beekeeper|winemaker|brewer|potter|weaver|forester|fisherman|sailor|skipper|captain|bookseller|caretaker|retiree|freelancer|biologist|chemist|physicist|geologist|historian|economist|actuary|auditor|broker|optician|radiologist|anaesthetist|roofer|mason|locksmith|welder|bricklayer|conductor|tutor)\b",
        ),
    ),
    (
        "editor", True, "editor code ide coding",
        (
            r"(?i:\bmy (?:code )?editor(?:'s| is) (?:now )?){N}", r"(?i:\bI (?:now )?(?:write code|code|program|work) in ){N}", r"(?i:\bmoved from )[A-Z][\w ]+ to {N} for coding", r"\b{N} is my editor\b", r"(?i:\bmy ){N} config\b", r"(?i:\b(?:every key|keybindings?|shortcuts?|plugins?|config|theme|settings) (?:in|for)) {N}(?=.*\b(?:coding|code|keys?|editor)|$)",
            r"(?i:\bswitched (?:from [\w ]+ )?to ){N} (?:as|for) (?:my )?(?:editor|coding|code)",
        ),
    ),
    (
        "deadline", True, "deadline due hand-in submission date when",
        (
            rf"(?i)\b(?P<o>[\w-]+) (?:deadline|hand-in|due date|submission date|submission|closing date|date|calendar)\b.*?\b(?:is|to|on|happens|now|until) (?:now )?(?P<v>{_DATE})\b(?! to)(?!.*\bto {_DATE})",
            rf"(?i)\b(?P<o>[\w-]+) (?:deadline|hand-in|due date|submission|closing date|date)\b.*?\b(?:to|until|it is|is) (?P<v>{_DATE})\b(?! to)", rf"(?i)\b(?P<o>[\w-]+) (?:is|are) (?:now )?due (?:on |by )?(?P<v>{_DATE})",
        ),
    ),
    (
        "activity day", True, "day weekday when",
        (
            rf"(?i)\b(?P<v>{_DAY})s? is (?:now )?(?:my|our) (?P<o>\w+ing|gym|choir|yoga|training|band|market|library|laundry)(?:[ -]day)?", rf"(?i)\b(?:I|we) (?:now )?(?:go )?(?P<o>climb|swim|run|row|ski|danc|box|cycl|train|skat|div|jog|hik|surf)(?:e|ing)? on (?P<v>{_DAY})s?",
            rf"(?i)\b(?P<o>climb|swim|runn|row|ski|danc|box|cycl|train|skat|div|jogg|hik|surf)ing (?:is |moved |has moved |now )*(?:from \w+ )?(?:to|on) (?P<v>{_DAY})s?\b(?! to)", rf"(?i)\bon (?P<v>{_DAY})s?\b.*\b(?:when|then) (?:I|we) (?:go )?(?P<o>climb|swim|run|row|ski|danc|box|cycl|train|skat|div|jog|hik|surf)",
        ),
    ),
    (
        "meeting time", True, "time start begin when clock",
        (
            r"(?i)\b(?P<o>stand-?up|daily|sync|retro|all-hands|rehearsal|practice|lesson|class|choir|training|course|seminar|lecture|meeting|call)\b(?: is| happens| starts| moved| has moved| begins| meets| now| takes place| goes)*(?: from [\d:.]+)?(?: to| at)? (?P<v>\d{1,2}[:.]\d\d)(?! to)\b", r"(?i)\b(?:do|have|hold) (?:the |our )?(?P<o>stand-?up|daily|sync|retro|rehearsal|practice|lesson|class|training|meeting|call) at (?P<v>\d{1,2}[:.]\d\d)",
        ),
    ),
    (
        "home", True, "live home house flat city town apartment address residence reside where",
        (
            r"\b(?:I|We|we) (?:now |currently |still )?(?:live|reside|lodge) (?:in|on|at|near|with) {V}", r"(?i)\bhome for me is (?:now )?{V}", r"(?i)\bmy (?:new |current )?(?:home|house|flat|apartment|place) is (?:now )?(?:in |on |at |an? )?{V}",
            r"\b(?:I|[Ww]e)(?:'ve| have)? (?:just )?(?:moved|relocated) (?:house )?(?:from [A-Z][\w ]+? )?(?:back )?to (?P<v>[A-Z][\w-]+(?: [A-Z][\w-]+)?)(?=$|[.,;!]| (?:in|last|this|on|with|at|because|since|now|yesterday|today|two|three)\b)", r"(?i:live in [\w ]+? any ?more), I(?:'m| am) in {N}", r"\bI(?:'m| am) (?:now )?(?:based|living) (?:in|on|at) {V}",
            r"(?i:\b(?:signed|got) (?:the|a|my) lease (?:in|on|at|for)) (?:a \w+ in )?{N}", r"(?i:\bmovers\b.*?\bto) {N}", r"(?i:\b(?:keys?|boxes|furniture|unpack\w*|settl\w+ in|new (?:flat|house|apartment|place))\b.{0,30}\b(?:to|in)) {N}",
            r"(?i)\bich wohne (?:jetzt |nun )?in {V}", r"(?i)\bvivo (?:ahora )?en {V}", r"(?i)\bj['’]habite (?:maintenant )?(?:à |en |au )?{V}",
        ),
    ),
    (
        "phone", True, "phone handset mobile smartphone cell",
        (
            r"(?i)\bmy (?:new )?(?:phone|mobile|smartphone|handset)(?:'s| is) (?:now )?(?:an? |the )?{V}", r"\bI (?:now )?use (?:an? |the )?{N}(?=$|\.| now| as my phone)", r"(?i:\breplaced (?:my|the|\w+'s) (?:old )?)[A-Z][\w ]+? with (?:an? |the |my )?(?P<v>(?:[A-Za-z]*[A-Z][\w]*|\d+)(?: [\w]+){0,2})",
            r"(?i:\bsetting up (?:the|my) (?:new )?){N}.*\b(?:camera|SIM|apps?|phone|screen)", r"(?i:^the )(?P<v>[\w ]{2,30}?) arrived\b.*\b(?:SIM|contacts|apps|phone|number)", r"(?i:\b(?:SIM|contacts|number)\b.{0,20}\b(?:to|into|in)) (?:my new |the |the new )?{N}",
        ),
    ),
    (
        "coffee", True, "coffee order cafe drink usual espresso tea barista",
        (
            r"(?i)\bmy usual(?: (?:coffee|order|drink|tea))? (?:order )?is (?:now )?(?:an? )?{V}", r"(?i)\bI (?:always|usually|now) (?:order|drink) (?:an? |the )?{V}", r"(?i)\bI order (?:an? |the )?{V}",
            r"(?i)\bturns out (?:an? |the )?{V} is what (?:keeps|gets|wakes)", r"(?i)\bturns out (?:an? |the )?(?P<v>[\w ]{3,30}?) is what (?:keeps|gets|wakes)", r"(?i)\bbarista\b.*?\b(?:starts|makes|knows|prepares|brings|has) (?:my|me|\w+'s) (?:an? |usual )?(?P<v>[\w ]{3,30}?) (?:when|as|before|whenever|the moment)",
            r"(?i)\bmy coffee (?:order )?is (?:now )?(?:an? )?{V}",
        ),
    ),
    (
        "diet", True, "diet eat food eating meat nutrition",
        (
            r"(?i)\bI (?:follow|keep to|stick to|am on) (?:an? |the )?(?P<v>[\w-]+) diet", r"(?i)\bmy diet is (?:now )?{V}", r"(?i)\bchanged (?:my|\w+'s) diet (?:from [\w-]+ )?to (?P<v>[\w-]+)", r"(?i)\bI(?:'m| am|'ve been| have been)? (?:now )?(?:an? )?(?P<v>vegan|vegetarian|pescatarian|omnivorous|omnivore|keto|paleo|halal|kosher|flexitarian|[\w]+-free|low-\w+)\b",
            r"(?i)\b(?:weeks?|months?|days?) of (?:eating|being|going) (?P<v>[\w-]+)", r"(?i)^(?:cooking|eating|going|staying) (?P<v>[\w-]+) (?:is|was|has|feels|suits)", r"(?i)\b(?:went|gone|going|turned) (?P<v>vegan|vegetarian|pescatarian|keto|paleo|[\w]+-free|low-\w+)",
        ),
    ),
    (
        "pet name", True, "dog cat pet name called puppy",
        (
            r"(?i:\bmy (?:dog|cat|puppy|pet|horse|rabbit|parrot)(?:'s name)? (?:is|is called|is named|answers to)) (?:called |named |now )?{N}", r"^{N} is my (?:new )?(?:dog|cat|puppy|pet)\b", r"(?i:\brenamed the (?:dog|cat|puppy|pet) (?:from \w+ )?to) {N}", r"(?i:\b(?:dog|cat|puppy|pet)'s (?:new )?name is (?:now )?){N}",
            r"(?i:\b(?:dog|cat|puppy|pet) (?:only |now |just )*(?:answers|listens|responds|comes) to) {N}", r"(?i:\b(?:dog|cat|puppy|pet) (?:a )?(?:new )?(?:tag|collar|bowl)\b.*\b(?:engraved|with|saying|reading)) {N}",
        ),
    ),
    (
        "car", True, "car drive vehicle auto",
        (
            r"\bI (?:now )?drive (?:an? |the )?{N}", r"(?i:\bmy (?:new )?car(?:'s| is) (?:now )?(?:an? |the )?){N}", r"(?i:\btraded (?:in )?(?:the|my) )[A-Z][\w ]+ for (?:an? |the ){N}", r"(?i:\b(?:picked up|bought|collected|insured|registered|parked|parking|refuelled|charged|serviced|washed) (?:the|my|a) (?:new )?){N}(?=.*\b(?:dealer|car|garage|street|insur|mile|plate|tyre|tank|inspection|drive|road|charg|boot|keys|parking|key|registration))",
            r"(?i:^(?:the|my) ){N} (?i:(?:passed|needs|got|had|failed|is due|has|drives|handles|runs|fits))\b.*\b(?:inspection|service|tyres?|mileage|plates?|tank|motorway|parking|oil|MOT|insurance|road|boot|garage)",
        ),
    ),
    (
        "language studied", True, "language learning study lessons class course",
        (
            r"\bI(?:'m| am) (?:now )?(?:learning|studying) (?:to speak )?(?P<v>[A-Z]\w+)", r"(?i:\bI take) (?P<v>[A-Z]\w+) (?:lessons|classes|courses?)", r"(?i:\bdropped) [A-Z]\w+ and (?:started|took up|picked up) (?P<v>[A-Z]\w+)", r"(?i:\bswitched from) [A-Z]\w+ (?:lessons |classes |courses? )?to (?P<v>[A-Z]\w+)",
            r"\b(?P<v>[A-Z][a-z]+(?:ish|ese|ian|ean|ic|ek|ch|an|ili|di|sh|tch|si|lo|ch)) (?:flashcards|grammar|vocab\w*|verbs|lessons?|class(?:es)?|homework|course|teacher|tutor|textbook|pronunciation|duolingo|cases|tones|podcast)", r"(?i:\b(?:flashcards|homework|exam|lesson|first chat|conversation|book) (?:in|for)) (?P<v>[A-Z]\w+)\b",
        ),
    ),
    (
        "dentist", True, "dentist teeth tooth dental",
        (
            r"(?i:\bmy dentist(?:'s| is) (?:now )?){N}", r"\bI see {N} for my teeth", r"\b{N} is my dentist", r"(?i:\bchanged dentists? (?:from [\w. ]+ )?to ){N}", r"(?i:\b(?:check-?ups?|teeth|molar|dental|filling|crown|cleaning)\b.*\b(?:with|by|at) ){N}", r"^{N} (?i:(?:fixed|filled|cleaned|pulled|checked|did|looked at|treated|crowned)) my (?:\w+ )?(?:molar|tooth|teeth|filling|crown|wisdom|gums)",
        ),
    ),
    (
        "doctor", True, "doctor gp physician",
        (r"(?i:\bmy (?:gp|doctor|physician|family doctor)(?:'s| is) (?:now )?){N}", r"(?i:\b{N} is my (?:gp|doctor|physician)\b)", r"(?i:\bchanged doctors? (?:from [\w. ]+ )?to ){N}"),
    ),
    (
        "dose", True, "dose tablet medicine medication pill mg",
        (
            r"(?i)\b(?:dose|tablets?|pills?|drops|medicine|medication)\b.*?\b(?:is|to|at|says|now|,) (?P<v>\d+(?:[.,]\d+)? ?(?:mg|ml|µg|mcg|g|units|drops))\b(?! to)", r"(?i)\bI take (?P<v>\d+(?:[.,]\d+)? ?(?:mg|ml|µg|mcg|g|units|drops)) of",
        ),
    ),
    (
        "seat", True, "seat row travel travelling coach aisle window",
        (
            r"(?i)\bno longer want [^;,]+[;,] (?:please )?book (?:me )?(?:the |an? )(?P<v>(?:\w+ )?(?:seat|row|coach|berth|cabin))\b",
            r"(?i)\b(?:prefer|book(?: me)?|want|like|take|booked) (?:the |an? )(?P<v>(?:\w+ )?(?:seat|row|coach|berth|cabin|carriage))\b", r"(?i)\bon travel:? (?P<v>(?:\w+ )?(?:seat|row|coach))", r"(?i)\bthe (?P<v>(?:\w+ )?(?:seat|row|coach|berth)) is (?:the only|what|where|best|now)",
        ),
    ),
    (
        "book", True, "book reading read novel",
        (
            r"\bI(?:'m| am) (?:now |currently )?reading (?P<v>(?:The |A )?[A-Z][\w' ]+?)(?=$|[.,;!]| now\b| these\b| at\b)", r"(?i:\bI(?:'m| am) (?:halfway|partway|deep|well) (?:through|into) ){N}", r"(?i:\bput )[A-Z][\w' ]+ down and (?:started|picked up|began) {N}", r"(?i:^(?:finished )[A-Z][\w' ]+,? (?:and )?(?:started|began|now (?:on|reading)) ){N}",
            r"(?i:\b(?:fell asleep|dozed off|stayed up|cried|laughed) (?:over|reading|with) ){N}", r"\b{N} (?i:has me (?:turning|hooked|up|reading))", r"(?i:\b(?:chapter|page)s? (?:\d+ )?(?:of|into|in) ){N}",
        ),
    ),
    (
        "manner", False, "how like take style way",
        (r"(?i)\bI(?:'d| would)? (?:now )?(?:like|take|want|prefer|drink|eat|have|need)(?: to (?:have|get|take))? my (?P<o>\w+) {V}",),
    ),
    ("birthday", True, "birthday born birth age", (r"(?i)\bmy (?:birthday|date of birth) is (?:on )?{V}", r"(?i)\bI was born (?:on|in) {V}")),
    ("blood group", True, "blood group type", (r"(?i)\bmy blood (?:group|type) is {V}",)),
    ("age", True, "age old years", (r"(?i)\bI(?:'m| am) (?P<v>\d{1,3})(?: years old)?(?=$|[.,!])", r"(?i)\bmy age is {V}")),
    ("pronouns", True, "pronouns", (r"(?i)\bmy pronouns are {V}",)),
    ("time zone", True, "timezone time zone", (r"(?i)\bmy time ?zone is {V}",)),
)  # fmt: skip
