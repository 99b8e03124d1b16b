"""Onward: where a turn leads that was just played, so that nobody who is there waits for a mail."""

from __future__ import annotations

from flask import Response, make_response, redirect
from msgspec import UNSET

from domain.match.events import ActionTaken, Event, TurnTakenBack
from domain.match.match import Match
from service.here import site
from service.pages import resend
from service.pages.opening import Opened

LATELY = 600_000  # ms after playing in which the link of that turn leads on to the next one; afterwards the next one's mail has long been there


def onward(opened: Opened) -> Response:
    """To the player's next turn where it has come, to where it is waited for while house bots are at it, else to the link's own page."""
    match, asks = opened.match, resend.asked(opened)
    if opened.ask is None and asks:
        return make_response(redirect(opened.turn(asks[0]), 303))
    if opened.ask is None and bots_alone(match):
        return make_response(redirect(opened.next, 303))
    return opened.back()


def bots_alone(match: Match) -> bool:
    """Whether the match waits for house bots and nobody else, which takes a moment."""
    return bool(match.asks) and all(match.chair(ask.seat).bot for ask in match.asks)


def lately(opened: Opened) -> bool:
    """Whether the turn of a link was the last that its player played, and a moment ago: whoever has the link could have played that, too.

    So an old link, in an old mail, leads to no newer one.
    """
    if opened.validity != "holds" or opened.purpose != "move" or opened.player is None:
        return False
    born, happened = opened.token.ask, site().desk.events(opened.match)
    last = max((version for version, event in enumerate(happened, start=1) if event.by.player == opened.player and _decisive(event)), default=0)
    if last <= born or isinstance(happened[last - 1].fact, TurnTakenBack) or site().clock() - happened[last - 1].at > LATELY:
        return False
    return all(event.by.seat == opened.seat for event in happened[born:last] if isinstance(event.fact, ActionTaken))


def _decisive(event: Event) -> bool:
    """Chosen by somebody, or taken back."""
    fact = event.fact
    if isinstance(fact, ActionTaken):
        return not fact.forced and fact.timeout is UNSET and event.by.via != "caretaker"
    return isinstance(fact, TurnTakenBack)
