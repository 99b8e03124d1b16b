"""Mail out: one letter to one mailbox over SMTP, and what the mail server said about it."""

from __future__ import annotations

import re
import ssl
from base64 import b64encode
from contextlib import suppress
from email.contentmanager import ContentManager, raw_data_manager
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from smtplib import (
    SMTP,
    SMTP_SSL,
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)
from typing import Any
from urllib.parse import unquote, urlsplit

from domain.game import Record
from infra.mail.mail_signing import signed, signers
from infra.settings import Settings

TIMEOUT = 20.0  # seconds for each answer of the mail server
PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
LONGEST_LINE = 998
NEVER_REFOLDED = frozenset(
    {
        "message-id",
        "in-reply-to",
        "references",
        "reply-to",
        "list-unsubscribe",
        "list-unsubscribe-post",
        "list-id",
        "feedback-id",
        "forgepost-head",
    }
)
PLAIN = re.compile(r"[A-Za-z0-9 _-]+")  # a name that needs no quotes
QUOTABLE = re.compile(r"(?!.*=\?)[ !#-\[\]-~]+")  # one that is itself between quotes, and that nobody takes for an encoded word
WORD = 42  # bytes of a name in one encoded word, which has at most 75 characters
FOLDED = 78  # characters of a line, where there is a blank to break it at


class TryLater(Exception):
    """The mail was not taken, now; the message says why. The same mail may be sent again."""


class Refusal(Exception):
    """The mail was refused for good. `recipient`: the mailbox that the server does not take mail for; None: it was the mail itself."""

    def __init__(self, words: str, code: int, recipient: str | None = None) -> None:
        super().__init__(words)
        self.code, self.recipient = code, recipient


class Mailbox(str):
    """A name and an address as they stand in a header: all ASCII, and written so that reading it gives the name and nothing else."""

    __slots__ = ()

    @classmethod
    def of(cls, who: Address) -> Mailbox:
        """A name is other people's text: what is not plain is an encoded word of base64, in which no sign means anything to a mail program."""
        name, address = who.display_name, f"<{who.addr_spec}>"
        if not name or PLAIN.fullmatch(name):
            return cls(f"{name} {address}".lstrip())
        return cls(f'"{name}" {address}' if QUOTABLE.fullmatch(name) else f"{_encoded(name)} {address}")


class LetterPolicy(EmailPolicy):
    """How our mails are written down: as SMTP wants it, with ids and list headers in one piece, where Python would break and encode them.

    An `Address` is written down as it is: Python would read its name again, and obey what it finds there.
    """

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        return (name, Mailbox.of(value)) if isinstance(value, Address) else super().header_store_parse(name, value)

    def fold(self, name: str, value: str) -> str:
        if isinstance(value, Mailbox):
            return "".join(f"{_whole(name, line)}{self.linesep}" for line in _folded(name, value))
        return f"{name}: {_whole(name, value)}{self.linesep}" if name.lower() in NEVER_REFOLDED else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        own = isinstance(value, Mailbox) or name.lower() in NEVER_REFOLDED
        return self.fold(name, value).encode() if own else super().fold_binary(name, value)


class _Parts(ContentManager):
    """Python's own way to set a part's content, except that text is quoted-printable: what nobody re-encodes keeps its signature."""

    def get_content(self, msg: Any, *args: Any, **keywords: Any) -> Any:
        return raw_data_manager.get_content(msg, *args, **keywords)

    def set_content(self, msg: Any, obj: Any, *args: Any, **keywords: Any) -> None:
        if isinstance(obj, str):
            keywords.setdefault("cte", "quoted-printable")
        raw_data_manager.set_content(msg, obj, *args, **keywords)


POLICY = LetterPolicy(linesep="\r\n", cte_type="7bit", content_manager=_Parts())


class _Attentive:
    """Keeps what the server says to a whole mail, which Python's client throws away."""

    taken: tuple[int, bytes] = (0, b"")

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.taken = super().data(msg)  # type: ignore[misc]
        return self.taken


class _Plain(_Attentive, SMTP):
    pass


class _Tls(_Attentive, SMTP_SSL):
    pass


class Relay(Record, frozen=True):
    """A mail server that would take our mail: whether it is talked to in TLS, offers it where it is not, and has accepted a password."""

    tls: bool
    offers_tls: bool
    known: bool


class Mailer:
    """Hands letters to the site's mail server. A connection a letter: the server is near, and a broken one spoils no other letter."""

    def __init__(self, settings: Settings, timeout: float = TIMEOUT) -> None:
        url = urlsplit(settings.smtp_url)
        self._security, self._host, self._port = url.scheme, url.hostname or "", url.port or PORTS[url.scheme]
        self._login = (unquote(url.username), unquote(url.password or "")) if url.username is not None else None
        self._hello, self._timeout = settings.mail_domain, timeout
        self._signers = signers(settings.dkim)

    def send(self, message: EmailMessage, to: str, bounce_to: str) -> str:
        """Send to one mailbox; bounces go to `bounce_to` ("" where none may). Returns what the server said when it took it.

        Raises TryLater, Refusal, and ValueError for a mail that cannot be written down. A connection that breaks after the
        last line may have been in time, so what is sent again must carry the same Message-ID.
        """
        for address in (to, bounce_to):
            if not re.fullmatch(r"[!-~]*", address):
                raise ValueError(f"{address!a} cannot stand on an envelope")
        raw = message.as_bytes(policy=POLICY)
        _look_at_the_head(raw, message.items())
        raw = signed(raw, self._hello, self._signers)
        try:
            smtp = self._connected()
        except (SMTPException, OSError, UnicodeError) as error:  # whatever is wrong before a letter is named is no letter's fault
            raise TryLater(f"the mail server {self._host}:{self._port} cannot be used: {_words(error)}") from error
        try:
            smtp.sendmail(bounce_to, [to], raw)
            return _said(*smtp.taken)
        except SMTPRecipientsRefused as error:
            code, said = error.recipients[to]
            raise _judged(f"the mail server refuses mail for {to}", code, said, to) from error
        except SMTPSenderRefused as error:
            raise _judged(f"the mail server refuses mail from {bounce_to or 'nobody'}", error.smtp_code, error.smtp_error) from error
        except SMTPDataError as error:
            raise _judged("the mail server refuses the mail", error.smtp_code, error.smtp_error) from error
        except (SMTPException, OSError) as error:
            raise TryLater(f"the connection to the mail server was lost: {_words(error)}") from error
        finally:
            with suppress(SMTPException, OSError):  # it has the mail or not; how it says goodbye changes nothing
                smtp.quit()
            smtp.close()

    def examine(self, bounce_to: str) -> Relay:
        """Go as far as one can without sending a mail: the connection, TLS, the password, and the sender. Raises TryLater and Refusal."""
        try:
            smtp = self._connected()
            try:
                code, said = smtp.mail(bounce_to)
                if code != 250:
                    raise _judged(f"the mail server refuses mail from {bounce_to}", code, said)
                smtp.rset()
                return Relay(self._security != "smtp", smtp.has_extn("starttls"), self._login is not None)
            finally:
                smtp.close()
        except (SMTPException, OSError, UnicodeError) as error:
            raise TryLater(f"the mail server {self._host}:{self._port} cannot be used: {_words(error)}") from error

    def _connected(self) -> _Plain | _Tls:
        smtp: _Plain | _Tls
        if self._security == "smtps":
            smtp = _Tls(self._host, self._port, self._hello, timeout=self._timeout, context=ssl.create_default_context())
        else:
            smtp = _Plain(self._host, self._port, self._hello, timeout=self._timeout)
        try:
            if self._security == "smtp+starttls":
                smtp.starttls(context=ssl.create_default_context())
            if self._login:
                smtp.login(*self._login)
            else:
                smtp.ehlo_or_helo_if_needed()
        except BaseException:
            smtp.close()
            raise
        return smtp


def _whole(name: str, value: str) -> str:
    said = str(value)
    if not said.isascii() or not said.isprintable() or len(name) + 2 + len(said) > LONGEST_LINE:
        raise ValueError(f"the header {name} must be one line of at most {LONGEST_LINE} printable ASCII characters")
    return said


def _encoded(name: str) -> str:
    """A name as encoded words (RFC 2047), none of which ends within a character."""
    words = [b""]
    for sign in name:
        byte = sign.encode(errors="replace")
        if len(words[-1]) + len(byte) > WORD:
            words.append(b"")
        words[-1] += byte
    return " ".join(f"=?utf-8?b?{b64encode(word).decode()}?=" for word in words)


def _folded(name: str, value: str) -> list[str]:
    """A header's lines, broken at blanks where one would be too long; never right after the header's name."""
    first, *words = value.split(" ")
    lines = [f"{name}: {first}"]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > FOLDED:
            lines.append("")
        lines[-1] += f" {word}"
    return lines


def _look_at_the_head(raw: bytes, ours: list[tuple[str, str]]) -> None:
    """Whatever others got into a value, no mail leaves with a header that we did not set; raises ValueError.

    Read here without Python's parser, whose versions differ in what they make of an encoded line break: none may leave, in whichever form.
    """
    lines = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    found = [line.partition(b":")[0].decode("latin-1").lower() for line in lines if line[:1] not in (b" ", b"\t")]
    broken = any(not line.strip() or re.search(rb"[\r\n\0]", line) for line in lines) or any(re.search(r"[\r\n]", value) for _, value in ours)
    if broken or found != [name.lower() for name, _ in ours]:
        raise ValueError(f"the mail's headers are not those that we set: {', '.join(found)[:200]!a}")


def _judged(what: str, code: int, said: bytes | str, recipient: str | None = None) -> TryLater | Refusal:
    words = f"{what}: {_said(code, said)}"
    return Refusal(words, code, recipient) if 500 <= code <= 599 else TryLater(words)


def _words(error: Exception) -> str:
    match error:
        case SMTPAuthenticationError():
            return f"it does not accept our user name and password ({error.smtp_code} {_text(error.smtp_error)})"
        case SMTPResponseException():
            return _said(error.smtp_code, error.smtp_error)
        case _:
            return str(error) or type(error).__name__


def _said(code: int, said: bytes | str) -> str:
    return f"{code} {_text(said)}"


def _text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said
