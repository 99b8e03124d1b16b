"""The development mailbox: a real SMTP server on this machine that keeps whatever it is given, and passes nothing on."""

from __future__ import annotations

from logging import getLogger
from socket import create_server
from threading import Event as Signal
from threading import Thread
from typing import Any, Final

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Received

from infra.clock import now
from infra.mail.mailbox import Envelope, Mailbox
from infra.settings import Settings
from workers import previews

log = getLogger(__name__)

HOST: Final = "127.0.0.1"
STARTING: Final = 60  # seconds until we listen, on a machine that is busy with everything at once
LARGEST: Final = 1 << 20  # bytes; our own mails stay below 100 KB


class Keeper:
    """Takes every mail that is handed in."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    async def handle_DATA(self, _server: SMTP, _session: Session, received: Received) -> str:  # noqa: N802 - aiosmtpd's name
        """Keep the mail; only then is it ours."""
        raw = received.content
        assert isinstance(raw, bytes)
        number = self._mailbox.deliver(raw, Envelope(received.mail_from or "", tuple(received.rcpt_tos), now()))
        return f"250 kept as {number}"


def _preview(settings: Settings) -> None:
    try:
        previews.make(settings, now())
    except Exception:
        log.exception("no previews of mails could be made")


def serve(settings: Settings, port: int, stopped: Signal) -> None:
    """Be the mail server at a port of this machine until told to stop. Raises OSError where the port is taken."""
    with create_server((HOST, port)):
        pass  # aiosmtpd would say only after a minute that somebody else listens there
    server: Any = Controller(
        Keeper(Mailbox(settings.data, settings.url)),
        HOST,
        port,
        data_size_limit=LARGEST,
        server_hostname="localhost",
        ident="Forgepost development mailbox",
        ready_timeout=STARTING,
    )
    server.start()
    Thread(target=_preview, args=(settings,), daemon=True).start()  # nobody waits for them
    try:
        stopped.wait()
    finally:
        server.stop()
