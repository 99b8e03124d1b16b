"""How much mail you want about one match, where that is not what you want in general."""

from __future__ import annotations

from typing import Any

from infra.people.preferences import told
from service.api.me import yourself
from service.api.showing import PRIVATE, looked_up
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import NO_MAIL, Problem
from service.schemas.accounts import MAIL_CHOICE, MATCH_MAIL


@operation(
    api,
    Operation(
        method="GET",
        rule="/me/matches/<id>/mail",
        tag="me",
        scope="player:read",
        gives={200: Gives(about="What counts for this match.", forms={JSON: MATCH_MAIL})},
        refuses=("not-seated",),
    ),
)
def match_mail(call: Call) -> Reply:
    """See how much mail you get about a match."""
    return _answer(call, _mine(call))


@operation(
    api,
    Operation(
        method="PUT",
        rule="/me/matches/<id>/mail",
        tag="me",
        scope="player:write",
        body=MAIL_CHOICE,
        gives={200: Gives(about="What counts for this match now.", forms={JSON: MATCH_MAIL})},
        refuses=("not-seated",),
        examples={"no mail": {"cadence": "off"}, "as in general": {}},
    ),
)
def choose_match_mail(call: Call) -> Reply:
    """Choose how much mail you want about a match.

    This takes the place of what you chose for it before; what is left out is as in general, so that an empty object takes everything back.
    """
    match = _mine(call)
    call.site.preferring.choose(yourself(call).id, call.body, match, afresh=True)
    return _answer(call, match)


def _mine(call: Call) -> str:
    """The id of the match, which must be one that mails come of."""
    match = looked_up(call).match
    if call.player not in match.concerned:
        raise Problem("not-seated", NO_MAIL)
    return match.id


def _answer(call: Call, match: str) -> Reply:
    preferring = call.site.preferring
    said: dict[str, Any] = {"mail": told(preferring.preferences(call.player, match)), "own": bool(preferring.chosen(call.player, match))}
    return Reply(said, headers=PRIVATE)
