"""What is not played but agreed on (the end, a pause, going back), and leaving, which takes a typed word."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.match.commands import Actor, Answer, Offer, Resign
from domain.match.reading import plain
from domain.match.refusal import Refused
from infra.seals.links import to_ending
from service.here import site
from service.pages.frame import sheet
from service.pages.once import once
from service.pages.opening import Opened
from service.pages.scene import scene_of
from service.problems import SORTS

WORD = "resign"  # what is typed by whoever means it


def link(opened: Opened) -> str:
    """From a turn to the page for leaving: an address for the seat as it is held now."""
    if opened.ask is None:
        return ""
    if opened.via == "web":
        return url_for("pages.seat_ending", match=opened.match.id)
    return url_for("pages.link", token=site().tokens.seal(to_ending(opened.match, opened.ask.seat, site().clock())))


def show(opened: Opened, status: int = 200, refused: str = "") -> Response:
    """What can be done to end the match."""
    scene = scene_of(opened.sight, opened.seat, opened.player)
    return sheet("ending.html", status, opened=opened, scene=scene, refused=refused, word=WORD)


def act(opened: Opened, wish: str) -> Response:
    """Offer, answer, or leave."""
    try:
        match wish:
            case "offer" | "accept" | "decline":
                agree(opened, wish)
            case "resign" if request.form.get("word", "").strip().casefold() == WORD:
                site().desk.do(opened.match.id, Resign(_actor(opened)), once(opened, "resign"))
            case "resign":
                return show(opened, 422, refused=f"You are still in the match: to leave it, type the word “{WORD}” into the field first.")
            case _:
                return show(opened, 400, refused=f"This page has no button “{plain(wish, 40)}”. Nothing was done; use one of the buttons below.")
    except Refused as no:
        return show(opened, SORTS[no.kind].status, refused=f"Not done: {no.words}.")
    return opened.back()


def agree(opened: Opened, wish: str) -> None:
    """Make an offer, or answer the one whose number the form names. Raises Refused."""
    number = request.form.get("offer", "", str)
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Refused("no-such-offer", "the form came without the number of the offer; open the link again")
    match, key = opened.match, once(opened, wish, int(number))
    if wish == "offer":
        if int(number) <= match.offers and match.offer is None:
            raise Refused("no-such-offer", "that offer was made and is off the table again; you can make a new one")
        site().desk.do(match.id, _offer(opened), key)
    else:
        site().desk.do(match.id, Answer(_actor(opened), int(number), "accept" if wish == "accept" else "decline"), key)


def _offer(opened: Opened) -> Offer:
    """What the form offers: to end the match where it names nothing else. Raises Refused."""
    match request.form.get("kind", "end"):
        case "end":
            return Offer(_actor(opened))
        case "take-back":
            return Offer(_actor(opened), "take-back")
        case "pause":
            days = request.form.get("days", "")
            if not (days.isascii() and days.isdigit() and len(days) < 4):
                raise Refused("invalid-offer", "a pause takes a number of days, from 1 to 30")
            return Offer(_actor(opened), "pause", int(days) * 86_400)
        case other:
            raise Refused("invalid-offer", f"nobody can offer “{plain(other, 40)}” here")


def _actor(opened: Opened) -> Actor:
    return Actor(opened.player or "", opened.via)
