"""Whether a Redis may be written to at all: it must not be able to lose an acknowledged move (store.md, "Before the first write")."""

from __future__ import annotations

from collections.abc import Callable
from logging import getLogger
from typing import Any
from weakref import WeakSet

from redis import Redis
from redis.exceptions import BusyLoadingError, RedisError, ResponseError

from domain.ports import LogUnavailable
from infra import clock
from infra.redis_clients.address import address
from infra.redis_clients.cluster import Cluster
from infra.redis_log.unavailable import unavailable
from infra.settings import Settings

log = getLogger(__name__)

OLDEST = (6, 2)
SECTIONS = ("server", "replication")
RESTORING = "{ops}:restoring"  # there as long as a backup is put back
PART = "Redis is a part of a cluster: let EVENTS_REDIS_URL begin with redis+cluster://"
CONFIG = ("appendonly", "appendfsync", "maxmemory-policy", "no-appendfsync-on-rewrite", "min-replicas-to-write")


def check(client: Redis, settings: Settings, skew_ms: int = 2000) -> list[str]:
    """Why this Redis may not be written to: a sentence for each reason, with what to set; none when it may. Raises LogUnavailable."""
    try:
        wrong = [f"{_named(client, server)}{words}" for server in servers(client) for words in _lacks(server, settings, skew_ms)]
        if PART not in wrong and client.exists(RESTORING):
            wrong.insert(0, "a restore was broken off, so not everything is there: empty this Redis and restore again")
    except RedisError as error:
        raise unavailable(error) from error
    return wrong


def servers(client: Redis) -> list[Redis]:
    """Clients of each server that is written to: the masters of a cluster, or the one there is."""
    return client.servers() if isinstance(client, Cluster) else [client]


def _named(client: Redis, server: Redis) -> str:
    """Which of several servers it is, as a sentence about it begins."""
    at = server.get_connection_kwargs()
    return f"{at['host']}:{at['port']}: " if isinstance(client, Cluster) else ""


def _lacks(server: Redis, settings: Settings, skew_ms: int) -> list[str]:
    """The same of one server."""
    info = {_text(name): _text(value) for name, value in server.info("everything").items() if not isinstance(value, dict)}
    before = clock.now()
    seconds, micros = server.time()
    theirs = int(seconds) * 1000 + int(micros) // 1000
    apart = max(before - theirs, theirs - clock.now())  # no more than that is sure: either may have stood still over the question
    config = _config(server)
    wrong = []
    version = tuple(int(part) for part in info["redis_version"].split(".")[:2])
    if version < OLDEST:
        wrong.append(f"Redis is {info['redis_version']}, and the log needs 6.2 or later: install a newer one")
    if info["role"] != "master":
        wrong.append(f"Redis is a {info['role']}: give EVENTS_REDIS_URL the address of the master")
    if info["loading"] != "0":
        wrong.append("Redis is still loading its data: wait until it has")
    if apart > skew_ms:
        wrong.append(f"the clocks of this machine and of Redis differ by {apart / 1000:.1f} s: set them right (ntp)")
    if info.get("cluster_enabled") == "1" and address(settings.events_redis_url).kind != "cluster":
        wrong.append(PART)
    if config is None and settings.redis_durability_attested:
        log.warning("Redis does not show its configuration; REDIS_DURABILITY_ATTESTED vouches that it keeps what it acknowledges")
    elif config is None:
        wrong.append(
            "Redis does not let us read its configuration (CONFIG GET): see to it that it keeps every write that it acknowledges, "
            "then set REDIS_DURABILITY_ATTESTED=1"
        )
    else:
        if info["aof_last_write_status"] != "ok":
            wrong.append("Redis could not write its append-only file (aof_last_write_status): look into its log, and whether its disk is full")
        wrong += _faults(config, settings)
    return wrong


def _faults(config: dict[str, str], settings: Settings) -> list[str]:
    """What the configuration would lose, and when."""
    faults = []
    if config["appendonly"] != "yes":
        faults.append("Redis keeps no append-only file, so a crash loses moves: set `appendonly yes`")
    if config["appendfsync"] != "always" and not (settings.allow_loss_window and config["appendfsync"] == "everysec"):
        faults.append(
            f"Redis answers before a move is on disk (appendfsync {config['appendfsync']}): set `appendfsync always`"
            + (", or ALLOW_LOSS_WINDOW=1 to accept that a crash loses the last second" if config["appendfsync"] == "everysec" else "")
        )
    if (policy := config["maxmemory-policy"]) != "noeviction":
        faults.append(f"Redis drops matches when its memory is full (maxmemory-policy {policy}): set `maxmemory-policy noeviction`")
    if config["no-appendfsync-on-rewrite"] != "no":
        faults.append("Redis answers before a move is on disk while it rewrites its file: set `no-appendfsync-on-rewrite no`")
    if settings.replicas and int(config["min-replicas-to-write"]) < 1:
        faults.append(
            f"REPLICAS is {settings.replicas}, and Redis takes moves also while it has no replica at all: "
            "set `min-replicas-to-write 1`, on its replicas too"
        )
    return faults


def _config(client: Redis) -> dict[str, str] | None:
    """The settings that matter; None where CONFIG is forbidden, as it is at those who host Redis for others."""
    found: dict[str, str] = {}
    try:
        for name in CONFIG:
            found |= {_text(key): _text(value) for key, value in client.config_get(name).items()}
    except ResponseError as error:
        log.debug("CONFIG GET: %s", error)
        return None
    return found if set(found) >= set(CONFIG) else None


def epoch(client: Redis) -> str:
    """What changes when a server may have come back with less than it had, of all servers that are written to. Raises RedisError."""
    return " ".join(_epoch(*(server.info(section) for section in SECTIONS)) for server in servers(client))


def _epoch(*info: Any) -> str:
    """Of one server: it changes with a start (`run_id`), and with becoming the master (`master_replid`). As INFO says it, as text or taken apart."""
    said: dict[str, str] = {}
    for each in info:
        lines = each.items() if isinstance(each, dict) else (line.split(":", 1) for line in _text(each).splitlines() if ":" in line)
        said |= {name: str(value) for name, value in lines}
    return f"{said['run_id']}:{said['master_replid']}"


def _text(said: Any) -> str:
    return said.decode() if isinstance(said, bytes) else str(said)


class Gate:
    """Lets an append through to a server that was checked. One that was started anew, or has become the master, is another one and checked again.

    The question (`INFO`, for what `epoch` is made of) is asked once on every new connection, for a restart or fail-over breaks the old ones; so
    the usual move stays one command. What was refused is checked again at the next append. `audit` compares what such a server holds with what
    is known of it (the epoch is its argument), and returns before the first write.
    """

    def __init__(self, client: Redis, settings: Settings, skew_ms: int = 2000, audit: Callable[[str], None] | None = None) -> None:
        self._client, self._settings, self._skew, self._audit = client, settings, skew_ms, audit
        self._checked: set[str] = set()
        self._admitted: WeakSet[Any] = WeakSet()

    def admit(self, connection: Any) -> None:
        """Raise LogUnavailable unless what is at the other end may be written to; BusyLoadingError while it is still loading."""
        if connection in self._admitted:
            return
        connection.send_packed_command(connection.pack_commands([("INFO", section) for section in SECTIONS]), check_health=False)
        found = _epoch(*[connection.read_response() for _ in SECTIONS])
        if found not in self._checked:
            if wrong := check(self._client, self._settings, self._skew):
                if any("loading" in words for words in wrong):
                    raise BusyLoadingError(wrong[0])
                raise LogUnavailable(f"nothing was written, for this Redis could lose it. {' '.join(f'{words}.' for words in wrong)}")
            if self._audit:
                self._audit(epoch(self._client) if isinstance(self._client, Cluster) else found)
            self._checked.add(found)
        connection.register_connect_callback(self._forget)
        self._admitted.add(connection)

    def _forget(self, connection: Any) -> None:
        """A connection that is made anew may lead to another server."""
        self._admitted.discard(connection)
