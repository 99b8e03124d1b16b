"""A client of a cluster for an event loop: what it needs to be asked as a single server is by whoever follows streams."""

from __future__ import annotations

from asyncio import get_running_loop, sleep
from typing import Any

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisClusterException

from infra.redis_clients.cluster import POLL, pairs


class WaitingCluster(Redis):
    """Reads from streams of several slots, and carries out pipelines; nothing else."""

    def __init__(self, hosts: tuple[tuple[str, int], ...], **how: Any) -> None:
        super().__init__(host=hosts[0][0], port=hosts[0][1], **how)
        self._cluster = RedisCluster(startup_nodes=[ClusterNode(*host) for host in hosts], **how)

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Any:  # noqa: FBT001, FBT002, ARG002 - redis-py's form
        return self._cluster.pipeline(transaction=transaction)

    async def xread(self, streams: Any, count: Any = None, block: Any = None) -> Any:  # type: ignore[override]
        """As a single server does, but that news of a stream is heard of POLL later."""
        clock = get_running_loop().time
        until = clock() + (block or 0) / 1000
        while True:
            try:
                async with self.pipeline(transaction=False) as pipe:
                    for name, place in streams.items():
                        pipe.xread({name: place}, count=count)
                    found = [pair for said in await pipe.execute() for pair in pairs(said)]
            except RedisClusterException as lost:
                raise Disconnected(str(lost)) from lost
            if found or clock() + POLL > until:
                return found
            await sleep(POLL)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - redis-py's form
        await self._cluster.aclose()
        await super().aclose(close_connection_pool)
