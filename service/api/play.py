"""Playing: submitting actions, trying them, taking a turn back, resigning, ending by agreement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from domain.match.codec import encode
from domain.match.commands import Answer, Command, Offer, Resign, TakeBack
from domain.match.events import Event
from domain.match.match import Match, evolve
from domain.match.play import must_hold
from domain.match.reading import signed_submission, submission
from domain.match.refusal import Refused
from service.api.acting import Wish, act, as_seen, in_words, named, seen
from service.api.showing import PRIVATE
from service.blueprints import api
from service.contract.operations import JSON, PENDING, Call, Gives, Operation, Reply, operation
from service.problems import Problem
from service.schemas.play import DONE, NEW_OFFER, OFFER_REPLY, RESIGNATION, SUBMISSION, TAKE_BACK, TRIED

PAUSE: Final = 259_200  # seconds, where nobody says how long a pause is to last

DID: Final = {
    201: Gives(about="It was done.", forms={JSON: DONE}),
    200: Gives(
        about="This very request, by its idempotency key or its signature, was done before: this is what it brought then.",
        forms={JSON: DONE},
        headers=("Idempotent-Replayed",),
    ),
    202: Gives(about=PENDING, forms={JSON: DONE}, headers=("Idempotent-Replayed",)),
}
NOT_PLAYED: Final = (
    "stale-ply",
    "stale-head",
    "not-your-turn",
    "deadline-passed",
    "match-over",
    "not-live",
    "interrupted",
    "illegal-action",
    "unreadable-text",
    "no-such-seat",
    "not-your-seat",
)
AS_JSON: Final = {"seat": "south", "ply": 9, "actions": [{"type": "advance", "runner": "S1", "to": "c2"}]}
AS_TEXT: Final = {"seat": "south", "ply": 9, "text": "S1>c2"}


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/submissions",
        tag="play",
        short=True,
        scope="matches:play",
        guarded=True,
        body=SUBMISSION,
        signed=True,
        gives=DID,
        refuses=(*NOT_PLAYED, "key-reused", "busy"),
        examples={"actions": AS_JSON, "text": AS_TEXT, "two lines": {"seat": "south", "ply": 9, "text": "S1>c2; S2>b3"}},
    ),
)
def submit(call: Call) -> Reply:
    """Play one or more actions of your seat.

    They are for the position at `ply` and are done in order, all or none. Whatever follows by itself happens at once: lots are drawn,
    forced actions made, until somebody must decide again or the match is over. If chance, another seat or a forced action would come
    in between your actions, none is done and nothing is drawn.

    Send an `Idempotency-Key`, and the same request may be sent again whenever an answer is lost.

    Or sign it: as `application/jose`, the body is a compact JWS (RFC 7515) over a `SignedMove`, by a key that you have registered. It
    needs no token, is its own idempotency key for ever, and stays in the history, so that the move can never be disowned nor invented.
    Its protected header is exactly `{"alg":"Ed25519","kid":"…","typ":"forgepost-move+jws"}`; header and payload are canonical JSON (RFC 8785).
    """
    return act(call, _submission(call))


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/checks",
        tag="play",
        limit="heavy",
        scope="matches:play",
        guarded=True,
        body=SUBMISSION,
        signed=True,
        gives={200: Gives(about="It could be done now.", forms={JSON: TRIED})},
        refuses=NOT_PLAYED,
        examples={"actions": AS_JSON, "text": AS_TEXT},
    ),
)
def check_submission(call: Call) -> Reply:
    """Try a submission without making it.

    The body is that of a submission, also of a signed one. The answer says what would happen up to the first draw of lots, or why it
    cannot be done, in the same words. Nothing is done, and nothing is given away about the lots.
    """
    name = named(call)
    try:
        made = call.site.desk.check(name, seen(call, _submission(call)), as_seen(call))
    except Refused as refused:
        raise in_words(call, refused) from None
    return Reply(_foreseen(call.site.desk.look(name).match, made), headers=PRIVATE)


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/take-back",
        tag="play",
        scope="matches:play",
        guarded=True,
        body=TAKE_BACK,
        gives=DID,
        refuses=("nothing-to-take-back", "match-over", "not-live", "no-such-seat", "not-your-seat", "key-reused", "busy"),
        examples={"take back": {"seat": "south"}},
    ),
)
def take_back(call: Call) -> Reply:
    """Take back the turn that your seat has just taken.

    Possible until `take_back.until` of the match, as long as no lot was drawn and nobody else has decided anything since. Forced and
    caretaker actions go back with it. Nothing is erased: taking back is an event as well.
    """
    return act(call, lambda _match: TakeBack(call.actor, call.body["seat"]))


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/resignation",
        tag="play",
        scope="matches:play",
        guarded=True,
        body=RESIGNATION,
        gives=DID,
        refuses=("match-over", "not-live", "not-seated", "no-such-seat", "not-your-seat", "key-reused", "busy"),
        examples={"leave": {}, "leave, naming a seat": {"seat": "south"}},
    ),
)
def resign(call: Call) -> Reply:
    """Leave the match for good, with all your seats.

    They are vacated and rank below all others. In a match for two the other seat wins; with more, the match goes on without you.
    """

    def wish(match: Match) -> Command:
        if seat := call.body.get("seat"):
            must_hold(match, seat, call.player)
        return Resign(call.actor)

    return act(call, wish)


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/offers",
        tag="play",
        scope="matches:play",
        guarded=True,
        body=NEW_OFFER,
        gives=DID,
        refuses=("offer-pending", "invalid-offer", "nothing-to-take-back", "match-over", "not-live", "not-seated", "key-reused", "busy"),
        examples={"end": {"kind": "end"}, "take back": {"kind": "take-back"}, "a week's pause": {"kind": "pause", "seconds": 604_800}},
    ),
)
def make_offer(call: Call) -> Reply:
    """Offer to end the match as it stands, to take your last turn back, or to let the clock stand still.

    It is done when all players who are still in the match have agreed; house bots do. An offer lapses with the next action.
    """
    kind = call.body["kind"]
    seconds = call.body.get("seconds", PAUSE if kind == "pause" else UNSET)
    return act(call, lambda _match: Offer(call.actor, kind, seconds))


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/offers/<int:n>/answer",
        tag="play",
        scope="matches:play",
        guarded=True,
        body=OFFER_REPLY,
        gives=DID,
        refuses=("no-such-offer", "offer-pending", "match-over", "not-live", "not-seated", "key-reused", "busy"),
        examples={"yes": {"answer": "accept"}, "no": {"answer": "decline"}},
    ),
)
def answer_offer(call: Call) -> Reply:
    """Accept or decline the offer on the table, for all your seats."""
    return act(call, lambda _match: Answer(call.actor, call.path["n"], call.body["answer"]))


def _submission(call: Call) -> Wish:
    """What the body says, as it reads in the match as it stands."""
    if move := call.move:
        if move.match != named(call):
            words = f"`match` is {move.match}, and this is the address of {named(call)}: what was signed for one match is not played in another"
            raise Problem("invalid-request", words, errors=[{"detail": words, "pointer": "#/match"}])
        return signed_submission(call.player, move)
    body = call.body
    said = body["text"] if "text" in body else body["actions"]
    return submission(call.actor, body["seat"], body["ply"], said, body.get("nonce", UNSET))


def _foreseen(match: Match, made: list[Event]) -> Mapping[str, Any]:
    """What would happen; times, versions and hashes are not foreseen."""
    events = []
    for event in made:
        match = evolve(match, event)
        kind, body = encode(event)
        name, _, schema = kind.rpartition(".")
        said = msgspec.json.decode(body)
        events.append({"type": name, "schema": int(schema), "ply": said["ply"], "by": said["by"], "data": said["data"]})
    live = match.status == "live"
    chance = live and match.game.chance_due(match.state)
    return {"events": events, "chance_due": chance, "to_act": [ask.seat for ask in match.asks] if live and not chance else []}
