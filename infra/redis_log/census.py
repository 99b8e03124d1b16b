"""The census: which matches there are, what their heads say, and where their streams end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from redis import Redis

from domain.game import Record
from infra.ids import is_match_id
from infra.redis_log import keys
from infra.redis_log.unavailable import in_words

PAGE = 500  # matches a round trip


class Head(Record, frozen=True):
    """A match's head as it is stored; `why` it is read-only, "" while it is not; `archive` the SHA-256 (hex) of its bundle, "" while it has none."""

    version: int
    hash: str  # hex
    status: str  # waiting, live, over or archived
    due: int | None  # ms
    at: int  # ms
    why: str = ""
    archive: str = ""


class Census:
    """All methods raise LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def matches(self) -> set[str]:
        """Every match that has a head or events. One that begins meanwhile may be missing."""
        with in_words():
            found = {_between(name) for name in self._client.scan_iter(match="{p[0-9][0-9]}:m:*", count=1000)}
        return {match for match in found if is_match_id(match)}

    def heads(self, matches: Iterable[str]) -> dict[str, Head | None]:
        """Their heads; None for a match that has none which could be read."""
        heads: dict[str, Head | None] = {}
        for page in _pages(matches):
            with in_words():
                pipe = self._client.pipeline(transaction=False)
                for match in page:
                    pipe.hgetall(keys.head(match))
                heads |= {match: head_of(said) for match, said in zip(page, pipe.execute(raise_on_error=False), strict=True)}
        return heads

    def tips(self, matches: Iterable[str]) -> dict[str, int | None]:
        """The last version in each match's stream, 0 where there is none; None for what is no stream."""
        tips: dict[str, int | None] = {}
        for page in _pages(matches):
            with in_words():
                pipe = self._client.pipeline(transaction=False)
                for match in page:
                    pipe.xrevrange(keys.events(match), count=1)
                for match, rows in zip(page, pipe.execute(raise_on_error=False), strict=True):
                    tips[match] = None if isinstance(rows, Exception) else int(rows[0][0].partition(b"-")[0]) if rows else 0
        return tips


def head_of(said: Any) -> Head | None:
    """A head from its fields as they are stored."""
    if isinstance(said, Exception) or not said:
        return None
    try:
        field = {name.decode(): value.decode() for name, value in said.items()}
        due = int(field["due"]) if "due" in field else None
        return Head(int(field["v"]), field["h"], field["st"], due, int(field["at"]), field.get("ro", ""), field.get("arch", ""))
    except (KeyError, ValueError):
        return None


def _between(name: bytes) -> str:
    """The match in the name of a key like `{p07}:m:<match>:ev`."""
    return name.decode(errors="replace").split(":")[2]


def _pages(matches: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(matches)
    while page := list(islice(rest, PAGE)):
        yield page
