"""Before the start, too, the referee lets through only what its host may do: give empty seats to house bots, and call the match off."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from domain.chain import SeedLot
from domain.match.commands import CallOff, Command, Fill, House, Invite
from domain.referee import Astray, Referee
from tests.table import MATCH, SEED, Table, ann, creation, four


@dataclass
class Told:
    """A history that ends with this command, and where its event stands."""

    table: Table
    at: int


def told(command: Command, after: int) -> Told:
    table = Table(SeedLot(SEED, MATCH))
    table.does(creation(*four("ann", "cy"), Invite("p-bo"), Invite("p-di")))
    at = len(table.events)
    table.does(command, after)
    return Told(table, at)


COMMANDS = [Fill(ann(), "south", House("random", "p-bot1")), CallOff(ann())]


@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("after", [0, 60_000])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_host_decided_holds(command: Command, after: int, opened: bool):
    told_so = told(command, after)
    referee = Referee(MATCH, told_so.table.events, SeedLot(SEED, MATCH) if opened else None)
    referee.follow()
    assert referee.match == told_so.table.match


@pytest.mark.parametrize("command", COMMANDS)
def test_the_same_by_somebody_else_is_found(command: Command):
    told_so = told(command, 60_000)
    event = told_so.table.events[told_so.at]
    told_so.table.events[told_so.at] = replace(event, by=replace(event.by, player="p-cy"))
    with pytest.raises(Astray, match="only whoever opened the match decides"):
        Referee(MATCH, told_so.table.events, SeedLot(SEED, MATCH)).follow()
