"""House bots: players of their own, who play through the same desk as everybody, by the way `bot`."""

from __future__ import annotations

from collections.abc import Callable
from logging import getLogger
from secrets import randbelow
from typing import Final

from redis.exceptions import RedisError

from domain.bots import choose
from domain.match.commands import Actor, Answer, Submit
from domain.match.refusal import Refused
from domain.ports import LogUnavailable
from infra.outbox import Notice
from infra.wiring import Site
from workers.retries import next_try

log = getLogger(__name__)

# The match went on without the bot, or stopped: what is to be done next brings its own notice.
OVERTAKEN: Final = frozenset(
    {"stale-ply", "not-your-turn", "not-your-seat", "deadline-passed", "match-over", "no-such-offer", "offer-pending", "busy"}
)

MOST: Final = 1_000  # bots that do not work, remembered by a process

_failing: dict[Notice, int] = {}  # since when (ms); forgotten by a process that is started again, perhaps with a bot that works


def play(site: Site, notice: Notice) -> None:
    """One action after the other, as long as the bot's seat is asked, each for the position as it is then.

    Nothing is claimed before: of two jobs that play the same bot, the desk hears one and refuses the other.
    """

    def turn() -> None:
        while _played(site, notice):
            pass

    _done(site, notice, turn)


def answer(site: Site, notice: Notice) -> None:
    """A house bot agrees to whatever ends the match: people's time is worth more."""

    def agree() -> None:
        match = site.desk.look(notice.match).match
        if match.offer is not None and notice.player not in match.offer.agreed:
            site.desk.do(match.id, Answer(Actor(notice.player, "bot"), match.offer.offer, "accept"))

    _done(site, notice, agree)


def _done(site: Site, notice: Notice, work: Callable[[], None]) -> None:
    """Do it, or put it off where the bot fails, longer each time; only the first time of each is an alarm.

    Raises LogUnavailable and RedisError: the outbox brings it back then.
    """
    try:
        work()
    except (LogUnavailable, RedisError):
        raise
    except Exception as wrong:  # noqa: BLE001 - whatever a bot stumbles over stops that bot and no other
        if not isinstance(wrong, Refused) or wrong.kind not in OVERTAKEN:
            _put_off(site, notice, wrong)
            return
    _failing.pop(notice, None)
    site.outbox.done(notice)


def _put_off(site: Site, notice: Notice, wrong: Exception) -> None:
    now = site.clock()
    if len(_failing) >= MOST:
        _failing.clear()
    first = notice not in _failing
    at = next_try(_failing.setdefault(notice, now), now)
    wait = (at - now) // 1000
    if first:
        log.error("ALARM: a house bot fails at %s; it is tried again in %d s, then ever more seldom", notice, wait, exc_info=wrong)
    else:
        log.warning("a house bot still fails at %s; it is tried again in %d s: %s", notice, wait, wrong)
    site.outbox.later(notice, at)


def _played(site: Site, notice: Notice) -> bool:
    """Whether the bot was still asked, and has played an action."""
    match = site.desk.look(notice.match).match
    ask, chair = match.ask(notice.seat), match.chair(notice.seat)
    if ask is None or ask.version != notice.ask or chair.bot is None or chair.player != notice.player:
        return False
    action = choose(match.game, chair.bot, match.state, notice.seat, randbelow)
    site.desk.do(match.id, Submit(Actor(notice.player, "bot"), notice.seat, match.ply, (action,)))
    return True
