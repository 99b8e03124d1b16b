"""Keys that players sign with: whose each is, and that a reply which was lost changes nothing."""

from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from infra.people.player_keys import MOST, KeyTaken, PlayerKey, PlayerKeys, TooManyKeys
from infra.people.spelling import Misspelled
from infra.redis_clients.client import client
from infra.seals.jws import Malformed
from tests.infra.lossy_wire import LossyWire
from tests.pen import Pen
from tests.servers import RedisServer

ANN, BO = "p-ann0000000", "p-bo00000000"
ONE, TWO = Pen(1).kid, Pen(2).kid
NOON = 1_795_953_600_000


@pytest.fixture
def keys(redis: Redis) -> PlayerKeys:
    return PlayerKeys(redis, lambda: NOON)


def test_a_key_is_its_owners_from_when_it_is_registered(keys: PlayerKeys):
    assert keys.whose(ONE) is None
    assert keys.add(ANN, ONE, " laptop ") == (PlayerKey(ONE, "laptop", NOON), True)
    assert keys.whose(ONE) == ANN
    assert keys.of(ANN) == [PlayerKey(ONE, "laptop", NOON)]
    assert keys.of(BO) == []


def test_to_register_it_again_changes_nothing(keys: PlayerKeys, redis: Redis):
    keys.add(ANN, ONE, "laptop")
    later = PlayerKeys(redis, lambda: NOON + 1)
    assert later.add(ANN, ONE, "phone") == (PlayerKey(ONE, "laptop", NOON), False)
    assert keys.of(ANN) == [PlayerKey(ONE, "laptop", NOON)]


def test_nobody_registers_another_ones_key(keys: PlayerKeys):
    keys.add(ANN, ONE, "laptop")
    with pytest.raises(KeyTaken):
        keys.add(BO, ONE, "laptop")
    assert keys.whose(ONE) == ANN
    assert keys.of(BO) == []


def test_a_revoked_key_is_nobodys_and_may_be_registered_again(keys: PlayerKeys):
    keys.add(ANN, ONE, "laptop")
    keys.add(ANN, TWO, "phone")
    assert not keys.revoke(BO, ONE)
    assert keys.revoke(ANN, ONE)
    assert not keys.revoke(ANN, ONE)
    assert (keys.whose(ONE), keys.whose(TWO)) == (None, ANN)
    assert keys.add(ANN, ONE, "laptop again")[1]


def test_of_a_player_who_is_erased_no_key_is_left(keys: PlayerKeys, redis: Redis):
    keys.add(ANN, ONE, "laptop")
    keys.add(BO, TWO, "phone")
    keys.forget(ANN)
    keys.forget(ANN)
    assert (keys.whose(ONE), keys.of(ANN)) == (None, [])
    assert sorted(redis.keys()) == [f"movekey:{TWO}".encode(), f"player:{BO}:keys".encode()]


def test_there_is_room_for_twenty_keys_and_not_for_one_more(keys: PlayerKeys):
    pens = [Pen(number).kid for number in range(MOST + 1)]
    for kid in pens[:MOST]:
        keys.add(ANN, kid, "one of many")
    with pytest.raises(TooManyKeys):
        keys.add(ANN, pens[MOST], "one too many")
    assert keys.whose(pens[MOST]) is None
    assert keys.add(ANN, pens[0], "again") == (PlayerKey(pens[0], "one of many", NOON), False)
    keys.revoke(ANN, pens[0])
    assert keys.add(ANN, pens[MOST], "the last")[1]


def test_what_is_no_key_or_no_name_is_refused(keys: PlayerKeys):
    with pytest.raises(Malformed):
        keys.add(ANN, "A" * 43, "laptop")
    with pytest.raises(Misspelled):
        keys.add(ANN, ONE, "\u202ebot")
    assert keys.of(ANN) == []


def test_a_key_that_is_listed_and_was_not_claimed_before_a_crash_is_claimed_with_the_next_try(keys: PlayerKeys, redis: Redis):
    keys.add(ANN, ONE, "laptop")
    redis.delete(f"movekey:{ONE}")
    assert keys.whose(ONE) is None
    assert not keys.add(ANN, ONE, "laptop")[1]
    assert keys.whose(ONE) == ANN


@pytest.fixture
def torn(shared_redis: RedisServer, redis: Redis) -> Iterator[Callable[[bytes], PlayerKeys]]:
    """Keys behind a wire that loses the next reply to a message with that word."""
    wires: list[LossyWire] = []

    def torn(word: bytes) -> PlayerKeys:
        wires.append(LossyWire(shared_redis.port, word).__enter__())
        wires[-1].losing = 1
        return PlayerKeys(client(f"redis://127.0.0.1:{wires[-1].port}/0"), lambda: NOON)

    yield torn
    for wire in wires:
        assert wire.lost == 1
        wire.__exit__(None, None, None)


@pytest.mark.parametrize("word", [b"EVALSHA", b"SET", b"HGET"])
def test_a_lost_reply_registers_it_once(torn: Callable[[bytes], PlayerKeys], keys: PlayerKeys, word: bytes):
    assert torn(word).add(ANN, ONE, "laptop")[0] == PlayerKey(ONE, "laptop", NOON)
    assert (keys.whose(ONE), keys.of(ANN)) == (ANN, [PlayerKey(ONE, "laptop", NOON)])


@pytest.mark.parametrize("word", [b"EVALSHA", b"HDEL"])
def test_a_lost_reply_revokes_it_once(torn: Callable[[bytes], PlayerKeys], keys: PlayerKeys, word: bytes):
    keys.add(ANN, ONE, "laptop")
    assert torn(word).revoke(ANN, ONE)
    assert (keys.whose(ONE), keys.of(ANN)) == (None, [])
