"""A desk at which mails are dealt with as the worker does it, on a real Redis: what is put in, what became of it, what is answered."""

from __future__ import annotations

import dataclasses
from email.message import EmailMessage
from typing import Any

import msgspec

from domain.match.match import Match
from infra.mail.inbox import Became, Reply, name_of
from infra.mail.mailbox import Envelope
from infra.outbox import Notice
from infra.people.players import Player
from tests.workers.office import Office
from workers.drafting import about_an_answer
from workers.inbound import road
from workers.letters.envelope import Addresses


class ReplyDesk:
    """A match of Fourfold between Ann, Bo, Cy and Di; one of them is to act."""

    def __init__(self, office: Office, **settings: Any) -> None:
        self.office, self.site = office, office.site
        self.addresses = Addresses(self.site.keys, self.site.settings.mail_domain)
        self.name = office.match("Ann", "Bo", "Cy", "Di", **settings).match.id
        self.number = 0

    def say_who_vouches(self, server: str) -> None:
        """What our mail server calls itself."""
        self.site = dataclasses.replace(self.site, settings=dataclasses.replace(self.site.settings, authserv_id=server))

    @property
    def match(self) -> Match:
        return self.site.desk.look(self.name).match

    @property
    def mover(self) -> Player:
        """Whoever is to act."""
        found = self.site.players.get(self.match.chair(self.match.asks[0].seat).player or "")
        assert found is not None
        return found

    def to(self, seat: str = "") -> str:
        """Where a reply goes to a mail about the turn of now; with a seat, to another mail to who sits there."""
        ask = None if seat else self.match.asks[0]
        return self.addresses.reply(self.match, seat or self.match.asks[0].seat, ask, self.site.clock())

    def legal(self, place: int = 0) -> str:
        """A line that can be played."""
        match = self.match
        return str(match.game.write(list(match.game.legal(match.state, match.asks[0].seat))[place]))

    def letter(self, text: str, sender: str | None = None, **headers: str) -> bytes:
        """A mail as a person writes it."""
        self.number += 1
        mail = EmailMessage()
        mail["From"] = sender or f"{self.mover.name} <{self.mover.address}>"
        mail["To"] = "Forgepost <play@forgepost.localhost>"
        mail["Subject"] = f"Re: Fourfold {self.name}: your match"
        mail["Message-ID"] = f"<{self.number}@mail.example.org>"
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text)
        return mail.as_bytes()

    def comes(self, raw: bytes, to: str | None = None, sender: str = "somebody@example.org") -> Became:
        """Put a mail in and deal with it; what became of it."""
        boxes = (self.to() if to is None else to,) if to != "" else ()
        assert self.site.inbox.keep(raw, Envelope(sender, boxes, self.site.clock()))
        name = name_of(raw, boxes)
        road.deal(self.site, name)
        if name in self.site.inbox.parked():
            return Became("damaged", "parked", 0, mail=name)
        newest = next(iter(self.site.inbox.record(1)))
        assert newest.mail == name
        return newest

    def says(self, text: str, to: str | None = None, sender: str | None = None, **headers: str) -> Became:
        """The same for a person's words."""
        return self.comes(self.letter(text, sender, **headers), to)

    def answers(self) -> dict[Notice, Reply]:
        """What is to be answered, and was not yet sent."""
        rows: Any = self.site.redis.zrange("{p00}:notices", 0, -1)
        notices = [msgspec.json.decode(row, type=Notice) for row in rows]
        return {notice: reply for notice in notices if notice.kind == "answer" and (reply := self.site.inbox.reply(notice.mail))}

    def answer(self) -> EmailMessage | None:
        """The newest answer as a mail, taken out; None where there is none, or no need of it."""
        answers = self.answers()
        if not answers:
            return None
        assert len(answers) == 1, answers
        (notice,) = answers
        ready = about_an_answer(self.site, notice)
        self.site.outbox.done(notice)
        return ready.message if ready else None

    def text(self) -> str:
        """Its words."""
        return words_of(self.answer())


def words_of(mail: EmailMessage | None) -> str:
    """The text of a mail, which there must be."""
    assert mail is not None
    body: Any = mail.get_body(("plain",))
    said: str = body.get_content()
    return said
