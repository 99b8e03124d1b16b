"""The full history of a match: every event in words, the position after each, and the file that proves it."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, request, url_for

from domain.desk import Sight
from domain.game import Seat
from domain.match.evidence import Evidence, evidence
from domain.match.telling import Cast
from domain.match.telling import named as named_in
from service.export import MEDIA, TEXT, export, named, readable
from service.here import site
from service.pages.frame import SCRIPTED, pages, sheet
from service.pages.playing.match import at_version, eyes, held, public_sight
from service.pages.scene import scene_of


@pages.get("/h/<token>", endpoint="brief_history")  # as short as the other links, for mails that are only text
@pages.get("/m/<token>/history")
def link_history(token: str) -> Response:
    """For the holder of a link."""
    opened = held(token)
    home, file = url_for("pages.link", token=opened.text), url_for("pages.link_history_file", token=opened.text)
    return _page(opened.sight, opened.seat, opened.player, home, file)


@pages.get("/matches/<match>/history")
def public_history(match: str) -> Response:
    """For everybody, where the match is public."""
    sight = public_sight(match)
    return _page(sight, *eyes(sight), url_for("pages.public", match=match), url_for("pages.public_history_file", match=match))


@pages.get("/m/<token>/history.ndjson")
def link_history_file(token: str) -> Response:
    """The export, for the holder of a link."""
    return _file(held(token).sight)


@pages.get("/matches/<match>/history.ndjson")
def public_history_file(match: str) -> Response:
    """The export of a public match."""
    return _file(public_sight(match))


@pages.get("/m/<token>/history.txt")
def link_history_text(token: str) -> Response:
    """The record to read, for the holder of a link."""
    opened = held(token)
    return _text(opened.sight, opened.player)


@pages.get("/matches/<match>/history.txt")
def public_history_text(match: str) -> Response:
    """The record of a public match to read."""
    return _text(public_sight(match), None)


def _page(sight: Sight, seat: Seat | None, player: str | None, home: str, file: str) -> Response:
    """The history up to now, with the board at `?version=` or as it is."""
    past = at_version(sight)
    shown, whole = scene_of(past, seat, player), scene_of(sight, seat, player)
    behind = _behind(past)
    signature = site().signing.sign_head(sight.match.id, sight.tip.version, sight.tip.hash)
    said: dict[str, Any] = {"home": home, "file": file, "named": named(sight), "there": request.path, "signature": signature}
    page = sheet("history.html", scene=shown, all=whole, behind=behind, **said)
    page.headers["Content-Security-Policy"] = SCRIPTED
    return page


def _behind(sight: Sight) -> Evidence:
    """What stands behind the newest event of a match as it is, or was."""
    version, name = sight.match.version, sight.match.id
    (line,) = site().desk.history(name, version - 1, 1)
    return evidence(line, site().desk.events(sight.match)[-1])


def _text(sight: Sight, player: str | None) -> Response:
    cast = Cast(sight.match, site().players.names(named_in(sight.match)), player)
    made = make_response(readable(site(), sight, cast))
    made.mimetype = TEXT
    made.headers["Content-Disposition"] = f'inline; filename="{named(sight, "txt")}"'
    return made


def _file(sight: Sight) -> Response:
    made = make_response(export(site(), sight))
    made.mimetype = MEDIA
    made.headers["Content-Disposition"] = f'attachment; filename="{named(sight)}"'
    return made
