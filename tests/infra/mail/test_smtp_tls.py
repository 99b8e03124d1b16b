"""Mail out over TLS and with a password, to a real SMTP server that wants both."""

import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from infra.mail.smtp import Mailer, TryLater
from infra.settings import Settings
from tests.post import Post, letter, serving


def guarded(certificate: Path) -> dict[str, Any]:
    """The keywords of a server that talks TLS and knows one user."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    def known(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: LoginPassword) -> AuthResult:
        return AuthResult(success=given == LoginPassword(b"forge@example.org", b"p:ss/w rd"), handled=False)

    return {"tls_context": context, "require_starttls": True, "authenticator": known, "auth_required": True}


USER = "forge%40example.org:p%3Ass%2Fw%20rd@"


def test_over_starttls_our_name_and_password_open_the_way(settings: Settings, post: Post, certificate: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serving(post, **guarded(certificate)) as port:
        Mailer(replace(settings, smtp_url=f"smtp+starttls://{USER}localhost:{port}")).send(letter(), "bo@example.org", "")
    assert len(post.taken) == 1


def test_a_wrong_password_is_our_fault_and_no_mail_s(settings: Settings, post: Post, certificate: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serving(post, **guarded(certificate)) as port:
        mailer = Mailer(replace(settings, smtp_url=f"smtp+starttls://forge:wrong-word@localhost:{port}"))
        with pytest.raises(TryLater, match="it does not accept our user name and password") as caught:
            mailer.send(letter(), "bo@example.org", "")
    assert "wrong-word" not in str(caught.value)


def test_a_password_that_smtp_cannot_carry_is_no_mail_s_fault_either(
    settings: Settings, post: Post, certificate: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serving(post, **guarded(certificate)) as port:
        mailer = Mailer(replace(settings, smtp_url=f"smtp+starttls://forge:%C3%BC@localhost:{port}"))
        with pytest.raises(TryLater, match="cannot be used"):
            mailer.send(letter(), "bo@example.org", "")


def test_a_server_that_cannot_prove_its_name_gets_no_password(settings: Settings, post: Post, certificate: Path):
    with serving(post, **guarded(certificate)) as port:
        mailer = Mailer(replace(settings, smtp_url=f"smtp+starttls://{USER}localhost:{port}"))
        with pytest.raises(TryLater, match="certificate verify failed"):
            mailer.send(letter(), "bo@example.org", "")
    assert post.taken == []


def test_a_server_without_starttls_gets_no_mail_that_asks_for_it(settings: Settings, post: Post):
    with serving(post) as port:
        mailer = Mailer(replace(settings, smtp_url=f"smtp+starttls://localhost:{port}"))
        with pytest.raises(TryLater, match="STARTTLS extension not supported"):
            mailer.send(letter(), "bo@example.org", "")
    assert post.taken == []


def test_smtps_talks_tls_from_the_first_byte(settings: Settings, post: Post, certificate: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = guarded(certificate)["tls_context"]
    with serving(post, ssl_context=context) as port:
        Mailer(replace(settings, smtp_url=f"smtps://localhost:{port}")).send(letter(), "bo@example.org", "")
    assert len(post.taken) == 1
