"""Yourself: who you are, what you have chosen, and being forgotten."""

from __future__ import annotations

from typing import Final

from infra.people.erasure import erase
from infra.people.players import NoSuchPlayer, Player
from service.accounts import change, checked, shown
from service.api.showing import PRIVATE
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import Problem
from service.schemas.accounts import ERASING, ME, MY_CHANGES
from service.schemas.matches import PLAYER

YOU: Final = {200: Gives(about="You.", forms={JSON: ME})}


@operation(api, Operation(method="GET", rule="/me", tag="me", scope="player:read", gives=YOU))
def me(call: Call) -> Reply:
    """See who you are: the player whose token it is."""
    return Reply(shown(call.site, yourself(call)), headers=PRIVATE)


@operation(
    api,
    Operation(
        method="PATCH",
        rule="/me",
        tag="me",
        scope="player:write",
        body=MY_CHANGES,
        gives=YOU,
        refuses=("too-many-requests",),
        examples={
            "another name": {"name": "Ann of Cleves", "zone": "Europe/Vienna"},
            "one mail a day": {"mail": {"cadence": "daily", "hour": 7, "reminders": ["80%", "12h"], "quiet": {"from": 22, "to": 6}}},
            "another address": {"email": "ann@example.net"},
        },
    ),
)
def change_me(call: Call) -> Reply:
    """Change your name, time zone, address, or how much mail you want.

    A new address counts once the mail that goes there is answered; the old one is told at once. What is left out stays as it is.
    """
    said, player = checked(call.site, call.body), yourself(call)
    try:
        sent = change(call.site, player, said)
    except NoSuchPlayer:
        raise gone() from None
    if not sent:
        words = "this address was asked too often within an hour; everything else was changed"
        raise Problem("too-many-requests", words, headers={"Retry-After": "3600"})
    return Reply(shown(call.site, yourself(call)), headers=PRIVATE)


@operation(
    api,
    Operation(
        method="DELETE",
        rule="/me",
        tag="me",
        scope="player:write",
        body=ERASING,
        gives={204: Gives(about="You are a former player.")},
        examples={"yes": {"erase": PLAYER}},
    ),
)
def erase_me(call: Call) -> Reply:
    """Be erased: name, address, keys, tokens, wishes. This cannot be undone.

    Your seats in running matches are resigned, those in waiting ones given back; a match that you opened and nobody else has joined is called
    off. The histories of matches stay as they are, so that they can be verified for ever: they name players by id alone, and pages show “a
    former player”. All your tokens and links die at once. Whoever signs up with the same address later is somebody new.
    """
    if call.body.get("erase", call.player) != call.player:
        words = "`erase` is not the id of the player whose token this is; `GET /api/v1/me` tells it. Nobody was erased"
        raise Problem("invalid-request", words, errors=[{"detail": words, "pointer": "#/erase"}])
    erase(call.site, yourself(call).id, "api")
    call.asking.porter.forget()
    return Reply(status=204, headers=PRIVATE)


def yourself(call: Call) -> Player:
    """The record of whoever asks."""
    player = call.site.players.get(call.player)
    if player is None:
        raise gone()
    return player


def gone() -> Problem:
    """The token was good a moment ago; its player is not here any more."""
    return Problem("not-authenticated", "the player of this token is no longer here", headers={"WWW-Authenticate": 'Bearer realm="forgepost"'})
