"""Matches as the tests of keeping play them, and a site that is put together anew as a process that starts does."""

from __future__ import annotations

from threading import Event as Signal
from typing import Any

from domain.desk import Sight
from domain.match.commands import Actor, Resign
from infra.redis_log import keys
from infra.wiring import Site, site
from tests.workers.office import Office
from workers.relay import ListingRelay, WitnessRelay


def match(office: Office, **settings: Any) -> str:
    """A live match of four people."""
    return office.match("Ann", "Ben", "Cid", "Dot", **settings).match.id


def play(office: Office, name: str, actions: int = 1) -> Sight:
    """So many actions."""
    for _ in range(actions):
        sight = office.play(name, office.site.desk.look(name).match.asks[0])
    return sight


def finish(office: Office, name: str) -> Sight:
    """To its end: all but one resign."""
    for chair in office.site.desk.look(name).match.chairs[1:]:
        if office.site.desk.look(name).match.status == "live":
            office.site.desk.do(name, Resign(Actor(chair.player or "", "web")))
    sight = office.site.desk.look(name)
    assert sight.match.status == "over"
    return sight


def anew(office: Office) -> Site:
    """The same site, in a process that remembers nothing."""
    return site(office.settings)


def follow(office: Office) -> None:
    """Witness and listing catch up."""
    for relay in (WitnessRelay(office.site), ListingRelay(office.site)):
        relay.read(Signal())


def cut(office: Office, name: str, events: int) -> None:
    """As a replica that lags leaves a match when it becomes master: whole, and older."""
    redis = office.site.redis
    version = office.site.desk.look(name).tip.version - events
    earlier = office.site.desk.look_back(name, version)
    for gone in range(version + 1, version + events + 1):
        redis.xdel(keys.events(name), f"{gone}-0")
    redis.execute_command("XSETID", keys.events(name), f"{version}-0")
    redis.hset(keys.head(name), mapping={"v": version, "h": earlier.tip.hash.hex(), "due": earlier.match.due or 0})
