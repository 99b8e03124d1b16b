"""Replies as mail programs write them: for whoever tries them out in the development mailbox, and for tests."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.utils import parseaddr
from html import escape
from secrets import token_hex
from smtplib import LMTP, SMTP
from typing import Final, Literal, TypeAlias, assert_never, get_args
from urllib.parse import urlsplit

from domain.game import Record
from infra.mail.mailbox import Envelope, opened
from infra.settings import Settings

Client: TypeAlias = Literal["gmail", "thunderbird", "outlook", "iphone"]

CLIENTS: Final[tuple[Client, ...]] = get_args(Client)
TIMEOUT: Final = 20.0  # seconds


class Unanswerable(ValueError):
    """A mail that asks for no reply, or that cannot be handed in; the message says why."""


class Written(Record, frozen=True):
    """A reply: its bytes, whom it is from and where it goes."""

    raw: bytes
    sender: str
    to: str


def reply(raw: bytes, sender: str, words: str, client: Client = "gmail") -> Written:
    """The reply of a mail's reader, with the mail quoted in the way of a mail program. Raises Unanswerable."""
    asked = message_from_bytes(raw)
    to = parseaddr(str(asked["Reply-To"] or ""))[1]
    if not to:
        raise Unanswerable("this mail asks for no reply: it has no Reply-To")
    us = parseaddr(str(asked["From"] or ""))[1]
    mail = EmailMessage()
    mail["From"], mail["To"] = sender, to
    mail["Subject"] = f"Re: {opened(raw, Envelope('', (sender,), 0), '', '').subject}"
    mail["Message-ID"] = f"<{token_hex(12)}@{sender.rpartition('@')[2]}>"
    mail["In-Reply-To"] = str(asked["Message-ID"])
    mail["References"] = " ".join([*str(asked["References"] or "").split(), str(asked["Message-ID"])])
    _write(mail, words, opened(raw, Envelope("", (sender,), 0), "", "").text, us, client)
    return Written(mail.as_bytes(policy=mail.policy.clone(linesep="\r\n")), sender, to)


def hand_in(settings: Settings, written: Written) -> None:
    """Give it to `forgepost mail-in`, as a mail server does. Raises Unanswerable, OSError and SMTPException."""
    if not settings.mail_in_url:
        raise Unanswerable("nobody takes replies here: MAIL_IN_URL is not set")
    place = urlsplit(settings.mail_in_url)
    client = LMTP if place.scheme == "lmtp" else SMTP
    with client(place.hostname or "", place.port or 0, "mx.localhost", timeout=TIMEOUT) as door:
        door.sendmail(written.sender, [written.to], written.raw)


def _write(mail: EmailMessage, words: str, text: str, us: str, client: Client) -> None:
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    introduction = f"On Mon, 30 Nov 2026 at 09:00, Forgepost <{us}> wrote:"
    html = escape(words).replace("\n", "<br>")
    match client:
        case "gmail":
            mail.set_content(f"{words}\n\n{introduction}\n\n{quoted}\n")
            mail.add_alternative(
                f'<div dir="ltr">{html}</div><br><div class="gmail_quote"><div class="gmail_attr">{escape(introduction)}<br></div>'
                f'<blockquote class="gmail_quote">{escape(text)}</blockquote></div>',
                subtype="html",
            )
        case "thunderbird":
            mail.set_content(f"{introduction}\n{quoted}\n\n{words}\n\n-- \nsent by a person\n")
        case "outlook":
            spaced = words.replace("\n", "\n\n")
            mail.set_content(
                f"{spaced}\n\n________________________________\nFrom: Forgepost <{us}>\nSent: Monday, November 30, 2026 9:00 AM\n\n{text}\n"
            )
        case "iphone":
            mail.set_content(
                f'<html><body>{html}<br><br><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">{escape(introduction)}'
                f"<br>{escape(text)}</blockquote></div></body></html>",
                subtype="html",
            )
        case _ as never:
            assert_never(never)
