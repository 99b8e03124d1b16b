"""What a request costs in trips to Redis, counted by Redis itself."""

from tests.servers import RedisServer
from tests.service.api.person import ALL_MINE, Person, answered


def test_the_usual_move_is_one_trip(ann: Person, site_redis: RedisServer):
    match = ann.plays(ann.creates(*ALL_MINE))
    seat = match["to_act"][0]["seat"]
    action = ann.may(match["id"], seat)[0]["action"]
    assert site_redis.commands_of(lambda: answered(ann.submits(match, seat, action, key="one"), 201)) == ["EVALSHA"]


def test_so_is_a_move_in_words(ann: Person, site_redis: RedisServer):
    match = ann.plays(ann.creates(*ALL_MINE))
    seat = match["to_act"][0]["seat"]
    text = ann.may(match["id"], seat)[0]["text"]
    assert site_redis.commands_of(lambda: answered(ann.submits(match, seat, text=text), 201)) == ["EVALSHA"]


def test_to_look_at_a_match_is_one_trip_known_or_not(ann: Person, site_redis: RedisServer):
    match = ann.plays(ann.creates(*ALL_MINE))["id"]
    etag = ann.get(f"/matches/{match}").headers["ETag"]
    assert site_redis.commands_of(lambda: ann.get(f"/matches/{match}")) == ["XRANGE"]
    assert site_redis.commands_of(lambda: ann.get(f"/matches/{match}", headers={"If-None-Match": etag})) == ["XRANGE"]


def test_the_catalogue_needs_no_redis(anybody: Person, site_redis: RedisServer):
    assert site_redis.commands_of(lambda: (anybody.get("/games"), anybody.get("/games/fourfold"))) == []


def test_the_public_keys_are_one_trip(anybody: Person, site_redis: RedisServer):
    assert site_redis.commands_of(lambda: anybody.asks("GET", "/.well-known/jwks.json")) == ["HGETALL"]
