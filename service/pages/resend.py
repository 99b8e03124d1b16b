"""The button that mails the current link, to the address on file and nowhere else, once in ten minutes."""

from __future__ import annotations

from flask import Response

from domain.match.match import Ask, Match
from infra.ids import partition
from infra.outbox import Notice
from service.here import site
from service.pages.frame import sheet
from service.pages.opening import Opened

PAUSE = 600_000  # ms between two such mails to one player about one match
ONE_CLICK = 10_000  # ms within which a second click is the first one, made twice


def asked(opened: Opened) -> tuple[Ask, ...]:
    """What the player behind a link is asked in this match just now, with whichever of their seats."""
    return asks_of(opened.match, opened.player) if opened.player else ()


def asks_of(match: Match, player: str) -> tuple[Ask, ...]:
    """What a player is asked in a match just now."""
    return tuple(ask for ask in match.asks if match.chair(ask.seat).player == player)


def resend(opened: Opened) -> Response:
    """Mail the player their current links, or say why not."""
    if not asked(opened) or opened.player is None:
        return sheet("not_mailed.html", 409, opened=opened, wait=None)
    wait = mail(opened.match, opened.player)
    if wait > 0:
        refused = sheet("not_mailed.html", 429, opened=opened, wait=wait)
        refused.headers["Retry-After"] = str(-(-wait // 1000))
        return refused
    return opened.back(mailed="")


def mail(match: Match, player: str) -> int:
    """Ask for the mails with a player's current links; 0 when that is done, else how long (ms) to wait before asking again."""
    key = f"resent:{match.id}:{player}"
    now = site().clock()
    if not site().redis.set(key, "1", nx=True, px=PAUSE):
        left = int(site().redis.pttl(key))
        return 0 if left > PAUSE - ONE_CLICK else max(left, 1)
    again = now // 60_000  # another mail than the one that did not come, with a Message-ID of its own
    notices = [(Notice("turn", match.id, player, ask.seat, ask.version, match.ply, match.version, again), now) for ask in asks_of(match, player)]
    if match.status == "waiting" and any(chair.invited == player and chair.player is None for chair in match.chairs):
        notices.append((Notice("invitation", match.id, player, "", 0, match.ply, match.version, again), now))
    site().outbox.schedule(partition(match.id), notices)
    return 0
