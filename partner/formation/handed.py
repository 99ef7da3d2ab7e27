"""Text that is handed over to be worked on ('Translate this into French: ...') and states nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from partner.formation.blocks import Block
from partner.formation.sentences import Span

_WORKED_ON = re.compile(
    r"(?i)^(?:(?:please|kindly|now|ok(?:ay)?|and|then|hey|hi|can you|could you|would you|will you|help me|"
    r"bitte|por favor|"
    r"s['’]il te plaît|peux-tu|puedes|kannst du)[, ]+)*"
    r"(?:(?:translate|proof-?read|re-?phrase|rewrite|reword|paraphrase|summari[sz]e|sum up|shorten|"
    r"condense|"
    r"reply to|respond to|continue|spell-?check|explain|analy[sz]e|comment on|classify|extract|"
    r"(?:fix|correct|check|answer|complete|edit|improve|polish|compare|review|format|turn|convert|rate|"
    r"debug|expand|read)"
    r" (?:this|that|the|these|my|it|following)|übersetze?n?|korrigiere?n?|formuliere?n?|fasse?|kürze?n?|"
    r"erkläre?n?|verbessere?n?|"
    r"antworte?n? auf|traduce|traducir|corrige|corregir|resume|resumir|reformula|acorta|explica|traduis|"
    r"traduire|corriger|"
    r"résume|résumer|reformule|raccourcis|explique)\b(?! (?:this|that|it) down)[^:.!?\n]{0,60}"
    r"|how (?:would|do|should|can|could) (?:you|i|we|one) (?:answer|reply|respond|translate|say|phrase|"
    r"put)\b[^:.!?\n]{0,50}"
    r"|what (?:does|do) (?:this|that|it|these)(?: \w+)? (?:mean|say)[^:.!?\n]{0,30}|what do you (?:think|"
    r"make) of[^:.!?\n]{0,40}"
    r"|(?:here(?:['’]s| is| are| comes)|this is|see) (?:the|what|my|a|an|his|her|their|"
    r"our)\b[^:.!?\n]{0,30}\b(?:mail|e-?mail|text|draft|letter|"
    r"message|logs?|output|error|code|article|essay|poem|wrote|says|sent|translation|transcript|original|"
    r"paragraph|excerpt)"
    r"(?: (?:from|of|by|that|i|they|he|she|we|you|in|to) [^:.!?\n]{0,40})?)[:：](?=\s|$)"
)


def hands_over(sentence: str) -> re.Match[str] | None:
    """'Translate this into French: ...': what follows the colon is to be worked on."""
    return _WORKED_ON.match(sentence)


def own_words(text: str, pieces: Iterable[tuple[Block, Span]]) -> Iterator[tuple[Block, Span]]:
    """The pieces without what is handed over: the rest of the paragraph, or all the rest where the colon ends
    it and nothing between fences or quotation marks follows. What forbids is heard all the same."""
    over: Block | None = None
    end = 0
    for block, span in pieces:
        if over is _ALL and _MARKED_OFF.search(text, end, span.start):
            over = None
        if over is _ALL or block is over:
            continue
        sentence = text[span.start : span.end]
        handed = hands_over(sentence)
        rest = sentence[handed.end() :].strip() if handed else ""
        if handed is None or _FORBIDS.match(rest):
            yield block, span
        else:
            over, end = (block, 0) if rest else (_ALL, span.end)


_MARKED_OFF = re.compile(r"(?m)^[ \t]*(?:```|~~~|>)")
_ALL = Block(start=0, end=0)
_FORBIDS = re.compile(r"(?i)(?:please )?(?:never|do not|don't)\b")
