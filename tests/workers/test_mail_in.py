"""The door for mail: a real mail server's client knocks, by SMTP and by LMTP."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from smtplib import LMTP, SMTP, SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused
from threading import Event as Signal
from threading import Thread

import pytest

from infra.mail.inbox import LARGEST, name_of
from infra.wiring import site
from tests.servers import PATIENT, free_port
from tests.workers.office import Office, until
from workers import mail_in

RAW = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nboard\r\n"
TO = f"r+{'a' * 45}@forgepost.localhost"


@contextmanager
def open_door(office: Office, scheme: str) -> Iterator[int]:
    """The door's port while it is open."""
    port = free_port()
    here = site(replace(office.settings, mail_in_url=f"{scheme}://127.0.0.1:{port}"))
    stopped = Signal()
    thread = Thread(target=mail_in.serve, args=(here, stopped))
    thread.start()

    def there() -> bool:
        try:
            with SMTP("127.0.0.1", port):
                return True
        except OSError:
            return False

    try:
        until(there)
        yield port
    finally:
        stopped.set()
        thread.join()
        here.redis.close()
        here.rq_redis.close()


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_a_mail_is_stored_before_we_say_yes(office: Office, protocol: str):
    client = LMTP if protocol == "lmtp" else SMTP
    with open_door(office, protocol) as port, client("127.0.0.1", port) as mx:
        for _ in range(2):
            mx.sendmail("ann@example.org", [TO], RAW)
    kept = office.site.inbox.open(name_of(RAW, (TO,)))
    assert kept is not None
    raw, envelope = kept
    assert (raw, envelope.sender, envelope.to) == (RAW, "ann@example.org", (TO,))
    assert office.site.inbox.waiting() == 1


def test_a_mail_that_is_too_long_is_refused_by_its_size_and_by_its_data(office: Office):
    with open_door(office, "smtp") as port, SMTP("127.0.0.1", port) as mx:
        with pytest.raises(SMTPSenderRefused) as told:
            mx.sendmail("ann@example.org", [TO], RAW + b"x\r\n" * LARGEST)
        assert told.value.smtp_code == 552
        mx.ehlo()
        del mx.esmtp_features["size"]
        with pytest.raises(SMTPDataError) as found:
            mx.sendmail("ann@example.org", [TO], RAW + b"x\r\n" * LARGEST)
        assert found.value.smtp_code == 552
        mx.sendmail("ann@example.org", [TO], RAW)
    assert office.site.inbox.waiting() == 1


@pytest.mark.parametrize("to", ["r+abc@elsewhere.example", "ann@forgepost.localhost", "r+abc"])
def test_nothing_is_taken_for_others(office: Office, to: str):
    with open_door(office, "smtp") as port, SMTP("127.0.0.1", port) as mx, pytest.raises(SMTPRecipientsRefused) as refused:
        mx.sendmail("ann@example.org", [to], RAW)
    assert refused.value.recipients[to][0] in (550, 553, 555)


def test_bounces_and_answers_to_the_sender_are_taken(office: Office):
    with open_door(office, "smtp") as port, SMTP("127.0.0.1", port) as mx:
        mx.sendmail("", ["b+p-0123456789.abc@forgepost.localhost"], RAW)
        mx.sendmail("ann@example.org", ["play@forgepost.localhost"], RAW)
    assert office.site.inbox.waiting() == 2


def test_a_mail_to_too_many_mailboxes_is_taken_for_the_first_twenty(office: Office):
    boxes = [f"r+{number}@forgepost.localhost" for number in range(200)]
    with open_door(office, "smtp") as port, SMTP("127.0.0.1", port) as mx:
        refused = mx.sendmail("ann@example.org", boxes, RAW)
    assert {code for code, _ in refused.values()} == {452}
    assert len(refused) == 180


def test_a_mail_by_lmtp_has_an_answer_for_each_mailbox_also_where_it_is_too_long(office: Office):
    seats = [f"r+{letter * 45}@forgepost.localhost" for letter in "ab"]
    with open_door(office, "lmtp") as port, LMTP("127.0.0.1", port) as mx:
        mx.ehlo("mx.example.org")
        for raw, answers in ((RAW, ["250 2.0.0 stored"] * 3), (RAW + b"x" * LARGEST + b"\r\n", ["552 Error: Too much mail data"] * 3)):
            mx.mail("ann@example.org")
            for box in (*seats, "play@forgepost.localhost"):
                assert mx.rcpt(box)[0] == 250
            first = mx.data(raw)
            assert [first, mx.getreply(), mx.getreply()] == [(int(said[:3]), said[4:].encode()) for said in answers]
        assert mx.noop()[0] == 250, "nothing is left unread"
    assert [office.site.inbox.open(name_of(RAW, (box,))) is not None for box in (*seats, "play@forgepost.localhost")] == [True, True, False]


def test_a_reply_to_all_comes_once_for_its_seat(office: Office):
    with open_door(office, "smtp") as port, SMTP("127.0.0.1", port) as mx:
        assert mx.sendmail("ann@example.org", ["play@forgepost.localhost", TO], RAW) == {}
    assert office.site.inbox.waiting() == 1
    assert office.site.inbox.open(name_of(RAW, (TO,))) is not None


def test_a_line_longer_than_mail_allows_is_taken(office: Office):
    with open_door(office, "smtp") as port, SMTP("127.0.0.1", port) as mx:
        mx.sendmail("ann@example.org", [TO], RAW + b"<p>" * 20_000 + b"\r\n")
    assert office.site.inbox.waiting() == 1


def test_a_store_that_is_away_is_no_reason_to_lose_a_mail(office: Office):
    with open_door(office, "smtp") as port, SMTP("127.0.0.1", port, timeout=PATIENT) as mx:
        office.redis.kill()
        with pytest.raises(SMTPDataError) as later:
            mx.sendmail("ann@example.org", [TO], RAW)
        assert later.value.smtp_code == 451
        office.redis.start()
        mx.sendmail("ann@example.org", [TO], RAW)
    assert office.site.inbox.waiting() == 1


def test_the_process_takes_mail_until_it_is_told_to_stop(office: Office):
    port = free_port()
    office.settings = replace(office.settings, mail_in_url=f"smtp://127.0.0.1:{port}")
    process = office.start("mail-in")

    def taken() -> bool:
        try:
            with SMTP("127.0.0.1", port) as mx:
                mx.sendmail("ann@example.org", [TO], RAW)
        except OSError:
            return False
        return True

    until(taken)
    assert office.site.inbox.waiting() == 1
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENT) == 0


def test_where_nothing_is_set_it_says_what_to_set(office: Office):
    with pytest.raises(mail_in.Nothing, match="set MAIL_IN_URL"):
        mail_in.serve(replace(office.site, settings=replace(office.settings, mail_in_url="")), Signal())
