"""What has happened in a match: as JSON page by page, as the export that proves itself, and as the match was at each version."""

from __future__ import annotations

from flask import request

from domain.chain import canonical
from service.api.blueprints import api
from service.api.showing import PRIVATE, etag, looked_back, looked_up, shown, tagged
from service.export import MEDIA, export, named
from service.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import Problem
from service.schemas.matches import MATCH
from service.schemas.play import HISTORY, HISTORY_QUERY

PAGE = 100  # events, unless somebody asks for another number


@operation(
    api,
    Operation(
        method="GET",
        rule="/matches/<id>/history",
        tag="history",
        scope="matches:read",
        public=True,
        query=HISTORY_QUERY,
        gives={
            200: Gives(
                about="Events. In NDJSON one canonical line each; the whole history comes as an export, between a header line that names the "
                "site, its public keys, the game and the match, and a trailer line with the signed head. A range comes without them.",
                forms={JSON: HISTORY, MEDIA: {"type": "string"}},
                headers=("Link",),
            )
        },
        refuses=("no-such-match", "not-acceptable"),
    ),
)
def read_history(call: Call) -> Reply:
    """Read what has happened, event by event.

    Everything that a match is follows from these events. Each line's `hash` can be made anew from the line alone, so that the whole
    history can be checked offline: `forgepost history verify FILE` does that with the export, `Accept: application/x-ndjson`.
    """
    sight = looked_up(call)
    form = request.accept_mimetypes.best_match([JSON, MEDIA]) if request.accept_mimetypes else JSON
    start, limit = call.query.get("start"), call.query.get("limit")
    if form is None:
        raise Problem("not-acceptable", f"the history comes as {JSON} or as {MEDIA}")
    if form == JSON:
        first, most = start or 1, limit or PAGE
        lines = call.site.desk.history(sight.match.id, first - 1, most)
        following = first + most if lines and lines[-1].version < sight.tip.version else None
        headers = PRIVATE | ({} if following is None else {"Link": call.next_link(**{"from": str(following)})})
        return Reply({"events": lines, "next": following}, headers=headers)
    if start is None and limit is None:
        named_as = {"Content-Disposition": f'inline; filename="{named(sight)}"'}
        return Reply(export(call.site, sight), headers=tagged(sight) | named_as, media=MEDIA)
    lines = call.site.desk.history(sight.match.id, (start or 1) - 1, limit)
    return Reply(b"".join(canonical(line) + b"\n" for line in lines), headers=PRIVATE, media=MEDIA)


@operation(
    api,
    Operation(
        method="GET",
        rule="/matches/<id>/history/<int:version>",
        tag="history",
        scope="matches:read",
        public=True,
        gives={
            200: Gives(about="The match as it was.", forms={JSON: MATCH}, headers=("ETag",)),
            304: Gives(about="It is what you have."),
        },
        refuses=("no-such-match", "no-such-version"),
    ),
)
def match_at_version(call: Call) -> Reply:
    """Look at a match as it was at an earlier version, with the head that it had then."""
    sight = looked_back(call, looked_up(call), call.path["version"])
    if call.knows(etag(sight)):
        return Reply(status=304, headers=tagged(sight))
    return Reply(shown(sight, call.site.signing), headers=tagged(sight))
