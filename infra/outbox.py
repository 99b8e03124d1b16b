"""The outbox: what is still to be told to whom and when, so that no mail is forgotten and none is sent twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib.resources import files
from secrets import token_hex
from typing import Final, Literal, TypeAlias

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.chain import canonical
from domain.game import Record
from infra.ids import partition
from infra.redis_log import keys
from infra.redis_log.feed import FeedEntry
from infra.redis_log.unavailable import in_words

Kind: TypeAlias = Literal[
    "turn",
    "reminder",
    "over",
    "invitation",
    "offer",
    "declined",
    "turned-down",
    "vacated",
    "paused",
    "aborted",
    "bot",
    "bot-offer",
    "sign-in",
    "address",
    "moving",
    "digest",
    "taken-back",
    "given-away",
    "unreachable",
    "answer",
    "webhook-off",
]

SETTLE, TAKE, CLAIM = (files("infra.redis_log").joinpath(f"{name}.lua").read_text() for name in ("settle", "take", "claim"))


# What is about a player and no match: the way in, the proof of a new address, the word about it to the old one, a webhook that was switched off.
PERSONAL: tuple[Kind, ...] = ("sign-in", "address", "moving", "webhook-off")


class Notice(Record, frozen=True, omit_defaults=True):
    """Something to tell a player, or a house bot to do: enough to find it in the match, nothing of what it says.

    `ask` is the version at which the seat's ask was born (0: it is about no ask), `seat` "" where it is about none; `ply` and `version`
    are the match's when there was cause for it. `again` tells what somebody asked to be told once more from what was told before: the
    minute (since 1970) in which they asked; of an ask's reminders it is the number. A personal notice has no `match`, and in `again`
    the minute in which it was asked for; a digest the second at which it is to go. An answer names the `mail` that it answers, and lies
    beside it in partition 0. What is about a webhook names that.
    """

    kind: Kind
    match: str
    player: str
    seat: str
    ask: int
    ply: int
    version: int
    again: int = 0
    mail: str = ""
    webhook: str = ""


LONGEST: Final = 500  # characters of what was in a notice's way that are kept
REMEMBERED: Final = 6 * 86_400_000  # ms, longer than anything is tried


class Held(Record, frozen=True):
    """A notice that is not sent yet: when (ms) it is to be tried, or was parked, and what was in its way the last time; "" where nothing was."""

    notice: Notice
    at: int
    why: str = ""

    @property
    def name(self) -> str:
        """By which an operator names it."""
        return _digest(self.notice)[:10]


_notice = msgspec.json.Decoder(Notice)


class Outbox:
    """Notices by when they are to be sent: scheduled once, taken under a lease, gone when done. All methods raise LogUnavailable.

    Whoever takes a notice hands it to a job; when the lease runs out before it is done, it is taken again, so no lost job loses a
    mail. A job begins with `claim`, which only one can hold at a time and none any more after `done`; so a notice that was taken
    twice is sent once. What remains: a sender that dies (or is held up longer than its claim) after the mail server took the mail
    and before `done` lets it be sent again, under the same Message-ID.
    """

    def __init__(self, client: Redis, partitions: int) -> None:
        self._client, self._partitions = client, partitions
        self._settle, self._take, self._claim = (client.register_script(source) for source in (SETTLE, TAKE, CLAIM))

    def schedule(self, of: int, notices: Iterable[tuple[Notice, int]]) -> None:
        """Put notices of matches of one partition in, each with when (ms) it is to be sent; one that is in keeps its time."""
        notices = list(notices)
        assert all(_home(notice) == of for notice, _ in notices)
        if scores := {canonical(notice): at for notice, at in notices}:
            with in_words(writing=True):
                self._client.zadd(keys.notices(of), scores, nx=True)

    def settle_entry(self, entry: FeedEntry, group: str, notices: Iterable[tuple[Notice, int]], *, withdrawn: Iterable[Notice] = ()) -> bool:
        """Schedule what follows from a feed entry, withdraw what it made idle, and acknowledge it: all or nothing, and only the first time.

        False: the entry had been settled before, perhaps by another consumer that claimed it, and nothing was done.
        """
        adding = [part for notice, at in notices for part in (at, canonical(notice))]
        going = [canonical(notice) for notice in withdrawn]
        with in_words(writing=True):
            return bool(
                self._settle(
                    keys=[keys.feed(entry.partition), keys.notices(entry.partition)],
                    args=[group, entry.id, len(adding), *adding, *going],
                )
            )

    def take(self, now: int, lease_ms: int, limit: int) -> list[Notice]:
        """Notices whose time has come, at most `limit` a partition; they come back unless done within the lease."""
        with in_words(writing=True):
            pipe = self._client.pipeline(transaction=False)
            for of in range(self._partitions):
                self._take(keys=[keys.notices(of)], args=[now, now + lease_ms, limit], client=pipe)
            return [_notice.decode(member) for taken in pipe.execute() for member in taken]

    def claim(self, notice: Notice, for_ms: int) -> bool:
        """Whether the caller is to send it now: not when it is done or withdrawn, nor while another caller holds its claim (`for_ms`)."""
        with in_words(writing=True):
            return bool(self._claim(keys=[keys.notices(_home(notice)), _sending(notice)], args=[canonical(notice), for_ms, token_hex(8)]))

    def done(self, notice: Notice) -> None:
        """It was sent, or need not be sent any more."""
        with in_words(writing=True):
            pipe = self._client.pipeline()
            pipe.zrem(keys.notices(_home(notice)), canonical(notice))
            pipe.delete(_sending(notice), _trouble(notice))
            pipe.execute()

    def later(self, notice: Notice, at: int, why: str = "") -> None:
        """It is to be tried again at a time (ms); one that is not in any more stays out. `why`: what was in its way, where something was."""
        with in_words(writing=True):
            pipe = self._client.pipeline()
            pipe.zadd(keys.notices(_home(notice)), {canonical(notice): at}, xx=True)
            pipe.delete(_sending(notice))
            if why:
                pipe.set(_trouble(notice), why[:LONGEST], px=REMEMBERED)
            pipe.execute()

    def park(self, notice: Notice, now: int, why: str) -> None:
        """It cannot be sent, and is not tried again before somebody has looked at why."""
        with in_words(writing=True):
            pipe = self._client.pipeline()
            pipe.zrem(keys.notices(_home(notice)), canonical(notice))
            pipe.zadd(keys.parked(_home(notice)), {canonical(notice): now}, nx=True)
            pipe.delete(_sending(notice))
            pipe.set(_trouble(notice), why[:LONGEST])
            pipe.execute()

    def release(self, notice: Notice, now: int) -> bool:
        """Have a parked notice tried again at once; False where it is parked no more."""
        home, said = _home(notice), canonical(notice)

        def move(pipe: Pipeline) -> None:
            there = pipe.zscore(keys.parked(home), said)
            pipe.multi()
            if there is not None:
                pipe.zrem(keys.parked(home), said)
                pipe.zadd(keys.notices(home), {said: now}, nx=True)

        with in_words(writing=True):
            return bool(self._client.transaction(move, keys.parked(home)))

    def drop(self, notice: Notice) -> bool:
        """Never send a parked notice; False where it is parked no more."""
        with in_words(writing=True):
            pipe = self._client.pipeline()
            pipe.zrem(keys.parked(_home(notice)), canonical(notice))
            pipe.delete(_trouble(notice))
            return bool(pipe.execute()[0])

    def parked(self) -> list[Notice]:
        """The notices that were parked, of each partition the oldest first."""
        return [held.notice for held in self._held(keys.parked)]

    def parked_with_cause(self) -> list[Held]:
        """The same, each with when it was parked and why."""
        return self._with_cause(self._held(keys.parked))

    def queued(self) -> list[Held]:
        """The notices that wait, the next first, each with when it is tried and what was in its way."""
        return self._with_cause(sorted(self._held(keys.notices), key=lambda held: held.at))

    def _held(self, kept: Callable[[int], str]) -> list[Held]:
        with in_words():
            pipe = self._client.pipeline(transaction=False)
            for of in range(self._partitions):
                pipe.zrange(kept(of), 0, -1, withscores=True)
            return [Held(_notice.decode(member), int(at)) for members in pipe.execute() for member, at in members]

    def _with_cause(self, found: list[Held]) -> list[Held]:
        with in_words():
            pipe = self._client.pipeline(transaction=False)
            for held in found:
                pipe.get(_trouble(held.notice))
            return [Held(held.notice, held.at, (why or b"").decode()) for held, why in zip(found, pipe.execute(), strict=True)]

    def waiting(self) -> int:
        """How many notices are in, due or not."""
        with in_words():
            pipe = self._client.pipeline(transaction=False)
            for of in range(self._partitions):
                pipe.zcard(keys.notices(of))
            return sum(pipe.execute())


def _home(notice: Notice) -> int:
    """The partition that a notice lies in."""
    return partition(notice.match) if notice.match and not notice.mail else 0


def _digest(notice: Notice) -> str:
    return sha256(canonical(notice)).hexdigest()[:32]


def _sending(notice: Notice) -> str:
    return keys.sending(_home(notice), _digest(notice))


def _trouble(notice: Notice) -> str:
    return keys.trouble(_home(notice), _digest(notice))
