"""An invitation: what to, by whom, and yes or no."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, request
from msgspec import UNSET

from domain.game import Seat
from domain.match.commands import Actor, Join, Leave
from domain.match.events import SeatLeft
from domain.match.match import Match
from domain.match.reading import plain
from domain.match.refusal import Refused
from domain.match.terms import terms
from infra.people.players import NoSuchPlayer
from infra.people.spelling import Misspelled, spelled
from service.here import site
from service.pages.frame import sentence, sheet
from service.pages.once import once
from service.pages.opening import Opened
from service.pages.options import Unfit
from service.pages.scene import scene_of
from service.pages.starting.wishes import pinch
from service.problems import SORTS


def show(opened: Opened, status: int = 200, refused: str = "", wrong: Mapping[str, str] | None = None) -> Response:
    """The invitation, or what became of it; `wrong` says beside which field what is wrong with it."""
    match, player = opened.match, opened.player
    seat = _seat(match, player)
    known = site().players.get(player) if player else None
    return sheet(
        "invitation.html",
        status,
        opened=opened,
        scene=scene_of(opened.sight, seat, player),
        seated=seat is not None,
        declined=player is not None and _declined(match, player),
        kept=player is not None and _kept(match, player) is not None,
        name=plain(request.form.get("name", known.name if known else ""), 80),
        entropy=plain(request.form.get("entropy", ""), 100),
        terms=terms(match),
        refused=refused,
        wrong=wrong or {},
    )


def act(opened: Opened, wish: str) -> Response:
    """Yes, under the name that is given, or no."""
    player = opened.player
    if player is None:
        return show(opened, 409, refused="This seat is kept for nobody.")
    try:
        match wish:
            case "accept":
                return _accept(opened, player)
            case "decline":
                site().desk.do(opened.match.id, Leave(Actor(player, opened.via)), once(opened, "decline"))
                return opened.back()
            case _:
                return show(opened, 400, refused=f"This page has no button “{plain(wish, 40)}”. Nothing was done; use one of the buttons below.")
    except NoSuchPlayer:
        return show(opened, 409, refused="This invitation was for somebody who is no longer here.")
    except Refused as no:
        return show(opened, SORTS[no.kind].status, refused=f"Not done: {no.words}.")


def _accept(opened: Opened, player: str) -> Response:
    """Sit down. Who sits already has clicked twice, and the desk knows that. Raises Refused and NoSuchPlayer."""
    match = opened.match
    kept = _kept(match, player)
    if kept is None and not match.seats_of(player):
        return show(opened, 409, refused="The seat is not kept for you any more.")
    wrong: dict[str, str] = {}
    said = request.form.get("name", "")
    try:
        name = spelled(said)
    except Misspelled as why:
        wrong["name"] = sentence(str(why), said.strip())
    try:
        entropy = pinch(request.form.get("entropy", ""))
    except Unfit as why:
        wrong["entropy"] = sentence(str(why))
    if wrong:
        return show(opened, 422, wrong=wrong)
    if kept is not None:
        site().players.rename(player, name)  # before the first mail names them
    site().desk.do(match.id, Join(Actor(player, opened.via), seat=kept, entropy=entropy or UNSET), once(opened, "accept"))
    return opened.back()


def _declined(match: Match, player: str) -> bool:
    """Whether the player said no, or gave the seat back, before the start."""
    if match.seats_of(player) or _kept(match, player) is not None:
        return False
    return any(isinstance(event.fact, SeatLeft) and event.by.player == player for event in site().desk.events(match))


def _seat(match: Match, player: str | None) -> Seat | None:
    """The player's first seat; None where they have none."""
    return next(iter(match.seats_of(player)), None) if player else None


def _kept(match: Match, player: str) -> Seat | None:
    """The seat that still waits for the player's answer."""
    if match.status != "waiting":
        return None
    return next((seat for seat, chair in zip(match.seats, match.chairs, strict=True) if chair.invited == player and chair.player is None), None)
