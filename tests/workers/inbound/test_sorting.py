"""What a mail is, before a word of it is read: bounces of many servers, vacation replies in many languages, receipts, reactions, our own."""

from __future__ import annotations

import pytest

from infra.mail.mailbox import Envelope
from tests.workers.inbound.desk import ReplyDesk
from workers.inbound.opening import opened
from workers.inbound.sorting import Sorted, sorted_out

DOMAIN = "turns.example.org"
REPLY = (f"r+{'a' * 45}@{DOMAIN}",)
BOUNCE = (f"b+p-0123456789.abc@{DOMAIN}",)


def kind(raw: str, sender: str = "ann@example.org", to: tuple[str, ...] = REPLY) -> Sorted:
    return sorted_out(opened(raw.encode()), Envelope(sender, to, 0), DOMAIN)


def report(status: str, action: str = "failed", diagnostic: str = "smtp; 550 no") -> str:
    """A delivery status notification (RFC 3464)."""
    return (
        "From: MAILER-DAEMON@mx.example.org (Mail Delivery System)\nSubject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nThis is the mail system.\n\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
        f"Final-Recipient: rfc822; ann@example.org\nAction: {action}\nStatus: {status}\nDiagnostic-Code: {diagnostic}\n\n"
        "--b\nContent-Type: message/rfc822\n\nSubject: Fourfold\n\nIt is your turn\n--b--\n"
    )


@pytest.mark.parametrize(
    ("status", "hard"),
    [("5.1.1", True), ("5.1.10", True), ("5.2.1", True), ("5.2.2", False), ("5.7.1", False), ("4.4.7", False), ("4.2.2", False), ("5.0.0", False)],
)
def test_a_status_says_whether_the_mailbox_is_gone(status: str, hard: bool):
    assert kind(report(status), "", BOUNCE) == Sorted("bounce", f"it came back with status {status}", hard)


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded"])
def test_a_mail_that_only_takes_longer_has_not_come_back(action: str):
    assert kind(report("4.4.1", action), "", BOUNCE).sort == "receipt"


QMAIL = """From: MAILER-DAEMON@mx.example.org
Subject: failure notice

Hi. This is the qmail-send program at mx.example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
192.0.2.1 does not like recipient.
Remote host said: 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown
"""
EXIM = """From: Mail Delivery System <Mailer-Daemon@mx.example.org>
Subject: Mail delivery failed: returning message to sender
Auto-Submitted: auto-replied

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.org
    Unrouteable address
"""
SENDMAIL = """From: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.org>
Subject: Returned mail: see transcript for details
Auto-Submitted: auto-generated (failure)

   ----- The following addresses had permanent fatal errors -----
<ann@example.org>
    (reason: 550 5.1.1 <ann@example.org>... User unknown)
"""
EXCHANGE = """From: postmaster@example.onmicrosoft.com
Subject: Undeliverable: Fourfold 07-0123456789: your match
X-MS-Exchange-Message-Is-Ndr:

ann@example.org
Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.org not found by SMTP address lookup'
"""
GMAIL = """From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
Subject: Delivery Status Notification (Failure)
Auto-Submitted: auto-replied
X-Failed-Recipients: ann@example.org

** Address not found **

Your message wasn't delivered to ann@example.org because the address couldn't be found, or is unable to receive mail.
550 5.1.1 The email account that you tried to reach does not exist.
"""
FULL = """From: MAILER-DAEMON@mx.example.org
Subject: failure notice

<ann@example.org>:
452 4.2.2 The email account that you tried to reach is over quota.
"""
GERMAN = """From: mailer-daemon@mx.example.org
Subject: Unzustellbar: Fourfold

Die folgende Adresse wurde nicht erreicht: ann@example.org
550 Requested action not taken: mailbox unavailable
"""


@pytest.mark.parametrize(
    ("raw", "hard"),
    [(QMAIL, True), (EXIM, True), (SENDMAIL, True), (EXCHANGE, True), (GMAIL, True), (FULL, False), (GERMAN, True)],
    ids=["qmail", "exim", "sendmail", "exchange", "gmail", "full", "german"],
)
@pytest.mark.parametrize("sender", ["", "MAILER-DAEMON@mx.example.org"])
def test_bounces_of_many_servers_are_known(raw: str, hard: bool, sender: str):
    found = kind(raw, sender, BOUNCE)
    assert (found.sort, found.hard) == ("bounce", hard)


AUTOMATIC = {
    "rfc3834": "Auto-Submitted: auto-replied\nSubject: Re: Fourfold\n",
    "rfc3834-more": "Auto-Submitted: auto-generated; owner-email=ann@example.org\n",
    "exchange": "X-Auto-Response-Suppress: All\nAuto-Submitted: auto-generated\nSubject: Automatic reply: Fourfold\n",
    "autoreply": "X-Autoreply: yes\n",
    "autorespond": "X-Autorespond: Fourfold\n",
    "precedence": "Precedence: auto_reply\n",
    "bulk": "Precedence: bulk\n",
    "cpanel": "X-Autogenerated: Reply\n",
    "yahoo": "Delivered-To: Autoresponder\n",
    "list": "List-Id: <games.lists.example.org>\n",
    "nobody": "Return-Path: <>\n",
    "english": "Subject: Out of Office: Fourfold 07-0123456789\n",
    "english-reply": "Subject: Automatic reply: Fourfold 07-0123456789\n",
    "german": "Subject: Automatische Antwort: Fourfold 07-0123456789\n",
    "german-away": "Subject: =?utf-8?q?Abwesenheitsnotiz=3A_Fourfold?=\n",
    "french": "Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_Fourfold?=\n",
    "spanish": "Subject: =?utf-8?q?Respuesta_autom=C3=A1tica=3A_Fourfold?=\n",
    "italian": "Subject: Risposta automatica: Fourfold\n",
    "portuguese": "Subject: =?iso-8859-1?q?Resposta_autom=E1tica=3A_Fourfold?=\n",
    "dutch": "Subject: Automatisch antwoord: Fourfold\n",
    "swedish": "Subject: Autosvar: Fourfold\n",
    "polish": "Subject: =?utf-8?q?Automatyczna_odpowied=C5=BA=3A?= Fourfold\n",
    "russian": "Subject: =?koi8-r?B?4dfUz83B1MnexdPLyco=?=\n",
    "japanese": "Subject: =?iso-2022-jp?b?GyRCPCtGMEpWPy4bKEI=?=\n",
    "chinese": "Subject: =?utf-8?b?6Ieq5Yqo5Zue5aSN?=: Fourfold\n",
    "arabic": "Subject: =?utf-8?b?2LHYryDYqtmE2YLYp9im2Yo=?=: Fourfold\n",
}


@pytest.mark.parametrize("client", AUTOMATIC)
def test_a_mail_that_a_machine_wrote_is_known_with_and_without_the_header_for_it(client: str):
    assert kind(f"From: ann@example.org\n{AUTOMATIC[client]}\nboard\n").sort == "automatic"


@pytest.mark.parametrize(
    ("raw", "sort"),
    [
        ('From: a@b.c\nContent-Type: multipart/report; report-type=disposition-notification; boundary="b"\n\n--b\n\nread\n--b--\n', "receipt"),
        ('From: a@b.c\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: message/disposition-notification\n\nx\n--b--\n', "receipt"),
        (
            (
                'From: a@b.c\nContent-Type: multipart/alternative; boundary="b"\n\n--b\n\nAnn reacted\n--b\nContent-Type: '
                'text/vnd.google.email-reaction+json\n\n{"emoji": "x", "version": 1}\n--b--\n'
            ),
            "reaction",
        ),
        ("From: a@b.c\nContent-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\n", "meeting"),
        ("From: Forgepost <play@turns.example.org>\n\nboard\n", "ours"),
        ("From: a@b.c\nForgepost-Head: abc\n\nboard\n", "ours"),
        ("Received: by x\n" * 31 + "From: a@b.c\n\nboard\n", "loop"),
        ("Received: by x\n" * 30 + "From: a@b.c\n\nboard\n", "letter"),
        ("From: a@b.c\nAuto-Submitted: no\nSubject: Re: Fourfold: your match\nX-Auto-Response-Suppress: OOF\n\nboard\n", "letter"),
        ("From: a@b.c\nSubject: Re: Fourfold 07-0123456789: your match\nImportance: low\nPrecedence: first-class\n\nboard\n", "letter"),
    ],
)
def test_other_mails_that_are_no_letters_are_known_and_letters_stay_letters(raw: str, sort: str):
    assert kind(raw).sort == sort


def test_a_mailbox_that_is_gone_gets_no_more_mail_and_nothing_is_answered(desk: ReplyDesk):
    mover = desk.mover
    became = desk.comes(report("5.1.1").encode(), desk.addresses.bounce(mover.id), "")
    assert (became.sort, became.player) == ("bounce", mover.id)
    known = desk.site.players.get(mover.id)
    assert known is not None
    assert known.suppressed == "it came back with status 5.1.1"
    assert desk.answers() == {}


def test_a_mailbox_in_trouble_still_gets_mail(desk: ReplyDesk):
    mover = desk.mover
    desk.comes(report("4.2.2").encode(), desk.addresses.bounce(mover.id), "")
    known = desk.site.players.get(mover.id)
    assert known is not None
    assert known.suppressed == ""


def test_a_bounce_to_an_address_that_somebody_made_up_is_nobodys(desk: ReplyDesk):
    mover = desk.mover
    became = desk.comes(report("5.1.1").encode(), f"b+{mover.id}.{'0' * 19}@forgepost.localhost", "")
    assert (became.sort, became.player) == ("bounce", "")
    known = desk.site.players.get(mover.id)
    assert known is not None
    assert known.suppressed == ""


def test_a_vacation_reply_with_an_action_in_it_plays_nothing_and_is_not_answered(desk: ReplyDesk):
    line = desk.legal()
    raw = desk.letter(line, Auto_Submitted="auto-replied")
    assert desk.comes(raw).sort == "automatic"
    assert desk.match.ply == 0
    assert desk.answers() == {}


def test_a_mail_that_cannot_be_opened_is_parked_and_the_next_one_is_read(desk: ReplyDesk):
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level) for level in range(3_000))
    assert desk.comes(b"From: a@b.c\nMessage-ID: <deep@x>\n" + deep).sort == "damaged"
    assert desk.says(desk.legal()).words == "played"
