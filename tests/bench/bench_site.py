"""The whole site, started as a user starts it: readiness, deadlines, memory of a finished match, moves over HTTP."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep
from typing import Any

from domain.match.commands import Actor, CreateMatch, Hold
from domain.match.match import Match
from infra.ids import new_match_id, new_player_id
from infra.wiring import Site
from tests.bench.bench_log import SMALL, begin, play
from tests.bench.measure import Measure, at_most, middle
from tests.end_to_end.house import House, until

FINISHED = 60  # matches whose memory is weighed
TIMED = 40  # matches whose deadline is watched
CONNECTIONS = 4
DURATION = 4.0  # seconds of each kind of request


def measures() -> Iterator[Measure]:
    """On the server that `forgepost run` chooses."""
    with tempfile.TemporaryDirectory() as data, House(Path(data)) as house, house.site() as here:
        yield at_most("ready after", house.started, 15, "s", 1)
        yield weight(here)
        yield from punctuality(here)
        yield from over_http(house)


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


def over_http(house: House) -> Iterator[Measure]:
    """Whole moves over HTTP against an endpoint that does nothing, with as many connections."""
    player, token = house.tell("player", "add", "Ann", "ann@example.org", "--token").split()
    bare, wait = _rate(house, lambda _number: _ask_nothing)
    moves, answer = _rate(house, lambda number: _Moves(player, token, number).move)
    yield Measure("an endpoint that does nothing", f"{bare:,.0f} /s", f"middle {wait * 1000:.1f} ms")
    yield Measure("whole moves over HTTP, with a token and on disk", f"{moves:,.0f} /s", f"middle {answer * 1000:.1f} ms")
    yield Measure("requests that do nothing for one whole move", f"{bare / moves:.1f}")


Work = Callable[[HTTPConnection], bool]


def _rate(house: House, worker: Callable[[int], Work]) -> tuple[float, float]:
    """Counted requests a second over all connections, and their middle time."""
    times: list[float] = []

    def work(number: int) -> None:
        request = worker(number)
        with closing(HTTPConnection("127.0.0.1", house.port)) as connection:
            end = monotonic() + DURATION
            while (start := monotonic()) < end:
                if request(connection):
                    times.append(monotonic() - start)

    threads = [Thread(target=work, args=(number,)) for number in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(times) / DURATION, middle(times)


def _ask_nothing(connection: HTTPConnection) -> bool:
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200
    return True


class _Moves:
    """Plays one match after the other, by lot, with all four seats; only moves are counted."""

    def __init__(self, player: str, token: str, number: int) -> None:
        self._player, self._token, self._chance = player, token, Random(number)
        self._match: dict[str, Any] = {"status": "over"}

    def move(self, connection: HTTPConnection) -> bool:
        if self._match["status"] != "live":
            body = {"game": "fourfold", "settings": {"undo_seconds": 0}, "seats": [{"player": "me"}] * 4}
            self._match = self._post(connection, "/api/v1/matches", body)
            self._match = self._match.get("match", self._match)
            return False
        due = self._match["view"]["due"]
        cell = self._chance.choice(due["cells"])
        action = {"type": "deploy", "at": cell} if due["kind"] == "deploy" else {"type": "advance", "runner": due["runner"], "to": cell}
        body = {"seat": due["seat"], "ply": self._match["ply"], "actions": [action]}
        self._match = self._post(connection, f"/api/v1/matches/{self._match['id']}/submissions", body)["match"]
        return True

    def _post(self, connection: HTTPConnection, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        raw = answer.read()
        assert answer.status == 201, raw
        said: dict[str, Any] = json.loads(raw)
        return said
