"""DKIM signatures, held over the very bytes that a mail server got against the public key that would stand in the DNS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from infra.mail.mail_signing import Signer, Unusable, signers
from infra.mail.smtp import Mailer
from infra.settings import Settings
from tests.post import Post, letter, serving

PEM = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What would stand in DKIM_KEYS."""
    folder = tmp_path_factory.mktemp("dkim")
    (folder / "ed.pem").write_bytes(ed25519.Ed25519PrivateKey.generate().private_bytes(*PEM))
    (folder / "rsa.pem").write_bytes(rsa.generate_private_key(65537, 2048).private_bytes(*PEM))
    return f"ed:{folder}/ed.pem, rsa2026:{folder}/rsa.pem"


@pytest.fixture
def mail(keys: str, tmp_path: Path) -> bytes:
    """A mail as a mail server gets it, with a link that no line may break and a name that is no ASCII."""
    settings, post = replace(Settings.development(tmp_path), dkim=keys, mail_domain="turns.example.org"), Post()
    with serving(post) as port:
        Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{port}")).send(letter(), "bo@example.org", "b+1@turns.example.org")
    (envelope,) = post.taken
    assert isinstance(envelope.content, bytes)
    return envelope.content


def directory(known: tuple[Signer, ...]) -> Callable[..., bytes]:
    """The DNS, as far as it matters."""
    records = {f"{signer.selector}._domainkey.turns.example.org.": signer.record for signer in known}
    return lambda name, **_: records[name.decode()].encode()


def test_both_signatures_hold_for_the_bytes_that_went_over_the_wire(keys: str, mail: bytes):
    known = signers(keys)
    assert [(signer.selector, signer.algorithm) for signer in known] == [("ed", "ed25519-sha256"), ("rsa2026", "rsa-sha256")]
    judge = dkim.DKIM(mail)
    assert [judge.verify(index, dnsfunc=directory(known)) for index in (0, 1)] == [True, True]
    assert (judge.domain, judge.selector) == (b"turns.example.org", b"rsa2026")
    assert {b"from", b"to", b"subject", b"message-id", b"references", b"list-unsubscribe", b"list-unsubscribe-post"} <= set(judge.include_headers)


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        (b"your match", b"your money"),
        (b"List-Unsubscribe=One-Click", b"List-Unsubscribe=Two-Click"),
        (b"it is your turn", b"it is not your turn"),
        (b"MIME-Version", b"From: eve@example.org\r\nMIME-Version"),
    ],
)
def test_neither_holds_for_a_mail_that_was_changed_on_its_way(keys: str, mail: bytes, what: bytes, instead: bytes):
    head, _, rest = mail.partition(b"From: Forgepost")
    changed = head + b"From: Forgepost" + rest.replace(what, instead, 1)
    assert changed != mail
    judge = dkim.DKIM(changed)
    assert [_verified(judge, index, directory(signers(keys))) for index in (0, 1)] == [False, False]


def _verified(judge: dkim.DKIM, index: int, dns: Callable[..., bytes]) -> bool:
    try:
        return bool(judge.verify(index, dnsfunc=dns))
    except dkim.DKIMException:
        return False


def test_a_relay_that_changes_blanks_breaks_nothing(keys: str, mail: bytes):
    changed = mail.replace(b"\r\nMIME-Version: 1.0", b"\r\nMIME-Version:   1.0").rstrip() + b"\r\n\r\n\r\n"
    assert dkim.DKIM(changed).verify(1, dnsfunc=directory(signers(keys)))


def test_without_keys_a_mail_goes_unsigned(tmp_path: Path):
    post = Post()
    with serving(post) as port:
        Mailer(replace(Settings.development(tmp_path), smtp_url=f"smtp://127.0.0.1:{port}")).send(letter(), "bo@example.org", "")
    assert b"dkim-signature" not in post.taken[0].content.lower()


def test_what_cannot_sign_is_said_at_the_start(tmp_path: Path):
    (tmp_path / "small.pem").write_bytes(rsa.generate_private_key(65537, 1024).private_bytes(*PEM))  # noqa: S505 - as old sites have them
    (tmp_path / "curve.pem").write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(*PEM))
    (tmp_path / "words.pem").write_text("no key")
    assert signers(f"s:{tmp_path}/small.pem")[0].algorithm == "rsa-sha256"
    for said, words in (
        ("key.pem", "does not name a selector"),
        ("Sel ector:key.pem", "does not name a selector"),
        (f"s:{tmp_path}/none.pem", "cannot be read: No such file or directory"),
        (f"s:{tmp_path}/words.pem", "is no private key in PEM without a passphrase"),
        (f"s:{tmp_path}/curve.pem", "must be Ed25519, or RSA with at least 1024 bits"),
    ):
        with pytest.raises(Unusable, match=words):
            signers(said)


def test_a_signer_does_not_show_its_secret(keys: str):
    assert "PRIVATE" not in repr(signers(keys))
    assert str(signers(keys)[0].secret) not in repr(signers(keys))
