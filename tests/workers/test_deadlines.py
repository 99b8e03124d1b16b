"""Deadlines: no seat is out early, none is out late, and any number of copies do no harm."""

from __future__ import annotations

from time import sleep

import pytest

from domain.chain import instant
from domain.match.codec import Line
from domain.match.events import ClockChanged
from domain.match.match import Match
from infra.keeping import absence
from infra.redis_log import keys
from tests.people import Watch
from tests.workers.office import Office, until
from workers import deadlines
from workers.clock import PATIENCE, STUCK, Sweep
from workers.jobs import Jobs

SECOND = {"kind": "per-turn", "seconds": 1}
HOUR = {"kind": "per-turn", "seconds": 3600}
HOURS = 3_600_000  # ms


def left(office: Office, match: str) -> list[Line]:
    """The events by which seats were vacated."""
    return [line for line in office.site.desk.history(match) if line.type == "seat.vacated"]


def partition(match: str) -> int:
    return int(match[:2])


def test_a_seat_is_out_after_its_deadline_and_not_before(office: Office):
    match = office.match("ann", "bo", "cy", "di", clock=HOUR).match
    (ask,) = match.asks
    for site in (office.site, office.by(lambda: ask.due)):
        for _ in range(3):
            deadlines.enforce(site, partition(match.id))
            deadlines.time_out(site, match.id)
    assert left(office, match.id) == []
    for _ in range(3):
        deadlines.enforce(office.by(lambda: ask.due + 1), partition(match.id))
    (line,) = left(office, match.id)
    assert instant(bytes(line.at).decode().strip('"')) == ask.due + 1
    assert b'"reason":"timeout"' in bytes(line.data)
    assert b'"via":"clock"' in bytes(line.by)


def test_a_match_that_cannot_be_read_stops_no_other(office: Office, caplog: pytest.LogCaptureFixture):
    matches: list[Match] = []
    while len({partition(match.id) for match in matches}) == len(matches):
        matches.append(office.match("ann", "bo", "cy", "di", clock=HOUR).match)
    good = matches.pop()
    bad = next(match for match in matches if partition(match.id) == partition(good.id))
    office.site.redis.xadd(keys.events(bad.id), {"t": "board.eaten.1", "d": "{}"}, id=f"{bad.version + 1}-0")
    deadlines.enforce(office.by(lambda: (good.due or 0) + 1), partition(good.id))
    assert len(left(office, good.id)) == 1
    assert "ERROR" in [record.levelname for record in caplog.records if bad.id in record.message]


def test_deadlines_are_enforced_by_jobs_and_never_early(office: Office):
    office.start("worker", "deadlines")
    office.start("clock")
    until(lambda: office.site.redis.exists("rq:workers:deadlines") and office.site.redis.exists("{ops}:beats"))
    late = list[int]()

    def by_a_job() -> bool:
        matches = []
        for _ in range(6):
            matches.append(office.match("ann", "bo", "cy", "di", clock=SECOND).match)
            sleep(0.3)
        until(lambda: all(left(office, match.id) for match in matches))
        late.extend(instant(bytes(left(office, match.id)[0].at).decode().strip('"')) - (match.due or 0) for match in matches)
        return min(late) < PATIENCE  # the clock itself waits longer, as where the machine stood still; how long it takes is measured by `make bench`

    until(by_a_job)
    assert min(late) > 0


def test_without_any_worker_the_clock_enforces_deadlines_itself(office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    match = office.match("ann", "bo", "cy", "di", clock=HOUR).match
    watch, jobs = Watch((match.due or 0) + 1), Jobs(office.site.rq_redis)
    sweep = Sweep(office.by(watch), jobs)
    for _ in range(5):
        sweep.sweep()
    watch.now += PATIENCE - 1
    sweep.sweep()
    assert jobs.waiting("deadlines") == 1, "one job for what is due, however often it is seen"
    assert left(office, match.id) == []
    watch.now += 1
    sweep.sweep()
    assert len(left(office, match.id)) == 1
    assert "no worker enforced it, so the clock does" in caplog.text


def test_a_deadline_that_cannot_be_enforced_is_tried_again_once_a_minute_and_not_at_every_tick(office: Office, caplog: pytest.LogCaptureFixture):
    match = office.match("ann", "bo", "cy", "di", clock=HOUR).match
    office.site.redis.xadd(keys.events(match.id), {"t": "board.eaten.1", "d": "{}"}, id=f"{match.version + 1}-0")
    watch = Watch((match.due or 0) + 1)
    sweep = Sweep(office.by(watch), Jobs(office.site.rq_redis))
    sweep.sweep()
    for passed in (PATIENCE, 0, 0, STUCK, 0):
        watch.now += passed
        sweep.sweep()
    assert len([record for record in caplog.records if record.name == "workers.deadlines"]) == 2


# After an absence


def test_after_an_absence_of_the_site_nobody_is_out_who_could_not_play(office: Office, caplog: pytest.LogCaptureFixture):
    watch = Watch()
    began, site = watch.now, office.by(watch)
    match = office.match("ann", "bo", "cy", "di", clock=HOUR, began=began).match
    sweep = Sweep(site, Jobs(site.rq_redis))
    sweep.sweep()
    watch.now += 10 * HOURS
    deadlines.enforce(site, partition(match.id))
    assert left(office, match.id) == [], "a job from before the absence, or a worker that is up before any clock, puts nobody out"
    sweep.sweep()
    now = site.desk.look(match.id).match
    assert (now.version, now.paused_until, now.due) == (match.version + 1, began + 11 * HOURS, began + 12 * HOURS)
    assert isinstance(site.desk.events(now)[-1].fact, ClockChanged)
    assert "nobody watched over deadlines for 10 hours: that time was given back in 1 matches" in caplog.text
    watch.now = began + 12 * HOURS + 1
    site.vigil.keep(watch.now)
    deadlines.enforce(site, partition(match.id))
    assert len(left(office, match.id)) == 1, "who does not play then is out as ever"


def test_a_redis_that_was_replaced_by_an_older_one_is_an_absence_also_for_a_clock_that_never_stopped(office: Office):
    watch = Watch()
    site = office.by(watch)
    match = office.match("ann", "bo", "cy", "di", clock=HOUR, began=watch.now).match
    sweep = Sweep(site, Jobs(site.rq_redis))
    watch.now += HOURS + 1
    sweep.sweep()
    site.vigil.keep(match.at)  # what the older one says
    watch.now += PATIENCE
    sweep.sweep()
    assert left(office, match.id) == []
    assert site.desk.look(match.id).match.due == match.at + 3 * HOURS + PATIENCE + 1


def test_time_is_given_back_only_where_it_is_short(office: Office):
    watch = Watch()
    site = office.by(watch)
    clocks = [{"kind": "per-turn", "seconds": hours * 3_600} for hours in (20, 22)]
    short, long = (office.match("ann", "bo", "cy", "di", clock=clock, began=watch.now).match for clock in clocks)
    watch.now += 10 * HOURS
    assert absence.make_up(site, watch.now - 10 * HOURS) == 1
    assert [site.desk.look(match.id).match.version - match.version for match in (short, long)] == [1, 0]
    assert absence.make_up(site, watch.now - 10 * HOURS) == 0, "nobody is given anything twice"


def test_a_clock_says_that_somebody_watches_and_a_short_absence_is_none(office: Office):
    watch = Watch()
    site = office.by(watch)
    assert (site.vigil.last(), absence.absence(site)) == (None, None)
    sweep = Sweep(site, Jobs(site.rq_redis))
    sweep.sweep()
    assert site.vigil.last() == watch.now
    watch.now += 299_999
    assert absence.absence(site) is None
    watch.now += 1
    assert absence.absence(site) == watch.now - 300_000
    sweep.sweep()
    assert (site.vigil.last(), absence.absence(site)) == (watch.now, None)
    watch.now += 9_999
    sweep.sweep()
    assert site.vigil.last() == watch.now - 9_999, "it is written down every ten seconds, not at every tick"


def test_a_damaged_match_keeps_no_other_from_its_time(office: Office, caplog: pytest.LogCaptureFixture):
    watch = Watch()
    site = office.by(watch)
    bad, good = (office.match("ann", "bo", "cy", "di", clock=HOUR, began=watch.now).match for _ in range(2))
    office.site.redis.xadd(keys.events(bad.id), {"t": "board.eaten.1", "d": "{}"}, id=f"{bad.version + 1}-0")
    site.vigil.keep(watch.now)
    watch.now += 10 * HOURS
    Sweep(site, Jobs(site.rq_redis)).sweep()
    assert absence.absence(site) is None
    assert f"the time that match {bad.id} lost cannot be given back: " in caplog.text
    assert site.desk.look(good.id).match.due == good.at + 12 * HOURS
