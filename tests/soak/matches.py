"""Random matches of every game with mixed options, each verified from its export; time runs as the players want it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec

from domain.chain import SeedLot
from domain.desk import Desk
from domain.games import GAMES
from domain.match.match import fold
from domain.proof.export import export
from domain.proof.verify import verify
from infra.ids import match_id_for
from infra.redis_log.log import RedisLog
from tests.games.walks import some_options
from tests.people import People, Watch
from tests.servers import BINARIES, RedisServer

PARTITIONS = 16
ANY_TIME = 10**15  # ms; the matches live by a clock of their own, and Redis does not mind


def run(count: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """So many matches on the servers that there are, in turns; how they ended, by game. Fails at the first that does not hold."""
    ended = Counter[str]()
    for number, binary in enumerate(BINARIES):
        with tempfile.TemporaryDirectory() as data:
            server = RedisServer(binary, Path(data))
            try:
                with closing(server.client()) as client:
                    desk_log = RedisLog(client, PARTITIONS, skew_ms=ANY_TIME)
                    for at in range(number, count, len(BINARIES)):
                        ended[_one(desk_log, seed + at)] += 1
                        if ended.total() % 500 == 0:
                            say(f"{ended.total()} matches hold")
            finally:
                server.kill()
    return ended


def _one(log: RedisLog, seed: int) -> str:
    chance, watch = Random(seed), Watch()
    desk = Desk(log, lambda match: SeedLot(seed.to_bytes(32), match), watch)
    game = GAMES[chance.choice(sorted(GAMES))]
    name = match_id_for(PARTITIONS, "soak", str(seed))
    seats = game.seats[: chance.choice(game.sizes)]
    options = msgspec.to_builtins(some_options(game, seats, chance))
    people = People(desk, watch, chance, lively=chance.choice([0.0, 0.05, 0.3]))
    match = people.play(name, game.id, options, seats=len(seats), most=chance.choice([20, 200, 5_000]))
    assert fold(name, log.read(name)) == match, f"seed {seed}: what is remembered is not what is stored"
    report = verify(b"".join(export(match, desk.history(name), "https://turns.example.org", [])))
    assert not report.flaws, f"seed {seed}: {report.words}"
    return f"{game.id}: {match.outcome['reason'] if match.outcome else match.status}"
