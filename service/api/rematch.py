"""Playing once more with the same players."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from domain.match.refusal import Refused
from infra.rematching import play_again
from service.api.acting import in_words
from service.api.once import again, once, repeated
from service.api.showing import looked_up, shown, tagged
from service.blueprints import api
from service.contract.operations import JSON, PENDING, Call, Gives, Operation, Reply, operation
from service.schemas.matches import MATCH, REMATCH

BEGUN: Final = Gives(about="The rematch was created, or you took your seat in it.", forms={JSON: MATCH}, headers=("Location", "ETag"))


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/rematch",
        tag="matches",
        scope="matches:create",
        limit="create",
        body=REMATCH,
        gives={
            201: BEGUN,
            200: repeated(BEGUN, "The rematch that there is, as it stands; you sit in it already."),
            202: Gives(about=PENDING, forms={JSON: MATCH}, headers=("Location", "ETag", "Idempotent-Replayed")),
        },
        refuses=("no-such-match", "not-over", "not-seated", "seat-taken", "busy"),
        examples={"once more": {}, "with a word for the lots": {"entropy": "tea leaves"}},
    ),
)
def rematch(call: Call) -> Reply:
    """Play again with the same players, house bots included, by the same options and settings.

    You sit down and the others are invited by mail. There is one rematch of a match: whoever asks for it next takes the seat that is kept
    for them there, and asking twice does nothing more. Where seats are not drawn by lot, everybody moves on by one seat.
    """
    site, match, news = call.site, looked_up(call).match, True

    def do(_: str) -> str:
        nonlocal news
        try:
            answer = play_again(site, match, call.actor, call.body.get("entropy", UNSET))
        except Refused as refused:
            raise in_words(call, refused) from None
        news = not answer.replayed
        return answer.sight.match.id

    def tell(name: str, _: str) -> Reply:
        sight = site.desk.look(name)
        headers = {"Location": f"{site.settings.url}/api/v1/matches/{name}", **tagged(sight)}
        return Reply(shown(sight, site.signing), 202 if site.log.pending(name) else 201, headers)

    reply = once(call, do, tell)
    return reply if news else again(reply)
