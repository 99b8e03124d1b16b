"""Signing up: an address, and a mail that goes there."""

from __future__ import annotations

from service.accounts import checked
from service.api.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.schemas.accounts import SIGN_UP, SIGNED_UP


@operation(
    api,
    Operation(
        method="POST",
        rule="/players",
        tag="me",
        limit="mail",
        body=SIGN_UP,
        gives={202: Gives(about="A mail is on its way.", forms={JSON: SIGNED_UP})},
        refuses=("log-unavailable",),
        examples={"sign up": {"name": "Ann", "email": "ann@example.org", "zone": "Europe/Vienna"}},
    ),
)
def sign_up(call: Call) -> Reply:
    """Become a player.

    A mail with a link goes to the address; whoever opens it is signed in on the site, and makes a token for programs in the settings there.
    The answer is the same for an address that is known already, so that nobody can find out who plays here; that player keeps name and zone.
    One address gets at most five such mails an hour. To ask again does no harm, so this needs no `Idempotency-Key`.
    """
    said = checked(call.site, call.body)
    player = call.site.players.add(said["name"], said["email"], said.get("zone", "UTC"))
    call.site.knocks.ask("sign-in", player.id, player.address, call.site.clock())
    return Reply({"mailed_to": said["email"]}, 202)
