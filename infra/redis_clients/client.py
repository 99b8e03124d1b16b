"""Clients by an address: what they are asked is always answered by the server that may be written to."""

from __future__ import annotations

from typing import Any, Final

from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

from infra.redis_clients.address import Address, address
from infra.redis_clients.cluster import Cluster
from infra.redis_clients.pool import Pool
from infra.redis_clients.waiting import WaitingCluster

ANSWER: Final = 5.0  # seconds until a Redis that does not answer counts as gone; longer than any blocking read waits
CONNECT: Final = 2.0
HASTE: Final = 0.3
TELL: Final = 0.5  # seconds that a sentinel has to tell where the master is


def client(url: str) -> Redis:
    """A client with a pool of its own: three more tries within about a second, then the caller hears of it.

    What is tried again may be done twice, and every write through it must bear that: scripts know what they wrote, jobs claim their notice.
    """
    retry = Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), 3)
    return _client(url, socket_connect_timeout=CONNECT, socket_timeout=ANSWER, health_check_interval=30, retry=retry)


def hasty(url: str) -> Redis:
    """A client that asks once and does not wait long: for what can be done without."""
    return _client(url, socket_connect_timeout=HASTE, socket_timeout=HASTE, retry=Retry(NoBackoff(), 0))


def once(url: str) -> Redis:
    """A client that never asks twice by itself, and waits as long as it takes."""
    made = _client(url, retry=Retry(NoBackoff(), 0))
    if isinstance(made, Cluster):
        made.tries = 1
    return made


def waiting(url: str) -> AsyncRedis:
    """A client for an event loop."""
    how: dict[str, Any] = {"socket_connect_timeout": ANSWER, "socket_timeout": ANSWER}
    said = address(url)
    if said.kind == "server":
        return AsyncRedis.from_url(url, **how)
    if said.kind == "cluster":
        return WaitingCluster(said.hosts, **{**how, **said.options}, **_tls(said))
    sentinels: Any = AsyncSentinel(said.hosts, sentinel_kwargs=_patience(said) | {"retry": AsyncRetry(NoBackoff(), 0)})  # type: ignore[no-untyped-call]
    found: AsyncRedis = sentinels.master_for(said.service, **{**how, **said.options}, **_tls(said))
    return found


def _client(url: str, **how: Any) -> Redis:
    said = address(url)
    if said.kind == "server":
        return Redis.from_pool(Pool.from_url(url, **how))
    if said.kind == "cluster":
        return Cluster(said.hosts, **{**how, **said.options}, **_tls(said))
    sentinels: Any = Sentinel(said.hosts, sentinel_kwargs=_patience(said) | {"retry": Retry(NoBackoff(), 0)})  # type: ignore[no-untyped-call]
    found: Redis = sentinels.master_for(said.service, **{**how, **said.options}, **_tls(said))
    return found


def _patience(said: Address) -> dict[str, Any]:
    return {"socket_connect_timeout": TELL, "socket_timeout": TELL, **said.sentinel_options, **_tls(said)}


def _tls(said: Address) -> dict[str, Any]:
    return {"ssl": True} if said.tls else {}
