"""A match that has been over for long goes to the archive by itself, where the site is told to, and nowhere else."""

from dataclasses import replace

from infra.redis_log import keys
from tests.infra.keeping.tables import finish, match
from tests.people import Watch
from tests.workers.office import Office, until
from workers.archiving import Archivist
from workers.jobs import Jobs


def test_a_match_that_is_old_enough_is_archived_by_clock_and_worker_and_a_younger_one_is_not(office: Office):
    old, young, live = match(office), match(office), match(office)
    for name in (old, young):
        finish(office, name)
    at = int(office.site.redis.hget(keys.head(old), "at") or 0)
    office.site.redis.hset(keys.head(old), "at", at - 3 * 86_400_000)
    office.settings = replace(office.settings, archive_after=2)
    office.start("worker", "bots")
    office.start("clock")
    until(lambda: office.site.redis.hget(keys.head(old), "st") == b"archived")
    assert office.site.archive.get(old)
    assert office.site.redis.hmget(keys.head(young), "st") == [b"over"]
    assert office.site.redis.hmget(keys.head(live), "st") == [b"live"]


def test_a_match_whose_job_was_lost_is_tried_again_the_next_day(office: Office):
    """With the Redis of the queues, say, or because the archive was away."""
    finish(office, match(office))
    watch = Watch(office.site.clock() + 3 * 86_400_000)
    jobs = Jobs(office.site.rq_redis)
    archivist = Archivist(replace(office.by(watch), settings=replace(office.settings, archive_after=2)), jobs)
    archivist.look()
    assert jobs.waiting("bots") == 1
    office.site.redis.delete("rq:queue:bots")
    watch.now += 23 * 3_600_000
    archivist.look()
    assert jobs.waiting("bots") == 0
    watch.now += 3_600_000
    archivist.look()
    assert jobs.waiting("bots") == 1
