"""The keys with which a player signs moves."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, pre_load

from service.schemas.fields import Inside, Many, Text, Time
from service.schemas.strict import Asked, Told

X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"  # RFC 8037, appendix A.2
PATTERN = "^[A-Za-z0-9_-]{43}$"


class PublicJwk(Asked):
    """The public half of an Ed25519 key pair, as a JWK (RFC 7517, RFC 8037). The private half stays with you."""

    kty = Text("Key type.", "OKP", choices=("OKP",), required=True)
    crv = Text("Curve.", "Ed25519", choices=("Ed25519",), required=True)
    x = Text("The key: 32 bytes in base64url, without padding.", X, pattern=PATTERN, like="43 characters of base64url", required=True)

    @pre_load
    def _keeps_its_secret(self, value: Any, **_: Any) -> Any:
        if isinstance(value, dict) and "d" in value:
            raise ValidationError({"d": ["is the private half: never send it to anybody, and use another key pair from now on"]})
        return value


class NewKey(Asked):
    """A public key of yours."""

    name = Text("What you call it, so that you know it again.", "laptop", longest=80, required=True)
    jwk = Inside(PublicJwk(), required=True)


class MoveKey(Told):
    """A public key of yours: moves that it signed are taken as yours, until you revoke it."""

    kid = Text("Its id, for the `kid` of a signature: the key itself, the `x` of `jwk`.", X, required=True)
    name = Text("What you call it.", "laptop", required=True)
    jwk = Inside(PublicJwk(), required=True)
    created_at = Time("When you registered it.", required=True)


class MoveKeyList(Told):
    """All your keys."""

    keys = Many(Inside(MoveKey()), "The keys, the oldest first.", required=True)


NEW_KEY, MOVE_KEY, MOVE_KEY_LIST = NewKey(), MoveKey(), MoveKeyList()
