"""What a request costs in trips to Redis, counted by Redis itself."""

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

from tests.servers import RedisServer
from tests.service.api.person import ALL_MINE, Person, answered


@pytest.fixture
def commands(api_redis: RedisServer) -> Iterator[Callable[[Callable[[], Any]], list[str]]]:
    """The names of the commands that Redis gets while something is done."""
    mouth = api_redis.client()

    def told(doing: Callable[[], Any]) -> list[str]:
        heard: list[str] = []
        mouth.ping()
        with api_redis.client() as ear, ear.monitor() as monitor:

            def listen() -> None:
                for said in monitor.listen():
                    if said["command"] == "ECHO over":
                        return
                    if said["client_type"] != "lua":
                        heard.append(said["command"].split()[0])

            listener = Thread(target=listen)
            listener.start()
            doing()
            mouth.echo("over")
            listener.join(10)
        return heard

    yield told
    mouth.close()


def test_the_usual_move_is_one_trip(ann: Person, commands: Callable[..., list[str]]):
    match = ann.plays(ann.creates(*ALL_MINE))
    seat = match["to_act"][0]["seat"]
    action = ann.may(match["id"], seat)[0]["action"]
    assert commands(lambda: answered(ann.submits(match, seat, action, key="one"), 201)) == ["EVALSHA"]


def test_so_is_a_move_in_words(ann: Person, commands: Callable[..., list[str]]):
    match = ann.plays(ann.creates(*ALL_MINE))
    seat = match["to_act"][0]["seat"]
    text = ann.may(match["id"], seat)[0]["text"]
    assert commands(lambda: answered(ann.submits(match, seat, text=text), 201)) == ["EVALSHA"]


def test_to_look_at_a_match_is_one_trip_known_or_not(ann: Person, commands: Callable[..., list[str]]):
    match = ann.plays(ann.creates(*ALL_MINE))["id"]
    etag = ann.get(f"/matches/{match}").headers["ETag"]
    assert commands(lambda: ann.get(f"/matches/{match}")) == ["XRANGE"]
    assert commands(lambda: ann.get(f"/matches/{match}", headers={"If-None-Match": etag})) == ["XRANGE"]


def test_the_catalogue_needs_no_redis(anybody: Person, commands: Callable[..., list[str]]):
    assert commands(lambda: (anybody.get("/games"), anybody.get("/games/fourfold"), anybody.asks("GET", "/.well-known/jwks.json"))) == []
