"""One delivery to servers of every kind."""

import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from infra.webhooks import posting
from infra.webhooks.destination import Destination
from infra.webhooks.posting import LARGEST, Answered, Unanswered, post
from tests.receiver import Receiver, behaving, receiving
from tests.servers import free_port

HERE = "127.0.0.0/8"
BODY = b'{"type":"webhook.test"}'


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def at(port: int, host: str = "hooks.example.org", scheme: str = "http") -> Destination:
    return Destination(scheme, host, port, "/hook?for=ann")


def posted(to: Destination, resolve: Callable[[str, int], list[str]] = lambda *_: ["127.0.0.1"], **more: float) -> Answered | Unanswered:
    return post(to, BODY, {"webhook-id": "msg_1"}, HERE, resolve=resolve, **more)


def test_what_is_posted_arrives_as_it_is_under_the_name_of_the_host(receiver: Receiver):
    receiver.always(200, b"thanks")
    began = monotonic()
    came = posted(at(receiver.port))
    assert isinstance(came, Answered)
    assert (came.status, came.body) == (200, b"thanks")
    assert 0 <= came.ms <= (monotonic() - began) * 1000 + 1
    (got,) = receiver.got
    assert (got.path, got.body) == ("/hook?for=ann", BODY)
    assert got.headers == {"host": f"hooks.example.org:{receiver.port}", "content-length": "23", "connection": "close", "webhook-id": "msg_1"}


def test_a_name_is_looked_up_once_so_that_it_cannot_lead_elsewhere_after_the_check(receiver: Receiver):
    answers = [["127.0.0.1"], ["127.0.0.2"]]
    asked: list[str] = []

    def rebinding(host: str, _port: int) -> list[str]:
        asked.append(host)
        return answers[len(asked) - 1]

    assert isinstance(posted(at(receiver.port), rebinding), Answered)
    assert asked == ["hooks.example.org"]


def test_a_name_that_leads_to_a_public_and_to_a_private_address_is_not_connected_to(receiver: Receiver):
    came = post(at(receiver.port, scheme="https"), BODY, {}, "no", resolve=lambda *_: ["8.8.8.8", "127.0.0.1"])
    assert isinstance(came, Unanswered)
    assert came.words == "127.0.0.1 is no public address, and this site delivers to no other"
    assert receiver.got == []


def test_a_redirect_is_an_answer_and_is_not_followed(receiver: Receiver):
    with receiving() as elsewhere:
        receiver.always(302, Location=elsewhere.url)
        came = posted(at(receiver.port))
        assert isinstance(came, Answered)
        assert came.status == 302
        assert elsewhere.got == []


def test_proxies_of_the_environment_are_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert isinstance(posted(at(receiver.port)), Answered)


def test_how_long_a_server_wants_to_be_left_alone_is_heard(receiver: Receiver):
    receiver.always(429, Retry_After="120")
    came = posted(at(receiver.port))
    assert isinstance(came, Answered)
    assert came.again == 120


def test_the_second_address_is_tried_where_the_first_takes_no_connection(receiver: Receiver):
    assert isinstance(posted(at(receiver.port), lambda *_: ["127.0.0.9", "127.0.0.1"]), Answered)


def read(visitor: socket.socket) -> None:
    """The whole request, which comes in pieces: who hangs up with something unread takes back what it had said, too."""
    heard = b""
    while not heard.endswith(BODY) and (piece := visitor.recv(65_536)):
        heard += piece


def drip(line: bytes) -> Callable[[socket.socket], None]:
    """A server that sends the beginning of an answer and then a byte now and then, for ever."""

    def behaviour(visitor: socket.socket) -> None:
        visitor.sendall(line)
        while True:
            visitor.sendall(b"x")
            sleep(0.03)

    return behaviour


@pytest.mark.parametrize(
    "beginning",
    [b"", b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"],
    ids=["before the status", "in the headers", "in the body", "in a body without length"],
)
def test_a_server_that_sends_a_byte_now_and_then_is_cut_off_in_time(beginning: bytes):
    began = monotonic()
    with behaving(drip(beginning)) as port:
        came = posted(at(port), patience=1.5)
    assert isinstance(came, Unanswered)
    assert came.words == "no whole answer within 1.5 s"
    assert 1.5 <= monotonic() - began < 60  # the server would go on for ever


def test_a_server_that_says_nothing_is_cut_off_in_time():
    began = monotonic()
    with behaving(lambda visitor: sleep(60)) as port:
        came = posted(at(port), patience=1.5)
    assert isinstance(came, Unanswered)
    assert came.words == "no whole answer within 1.5 s"
    assert monotonic() - began < 30


def test_an_endless_answer_is_not_listened_to_for_long():
    def shout(visitor: socket.socket) -> None:
        read(visitor)
        visitor.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            visitor.sendall(b"x" * 65_536)

    with behaving(shout) as port:
        came = posted(at(port))
    assert isinstance(came, Unanswered)
    assert came.words == "the answer is longer than 64 KiB"


def test_an_answer_just_short_enough_is_taken(receiver: Receiver):
    receiver.always(200, b"x" * LARGEST)
    assert isinstance(posted(at(receiver.port)), Answered)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"", "the connection broke"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "what came back is no HTTP"),
        (b"HTTP/1.1 abc\r\n\r\n", "what came back is no HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "what came back is no HTTP"),
    ],
    ids=["hangs up", "another protocol", "no status", "two hundred headers"],
)
def test_a_server_that_does_not_speak_properly_is_told_of_in_words(said: bytes, words: str):
    def speak(visitor: socket.socket) -> None:
        read(visitor)
        visitor.sendall(said)

    with behaving(speak) as port:
        came = posted(at(port))
    assert isinstance(came, Unanswered)
    assert came.words.startswith(words)


def test_a_server_that_hangs_up_in_the_midst_of_the_body_has_answered_all_the_same():
    def hang_up(visitor: socket.socket) -> None:
        read(visitor)
        visitor.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")

    with behaving(hang_up) as port:
        came = posted(at(port))
    assert isinstance(came, Answered)
    assert (came.status, came.body) == (200, b"short")


def test_where_nobody_listens_says_so():
    came = posted(at(free_port()))
    assert isinstance(came, Unanswered)
    assert came.words == "nobody listens there"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for hooks.example.org with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    today = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), today - timedelta(1), today + timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example.org")]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    file = tmp_path_factory.mktemp("tls") / "hooks.pem"
    signed = made.sign(key, SHA256())
    file.write_bytes(signed.public_bytes(Encoding.PEM) + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file


def test_by_tls_the_pinned_address_must_prove_to_be_the_named_host(certificate: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(posting, "_tls", lambda: ssl.create_default_context(cafile=str(certificate)))
    with receiving(certificate) as receiver:
        assert isinstance(posted(at(receiver.port, scheme="https")), Answered)
        other = posted(at(receiver.port, "other.example.org", "https"))
    assert isinstance(other, Unanswered)
    assert other.words.startswith("the certificate is not that of the host: ")
    assert [got.headers["host"] for got in receiver.got] == [f"hooks.example.org:{receiver.port}"]


def test_a_certificate_that_nobody_vouches_for_is_not_believed(certificate: Path):
    with receiving(certificate) as receiver:
        came = posted(at(receiver.port, scheme="https"))
    assert isinstance(came, Unanswered)
    assert came.words.startswith("the certificate is not that of the host: ")
    assert receiver.got == []
