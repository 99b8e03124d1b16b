"""The web server: granian with two worker processes, which go when the main process goes, however it goes."""

from __future__ import annotations

import os
import signal
from multiprocessing import parent_process

from flask import Flask
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

from infra.settings import Settings
from infra.wiring import site
from service.app import create_app
from service.running.ports import address, await_free
from service.running.tether import tie

WORKERS = 2
THREADS = 2  # in each worker: while one waits for Redis the other works, and `appendfsync always` writes both moves at once
LEAVING = 5.0  # seconds that workers of a main process that was killed have to let the port go
STOPPING = 5  # seconds that requests have to end when the server stops


def serve(host: str, port: int) -> None:
    """Serve until a signal says stop. A worker that dies is started again. Raises NoPort."""
    await_free(address(host), port, LEAVING)  # granian would share the port with whoever has it
    Server(
        f"{__name__}:app",
        factory=True,
        address=address(host),
        port=port,
        interface=Interfaces.WSGI,
        workers=WORKERS,
        blocking_threads=THREADS,
        respawn_failed_workers=True,
        workers_kill_timeout=STOPPING,
        websockets=False,
        log_access=False,  # links are secrets
        log_level=LogLevels.warning,
    ).serve()


def app() -> Flask:
    """What each worker process serves; called in it, once."""
    if main := parent_process():
        tie(main.pid or 1, signal.SIGKILL)
    return create_app(site(Settings.from_env(os.environ)))
