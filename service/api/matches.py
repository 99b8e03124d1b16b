"""Matches: listing them, looking at one, joining it before it begins and leaving it again."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from domain.chain import stamp
from domain.match.commands import Join, Leave
from domain.match.match import Chair, Match
from infra.listing import BadCursor, MatchRow
from service.api.acting import act
from service.api.play import DID
from service.api.showing import PRIVATE, etag, looked_up, shown, tagged
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.door.auth import lacking
from service.problems import Problem
from service.schemas.matches import JOIN, LEAVE, MATCH, MATCH_FILTER, MATCH_LIST


@operation(
    api,
    Operation(
        method="GET",
        rule="/matches",
        tag="matches",
        scope="matches:read",
        public=True,
        query=MATCH_FILTER,
        gives={200: Gives(about="A page of matches.", forms={JSON: MATCH_LIST}, headers=("Link",))},
        refuses=("not-authenticated",),
    ),
)
def list_matches(call: Call) -> Reply:
    """List matches, the newest first.

    Without a token these are the public ones; with one (that has the scope) also the private ones that you play in, are invited to or have created.
    The filters may be combined.
    """
    asked = dict(call.query)
    if "me" in (asked.get("player"), asked.get("awaiting")) and not call.player:
        raise (
            lacking(call.lacks, call.scopes)
            if call.lacks
            else Problem(
                "not-authenticated",
                "`me` is whose token it is: send one as `Authorization: Bearer fp_…`",
                headers={"WWW-Authenticate": 'Bearer realm="forgepost"'},
            )
        )
    for name in ("player", "awaiting"):
        if asked.get(name) == "me":
            asked[name] = call.player
    try:
        rows, following = call.site.listing.find(viewer=call.player, **asked)
    except BadCursor as wrong:
        raise Problem("invalid-request", str(wrong), errors=[{"detail": str(wrong), "parameter": "cursor"}]) from wrong
    headers = PRIVATE | ({"Link": call.next_link(cursor=following)} if following else {})
    return Reply({"matches": [_row(row) for row in rows], "next": following or None}, headers=headers)


@operation(
    api,
    Operation(
        method="GET",
        rule="/matches/<id>",
        tag="matches",
        short=True,
        scope="matches:read",
        public=True,
        gives={200: Gives(about="The match.", forms={JSON: MATCH}, headers=("ETag",)), 304: Gives(about="It is what you have.")},
        refuses=("no-such-match",),
    ),
)
def show_match(call: Call) -> Reply:
    """Look at a match as it stands.

    Public matches are open to everybody, whatever token comes along. A private one is shown to its players, to those invited and to whoever
    created it; to all others there is no such match. Ask again with `If-None-Match` and the `ETag`, and nothing is sent while nothing happens.
    """
    sight = looked_up(call)
    if call.knows(etag(sight)):
        return Reply(status=304, headers=tagged(sight))
    return Reply(shown(sight, call.site.signing), headers=tagged(sight))


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/join",
        tag="matches",
        scope="matches:play",
        guarded=True,
        body=JOIN,
        gives=DID,
        refuses=("no-such-match", "no-such-seat", "seat-taken", "match-over", "key-reused", "busy"),
        examples={"any seat": {}, "a given seat": {"seat": "south", "entropy": "tea leaves"}},
    ),
)
def join_match(call: Call) -> Reply:
    """Take a seat of a match that waits for players.

    An open seat is for whoever comes, in a private match for whoever has been told its id. With the last seat the match starts.
    """
    return act(call, lambda _match: Join(call.actor, call.body.get("seat"), call.body.get("entropy", UNSET)), may=_may_join)


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches/<id>/leave",
        tag="matches",
        scope="matches:play",
        guarded=True,
        body=LEAVE,
        gives=DID,
        refuses=("no-such-match", "not-seated", "seat-taken", "match-over", "key-reused", "busy"),
        examples={"leave": {}},
    ),
)
def leave_match(call: Call) -> Reply:
    """Give your seats back before the match begins, or decline an invitation.

    Once it has begun, a match is left by resigning. When nobody is left, the match is called off.
    """
    return act(call, lambda _match: Leave(call.actor))


def _may_join(match: Match, player: str) -> bool:
    return match.visible_to(player) or (match.status == "waiting" and Chair() in match.chairs)


def _row(row: MatchRow) -> dict[str, Any]:
    return {
        "id": row.match,
        "game": row.game,
        "status": row.status,
        "visibility": "public" if row.public else "private",
        "ply": row.ply,
        "version": row.version,
        "players": row.players,
        "bots": row.bots,
        "awaited": row.awaited,
        "invited": row.invited,
        "due": None if row.due is None else stamp(row.due),
        "created_at": stamp(row.created),
        "changed_at": stamp(row.changed),
    }
