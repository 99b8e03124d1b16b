"""The keys with which a player signs moves: registering, listing and revoking them."""

from __future__ import annotations

from typing import Any, Final

from domain.chain import stamp
from infra.people.player_keys import MOST, KeyTaken, PlayerKey, TooManyKeys
from infra.people.spelling import Misspelled
from infra.seals.jws import Malformed
from service.api.once import again, once, repeated, used_up
from service.api.showing import PRIVATE
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import Problem
from service.schemas.keys import MOVE_KEY, MOVE_KEY_LIST, NEW_KEY, X

REGISTERED: Final = Gives(about="It is registered.", forms={JSON: MOVE_KEY})


@operation(
    api,
    Operation(
        method="POST",
        rule="/me/keys",
        tag="me",
        scope="player:write",
        body=NEW_KEY,
        gives={
            201: REGISTERED,
            200: repeated(REGISTERED, "You had registered it before; it is as it was."),
        },
        refuses=("key-taken", "too-many-keys"),
        examples={"a public key": {"name": "laptop", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": X}}},
    ),
)
def add_key(call: Call) -> Reply:
    """Register an Ed25519 public key, to sign moves with its private half.

    From then on a move signed with it counts as yours, whoever sends it and without any token; keep the private half to yourself. Its id,
    `kid`, is the key itself: so each signed move in a history can be checked by anybody, for ever, with nothing but the history.
    """
    said, site, news = call.body, call.site, True

    def do(_: str) -> str:
        nonlocal news
        try:
            key, news = site.player_keys.add(call.player, said["jwk"]["x"], said["name"])
        except Malformed as wrong:
            raise _field(str(wrong).replace("`x`", "`jwk.x`", 1), "#/jwk/x") from wrong
        except Misspelled as wrong:
            raise _field(f"`name`: {wrong}", "#/name") from wrong
        except KeyTaken as wrong:
            raise Problem("key-taken", "another player has registered this key") from wrong
        except TooManyKeys as wrong:
            raise Problem("too-many-keys", f"you have {MOST} keys, and more are not kept") from wrong
        return key.kid

    def tell(kid: str, _: str) -> Reply:
        key = next((key for key in site.player_keys.of(call.player) if key.kid == kid), None)
        if key is None:
            raise used_up("the key that was registered with this idempotency key has been revoked")
        return Reply(_shown(key), 201, PRIVATE)

    reply = once(call, do, tell)
    return reply if news else again(reply)


@operation(
    api, Operation(method="GET", rule="/me/keys", tag="me", scope="player:read", gives={200: Gives(about="Your keys.", forms={JSON: MOVE_KEY_LIST})})
)
def list_keys(call: Call) -> Reply:
    """List the keys that you sign moves with."""
    return Reply({"keys": [_shown(key) for key in call.site.player_keys.of(call.player)]}, headers=PRIVATE)


@operation(
    api,
    Operation(
        method="DELETE",
        rule="/me/keys/<kid>",
        tag="me",
        scope="player:write",
        gives={204: Gives(about="It is revoked.")},
        refuses=("no-such-key",),
    ),
)
def revoke_key(call: Call) -> Reply:
    """Revoke a key: no new move is taken that it signed.

    Moves that it signed before stay in their histories and stay provable. It may open something for five seconds more.
    """
    if not call.site.player_keys.revoke(call.player, call.path["kid"]):
        raise Problem("no-such-key", "you have no such key, or have revoked it already")
    return Reply(status=204)


def _shown(key: PlayerKey) -> dict[str, Any]:
    return {"kid": key.kid, "name": key.name, "jwk": key.jwk, "created_at": stamp(key.created)}


def _field(words: str, pointer: str) -> Problem:
    return Problem("invalid-request", words, errors=[{"detail": words, "pointer": pointer}])
