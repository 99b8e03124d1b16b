"""A match told as it happens: who may listen, and from where on. The telling itself is no worker's (service/streams)."""

from __future__ import annotations

import re
from functools import partial

from domain.desk import Sight
from domain.match.refusal import Refused
from domain.ports import LogUnavailable
from service.api.showing import looked_up
from service.blueprints import api
from service.contract.operations import Call, Gives, Operation, Reply, operation
from service.door.porter import Porter
from service.problems import Problem
from service.schemas.play import STREAM_QUERY
from service.streams.frames import MEDIA
from service.streams.stream import OPENING, Opening, Wish

HEADERS = {
    "Cache-Control": "no-store",
    "Vary": "Authorization",
    "X-Accel-Buffering": "no",  # nginx would keep events until it has enough of them
}
VERSION = re.compile(r"0|[1-9][0-9]{0,7}")


@operation(
    api,
    Operation(
        method="GET",
        rule="/matches/<id>/stream",
        tag="history",
        scope="matches:read",
        public=True,
        query=STREAM_QUERY,
        resumed=True,
        gives={
            200: Gives(about="Events, as they happen.", forms={MEDIA: {"type": "string"}}),
            204: Gives(about="The match is over, and all of it has been told: do not come back."),
        },
        refuses=("no-such-match", "no-such-version", "invalid-request", "too-many-streams", "streams-full", "no-streams"),
    ),
)
def stream_match(call: Call) -> Reply:
    """Listen to a match: its events, as they happen.

    These are server-sent events, as `EventSource` reads them. `data` is an `Event` as in the history (one line of canonical JSON), `event` its
    type, `id` its version. They begin with what happens next, or with the version `from`; whoever comes back with the `Last-Event-ID` of the last
    event they got, misses none and gets none twice, whatever became of the server meanwhile. Every event comes in its order; let pass the types
    that you do not know, and lines that begin with a colon, which come every 15 seconds so that nobody takes the connection for dead.

    After the last event (`seed.revealed`) comes one of the type `stream.ended`, without `id`, and the connection is closed; who comes back is
    answered `204`, and `EventSource` stops then. A connection that is closed without it was interrupted: come back after `retry` milliseconds.
    That happens when the server is restarted, and to whoever reads too slowly. A stream of a private match ends soon after its token was revoked.
    """
    sight = looked_up(call)
    after = _after(call, sight)
    if after == sight.tip.version and sight.match.status in ("over", "aborted"):
        return Reply(status=204, headers=HEADERS)
    opening: Opening | None = call.request.environ.get(OPENING)
    if opening is None:
        raise Problem("no-streams", "this server was started without streams: look at the match now and then instead")
    if call.request.method == "GET":
        still = partial(_still, call, call.asking.porter, sight.match.id, call.asking.token)
        past = partial(call.site.desk.history, sight.match.id)
        opening.take(Wish(sight.match.id, after, sight.tip, call.player or call.asking.whence, past, still))
    return Reply(None, headers=HEADERS, media=MEDIA)


def _after(call: Call, sight: Sight) -> int:
    """The version after which to begin."""
    last, tip = call.request.headers.get("Last-Event-ID", "").strip(), sight.tip.version
    if last and not VERSION.fullmatch(last):
        words = "`Last-Event-ID` must be a version of the match: the `id` of the last event that you got"
        raise Problem("invalid-request", words, errors=[{"detail": words, "header": "Last-Event-ID"}])
    after = int(last) if last else call.query.get("start", tip + 1) - 1
    if after > tip:
        raise Problem("no-such-version", f"match {sight.match.id} has the versions 1 to {tip}; version {after} is none that happened here")
    return after


def _still(call: Call, porter: Porter, match: str, token: str) -> bool:
    """Whether they may still listen. While that cannot be found out nothing can be told either, and nobody is sent away."""
    try:
        if token and porter.grant(token) is None:
            return False
        return call.site.desk.look(match).match.visible_to(call.player)
    except LogUnavailable:
        return True
    except Refused:
        return False
