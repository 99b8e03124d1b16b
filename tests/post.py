"""A real SMTP server for tests, that says yes, later, no, nothing, or hangs up; and a letter to send to it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from infra.mail.smtp import POLICY
from tests.servers import PATIENT

SEALED = "a21r08gs19ht2a000504a0004vj8b606hzxhgakhfpcx6"
URL = f"https://turns.example.org/m/{SEALED}"


class Post:
    """A mail server's rules: what it answers to each step, and what it took."""

    def __init__(self) -> None:
        self.taken: list[Any] = []
        self.mail_from = self.rcpt = self.data = "250 OK"
        self.greylisted: set[str] | None = None
        self.delay = 0.0
        self.hang_up_at = ""

    async def handle_MAIL(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802 - aiosmtpd's name
        envelope.mail_from = address
        return await self._answer("MAIL", server, self.mail_from)

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802
        if self.greylisted is not None and address not in self.greylisted:
            self.greylisted.add(address)
            return "451 4.7.1 come back in five minutes"
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return await self._answer("RCPT", server, self.rcpt)

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.data.startswith("250"):
            self.taken.append(envelope)
        return await self._answer("DATA", server, self.data)

    async def handle_QUIT(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        return await self._answer("QUIT", server, "221 Bye")

    async def _answer(self, step: str, server: SMTP, words: str) -> str:
        await asyncio.sleep(self.delay)
        if self.hang_up_at == step:
            assert server.transport is not None
            server.transport.close()
        return words


class Anywhere(Controller):
    """A server on whichever port is free; once it listens, aiosmtpd knocks at it itself."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def serving(post: Post, **keywords: Any) -> Iterator[int]:
    """The post's port while it is open."""
    controller = Anywhere(post, hostname="127.0.0.1", port=0, ready_timeout=PATIENT, **keywords)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def letter() -> EmailMessage:
    mail = EmailMessage(policy=POLICY)
    mail["From"] = Address("Forgepost", "play", "turns.example.org")
    mail["To"] = Address("Ærø, Bo @ home", "bo", "example.org")
    mail["Subject"] = "Fourfold 07-0123456789: your match with Zoë"
    mail["Message-ID"] = "<n1.k4q9m2x7c0d5f8h3@turns.example.org>"
    mail["List-Unsubscribe"] = f"<https://turns.example.org/u/{SEALED}>, <https://turns.example.org/u/{SEALED}/all-of-them>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail["References"] = " ".join(f"<{'r' * 60}.{n}@turns.example.org>" for n in range(3))
    mail.set_content(f"Zoë played b2 north.\n\n{URL}\n\n.\nFrom here on it is your turn.\n")
    mail.add_alternative(f'<p>Zoë played <a href="{URL}">b2 north</a></p>', subtype="html")
    return mail
