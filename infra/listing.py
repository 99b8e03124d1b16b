"""The list of matches: a read model beside the log, made from it and makeable anew, that only lags and never decides."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from heapq import merge
from itertools import islice
from typing import Any, TypeAlias

import msgspec
from redis import Redis

from domain.match.match import Match
from infra.redis_log.unavailable import in_words

GROUP = "projections"  # of the feed's readers: whoever makes the list
# All keys of the list share one slot, so that a row and the indexes it stands in change in one step.
ROWS = "{list}:rows"  # hash: match → row (JSON array)
STATUSES = ("waiting", "live", "over", "aborted")
PAGE = 100  # rows a round trip

SWAP = """
-- KEYS 1 rows (hash)  2… indexes (sorted sets): first those to leave, then those to stand in
-- ARGV 1 match  2 the row as it was, "" if there was none  3 the row as it is  4 created, ms  5 how many indexes to leave
-- Gives 0 when the row was another by now, and then nothing is written.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
for i = 2, #KEYS do
  if i <= 1 + ARGV[5] then
    redis.call('ZREM', KEYS[i], ARGV[1])
  else
    redis.call('ZADD', KEYS[i], ARGV[4], ARGV[1])
  end
end
return 1
"""

DROP = """
-- KEYS 1 rows (hash)  2 index (sorted set)
-- ARGV 1 match  2 the row as it was when it was found not to stand in the index, "" if there was none
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
return redis.call('ZREM', KEYS[2], ARGV[1])
"""


class MatchRow(msgspec.Struct, frozen=True, array_like=True):
    """One match in the list. `players` by taken seat, in seat order; `bots` the seats with house bots; `awaited` the seats that are to act."""

    match: str
    version: int
    game: str
    status: str  # waiting, live, over or aborted
    public: bool
    created: int  # ms
    changed: int  # ms
    ply: int
    due: int | None  # ms
    players: dict[str, str]
    bots: tuple[str, ...] = ()
    awaited: tuple[str, ...] = ()
    invited: dict[str, str] = {}  # whom a free seat is kept for
    creator: str = ""

    def people(self) -> set[str]:
        """The players who are no house bots, and those invited who have not answered yet."""
        return {player for seat, player in self.players.items() if seat not in self.bots} | set(self.invited.values())

    def viewers(self) -> set[str]:
        """Those to whom the match is shown also where it is private."""
        return self.people() | ({self.creator} if self.creator else set())

    def awaiting(self) -> set[str]:
        """The players, house bots aside, for whom the match waits: for an action, or for the answer to an invitation."""
        return (self.people() & {self.players[seat] for seat in self.awaited}) | set(self.invited.values())


def row(match: Match) -> MatchRow:
    """A match as it stands in the listing."""
    chairs = [(seat, chair) for seat, chair in zip(match.seats, match.chairs, strict=True) if chair.player is not None]
    return MatchRow(
        match=match.id,
        version=match.version,
        game=match.game.id,
        status=match.status,
        public=match.settings.visibility == "public",
        created=match.created,
        changed=match.at,
        ply=match.ply,
        due=match.due,
        players={seat: chair.player for seat, chair in chairs if chair.player is not None},
        bots=tuple(seat for seat, chair in chairs if chair.bot is not None),
        awaited=tuple(ask.seat for ask in match.asks),
        invited={seat: chair.invited for seat, chair in zip(match.seats, match.chairs, strict=True) if chair.invited and not chair.player}
        if match.status == "waiting"
        else {},
        creator=match.creator or "",
    )


Place: TypeAlias = tuple[int, str]  # created and match: where a row stands in the list, newest first

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(MatchRow).decode
_place = msgspec.json.Decoder(tuple[int, str])


class BadCursor(ValueError):
    """Not a cursor that this list gave."""


class Listing:
    """Matches by player, by who is awaited and, the public ones, by status; house bots have no index. All methods raise LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._swap, self._drop = client.register_script(SWAP), client.register_script(DROP)

    def record(self, row: MatchRow) -> None:
        """Put a match's row in the place of an older one; the same version again, or an older one, changes nothing."""
        with in_words(writing=True):
            while True:
                held: Any = self._client.hget(ROWS, row.match) or b""
                old = _decode(held) if held else None
                if old and old.version >= row.version:
                    return
                stands = _indexes(row)
                leaves = (_indexes(old) if old else set()) - stands
                if self._swap(keys=[ROWS, *leaves, *stands], args=[row.match, held, _encode(row), row.created, len(leaves)]):
                    return

    def mend(self, row: MatchRow) -> bool:
        """Put a match's row right, and its places in the indexes, where they differ from this; whether they did. A newer row stays."""
        with in_words(writing=True):
            while True:
                held: Any = self._client.hget(ROWS, row.match) or b""
                old = _read(held)
                stands = sorted(_indexes(row))
                if old and old.version > row.version:
                    return False
                if held == _encode(row) and all(self._client.zscore(index, row.match) == row.created for index in stands):
                    return False
                leaves = sorted((_indexes(old) if old else set()) - set(stands))
                if self._swap(keys=[ROWS, *leaves, *stands], args=[row.match, held, _encode(row), row.created, len(leaves)]):
                    return True

    def sweep(self, known: Callable[[str], bool]) -> int:
        """Take out rows of matches that are not `known`, and places in indexes where no row stands; how many went."""
        gone = 0
        with in_words(writing=True):
            for match, _ in self._client.hscan_iter(ROWS, count=PAGE):
                if not known(match.decode()):
                    gone += int(self._client.hdel(ROWS, match))
            for index in self._client.scan_iter(match="{list}:*", count=1000, _type="zset"):
                for match, _ in self._client.zscan_iter(index, count=PAGE):
                    held: Any = self._client.hget(ROWS, match) or b""
                    row = _read(held)
                    if row is None or index.decode() not in _indexes(row):
                        gone += self._drop(keys=[ROWS, index], args=[match, held])
        return gone

    def find(
        self,
        *,
        viewer: str = "",
        game: str = "",
        status: str = "",
        player: str = "",
        awaiting: str = "",
        cursor: str = "",
        limit: int = 50,
    ) -> tuple[list[MatchRow], str]:
        """Rows, newest first, that `viewer` (a player id, "" for anybody) may see, and the cursor to the next ones, "" at the end.

        Public matches are everybody's to see, private ones those of their players, of those invited and of whoever opened them.
        Raises BadCursor for a cursor that is not one of ours.
        """
        before = _opened(cursor) if cursor else None
        if awaiting or player:
            indexes = [_awaiting(awaiting)] if awaiting else [_of(player)]
        else:
            indexes = [_public(name) for name in ([status] if status else STATUSES)] + ([_of(viewer)] if viewer else [])
        found = []
        for row in self._walk(indexes, before):
            if (
                (row.public or viewer in row.viewers())
                and (not game or row.game == game)
                and (not status or row.status == status)
                and (not player or player in row.people())
                and (not awaiting or awaiting in row.awaiting())
            ):
                found.append(row)
                if len(found) > limit:
                    return found[:limit], _sealed(found[limit - 1])
        return found, ""

    def count(self) -> dict[str, int]:
        """How many matches there are of each status; every row is read for it, page by page."""
        counted = dict.fromkeys(STATUSES, 0)
        with in_words():
            for _, held in self._client.hscan_iter(ROWS, count=1000):
                if (row := _read(held)) and row.status in counted:
                    counted[row.status] += 1
        return counted

    def open_to(self, player: str) -> set[str]:
        """The matches that wait or run and that the player has to do with: sits in, is invited to, or opened."""
        return {row.match for row in self._walk([_of(player)], None) if row.status in ("waiting", "live") and player in row.viewers()}

    def _walk(self, indexes: list[str], before: Place | None) -> Iterator[MatchRow]:
        """The rows of some indexes, each match once, newest first."""
        places = merge(*(self._places(index, before) for index in indexes), reverse=True)
        last: Place | None = None
        while page := list(islice(places, PAGE)):
            fresh = [place for place, earlier in zip(page, [last, *page], strict=False) if place != earlier]
            last = page[-1]
            with in_words():
                held: Any = self._client.hmget(ROWS, [match for _, match in fresh])
            yield from (_decode(row) for row in held if row)

    def _places(self, index: str, before: Place | None) -> Iterator[Place]:
        """The places in one index after one (newest first); read in pages, each beginning where the last one ended."""
        while True:
            with in_words():
                newest = before[0] if before else "+inf"
                skipped: Any = self._client.zcount(index, newest, newest) if before else 0
                rows: Any = self._client.zrevrangebyscore(index, newest, "-inf", start=0, num=PAGE + skipped, withscores=True)
            places = [(int(score), match.decode()) for match, score in rows]
            yield from (place for place in places if before is None or place < before)
            if len(places) < PAGE + skipped:
                return
            before = places[-1]


def _read(held: bytes) -> MatchRow | None:
    """A row as it is held; None for what is none."""
    try:
        return _decode(held) if held else None
    except msgspec.MsgspecError:
        return None


def _indexes(row: MatchRow) -> set[str]:
    """The indexes that a row stands in."""
    return (
        ({_public(row.status)} if row.public else set())
        | {_of(player) for player in row.viewers()}
        | {_awaiting(player) for player in row.awaiting()}
    )


def _public(status: str) -> str:
    return f"{{list}}:public:{status}"


def _of(player: str) -> str:
    return f"{{list}}:of:{player}"


def _awaiting(player: str) -> str:
    return f"{{list}}:awaiting:{player}"


def _sealed(row: MatchRow) -> str:
    return urlsafe_b64encode(_encode((row.created, row.match))).decode().rstrip("=")


def _opened(cursor: str) -> Place:
    try:
        return _place.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, msgspec.MsgspecError, ValueError) as wrong:
        raise BadCursor("this cursor was not given by this list: begin again without one") from wrong
