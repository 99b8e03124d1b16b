"""What has happened in a match: as JSON page by page, as the export that proves itself, and as the match was at each version."""

from __future__ import annotations

from domain.chain import canonical
from domain.desk import Sight
from domain.match.telling import anonymous
from service.api.showing import PRIVATE, etag, looked_back, looked_up, shown, tagged
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.export import MEDIA, TEXT, export, named, readable
from service.problems import Problem
from service.schemas.matches import MATCH
from service.schemas.play import HISTORY, HISTORY_QUERY

VARIED = {"Vary": "Accept, Authorization"}
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
                "site, its public keys, the game and the match, and a trailer line with the signed head. A range comes without them. As plain text "
                "it is a record to read: seats, terms, every event with its time, and the head.",
                forms={JSON: HISTORY, MEDIA: {"type": "string"}, TEXT: {"type": "string"}},
                headers=("Content-Disposition", "Link"),
            )
        },
        refuses=("no-such-match", "not-acceptable"),
    ),
)
def read_history(call: Call) -> Reply:
    """Read what has happened, event by event.

    Everything that a match is follows from these events. Each line's `hash` can be made anew from the line alone, so that the whole
    history can be checked offline: `forgepost history verify FILE` does that with the export, `Accept: application/x-ndjson`.

    The export's trailer, `{"forgepost":"head",…}`, holds `match`, `version` and `hash` of the last event, `header` (the SHA-256 of the header
    line without its LF), and two compact JWS by a key of the header: `signature` over the head (`typ` `forgepost-head+jws`, the same as in
    a match's `head`) and `seal` over `hash`, `header`, `match` and `version` (`typ` `forgepost-export+jws`), so that no byte of it can be changed.
    """
    sight = looked_up(call)
    form = call.form(JSON, MEDIA, TEXT)
    start, limit = call.query.get("start"), call.query.get("limit")
    if form is None:
        raise Problem("not-acceptable", f"the history comes as {JSON}, as {MEDIA} or as {TEXT}")
    if form == TEXT:
        if start is not None or limit is not None:
            raise Problem("not-acceptable", f"the text is always that of the whole history: ask without `from` and `limit`, or for {JSON}")
        text = readable(call.site, sight, anonymous(sight.match, call.site.desk.events(sight.match)))
        return Reply(text, headers=PRIVATE | VARIED | _kept_as(sight, "txt"), media=TEXT)
    if form == MEDIA and start is None and limit is None:
        return Reply(export(call.site, sight), headers=PRIVATE | VARIED | _kept_as(sight, "ndjson"), media=MEDIA)
    first = start or 1
    most = limit or (PAGE if form == JSON else sight.tip.version)
    lines = call.site.desk.history(sight.match.id, first - 1, most)
    following = first + most if lines and lines[-1].version < sight.tip.version else None
    headers = PRIVATE | VARIED | ({} if following is None else {"Link": call.next_link(**{"from": str(following)})})
    if form == JSON:
        return Reply({"events": lines, "next": following}, headers=headers)
    return Reply(b"".join(canonical(line) + b"\n" for line in lines), headers=headers, media=MEDIA)


def _kept_as(sight: Sight, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'inline; filename="{named(sight, ending)}"'}


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
