"""A clock of two seconds: never early, by the workers before the clock loses its patience with them, and also while those are dead."""

import os
import signal
from collections.abc import Iterator
from time import sleep

import psutil
import pytest

from domain.chain import canonical
from domain.desk import Sight
from domain.match.commands import Actor, CreateMatch, Hold
from domain.ports import LogUnavailable
from infra.ids import new_match_id, new_player_id
from infra.wiring import Site
from tests.end_to_end.house import House, until
from workers.clock import PATIENCE

SECONDS = 2


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("deadlines")) as house:
        yield house


@pytest.fixture(scope="module")
def site(house: House) -> Iterator[Site]:
    with house.site() as site:
        yield site


def begin(site: Site) -> Sight:
    """A match of four players of whom nobody ever plays."""
    players = [new_player_id() for _ in range(4)]
    settings = {"clock": {"kind": "per-turn", "seconds": SECONDS}}
    command = CreateMatch(Actor(players[0], "api"), "fourfold", {}, settings, tuple(map(Hold, players)))
    return site.desk.do(new_match_id(site.settings.partitions), command).sight


def lateness(site: Site, sight: Sight) -> int:
    """How long (ms) after its deadline the first seat was vacated, by the times in the log."""
    ask = sight.match.asks[0]
    until(lambda: _seen(site, sight).match.vacated)
    vacated = next(line for line in site.desk.history(sight.match.id) if line.type == "seat.vacated")
    assert f'"seat":"{ask.seat}"' in canonical(vacated.data).decode()
    at = next(match for match in _moments(site, sight.match.id) if match > ask.due)
    return at - ask.due


def _seen(site: Site, sight: Sight) -> Sight:
    try:
        return site.desk.look(sight.match.id)
    except LogUnavailable:  # Redis was killed and is not back yet
        return sight


def _moments(site: Site, match: str) -> list[int]:
    last = site.desk.look(match).match.version
    return [site.desk.look_back(match, version).match.at for version in range(1, last + 1)]


def test_a_deadline_is_enforced_not_early_and_before_the_clock_loses_its_patience(site: Site):
    late = list[int]()

    def in_time() -> bool:
        late.extend([lateness(site, sight) for sight in [begin(site) for _ in range(10)]])
        return min(late) < PATIENCE  # or it was the clock itself, as where the machine stood still; how late they are is measured by `make bench`

    until(in_time)
    assert min(late) > 0


def test_a_deadline_is_not_enforced_early_whoever_asks(site: Site):
    sight = begin(site)
    ask = sight.match.asks[0]
    while (seen := site.desk.look(sight.match.id).match).vacated == ():
        sleep(0.05)
    assert seen.at > ask.due
    assert site.clock() > ask.due
    assert lateness(site, sight) > 0


def test_the_others_play_on_against_their_own_clocks_until_one_is_left(site: Site):
    sight = begin(site)
    over = until(lambda: (now := site.desk.look(sight.match.id).match).status == "over" and now)
    assert len(over.vacated) == 3
    assert over.outcome["reason"] == "timeout"


@pytest.mark.parametrize("victim", ["worker deadlines", "clock", "redis-server", "queues"])
def test_a_deadline_is_enforced_by_whoever_comes_after_those_who_were_killed(house: House, site: Site, victim: str):
    sight = begin(site)
    sleep(SECONDS - 0.3)
    house.kill(victim)
    assert lateness(site, sight) > 0


def test_while_the_workers_hang_the_clock_enforces_deadlines_itself(house: House, site: Site):
    worker: psutil.Process = until(lambda: house.find("worker deadlines"))
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        late = lateness(site, begin(site))
    finally:
        os.kill(worker.pid, signal.SIGCONT)
    assert late > PATIENCE - 1_000
