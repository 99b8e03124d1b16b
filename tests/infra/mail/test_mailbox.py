"""The development mailbox: every mail kept as it came, readable whatever is in it, for many who write at once."""

import multiprocessing
from email.message import EmailMessage
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.mail.mailbox import Envelope, Mail, Mailbox, links, opened
from infra.mail.smtp import POLICY

NOON = 1_795_953_600_000  # 2026-11-29T12:00:00Z
TO_ANN = Envelope("b+1@turns.example.org", ("ann@example.org",), NOON)
LINK = "https://turns.example.org/m/a21r08gs19ht2a000504a0004vj8b606hzxhgakhfpcx6"


def letter() -> bytes:
    mail = EmailMessage(policy=POLICY)
    mail["To"] = "ann@example.org"
    mail["Subject"] = "Fourfold: your match with Zoë"
    mail.set_content(f"Zoë played.\n\n{LINK}\n\nor see https://turns.example.org/games (the guide at https://turns.example.org/guide).\n")
    mail.add_alternative(f'<p>Zoë <a href="{LINK}?a=1&amp;b=2">played</a> <img src="cid:b1"></p>', subtype="html")
    mail.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="board.png")
    return mail.as_bytes()


def test_a_mail_is_shown_with_its_words_and_links(tmp_path: Path):
    box = Mailbox(tmp_path, "http://127.0.0.1:8000")
    assert box.deliver(letter(), TO_ANN) == "1"
    assert box.mails() == [
        Mail(
            id="1",
            to="ann@example.org",
            subject="Fourfold: your match with Zoë",
            sent_at="2026-11-29T12:00:00.000Z",
            text=f"Zoë played.\n\n{LINK}\n\nor see https://turns.example.org/games (the guide at https://turns.example.org/guide).\n",
            html=f'<p>Zoë <a href="{LINK}?a=1&amp;b=2">played</a> <img src="cid:b1"></p>\n',
            links=(f"{LINK}?a=1&b=2", LINK, "https://turns.example.org/games", "https://turns.example.org/guide"),
            raw_url="http://127.0.0.1:8000/dev/mail/1.eml",
        )
    ]


def test_a_mail_is_kept_byte_for_byte(tmp_path: Path):
    box = Mailbox(tmp_path)
    raw = b"Subject: \xff\x00\r\n\r\n.\r\nbare\nlines\rand \x80"
    assert box.raw(box.deliver(raw, TO_ANN)) == raw
    assert (tmp_path / "mail" / "000000001.eml").read_bytes() == raw


def test_nobody_else_may_read_what_is_kept(tmp_path: Path):
    (tmp_path / "mail").mkdir(mode=0o755)
    Mailbox(tmp_path).deliver(b"Subject: 1\r\n\r\n", TO_ANN)
    assert (tmp_path / "mail").stat().st_mode & 0o777 == 0o700
    assert {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "mail").iterdir()} == {"000000001.json": 0o600, "000000001.eml": 0o600}


def test_the_newest_mail_comes_first(tmp_path: Path):
    box = Mailbox(tmp_path)
    for number in range(12):
        box.deliver(b"Subject: %d\r\n\r\n" % number, TO_ANN)
    assert [mail.subject for mail in box.mails(3)] == ["11", "10", "9"]
    assert [mail.id for mail in box.mails()] == [str(number) for number in range(12, 0, -1)]


def test_an_empty_mailbox_is_empty(tmp_path: Path):
    assert Mailbox(tmp_path / "nothing").mails() == []


@pytest.mark.parametrize("mail", ["2", "0", "01", "-1", "1.5", "", "x", "../1", "１", "9" * 30])
def test_there_is_no_other_mail(tmp_path: Path, mail: str):
    box = Mailbox(tmp_path)
    box.deliver(letter(), TO_ANN)
    assert box.mail(mail) is None
    assert box.raw(mail) is None


def test_only_the_newest_are_kept(tmp_path: Path):
    box = Mailbox(tmp_path, kept=5)
    for number in range(8):
        box.deliver(b"Subject: %d\r\n\r\n" % number, TO_ANN)
    assert [mail.subject for mail in box.mails()] == ["7", "6", "5", "4", "3"]
    assert len(list((tmp_path / "mail").iterdir())) == 10
    assert box.deliver(b"", TO_ANN) == "9"


def test_several_recipients_are_all_named(tmp_path: Path):
    box = Mailbox(tmp_path)
    box.deliver(letter(), Envelope("", ("ann@example.org", "bo@example.org"), NOON))
    assert box.mails()[0].to == "ann@example.org, bo@example.org"


def deliver_many(data: Path, writer: int) -> None:
    box = Mailbox(data)
    for number in range(25):
        box.deliver(b"Subject: %d-%d\r\n\r\n" % (writer, number), Envelope("", (f"{writer}-{number}@example.org",), NOON))


def test_many_may_write_at_once_and_no_mail_is_lost_or_mixed_up(tmp_path: Path):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=deliver_many, args=(tmp_path, writer)) for writer in range(4)]
    for process in writers:
        process.start()
    for process in writers:
        process.join()
    mails = Mailbox(tmp_path).mails()
    assert [mail.id for mail in mails] == [str(number) for number in range(100, 0, -1)]
    assert sorted(mail.subject for mail in mails) == sorted(f"{writer}-{number}" for writer in range(4) for number in range(25))
    assert all(mail.to == f"{mail.subject}@example.org" for mail in mails)
    assert not list((tmp_path / "mail").glob(".*"))


def test_a_reader_never_sees_half_a_mail(tmp_path: Path):
    box = Mailbox(tmp_path)
    box.deliver(letter(), TO_ANN)
    (tmp_path / "mail" / "000000002.json").write_bytes((tmp_path / "mail" / "000000001.json").read_bytes())  # a writer died just here
    assert [mail.id for mail in box.mails()] == ["1"]
    assert box.deliver(letter(), TO_ANN) == "3"


def test_a_mail_that_goes_while_it_is_read_is_gone(tmp_path: Path):
    box = Mailbox(tmp_path)
    box.deliver(letter(), TO_ANN)
    (tmp_path / "mail" / "000000001.json").unlink()
    assert box.mail("1") is None
    assert box.mails() == []


HOSTILE = {
    "nothing": b"",
    "zeros": b"\0" * 1000,
    "a parameter without a value": b"Content-Type: text/plain; name*\r\n\r\nhello",
    "an open quote": b'To: "\r\n\r\nhello',
    "a comment for an address": b"To: (c):\r\n\r\nhello",
    "an id in brackets": b"Message-ID: <[x@microsoft.com]>\r\n\r\nhello",
    "an unknown charset": b"Content-Type: text/plain; charset=x-unknown\r\n\r\nhello",
    "rot13": b"Content-Type: text/plain; charset=rot13\r\n\r\nhello",
    "idna": b"Content-Type: text/plain; charset=idna\r\n\r\nhello",
    "undefined": b"Content-Type: text/plain; charset=undefined\r\n\r\nhello",
    "an eight-bit charset": b'Content-Type: text/plain; charset="utf-8\xff"\r\n\r\nhello',
    "a charset in pieces": b"Content-Type: text/plain; charset*0*=utf-8''%ff%fe; charset*1=x\r\n\r\nhello",
    "a strange disposition": b"Content-Type: text/plain\r\nContent-Disposition: ;;;\r\n\r\nhello",
    "many brackets": b"To: " + b"(" * 500 + b"\r\n\r\nhello",
    "many recipients": b"To: " + b"a@example.org, " * 32000 + b"\r\n\r\nhello",
    "many headers": b"X: y\r\n" * 40000 + b"\r\nhello",
    "no boundary": b"Content-Type: multipart/mixed; boundary=\r\n\r\nhello",
    "a mail in a mail": b"Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nhello",
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_strange_mail_is_shown_all_the_same(raw: bytes):
    mail = opened(raw, TO_ANN, "1", "")
    assert (mail.text == "hello") is (b"hello" in raw)


SLOW = {
    "nested parts": b"".join(b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (depth, depth) for depth in range(2000)),
    "blank lines": b"\r\n" * 100_000,
    "an endless subject": b"Subject: " + b"=?utf-8?q?a?= " * 20_000 + b"\r\n\r\n",
    "open links": b"Content-Type: text/html\r\n\r\n" + b'<a href="http://' * 16_000,
    "almost links": b"Content-Type: text/html\r\n\r\n" + b"href =" + b" " * 200_000,
    "open comments": b"Content-Type: text/html\r\n\r\n" + b"<!--" * 60_000,
    "one link": b"\r\n" + b"http://" * 40_000,
}


@pytest.mark.parametrize("raw", SLOW.values(), ids=SLOW.keys())
def test_no_mail_keeps_its_reader_waiting(raw: bytes):
    start = process_time()
    opened(raw, TO_ANN, "1", "")
    assert process_time() - start < 3


@given(st.binary(max_size=300))
def test_no_bytes_whatever_raise(raw: bytes):
    opened(raw, TO_ANN, "1", "")
    opened(b"Content-Type: multipart/alternative; boundary=x\r\nSubject: =?utf-8?b?" + raw + b"?=\r\n\r\n--x\r\n" + raw, TO_ANN, "1", "")


def test_a_mail_that_cannot_be_taken_apart_is_shown_as_it_came():
    mail = opened(SLOW["nested parts"], TO_ANN, "1", "")
    assert mail.text.startswith('Content-Type: multipart/mixed; boundary="0"')


def test_a_subject_over_several_lines_is_one():
    assert opened(b"Subject: =?utf-8?q?Zo=C3=AB?=\r\n =?utf-8?q?_plays?=\r\n on\r\n\r\n", TO_ANN, "1", "").subject == "Zoë plays on"


def test_an_attached_text_is_not_the_letter():
    raw = b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Disposition: attachment\r\n\r\nlist\r\n--x\r\n\r\nhello\r\n--x--\r\n"
    assert opened(raw, TO_ANN, "1", "").text == "hello"


def test_every_link_is_listed_once_in_the_order_of_its_first_place():
    html = "<a href='https://b.example/2'>x</a> <A HREF = \"http://a.example/?q=1&amp;r=2\">y</A><a href=https://c.example>z</a>"
    html += "<a href='mailto:x@b.example'>"
    text = "https://b.example/2, (see https://d.example/x.) <https://e.example/?a=b=c> https://f.example!\nHTTPS://g.example/ ftp://h.example"
    assert links(text, html) == (
        "https://b.example/2",
        "http://a.example/?q=1&r=2",
        "https://c.example",
        "https://d.example/x",
        "https://e.example/?a=b=c",
        "https://f.example",
        "HTTPS://g.example/",
    )
