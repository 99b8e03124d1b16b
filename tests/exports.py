"""Exports for tests: real ones of matches that random people played, and what somebody could make of them."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, TypeAlias

from domain.chain import SeedLot, canonical, link
from domain.desk import Desk
from domain.games import GAMES
from domain.match.commands import Actor, Answer, CreateMatch, Hold, Offer, Submit
from domain.proof.export import Signer, export
from domain.proof.verify import verify
from tests.memory_log import MemoryLog
from tests.people import People, Watch

Lines: TypeAlias = list[dict[str, Any]]

SEED = bytes(range(32))
ZEROS = "0" * 64


def played(name: str, seed: int, most: int = 2_000, lively: float = 0.1, **settings: Any) -> bytes:
    """The export of a match that random people played at a real desk."""
    watch = Watch()
    desk = Desk(MemoryLog(), lambda match: SeedLot(SEED, match), watch)
    match = People(desk, watch, Random(seed), lively).play(name, most=most, **settings)
    return b"".join(export(match, desk.history(name), "https://turns.example.org", []))


def agreed(game: str, signer: Signer | None = None, keys: tuple[dict[str, Any], ...] = ()) -> bytes:
    """The export of a short match: a few actions, then everybody agrees to end it."""
    watch, rules, name = Watch(), GAMES[game], "07-0000000009"
    desk = Desk(MemoryLog(), lambda match: SeedLot(SEED, match), watch)
    people = [f"p-{number}" for number in range(rules.sizes[0])]
    desk.do(name, CreateMatch(Actor("p-0", "web"), game, {}, {}, tuple(map(Hold, people)), entropy="naïve “dice”"))
    for _ in range(2):
        match = desk.look(name).match
        ask = match.asks[0]
        watch.now += 1_000
        action = next(rules.legal(match.state, ask.seat))
        desk.do(name, Submit(Actor(match.chair(ask.seat).player or "", "link"), ask.seat, match.ply, (action,)))
    desk.do(name, Offer(Actor("p-0", "reply")))
    for player in people[1:]:
        desk.do(name, Answer(Actor(player, "api"), 1, "accept"))
    return b"".join(export(desk.look(name).match, desk.history(name), "https://turns.example.org", keys, signer))


@cache
def whole() -> bytes:
    """A match of people who only play, to its end: seats by lot, forced actions made by the server."""
    return played("07-0000000001", 1, lively=0, seating="random", auto_forced=True)


def opened(raw: bytes) -> Lines:
    return [json.loads(line) for line in raw.splitlines()]


def closed(lines: Lines) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def forged(lines: Lines) -> bytes:
    """As a dishonest server would write it: with versions, chain and trailer to match."""
    prev = bytes(32)
    for version, line in enumerate(lines[1:-1], start=1):
        body = canonical({name: line[name] for name in ("at", "by", "data", "ply")})
        made = link(prev, line["match"], f"{line['type']}.{line['schema']}", body)
        line.update(version=version, prev=prev.hex(), hash=made.hex())
        prev = made
    lines[-1].update(version=len(lines) - 2, hash=prev.hex())
    return headed(lines)


def headed(lines: Lines) -> bytes:
    """With the trailer that belongs to the header."""
    lines[-1].update(header=sha256(canonical(lines[0])).hexdigest())
    return closed(lines)


def first(lines: Lines, of: str, **data: Any) -> int:
    """The index of the first event of a type with these values in its data."""
    return next(at for at, line in enumerate(lines) if line.get("type") == of and data.items() <= line["data"].items())


def found(raw: bytes) -> tuple[str, str]:
    """The check that fails first, and its words."""
    report = verify(raw)
    assert report.flaws
    assert report.holds == ()
    assert "does NOT hold" in report.words
    return report.flaws[0].check, report.flaws[0].words
