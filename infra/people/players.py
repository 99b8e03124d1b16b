"""Who plays here: the records about people that stand outside the log, so that a player can be erased without breaking a chain."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Literal, TypeAlias, cast, get_args

from redis import Redis

from domain.game import Record
from domain.ports import Clock
from domain.times import UTC_ZONE
from infra.ids import ALPHABET, is_player_id, new_player_id
from infra.people.spelling import Misspelled, address, label, same_box, spelled, zone
from infra.redis_log.unavailable import in_words

Scope: TypeAlias = Literal["matches:read", "matches:play", "matches:create", "player:read", "player:write", "webhooks:write", "admin"]

SCOPES: tuple[Scope, ...] = get_args(Scope)
MOST_PASSES = 50  # API tokens of one player
MOVING = 86_400  # seconds that a new address has to answer
TOKEN = re.compile(rf"fp_[{ALPHABET}]{{52}}")

# A record that is gone must not come back as half of one, so a change asks for the record in the same breath.
CHANGE = "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end redis.call('HSET', KEYS[1], unpack(ARGV)) return 1"


class NoSuchPlayer(LookupError):
    """There is no player with this id."""


class TooMany(ValueError):
    """There is no room for one more; the message says what to do."""


class Taken(ValueError):
    """The address is another player's."""


class Player(Record, frozen=True):
    """A person or program with a mailbox; `confirmed`: a mail that we sent there was answered. `created` in ms.

    `suppressed`: why no more mail is sent there, in the words of the mail server that refused it for good; "" while it is.
    `moved`: when (ms) they came to this address from another one; 0: never.
    """

    id: str
    name: str
    address: str
    confirmed: bool
    zone: str
    created: int
    suppressed: str = ""
    moved: int = 0


class Grant(Record, frozen=True):
    """What an API token allows, and until when (ms); 0: for ever."""

    player: str
    scopes: frozenset[str]
    expires: int = 0

    def over(self, now: int) -> bool:
        """Whether it allows nothing any more."""
        return 0 < self.expires <= now


class Pass(Record, frozen=True):
    """An API token as its owner sees it listed: never the token itself. Times in ms; `expires` None: it does not."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created: int
    expires: int | None
    used: int | None = None  # to about a minute


class Moving(Record, frozen=True):
    """An address that a player wants to have and has not answered from yet; `asked` is the minute (since 1970) of the wish."""

    address: str
    asked: int


class Players:
    """The players in Redis. Every write may be sent twice: redis-py does so by itself when a reply is lost. All methods raise LogUnavailable."""

    def __init__(self, client: Redis, clock: Clock, ours: str = "") -> None:
        self._redis, self._clock, self._ours = client, clock, ours
        self._change = client.register_script(CHANGE)

    def box(self, mail: str) -> str:
        """The address as mail is sent to it. Raises Misspelled, also for an address of the site itself (`ours` is its domain)."""
        box = address(mail)
        if self._ours and box.rpartition("@")[2] == self._ours:
            raise Misspelled(f"{box} is an address of this site itself: give one at which you read your mail")
        return box

    @in_words(writing=True)
    def add(self, name: str, mail: str, zone_name: str = UTC_ZONE) -> Player:
        """The player with this address: a new one, or as they are if we know them. Raises Misspelled."""
        player = Player(new_player_id(), spelled(name), self.box(mail), confirmed=False, zone=zone(zone_name), created=self._clock())
        if known := self.by_address(player.address):
            return known
        fields = {"name": player.name, "address": player.address, "confirmed": "0", "zone": player.zone, "created": str(player.created)}
        self._redis.hset(_player(player.id), items=_flat(fields))
        self._redis.set(_address(player.address), player.id, nx=True)  # whoever's is first counts; sent twice, it is still the first
        first = self.by_address(player.address)
        if first is None:  # the address led to somebody who is gone
            self._redis.set(_address(player.address), player.id)
        if first is None or first.id == player.id:
            return player
        self._redis.delete(_player(player.id))
        return first

    @in_words()
    def by_address(self, mail: str) -> Player | None:
        """The player who reads this mailbox. Raises Misspelled."""
        found = cast("bytes | None", self._redis.get(_address(address(mail))))
        return self.get(found.decode()) if found else None

    @in_words()
    def get(self, player: str) -> Player | None:
        """A player's record, or None: unknown, erased, or a house bot."""
        found = cast("dict[bytes, bytes]", self._redis.hgetall(_player(player)))
        if not found:
            return None
        said = {field.decode(): value.decode() for field, value in found.items()}
        confirmed, suppressed = said["confirmed"] == "1", said.get("suppressed", "")
        return Player(player, said["name"], said["address"], confirmed, said["zone"], int(said["created"]), suppressed, int(said.get("moved", 0)))

    def everybody(self) -> Iterator[Player]:
        """All players, in no order."""
        with in_words():
            for name in self._redis.scan_iter("player:p-*", count=1000):
                if is_player_id(player := name.decode().removeprefix("player:")) and (known := self.get(player)):
                    yield known

    @in_words()
    def names(self, players: Iterable[str]) -> dict[str, str]:
        """The names of those who are known, in one round trip."""
        asked = list(dict.fromkeys(players))
        with self._redis.pipeline(transaction=False) as pipe:
            for player in asked:
                pipe.hget(_player(player), "name")
            found = cast("list[bytes | None]", pipe.execute()) if asked else []
        return {player: name.decode() for player, name in zip(asked, found, strict=True) if name is not None}

    @in_words(writing=True)
    def rename(self, player: str, name: str) -> None:
        """Raises Misspelled and NoSuchPlayer."""
        self._set(player, {"name": spelled(name)})

    @in_words(writing=True)
    def live_in(self, player: str, zone_name: str) -> None:
        """From now on the player's times are told in this zone. Raises Misspelled and NoSuchPlayer."""
        self._set(player, {"zone": zone(zone_name)})

    @in_words(writing=True)
    def wish_to_move(self, player: str, mail: str, asked: int) -> Moving:
        """Note the address that the player wants mail to go to, in place of an earlier such wish. Raises Misspelled and NoSuchPlayer."""
        moving = Moving(self.box(mail), asked)
        if self.get(player) is None:
            raise NoSuchPlayer(player)
        self._redis.hset(_moving(player), mapping={"address": moving.address, "asked": str(asked)})
        self._redis.expire(_moving(player), MOVING)
        return moving

    @in_words()
    def moving(self, player: str) -> Moving | None:
        """The address that the player has yet to answer from."""
        found = cast("dict[bytes, bytes]", self._redis.hgetall(_moving(player)))
        return Moving(found[b"address"].decode(), int(found[b"asked"])) if found else None

    @in_words(writing=True)
    def stay(self, player: str) -> None:
        """Nothing becomes of the new address."""
        self._redis.delete(_moving(player))

    @in_words(writing=True)
    def move(self, player: str) -> None:
        """The new address has answered: mail goes there from now on. May be done again after a crash. Raises Taken and NoSuchPlayer."""
        known, moving = self.get(player), self.moving(player)
        if known is None or moving is None:
            raise NoSuchPlayer(player)
        self._redis.set(_address(moving.address), player, nx=True)
        holder = self.by_address(moving.address)
        if holder is None:  # the address led to somebody who is gone
            self._redis.set(_address(moving.address), player)
        elif holder.id != player:
            raise Taken("this address is that of another player here")
        self._set(player, {"address": moving.address, "confirmed": "1", "suppressed": "", "moved": str(self._clock())})
        if same_box(known.address) != same_box(moving.address):
            self._redis.delete(_address(known.address))
        self._redis.delete(_moving(player))

    @in_words(writing=True)
    def forget(self, player: str) -> None:
        """Remove the record, the address, the tokens and whatever else is known of a player here; may be done again."""
        known = self.get(player)
        for digest in cast("set[bytes]", self._redis.smembers(_passes(player))):
            self._redis.delete(_token(digest.decode()))
        self._redis.delete(_passes(player), _moving(player))
        if known is not None and (holder := self.by_address(known.address)) is not None and holder.id == player:
            self._redis.delete(_address(known.address))
        self._redis.delete(_player(player))

    @in_words(writing=True)
    def confirm(self, player: str) -> None:
        """The player has shown that they read their mailbox. Raises NoSuchPlayer."""
        self._set(player, {"confirmed": "1", "suppressed": ""})

    def suppress(self, player: str, words: str) -> None:
        """No more mail goes to the player until they show that they read their mailbox; `words` say why. Raises NoSuchPlayer."""
        self._set(player, {"suppressed": words[:500]})

    @in_words(writing=True)
    def new_token(self, player: str, scopes: Iterable[str], name: str, expires: int | None = None, text: str = "") -> str:
        """A new API token, shown this once: only its SHA-256 is kept. `text`: the token itself, where it is not drawn here.

        Raises Misspelled, NoSuchPlayer, TooMany, and ValueError for a scope there is not.
        """
        wanted = frozenset(scopes)
        if unknown := sorted(wanted - set(SCOPES)):
            raise ValueError(f"there is no scope {unknown[0]}; there are {', '.join(SCOPES)}")
        if not wanted:
            raise ValueError(f"a token without a scope opens nothing; there are {', '.join(SCOPES)}")
        if self.get(player) is None:
            raise NoSuchPlayer(player)
        if len(self.passes(player)) >= MOST_PASSES:
            raise TooMany(f"a player has at most {MOST_PASSES} tokens: revoke one that is not needed any more")
        token = text or "fp_" + "".join(secrets.choice(ALPHABET) for _ in range(52))
        kept = {
            "player": player,
            "scopes": " ".join(scope for scope in SCOPES if scope in wanted),
            "name": label(name),
            "created": str(self._clock()),
            "expires": str(expires or 0),
        }
        self._redis.sadd(_passes(player), _digest(token))  # listed first: what is listed and missing does no harm, the reverse could not be revoked
        self._redis.hset(_token(_digest(token)), items=_flat(kept))
        if expires is not None:
            self._redis.pexpire(_token(_digest(token)), expires - self._clock())  # Redis may have another time than we
        return token

    @in_words()
    def authenticate(self, token: str) -> Grant | None:
        """Whose token this is and what it allows, in one round trip; None if it is no token, revoked or expired.

        It is looked up by its hash, so that how long this takes tells nothing about any token there is.
        """
        if not TOKEN.fullmatch(token):
            return None
        found = cast("dict[bytes, bytes]", self._redis.hgetall(_token(_digest(token))))
        if not found:
            return None
        grant = Grant(found[b"player"].decode(), frozenset(found[b"scopes"].decode().split()), int(found[b"expires"]))
        return None if grant.over(self._clock()) else grant

    @in_words(writing=True)
    def note_use(self, token: str) -> None:
        """The token has just been used. One that is gone stays gone."""
        self._change(keys=[_token(_digest(token))], args=["used", str(self._clock())])

    @in_words()
    def passes(self, player: str) -> list[Pass]:
        """The player's API tokens, oldest first."""
        digests = sorted(member.decode() for member in cast("set[bytes]", self._redis.smembers(_passes(player))))
        with self._redis.pipeline(transaction=False) as pipe:
            for digest in digests:
                pipe.hgetall(_token(digest))
            found = cast("list[dict[bytes, bytes]]", pipe.execute()) if digests else []
        listed = [_pass(digest, said) for digest, said in zip(digests, found, strict=True) if said]
        return sorted(listed, key=lambda one: (one.created, one.id))

    @in_words(writing=True)
    def revoke(self, player: str, pass_id: str) -> bool:
        """End one of the player's API tokens at once; False if the player has none of that id."""
        for member in cast("set[bytes]", self._redis.smembers(_passes(player))):
            if member.decode()[:16] == pass_id:
                self._redis.delete(_token(member.decode()))
                self._redis.srem(_passes(player), member)
                return True
        return False

    def _set(self, player: str, fields: Mapping[str, str]) -> None:
        if not self._change(keys=[_player(player)], args=_flat(fields)):
            raise NoSuchPlayer(player)


def _pass(digest: str, said: dict[bytes, bytes]) -> Pass:
    expires = int(said[b"expires"])
    used = int(said.get(b"used", 0))
    return Pass(digest[:16], said[b"name"].decode(), tuple(said[b"scopes"].decode().split()), int(said[b"created"]), expires or None, used or None)


def pass_of(token: str) -> str:
    """The id under which a token is listed."""
    return _digest(token)[:16]


def _flat(fields: Mapping[str, str]) -> list[str]:
    return [part for field in fields.items() for part in field]


def _player(player: str) -> str:
    return f"player:{player}"


def _address(mail: str) -> str:
    return f"address:{same_box(mail)}"


def _moving(player: str) -> str:
    return f"player:{player}:moving"


def _token(digest: str) -> str:
    return f"apitoken:{digest}"


def _passes(player: str) -> str:
    return f"player:{player}:apitokens"


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
