"""Where a mailed link leads: GET shows, POST acts, and whatever it was good for, it opens something helpful."""

from __future__ import annotations

import re
from typing import Any, assert_never

from flask import Response, request

from service.pages import resend
from service.pages.frame import go, pages
from service.pages.guard import guard
from service.pages.opening import Opened, open_link
from service.pages.playing import ending, invitation, turn
from service.pages.playing import match as seen
from service.pages.playing.again import again
from service.pages.playing.onward import bots_alone, lately, onward
from service.pages.stray import faded, unknown

# Another method is refused: OPTIONS too, since nobody has to ask a link what it can do.
LINK: dict[str, Any] = {"methods": ["GET", "POST"], "provide_automatic_options": False, "strict_slashes": False}

PAGES = {
    "history.ndjson": "pages.link_history_file",
    "history": "pages.link_history",
    "board.svg": "pages.link_board",
    "next": "pages.link_next",
}
ONLY_SHOWS = "This link only shows the match. Whatever is to be decided comes with a link of its own, by mail."
PAGE = re.compile(rf"({'|'.join(map(re.escape, PAGES))})(?![0-9a-z])", re.IGNORECASE)


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
        opened = open_link(token)
    if opened is None:
        return unknown()
    if opened.player and opened.validity == "holds":
        guard().answered(opened.player)
    if wish == "resend" and opened.validity != "changed-hands":
        return resend.resend(opened)
    return done(opened, wish) if opened.validity == "holds" else faded(opened)


def done(opened: Opened, wish: str) -> Response:
    """Do what was asked, by a link or by whoever is signed in."""
    if wish == "rematch" and opened.player and opened.match.status == "over":
        return again(opened)
    match opened.purpose:
        case "move":
            return turn.act(opened, wish)
        case "view":
            return seen.show(
                opened,
                403,
                refused=ONLY_SHOWS if opened.text else "This page has no such button. Nothing was done.",
            )
        case "resign":
            return ending.act(opened, wish)
        case "join":
            return invitation.act(opened, wish)
        case _ as never:
            assert_never(never)


@pages.get("/m/<token>/next")
def link_next(token: str) -> Response:
    """From a turn just played to the next one, and until that has come, what became of the turn."""
    opened = open_link(token)
    if opened is None:
        return unknown()
    if not lately(opened):
        return opened.back()
    return turn.show(opened, goes_on=True) if opened.ask is None and bots_alone(opened.match) else onward(opened)


@pages.route("/m", **LINK)
def no_link() -> Response:
    """What is left of a link without its token."""
    return unknown()


@pages.route("/m/<token>/<path:rest>", methods=["GET", "POST"])
def link_and_more(token: str, rest: str) -> Response:
    """A page of a link that the mail hung something on, such as a full stop; of a damaged link, or of none, there is no page."""
    opened = open_link(token)
    if opened is None:
        return unknown()
    found = PAGE.match(rest)
    return go(PAGES[found[1].lower()] if found else "pages.link", token=opened.text, version=request.args.get("version"))
