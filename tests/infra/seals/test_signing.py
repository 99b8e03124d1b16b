"""What was ever signed can be read for ever: public keys stay published when their secret is taken away."""

from redis import Redis

from infra.seals.heads import signed
from infra.seals.keys import Keys, thumbprint
from infra.seals.signing import Signing
from infra.settings import Settings
from tests.infra.seals.test_heads import ENVIRON, HEAD, JWS, KEYS, PUBLIC

LATER = Keys(Settings.from_env({**ENVIRON, "FORGEPOST_SECRETS": f"c:{bytes(range(96, 128)).hex()}"}))


def text(key: bytes | str) -> str:
    return key.decode() if isinstance(key, bytes) else key


def test_whoever_signs_publishes_the_keys_first(redis: Redis):
    assert Signing(KEYS, redis).sign_head("07-0000000001", 12, bytes.fromhex("ab" * 32)) == JWS
    assert set(map(text, redis.hkeys("signers"))) == {key["kid"] for key in PUBLIC}


def test_keys_whose_secret_was_taken_away_are_published_still(redis: Redis):
    Signing(KEYS, redis).sign_head("07-0000000001", 12, bytes.fromhex("ab" * 32))
    public = Signing(LATER, redis).public()
    assert public[0] == LATER.public()[0]
    assert sorted(key["kid"] for key in public[1:]) == sorted(key["kid"] for key in PUBLIC)
    assert all(key["kid"] == thumbprint(key) for key in public)
    assert signed(public, JWS) == HEAD
    assert signed(LATER.public(), JWS) is None


def test_every_process_of_a_site_names_the_same_keys_in_the_same_order(redis: Redis):
    Signing(LATER, redis).sign_export("07-0000000001", 12, bytes(32), bytes(32))
    assert Signing(KEYS, redis).public() == Signing(KEYS, redis).public() == (*PUBLIC, *LATER.public())


def test_keys_that_a_redis_has_lost_or_never_had_are_published_again(redis: Redis):
    signing = Signing(KEYS, redis)
    signing.publish()
    redis.flushall()
    signing.keep_published()
    assert set(map(text, redis.hkeys("signers"))) == {key["kid"] for key in PUBLIC}
