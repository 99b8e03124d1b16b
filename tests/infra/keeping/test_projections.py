"""What is told about matches can be thrown away and made anew from the log, and nobody hears of it."""

from __future__ import annotations

from typing import Any

from infra.keeping.projections import rebuild, tidy
from infra.listing import row
from infra.redis_log import keys
from tests.infra.keeping.tables import anew, finish, follow, match, play
from tests.workers.office import Office


def told(office: Office) -> dict[Any, Any]:
    """Listing and deadlines, as they lie in Redis."""
    redis: Any = office.site.redis
    heads = {name: redis.hgetall(name) for name in redis.scan_iter(match="*:head")}
    zsets = {name: redis.zrange(name, 0, -1, withscores=True) for name in redis.scan_iter(_type="zset") if b"notices" not in name}
    rows = redis.hgetall("{list}:rows")
    return {**heads, **zsets, **rows}


def three(office: Office) -> list[str]:
    """One just begun, one played on, one over."""
    names = [match(office, visibility="public"), match(office), match(office)]
    play(office, names[1], 3)
    finish(office, names[2])
    follow(office)
    return sorted(names)


def test_listing_and_deadlines_that_were_lost_are_made_anew_and_equal_and_no_notice_is_made(office: Office):
    names = three(office)
    office.relay()
    before, notices = told(office), office.outbox()
    feeds = {of: office.site.redis.xlen(keys.feed(of)) for of in range(16)}
    for gone in [*office.site.redis.scan_iter(match="{list}:*"), *office.site.redis.scan_iter(match="*:due")]:
        office.site.redis.delete(gone)
    for name in names:
        office.site.redis.hdel(keys.head(name), "due")
    live = [name for name, said in rebuild(anew(office), names) if said == "deadline and listing"]
    assert len(live) == 2
    assert told(office) == before
    assert office.outbox() == notices
    assert {of: office.site.redis.xlen(keys.feed(of)) for of in range(16)} == feeds


def test_where_nothing_is_wrong_nothing_is_done(office: Office):
    names = three(office)
    before = told(office)
    assert list(rebuild(anew(office), names)) == [(name, "") for name in names]
    assert tidy(office.site) == 0
    assert told(office) == before


def test_what_says_something_else_is_put_right(office: Office):
    names = three(office)
    before = told(office)
    live = next(name for name in names if office.site.desk.look(name).match.asks)
    redis = office.site.redis
    redis.hset(keys.head(live), "st", "over")
    redis.zadd(keys.due(int(live[:2])), {live: 5})
    redis.hset("{list}:rows", live, b"[]")
    assert dict(rebuild(anew(office), [live])) == {live: "status and deadline and listing"}
    assert told(office) == before


def test_places_in_the_listing_that_stand_for_nothing_are_taken_out(office: Office):
    three(office)
    before = told(office)
    redis: Any = office.site.redis
    one = next(iter(redis.hkeys("{list}:rows")))
    redis.zadd("{list}:public:aborted", {one: 1})
    redis.zadd("{list}:of:p-0000000000", {"07-0000000000": 1})
    redis.hset("{list}:rows", "07-0000000000", b"[]")
    assert tidy(office.site) == 3
    assert told(office) == before


def test_a_match_that_went_on_meanwhile_keeps_what_is_newer(office: Office):
    name = match(office)
    old = office.site.desk.look(name).match
    play(office, name, 2)
    follow(office)
    before = told(office)
    assert not office.site.listing.mend(row(old))
    assert told(office) == before
