"""A compact JWS is read in one way or not at all."""

import json
from base64 import urlsafe_b64decode
from typing import Any

import pytest

from infra.seals.jws import Malformed, coded, key_of, read, sound
from tests.pen import TYP, Pen

PEN = Pen()
SAID = {"match": "07-0000000001", "ply": 3}
JWS = PEN.signs(SAID)
HEADER, PAYLOAD, SIGNATURE = JWS.split(".")
PRIME = 2**255 - 19


def test_what_was_signed_is_read_and_holds_under_its_key_alone():
    jws = read(JWS, TYP)
    assert (jws.kid, jws.payload) == (PEN.kid, b'{"match":"07-0000000001","ply":3}')
    assert jws.holds(key_of(PEN.kid))
    assert not jws.holds(key_of(Pen(2).kid))


@pytest.mark.parametrize("part", [0, 1, 2])
def test_with_any_other_character_it_is_not_read_or_does_not_hold(part: int):
    parts = JWS.split(".")
    for at in range(len(parts[part])):
        changed = parts[part][:at] + ("A" if parts[part][at] != "A" else "B") + parts[part][at + 1 :]
        try:
            jws = read(".".join(changed if index == part else other for index, other in enumerate(parts)), TYP)
        except Malformed:
            continue
        assert not jws.holds(key_of(PEN.kid))


def header(**fields: Any) -> str:
    """Signed rightly, with another header."""
    return PEN.signs(SAID, {name: value for name, value in {**PEN.header, **fields}.items() if value is not None})


@pytest.mark.parametrize(
    ("jws", "words"),
    [
        ("", "it is no compact JWS, which is a header, a payload and a signature in base64url with a dot after the first two"),
        ("a.b", "it is no compact JWS"),
        (f"{JWS}.x", "it is no compact JWS"),
        (json.dumps({"payload": PAYLOAD, "protected": HEADER, "signature": SIGNATURE}), "it is no compact JWS"),
        (f"{JWS}\n", "its signature is not base64url without padding"),
        (f" {JWS}", "its header is not base64url without padding"),
        (f"{HEADER}..{SIGNATURE}", "its payload is empty"),
        (f"{HEADER}.{PAYLOAD}.{SIGNATURE}==", "its signature is not base64url without padding"),
        (f"{HEADER}.{PAYLOAD}.{SIGNATURE.replace('_', '/').replace('-', '+')}+", "its signature is not base64url without padding"),
        (f"{HEADER}.{PAYLOAD}.{SIGNATURE}A", "its signature has 65 bytes, and one of Ed25519 has 64"),
        (f"{HEADER}.{PAYLOAD}.{SIGNATURE[:-1]}{chr(ord(SIGNATURE[-1]) + 1)}", "its signature is not base64url as it would be written"),
        (f"{HEADER}.{PAYLOAD}.{coded(bytes(63))}", "its signature has 63 bytes, and one of Ed25519 has 64"),
        (f"{HEADER}.{PAYLOAD}.{coded(bytes(65))}", "its signature has 65 bytes, and one of Ed25519 has 64"),
        (header(alg="none"), "its `alg` is “none”, and must be “Ed25519”"),
        (header(alg="EdDSA"), "its `alg` is “EdDSA”, and must be “Ed25519”"),
        (header(alg="HS256"), "its `alg` is “HS256”, and must be “Ed25519”"),
        (header(alg="ed25519"), "its `alg` is “ed25519”, and must be “Ed25519”"),
        (header(alg=["Ed25519"]), "its `alg` is no text, and must be “Ed25519”"),
        (header(alg=None), "its header has no `alg`"),
        (header(typ="forgepost-head+jws"), "its `typ` is “forgepost-head+jws”, and must be “forgepost-move+jws”"),
        (header(typ="JWT"), "its `typ` is “JWT”"),
        (header(typ=None), "its header has no `typ`"),
        (header(kid=None), "its header has no `kid`"),
        (header(kid=7), "its `kid` must be text"),
        (header(b64=False), "its header has `b64`: it must have `alg`, `kid` and `typ`, and nothing else"),
        (header(b64=True), "its header has `b64`"),
        (header(b64=False, crit=["b64"]), "its header has `b64`"),
        (header(crit=[]), "its header has `crit`"),
        (header(jwk=PEN.jwk), "its header has `jwk`"),
        (header(jku="https://evil.example/keys"), "its header has `jku`"),
        (header(x5u="https://evil.example/"), "its header has `x5u`"),
        (header(zip="DEF"), "its header has `zip`"),
        (header(cty="json"), "its header has `cty`"),
        (PEN.signs(SAID, b"[]"), "its header is no JSON object"),
        (PEN.signs(SAID, b"{"), "its header is no JSON object"),
        (PEN.signs(SAID, b"\xff"), "its header is no JSON object"),
        (PEN.signs(SAID, b"[" * 9_000), "its header is no JSON object"),
        (PEN.signs(SAID, json.dumps(PEN.header).encode()), "its header is not canonical JSON (RFC 8785)"),
        (PEN.signs(SAID, json.dumps(dict(reversed(PEN.header.items())), separators=(",", ":")).encode()), "its header is not canonical JSON"),
        (PEN.signs(SAID, f'{{"alg":"none","alg":"Ed25519","kid":"{PEN.kid}","typ":"{TYP}"}}'.encode()), "its header is not canonical JSON"),
        (PEN.signs(SAID, f'{{"alg":"\\u0045d25519","kid":"{PEN.kid}","typ":"{TYP}"}}'.encode()), "its header is not canonical JSON"),
    ],
)  # fmt: skip
def test_what_is_anything_else_is_refused_in_words_also_when_it_is_signed(jws: str, words: str):
    with pytest.raises(Malformed) as refused:
        read(jws, TYP)
    assert str(refused.value).startswith(words)


def point(y: int, sign: int = 0) -> str:
    return coded((y | sign << 255).to_bytes(32, "little"))


LOW = 2707385501144840649318225287225658788936804267575313519463743609750303021200  # the y of a point of order 8


@pytest.mark.parametrize(
    "x",
    [point(*said) for said in ((1,), (1, 1), (PRIME - 1,), (0,), (0, 1), (LOW,), (LOW, 1), (PRIME,), (PRIME + 1,), (2,), (2**255 - 1, 1))],
    ids=["one", "one-other-sign", "order-2", "order-4", "order-4-other", "order-8", "order-8-other", "zero-again", "one-again", "no-point", "beyond"],
)  # fmt: skip
def test_a_key_that_is_no_sound_point_is_refused(x: str):
    assert not sound(urlsafe_b64decode(x + "="))
    with pytest.raises(Malformed, match="no public key of Ed25519"):
        key_of(x)


def test_under_a_key_of_low_order_no_signature_holds():
    """With the key 1 (y = 1) a signature of R = 1 and S = 0 fits every text, for whoever checks no more than the equation."""
    weak = coded((1).to_bytes(32, "little"))
    text = ".".join(coded(json.dumps(part, separators=(",", ":")).encode()) for part in ({"alg": "Ed25519", "kid": weak, "typ": TYP}, SAID))
    jws = read(f"{text}.{coded((1).to_bytes(32, 'little') + bytes(32))}", TYP)
    assert not jws.holds((1).to_bytes(32, "little"))


def test_a_second_signature_made_from_the_first_does_not_hold():
    """S + L fits the same equation; RFC 8032 refuses it, and so do we."""
    order = 2**252 + 27742317777372353535851937790883648493
    raw = urlsafe_b64decode(SIGNATURE + "==")
    again = raw[:32] + (int.from_bytes(raw[32:], "little") + order).to_bytes(32, "little")
    assert not read(f"{HEADER}.{PAYLOAD}.{coded(again)}", TYP).holds(key_of(PEN.kid))


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ("", "`x` is empty"),
        (PEN.kid + "=", "`x` is not base64url without padding"),
        (PEN.kid[:-1], "`x` is not base64url as it would be written"),
        (coded(bytes(31)), "`x` has 31 bytes, and a public key of Ed25519 has 32"),
        (PEN.kid[:-1] + chr(ord(PEN.kid[-1]) + 1), "`x` is not base64url as it would be written"),
    ],
)
def test_a_key_written_in_another_way_is_refused(x: str, words: str):
    with pytest.raises(Malformed) as refused:
        key_of(x)
    assert str(refused.value).startswith(words)
