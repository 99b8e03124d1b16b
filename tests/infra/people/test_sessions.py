"""Being signed in: a secret that is stored nowhere, and ends everywhere at once when its player says so."""

import pytest
from redis import Redis

from infra.people.sessions import Sessions, proof
from tests.people import NOON, Watch


@pytest.fixture
def sessions(redis: Redis) -> Sessions:
    return Sessions(redis, Watch())


def test_a_secret_says_who_is_signed_in_and_is_kept_nowhere(sessions: Sessions, redis: Redis):
    here, there = sessions.begin("p-1"), sessions.begin("p-1")
    assert here != there
    assert sessions.whose(here) == sessions.whose(there) == "p-1"
    assert sessions.begun("p-1") == [NOON, NOON]
    stored = repr([(key, redis.hgetall(key)) for key in redis.keys("session:*")])
    assert here not in stored
    assert all(90 * 86_400 - 60 < redis.ttl(key) <= 90 * 86_400 for key in redis.keys("*"))


@pytest.mark.parametrize("secret", ["", "x", "y" * 10_000, "é\0"])
def test_what_is_no_secret_is_nobodys(sessions: Sessions, secret: str):
    assert sessions.whose(secret) is None
    sessions.end(secret)


def test_signing_out_ends_one_session_or_all(sessions: Sessions, redis: Redis):
    here, there, elsewhere = sessions.begin("p-1"), sessions.begin("p-1"), sessions.begin("p-2")
    sessions.end(here)
    assert (sessions.whose(here), sessions.whose(there)) == (None, "p-1")
    sessions.end_all("p-1")
    assert (sessions.whose(there), sessions.whose(elsewhere)) == (None, "p-2")
    sessions.end_all("p-1")
    assert sessions.begun("p-1") == []
    assert len(redis.keys("*")) == 2


def test_the_proof_of_a_form_is_that_of_its_session(sessions: Sessions):
    here, there = sessions.begin("p-1"), sessions.begin("p-1")
    assert proof(here) != proof(there)
    assert here not in proof(here)
