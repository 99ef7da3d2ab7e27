"""A credential is replaced before anything of the turn is stored, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from remembering import heard

from partner.formation.redaction import redact

SECRETS = [
    ("the key is AKIAQ3EGRT7ZPL5XWVNB in the vault", "AKIAQ3EGRT7ZPL5XWVNB"),
    ("ghp_" + "a1B2" * 9, "a1B2a1B2"),
    ("sk-proj-" + "Zx9-" * 6, "Zx9-Zx9"),
    ("xoxb-123456789012-abcdefABCDEF", "abcdefABCDEF"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl", "eyJzdWIiOiI0MiJ9"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----", "b3BlbnNz"),
    ("postgres://anna:hush-4711@db.example.org/app", "hush-4711"),
    ("The wifi password is marmalade7.", "marmalade7"),
    ("password: 'correct horse battery'", "horse battery"),
    ("My PIN is 5093", "5093"),
    ("The password for the printer is tulip!Rain", "tulip!Rain"),
    ("DB_PASSWORD=nightjar", "nightjar"),
    ("Mein Passwort lautet Kirschbaum88.", "Kirschbaum88"),
    ("La contraseña es luna-llena-9", "luna-llena-9"),
    ("Le mot de passe est Coquelicot3", "Coquelicot3"),
    ("パスワードは sakura2025 です", "sakura2025"),
    ("密码是 panda-77", "panda-77"),
    ("Card 4111 1111 1111 1111 please", "4111 1111"),
    ("Authorization: Bearer abcdEFGH12345678ijklMNOP", "abcdEFGH"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_replaced(text: str, secret: str) -> None:
    redacted = redact(text)
    assert secret not in redacted.text
    assert redacted.kinds


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_reaches_neither_engram_nor_utterance(text: str, secret: str) -> None:
    memory = heard("The kiosk opens at nine.")
    formed = memory.says(f"The kiosk closes at six. {text}")
    assert secret not in formed.utterance_text
    assert not any(secret in f"{e.content} {e.provenance.evidence} {dict(e.metadata)}" for e in memory.log)


@pytest.mark.parametrize(
    "text",
    [
        "The password policy requires 16 characters.",
        "The secret is patience.",
        "The key to the mill hangs by the door.",
        "The token expired yesterday.",
        "Order number 4000 1234 5678 9010 999 is late.",
        "Our file number is 118-24.",
        "The hash of the commit is d41d8cd98f00b204.",
        "The safe is in the cellar, the password is kept by Ana.",
        "Call +49 30 1234567 after six.",
        "See https://example.org/docs/getting-started?page=2 for more.",
    ],
)
def test_what_only_speaks_of_secrets_is_kept(text: str) -> None:
    assert redact(text).text == text


@given(st.text(max_size=300))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once
