"""The development mailbox: every mail that was really sent, as a file, and readable whatever somebody put into it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from html import unescape
from itertools import count
from pathlib import Path
from secrets import token_hex

import msgspec

from domain.chain import stamp
from domain.game import Record

KEPT = 2000  # mails
LONGEST_SUBJECT = 2000  # characters that are looked at
LONGEST_PART = 1 << 20  # the same for a part
CHARSETS = frozenset({"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "iso-8859-15", "windows-1252", "cp1252"})
LINK = re.compile(r"""https?://[^\s<>"'\\^`{|}]{1,2000}""", re.IGNORECASE)
HREF = re.compile(r"""\bhref\s{0,9}=\s{0,9}["']?(https?://[^\s<>"']{1,2000})""", re.IGNORECASE)


class Envelope(Record, frozen=True):
    """What stood on the envelope, and when (ms) it came."""

    sender: str
    to: tuple[str, ...]
    at: int


class Mail(Record, frozen=True):
    """A mail as `/dev/mail.json` shows it. `links`: every web address in it, those of the HTML first, each once."""

    id: str
    to: str
    subject: str
    sent_at: str
    text: str
    html: str
    links: tuple[str, ...]
    raw_url: str


class Mailbox:
    """Mails in `data`/mail, numbered in the order in which they came, the newest 2000. Any number of processes may write and read."""

    def __init__(self, data: Path, url: str = "", kept: int = KEPT, place: str = "/dev/mail") -> None:
        self._folder, self._url, self._kept, self._place = data / "mail", url, kept, place

    def deliver(self, raw: bytes, envelope: Envelope) -> str:
        """Keep a mail, byte for byte; its id. Its links open matches, so nobody but us may read it."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(PermissionError):  # somebody else's folder stays as they made it
            self._folder.chmod(0o700)
        drafts = {end: self._folder / f".{token_hex(8)}.{end}" for end in ("json", "eml")}
        for end, said in (("json", msgspec.json.encode(envelope)), ("eml", raw)):
            drafts[end].touch(0o600, exist_ok=False)
            drafts[end].write_bytes(said)
        numbers = [int(name.stem) for name in self._folder.glob("[0-9]*.json")]
        for number in count(max(numbers, default=0) + 1):
            try:
                os.link(drafts["json"], self._file(number, "json"))  # whoever links first has the number
            except FileExistsError:
                continue
            break
        drafts["json"].unlink()
        drafts["eml"].replace(self._file(number, "eml"))  # only now is the mail there for a reader
        for old in numbers:
            if old <= number - self._kept:
                self._file(old, "eml").unlink(missing_ok=True)
                self._file(old, "json").unlink(missing_ok=True)
        return str(number)

    def forget(self, address: str) -> None:
        """Throw away every mail that was sent to this address."""
        for envelope in self._folder.glob("[0-9]*.json"):
            with suppress(FileNotFoundError, msgspec.MsgspecError):
                if address.lower() in map(str.lower, msgspec.json.decode(envelope.read_bytes(), type=Envelope).to):
                    envelope.with_suffix(".eml").unlink(missing_ok=True)
                    envelope.unlink(missing_ok=True)

    def mails(self, limit: int = 200) -> list[Mail]:
        """The newest mails, newest first."""
        numbers = sorted((int(name.stem) for name in self._folder.glob("[0-9]*.eml")), reverse=True)
        return [mail for number in numbers[:limit] if (mail := self.mail(str(number)))]

    def mail(self, mail: str) -> Mail | None:
        """One mail, opened; None if there is none of that id (any more)."""
        if (raw := self.raw(mail)) is None:
            return None
        try:
            envelope = msgspec.json.decode(self._file(int(mail), "json").read_bytes(), type=Envelope)
        except FileNotFoundError:  # it was the oldest, and went just now
            return None
        return opened(raw, envelope, mail, f"{self._url}{self._place}/{mail}.eml")

    def raw(self, mail: str) -> bytes | None:
        """A mail's bytes as they came."""
        if not re.fullmatch(r"[1-9][0-9]{0,8}", mail):
            return None
        try:
            return self._file(int(mail), "eml").read_bytes()
        except FileNotFoundError:
            return None

    def _file(self, number: int, end: str) -> Path:
        return self._folder / f"{number:09d}.{end}"


def previews(data: Path, url: str) -> Mailbox:
    """A mailbox with a mail of every kind in it, which nobody was sent."""
    return Mailbox(data / "previews", url, place="/dev/previews")


def opened(raw: bytes, envelope: Envelope, mail_id: str, raw_url: str) -> Mail:
    """A mail's words and links. Whatever cannot be read is shown as it came: this never raises."""
    try:
        message = message_from_bytes(raw)
        subject = _subject(message)
        text, html = _text(message, "text/plain"), _text(message, "text/html")
    except Exception:  # noqa: BLE001 - the parser raises all kinds of errors on mails from the wild, RecursionError included
        subject, text, html = "", raw.decode("latin-1")[:LONGEST_PART], ""
    return Mail(mail_id, ", ".join(envelope.to), subject, stamp(envelope.at), text, html, links(text, html), raw_url)


def links(text: str, html: str) -> tuple[str, ...]:
    """Every web address, each once: those that the HTML links to, then those in the text."""
    found = [unescape(href) for href in HREF.findall(html)]
    found += [url.rstrip(".,;:!?)]") for url in LINK.findall(text)]
    return tuple(dict.fromkeys(found))


def _subject(message: Message) -> str:
    line = re.sub(r"\s*[\r\n]+\s*", " ", str(message.get("Subject", ""))[:LONGEST_SUBJECT])
    return "".join(part if isinstance(part, str) else _decoded(part, charset) for part, charset in decode_header(line)).strip()


def _text(message: Message, kind: str) -> str:
    """The first part of this kind that is no attachment."""
    for part in message.walk():
        said = "text/plain" if part.get_content_maintype() == "multipart" else part.get_content_type()  # parts without an end are none
        if said == kind and not part.is_multipart() and part.get_content_disposition() != "attachment":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return _decoded(payload, part.get_content_charset())[:LONGEST_PART].replace("\r\n", "\n")
    return ""


def _decoded(data: bytes, charset: str | None) -> str:
    return data.decode(charset if charset and charset.lower() in CHARSETS else "utf-8", errors="replace")
