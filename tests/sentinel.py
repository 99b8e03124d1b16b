"""A sentinel for tests: it watches one master, and makes a replica of it the master when it is gone."""

from __future__ import annotations

from pathlib import Path
from subprocess import DEVNULL, Popen
from time import monotonic, sleep
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from tests.servers import PATIENT, RedisServer, free_port

SERVICE = "forgepost"
CONF = """
port {port}
bind 127.0.0.1
dir {room}
sentinel monitor {service} 127.0.0.1 {master} 1
sentinel down-after-milliseconds {service} 60000
sentinel failover-timeout {service} 5000
"""
GONE = 1000  # ms without an answer after which the master is taken for gone, once somebody waits for that: before, a busy machine may be slow


class Sentinel:
    """One that decides alone."""

    def __init__(self, master: RedisServer, room: Path) -> None:
        self.port = free_port()
        conf = room / "sentinel.conf"
        conf.write_text(CONF.format(port=self.port, room=room, service=SERVICE, master=master.port))
        self._process = Popen([master.binary, str(conf), "--sentinel"], stdout=DEVNULL, stderr=DEVNULL)

    @property
    def url(self) -> str:
        return f"redis+sentinel://127.0.0.1:{self.port}/{SERVICE}/0"

    def says(self, replicas: int) -> bool:
        """Whether it knows so many replicas that it could make the master."""
        state = self._state()
        return bool(state) and state["num-slaves"] >= replicas and not state["is_sdown"]

    def master(self) -> int:
        """The port of the master as it sees it; 0 while it does not answer."""
        state = self._state()
        return int(state["port"]) if state else 0

    def _state(self) -> dict[str, Any]:
        try:
            with Redis(port=self.port, socket_timeout=2) as asked:
                found: dict[str, Any] = asked.sentinel_master(SERVICE)
                return found
        except RedisError:
            return {}

    def await_master(self, server: RedisServer) -> None:
        """Return when this server is the master; a sentinel on a machine that stood still meanwhile trusts nobody for half a minute."""
        end = monotonic() + PATIENT
        with Redis(port=self.port) as told:
            told.sentinel_set(SERVICE, "down-after-milliseconds", GONE)
        while monotonic() < end:
            if self.master() == server.port:
                with server.client() as client:
                    said: Any = client.info("replication")
                    if said["role"] == "master":
                        return
            sleep(0.02)
        raise AssertionError("there was no fail-over")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
