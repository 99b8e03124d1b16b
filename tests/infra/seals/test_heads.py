"""Signed heads: what the server signs is read back with its public keys, and nothing else is."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import pytest

from infra.seals.heads import signed
from infra.seals.keys import Keys
from infra.settings import Settings

ENVIRON = {
    "FORGEPOST_URL": "https://turns.example.org",
    "FORGEPOST_SECRETS": f"a:{bytes(range(32)).hex()},b:{bytes(range(32, 64)).hex()}",
    "FORGEPOST_SEED_SECRET": bytes(range(64, 96)).hex(),
    "EVENTS_REDIS_URL": "redis://127.0.0.1:6379/0",
    "SMTP_URL": "smtp://127.0.0.1:25",
}
KEYS = Keys(Settings.from_env(ENVIRON))
PUBLIC: tuple[dict[str, Any], ...] = KEYS.public()
HEAD = {"hash": "ab" * 32, "match": "07-0000000001", "version": 12}
JWS = KEYS.sign_head("07-0000000001", 12, bytes.fromhex("ab" * 32))


def coded(value: Any) -> str:
    return urlsafe_b64encode(json.dumps(value, separators=(",", ":"), sort_keys=True).encode()).rstrip(b"=").decode()


def test_a_head_is_read_with_the_servers_keys_alone():
    assert signed(PUBLIC, JWS) == HEAD


def test_a_head_signed_before_a_rotation_is_read_with_the_keys_published_after_it():
    rotated = Keys(Settings.from_env({**ENVIRON, "FORGEPOST_SECRETS": f"c:{bytes(range(96, 128)).hex()},{ENVIRON['FORGEPOST_SECRETS']}"}))
    assert signed(rotated.public(), JWS) == HEAD
    assert signed(PUBLIC, rotated.sign_head("07-0000000001", 12, bytes.fromhex("ab" * 32))) is None


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_head_of_which_one_character_was_changed_is_not_read(part: int):
    parts = JWS.split(".")
    for at in range(len(parts[part])):
        changed = parts[part][:at] + ("A" if parts[part][at] != "A" else "B") + parts[part][at + 1 :]
        assert signed(PUBLIC, ".".join(changed if index == part else other for index, other in enumerate(parts))) is None


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none", "kid": PUBLIC[0]["kid"], "typ": "forgepost-head+jws"},
        {"alg": "Ed25519", "kid": PUBLIC[0]["kid"], "typ": "forgepost-move+jws"},
        {"alg": "Ed25519", "kid": "another", "typ": "forgepost-head+jws"},
        {"alg": "Ed25519", "b64": False, "kid": PUBLIC[0]["kid"], "typ": "forgepost-head+jws"},
        {"alg": "Ed25519", "kid": PUBLIC[0]["kid"]},
    ],
)
def test_a_header_that_asks_for_anything_else_is_not_read_even_when_it_is_signed(header: dict[str, Any]):
    said = f"{coded(header)}.{coded(HEAD)}"
    signature = urlsafe_b64encode(KEYS._signer.sign(said.encode())).rstrip(b"=").decode()
    assert signed(PUBLIC, f"{said}.{signature}") is None


def test_a_signature_written_in_another_way_is_not_read():
    *said, signature = JWS.split(".")
    assert urlsafe_b64decode(signature[:-1] + "R==") != b""
    for other in (f"{signature}==", signature + "A", signature[:-1] + chr(ord(signature[-1]) + 1)):
        assert signed(PUBLIC, ".".join([*said, other])) is None


@pytest.mark.parametrize("jws", ["", "a.b", "a.b.c", "..", JWS + ".x", JWS + "\n", " " + JWS, "é" * 9])
def test_what_is_no_jws_is_not_read(jws: str):
    assert signed(PUBLIC, jws) is None


def test_without_keys_nothing_is_read():
    assert signed([], JWS) is None
    assert signed([{"kid": PUBLIC[0]["kid"], "kty": "OKP", "crv": "Ed25519"}], JWS) is None
