"""The inbox: a mail is kept once, comes back until it is dealt with, and is answered once."""

from redis import Redis

from infra.mail.inbox import Became, Inbox, Parked, Reply, name_of
from infra.mail.mailbox import Envelope
from infra.outbox import Notice, Outbox

RAW = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nS1>c2\r\n"
TO = ("r+abc@turns.example.org",)
ENVELOPE = Envelope("ann@example.org", TO, 1_000)
NAME = name_of(RAW, TO)
BECAME = Became("letter", "played", 2_000, "07-0123456789", "p-0123456789")
NOTICE = Notice("answer", "07-0123456789", "p-0123456789", "north", 3, 1, 9, mail=NAME)
REPLY = Reply(headline="Played", words=("Now the match waits.",))


def test_a_mail_is_kept_byte_for_byte_with_its_envelope(redis: Redis):
    inbox = Inbox(redis)
    assert inbox.keep(RAW, ENVELOPE)
    assert inbox.open(NAME) == (RAW, ENVELOPE)
    assert inbox.waiting() == 1


def test_a_mail_handed_in_again_with_other_lines_above_it_is_known_also_when_it_was_dealt_with(redis: Redis):
    inbox = Inbox(redis)
    inbox.keep(RAW, ENVELOPE)
    assert not inbox.keep(b"Received: from mx\r\n" + RAW.replace(b"\r\n", b"\n"), ENVELOPE)
    inbox.dealt(NAME, BECAME)
    assert not inbox.keep(RAW, ENVELOPE)
    assert inbox.waiting() == 0


def test_another_body_another_mailbox_or_another_id_is_another_mail():
    names = {
        name_of(RAW, TO),
        name_of(RAW.replace(b"c2", b"c3"), TO),
        name_of(RAW, ("r+def@turns.example.org",)),
        name_of(RAW.replace(b"<1@", b"<2@"), TO),
        name_of(RAW.replace(b"Message-ID", b"X-Id"), TO),
    }
    assert len(names) == 5
    assert name_of(RAW, ("R+ABC@turns.example.org",)) == NAME


def test_a_mail_comes_back_until_it_is_dealt_with(redis: Redis):
    inbox = Inbox(redis)
    inbox.keep(RAW, ENVELOPE)
    assert inbox.take(999, 500, 10) == []
    assert inbox.take(1_000, 500, 10) == [NAME]
    assert inbox.take(1_400, 500, 10) == []
    assert inbox.take(1_500, 500, 10) == [NAME]
    assert inbox.dealt(NAME, BECAME)
    assert inbox.take(9_000, 500, 10) == []
    assert inbox.open(NAME) is None


def test_what_became_of_it_is_recorded_and_its_answer_scheduled_once(redis: Redis):
    inbox = Inbox(redis)
    inbox.keep(RAW, ENVELOPE)
    assert inbox.dealt(NAME, BECAME, (NOTICE, 5_000, REPLY))
    assert not inbox.dealt(NAME, BECAME, (NOTICE, 6_000, REPLY))
    assert [(became.words, became.mail) for became in inbox.record()] == [("played", NAME)]
    assert Outbox(redis, 16).take(5_000, 1_000, 10) == [NOTICE]
    assert inbox.reply(NAME) == REPLY


def test_what_is_answered_once_is_answered_to_the_first_mail(redis: Redis):
    inbox = Inbox(redis)
    for number in range(2):
        raw = RAW.replace(b"<1@", f"<{number}@".encode())
        inbox.keep(raw, ENVELOPE)
        name = name_of(raw, TO)
        assert inbox.dealt(name, BECAME, (Notice("answer", "07-0123456789", "p-0123456789", "north", 3, 1, 9, mail=name), 5_000, REPLY), "unread:3")
    assert len(Outbox(redis, 16).take(5_000, 1_000, 10)) == 1


def test_a_parked_mail_is_kept_and_not_taken_again(redis: Redis):
    inbox = Inbox(redis)
    inbox.keep(RAW, ENVELOPE)
    inbox.park(NAME, 3_000, "it has far too many parts")
    assert inbox.take(9_000, 500, 10) == []
    assert inbox.parked() == [NAME]
    assert inbox.open(NAME) == (RAW, ENVELOPE)
    assert inbox.parked_with_cause() == [Parked(NAME, 3_000, "it has far too many parts", ENVELOPE.sender, len(RAW))]


def test_a_parked_mail_is_taken_again_once_it_is_released(redis: Redis):
    inbox = Inbox(redis)
    inbox.keep(RAW, ENVELOPE)
    inbox.park(NAME, 3_000, "a fault of ours")
    assert inbox.release(NAME, 9_000)
    assert not inbox.release(NAME, 9_000)
    assert (inbox.take(9_000, 500, 10), inbox.parked()) == ([NAME], [])


def test_a_mail_that_was_dropped_is_nothing_new_when_it_is_handed_in_again(redis: Redis):
    inbox = Inbox(redis)
    inbox.keep(RAW, ENVELOPE)
    inbox.park(NAME, 3_000, "a fault of ours")
    assert inbox.drop(NAME)
    assert not inbox.drop(NAME)
    assert not inbox.keep(RAW, ENVELOPE)
    assert (inbox.open(NAME), inbox.parked(), inbox.waiting()) == (None, [], 0)
