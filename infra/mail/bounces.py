"""Mails that come back: a mailbox that takes none for good is left alone at once, one that fails now and then only when it does so for days.

A bounce that may pass (`hard` False) counts one, once a day at most, and is forgotten by half in a week. Whoever is left alone is told to the
others in their matches: nobody shall lose to somebody who does not know that it is their turn.
"""

from __future__ import annotations

from logging import getLogger
from typing import Final, cast

from domain.match.refusal import Refused
from infra.ids import partition
from infra.outbox import Notice
from infra.people.players import NoSuchPlayer
from infra.redis_log.unavailable import in_words
from infra.wiring import Site

log = getLogger(__name__)

DAY: Final = 86_400_000  # ms
HALF: Final = 7 * DAY  # ms in which a score falls by half
ENOUGH: Final = 3.0  # four bad days in a row, or seven within two weeks
KEPT: Final = 60 * 86_400  # seconds after which nothing of a score is left


def bounced(site: Site, player: str, words: str, *, hard: bool) -> bool:
    """A mail to a player's address came back, in the words of whoever sent it back; whether they get no more mail because of it.

    May be told twice. Raises LogUnavailable.
    """
    known = site.players.get(player)
    if known is None or known.suppressed:
        return False
    if not hard and _score(site, player) < ENOUGH:
        return False
    try:
        site.players.suppress(player, words)
    except NoSuchPlayer:
        log.info("player %s has left meanwhile", player)
        return False
    forget(site, player)
    log.warning("no more mail to player %s: %s", player, words.replace(known.address, player))
    _tell_the_others(site, player)
    return True


def forget(site: Site, player: str) -> None:
    """No mail has ever come back."""
    with in_words(writing=True):
        site.redis.delete(_bounces(player))


def _score(site: Site, player: str) -> float:
    """The score with one more bounce in it."""
    now, key = site.clock(), _bounces(player)
    with in_words(writing=True):
        score, at = cast("list[bytes | None]", site.redis.hmget(key, ["score", "at"]))
        before, since = float(score or 0), now - int(at or 0)
        if at and since < DAY:
            return before
        after: float = before * 0.5 ** (since / HALF) + 1
        site.redis.hset(key, mapping={"score": repr(after), "at": now})
        site.redis.expire(key, KEPT)
    return after


def _tell_the_others(site: Site, player: str) -> None:
    for name in site.listing.open_to(player):
        try:
            match = site.desk.look(name).match
        except Refused as refused:
            log.warning("the others in match %s cannot be told: %s", name, refused.words)
            continue
        if match.status != "live" or all(seat in match.vacated for seat in match.seats_of(player)):
            continue
        staying = {chair.player for seat in match.seats if (chair := match.chair(seat)).bot is None and seat not in match.vacated}
        notices = [Notice("unreachable", name, other, "", 0, match.ply, match.version) for other in staying if other and other != player]
        site.outbox.schedule(partition(name), [(notice, site.clock()) for notice in notices])


def _bounces(player: str) -> str:
    return f"player:{player}:bounces"
