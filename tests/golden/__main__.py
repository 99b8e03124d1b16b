"""`python -m tests.golden` writes the golden exports anew: only for a format that was never released; a later one adds files beside them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from domain.chain import SeedLot
from domain.desk import Desk
from domain.games import GAMES
from domain.match.commands import Actor, Answer, CallOff, CreateMatch, Hold, MakeUp, Offer, Open, Submit
from domain.proof.export import export
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.domain.proof.test_moves import MATCH, Signers
from tests.infra.seals.test_heads import KEYS, PUBLIC
from tests.memory_log import MemoryLog
from tests.people import People, Watch

HERE = Path(__file__).parent
SERVER = "https://turns.example.org"
SHORT: dict[str, dict[str, Any]] = {
    "four-forges": {"mining": True, "trading": True, "max_rounds": 3},
    "fourfold": {"goals_to_win": 1, "max_runners": 5},
    "steinnheimr": {"items_to_end": 2},
}
TRIED = 400  # lively matches a game, of which those are kept that bring something new


def main() -> None:
    """Write every file, and the heads of all."""
    heads = []
    for name, raw in made():
        report = verify(raw, signed, PUBLIC)
        assert not report.flaws, (name, report.words)
        (HERE / f"{name}.ndjson.gz").write_bytes(gzip.compress(raw, mtime=0))
        heads.append(f"{name} {report.version}:{report.hash}\n")
        print(f"{name}: {report.words}")  # noqa: T201 - it reports to a terminal
    (HERE / "heads.txt").write_text("".join(heads))


def made() -> Iterator[tuple[str, bytes]]:
    """For each game a match that was played to its end, one of signed moves, and a few in which people did what nobody had done before."""
    seen: set[str] = set()
    for game in sorted(GAMES):
        yield f"{game}-whole", written(people(1, lively=0), "07-0000000001", game)
        yield f"{game}-signed", of_signed_moves(game)
        for seed in range(TRIED):
            raw = written(people(seed, lively=0.35), f"03-{seed:010d}", game, most=120)
            new = happened(raw) - seen
            if new and b'"seed.revealed"' in raw and len(raw) < 60_000:
                seen |= new
                yield f"{game}-lively-{seed}", raw
    yield "fourfold-called-off", called_off()
    yield "fourfold-away", away()


def people(seed: int, lively: float) -> People:
    watch = Watch()
    return People(Desk(MemoryLog(), lambda match: SeedLot(bytes(range(32)), match), watch), watch, Random(seed), lively)


def written(players: People, name: str, game: str, most: int = 2_000) -> bytes:
    players.play(name, game, SHORT.get(game), most=most)
    return exported(players.desk, name)


def exported(desk: Desk, name: str) -> bytes:
    return b"".join(export(desk.look(name).match, desk.history(name), SERVER, PUBLIC, KEYS))


def of_signed_moves(game: str) -> bytes:
    signers = Signers(game, SHORT.get(game))
    for number in range(14):
        if signers.desk.look(MATCH).match.status == "live":
            signers.plays(nonce="salt" if number % 3 else None)
    if signers.desk.look(MATCH).match.status == "live":
        signers.desk.do(MATCH, Offer(Actor("p-0", "api")))
        for player in sorted({chair.player or "" for chair in signers.desk.look(MATCH).match.chairs} - {"p-0"}):
            signers.desk.do(MATCH, Answer(Actor(player, "api"), 1, "accept"))
    return exported(signers.desk, MATCH)


def called_off() -> bytes:
    watch, name = Watch(), "07-0000000005"
    desk = Desk(MemoryLog(), lambda match: SeedLot(bytes(range(32)), match), watch)
    desk.do(name, CreateMatch(Actor("p-0", "web"), "fourfold", {}, {}, (Hold("p-0"), Open(), Open(), Open())))
    desk.do(name, CallOff(Actor("p-0", "web")))
    return exported(desk, name)


def away() -> bytes:
    """The site is away for ten hours, and for a day while an offer is on the table."""
    watch, name = Watch(), "07-0000000006"
    desk = Desk(MemoryLog(), lambda match: SeedLot(bytes(range(32)), match), watch)
    ann, bo = Actor("p-0", "web"), Actor("p-1", "reply")
    desk.do(name, CreateMatch(ann, "fourfold", {}, {"seating": "joined"}, (Hold("p-0"), Hold("p-1"), Hold("p-2"), Hold("p-3")), entropy="tea"))
    for hours in (10, 24):
        match = desk.look(name).match
        (ask,) = match.asks
        action = next(iter(match.game.legal(match.state, ask.seat)))
        desk.do(name, Submit(Actor(match.chair(ask.seat).player or "", "link"), ask.seat, match.ply, (action,)))
        if hours == 24:
            desk.do(name, Offer(ann))
        watch.now += hours * 3_600_000
        desk.do(name, MakeUp(watch.now - hours * 3_600_000))
    for actor in (bo, Actor("p-2", "api"), Actor("p-3", "link")):
        desk.do(name, Answer(actor, 1, "accept"))
    return exported(desk, name)


def happened(raw: bytes) -> set[str]:
    """The types of events, and what kinds and ways there are of each."""
    found = set()
    for line in raw.splitlines()[1:-1]:
        event = json.loads(line)
        data = event["data"]
        found.add(f"{event['type']} {data.get('kind', '')} {data.get('reason', '')} {data.get('timeout', '')} {event['by']['kind']}")
    return found


if __name__ == "__main__":
    main()
