"""House bots: players of their own, who play through the same desk as everybody, by the way `bot`."""

from __future__ import annotations

from secrets import randbelow
from typing import Final

from domain.bots import choose
from domain.match.commands import Actor, Answer, Submit
from domain.match.refusal import Refused
from infra.outbox import Notice
from infra.wiring import Site

# The match went on without the bot, or stopped: what is to be done next brings its own notice.
OVERTAKEN: Final = frozenset({"stale-ply", "not-your-turn", "not-your-seat", "deadline-passed", "match-over", "no-such-offer", "busy"})


def play(site: Site, notice: Notice) -> None:
    """One action after the other, as long as the bot's seat is asked, each for the position as it is then.

    Nothing is claimed before: of two jobs that play the same bot, the desk hears one and refuses the other.
    """
    try:
        while _played(site, notice):
            pass
    except Refused as refused:
        if refused.kind not in OVERTAKEN:
            raise
    site.outbox.done(notice)


def answer(site: Site, notice: Notice) -> None:
    """A house bot agrees to whatever ends the match: people's time is worth more."""
    match = site.desk.look(notice.match).match
    try:
        if match.offer is not None and notice.player not in match.offer.agreed:
            site.desk.do(match.id, Answer(Actor(notice.player, "bot"), match.offer.offer, "accept"))
    except Refused as refused:
        if refused.kind not in OVERTAKEN:
            raise
    site.outbox.done(notice)


def _played(site: Site, notice: Notice) -> bool:
    """Whether the bot was still asked, and has played an action."""
    match = site.desk.look(notice.match).match
    ask, chair = match.ask(notice.seat), match.chair(notice.seat)
    if ask is None or ask.version != notice.ask or chair.bot is None or chair.player != notice.player:
        return False
    action = choose(match.game, chair.bot, match.state, notice.seat, randbelow)
    site.desk.do(match.id, Submit(Actor(notice.player, "bot"), notice.seat, match.ply, (action,)))
    return True
