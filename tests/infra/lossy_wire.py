"""A wire to Redis that loses replies, so that what was done is not heard of, or questions, so that nothing is done."""

from __future__ import annotations

import socket
from contextlib import suppress
from select import select
from threading import Event, Thread
from types import TracebackType
from typing import Self


class LossyWire:
    """Stands before a server. The next `losing` replies to messages with `word` in them are lost, and the connection with them.

    The next `deaf` such messages do not even reach the server. The next `holding` replies are kept back for good; `held` says that one is.
    """

    def __init__(self, server: int, word: bytes = b"EVALSHA") -> None:
        self._server, self._word = server, word
        self.losing = self.deaf = self.holding = self.lost = 0
        self.held = Event()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._threads = [Thread(target=self._welcome, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        for thread in self._threads:
            thread.join(5)

    def _welcome(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            self._threads.append(Thread(target=self._carry, args=(client,), daemon=True))
            self._threads[-1].start()

    def _carry(self, client: socket.socket) -> None:
        with client, suppress(OSError), socket.create_connection(("127.0.0.1", self._server)) as server:  # who is killed may be in the midst of it
            asked, answered = b"", True
            while True:
                ready, _, _ = select([client, server], [], [])
                for side in ready:
                    heard = side.recv(65536)
                    if not heard:
                        return
                    if side is client:
                        asked = heard if answered else asked + heard  # a long message comes in pieces
                        if self._word in asked and self.deaf:
                            self.deaf -= 1
                            self.lost += 1
                            return
                        server.sendall(heard)
                    elif self._word in asked and self.losing:
                        self.losing -= 1
                        self.lost += 1
                        return
                    elif self._word in asked and self.holding:
                        self.holding -= 1
                        self.held.set()
                    else:
                        client.sendall(heard)
                    answered = side is server
