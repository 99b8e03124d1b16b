"""A mail as it came, opened so that nothing that anybody wrote into it stops us or takes long."""

from __future__ import annotations

import re
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Final

from domain.game import Record
from infra.mail.inbox import LARGEST
from workers.inbound.letters import decoded, unflowed

MOST_PARTS: Final = 200
MOST_DASHES: Final = 1_000  # lines that begin like the border of a part
LONGEST_HEAD: Final = 100_000  # bytes: what is longer takes the parser long, and no server writes it
MOST_HEADERS: Final = 500
LONGEST_HEADER: Final = 8_000  # characters that are looked at
LONGEST_TEXT: Final = 64_000  # the same of a text; of HTML, which says less in more words, all
READABLE: Final = ("text/plain", "text/html")
SEALED: Final = ("application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted", "application/pgp-encrypted")


class Unopenable(ValueError):
    """Nobody can tell what this mail says; the message says why."""


class Opened(Record, frozen=True):
    """A mail's headers in their order (names in small letters), the kinds of its parts, and the texts that are no attachment.

    `report` is what machines say to machines in it (delivery status), `text` and `html` each the first part of that kind.
    """

    headers: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]
    text: str
    html: str
    report: str

    def all(self, name: str) -> list[str]:
        """The values of a header, each on one line."""
        return [value for each, value in self.headers if each == name]

    def first(self, name: str) -> str:
        """The first value of a header; empty where there is none."""
        return next(iter(self.all(name)), "")

    @property
    def subject(self) -> str:
        """The subject in readable letters."""
        return _words(self.first("subject"))

    @property
    def sealed(self) -> bool:
        """Whether its text can only be read with a key, or by unpacking a signature."""
        return not self.text and not self.html and any(kind in SEALED for kind in self.kinds)


def opened(raw: bytes) -> Opened:
    """The mail in its parts. Raises Unopenable."""
    if len(raw) > LARGEST:
        raise Unopenable(f"it has {len(raw)} bytes, and {LARGEST} are the most")
    if len(re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]) > LONGEST_HEAD:
        raise Unopenable(f"its head has more than {LONGEST_HEAD} bytes")
    if raw.count(b"\n--") > MOST_DASHES:
        raise Unopenable("it has far too many parts")
    try:
        message = BytesParser(policy=compat32).parsebytes(raw)
        return _opened(message)
    except Unopenable:
        raise
    except Exception as wrong:  # the parser raises all kinds of errors on mails from the wild, RecursionError included
        raise Unopenable(f"it cannot be parsed: {type(wrong).__name__}") from wrong


def _opened(message: Message) -> Opened:
    text = html = report = ""
    kinds: list[str] = []
    waiting = [(message, False)]
    while waiting:
        part, within = waiting.pop()
        if len(kinds) >= MOST_PARTS:
            raise Unopenable(f"it has more than {MOST_PARTS} parts")
        kind = _kind(part)
        kinds.append(kind)
        forwarded = within or kind == "message/rfc822"
        if kind in ("message/delivery-status", "message/disposition-notification"):
            report = report or "\n".join(str(each)[:LONGEST_TEXT] for each in _within(part)) or _text(part)
        elif part.is_multipart():
            waiting += [(inner, forwarded) for inner in reversed(_within(part))]
        elif kind in READABLE and not within and part.get_content_disposition() != "attachment":
            if kind == "text/plain":
                text = text or _text(part)
            else:
                html = html or _text(part)
    headers = [(name.lower(), _line(value)) for name, value in message.items()[:MOST_HEADERS]]
    return Opened(tuple(headers), tuple(kinds), text, html, report)


def _kind(part: Message) -> str:
    try:
        return part.get_content_type()
    except Exception:  # noqa: BLE001 - a parameter that nobody can read makes no difference to what the rest says
        return "text/plain"


def _within(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    words = decoded(payload, _parameter(part, "charset"))
    if _parameter(part, "format").lower() == "flowed":
        words = unflowed(words, joined=_parameter(part, "delsp").lower() == "yes")
    return words if _kind(part) == "text/html" else words[:LONGEST_TEXT]


def _parameter(part: Message, name: str) -> str:
    """A parameter of Content-Type; empty where nobody can tell."""
    try:
        value = part.get_param(name, "")
    except Exception:  # noqa: BLE001 - the same
        return ""
    return str(value[2] if isinstance(value, tuple) else value or "")


def _line(value: object) -> str:
    """A header's value on one line, cut; bytes that are no ASCII as UTF-8 where they are."""
    said = str(value)[:LONGEST_HEADER]
    return re.sub(r"\s*[\r\n]+\s*", " ", said).replace("\0", "").strip()


def _words(line: str) -> str:
    try:
        parts = decode_header(line)
    except Exception:  # noqa: BLE001 - what only looks like an encoded word stays as it is
        return line
    return "".join(part if isinstance(part, str) else decoded(part, charset or "") for part, charset in parts).strip()
