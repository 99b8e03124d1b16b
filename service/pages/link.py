"""Where a mailed link leads: GET shows, POST acts, and whatever it was good for, it opens something helpful."""

from __future__ import annotations

from typing import Any, assert_never

from flask import Response, request

from service.pages import ending, invitation, resend, turn
from service.pages import match as seen
from service.pages.frame import pages, sheet
from service.pages.guard import guard
from service.pages.opening import Opened, open_link

# Another method is refused: OPTIONS too, since nobody has to ask a link what it can do.
LINK: dict[str, Any] = {"methods": ["GET", "POST"], "provide_automatic_options": False, "strict_slashes": False}


@pages.route("/m/<token>", **LINK)
def link(token: str) -> Response:
    """A link from a mail."""
    if request.method == "POST":
        return act(token)
    opened = open_link(token)
    if opened is None:
        return unknown()
    return faded(opened) if opened.validity != "holds" else show(opened)


def show(opened: Opened) -> Response:
    """What the link is for, as it stands now."""
    match opened.purpose:
        case "move":
            return turn.show(opened)
        case "view":
            return seen.show(opened)
        case "resign":
            return ending.show(opened)
        case "join":
            return invitation.show(opened)
        case _ as never:
            assert_never(never)


def act(token: str) -> Response:
    """Do what was asked, if the link is good for it. Whoever gets here has read the mail that we sent to the player.

    What is played is decided on the match as it is remembered here, if the link's turn goes on there: the append finds out whether
    anybody was faster. So the usual move is one trip to Redis.
    """
    wish = request.form.get("do", "play")
    opened = open_link(token, remembered=wish == "play")
    if wish == "play" and opened is not None and (opened.ask is None or opened.validity != "holds"):
        opened = opened.anew()
    if opened is None:
        return unknown()
    if opened.player and opened.validity == "holds":
        guard().answered(opened.player)
    if wish == "resend" and opened.validity != "changed-hands":
        return resend.resend(opened)
    if opened.validity != "holds":
        return faded(opened)
    match opened.purpose:
        case "move":
            return turn.act(opened, wish)
        case "view":
            return seen.show(opened, 403, refused="This link only shows the match. Whatever is to be decided comes with a link of its own, by mail.")
        case "resign":
            return ending.act(opened, wish)
        case "join":
            return invitation.act(opened, wish)
        case _ as never:
            assert_never(never)


def unknown() -> Response:
    """No link of ours, or what is left of one."""
    return sheet("unknown_link.html", 404)


def faded(opened: Opened) -> Response:
    """A link whose time is over, or whose seat is somebody else's by now."""
    return sheet("faded.html", 410, opened=opened, asked=resend.asked(opened))
