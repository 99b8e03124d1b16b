"""What stands behind each event, in words: every way in has some."""

from __future__ import annotations

from typing import get_args

from domain.match.codec import lines
from domain.match.commands import Actor, Join, Open, Submit
from domain.match.events import Via
from domain.match.evidence import SHOWN, Evidence, evidence
from domain.ports import Tip
from tests.table import MATCH, LoadedLot, Table, creation, four


def behind(table: Table) -> list[Evidence]:
    return [evidence(*both) for both in zip(lines(MATCH, Tip(), table.stored()), table.events, strict=True)]


def test_every_way_in_is_told():
    assert set(SHOWN) == set(get_args(Via))


def test_a_move_names_its_player_its_way_and_what_it_gave_to_the_lots():
    table = Table(LoadedLot([2]))
    table.does(creation(*four("ann", "bo", "cy"), Open()))
    table.does(Join(Actor("p-di", "link"), entropy="tea leaves"))
    match = table.live
    seat = match.asks[0].seat
    player = match.chair(seat).player or ""
    table.does(Submit(Actor(player, "api"), seat, match.ply, (next(iter(match.game.legal(match.state, seat))),), "my word"))
    told = behind(table)
    joined = next(one for one in told if one.given == "tea leaves")
    assert (joined.kind, joined.player) == ("seat.taken.1", "p-di")
    assert joined.shown.startswith("a link from a mail to the player")
    moved = next(one for one in told if one.given == "my word")
    assert (moved.kind, moved.player, moved.shown) == ("action.taken.1", player, "an API token of the player's")
    assert moved.prev == told[moved.version - 2].hash


def test_lots_and_consequences_are_nobodys():
    table = Table(LoadedLot([2]))
    table.does(creation(*four("ann", "bo", "cy", "di")))
    told = {one.kind: one for one in behind(table)}
    assert told["chance.drawn.1"].shown.startswith("the lots: the seed")
    assert (told["match.started.1"].shown, told["match.started.1"].player) == ("the server, as a consequence of the event before", "")
