"""API tokens: making, listing and revoking those of the player whose token asks."""

from __future__ import annotations

from typing import Final

from infra.people.players import NoSuchPlayer, TooMany, pass_of
from infra.people.spelling import Misspelled, label
from service.accounts import in_ms, listed
from service.api.me import gone
from service.api.once import once, repeated, used_up
from service.api.showing import PRIVATE
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.door.auth import may
from service.problems import Problem, invalid
from service.schemas.accounts import API_TOKENS, FRESH_TOKEN, NEW_TOKEN

MADE: Final = Gives(about="The token, shown this once.", forms={JSON: FRESH_TOKEN})


@operation(
    api,
    Operation(method="GET", rule="/me/tokens", tag="me", scope="player:read", gives={200: Gives(about="Your tokens.", forms={JSON: API_TOKENS})}),
)
def list_tokens(call: Call) -> Reply:
    """List your API tokens, with when each was last used."""
    return Reply({"tokens": [listed(one) for one in call.site.players.passes(call.player)]}, headers=PRIVATE)


@operation(
    api,
    Operation(
        method="POST",
        rule="/me/tokens",
        tag="me",
        scope="player:write",
        body=NEW_TOKEN,
        gives={
            201: MADE,
            200: repeated(MADE),
        },
        refuses=("limit-reached",),
        examples={"for a bot": {"name": "my bot", "scopes": ["matches:read", "matches:play"], "expires_at": "2027-11-29T10:00:00Z"}},
    ),
)
def make_token(call: Call) -> Reply:
    """Make another API token.

    It can have the scopes that the token has which makes it, and no others. The first token of all is made on the settings page of the site.
    """
    said, site = call.body, call.site
    for scope in said["scopes"]:
        may(scope, call.scopes)
    name, expires = _checked(call)

    def do(seed: str) -> str:
        try:
            return pass_of(site.players.new_token(call.player, said["scopes"], name, expires, site.keys.token(call.player, seed)))
        except NoSuchPlayer:
            raise gone() from None
        except TooMany as full:
            raise Problem("limit-reached", str(full)) from full

    def tell(made: str, seed: str) -> Reply:
        token = site.keys.token(call.player, seed)
        found = next((one for one in site.players.passes(call.player) if one.id == made == pass_of(token)), None)
        if found is None:
            raise used_up("the token that was made with this idempotency key has been revoked")
        return Reply({**listed(found), "token": token}, 201, PRIVATE)

    return once(call, do, tell)


@operation(
    api,
    Operation(
        method="DELETE",
        rule="/me/tokens/<token_id>",
        tag="me",
        scope="player:write",
        gives={204: Gives(about="It opens nothing any more.")},
        refuses=("not-found",),
    ),
)
def revoke_token(call: Call) -> Reply:
    """Revoke one of your API tokens, perhaps the one that asks. It may open something for five seconds more."""
    if not call.site.players.revoke(call.player, call.path["token_id"]):
        raise Problem("not-found", "you have no token of this id; `GET /api/v1/me/tokens` lists yours")
    return Reply(status=204, headers=PRIVATE)


def _checked(call: Call) -> tuple[str, int | None]:
    """The name and when it expires (ms). Raises a Problem that names what cannot be."""
    errors, name, expires = list[dict[str, str]](), "", None
    try:
        name = label(call.body["name"])
    except Misspelled as wrong:
        errors.append({"detail": f"`name`: {wrong}", "pointer": "#/name"})
    if (said := call.body.get("expires_at")) is not None:
        expires = _in_ms(said)
        if expires <= call.site.clock():
            errors.append({"detail": "`expires_at` must be a day that there is, and not be over yet", "pointer": "#/expires_at"})
    if errors:
        raise invalid(errors)
    return name, expires


def _in_ms(said: str) -> int:
    """The moment (ms), 0 for one that there is not."""
    try:
        return in_ms(said)
    except ValueError:
        return 0
