"""Signing up: an address, and a mail that goes there."""

from __future__ import annotations

from typing import Final

from service.accounts import checked
from service.api.once import once, repeated
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.schemas.accounts import SIGN_UP, SIGNED_UP

MAILED: Final = Gives(about="A mail is on its way.", forms={JSON: SIGNED_UP})


@operation(
    api,
    Operation(
        method="POST",
        rule="/players",
        tag="me",
        limit="mail",
        body=SIGN_UP,
        gives={202: MAILED, 200: repeated(MAILED)},
        refuses=("log-unavailable",),
        examples={"sign up": {"name": "Ann", "email": "ann@example.org", "zone": "Europe/Vienna"}},
    ),
)
def sign_up(call: Call) -> Reply:
    """Become a player.

    A mail with a link goes to the address; whoever opens it is signed in on the site, and makes a token for programs in the settings there.
    The answer is the same for an address that is known already, so that nobody can find out who plays here; that player keeps name and zone.
    One address gets at most five such mails an hour.
    """
    said = checked(call.site, call.body)

    def do(_: str) -> str:
        player = call.site.players.add(said["name"], said["email"], said.get("zone", "UTC"))
        call.site.knocks.ask("sign-in", player.id, player.address, call.site.clock())
        return player.id

    return once(call, do, lambda *_: Reply({"mailed_to": said["email"]}, 202))
