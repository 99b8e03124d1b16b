"""How much mail a player wants, and when: in general, and otherwise for single matches. What becomes of it, whoever sends mail decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta
from msgspec.structs import asdict
from redis import Redis

from domain.game import Record
from infra.redis_log.unavailable import in_words

Cadence: TypeAlias = Literal["each", "every", "daily", "off"]
Hour: TypeAlias = Annotated[int, Meta(ge=0, le=23)]
# So much of a turn's time has passed (`80%`), or so much of it is left (`12h`).
Reminder: TypeAlias = Annotated[str, Meta(pattern=r"^([1-9][0-9]?%|[1-9][0-9]{0,2}h)$")]

MOST_REMINDERS: Final = 3
ALWAYS: Final = ""  # in the place of a match: what holds where nothing else was said for it


class Quiet(Record, frozen=True, forbid_unknown_fields=True):
    """The hours of the player's day, in their zone, in which no mail comes: from one full hour to another, over midnight where it is earlier."""

    start: Hour
    end: Hour


class Preferences(Record, frozen=True, forbid_unknown_fields=True):
    """What a player wants.

    `cadence`: a mail for each turn, at most one every so many `hours`, one a day at the full `hour` in the player's zone, or none at all.
    """

    cadence: Cadence = "each"
    hours: Annotated[int, Meta(ge=1, le=168)] = 6
    hour: Hour = 8
    reminders: Annotated[tuple[Reminder, ...], Meta(max_length=MOST_REMINDERS)] = ("80%",)
    quiet: Quiet | None = None


class Preferring:
    """The preferences in Redis. Only what somebody has chosen is kept, so that what they have not follows the site. Raises LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._redis = client

    @in_words()
    def preferences(self, player: str, match: str = ALWAYS) -> Preferences:
        """What counts for mails to the player about a match; without one, what counts where nothing was said about a match. One round trip."""
        general, special = cast("list[bytes | None]", self._redis.hmget(_key(player), [ALWAYS, match]))
        said = {**(msgspec.json.decode(general) if general else {}), **(msgspec.json.decode(special) if special else {})}
        return msgspec.convert(said, Preferences)

    @in_words()
    def chosen(self, player: str, match: str = ALWAYS) -> dict[str, Any]:
        """What the player has chosen, in general or for this match alone."""
        held = cast("bytes | None", self._redis.hget(_key(player), match))
        return msgspec.json.decode(held, type=dict[str, Any]) if held else {}

    @in_words(writing=True)
    def choose(self, player: str, changes: Mapping[str, Any], match: str = ALWAYS, *, afresh: bool = False) -> None:
        """Put these in the place of what was chosen before, or (`afresh`) of all that was. Raises msgspec.ValidationError."""
        msgspec.convert(dict(changes), Preferences)
        chosen = {**({} if afresh else self.chosen(player, match)), **changes}
        if chosen:
            self._redis.hset(_key(player), match, msgspec.json.encode(chosen).decode())
        else:
            self._redis.hdel(_key(player), match)

    @in_words(writing=True)
    def silence(self, player: str, match: str = ALWAYS) -> None:
        """No more mail about a match; without one, none about any, whatever was chosen for single matches."""
        self.choose(player, {"cadence": "off"}, match)
        if match == ALWAYS:
            for named in cast("list[bytes]", self._redis.hkeys(_key(player))):
                kept = self.chosen(player, named.decode())
                if named and kept.pop("cadence", None):
                    self.choose(player, kept, named.decode(), afresh=True)

    @in_words(writing=True)
    def forget(self, player: str) -> None:
        """Nothing was ever chosen."""
        self._redis.delete(_key(player))


def told(preferences: Preferences) -> dict[str, Any]:
    """The preferences as JSON has them."""
    quiet = preferences.quiet
    return {**asdict(preferences), "reminders": list(preferences.reminders), "quiet": quiet and {"from": quiet.start, "to": quiet.end}}


def _key(player: str) -> str:
    return f"player:{player}:mail"
