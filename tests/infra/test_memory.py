"""What a finished match costs: at most 30 KiB of Redis memory, everything included, and less where nobody sends idempotency keys."""

from __future__ import annotations

from random import Random
from uuid import UUID

import pytest
from redis import Redis

from domain.chain import SeedLot
from domain.desk import Desk
from domain.match.commands import Actor, CreateMatch, Hold, House, Place, Resign, Submit
from domain.match.events import Via
from domain.ports import Key
from infra.clock import now
from infra.ids import bot_player_id, match_id_for, new_player_id
from infra.listing import Listing, row
from infra.redis_log.feed import Feed
from infra.redis_log.log import RedisLog
from tests.infra.batches import STILL

MATCHES = 24


class Evening:
    """Matches of Fourfold against house bots, by links, or by a client of the API that names every request.

    All in one partition: what a partition costs once is no match's cost.
    """

    def __init__(self, redis: Redis, via: Via) -> None:
        self.redis, self.via, self.chance = redis, via, Random(7)
        self.desk = Desk(RedisLog(redis, 1, STILL), lambda match: SeedLot(bytes(32), match), now)
        self.feed, self.listing = Feed(redis, 1), Listing(redis)
        self.feed.ensure("notices")

    def play(self) -> int:
        """One match to its end, by resignation after some sixty actions; how many they were."""
        match, ann = match_id_for(1, "evening", str(self.chance.random())), new_player_id()
        players = [ann, *(bot_player_id(match, seat) for seat in (1, 2, 3))]
        places: tuple[Place, ...] = (Hold(ann), *(House("random", bot) for bot in players[1:]))
        live = self.desk.do(match, CreateMatch(Actor(ann, "web"), "fourfold", {}, {}, places), Key(ann, "0123456789abcdef", "a form")).sight.match
        while live.status == "live" and live.ply < 53:
            seat = live.asks[0].seat
            player = live.chair(seat).player or ""
            action = self.chance.choice(list(live.game.legal(live.state, seat)))
            live = self.desk.do(match, Submit(Actor(player, self.via), seat, live.ply, (action,)), self._key(match, player)).sight.match
        actions = live.ply
        for player in players[:3]:
            if live.status == "live":
                live = self.desk.do(match, Resign(Actor(player, "link"))).sight.match
        assert live.status == "over"
        self.listing.record(row(live))
        return actions

    def finish_reading(self) -> None:
        """As the relay does it."""
        while entries := self.feed.read("notices", "me", 0, 1000):
            self.feed.ack("notices", entries)
        self.feed.trim(["notices"])

    def _key(self, match: str, player: str) -> Key | None:
        return Key(player, f"{match}:{UUID(int=self.chance.getrandbits(128))}", "this request") if self.via == "api" else None


@pytest.mark.parametrize(("via", "most"), [("link", 25), ("api", 30)])
def test_a_finished_match_of_60_actions_costs_at_most_30_kib(redis: Redis, via: Via, most: int):
    evening = Evening(redis, via)
    evening.play()
    evening.finish_reading()
    before = redis.info()["used_memory"]
    actions = sum(evening.play() for _ in range(MATCHES)) / MATCHES
    evening.finish_reading()
    cost = (redis.info()["used_memory"] - before) / MATCHES
    assert actions >= 60
    assert cost <= most * 1024
