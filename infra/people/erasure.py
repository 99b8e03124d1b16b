"""Erasing a player: name, address, keys, tokens, sessions and wishes go at once, seats are given up, and the logs stay as they are.

The logs name players by id alone, and an id says nothing about anybody. Whatever is cut off is taken up again by the clock, until all is done.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice
from logging import getLogger
from typing import Final, Literal, TypeAlias, cast

from redis.exceptions import ResponseError

from domain.desk import Desk
from domain.match.commands import Actor, CallOff, Leave, Resign
from domain.match.refusal import Refused
from domain.ports import LogUnavailable
from infra import listing
from infra.mail import bounces
from infra.mail.mailbox import Envelope
from infra.redis_log.unavailable import in_words
from infra.seals.tokens import LENGTH
from infra.wiring import Site

log = getLogger(__name__)

Way: TypeAlias = Literal["api", "web"]

UNFINISHED: Final = "erasing"  # sorted set: player, way in and round → when (ms) that round is due
AGAIN: Final = 60_000  # ms until the second round: by then the list of matches has heard of whatever was joined in the last moment
SOON: Final = 10_000  # ms until a round that was cut off is taken up
ROUNDS: Final = 2
REPLYING: Final = re.compile(rb"r\+([0-9a-z]{%d})@" % LENGTH)  # how a mail names the seat that it is for
MOST: Final = 50  # of them in a mail that are looked at


def erase(site: Site, player: str, way: Way) -> None:
    """Forget the player, and give up their seats. May be asked again. Raises LogUnavailable: then the clock goes on with it."""
    with in_words(writing=True):
        site.redis.zadd(UNFINISHED, {f"{player} {way} 1": site.clock() + SOON})
    _round(site, player, way, 1)


def go_on(site: Site) -> None:
    """Take up every erasure that is due. What one of them fails by is raised when all had their turn."""
    with in_words():
        due = cast("list[bytes]", site.redis.zrangebyscore(UNFINISHED, "-inf", site.clock()))
    trouble: Exception | None = None
    for member in due:
        player, way, number = member.decode().split(" ")
        try:
            _round(site, player, cast("Way", way), int(number))
        except LogUnavailable:
            raise
        except Exception as wrong:  # noqa: BLE001 - whatever one stumbles over, the others go on
            trouble = trouble or wrong
    if trouble:
        raise trouble


def under_way(site: Site) -> set[str]:
    """The players whose erasure is not finished."""
    with in_words():
        return {member.decode().split(" ")[0] for member in cast("list[bytes]", site.redis.zrange(UNFINISHED, 0, -1))}


def matches_of(site: Site, player: str) -> list[str]:
    """The matches that a player has to do with and that are not over: by the list, and by what was started too lately to stand there."""
    with in_words():
        started = cast("set[bytes]", site.redis.smembers(_started(player)))
    return sorted(site.listing.open_to(player) | {name.decode() for name in started})


def _round(site: Site, player: str, way: Way, number: int) -> None:
    known = site.players.get(player)
    if known is not None and site.settings.dev:
        site.mailbox.forget(known.address)
    site.inbox.forget(lambda raw, envelope: _from(site, player, known.address if known else "", raw, envelope), player)
    site.sessions.end_all(player)
    site.player_keys.forget(player)
    site.preferring.forget(player)
    site.baskets.forget(player)
    site.calendars.forget(player)
    bounces.forget(site, player)
    site.webhooks.forget(player)
    site.players.forget(player)
    last = number == ROUNDS
    unlisted = site.feed.unfinished(listing.GROUP) if last else set[str]()  # the list may be behind by more than a minute, as after an outage
    for match in sorted({*matches_of(site, player), *unlisted}):
        _leave(site.desk, match, Actor(player, way))
    if last:
        _off_the_disk(site)
    with in_words(writing=True):
        site.redis.delete(_started(player))
    with in_words(writing=True), site.redis.pipeline() as pipe:
        pipe.zrem(UNFINISHED, f"{player} {way} {number}")
        if number < ROUNDS:
            pipe.zadd(UNFINISHED, {f"{player} {way} {number + 1}": site.clock() + AGAIN})
        pipe.execute()
    log.info("player %s is erased (round %d of %d)", player, number, ROUNDS)


def _from(site: Site, player: str, address: str, raw: bytes, envelope: Envelope) -> bool:
    """Whether a mail that came in is the player's: their address stands in it, or it came for a seat of theirs, or it is a bounce of theirs."""
    words = b"\n".join([raw, envelope.sender.encode(), *(box.encode() for box in envelope.to)]).lower()
    if player.encode() in words or (address and address.lower().encode() in words):
        return True
    for found in islice(REPLYING.finditer(words), MOST):
        token = site.tokens.unseal(found[1].decode())
        if token is None or token.seat_index is None:
            continue
        with suppress(Refused):
            chair = site.desk.look(token.subject).match.chairs[token.seat_index]
            if player in (chair.player, chair.invited):
                return True
    return False


def _off_the_disk(site: Site) -> None:
    """The append-only file knows every value that there ever was, until it is written anew: that is asked for, where Redis lets us."""
    with in_words(), suppress(ResponseError):  # one that is under way already will do, and who hosts Redis for others does that by themselves
        site.redis.bgrewriteaof()


def _leave(desk: Desk, name: str, actor: Actor) -> None:
    """Give up every seat of a match, and call it off where nobody is left to begin it. A damaged match stops no other."""
    try:
        match = desk.look(name).match
        if match.status == "live" and any(seat not in match.vacated for seat in match.seats_of(actor.player)):
            desk.do(name, Resign(actor))
        if match.status != "waiting":
            return
        if any(actor.player in (chair.player, chair.invited) for chair in match.chairs):
            match = desk.do(name, Leave(actor)).sight.match
        if match.status == "waiting" and match.creator == actor.player and not any(chair.player and not chair.bot for chair in match.chairs):
            desk.do(name, CallOff(actor))
    except Refused as refused:
        if refused.kind not in ("match-over", "not-seated", "not-live", "no-such-match", "seat-taken"):
            log.error("match %s could not be left by player %s, who is erased: %s", name, actor.player, refused.words)  # noqa: TRY400 - the words say all


def _started(player: str) -> str:
    return f"player:{player}:started"
