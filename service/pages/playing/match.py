"""A match to look at: for whoever holds a link to it, and for everybody where its players play in public."""

from __future__ import annotations

from flask import Response, abort, make_response, request

from domain.desk import Sight
from domain.game import Seat
from domain.match.past import last_actions
from domain.match.refusal import Refused
from infra.ids import is_match_id
from service.here import site
from service.pages import resend
from service.pages.frame import pages, sheet
from service.pages.opening import Opened, at_table, open_link
from service.pages.scene import picture, scene_of
from service.pages.session import signed_in
from service.pages.starting.started import host_page
from service.pages.stray import faded, unknown


def show(opened: Opened, status: int = 200, refused: str = "") -> Response:
    """The match for a player who has no say in it just now."""
    scene = scene_of(opened.sight, opened.seat, opened.player)
    mailed, waits = "mailed" in request.args, opened.match.status == "waiting"
    host = host_page(opened.match.id) if waits and opened.player and opened.player == opened.match.creator else ""
    return sheet(
        "match.html", status, opened=opened, scene=scene, asked=resend.asked(opened), onward=False, refused=refused, mailed=mailed, host=host
    )


@pages.get("/m/<token>/board.svg")
def link_board(token: str) -> Response:
    """The board as the holder of a link sees it."""
    opened = held(token)
    return board(opened.sight, opened.seat)


@pages.get("/matches/<match>/board.svg")
def public_board(match: str) -> Response:
    """The board of a public match."""
    sight = public_sight(match)
    return board(sight, eyes(sight)[0])


def board(sight: Sight, seat: Seat | None) -> Response:
    """A picture of its own, at `?version=` or as it is now."""
    sight = at_version(sight)
    drawn = picture(sight.match, seat, sight.match.game.look, last_actions(site().desk.events(sight.match)))
    if not drawn:
        abort(404, "The match has not begun, so there is no board to see yet.")
    made = make_response(str(drawn))
    made.mimetype = "image/svg+xml"
    return made


def held(token: str) -> Opened:
    """A link that may still see its match; otherwise the answer is the page that helps on."""
    opened = open_link(token)
    if opened is None:
        abort(unknown())
    if opened.validity != "holds":
        abort(faded(opened))
    return opened


def public_sight(match: str) -> Sight:
    """A public match, or one of whoever is signed in; any other that is private is as unknown as one that is not."""
    words = "There is no public match of this name. A private match is seen by its players, signed in or by the links in their mails."
    if not is_match_id(match):
        abort(404, words)
    try:
        sight = site().desk.look(match)
    except Refused as refused:
        if refused.kind != "no-such-match":
            raise
        abort(404, words)
    here = signed_in() if sight.match.settings.visibility != "public" else None
    if sight.match.settings.visibility != "public" and not (here and sight.match.visible_to(here.id)):
        abort(404, words)
    return sight


def eyes(sight: Sight) -> tuple[Seat | None, str | None]:
    """With whose eyes a match is seen at its own address: those of whoever is signed in, or nobody's."""
    here = signed_in()
    opened = at_table(sight, here.id) if here else None
    return (opened.seat, opened.player) if opened else (None, None)


def at_version(sight: Sight) -> Sight:
    """The match as it was at `?version=`, or as it is."""
    said = request.args.get("version", "")
    if not said:
        return sight
    if not (said.isascii() and said.isdigit() and len(said) < 10 and 1 <= int(said) <= sight.match.version):
        abort(404, f"Versions of this match count its events, from 1 to {sight.match.version}.")
    return site().desk.look_back(sight.match.id, int(said))
