"""A match for whoever is signed in: the same pages that links lead to, at addresses that need no link."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from domain.desk import Sight
from domain.game import Seat
from service.pages.frame import go, pages, sheet
from service.pages.opening import Opened, at_ending, at_invitation, at_table, at_turn
from service.pages.playing import turn
from service.pages.playing.link import done, show
from service.pages.playing.match import public_sight
from service.pages.playing.onward import bots_alone, onward
from service.pages.scene import scene_of
from service.pages.session import must_be_ours, signed_in, yourself

BOTH: dict[str, Any] = {"methods": ["GET", "POST"], "strict_slashes": False}


@pages.route("/matches/<match>", **BOTH)
def public(match: str) -> Response:
    """A match: for whoever is signed in, what waits for them there; for others, from no seat in particular, where it is public."""
    sight, here = public_sight(match), signed_in()
    opened = at_table(sight, here.id) if here else None
    if request.method == "POST":
        yourself()
        must_be_ours()
    if opened is not None:
        return _answer(opened)
    return sheet("match.html", opened=None, scene=scene_of(sight, None, None), asked=(), onward=False, refused="", mailed=False, host="")


@pages.route("/matches/<match>/turns/<seat>/<int:ask>", **BOTH)
def seat_turn(match: str, seat: Seat, ask: int) -> Response:
    """A turn, and what became of it."""
    sight, player = _let_in(match)
    opened = at_turn(sight, player, seat, ask)
    return _answer(opened) if opened else go("pages.public", match=match)


@pages.get("/matches/<match>/turns/<seat>/<int:ask>/next")
def seat_next(match: str, seat: Seat, ask: int) -> Response:
    """From a turn just played to the next one."""
    sight, player = _let_in(match)
    opened = at_turn(sight, player, seat, ask)
    if opened is None:
        return go("pages.public", match=match)
    return turn.show(opened, goes_on=True) if opened.ask is None and bots_alone(opened.match) else onward(opened)


@pages.route("/matches/<match>/ending", **BOTH)
def seat_ending(match: str) -> Response:
    """Ending the match by agreement, or leaving it."""
    sight, player = _let_in(match)
    opened = at_ending(sight, player)
    return _answer(opened) if opened else go("pages.public", match=match)


@pages.route("/matches/<match>/invitation", **BOTH)
def seat_invitation(match: str) -> Response:
    """Yes or no; once that is said, on to the match or, after a no, to one's own matches."""
    sight, player = _let_in(match)
    opened = at_invitation(sight, player)
    if opened:
        return _answer(opened)
    return go("pages.public", match=match) if at_table(sight, player) else go("pages.me")


def _let_in(match: str) -> tuple[Sight, str]:
    """The match and whoever is signed in; a form that did not come from a page of theirs goes no further."""
    player = yourself().id
    if request.method == "POST":
        must_be_ours()
    return public_sight(match), player


def _answer(opened: Opened) -> Response:
    """GET shows, POST acts."""
    return done(opened, request.form.get("do", "play")) if request.method == "POST" else show(opened)
