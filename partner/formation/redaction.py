"""Secrets are recognised in a turn and replaced before anything of it is stored.

Shapes of well-known tokens follow the public rule sets of gitleaks and detect-secrets (prefix, alphabet,
length). Values that only their surroundings give away ('the password is ...') are taken from those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from partner.formation.words import listed

MARK = "[secret: "

_SHAPES: tuple[tuple[str, str], ...] = (
    (
        "private key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*-----|\Z)",
    ),
    ("cloud key", r"\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    ("access token", r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b|\bgithub_pat_[A-Za-z0-9_]{22,255}\b"),
    ("access token", r"\bglpat-[A-Za-z0-9_\-]{20,}"),
    ("access token", r"\bxox[abeoprs]-[A-Za-z0-9\-]{10,}|\bxapp-\d-[A-Za-z0-9\-]{10,}"),
    ("api key", r"\b(?:sk|rk|pk)[-_](?:live|test|proj|ant|or|svcacct)[-_][A-Za-z0-9_\-]{8,}"),
    ("api key", r"\bsk-[A-Za-z0-9_\-]{16,}"),
    ("api key", r"\bAIza[A-Za-z0-9_\-]{35}\b|\bya29\.[A-Za-z0-9_\-]{20,}"),
    ("access token", r"\bnpm_[A-Za-z0-9]{30,}\b|\bpypi-[A-Za-z0-9_\-]{16,}|\bhf_[A-Za-z0-9]{20,}\b"),
    (
        "access token",
        r"\bdop_v1_[a-f0-9]{40,}\b|\bshp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}\b|\blin_api_[A-Za-z0-9]{30,}",
    ),
    ("access token", r"\bSG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}|\bAGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    ("access token", r"\bEAACEdEose0cBA[0-9A-Za-z]+|\bSK[0-9a-f]{32}\b|\bkey-[0-9a-f]{32}\b"),
    ("signed token", r"\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*"),
    ("bot token", r"\b\d{8,10}:AA[A-Za-z0-9_\-]{32,}"),
    ("webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/_\-]{20,}"),
    ("password", r"(?<=://)[^\s:/@]{1,64}:[^\s/@]{1,128}(?=@)"),
    ("bearer token", r"(?i)(?<=\bbearer )[A-Za-z0-9_\-.=+/]{15,}[A-Za-z0-9=]"),
)

# Words that announce a secret, in the languages the former reads.
_NAME = (
    r"pass\s?word|passwd|pw|pass\s?phrase|pass\s?code|pwd|pin(?:[ -]?(?:code|number|nummer))?|puk|"
    r"api[ _-]?(?:key|token|secret)|(?:secret|access|private|signing|encryption|"
    r"licen[cs]e)[ _-]?(?:access[ _-]?)?key|"
    r"(?:access|auth(?:entication)?|refresh|bot|session|bearer|personal access)[ _-]?token|token|"
    r"client[ _-]?secret|secret|cvv|cvc|seed phrase|recovery (?:code|phrase|key)s?|"
    r"(?:door|alarm|gate|safe|entry|unlock) ?code|combination|"
    r"passwort|kennwort|geheimzahl|zugangs(?:code|schlüssel)|schlüsselwort|türcode|"
    r"contraseña|clave(?: de acceso| secreta)?|"
    r"mot de passe|code (?:secret|d['’]accès|pin|(?:du|de la|de l['’]|für (?:die|das|den)|de) "
    r"?\w+)|clé (?:api|secrète|d['’]accès)|"
    r"parola d['’]ordine|senha|密码|密碼|口令|密钥|パスワード|暗証番号"
)
_ASSIGNED = re.compile(
    rf"(?i)(?P<name>(?<![A-Za-z])[A-Z0-9_\-]{{0,40}}(?:{_NAME})(?![A-Za-z]))"
    r"(?P<between>(?:\s+(?:for|of|to|from|on|in|at|into|für|von|vom|zum|zur|del?|para|pour|du|des)\s+"
    r"(?:(?!is\b|ist\b|es\b|est\b|lautet\b|was\b)[^\s:=.;,!?]+\s*){1,5}?)?)"
    r"(?P<link>\s*[:=：＝]\s*|['’]s\s+(?=\S*\d)|\s+(?:is|ist|lautet|es|est|é|are)\s+(?:now\s+|jetzt\s+|"
    r"ahora\s+)?|"
    r"\s*(?:は|是|为)\s*)"
    r"(?P<value>\"[^\"\n]{3,}\"|'[^'\n]{3,}'|`[^`\n]{3,}`|“[^”\n]{3,}”|「[^」\n]{2,}」|[^\s,;。、]+)"
)
_ENV = re.compile(
    r"(?m)\b(?P<name>[A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|PWD|APIKEY|API_KEY|ACCESS_KEY|"
    r"PRIVATE_KEY|CREDENTIALS?)"
    r"[A-Z0-9_]*)\s*[=:]\s*(?P<value>\"[^\"\n]+\"|'[^'\n]+'|[^\s]+)"
)
# 'The login is admin / hunter2', 'user: bob, pw hunter2'
_LOGIN = re.compile(
    r"(?i)\b(?:log-?in(?: data)?|credentials?|user(?: ?name)?|zugang(?:sdaten)?)(?:['’]s| is| are| ist|"
    r" lautet|\s?[:=]) ?"
    r"[\w.@+-]{1,40}(?: ?[/|,] ?| with | and | mit )(?:the |dem )?(?:pw|pass(?:word)?|kennwort|"
    r"passwort)?[:=]? ?"
    r"(?P<value>(?=\S*[\d!#$%&*?@_-])[^\s,;]{4,64})"
)
_ACCOUNT = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_CARD = re.compile(r"(?<![\d.])(?:\d[ -]?){12,18}\d(?![\d.])")
_OPAQUE = re.compile(
    r"(?<![\w/.\-])(?=[A-Za-z0-9_\-+=]{32})(?=[A-Za-z0-9_\-+=]*[A-Z])(?=[A-Za-z0-9_\-+=]*[a-z])(?=[A-Za-z0-9_\-+=]*\d)[A-Za-z0-9_\-+=]{32,}(?![\w/])"
)
# Only these may have a plain word as their value: 'the secret is patience' is no secret.
_PLAIN = re.compile(r"(?i)pass|kennwort|contraseña|mot de passe|senha|密|口令|パスワード")
_ORDINARY = listed("""in on at with for from of to the a an my our your not no never now always only still
also too
    here there expired wrong weak strong required missing secret new old safe stored kept known
    needed correct right invalid valid lost changed reset unknown public private called written saved
    hidden empty short long same different patience broken ready set off out up gone due next last im
    am bei der die das ein eine nicht falsch richtig neu abgelaufen en el la los las un una le les
    dans sur incorrecta nueva expiré""")


@dataclass(frozen=True, slots=True)
class Redacted:
    """`text` with every secret replaced by `[secret: kind]`; `kinds` in the order met."""

    text: str
    kinds: tuple[str, ...] = ()


def redact(text: str) -> Redacted:
    """Replace what looks like a credential. Idempotent: a marker is never taken for a secret again."""
    spans: list[tuple[int, int, str]] = []
    low = _lower(text)
    for kind, pattern, marks in _COMPILED:
        if any(mark in low for mark in marks):
            spans += [(m.start(), m.end(), kind) for m in pattern.finditer(text)]
    if any(mark in text for mark in _ENV_MARKS):
        spans += [(*m.span("value"), _env_kind(m["name"])) for m in _ENV.finditer(text)]
    if any(mark in low for mark in _ANNOUNCING):
        found = (_assigned(m) for m in _announced(text, low))
        spans += [span for span in found if span is not None]
    if "log" in low or "user" in low or "credential" in low or "zugang" in low:
        spans += [(*m.span("value"), "password") for m in _LOGIN.finditer(text)]
    spans += [(m.start(), m.end(), "bank account") for m in _ACCOUNT.finditer(text) if _is_account(m[0])]
    spans += [(m.start(), m.end(), "card number") for m in _CARD.finditer(text) if _is_card(m[0])]
    spans += [(m.start(), m.end(), "opaque token") for m in _OPAQUE.finditer(text)]
    return _replace(text, [s for s in spans if not text.startswith(MARK, s[0]) and s[0] < s[1]])


_TOKEN_MARKS = tuple(
    listed("gh _pat_ glpat- xox xapp- npm_ pypi- hf_ dop_v1 shp lin_api sg. age-secret eaac sk key-")
)
# What every match of a shape has in it, in lower case: looking for that first spares most of the searches.
_MARKS: dict[str, tuple[str, ...]] = {
    "private key": ("private key",),
    "cloud key": ("a3t", "akia", "asia", "abia", "acca"),
    "signed token": ("eyj",),
    "bot token": (":aa",),
    "webhook": ("hooks.slack.com",),
    "password": ("://",),
    "bearer token": ("bearer ",),
    "access token": _TOKEN_MARKS,
    "api key": ("sk", "rk", "pk", "aiza", "ya29"),
}
_COMPILED = tuple((kind, re.compile(pattern), _MARKS[kind]) for kind, pattern in _SHAPES)
# Parts of the names in `_ENV` and in `_NAME`: without one of them nothing is announced.
_ENV_MARKS = (
    "TOKEN",
    "SECRET",
    "PASSW",
    "PWD",
    "APIKEY",
    "API_KEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
    "CREDENTIAL",
)
_ANNOUNCING = listed("""pass pw pin puk key token secret cvv cvc seed code recovery combination kennwort
    geheimzahl zugang schlüssel contraseña clave clé parola senha 密 口令 パスワード 暗証番号""")
_NAMED = re.compile(_NAME)


def _announced(text: str, low: str) -> Iterator[re.Match[str]]:
    """Matches of `_ASSIGNED`, tried only where one of the names stands: a long text has few of them."""
    reached = 0
    for hit in _NAMED.finditer(low):
        begin = hit.start()
        while (
            begin > reached
            and hit.start() - begin < 40
            and (text[begin - 1].isalnum() or text[begin - 1] in "_-")
        ):
            begin -= 1
        starts = (p for p in range(begin, hit.start() + 1) if p == 0 or not text[p - 1].isalpha())
        match = next((m for p in starts if (m := _ASSIGNED.match(text, p))), None)
        if match is not None and match.start() >= reached:
            reached = match.end()
            yield match


def _lower(text: str) -> str:
    """In lower case, of the same length (a letter whose lower case is longer stays as it is)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _env_kind(name: str) -> str:
    return "password" if "PASS" in name or "PWD" in name else "access token"


def _assigned(match: re.Match[str]) -> tuple[int, int, str] | None:
    value, link = match["value"], match["link"]
    if value.startswith(MARK[:7]):
        return None
    start, end = match.span("value")
    bare = value.rstrip(".!?)]")
    end -= len(value) - len(bare)
    if bare[:1] in "\"'`“「":
        return start, end, _kind(match["name"])
    spelled = link.strip() in (":", "=", "：", "＝", "は", "是", "为")
    if not bare or bare.lower() in _ORDINARY or (match["between"] and not spelled and not _opaque(bare)):
        return None
    if not spelled and not _opaque(bare) and not (_PLAIN.search(match["name"]) and _closes(match, end)):
        return None
    if len(bare) < 3:
        return None
    return start, end, _kind(match["name"])


def _opaque(value: str) -> bool:
    """Not a plain word: a digit, a sign or a capital inside it."""
    return bool(re.search(r"\d|[^\w'’\-]|_|.[A-Z]", value))


def _closes(match: re.Match[str], end: int) -> bool:
    """'The password is sunflower.' ends there; 'the password is kept by Ana' does not."""
    rest = match.string[end : end + 40]
    return re.match(r"\s*(?:[.!?,;\n]|$|and\b|und\b|y\b|et\b)", rest) is not None


def _kind(name: str) -> str:
    lowered = name.lower()
    if re.search(r"token", lowered):
        return "access token"
    if re.search(r"key|clé|schlüssel|密钥", lowered):
        return "api key"
    return "password"


def _is_account(number: str) -> bool:
    """ISO 13616: the check digits of an IBAN, modulo 97."""
    bare = number.replace(" ", "")
    turned = bare[4:] + bare[:4]
    return 15 <= len(bare) <= 34 and int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _is_card(digits: str) -> bool:
    """Luhn's check over 13 to 19 digits, grouped or not."""
    numbers = [int(c) for c in digits if c.isdigit()]
    if not 13 <= len(numbers) <= 19 or numbers[0] not in (3, 4, 5, 6) or len(set(numbers)) < 2:
        return False
    doubled = (d * 2 - 9 if d > 4 else d * 2 for d in numbers[-2::-2])
    return (sum(numbers[-1::-2]) + sum(doubled)) % 10 == 0


def _replace(text: str, spans: list[tuple[int, int, str]]) -> Redacted:
    parts: list[str] = []
    kinds: list[str] = []
    at = 0
    for start, end, kind in sorted(spans, key=lambda s: (s[0], -s[1])):
        if start < at:
            continue
        parts += [text[at:start], f"{MARK}{kind}]"]
        kinds.append(kind)
        at = end
    return Redacted("".join([*parts, text[at:]]), tuple(kinds))
