"""Mail in: takes replies from our mail server, or from a mailbox by IMAP, and says yes to a mail only once it is stored."""

from __future__ import annotations

import asyncio
from logging import getLogger
from threading import Event as Signal
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Received

from domain.ports import LogUnavailable
from infra.mail.inbox import LARGEST
from infra.mail.mailbox import Envelope
from infra.wiring import Site
from workers.imap import Poller

log = getLogger(__name__)

MOST: Final = 20  # mailboxes that one mail may be for
SILENT: Final = 60  # seconds after which a client that says nothing is hung up on
POLLING: Final = 20.0  # seconds between two looks into the mailbox
OURS: Final = ("r+", "b+")  # how the addresses begin that our mails carry for replies and bounces; `play` is the one in From


class Nothing(Exception):
    """There is nothing to take mail from; the message says what to set."""


class Door:
    """Says to each step of a mail server whether we take what it has; `each`: for each mailbox of a mail, as LMTP wants it."""

    def __init__(self, site: Site, *, each: bool) -> None:
        self._site, self._each = site, each

    async def handle_RCPT(self, _server: SMTP, _session: Session, received: Received, address: str, _options: list[str]) -> str:  # noqa: N802 - aiosmtpd's name
        """Only what our own mails name is a mailbox here."""
        box, _, domain = address.lower().rpartition("@")
        if domain != self._site.settings.mail_domain:
            return "550 5.7.1 we take no mail for others"
        if box != "play" and not box.startswith(OURS):
            return "550 5.1.1 there is no such mailbox; write to the address that our mails ask you to reply to"
        if len(received.rcpt_tos) >= MOST:
            return "452 4.5.3 too many mailboxes at once"
        received.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, received: Received) -> str:  # noqa: N802 - the same
        """Store the mail, once for every seat that it is for; only then is it ours."""
        raw = received.content
        assert isinstance(raw, bytes)
        seats = [box for box in received.rcpt_tos if box.lower().startswith(OURS)] or received.rcpt_tos[:1]
        said = {box: await self._stored(raw, Envelope(received.mail_from or "", (box,), self._site.clock())) for box in dict.fromkeys(seats)}
        worst = max(said.values())
        return "\r\n".join(said.get(box, worst) for box in received.rcpt_tos) if self._each else worst

    async def _stored(self, raw: bytes, envelope: Envelope) -> str:
        """What is answered for one mailbox."""
        try:
            new = await asyncio.to_thread(self._site.inbox.keep, raw, envelope)
        except LogUnavailable as gone:
            log.warning("a mail is put off: %s", gone)
            return "451 4.3.0 it could not be stored just now; try again later"
        return f"250 2.0.0 {'stored' if new else 'known already'}"


class Smtp(SMTP):
    """A line may be as long as the mail: what breaks our rules is for us to read, not for the sender to find out."""

    line_length_limit = LARGEST


class Lmtp(LMTP):
    """The same for LMTP, by which a mail has an answer for each of its mailboxes (RFC 2033)."""

    line_length_limit = LARGEST
    _owed = 0  # answers, once the mail is there

    async def push(self, status: str | bytes) -> None:
        """Say the next thing; after a mail's text as often as it has mailboxes, unless it was said for each of them."""
        said = status if isinstance(status, str) else status.decode()
        if self._owed and "\r\n" not in said:
            said = "\r\n".join([said] * self._owed)
        self._owed = len(self.envelope.rcpt_tos) if said.startswith("354") and self.envelope else 0
        await super().push(said)


class Porch(Controller):
    """Listens where it is told to, by one of the two protocols."""

    def __init__(self, speaks: type[SMTP], door: Door, host: str, port: int, domain: str) -> None:
        super().__init__(
            door,
            host,
            port,
            server_hostname=domain,
            ident="Forgepost takes replies",
            data_size_limit=LARGEST,
            timeout=SILENT,
        )
        self._speaks = speaks

    def factory(self) -> SMTP:
        return self._speaks(self.handler, **self.SMTP_kwargs)


def serve(site: Site, stopped: Signal) -> None:
    """Take mail in until told to stop. Raises Nothing, and OSError where the port is taken."""
    if not site.settings.mail_in_url and not site.settings.imap_url:
        raise Nothing("there is nothing to take mail from: set MAIL_IN_URL, as in lmtp://127.0.0.1:8024, or IMAP_URL")
    porch = _porch(site) if site.settings.mail_in_url else None
    poller = Thread(target=Poller(site).run, args=(stopped, POLLING), name="imap") if site.settings.imap_url else None
    if porch is not None:
        porch.start()
    if poller is not None:
        poller.start()
    try:
        stopped.wait()
    finally:
        if porch is not None:
            porch.stop()
        if poller is not None:
            poller.join()


def _porch(site: Site) -> Any:
    url = urlsplit(site.settings.mail_in_url)
    each = url.scheme == "lmtp"
    return Porch(Lmtp if each else Smtp, Door(site, each=each), url.hostname or "", url.port or 0, site.settings.mail_domain)
