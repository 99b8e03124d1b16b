"""The pool of a client: redis-py's, which hands a connection out and takes it back without telling OpenTelemetry, a third of the time."""

from __future__ import annotations

from typing import Any

from redis import ConnectionPool
from redis.exceptions import RedisError


class Pool(ConnectionPool):
    """Whatever is not usual (no connection at hand, one that broke or came through a fork) redis-py sees to.

    A connection on which something waits to be read is closed: redis-py would hand it out, as the maintenance notices of its protocol may come
    at any time, and whoever asked next would get the answer to another's question.
    """

    def get_connection(self, *_: Any, **__: Any) -> Any:
        self._checkpid()
        with self._lock:
            if self._available_connections:
                connection = self._available_connections[-1]
                if _quiet(connection):
                    self._in_use_connections.add(self._available_connections.pop())
                    return connection
                connection.disconnect()
        return super().get_connection()

    def release(self, connection: Any) -> None:
        if connection.pid != self.pid or connection.should_reconnect():
            super().release(connection)
            return
        with self._lock:
            if connection in self._in_use_connections:
                self._in_use_connections.remove(connection)
                self._available_connections.append(connection)


def _quiet(connection: Any) -> bool:
    """Whether it is open and nothing waits on it to be read."""
    try:
        return connection.is_connected and not connection.can_read()
    except (RedisError, OSError):
        return False
