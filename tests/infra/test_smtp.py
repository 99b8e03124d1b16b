"""Mail out, to a real SMTP server that says yes, later, no, nothing, or hangs up."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from infra.settings import Settings
from infra.smtp import POLICY, Mailer, Refusal, TryLater

SEALED = "a21r08gs19ht2a000504a0004vj8b606hzxhgakhfpcx6"
URL = f"https://turns.example.org/m/{SEALED}"


class Post:
    """A mail server's rules: what it answers to each step, and what it took."""

    def __init__(self) -> None:
        self.taken: list[Any] = []
        self.mail_from = self.rcpt = self.data = "250 OK"
        self.greylisted: set[str] | None = None
        self.delay = 0.0
        self.hang_up_at = ""

    async def handle_MAIL(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802 - aiosmtpd's name
        envelope.mail_from = address
        return await self._answer("MAIL", server, self.mail_from)

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802
        if self.greylisted is not None and address not in self.greylisted:
            self.greylisted.add(address)
            return "451 4.7.1 come back in five minutes"
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return await self._answer("RCPT", server, self.rcpt)

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.data.startswith("250"):
            self.taken.append(envelope)
        return await self._answer("DATA", server, self.data)

    async def handle_QUIT(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        return await self._answer("QUIT", server, "221 Bye")

    async def _answer(self, step: str, server: SMTP, words: str) -> str:
        await asyncio.sleep(self.delay)
        if self.hang_up_at == step:
            assert server.transport is not None
            server.transport.close()
        return words


class Anywhere(Controller):
    """A server on whichever port is free; once it listens, aiosmtpd knocks at it itself."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def serving(post: Post, **keywords: Any) -> Iterator[int]:
    """The post's port while it is open."""
    controller = Anywhere(post, hostname="127.0.0.1", port=0, **keywords)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.development(tmp_path)


@pytest.fixture
def mailer(post: Post, settings: Settings) -> Iterator[Mailer]:
    with serving(post) as port:
        yield Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{port}"), timeout=0.5)


def letter() -> EmailMessage:
    mail = EmailMessage(policy=POLICY)
    mail["From"] = Address("Forgepost", "play", "turns.example.org")
    mail["To"] = Address("Ærø, Bo @ home", "bo", "example.org")
    mail["Subject"] = "Fourfold 07-0123456789: your match with Zoë"
    mail["Message-ID"] = "<n1.k4q9m2x7c0d5f8h3@turns.example.org>"
    mail["List-Unsubscribe"] = f"<https://turns.example.org/u/{SEALED}>, <https://turns.example.org/u/{SEALED}/all-of-them>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail["References"] = " ".join(f"<{'r' * 60}.{n}@turns.example.org>" for n in range(3))
    mail.set_content(f"Zoë played b2 north.\n\n{URL}\n\n.\nFrom here on it is your turn.\n")
    mail.add_alternative(f'<p>Zoë played <a href="{URL}">b2 north</a></p>', subtype="html")
    return mail


def test_a_letter_arrives_as_it_was_written(mailer: Mailer, post: Post):
    mailer.send(letter(), "bo@example.org", "b+1@turns.example.org")
    (envelope,) = post.taken
    assert (envelope.mail_from, envelope.rcpt_tos) == ("b+1@turns.example.org", ["bo@example.org"])
    read = message_from_bytes(envelope.content, policy=policy.default)
    assert read["Subject"] == "Fourfold 07-0123456789: your match with Zoë"
    assert read["To"].addresses[0].display_name == "Ærø, Bo @ home"
    text = read.get_body(("plain",))
    assert isinstance(text, EmailMessage)
    assert text.get_content().replace("\r\n", "\n") == f"Zoë played b2 north.\n\n{URL}\n\n.\nFrom here on it is your turn.\n"


def test_every_line_is_seven_bits_wide_short_and_ends_as_smtp_wants_it(mailer: Mailer, post: Post):
    mailer.send(letter(), "bo@example.org", "")
    raw = post.taken[0].content
    assert post.taken[0].mail_from in ("", "<>")
    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert raw.count(b"Content-Transfer-Encoding: quoted-printable\r\n") == 2
    kept_whole = (b"References:", b"List-Unsubscribe:")
    assert max(len(line) for line in raw.split(b"\r\n") if not line.startswith(kept_whole)) <= 78


def test_the_link_on_its_own_line_is_not_broken(mailer: Mailer, post: Post):
    mailer.send(letter(), "bo@example.org", "")
    assert len(URL) == 73
    assert f"\r\n{URL}\r\n".encode() in post.taken[0].content


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Message-ID", f"<{'m' * 90}@turns.example.org>"),
        ("In-Reply-To", f"<{'m' * 90}@turns.example.org>"),
        ("References", " ".join(f"<{'m' * 90}.{n}@turns.example.org>" for n in range(8))),
        ("List-Unsubscribe", f"<https://turns-by-mail.example.org/unsubscribe/{SEALED}{SEALED}>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("List-Id", f"Fourfold 07-0123456789 <{'l' * 90}.matches.turns.example.org>"),
        ("Feedback-ID", ":".join(["f" * 30] * 4)),
    ],
)
def test_ids_and_list_headers_stay_in_one_piece(name: str, value: str):
    mail = EmailMessage(policy=POLICY)
    mail[name] = value
    mail.set_content("words")
    assert f"{name}: {value}\r\n".encode() in mail.as_bytes()
    assert f"{name}: {value}\r\n" in mail.as_string()


def test_python_alone_would_break_a_long_list_header():
    mail = EmailMessage(policy=policy.SMTP)
    mail["List-Unsubscribe"] = f"<https://turns-by-mail.example.org/unsubscribe/{SEALED}{SEALED}>"
    assert b"=?utf-8?" in mail.as_bytes()


@pytest.mark.parametrize("value", ["<ü@turns.example.org>", f"<{'m' * 980}@turns.example.org>", "<a\tb@turns.example.org>"])
def test_an_id_that_cannot_be_written_in_one_piece_is_no_mail_to_try_again(mailer: Mailer, post: Post, value: str):
    mail = letter()
    del mail["List-Unsubscribe"]
    mail["List-Unsubscribe"] = value
    with pytest.raises(ValueError, match="the header List-Unsubscribe must be one line of at most 998 printable ASCII characters"):
        mailer.send(mail, "bo@example.org", "")
    assert post.taken == []


@pytest.mark.parametrize("address", ["bo@example.org\r\nRCPT TO:<eve@example.org>", "bo @example.org", "bø@example.org", "bo@example.org\0"])
def test_an_address_that_is_no_address_reaches_no_server(mailer: Mailer, post: Post, address: str):
    with pytest.raises(ValueError, match="cannot stand on an envelope"):
        mailer.send(letter(), address, "")
    with pytest.raises(ValueError, match="cannot stand on an envelope"):
        mailer.send(letter(), "bo@example.org", address)
    assert post.taken == []


@pytest.mark.parametrize("step", ["mail_from", "rcpt", "data"])
def test_a_no_for_now_may_be_tried_again(mailer: Mailer, post: Post, step: str):
    setattr(post, step, "452 4.3.1 the disk is full")
    with pytest.raises(TryLater, match=r"452 4\.3\.1 the disk is full"):
        mailer.send(letter(), "bo@example.org", "b+1@turns.example.org")
    assert post.taken == []


def test_a_greylisted_letter_is_taken_the_second_time(mailer: Mailer, post: Post):
    post.greylisted = set()
    with pytest.raises(TryLater, match=r"the mail server refuses mail for bo@example\.org: 451 4\.7\.1 come back in five minutes"):
        mailer.send(letter(), "bo@example.org", "")
    mailer.send(letter(), "bo@example.org", "")
    assert len(post.taken) == 1


def test_a_mailbox_that_does_not_exist_is_named(mailer: Mailer, post: Post):
    post.rcpt = "550 5.1.1 no such user"
    with pytest.raises(Refusal, match=r"the mail server refuses mail for bo@example\.org: 550 5\.1\.1 no such user") as caught:
        mailer.send(letter(), "bo@example.org", "")
    assert (caught.value.code, caught.value.recipient) == (550, "bo@example.org")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("mail_from", "the mail server refuses mail from b+1@turns.example.org: 554 5.7.1 not you"),
        ("data", "the mail server refuses the mail: 554 5.7.1 not you"),
    ],
)
def test_a_mail_that_is_refused_blames_no_mailbox(mailer: Mailer, post: Post, step: str, words: str):
    setattr(post, step, "554 5.7.1 not you")
    with pytest.raises(Refusal) as caught:
        mailer.send(letter(), "bo@example.org", "b+1@turns.example.org")
    assert (str(caught.value), caught.value.code, caught.value.recipient) == (words, 554, None)


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
def test_a_lost_connection_may_be_tried_again(mailer: Mailer, post: Post, step: str):
    post.hang_up_at = step
    with pytest.raises(TryLater, match="the connection to the mail server was lost"):
        mailer.send(letter(), "bo@example.org", "")


def test_a_server_that_hangs_up_after_taking_the_mail_has_it(mailer: Mailer, post: Post):
    post.hang_up_at = "QUIT"
    mailer.send(letter(), "bo@example.org", "")
    assert len(post.taken) == 1


def test_a_server_that_is_too_slow_may_be_tried_again(mailer: Mailer, post: Post):
    post.delay = 1.5
    with pytest.raises(TryLater, match="timed out"):
        mailer.send(letter(), "bo@example.org", "")


def test_a_server_that_says_nothing_at_all_may_be_tried_again(settings: Settings):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        mailer = Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{listening.getsockname()[1]}"), timeout=0.2)
        with pytest.raises(TryLater, match=r"the mail server 127\.0\.0\.1:\d+ cannot be used: .*timed out"):
            mailer.send(letter(), "bo@example.org", "")


@pytest.mark.parametrize("greeting", ["554 we take no mail", "421 too many connections", "HTTP/1.1 400 Bad Request"])
def test_a_server_that_is_not_in_the_mood_may_be_tried_again(settings: Settings, greeting: str):
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as pool:
        mailer = Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{listening.getsockname()[1]}"), timeout=0.5)
        sending = pool.submit(mailer.send, letter(), "bo@example.org", "")
        with listening.accept()[0] as caller:
            caller.sendall(f"{greeting}\r\n".encode())
            with pytest.raises(TryLater, match="cannot be used"):
                sending.result()


def test_no_server_at_all_may_be_tried_again(settings: Settings):
    with serving(Post()) as port:
        pass
    with pytest.raises(TryLater, match=rf"the mail server 127\.0\.0\.1:{port} cannot be used: .*Connection refused"):
        Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{port}")).send(letter(), "bo@example.org", "")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), today - timedelta(1), today + timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    signed = made.sign(key, SHA256())
    file.write_bytes(signed.public_bytes(Encoding.PEM) + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file


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
