"""English as it is typed in a hurry ('i cant', 'pls', 'tmrw'), spelled out before it is read."""

from __future__ import annotations

import re

_SHORT = {
    "pls": "please", "plz": "please", "plse": "please", "thx": "thanks", "tx": "thanks", "ur": "your",
    "u": "you", "im": "I'm", "ive": "I've", "dont": "don't", "doesnt": "doesn't",
    "didnt": "didn't", "cant": "can't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't",
    "wont": "won't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't",
    "hasnt": "hasn't", "havent": "haven't", "hadnt": "hadn't", "mustnt": "mustn't", "neednt": "needn't",
    "youre": "you're", "youve": "you've", "theyre": "they're", "theyve": "they've", "weve": "we've",
    "thats": "that's", "whats": "what's", "whos": "who's", "wheres": "where's",
    "hows": "how's", "whens": "when's",
    "whys": "why's", "hes": "he's", "shes": "she's", "theres": "there's",
    "lets": "let's", "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "2moro": "tomorrow",
    "tonite": "tonight", "bc": "because", "cuz": "because", "coz": "because", "cos": "because",
    "b4": "before", "gonna": "going to", "wanna": "want to", "gotta": "have to", "gimme": "give me",
    "lemme": "let me", "dunno": "don't know", "somebdy": "somebody", "sombody": "somebody",
    "definately": "definitely", "recieve": "receive", "adress": "address", "tommorow": "tomorrow",
    "tommorrow": "tomorrow", "tomorow": "tomorrow", "wensday": "Wednesday", "teh": "the", "abt": "about",
    "w/o": "without", "w/": "with", "ppl": "people", "appt": "appointment", "wk": "week", "mins": "minutes",
    "thu": "Thursday", "thur": "Thursday", "thurs": "Thursday", "tue": "Tuesday", "tues": "Tuesday",
    "weds": "Wednesday", "fri": "Friday", "yday": "yesterday", "nvm": "never mind",
    "i": "I", "id": "I'd", "ill": "I'll",
}  # fmt: skip
# 'id' and 'ill' are words of their own too: only where a verb's place follows.
_WISH = re.compile(
    r"(?i)\b(?:id)\b(?= (?:like|rather|prefer|love|want|say)\b)|\b(?:ill)\b(?= (?:be|take|have|"
    r"use|go|keep|do|never|send)\b)"
)
_ANYWHERE = sorted((w for w in _SHORT if w not in ("id", "ill")), key=len, reverse=True)
_WORD = re.compile(
    r"(?<![\w@./:'’-])(?:" + "|".join(map(re.escape, _ANYWHERE)) + r")(?![\w@/:'’-]|\.\w)", re.IGNORECASE
)
_INSIDE = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|`[^`\n]*`|https?://\S+")


def spelled_out(text: str) -> str:
    """The text with short spellings written out; quotations, code and addresses stay as they are."""
    parts: list[str] = []
    at = 0
    for kept in _INSIDE.finditer(text):
        parts += [_spelled(text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*parts, _spelled(text[at:])])


def _spelled(text: str) -> str:
    text = _WISH.sub(lambda m: _SHORT[m[0].lower()], text)
    return _WORD.sub(_written, text)


def _written(match: re.Match[str]) -> str:
    word = match[0]
    if word.isupper() and len(word) > 1:
        return word  # an abbreviation: IM, UR, COS
    full = _SHORT[word.lower()]
    return full[:1].upper() + full[1:] if word[0].isupper() else full
