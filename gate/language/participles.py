"""German participles: the stem of the verb that 'gelöscht', 'weitergegeben' and 'verliehen' are of."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from gate.language.conjugate import SEPARABLE
from gate.language.stem import stem

_PARTICIPLE = re.compile(
    r"(ab|an|auf|aus|ein|frei|zu|weg|um|vor|nach|her|heraus|hinein|los|mit|durch|fest|hoch|bei)?ge(\w{2,}?)(?:e?t|en)\Z"
)
_SEPARATED = re.compile(rf"({'|'.join(sorted(SEPARABLE, key=len, reverse=True))})(ge\w{{3,}})\Z")
_JOINED = re.compile(r"(ver|be|er|ent|zer|unter|uber|wider|hinter)(\w{4,})\Z")


def participle_stem(word: str, irregular: Mapping[str, str], acts: Container[str]) -> str | None:
    """The stem of a folded participle, where it is one of a known verb: regular, or with a prefix before an
    irregular one."""
    regular = _PARTICIPLE.match(word)
    if regular:
        plain = stem((regular[1] or "") + regular[2] + "en", "de")
        if plain in acts:
            return plain
    prefixed = _SEPARATED.match(word) or _JOINED.match(word)
    if prefixed is None:
        return None
    own = prefixed[2] if prefixed.re is _SEPARATED else "ge" + prefixed[2]
    infinitive = irregular.get(own)
    plain = stem(prefixed[1] + infinitive, "de") if infinitive is not None else ""
    return plain if plain in acts else None
