"""Mail out, to a real SMTP server that says yes, later, no, nothing, or hangs up."""

import re
import socket
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import getaddresses, parseaddr

import pytest

from infra.mail.smtp import POLICY, Mailbox, Mailer, Refusal, TryLater
from infra.settings import Settings
from tests.post import SEALED, URL, Post, letter, serving
from tests.servers import free_port


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


HOSTILE = [
    "=?utf-8?q?a=0D=0ABcc=3A=20x=40y.z?=",
    "=?utf-8?b?YQ0KQmNjOiB4QHkueg==?=",
    "=?utf-8?q?a=00b?=",
    "=?utf-8?q?a?= =?utf-8?b?DQpCY2M6IHhAeS56?=",
    'Bo" =?utf-8?q?=0D=0ABcc=3A=20x=40y.z?= "',
    "Bo\0",
    "Bo\u202eoB",
    "Bo\x85\u2028Bcc: x@y.z",
    "x@evil.com",
    "<a@b.c>,",
    "a, b; c: d (e) \\",
    '"',
    "W" * 300,
    "李" * 300,
    "\ud800",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_somebody_is_called_the_mail_has_our_headers_and_one_reader(mailer: Mailer, post: Post, name: str):
    mail = letter()
    del mail["To"]
    mail["To"] = Address(name, addr_spec="bo@example.org")
    mailer.send(mail, "bo@example.org", "")
    head = post.taken[0].content.partition(b"\r\n\r\n")[0]
    lines = re.sub(rb"\r\n[ \t]+", b" ", head).split(b"\r\n")
    ours = [b"From", b"Subject", b"Message-ID", b"List-Unsubscribe", b"List-Unsubscribe-Post", b"References", b"MIME-Version", b"Content-Type", b"To"]
    assert sorted(line.partition(b": ")[0] for line in lines) == sorted(ours)
    (to,) = [line.partition(b": ")[2] for line in lines if line.startswith(b"To: ")]
    assert head.isascii()
    assert not re.search(rb"\r(?!\n)|(?<!\r)\n|\0", head)
    assert getaddresses([to.decode()]) == [(parseaddr(to.decode())[0], "bo@example.org")]
    words = re.sub(r"(?<=\?=) +(?==\?)", "", parseaddr(to.decode())[0])
    read = "".join(b64decode(word).decode() for word in re.findall(r"=\?utf-8\?b\?(.*?)\?=", words)) or words
    assert read == name.replace("\ud800", "?")


def test_a_long_address_begins_on_the_line_of_its_header(mailer: Mailer, post: Post):
    mail = letter()
    del mail["To"]
    mail["To"] = Address("Bo", addr_spec=f"{'b' * 64}@{'c' * 60}.example.org")
    mailer.send(mail, "bo@example.org", "")
    assert f"\r\nTo: Bo\r\n <{'b' * 64}@{'c' * 60}.example.org>\r\n".encode() in post.taken[0].content
    mail.replace_header("To", Mailbox.of(Address("", addr_spec=f"{'b' * 64}@{'c' * 60}.example.org")))
    assert f"\r\nTo: <{'b' * 64}@".encode() in mail.as_bytes()


@pytest.mark.parametrize(("name", "value"), [("Subject", "=?utf-8?q?a=0D=0ABcc=3A=20x=40y.z?="), ("From", "=?utf-8?b?eAB5?= <play@example.org>")])
def test_a_mail_with_a_header_that_we_did_not_set_reaches_no_server(mailer: Mailer, post: Post, name: str, value: str):
    mail = letter()
    del mail[name]
    mail[name] = value
    with pytest.raises(ValueError, match="the mail's headers are not those that we set"):
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


def test_a_server_that_is_too_slow_may_be_tried_again(settings: Settings, post: Post):
    post.delay = 1.5
    with serving(post) as port:
        hasty = Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{port}"), timeout=0.5)
        with pytest.raises(TryLater, match="timed out"):
            hasty.send(letter(), "bo@example.org", "")


def test_a_server_that_says_nothing_at_all_may_be_tried_again(settings: Settings):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        mailer = Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{listening.getsockname()[1]}"), timeout=0.2)
        with pytest.raises(TryLater, match=r"the mail server 127\.0\.0\.1:\d+ cannot be used: .*timed out"):
            mailer.send(letter(), "bo@example.org", "")


@pytest.mark.parametrize("greeting", ["554 we take no mail", "421 too many connections", "HTTP/1.1 400 Bad Request"])
def test_a_server_that_is_not_in_the_mood_may_be_tried_again(settings: Settings, greeting: str):
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as pool:
        mailer = Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{listening.getsockname()[1]}"))
        sending = pool.submit(mailer.send, letter(), "bo@example.org", "")
        with listening.accept()[0] as caller:
            caller.sendall(f"{greeting}\r\n".encode())
            with pytest.raises(TryLater, match="cannot be used"):
                sending.result()


def test_no_server_at_all_may_be_tried_again(settings: Settings):
    port = free_port()
    with pytest.raises(TryLater, match=rf"the mail server 127\.0\.0\.1:{port} cannot be used: .*Connection refused"):
        Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{port}")).send(letter(), "bo@example.org", "")
