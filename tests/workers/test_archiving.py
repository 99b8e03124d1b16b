"""A match that has been over for long goes to the archive by itself, where the site is told to, and nowhere else."""

from dataclasses import replace

from infra.redis_log import keys
from tests.infra.keeping.tables import finish, match
from tests.workers.office import Office, until


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
