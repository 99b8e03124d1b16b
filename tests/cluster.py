"""A Redis Cluster for tests: three masters on this machine, each with a third of the slots."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from tests.servers import PATIENT, RedisServer, free_port

SLOTS = 16384
BUS = (7, 0)  # from here on the servers may talk to each other on any port


class RedisCluster:
    """As `redis-cli --cluster create` makes one, without replicas. It takes servers from 7.0 on, whose bus may have any port."""

    def __init__(self, start: Callable[..., RedisServer], masters: int = 3) -> None:
        self.servers, buses = [], []
        for _ in range(masters):
            buses.append(free_port())
            self.servers.append(start(cluster_enabled="yes", cluster_config_file="nodes.conf", cluster_port=str(buses[-1])))
        share = SLOTS // masters
        for number, server in enumerate(self.servers):
            with server.client() as client:
                last = SLOTS if number == masters - 1 else (number + 1) * share
                client.execute_command("CLUSTER", "ADDSLOTSRANGE", number * share, last - 1)
                client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
                for other, bus in zip(self.servers[:number], buses, strict=False):
                    client.execute_command("CLUSTER", "MEET", "127.0.0.1", other.port, bus)
        for server in self.servers:
            self._await_whole(server)

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in self.servers)

    def flush(self) -> None:
        for server in self.servers:
            with server.client() as client:
                client.flushall()

    def kill(self) -> None:
        for server in self.servers:
            server.kill()

    def _await_whole(self, server: RedisServer) -> None:
        end = monotonic() + PATIENT
        with server.client() as client:
            while monotonic() < end:
                said: Any = client.execute_command("CLUSTER INFO")
                if said["cluster_state"] == "ok" and said["cluster_known_nodes"] == str(len(self.servers)):
                    return
                sleep(0.02)
        raise AssertionError("the cluster does not come together")
