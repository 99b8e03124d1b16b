"""Deadlines by the clock that the site goes by, with time standing still and moved by hand."""

from collections.abc import Iterator

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from domain.chain import SeedLot
from domain.desk import Desk
from domain.match.commands import Actor, Submit, TimeOut
from domain.match.events import SeatVacated
from domain.match.refusal import Refused
from infra.clock import now
from tests.memory_log import MemoryLog
from tests.table import MATCH, SEED, creation, four

SUMMER_ENDS = "2026-10-25T00:30:00Z"  # in Europe the clocks are put back half an hour later
DAY = {"kind": "per-turn", "seconds": 86_400}


@pytest.fixture
def time() -> Iterator[FrozenDateTimeFactory]:
    with freeze_time(SUMMER_ENDS) as frozen:
        assert not isinstance(frozen, type)
        yield frozen  # type: ignore[misc]  # of the kinds of frozen time this is the one that can be moved


@pytest.fixture
def desk(time: FrozenDateTimeFactory) -> Desk:
    made = Desk(MemoryLog(), lambda match: SeedLot(SEED, match), now)
    made.do(MATCH, creation(*four("ann", "bo", "cy", "di"), clock=DAY))
    return made


def test_a_day_is_a_day_also_when_the_clocks_are_put_back(desk: Desk):
    assert desk.look(MATCH).match.due == now() + 86_400_000


def test_in_the_last_millisecond_a_move_counts_and_nobody_is_timed_out(desk: Desk, time: FrozenDateTimeFactory):
    time.tick(86_400)
    with pytest.raises(Refused, match="no seat's time has run out"):
        desk.do(MATCH, TimeOut())
    match = desk.look(MATCH).match
    seat = match.asks[0].seat
    action = next(match.game.legal(match.state, seat))
    assert desk.do(MATCH, Submit(Actor(match.chair(seat).player or "", "api"), seat, 0, (action,))).sight.match.ply >= 1


def test_a_moment_later_the_move_is_late_and_the_seat_is_vacated(desk: Desk, time: FrozenDateTimeFactory):
    match = desk.look(MATCH).match
    seat = match.asks[0].seat
    time.tick(86_400.002)  # frozen time is a float, and so not exact to the millisecond
    action = next(match.game.legal(match.state, seat))
    with pytest.raises(Refused, match=r"the time for this turn ran out at 2026-10-26T00:30:00\.000Z"):
        desk.do(MATCH, Submit(Actor(match.chair(seat).player or "", "api"), seat, 0, (action,)))
    desk.do(MATCH, TimeOut())
    assert SeatVacated(seat, "timeout") in [event.fact for event in desk.events(desk.look(MATCH).match)]
