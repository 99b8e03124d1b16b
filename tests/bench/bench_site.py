"""The whole site, started as a user starts it: readiness, deadlines, memory of a finished match."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from time import sleep

from domain.match.commands import Actor, CreateMatch, Hold
from domain.match.match import Match
from infra.ids import new_match_id, new_player_id
from infra.wiring import Site
from tests.bench.bench_log import SMALL, begin, play
from tests.bench.measure import Measure, at_most
from tests.end_to_end.house import House, until

FINISHED = 60  # matches whose memory is weighed
TIMED = 40  # matches whose deadline is watched


def measures() -> Iterator[Measure]:
    """On the server that `forgepost run` chooses."""
    with tempfile.TemporaryDirectory() as data, House(Path(data)) as house, house.site() as here:
        yield at_most("ready after", house.started, 15, "s", 1)
        yield weight(here)
        yield from punctuality(here)


def weight(here: Site) -> Measure:
    """Redis memory of a finished match, with its notices, its row in the list, idempotency keys and its share of the feed."""
    before = _stored(here)
    plies = []
    for number in range(FINISHED):
        match = play(here, begin(here, SMALL), Random(number), 10_000)
        assert match.status == "over"
        plies.append(match.ply)
    until(lambda: here.outbox.waiting() == 0, 120, 0.2)
    sleep(11)  # the clock's next round of tidying up trims the feed
    each = (_stored(here) - before) / FINISHED / 1024
    mean = sum(plies) / FINISHED
    return at_most(f"memory of a finished match of {mean:.0f} actions, for 60 of them", each * 60 / mean, 30, "KiB", 1)


def _stored(here: Site) -> int:
    """Bytes of all keys with their values, by Redis's own count."""
    with here.redis.pipeline(transaction=False) as pipe:
        for key in here.redis.scan_iter(count=1000):
            pipe.memory_usage(key, samples=0)
        return sum(each or 0 for each in pipe.execute())


def punctuality(here: Site) -> Iterator[Measure]:
    """How late deadlines are enforced, by the times in the log."""
    begun: list[Match] = []
    for _ in range(TIMED):
        players = [new_player_id() for _ in range(4)]
        settings = {"clock": {"kind": "per-turn", "seconds": 2}}
        command = CreateMatch(Actor(players[0], "api"), "fourfold", {}, settings, tuple(map(Hold, players)))
        begun.append(here.desk.do(new_match_id(here.settings.partitions), command).sight.match)
        sleep(0.05)
    late = []
    for match in begun:
        until(partial(_vacated, here, match), 30)
        first = next(line for line in here.desk.history(match.id) if line.type == "seat.vacated")
        late.append(here.desk.look_back(match.id, first.version).match.at - match.asks[0].due)
    yield Measure("earliest enforcement of a deadline, after it", f"{min(late)} ms", "more than 0", met=min(late) > 0)
    yield at_most("latest enforcement of a deadline, after it", max(late), 300, "ms")


def _vacated(here: Site, match: Match) -> bool:
    return bool(here.desk.look(match.id).match.vacated)
