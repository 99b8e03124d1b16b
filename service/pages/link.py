"""Where a mailed link leads: GET shows, POST acts, and whatever it was good for, it opens something helpful."""

from __future__ import annotations

from typing import Any, assert_never

from flask import Response, request

from service.pages import ending, invitation, resend, turn
from service.pages import match as seen
from service.pages.frame import pages, sheet
from service.pages.guard import answered
from service.pages.opening import Opened, open_link

# Another method is refused: OPTIONS too, since nobody has to ask a link what it can do.
LINK: dict[str, Any] = {"methods": ["GET", "POST"], "provide_automatic_options": False, "strict_slashes": False}


@pages.route("/m/<token>", **LINK)
def link(token: str) -> Response:
    """A link from a mail."""
    opened = open_link(token)
    if opened is None:
        return sheet("unknown_link.html", 404)
    if request.method == "POST":
        return act(opened)
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


def act(opened: Opened) -> Response:
    """Do what was asked, if the link is good for it. Whoever gets here has read the mail that we sent to the player."""
    if opened.player and opened.validity == "holds":
        answered(opened.player)
    wish = request.form.get("do", "play")
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


def faded(opened: Opened) -> Response:
    """A link whose time is over, or whose seat is somebody else's by now."""
    return sheet("faded.html", 410, opened=opened, asked=resend.asked(opened))
