"""Keys from a site's secrets: what they sign, what survives a rotation, and that seeds survive every one."""

from base64 import urlsafe_b64decode
from dataclasses import replace
from hashlib import sha256
from hmac import digest
from pathlib import Path

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from infra.people.players import TOKEN
from infra.seals.keys import Keys, derived, thumbprint
from infra.seals.lot import lots
from infra.settings import Settings

A, B, SEEDS = bytes(range(32)), bytes(range(32, 64)), bytes(range(64, 96))
HASH = sha256(b"head").digest()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(Settings.development(tmp_path), secrets=(("a", A),), seed_secret=SEEDS)


def unpacked(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


def test_a_key_is_derived_as_rfc_5869_says():
    # test case 3 of the RFC is without salt and info; this is the same construction, made by hand, with our info
    extracted = digest(bytes(32), A, "sha256")
    assert derived(A, "forgepost-session") == digest(extracted, b"forgepost-session\x01", "sha256")


def test_a_mac_is_the_first_96_bits_under_the_key_of_its_purpose(settings: Settings):
    keys = Keys(settings)
    assert keys.mac("a", "view", b"words") == digest(derived(A, "forgepost-link:view"), b"words", "sha256")[:12]
    assert keys.mac("a", "move", b"words") != keys.mac("a", "view", b"words")
    with pytest.raises(KeyError):
        keys.mac("b", "view", b"words")


def test_a_signed_head_says_exactly_match_version_and_hash(settings: Settings):
    header, payload, _ = Keys(settings).sign_head("07-0123456789", 12, HASH).split(".")
    kid = Keys(settings).public()[0]["kid"]
    assert unpacked(header) == b'{"alg":"Ed25519","kid":"' + kid.encode() + b'","typ":"forgepost-head+jws"}'
    assert unpacked(payload) == b'{"hash":"' + HASH.hex().encode() + b'","match":"07-0123456789","version":12}'


def test_anybody_can_check_a_signed_head_with_the_published_key(settings: Settings):
    keys = Keys(settings)
    jws = keys.sign_head("07-0123456789", 12, HASH)
    said, _, signature = jws.rpartition(".")
    (jwk,) = keys.public()
    assert {**jwk, "x": None, "kid": None} == {"kty": "OKP", "crv": "Ed25519", "x": None, "kid": None, "use": "sig", "alg": "Ed25519"}
    public = Ed25519PublicKey.from_public_bytes(unpacked(jwk["x"]))
    public.verify(unpacked(signature), said.encode())
    with pytest.raises(InvalidSignature):
        public.verify(unpacked(signature), said.encode() + b"x")


def test_a_key_is_named_by_its_rfc_7638_thumbprint(settings: Settings):
    # the example of RFC 8037, appendix A.3
    example = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    assert thumbprint({**example, "use": "sig"}) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    (jwk,) = Keys(settings).public()
    assert jwk["kid"] == thumbprint(jwk)


def test_after_a_rotation_the_new_key_signs_and_the_old_one_stays_published(settings: Settings):
    before, after = Keys(settings), Keys(replace(settings, secrets=(("b", B), ("a", A))))
    assert after.public()[1] == before.public()[0]
    header = msgspec.json.decode(unpacked(after.sign_head("07-0123456789", 1, HASH).split(".")[0]))
    assert header["kid"] == after.public()[0]["kid"] != before.public()[0]["kid"]
    assert after.mac("a", "view", b"words") == before.mac("a", "view", b"words")
    assert (after.current_kid, after.kids) == ("b", ("b", "a"))
    assert after.token("p-1", "key") != before.token("p-1", "key")


def test_no_two_uses_share_a_key(settings: Settings):
    keys = Keys(settings)
    uses = [
        derived(A, "forgepost-api-token"),
        keys.seed("07-0123456789"),
        *(derived(A, f"forgepost-link:{purpose}") for purpose in ("view", "move")),
        derived(A, "forgepost-head"),
    ]
    assert len(set(uses)) == len(uses)


def test_an_api_token_that_follows_from_a_request_looks_like_any_other(settings: Settings):
    token = Keys(settings).token("p-1", "key", "print")
    assert TOKEN.fullmatch(token)
    assert token == Keys(settings).token("p-1", "key", "print") != Keys(settings).token("p-1", "key", "other")


def test_seeds_survive_every_rotation(settings: Settings):
    before = lots(Keys(settings))("07-0123456789")
    after = lots(Keys(replace(settings, secrets=(("b", B),))))("07-0123456789")
    assert after.commitment == before.commitment
    assert bytes.fromhex(after.reveal()) == derived(SEEDS, "forgepost-seed:07-0123456789")


def test_every_match_has_a_seed_of_its_own(settings: Settings):
    lot = lots(Keys(settings))
    assert lot("07-0123456789").reveal() != lot("07-012345678a").reveal()
    assert lot("07-0123456789").commitment == sha256(bytes.fromhex(lot("07-0123456789").reveal())).hexdigest()
    assert lots(Keys(replace(settings, seed_secret=A)))("07-0123456789").reveal() != lot("07-0123456789").reveal()
