"""The event log on a real Redis: round trips of a move, the price of a long match, memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from redis import Redis
from redis.client import Monitor

from domain.desk import Answer, Desk
from domain.games.fourfold import GAME
from domain.match.commands import Actor, CreateMatch, Hold, Submit
from domain.match.match import Match
from domain.ports import Key
from infra.clock import now
from infra.ids import new_match_id, new_player_id
from infra.seals.lot import lots
from infra.settings import Settings
from infra.wiring import Site, site
from tests.bench.measure import Measure, at_most, middle
from tests.servers import BINARIES, RedisServer, name_of

LONG = {"goals_to_win": 10}
EARLY, LATE = range(8, 13), range(460, 520)
TRIED = 400  # matches; about one in ten gets as far as ply 460
WANTED = 40  # moves timed of each kind
SMALL = {"goals_to_win": 2, "max_runners": 10}  # a match of about sixty actions


def measures() -> Iterator[Measure]:
    """On every server there is."""
    for binary in BINARIES:
        with tempfile.TemporaryDirectory() as data, served(binary, Path(data)) as here:
            name = f"Redis {name_of(binary)}"
            yield at_most(f"{name}: commands of a usual move", trips(here), 1)
            yield at_most(f"{name}: move 500 costs, move 10 being 1", price_of_length(here), 1.2, digits=2)
            yield Measure(f"{name}: reading and folding a match of 500 plies anew", f"{reading(here) * 1000:.1f} ms")


@contextmanager
def served(binary: str, data: Path) -> Iterator[Site]:
    """A site on a server of its own."""
    server = RedisServer(binary, data)
    here = site(Settings.development(data, redis_port=server.port))
    try:
        with closing(here.redis), closing(here.rq_redis):
            yield here
    finally:
        server.kill()


def begin(here: Site, options: dict[str, Any]) -> Match:
    """A match of four players."""
    players = [new_player_id() for _ in range(4)]
    command = CreateMatch(Actor(players[0], "api"), GAME.id, options, {"undo_seconds": 0}, tuple(map(Hold, players)))
    return here.desk.do(new_match_id(here.settings.partitions), command).sight.match


def move(here: Site, match: Match, chance: Random, desk: Desk | None = None) -> Answer:
    """Whoever is asked plays by lot, with an idempotency key as every way in uses one."""
    ask = match.asks[0]
    player = match.chair(ask.seat).player or ""
    action = chance.choice(list(match.game.legal(match.state, ask.seat)))
    return (desk or here.desk).do(match.id, Submit(Actor(player, "api"), ask.seat, match.ply, (action,)), Key(player, f"k-{match.ply}", "f"))


def play(here: Site, match: Match, chance: Random, plies: int) -> Match:
    """Up to a ply, or to the end."""
    while match.status == "live" and match.ply < plies:
        match = move(here, match, chance).sight.match
    return match


def trips(here: Site) -> int:
    """The most commands that Redis saw for one move of ten."""
    chance = Random(1)
    match = play(here, begin(here, {}), chance, 10)
    most, url = 0, here.settings.events_redis_url
    with closing(Redis.from_url(url)) as watcher, closing(Redis.from_url(url)) as marker:
        marker.ping()
        with watcher.monitor() as monitor:
            for _ in range(10):
                match = move(here, match, chance).sight.match
                marker.execute_command("ECHO", f"mark-{match.ply}")
                most = max(most, _until(monitor, f"ECHO mark-{match.ply}"))
    return most


def _until(monitor: Monitor, mark: str) -> int:
    """How many commands came before the mark; what a script does inside is no trip."""
    count = 0
    while (said := monitor.next_command())["command"] != mark:
        count += said["client_type"] != "lua"
    return count


def price_of_length(here: Site) -> float:
    """The middle time of moves around ply 500 against that of moves around ply 10; only moves of one event, taken in turns."""
    early: list[float] = []
    late: list[float] = []
    for number in range(TRIED):
        chance = Random(number)
        long = play(here, begin(here, LONG), chance, LATE.start)
        while long.ply in LATE and long.status == "live":
            long = _timed(here, long, chance, late)
            short = play(here, begin(here, LONG), chance, EARLY.start)
            while short.ply in EARLY and len(early) < len(late):
                short = _timed(here, short, chance, early)
        if len(late) >= WANTED:
            return middle(late) / middle(early)
    raise AssertionError(f"only {len(late)} moves around ply 500 in {TRIED} matches")


def _timed(here: Site, match: Match, chance: Random, times: list[float]) -> Match:
    start = perf_counter()
    answer = move(here, match, chance)
    if len(answer.lines) == 1:
        times.append(perf_counter() - start)
    return answer.sight.match


def reading(here: Site) -> float:
    """Seconds until a process that has never seen the match can decide."""
    long = (play(here, begin(here, LONG), Random(number), 500) for number in range(TRIED))
    match = next(match for match in long if match.ply >= 500)
    times = []
    for _ in range(20):
        desk = Desk(here.log, lots(here.keys), now)
        start = perf_counter()
        desk.look(match.id)
        times.append(perf_counter() - start)
    return middle(times)
