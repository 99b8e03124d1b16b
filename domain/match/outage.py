"""When the site itself was away: nobody could play, so nobody's time ran."""

from __future__ import annotations

from typing import Final

from domain.chain import stamp
from domain.match.commands import MakeUp
from domain.match.events import CLOCK, ClockChanged, Event
from domain.match.match import Match
from domain.match.play import must_be_live
from domain.match.refusal import Refused

UNNOTICED: Final = 300_000  # ms; a shorter absence, as that of an update, is made up for by nobody
COMING_BACK: Final = 3_600_000  # ms at most that the clock stands still beyond the absence: until people have heard that the site is back


def make_up(match: Match, command: MakeUp, now: int) -> list[Event]:
    """The clock as if it had stood still since the site was last there, and a while longer, which is no longer than the absence.

    What happened in the match since then shows that the site was there: only the time after it is given back.
    """
    must_be_live(match)
    since = max(command.since, match.at)
    until = now + min(now - since, COMING_BACK)
    if now - since < UNNOTICED:
        raise Refused("nobody-is-late", f"since {stamp(since)} no time was lost that would have to be given back")
    if until <= match.paused_until:
        raise Refused("nobody-is-late", f"the clock stands still until {stamp(match.paused_until)} already")
    return [Event(now, CLOCK, match.ply, ClockChanged(stamp(until), stamp(since)))]
