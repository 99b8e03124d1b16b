"""Whether the replicas have what was written, asked in the same breath: WAIT, and WAITAOF where the server has it (from 7.2 on)."""

from __future__ import annotations

from logging import getLogger
from typing import Any, TypeAlias

from redis import Redis
from redis.exceptions import BusyLoadingError, ResponseError

from domain.ports import LogUnavailable
from infra.redis_clients.cluster import Cluster
from infra.redis_log.unavailable import in_words

log = getLogger(__name__)

PATIENCE = 500  # ms that an append waits for its replicas
DISK = 5  # of this patience WAITAOF has a fifth: it is answered at once or not at all

Command: TypeAlias = tuple[str | bytes | int, ...]


class Replicas:
    """So many replicas are waited for; 0: none, and then nothing may be asked. To be shared by threads."""

    def __init__(self, wanted: int = 0, patience_ms: int = PATIENCE) -> None:
        self._wanted, self._patience = wanted, patience_ms
        self._on_disk = True  # until a server does not know WAITAOF

    def __bool__(self) -> bool:
        return self._wanted > 0

    def ask(self, connection: Any, command: Command) -> tuple[Any, bool]:
        """A command's reply, or what Redis has against it, and whether enough replicas had in time what was written by it and before.

        WAIT speaks of nothing but its own connection, so it follows in the same packet. WAITAOF alone would take a second: a replica answers the
        first question before its disk has, and then once a second; asked again after WAIT, it knows. Raises what breaks a connection.
        """
        disk = self._patience // DISK if self._on_disk else 0
        questions: list[Command] = [("WAIT", self._wanted, self._patience - disk)]
        if disk:
            questions.append(("WAITAOF", 1, self._wanted, disk))
        connection.send_packed_command(connection.pack_commands([command, *questions]), check_health=False)
        reply, *heard = [_read(connection) for _ in range(1 + len(questions))]
        if disk and isinstance(heard[1], ResponseError):  # unknown before 7.2, or not for our user
            self._on_disk = False
            del heard[1]
        if isinstance(heard[0], Exception):
            log.error("Redis does not say whether its replicas have what is written, so they count as late: %s", heard[0])
            return reply, False
        return reply, all((said[1] if isinstance(said, list) else said) >= self._wanted for said in heard)

    def have(self, client: Redis, key: str) -> bool:
        """Whether enough of them had in time what was written before to the server that a key lies on. Raises RedisError."""
        if not self:
            return True
        pool = client.pool_of(key) if isinstance(client, Cluster) else client.connection_pool
        connection = pool.get_connection()
        try:
            return self.ask(connection, ("EXISTS", key))[1]
        finally:
            pool.release(connection)

    def sure(self, client: Redis, *names: str) -> None:
        """Return when what was just written under these keys is as safe as what it follows from. Raises LogUnavailable.

        On a single server a fail-over loses the newest first, and so nothing without whatever came of it. On a cluster the two may lie on
        different servers, and one of them may lose what the other holds for settled.
        """
        with in_words(writing=True):
            if isinstance(client, Cluster) and not all(self.have(client, name) for name in names):
                raise LogUnavailable("it is written, and the replicas of its server have yet to say that they have it")


def _read(connection: Any) -> Any:
    """The next reply; an error as a value, since other replies wait behind it."""
    try:
        return connection.read_response()
    except (ResponseError, BusyLoadingError) as error:
        return error
