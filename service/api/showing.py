"""A match as the API shows it, and whom it is shown to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from domain.chain import stamp
from domain.desk import Answer, Sight
from domain.match.match import Match, Pending
from domain.match.refusal import Refused
from infra.ids import is_match_id
from service.contract.operations import Call, Reply
from service.door.auth import lacking
from service.problems import Problem, to_act

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}  # kept by nobody but who asked, and not without asking again


class Signer(Protocol):
    """Whoever signs heads for the site."""

    def sign_head(self, match: str, version: int, head: bytes, /) -> str: ...


def looked_up(call: Call) -> Sight:
    """The match that the address names. One that may not be seen is as unknown as one that is not there."""
    name = call.path["id"]
    if not is_match_id(name):
        raise _unseen(call, name)
    try:
        sight = call.site.desk.look(name)
    except Refused as refused:
        raise _unseen(call, name) if refused.kind == "no-such-match" else refused from None
    if not sight.match.visible_to(call.player):
        raise _unseen(call, name)
    return sight


def looked_back(call: Call, sight: Sight, version: int) -> Sight:
    """The match as it was at a version that it has."""
    if version == sight.tip.version:
        return sight
    if not 1 <= version < sight.tip.version:
        raise Problem("no-such-version", f"match {sight.match.id} has the versions 1 to {sight.tip.version}")
    return call.site.desk.look_back(sight.match.id, version)


def _unseen(call: Call, name: str) -> Problem:
    """That there is nothing to see, or that there could be with a token that reaches so far, which is said of any name."""
    return lacking(call.lacks, call.scopes) if call.lacks else unknown(name)


def unknown(name: str) -> Problem:
    """The answer that gives nothing away."""
    return Problem("no-such-match", f"there is no match {name[:40]}, or it is private and the token that came along is none of its players'")


def shown(sight: Sight, signer: Signer) -> dict[str, Any]:
    """The match at one version; nothing in it depends on who looks, or when."""
    match, tip, offer = sight.match, sight.tip, sight.match.offer
    return {
        "id": match.id,
        "game": match.game.id,
        "edition": match.game.edition,
        "options": match.options,
        "settings": match.settings,
        "status": match.status,
        "ply": match.ply,
        "version": tip.version,
        "to_act": to_act(match),
        "seats": [
            {"seat": seat, "player": chair.player, "bot": chair.bot, "invited": chair.invited is not None, "vacated": seat in match.vacated}
            for seat, chair in zip(match.seats, match.chairs, strict=True)
        ],
        "view": None if match.state is None else match.game.view(match.state),
        "outcome": match.outcome,
        "offer": offer and _offer(offer),
        "take_back": _take_back(match),
        "paused_until": stamp(match.paused_until) if match.paused_until > match.at else None,
        "created_at": stamp(match.created),
        "changed_at": stamp(match.at),
        "head": {"version": tip.version, "hash": tip.hash.hex(), "signature": signer.sign_head(match.id, tip.version, tip.hash)},
    }


def etag(sight: Sight) -> str:
    """What tells this version of the match from every other: `12-3f9a…`."""
    return f"{sight.tip.version}-{sight.tip.hash.hex()[:16]}"


def tagged(sight: Sight) -> dict[str, str]:
    """The headers of whatever shows the match at this version."""
    return {"ETag": f'"{etag(sight)}"', **PRIVATE}


def done(call: Call, answer: Answer) -> Reply:
    """What happened and the match after it."""
    return answered({"events": answer.lines, "match": shown(answer.sight, call.site.signing)}, answer, PRIVATE)


def answered(body: Mapping[str, Any], answer: Answer, headers: Mapping[str, str]) -> Reply:
    """201, or 200 where this very request had been done before; 202 as long as replicas have yet to say that they have it."""
    status = 202 if answer.pending else 200 if answer.replayed else 201
    return Reply(body, status, {**headers, **({"Idempotent-Replayed": "true"} if answer.replayed else {})})


def _offer(offer: Pending) -> dict[str, Any]:
    said = {"offer": offer.offer, "kind": offer.kind, "seconds": offer.seconds or None}
    return {**said, "player": offer.player, "agreed": sorted(offer.agreed)}


def _take_back(match: Match) -> dict[str, Any] | None:
    until = match.last_chance_to_take_back
    return None if match.mark is None or until is None else {"seat": match.mark.seat, "until": stamp(until)}
