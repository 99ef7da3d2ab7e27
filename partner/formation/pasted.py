"""Lines that are pasted rather than said: of a log, of a program or its output, of a mail.

An operator pastes to have something looked at. Of that nothing is a claim of the operator's; what stands
before and after it is.
"""

from __future__ import annotations

import re

_LOG = re.compile(
    r"^\W{0,2}\d{4}[-/.]\d\d[-/.]\d\d[T ,]+\d\d:\d\d(?::\d\d)?\S*\s+\S"
    r"|^\W{0,2}\[?\d\d:\d\d:\d\d[.,\d]*\]?[\s:]+\S|^\w{3} +\d{1,2} \d\d:\d\d:\d\d \S"
    r"|^\[?(?:INFO|WARN|WARNING|ERROR|FATAL|DEBUG|TRACE|CRITICAL|NOTICE|SEVERE|PANIC|ERR)\]?(?:[:\]]|"
    r"\s+)\s*\S"
    r"|^(?:npm|yarn|pnpm) (?:WARN|ERR!|notice|error|warning)\b|^(?:kernel|systemd|sshd|nginx|dockerd|"
    r"cron)(?:\[\d+\])?: "
    r"|^[\w.-]+\[\d+\]: |^HTTP/\d|^(?:GET|POST|PUT|HEAD|PATCH) /\S*|^[\w.]*(?:Error|Exception|"
    r"Warning)(?:\[\w+\])?: "
    r"|^(?:error|warning|fatal|panic)(?:\[\w+\])?: |^Traceback \(most|^\s*at [\w.$<>]+\(|^\s*File \"|"
    r"^(?:\$|>>>|%|PS [A-Z]:\\\S*>) \S"
    r"|^[\w-]+@[\w-]+:\S*[$#] |^\s*\d+ (?:passed|failed|errors?)\b|^=+ \w|^[+-]{3} [ab]/|^@@ |^diff --git"
)
_CODE = re.compile(
    r"^\s*(?:def|class|function|const|let|var|public|private|static|import|from|return|for|if|while|else|"
    r"elif|"
    r"try|catch|switch|package|using|fn|func|async|await|print|echo|export)\b.*(?:\w\([^)]*\)|[;{}]\s*$|"
    r"=>|==| = )"
    r"|^\s*#(?:include|define|!)|^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|"
    r"DROP TABLE)\s+\S"
    r"|^\s*(?://|/\*|<!--)|^\s*</?[a-zA-Z][\w-]*(?:\s[^>]*)?/?>|^\s*[{\[]\s*[\"']\w+[\"']\s*[:,]|"
    r"^\s*\"[\w-]+\"\s*:\s"
    r"|^\s*[\w.]+\([^)]*\)\s*[;{]?$|^\s*[\w.\[\]]+ (?:=|\+=|:=) \S+.*[;\])]\s*$"
)
_HEADER = re.compile(
    r"(?i)^(?:subject|from|to|cc|bcc|date|sent|reply-to|betreff|von|an|gesendet|datum|asunto|de|para|"
    r"fecha|objet|à|"
    r"envoyé)\s?: ?\S"
)
_SUBJECT = re.compile(r"(?i)^(?:subject|betreff|asunto|objet)\s?: ?\S")
_SALUTATION = re.compile(
    r"(?:Dear|Hi|Hello|Hey|Hallo|Liebe[rs]?|Sehr geehrte[rs]?|Hola|Querid[oa]s?|Estimad[oa]s?|Cher|Chère|"
    r"Bonjour)"
    r"(?: [A-ZÄÖÜÉ][\w.-]*){1,3}\s*[,:!]?\s*$"
)
_CLOSING = re.compile(
    r"(?im)^(?:(?:best|kind|warm|many|with|mit|viele|liebe|un|freundlichen?|bien) ){0,3}(?:regards|wishes|"
    r"best|cheers|"
    r"sincerely|yours|thanks|lg|vg|mfg|grüße|grüßen|gruß|saludos?|abrazo|cordialement|amicalement|"
    r"à vous)\b.{0,40}$"
)
_SENTENCE = re.compile(r"[A-ZÄÖÜÉÈÁÍÓÚÑ][^{}=<>]*\s[^{}=<>]*[.!?]\s*$")


def is_pasted(line: str) -> bool:
    """A line of a log, of a program or of its output."""
    return _LOG.match(line) is not None or _CODE.match(line) is not None


def goes_on(line: str) -> bool:
    """Whether a line behind a pasted one, in the same paragraph, belongs to it: it is no sentence."""
    return _SENTENCE.match(line) is None


def starts_mail(line: str, after: str) -> bool:
    """The first of a mail's lines, given the next ones: what follows it is the mail.

    A header with another below it, or the salutation of somebody by name over a closing formula.
    """
    if _HEADER.match(line):
        return _SUBJECT.match(line) is not None or _HEADER.match(after) is not None
    return _SALUTATION.match(line) is not None and _CLOSING.search(after) is not None
