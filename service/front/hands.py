"""The hands: the few threads of a process in which the application works, one request at a time each."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Hands:
    """So many threads, and a queue before them. The standard executor does the same for twice the time of a move's way through it."""

    def __init__(self, threads: int) -> None:
        self._work: SimpleQueue[tuple[Callable[[], Any], Future[Any], AbstractEventLoop]] = SimpleQueue()
        for _ in range(threads):
            Thread(target=self._toil, daemon=True).start()

    async def do(self, work: Callable[[], T]) -> T:
        """What the work gives, done by the next free hand; raises what it raises."""
        loop = get_running_loop()
        future: Future[T] = loop.create_future()
        self._work.put((work, future, loop))
        return await future

    def _toil(self) -> None:
        while True:
            work, future, loop = self._work.get()
            given, raised = None, None
            try:
                given = work()
            except BaseException as error:  # noqa: BLE001 - whatever it is, whoever waits for the work is told
                raised = error
            loop.call_soon_threadsafe(_settle, future, given, raised)
            del work, future, given, raised


def _settle(future: Future[Any], given: Any, raised: BaseException | None) -> None:
    if future.done():  # whoever wanted it is gone
        return
    if raised is None:
        future.set_result(given)
    else:
        future.set_exception(raised)
