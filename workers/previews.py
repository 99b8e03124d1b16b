"""A mail of every kind with made-up data, for whoever works on mails: made anew whenever the development mailbox is started."""

from __future__ import annotations

from collections.abc import Iterator
from email.headerregistry import Address
from email.message import EmailMessage
from hashlib import sha256
from shutil import rmtree
from typing import Final

from msgspec.structs import replace

from domain.chain import SeedLot, link
from domain.desk import Sight
from domain.match.codec import encode
from domain.match.commands import Actor, Answer, CallOff, Command, CreateMatch, Fill, Hold, House, Invite, Leave, Offer, Open, Place, Resign, Submit
from domain.match.commands import TakeBack as Back
from domain.match.decide import decide
from domain.match.events import Event
from domain.match.match import Match, begin, evolve
from domain.ports import Tip
from infra import pictures
from infra.mail.inbox import Reply
from infra.mail.mailbox import Envelope, previews
from infra.mail.smtp import POLICY
from infra.outbox import Kind, Notice
from infra.people.players import Player
from infra.seals.keys import Keys
from infra.seals.tokens import Tokens
from infra.settings import Settings
from infra.webhooks.queue import Delivery
from infra.webhooks.webhooks import Webhook, Wish
from workers.letters import digests, personal
from workers.letters.envelope import Addresses, begun, mail
from workers.letters.links import Links
from workers.letters.writing import Facts, answer, letter, picture
from workers.letters.written import written

ID: Final = "07-prevew0000"
ANN: Final = Player("p-0000000001", "Ann", "ann@example.org", confirmed=True, zone="Europe/Vienna", created=0)
BO: Final = Player("p-0000000002", "Bo Ångström", "bo@example.org", confirmed=True, zone="UTC", created=0)
MINUTE: Final = 60_000  # ms
WIDTH: Final = 800
PLAYED: Final = 12  # plies of the match that most of them are about


class Table:
    """A match that nobody plays, at a clock of its own."""

    def __init__(self, now: int, *places: Place) -> None:
        self.now, self.tip = now, Tip()
        self.events: list[Event] = []
        self._match: Match | None = None
        self.does(CreateMatch(Actor(_player(places[0]), "web"), "fourfold", {}, {"seating": "joined"}, places))

    @property
    def match(self) -> Match:
        """As it stands."""
        assert self._match is not None
        return self._match

    def does(self, command: Command) -> None:
        """A minute later, this is done."""
        self.now += MINUTE
        for event in decide(self._match, command, SeedLot(sha256(b"forgepost-preview").digest(), ID), self.now):
            self._match = begin(ID, event) if self._match is None else evolve(self._match, event)
            self.tip = Tip(self._match.version, link(self.tip.hash, ID, *encode(event)))
            self.events.append(event)

    def plays(self, plies: int = 1) -> None:
        """So many actions, now this and now that."""
        until = self.match.ply + plies
        while self.match.ply < until:
            (ask,) = self.match.asks
            legal = list(self.match.game.legal(self.match.state, ask.seat))
            action = legal[self.match.ply * 7 % len(legal)]
            self.does(Submit(Actor(self.match.chair(ask.seat).player or "", "link"), ask.seat, self.match.ply, (action,)))

    def facts(self, kind: Kind, seat: str = "") -> Facts:
        """What Ann is told of it."""
        ask = self.match.ask(seat) if seat else None
        notice = Notice(kind, ID, ANN.id, seat, ask.version if ask else 0, self.match.ply, self.match.version)
        names = {ANN.id: ANN.name, BO.id: BO.name}
        return Facts(notice=notice, sight=Sight(self.match, self.tip), history=self.events, to=ANN.name, zone=ANN.zone, names=names, now=self.now)

    def anns(self) -> str:
        """Play on until Ann is asked; her seat."""
        while self.match.chair(self.match.asks[0].seat).player != ANN.id:
            self.plays()
        return self.match.asks[0].seat


def make(settings: Settings, now: int) -> None:
    """Put one of each into a mailbox of their own, in place of those that are there."""
    kept = previews(settings.data, settings.url)
    rmtree(settings.data / "previews", ignore_errors=True)
    for message in _all(settings, now):
        kept.deliver(message.as_bytes(policy=POLICY), Envelope("", (ANN.address,), now))


def _all(settings: Settings, now: int) -> Iterator[EmailMessage]:
    keys = Keys(settings)
    addresses, links = Addresses(keys, settings.mail_domain), Links(Tokens(keys), settings.url)

    def told(facts: Facts, reply: Reply | None = None) -> EmailMessage:
        said = letter(facts, links) if reply is None else answer(facts, links, reply)
        board = pictures.png(picture(facts), WIDTH) if facts.match.state is not None and facts.seats else None
        text = written(facts.notice.kind, said, addresses.picture_id(facts.notice) if board else None)
        head = keys.sign_head(ID, facts.sight.tip.version, facts.sight.tip.hash)
        return mail(facts, ANN, text, board, addresses, head, reply)

    yield from (told(facts) for facts in _before(now))
    table, seat = _running(now)
    yield told(table.facts("turn", seat))
    yield told(table.facts("reminder", seat))
    yield told(
        table.facts("answer", seat),
        Reply(headline="Not understood", words=("Nothing was done: “hello” is no action of Fourfold.",), to="<reply@example.org>"),
    )
    yield from (told(facts) for facts in _during(now))
    yield digests.mail(Notice("digest", "", ANN.id, "", 0, 0, 0, again=1), ANN, [table.facts("turn", seat)], addresses, links, now)
    for kind, headline in (("sign-in", "Your way in"), ("address", "Is this your address?"), ("moving", "Your mail is to go elsewhere")):
        said = personal.plain(ANN.name, headline, f"{settings.url}/sign-in", lasts="30 minutes", address="ann@new.example.org")
        yield begun(Address(ANN.name, addr_spec=ANN.address), written(kind, said, None), f"<{kind}@{settings.mail_domain}>", addresses, now)
    hook = Webhook("w-3f9k2m8qtx", ANN.id, now, Wish("https://bots.example.org/forgepost", "my bridge"), off="failing")
    last = Delivery("msg", "action.taken", "", 0, now, 9, 10_000, words="no whole answer within 10 s")
    off = written("webhook-off", personal.switched_off(ANN.name, hook, last, settings.url), None)
    yield begun(Address(ANN.name, addr_spec=ANN.address), off, f"<webhook-off@{settings.mail_domain}>", addresses, now)


def _before(now: int) -> Iterator[Facts]:
    """What happens before a match begins."""
    ann, bo = Actor(ANN.id, "web"), Actor(BO.id, "web")
    yield Table(now, Hold(BO.id), Invite(ANN.id), Open(), Open()).facts("invitation")
    table = Table(now, Hold(ANN.id), Invite(BO.id), Open(), Open())
    table.does(Leave(bo))
    yield table.facts("turned-down")
    table.does(CallOff(ann))
    yield table.facts("aborted")
    table = Table(now, Hold(BO.id), Invite(ANN.id), Open(), Open())
    table.does(Fill(bo, table.match.seats[1], House("random", "p-bot")))
    yield table.facts("given-away")


def _running(now: int) -> tuple[Table, str]:
    """A match some turns old in which Ann is asked, and her seat."""
    table = Table(now, Hold(ANN.id), Hold(BO.id), House("random", "p-bot1"), House("random", "p-bot2"))
    table.plays(PLAYED)
    return table, table.anns()


def _during(now: int) -> Iterator[Facts]:
    """What is agreed on, taken back, left and ended."""
    ann, bo = Actor(ANN.id, "web"), Actor(BO.id, "web")
    bots = Actor("p-bot1", "bot"), Actor("p-bot2", "bot")
    table, _ = _running(now)
    table.does(Offer(bo))
    yield table.facts("offer")
    yield replace(table.facts("unreachable"), unreached=frozenset({BO.id}))
    table.does(Answer(ann, 1, "decline"))
    table.does(Offer(ann, "pause", 259_200))
    table.does(Answer(bo, 2, "decline"))
    yield table.facts("declined")
    table.does(Offer(ann, "pause", 259_200))
    for actor in (bo, *bots):
        table.does(Answer(actor, 3, "accept"))
    yield table.facts("paused")
    table, _ = _running(now)
    while (mark := table.match.mark) is None or table.match.chair(mark.seat).player != BO.id:
        table.plays()
    table.does(Back(bo, mark.seat))
    yield table.facts("taken-back")
    table.does(Resign(bo))
    yield table.facts("vacated")
    table, _ = _running(now)
    table.does(Offer(bo))
    for actor in (ann, *bots):
        table.does(Answer(actor, 1, "accept"))
    yield table.facts("over")


def _player(place: Place) -> str:
    assert isinstance(place, Hold)
    return place.player
