"""One mail of every kind, and a turn of every game, as they would go out."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from domain.chain import SeedLot
from domain.games import GAMES
from domain.match.commands import Actor, Answer, Fill, Hold, House, Invite, Leave, MakeUp, Offer, Open, Resign
from infra import pictures
from infra.mail.smtp import POLICY
from infra.outbox import Kind, Notice
from infra.people.players import Player
from tests.table import MATCH, NOON, SEED, Table, ann, creation
from tests.workers.writing_desk import ANN, BO, WritingDesk, opened
from workers.drafting import WIDTH
from workers.letters import digests
from workers.letters.envelope import mail
from workers.letters.links import Links
from workers.letters.writing import letter, picture
from workers.letters.written import Written, written

CY = "p-cy00000000"
NAMES = {ANN: "Ann", BO: "Bo Ångström, Æ & Co", CY: "محمد"}


def every_letter(folder: Path) -> Iterator[tuple[str, EmailMessage, Written]]:
    """Its kind (or `turn of <game>`), the mail, and what it says."""
    yield from _of_one_match(folder)
    waiting = Table()
    waiting.does(creation(Hold(ANN), Invite(CY), House("random", "p-bot"), Open()))
    desk = WritingDesk(folder, waiting, names=NAMES)
    yield _mailed(desk, "invitation", CY)
    waiting.does(Fill(ann(), "east", House("random", "p-bot2")))
    yield _mailed(desk, "given-away", CY)
    for kind in ("turned-down", "aborted"):
        table = Table()
        table.does(creation(Hold(ANN), Invite(CY), House("random", "p-bot"), Open()))
        table.does(Leave(Actor(CY, "link") if kind == "turned-down" else ann()))
        yield _mailed(WritingDesk(folder, table, names=NAMES), kind, ANN)
    for game in sorted(GAMES):
        yield _turn(folder, game)


def _of_one_match(folder: Path) -> Iterator[tuple[str, EmailMessage, Written]]:
    desk = WritingDesk(folder, opened(), zone="Asia/Kathmandu", names=NAMES)
    for kind in ("turn", "reminder"):
        yield _mailed(desk, kind, ANN, "south")
    yield _mailed(desk, "unreachable", ANN, unreached=frozenset([BO]))
    yield _digest(desk)
    desk.table.does(Offer(Actor(BO, "link"), "pause", 86_400))
    yield _mailed(desk, "offer", ANN)
    for player in (ANN, "p-bot1", "p-bot2"):
        desk.table.does(Answer(Actor(player, "link"), 1, "accept"))
    yield _mailed(desk, "paused", ANN)
    desk.table.does(MakeUp(0), after=3 * 86_400_000)
    yield _mailed(desk, "paused", ANN)
    yield _mailed(desk, "taken-back", ANN)
    desk.table.does(Offer(ann()))
    desk.table.does(Answer(Actor(BO, "link"), 2, "decline"))
    yield _mailed(desk, "declined", ANN)
    desk.table.does(Resign(Actor(BO, "link")))
    yield _mailed(desk, "vacated", ANN)
    desk.table.does(Resign(ann()))
    yield _mailed(desk, "over", ANN)


def _turn(folder: Path, game: str) -> tuple[str, EmailMessage, Written]:
    """A turn of Ann's after a dozen actions, or the first one after that."""
    table = Table(SeedLot(SEED, MATCH))
    size = min(GAMES[game].sizes)
    bots = [House("random", f"p-bot{number}") for number in range(size - 2)]
    table.does(creation(Hold(ANN), Hold(BO), *bots, game=game))
    plies = 0
    while plies < 12 or table.live.chair(table.live.asks[0].seat).player != ANN:
        match = table.live
        table.plays(match.game.write(next(iter(match.game.legal(match.state, match.asks[0].seat)))))
        plies += 1
    _, message, said = _mailed(WritingDesk(folder, table, names=NAMES), "turn", ANN, table.live.asks[0].seat)
    return f"turn of {game}", message, said


def _mailed(desk: WritingDesk, kind: Kind, player: str, seat: str = "", **more: Any) -> tuple[str, EmailMessage, Written]:
    facts = desk.facts(kind, player, seat, **more)
    seen = facts.match.state is not None and bool(facts.seats)
    said = written(kind, letter(facts, Links(desk.tokens, desk.settings.url)), desk.addresses.picture_id(facts.notice) if seen else None)
    board = pictures.png(picture(facts), WIDTH) if seen else None
    return kind, mail(facts, _reader(player), said, board, desk.addresses, desk.keys.sign_head(MATCH, 1, bytes(32))), said


def _digest(desk: WritingDesk) -> tuple[str, EmailMessage, Written]:
    notice = Notice("digest", "", ANN, "", 0, 0, 0, again=1)
    facts = [desk.facts("turn", ANN, "south"), desk.facts("unreachable", ANN, unreached=frozenset([BO]))]
    message = digests.mail(notice, _reader(ANN), facts, desk.addresses, Links(desk.tokens, desk.settings.url), desk.table.now)
    parts: dict[str, Any] = {part.get_content_type(): part.get_payload(decode=True) for part in message.iter_parts()}
    return "digest", message, Written(str(message["Subject"]), parts["text/plain"].decode(), parts["text/html"].decode())


def _reader(player: str) -> Player:
    return Player(player, NAMES[player], "ann@example.org", confirmed=True, zone="UTC", created=NOON)


def wire(message: EmailMessage) -> bytes:
    """As it is handed to a mail server."""
    return message.as_bytes(policy=POLICY)
