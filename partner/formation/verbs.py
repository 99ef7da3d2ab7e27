"""English verbs: enough morphology to find the finite verb of a clause, without a model.

A word list with regular inflection and the irregular forms spelled out. A word that is noun and verb
('charges', 'plans') is decided by what stands before it.
"""

from __future__ import annotations

import re
from functools import cache

_REGULAR = ["accept", "access", "achieve", "act", "add", "adjust", "administer", "admit", "adopt", "advise", "affect", "agree", "aim", "allow", "amount", "answer", "appear", "apply", "appoint", "approve", "argue", "arrange", "arrive", "ask", "assign", "assist", "attach", "attend", "audit", "authorise", "authorize", "avoid", "back", "bake", "base", "belong", "bill", "block", "board", "book", "borrow", "brew", "bring", "broadcast", "browse", "build", "burn", "cache", "call", "camp", "cancel", "care", "carry", "cater", "celebrate", "certify", "chair", "change", "charge", "chase", "check", "chirp", "claim", "clean", "clear", "climb", "close", "coach", "collect", "combine", "commit", "commute", "compile", "complain", "complete", "compost", "concern", "confirm", "connect", "consist", "consume", "contact", "contain", "continue", "control", "convert", "cook", "coordinate", "copy", "correspond", "cost", "count", "cover", "crash", "cross", "cultivate", "cycle", "dance", "deal", "debug", "decide", "decline", "decorate", "delay", "delegate", "delete", "deliver", "demand", "depart", "depend", "deploy", "describe", "deserve", "design", "desire", "develop", "dial", "die", "direct", "disable", "disagree", "disappear", "discard", "discuss", "dislike", "display", "distribute", "document", "donate", "download", "drain", "dress", "drop", "drown", "earn", "edit", "emerge", "employ", "empty", "enable", "encrypt", "end", "enforce", "engrave", "enjoy", "enter", "entitle", "equal", "escalate", "establish", "examine", "exceed", "exchange", "exclude", "execute", "exercise", "exist", "expect", "expire", "explain", "export", "extend", "face", "fail", "farm", "favour", "favor", "fax", "fear", "feature", "fetch", "file", "fill", "film", "finance", "finish", "fire", "fish", "fit", "fix", "flag", "flash", "float", "flood", "flow", "focus", "fold", "follow", "form", "format", "found", "freeze", "frighten", "function", "fund", "gain", "garden", "gather", "generate", "govern", "grant", "greet", "guard", "guide", "hand", "handle", "happen", "harvest", "hate", "haul", "head", "heat", "help", "hesitate", "hike", "hire", "hope", "host", "house", "hunt", "hurry", "identify", "ignore", "import", "improve", "include", "increase", "index", "inform", "inherit", "inspect", "install", "insure", "intend", "interview", "introduce", "invest", "invite", "invoice", "involve", "iron", "isolate", "issue", "join", "judge", "juggle", "jump", "justify", "keep", "kick", "kill", "knit", "knock", "label", "lack", "land", "last", "laugh", "launch", "lead", "leak", "lease", "lecture", "lend", "level", "license", "lift", "like", "limit", "link", "list", "listen", "live", "load", "loan", "locate", "lock", "log", "look", "love", "lower", "maintain", "manage", "map", "mark", "marry", "master", "match", "matter", "mean", "measure", "meet", "mention", "merge", "migrate", "mind", "miss", "mix", "moderate", "monitor", "mount", "move", "mow", "name", "need", "negotiate", "note", "notify", "obtain", "occupy", "occur", "offer", "open", "operate", "oppose", "order", "organise", "organize", "outrank", "oversee", "owe", "own", "pack", "paint", "park", "participate", "pass", "pause", "pay", "perform", "phone", "pick", "place", "plan", "plant", "plaster", "play", "plough", "point", "polish", "pool", "post", "postpone", "pour", "practise", "practice", "prefer", "prepare", "present", "preserve", "press", "prevent", "print", "process", "produce", "program", "prohibit", "promise", "promote", "propose", "protect", "provide", "prune", "publish", "pull", "pump", "punish", "purchase", "push", "query", "queue", "question", "quote", "race", "rain", "raise", "range", "reach", "rebuild", "receive", "recommend", "record", "recover", "recycle", "reduce", "refactor", "refer", "referee", "refill", "reflect", "refuse", "register", "regulate", "rehearse", "reject", "relate", "release", "rely", "remain", "remember", "remind", "remove", "rename", "renew", "renovate", "rent", "reopen", "repair", "repeat", "replace", "reply", "report", "represent", "request", "require", "reschedule", "research", "reserve", "reside", "resign", "resolve", "respect", "respond", "rest", "restart", "restore", "restrict", "result", "retire", "retrieve", "return", "reuse", "review", "reward", "roast", "roll", "rotate", "row", "rule", "sail", "sample", "save", "scan", "schedule", "score", "scrub", "seal", "search", "seat", "secure", "seed", "seem", "select", "send", "serve", "service", "settle", "sew", "share", "shift", "ship", "shop", "shout", "shut", "sign", "signal", "sing", "sink", "ski", "skip", "sleep", "slice", "smell", "smoke", "solve", "sort", "sound", "sow", "specify", "sponsor", "sponsor", "stack", "staff", "start", "state", "stay", "steer", "stitch", "stock", "stop", "store", "stream", "stretch", "strike", "study", "subscribe", "suffer", "suggest", "suit", "supervise", "supply", "support", "suppose", "surround", "suspect", "swap", "sweep", "swim", "switch", "sync", "tag", "take", "talk", "taste", "teach", "tell", "tend", "terminate", "test", "thank", "thrive", "tidy", "tie", "total", "touch", "tour", "tow", "track", "trade", "train", "transfer", "translate", "transport", "travel", "treat", "trim", "trust", "try", "turn", "tutor", "type", "understand", "update", "upgrade", "upload", "use", "validate", "vary", "ventilate", "verify", "veto", "visit", "volunteer", "vote", "wait", "walk", "want", "warn", "wash", "waste", "watch", "water", "wear", "weed", "weigh", "weld", "welcome", "whitelist", "win", "wire", "wish", "wonder", "work", "worry", "wrap", "yield", "dim", "dock", "adore", "regret", "resume", "rinse", "sit", "stand", "stem", "step", "oil", "mill", "lodge", "swear", "vest", "contract", "convene", "depend", "deduct", "differ", "distribute", "feed", "hold", "hang", "hurt", "lay", "lean", "lie", "lose", "make", "overlap", "pin", "pitch", "plug", "pray", "proceed", "proof", "prove", "quit", "rank", "rate", "react", "read", "reboot", "redirect", "relax", "relocate", "reside", "revoke", "scrap", "sell", "set", "shine", "shrink", "snore", "soak", "spend", "spill", "split", "spread", "stick", "stink", "supersede", "support", "surf", "suspend", "sustain", "tax", "throw", "tolerate", "trigger", "tune", "unlock", "unplug", "wake", "withdraw", "wrestle", "write", "zip", "moor", "varnish", "crew", "skipper", "mentor", "lecture", "bottle", "ferment", "prune", "graft", "shear", "lamb", "calve"]
_IRREGULAR = """be:is are was were am been|have:has had|do:does did done|go:goes went gone|say:said|get:got gotten|make:made
know:knew known|think:thought|take:took taken|see:saw seen|come:came|find:found|give:gave given|tell:told
become:became|leave:left|feel:felt|put:put|bring:brought|begin:began begun|keep:kept|hold:held|write:wrote written
stand:stood|hear:heard|let:let|mean:meant|set:set|meet:met|run:ran|pay:paid|sit:sat|speak:spoke spoken|lie:lay lain
lead:led|read:read|grow:grew grown|lose:lost|fall:fell fallen|send:sent|build:built|understand:understood|draw:drew
drawn|break:broke broken|spend:spent|cut:cut|rise:rose risen|drive:drove driven|buy:bought|wear:wore worn
choose:chose chosen|eat:ate eaten|sell:sold|teach:taught|sleep:slept|win:won|wake:woke woken|drink:drank drunk
fly:flew flown|forget:forgot forgotten|forgive:forgave|freeze:froze frozen|hang:hung|hide:hid hidden|hit:hit
hurt:hurt|lay:laid|lend:lent|light:lit|ride:rode ridden|ring:rang rung|seek:sought|shake:shook|shine:shone|shoot:shot
show:showed shown|shut:shut|sing:sang sung|sink:sank sunk|steal:stole|stick:stuck|strike:struck|swear:swore
sweep:swept|swim:swam|throw:threw thrown|withdraw:withdrew|feed:fed|fight:fought|cost:cost|quit:quit|split:split
spread:spread|bear:bore|bend:bent|bind:bound|bite:bit|blow:blew|catch:caught|deal:dealt|dig:dug|swing:swung
shrink:shrank|mow:mowed mown|sew:sewed sewn|sow:sowed sown|weave:wove|wind:wound|leap:leapt|burn:burnt|learn:learnt
smell:smelt|spell:spelt|spill:spilt|upset:upset|overhear:overheard|oversee:oversaw|foresee:foresaw|rebuild:rebuilt
reset:reset|input:input|broadcast:broadcast|bet:bet|burst:burst|cast:cast|rid:rid|shed:shed|want:wanted|need:needed"""
_BASES = frozenset(_REGULAR) | frozenset(["listen", "learn", "care", "fly", "ride", "ring", "show", "shake", "drink", "choose", "draw", "fall", "grow"])
AUXILIARIES = frozenset(
    ["is", "are", "was", "were", "am", "isn't", "aren't", "wasn't", "weren't", "ain't", "has", "have", "had", "hasn't", "haven't", "hadn't", "do", "does", "did", "don't", "doesn't", "didn't", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "won't", "wouldn't", "shan't", "shouldn't", "can't", "cannot", "couldn't", "mightn't", "mustn't", "needn't", "'s", "'re", "'m", "'ve", "'ll", "'d"]
)
COPULA = frozenset(["is", "are", "was", "were", "am", "be", "been", "being", "'s", "'re", "'m", "isn't", "aren't", "wasn't", "weren't", "ain't"])
_VOWELS = "aeiou"


@cache
def forms() -> dict[str, tuple[str, str]]:
    """Word form -> (base, 'base' | 's' | 'past' | 'ing')."""
    table: dict[str, tuple[str, str]] = {}
    irregular: set[str] = set()
    for base, past in re.findall(r"(\w+):([\w\s]+?)(?=\||\n\w+:|$)", _IRREGULAR):
        irregular.add(base)
        table.setdefault(base, (base, "base"))
        for form in past.split():
            table.setdefault(form, (base, "past"))
    for base in sorted(_BASES | irregular):
        table.setdefault(base, (base, "base"))
        table.setdefault(_third(base), (base, "s"))
        for ing in _ings(base):
            table.setdefault(ing, (base, "ing"))
        if base not in irregular:
            for past in _pasts(base):
                table.setdefault(past, (base, "past"))
    table.update({"is": ("be", "s"), "are": ("be", "s"), "am": ("be", "s"), "has": ("have", "s"), "does": ("do", "s")})
    return table


def lemma(word: str) -> str:
    """Base form of a known verb form, else the word itself."""
    found = forms().get(word)
    return found[0] if found else word


def form_of(word: str) -> str:
    """'base', 's', 'past', 'ing', or '' for a word that is no known verb."""
    found = forms().get(word)
    return found[1] if found else ""


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _doubles(base: str) -> bool:
    return (
        len(base) > 2
        and base[-1] not in "aeiouwxyh"
        and base[-2] in _VOWELS
        and base[-3] not in _VOWELS
    )


def _pasts(base: str) -> tuple[str, ...]:
    if base.endswith("e"):
        return (base + "d",)
    if base.endswith("y") and base[-2] not in _VOWELS:
        return (base[:-1] + "ied",)
    return (base + base[-1] + "ed", base + "ed") if _doubles(base) else (base + "ed",)


def _ings(base: str) -> tuple[str, ...]:
    if base.endswith("ie"):
        return (base[:-2] + "ying",)
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return (base[:-1] + "ing",)
    return (base + base[-1] + "ing", base + "ing") if _doubles(base) else (base + "ing",)
