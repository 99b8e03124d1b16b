"""The event log in Redis: one stream a match, written by one script in one round trip (store.md)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha1, sha256
from importlib.resources import files
from logging import getLogger
from time import sleep
from typing import Any

from redis import ConnectionPool, Redis
from redis.exceptions import BusyLoadingError, NoScriptError, RedisError, ResponseError
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

from domain.chain import ORIGIN
from domain.ports import (
    Append,
    Appended,
    Appending,
    ClocksApart,
    Closed,
    Conflict,
    Damaged,
    Early,
    Key,
    KeyReused,
    Late,
    Replayed,
    Stored,
    Tip,
)
from infra.ids import is_match_id, partition
from infra.redis_clients.cluster import ELSEWHERE, Cluster
from infra.redis_log import keys
from infra.redis_log.gate import Gate
from infra.redis_log.readonly import ReadOnly
from infra.redis_log.replicas import Command, Replicas
from infra.redis_log.road import asked, packed
from infra.redis_log.unavailable import in_words, refused_whole, unavailable

log = getLogger(__name__)

SOURCE = files(__package__).joinpath("append.lua").read_bytes()
SHA = sha1(SOURCE, usedforsecurity=False).hexdigest()  # the name that Redis gives the script
KEPT = 7 * 24 * 3600 * 1000  # ms that an idempotency key is remembered
PAUSES = (0.0, 0.02, 0.1, 0.4, 1.0)  # seconds before each sending of an append whose reply was lost
AGAIN = 12  # where among the arguments the script is told that this is not the first sending
OF_THE_MATCH = (b"LOST", b"CHAIN", b"TIP", b"FORGOTTEN")  # what is wrong is the match's own, not its partition's
PAGE = 1000  # events a round trip when a long match is read


class RedisLog:
    """`domain.ports.EventLog` in Redis ≥ 6.2, to be shared by threads. The client gives bytes (`decode_responses` off).

    An append is sent on a connection of its own for as long as it takes, because redis-py would repeat a command whose reply was
    lost without telling: here the script is told, and finds the events that the first sending wrote.
    """

    def __init__(self, client: Redis, partitions: int, skew_ms: int = 2000, gate: Gate | None = None, replicas: Replicas | None = None) -> None:
        self._readonly, self._replicas = ReadOnly(client, partitions), replicas or Replicas()
        self._client, self._partitions, self._skew, self._gate = client, partitions, skew_ms, gate
        self._cluster = client if isinstance(client, Cluster) else None

    def append(self, batch: Append) -> Appending:
        """Write, or say why not. Safe to repeat after a lost reply. Raises LogUnavailable."""
        reply = self._run(*self._asked(batch))
        outcome = _told(batch, reply)
        if isinstance(outcome, Damaged):
            if reply[0] in OF_THE_MATCH or keys.head(batch.match).encode() in reply or keys.events(batch.match).encode() in reply:
                self._readonly.mark(batch.match, outcome.what)
            elif reply[0] != b"READ-ONLY":
                log.error("ALARM: match %s could not be written to: %s", batch.match, outcome.what)
        return outcome

    def read(self, match: str, after: int = 0, limit: int | None = None) -> Sequence[Stored]:
        """The events after a version, oldest first. Raises LogUnavailable."""
        found: list[Stored] = []
        if not is_match_id(match):
            return found
        while limit is None or len(found) < limit:
            wanted = PAGE if limit is None else min(PAGE, limit - len(found))
            page = self._page(keys.events(match), f"{after + 1}-0", wanted)
            found += [Stored(int(name.partition(b"-")[0]), fields[b"t"].decode(), fields[b"d"]) for name, fields in page]
            if len(page) < wanted:
                break
            after = found[-1].version
        return found

    def recall(self, match: str, key: Key) -> Replayed | KeyReused | None:
        """What an idempotency key was used for in this match's partition, if anything. Raises LogUnavailable."""
        if not is_match_id(match):
            return None
        with in_words():
            used: Any = self._client.hmget(keys.idem(match, key.actor, key.key), "fp", "v", "n")
        fingerprint, version, count = used
        if fingerprint is None:
            return None
        return Replayed(int(version) - int(count), int(version)) if fingerprint == _print(key) else KeyReused()

    def vouch(self, match: str, tip: Tip) -> Conflict | Damaged | None:
        """Whether the newest append left the match there; where the log contradicts itself, the match is read-only. Raises LogUnavailable."""
        with in_words():
            pipe = self._client.pipeline(transaction=True)  # head and stream as they were at one moment
            pipe.hmget(keys.head(match), "v", "h", "st")
            pipe.xrevrange(keys.events(match), count=1)
            try:
                (version, head, status), last = pipe.execute()
            except ResponseError as error:
                if "WRONGTYPE" not in str(error):
                    raise
                return self._harmed(match, f"BAD-TYPE: {keys.head(match)} is no hash, or {keys.events(match)} no stream")
        ends = tip.version if status == b"archived" else int(last[0][0].partition(b"-")[0]) if last else 0
        if wrong := _contradiction(tip, int(version or 0), (head or b"").decode(), ends):
            return self._harmed(match, wrong)
        return None if ends == tip.version else Conflict(ends)

    def _harmed(self, match: str, what: str) -> Damaged:
        self._readonly.mark(match, what)
        return Damaged(what)

    def pending(self, match: str) -> bool:
        """Whether replicas have yet to say that they have all of the match. Raises LogUnavailable."""
        if not self._replicas or not is_match_id(match):
            return False
        with in_words():
            pool, connection = self._connected(keys.head(match))
            try:
                return not self._replicas.ask(connection, ("EXISTS", keys.head(match)))[1]
            finally:
                pool.release(connection)

    def _page(self, stream: str, first: str, count: int) -> list[tuple[bytes, dict[bytes, bytes]]]:
        """So many entries from one on, with their ids. Every look and every refusal asks for news, so the short road is tried first."""
        with in_words():
            if type(self._client) is Redis and (entries := asked(self._client, "XRANGE", stream, first, "+", "COUNT", count)) is not None:
                return [(name, dict(zip(fields[::2], fields[1::2], strict=True))) for name, fields in entries]
            page: Any = self._client.xrange(stream, first, "+", count)
        return list(page)

    def _asked(self, batch: Append) -> tuple[list[str], list[str | bytes | int]]:
        """Keys and arguments of the script."""
        match, key, of = batch.match, batch.key, partition(batch.match)
        if not is_match_id(match) or of >= self._partitions:
            raise ValueError(f"{match} is in none of the {self._partitions} partitions; FORGEPOST_PARTITIONS may grow and never shrink")
        idem = keys.idem(match, key.actor, key.key) if key else keys.no_idem(match)
        return [keys.events(match), keys.head(match), idem, keys.feed(of), keys.due(of)], [
            match,
            batch.expected.version,
            "" if batch.expected.hash == ORIGIN else batch.expected.hash.hex(),
            batch.hash.hex(),
            batch.now,
            self._skew,
            batch.mode,
            batch.status,
            "" if batch.due is None else batch.due,
            batch.notes,
            _print(key) if key else "",
            KEPT,
            "",
            *(part for entry in batch.entries for part in entry),
        ]

    def _run(self, names: list[str], args: list[str | bytes | int]) -> list[Any]:
        """The script's reply; sent again, and marked so, after a lost one. Raises LogUnavailable when that does not help either."""
        trouble: RedisError | None = None
        sent = False
        for pause in PAUSES:
            if pause:
                sleep(pause)
            try:
                pool, connection = self._connected(names[0])
            except BusyLoadingError as error:
                trouble = error
                continue
            except RedisError as error:
                self._look_again()
                raise unavailable(error, sent=sent) from error
            try:
                return _copied(connection, names, args, self._replicas) if self._replicas else _evaluated(connection, names, args)
            except BusyLoadingError as error:
                trouble = error
            except (Disconnected, TimedOut) as error:
                connection.disconnect()
                hung = isinstance(trouble, TimedOut) and isinstance(error, TimedOut)
                trouble, sent, args[AGAIN] = error, True, "again"
                if hung:
                    break
                self._look_again()
            except ELSEWHERE as error:
                trouble = error
                self._look_again()
            except ResponseError as error:
                if "equal or smaller" in str(error):  # at the first event: the stream remembers a later version than it shows
                    return [b"FORGOTTEN", args[1]]
                raise unavailable(error, sent=sent or not refused_whole(error)) from error
            finally:
                pool.release(connection)
        assert trouble
        raise unavailable(trouble, sent=sent) from trouble

    def _connected(self, key: str) -> tuple[ConnectionPool, Any]:
        """A connection from the pool of the key's server, made with the client's own patience, to a server that may be written to."""
        pool = self._cluster.pool_of(key) if self._cluster else self._client.connection_pool
        connection = pool.get_connection()
        try:
            if self._gate:
                self._gate.admit(connection)
        except BaseException:
            pool.release(connection)
            raise
        return pool, connection

    def _look_again(self) -> None:
        """In a cluster, find out where the slots lie now; who cannot tell is asked again with the next sending."""
        if self._cluster:
            with suppress(RedisError):
                self._cluster.look_again()


def _evaluated(connection: Any, names: list[str], args: list[str | bytes | int]) -> list[Any]:
    """The reply of the script, which is handed over where the server does not know it (a restart, SCRIPT FLUSH)."""
    connection.send_packed_command(packed("EVALSHA", SHA, len(names), *names, *args), check_health=False)
    try:
        reply: list[Any] = connection.read_response()
    except NoScriptError:
        connection.send_packed_command(packed("EVAL", SOURCE, len(names), *names, *args), check_health=False)
        reply = connection.read_response()
    return reply


def _copied(connection: Any, names: list[str], args: list[str | bytes | int], replicas: Replicas) -> list[Any]:
    """The same with replicas; what is written and has not come to enough of them in time is PENDING."""
    reply: Any = None
    enough = False
    ways: tuple[Command, ...] = (("EVALSHA", SHA), ("EVAL", SOURCE))
    for way in ways:
        reply, enough = replicas.ask(connection, (*way, len(names), *names, *args))
        if not isinstance(reply, NoScriptError):
            break
    if isinstance(reply, Exception):
        raise reply
    said: list[Any] = reply
    return said if enough or said != [b"OK"] else [b"PENDING"]


def _told(batch: Append, reply: list[Any]) -> Appending:
    """An outcome's name and what belongs to it, as the domain knows it."""
    match [reply[0].decode(), *reply[1:]]:
        case ["OK"]:
            return Appended()
        case ["PENDING"]:
            log.warning("match %s is stored beyond version %d, and replicas have yet to say that they have it", batch.match, batch.expected.version)
            return Appended(pending=True)
        case ["REPLAY", version, count]:
            return Replayed(version - count, version)
        case ["KEY-REUSED"]:
            return KeyReused()
        case ["CONFLICT", version]:
            return Conflict(version)
        case ["CLOSED"]:
            return Closed()
        case ["LATE", due]:
            return Late(due)
        case ["EARLY", *due]:
            return Early(due[0] if due else None)
        case ["READ-ONLY", why]:
            return Damaged(why.decode())
        case ["LOST", version]:
            return Damaged(f"LOST: {batch.match} had {batch.expected.version} events, and its log has {version}")
        case ["CHAIN", found]:
            return Damaged(f"CHAIN: the head of {batch.match} is {found.decode() or 'none'}, not {batch.expected.hash.hex()}")
        case ["TIP", tip, version]:
            return Damaged(f"TIP: the head of {batch.match} says version {version}, its stream ends at {tip.decode()}")
        case ["FORGOTTEN", version]:
            return Damaged(f"TIP: the stream of {batch.match} has lost events after version {version}")
        case ["BAD-TYPE", name, found, wanted]:
            return Damaged(f"BAD-TYPE: {name.decode()} is a {found.decode()}, not a {wanted.decode()}")
        case ["SKEW", skew]:
            raise ClocksApart(
                f"nothing was written: our clock and that of Redis differ by {abs(skew) / 1000:.1f} s, "
                "or the request was so long on its way; set them right (ntp)"
            )
    raise AssertionError(f"append.lua said {reply}")


def _contradiction(tip: Tip, version: int, head: str, ends: int) -> str:
    """In what a head (version, hash) and the end of its stream do not fit together, or not with what the events up to a tip come to."""
    if not version:
        return f"HEAD: it has {ends} events and no head that can be read"
    if version != ends:
        return f"TIP: its head says version {version}, its stream ends at {ends}"
    if version == tip.version and head != tip.hash.hex():
        return f"CHAIN: its {version} events come to the hash {tip.hash.hex()}, and its head says {head}: an event was changed"
    return f"TIP: it had {tip.version} events a moment ago, and has {version}" if version < tip.version else ""


def _print(key: Key) -> bytes:
    """What is kept of a request's fingerprint: enough to tell it from the others of one key, and short, for there is one for every move."""
    return sha256(key.fingerprint.encode()).digest()[:8]
