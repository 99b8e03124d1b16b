"""The web server: granian with two worker processes, which go when the main process goes, however it goes."""

from __future__ import annotations

import gc
import logging
import os
import resource
import signal
from contextlib import suppress
from multiprocessing import active_children, parent_process
from time import monotonic, sleep

from granian.constants import HTTPModes, Interfaces, Loops, RuntimeModes
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from infra.settings import Settings
from infra.wiring import site
from service.app import create_app
from service.front.front import LEAVE, Front
from service.front.hands import Hands
from service.running.ports import address, await_free
from service.running.tether import tie
from service.streams.audience import Audience

WORKERS = 2
# In each worker: while some wait for Redis another works, and `appendfsync always` writes all their moves at once. Where a disk takes 4 ms for that,
# eight bear 1,170 moves a second and four 760; on a fast one they bear a twentieth more. Twelve bear no more anywhere.
THREADS = 8
LEAVING = 5.0  # seconds that workers of a main process that was killed have to let the port go
STOPPING = 5  # seconds that requests have to end when the server stops
AGAIN = 5  # times that workers are told to stop meanwhile
LOOK = 0.02  # seconds between looks at whether they have
HEADERS = 10_000  # ms that the headers of a request may take; so long a connection is kept on which nothing is asked, too
LARGEST_HEADERS = 1 << 16  # bytes of headers, all together; beyond it the answer is 431
CONNECTIONS = 4096  # open at once in each worker, streams included; more of them wait
SPARE = 256  # open files of a worker that are no connections of clients
# New objects, and collections of the young and of the middle-aged, until Python looks for cycles. With its own 700, 10 and 10 it goes through a
# thousand open streams so often that a move beside them costs 180 µs more than without; so 100.
GARBAGE = (10_000, 20, 50)


def serve(host: str, port: int) -> None:
    """Serve until a signal says stop. A worker that dies is started again. Raises NoPort."""
    await_free(address(host), port, LEAVING)  # granian would share the port with whoever has it
    Leaving(
        f"{__name__}:app",
        factory=True,
        address=address(host),
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        runtime_mode=RuntimeModes.st,
        http=HTTPModes.http1,  # where the server has to find out which version it is, it waits for the first bytes without end
        http1_settings=HTTP1Settings(header_read_timeout=HEADERS, max_buffer_size=LARGEST_HEADERS),
        workers=WORKERS,
        backpressure=min(CONNECTIONS, open_files() - SPARE),
        respawn_failed_workers=True,
        workers_kill_timeout=STOPPING,
        websockets=False,
        log_access=False,  # links are secrets
        log_level=LogLevels.warning,
    ).serve()


class Leaving(Server):  # type: ignore[misc,valid-type]  # what granian calls so depends on the interpreter
    """The server, which ends the streams before it stops its workers: they would wait for them.

    A worker that has just started can miss the first word to stop, so it is said again. And whether they are gone is asked again and again, for
    granian asks once, and may be told that one is there which another of its threads has just seen off.
    """

    def shutdown(self, exit_code: int = 0) -> None:
        for worker in active_children():
            with suppress(ProcessLookupError):
                if worker.pid:
                    os.kill(worker.pid, LEAVE)
        end = again = monotonic()
        end += STOPPING
        while (there := [worker for worker in self.wrks if worker.is_alive()]) and monotonic() < end:
            if monotonic() >= again:
                again += STOPPING / AGAIN
                for worker in there:
                    worker.terminate()
            sleep(LOOK)
        super().shutdown(exit_code)


def app() -> Front:
    """What each worker process serves; called in it, once."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # not the main process's way to hear it, which would not end this one while it loads
    if main := parent_process():
        tie(main.pid or 1, signal.SIGKILL)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    gc.set_threshold(*GARBAGE)
    here = site(Settings.from_env(os.environ))
    audience = Audience(here.follower)
    here.tally.show("streams", lambda: audience.open)
    here.tally.keep_saying()
    return Front(create_app(here), Hands(THREADS), audience, here.tally)


def open_files() -> int:
    """How many files this process and those that it starts may have open: as many as the system allows, and a connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    return wanted if soft == resource.RLIM_INFINITY else max(soft, allowed)
