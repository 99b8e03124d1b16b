"""The keys that a player signs with, by API."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.pen import Pen
from tests.service.api.person import API, Person, answered, refused

PEN = Pen()


@pytest.fixture
def ann(person: Callable[..., Person]) -> Person:
    """A player whose token may change who she is."""
    return person("Ann", "player:read", "player:write")


def registers(who: Person, pen: Pen = PEN, **said: Any) -> Any:
    """The answer to a key."""
    return who.post("/me/keys", {"name": "laptop", "jwk": pen.jwk, **said})


def revokes(who: Person, kid: str) -> Any:
    """The answer to having enough of it."""
    return who.asks("DELETE", f"{API}/me/keys/{kid}")


def test_a_key_is_registered_listed_and_revoked(ann: Person):
    made = answered(registers(ann), 201)
    assert made == {"kid": PEN.kid, "name": "laptop", "jwk": PEN.jwk, "created_at": "2026-11-29T12:00:00.000Z"}
    assert answered(ann.get("/me/keys"), 200) == {"keys": [made]}
    assert revokes(ann, PEN.kid).status_code == 204
    assert answered(ann.get("/me/keys"), 200) == {"keys": []}
    problem = refused(revokes(ann, PEN.kid), 404, "no-such-key")
    assert problem["detail"] == "you have no such key, or have revoked it already"


def test_the_same_key_again_is_the_same_key(ann: Person):
    made = answered(registers(ann), 201)
    again = registers(ann, name="phone")
    assert answered(again, 200) == made
    assert again.headers["Idempotent-Replayed"] == "true"


def test_another_ones_key_is_refused_and_cannot_be_revoked(ann: Person, person: Callable[..., Person]):
    bo = person("Bo", "player:read", "player:write")
    answered(registers(ann), 201)
    refused(registers(bo), 409, "key-taken")
    refused(revokes(bo, PEN.kid), 404, "no-such-key")


def test_there_is_an_end_to_keys(ann: Person):
    for number in range(20):
        answered(registers(ann, Pen(number)), 201)
    assert refused(registers(ann, Pen(20)), 409, "too-many-keys")["detail"] == "you have 20 keys, and more are not kept"


def test_reading_and_writing_need_their_scopes(person: Callable[..., Person], anybody: Person):
    reader, player = person("Cy", "player:read"), person("Di", "matches:play")
    assert refused(registers(reader), 403, "scope-missing")["scope"] == "player:write"
    assert refused(revokes(reader, PEN.kid), 403, "scope-missing")["scope"] == "player:write"
    assert refused(player.get("/me/keys"), 403, "scope-missing")["scope"] == "player:read"
    refused(registers(anybody), 401, "not-authenticated")


@pytest.mark.parametrize(
    ("jwk", "pointer", "words"),
    [
        ({**PEN.jwk, "d": "x" * 43}, "#/jwk/d", "`jwk.d` is the private half: never send it to anybody, and use another key pair from now on"),
        ({**PEN.jwk, "crv": "X25519"}, "#/jwk/crv", "`jwk.crv` must be Ed25519"),
        ({**PEN.jwk, "crv": "Ed448"}, "#/jwk/crv", "`jwk.crv` must be Ed25519"),
        ({**PEN.jwk, "kty": "EC"}, "#/jwk/kty", "`jwk.kty` must be OKP"),
        ({**PEN.jwk, "use": "enc"}, "#/jwk/use", "`jwk.use` is not known here"),
        ({**PEN.jwk, "x": PEN.kid + "="}, "#/jwk/x", "`jwk.x` must be 43 characters of base64url"),
        ({**PEN.jwk, "x": PEN.kid[:42] + "+"}, "#/jwk/x", "`jwk.x` must be 43 characters of base64url"),
        ({**PEN.jwk, "x": PEN.kid + "\n"}, "#/jwk/x", "`jwk.x` must be 43 characters of base64url"),
        (
            {**PEN.jwk, "x": PEN.kid[:-1] + chr(ord(PEN.kid[-1]) + 1)},
            "#/jwk/x",
            "`jwk.x` is not base64url as it would be written: something stands after its end",
        ),
        (
            {**PEN.jwk, "x": "AQ" + "A" * 41},
            "#/jwk/x",
            "`jwk.x` is no public key of Ed25519: it is no point of the curve in its one form, or one whose signatures anybody could make",
        ),
        ({"kty": "OKP", "crv": "Ed25519"}, "#/jwk/x", "`jwk.x` is missing"),
        ("x", "#/jwk", "`jwk` must be an object"),
        (None, "#/jwk", "`jwk` must not be null"),
    ],
    ids=["private", "x25519", "ed448", "ec", "use", "padded", "base64", "newline", "second-form", "low-order", "no-x", "text", "null"],
)  # fmt: skip
def test_what_is_no_public_ed25519_key_is_refused_in_words(ann: Person, jwk: Any, pointer: str, words: str):
    problem = refused(registers(ann, jwk=jwk), 422, "invalid-request")
    assert problem["errors"] == [{"detail": words, "pointer": pointer}]
    assert answered(ann.get("/me/keys"), 200) == {"keys": []}


@pytest.mark.parametrize("name", ["bot", "Clock", "ann.example.org", "north"])
def test_a_key_may_be_called_what_no_player_may(ann: Person, name: str):
    assert answered(registers(ann, name=name), 201)["name"] == name


@pytest.mark.parametrize(("name", "words"), [("a" * 41, "`name`: call it something"), ("", "`name` must have 1 to 80 characters")])
def test_a_name_that_cannot_be_is_refused(ann: Person, name: str, words: str):
    problem = refused(registers(ann, name=name), 422, "invalid-request")
    assert problem["errors"][0]["pointer"] == "#/name"
    assert problem["detail"].startswith(words)
