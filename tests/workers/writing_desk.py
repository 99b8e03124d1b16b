"""A desk where the letters of one match are written, as the worker does it."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from typing import Any

from domain.desk import Sight
from domain.match.commands import Hold, House
from domain.ports import Tip
from infra import pictures
from infra.mail.smtp import POLICY
from infra.outbox import Kind, Notice
from infra.people.players import Player
from infra.seals.keys import Keys
from infra.seals.tokens import Token, Tokens
from infra.settings import Settings
from tests.table import MATCH, NOON, LoadedLot, Table, creation
from workers.drafting import WIDTH
from workers.letters.envelope import Addresses, mail
from workers.letters.links import Links
from workers.letters.writing import Facts, letter, picture
from workers.letters.written import Written, written

ANN, BO = "p-ann0000000", "p-bo00000000"
NAMES = {ANN: "Ann", BO: "Bo Ångström"}
LINK = re.compile(r"http://127\.0\.0\.1:8000/m/([0-9a-z]+)")


class WritingDesk:
    """Writes the letters of one match, as the worker does, to one of its players."""

    def __init__(self, data: Path, table: Table, zone: str = "UTC", names: dict[str, str] = NAMES) -> None:
        self.settings = Settings.development(data)
        self.keys = Keys(self.settings)
        self.tokens = Tokens(self.keys)
        self.addresses = Addresses(self.keys, self.settings.mail_domain)
        self.table, self.zone, self.names = table, zone, names

    def facts(self, kind: Kind, player: str = ANN, seat: str = "", **more: Any) -> Facts:
        match = self.table.live
        ask = match.ask(seat) if seat else None
        notice = Notice(kind, match.id, player, seat, ask.version if ask else 0, match.ply, match.version)
        sight = Sight(match, Tip(match.version, bytes(32)))
        return Facts(
            notice=notice,
            sight=sight,
            history=self.table.events,
            to=self.names[player],
            zone=self.zone,
            names=self.names,
            now=self.table.now,
            **more,
        )

    def letter(self, kind: Kind, player: str = ANN, seat: str = "", **more: Any) -> Written:
        facts = self.facts(kind, player, seat, **more)
        return written(kind, letter(facts, Links(self.tokens, self.settings.url)), "board@here" if facts.match.state else None)

    def mail(self, kind: Kind, player: str = ANN, seat: str = "") -> EmailMessage:
        """As it arrives."""
        facts = self.facts(kind, player, seat)
        text = written(kind, letter(facts, Links(self.tokens, self.settings.url)), self.addresses.picture_id(facts.notice))
        board = pictures.png(picture(facts), WIDTH)
        reader = Player(player, self.names[player], "ann@example.org", confirmed=True, zone=self.zone, created=NOON)
        sent = mail(facts, reader, text, board, self.addresses, self.keys.sign_head(MATCH, 1, bytes(32)))
        arrived: Any = message_from_bytes(sent.as_bytes(policy=POLICY), policy=policy.default)
        return arrived  # type: ignore[no-any-return]

    def tokens_in(self, said: str) -> list[Token]:
        found = [self.tokens.unseal(token) for token in LINK.findall(unescape(said))]
        assert None not in found
        return [token for token in found if token]


def opened() -> Table:
    """Bo (north) has deployed and moved, and Ann (south) is to deploy: the second ply of the opening."""
    table = Table(LoadedLot([0, 2]))
    table.does(creation(Hold(BO), House("random", "p-bot1"), Hold(ANN), House("random", "p-bot2")))
    table.plays("deploy b5; N1>b4", after=30_000)
    return table
