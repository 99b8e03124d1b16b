"""Matches as the tests of keeping play them, and a site that is put together anew as a process that starts does."""

from __future__ import annotations

from threading import Event as Signal
from typing import Any

from domain.desk import Sight
from domain.match.commands import Actor, Resign
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
