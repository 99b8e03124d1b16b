"""The values of Redis keys, whatever their type: taken out in one pipeline, and put back in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.game import Record
from infra.keeping.paper import Group, KeyLine, Stream, Type, meant, said

MOST = 1_000_000  # entries that a group may have begun with and not finished
TAKEN_OUT = "restored"  # the consumer to whom such entries belong afterwards, until whoever reads for the group claims them


class Changed(Exception):
    """A key changed its type or its groups between the asking and the answer: ask again."""


class Value(Record, frozen=True):
    """A key whose value is asked for; of a stream also its groups, which have to be named."""

    key: bytes
    type: str
    groups: tuple[bytes, ...] = ()

    @property
    def replies(self) -> int:
        """How many answers its questions get."""
        return 5 + len(self.groups) if self.type == "stream" else 3

    def ask(self, pipe: Pipeline) -> None:
        """Put the questions into a pipeline."""
        key: Any = self.key
        pipe.type(key)
        pipe.pttl(key)
        match self.type:
            case "string":
                pipe.get(key)
            case "list":
                pipe.lrange(key, 0, -1)
            case "set":
                pipe.smembers(key)
            case "hash":
                pipe.hgetall(key)
            case "zset":
                pipe.zrange(key, 0, -1, withscores=True)
            case "stream":
                pipe.xrange(key)
                pipe.xinfo_stream(key)
                pipe.xinfo_groups(key)
                for group in self.groups:
                    pipe.xpending_range(key, group, "-", "+", MOST)
            case _:
                pipe.exists(key)


def asked(client: Redis, names: Sequence[bytes]) -> list[Value]:
    """What has to be asked about these keys."""
    pipe = client.pipeline(transaction=False)
    for name in names:
        pipe.type(name)
    types = [kind.decode() for kind in pipe.execute()]
    streams = [name for name, kind in zip(names, types, strict=True) if kind == "stream"]
    for name in streams:
        pipe.xinfo_groups(name)
    groups = {
        name: () if isinstance(found, Exception) else tuple(group["name"] for group in found)
        for name, found in zip(streams, pipe.execute(raise_on_error=False), strict=True)
    }
    return [Value(name, kind, groups.get(name, ())) for name, kind in zip(names, types, strict=True)]


def told(values: Iterable[Value], replies: Sequence[Any], now: int) -> list[KeyLine]:
    """The lines of the keys that there are. Raises Changed."""
    lines, rest = [], list(replies)
    for value in values:
        (kind, ttl, *found), rest = rest[: value.replies], rest[value.replies :]
        if kind.decode() != value.type or any(isinstance(reply, Exception) for reply in found):
            raise Changed
        if value.type == "none":
            continue
        shown: Any = _stream(value, *found) if value.type == "stream" else _plain(value.type, found[0])
        lines.append(KeyLine(value.key.decode(), cast("Type", value.type), shown, now + ttl if ttl >= 0 else None))
    return lines


def _plain(kind: str, found: Any) -> Any:
    match kind:
        case "string":
            return said(found)
        case "hash":
            return [[said(name), said(value)] for name, value in sorted(found.items())]
        case "zset":
            return [[said(member), int(score) if score == int(score) else str(score)] for member, score in found]
        case "set":
            return [said(member) for member in sorted(found)]
        case _:
            return [said(member) for member in found]


def _stream(value: Value, entries: Any, info: Any, groups: Any, *pending: Any) -> Stream:
    if tuple(group["name"] for group in groups) != value.groups:
        raise Changed
    return Stream(
        tuple((place.decode(), tuple((said(name), said(field)) for name, field in fields.items())) for place, fields in entries),
        info["last-generated-id"].decode(),
        tuple(
            Group(group["name"].decode(), group["last-delivered-id"].decode(), tuple(each["message_id"].decode() for each in kept))
            for group, kept in zip(groups, pending, strict=True)
        ),
    )


def put(pipe: Any, line: KeyLine) -> None:
    """Put the commands that make the key into a pipeline."""
    key: Any = line.key.encode()
    for start in range(0, len(line.value), 1000) if isinstance(line.value, list) else ():
        page = line.value[start : start + 1000]
        match line.type:
            case "hash":
                pipe.hset(key, mapping={meant(name): meant(value) for name, value in page})
            case "zset":
                pipe.zadd(key, {meant(member): float(score) for member, score in page})
            case "set":
                pipe.sadd(key, *map(meant, page))
            case _:
                pipe.rpush(key, *map(meant, page))
    if line.type == "string":
        pipe.set(key, meant(line.value))
    if line.type == "stream":
        for command in _commands(key, msgspec.convert(line.value, Stream)):
            pipe.execute_command(*command)
    if line.expires is not None:
        pipe.pexpireat(key, line.expires)


def _commands(key: Any, stream: Stream) -> Iterator[list[Any]]:
    """The stream with its groups: each is given what it had been given, and acknowledges what it had finished with."""
    if not stream.entries:
        yield ["XADD", key, "0-1", "", ""]
        yield ["XDEL", key, "0-1"]
    for place, fields in stream.entries:
        yield ["XADD", key, place, *(meant(part) for pair in fields for part in pair)]
    if stream.last != "0-0":
        yield ["XSETID", key, stream.last]
    places = [place for place, _ in stream.entries]
    for group in stream.groups:
        given = [place for place in places if _number(place) <= _number(group.last)]
        yield ["XGROUP", "CREATE", key, group.name, "0"]
        if given:
            yield ["XREADGROUP", "GROUP", group.name, TAKEN_OUT, "COUNT", len(given), "STREAMS", key, ">"]
            if done := [place for place in given if place not in group.pending]:
                yield ["XACK", key, group.name, *done]
        yield ["XGROUP", "SETID", key, group.name, group.last]


def _number(place: str) -> tuple[int, int]:
    ms, _, seq = place.partition("-")
    return int(ms), int(seq)
