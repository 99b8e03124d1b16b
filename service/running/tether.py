"""Ties a process to the one that started it: when that one is gone, however it went, this one goes too.

`python -m service.running.tether PARENT SIGNAL COMMAND…` becomes COMMAND, tied: by the kernel on Linux, elsewhere by
staying between the two and looking.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from ctypes import CDLL, c_ulong
from subprocess import Popen, TimeoutExpired
from threading import Thread
from time import sleep
from types import FrameType
from typing import NoReturn

PR_SET_PDEATHSIG = 1  # prctl(2)
LOOK = 0.25  # seconds between looks where the kernel does not tell
PATIENCE = 5.0  # seconds that a command has to go by itself


def tie(parent: int, by: signal.Signals) -> None:
    """From now on this process gets the signal when its parent dies, also if that has happened already."""
    if sys.platform == "linux":
        CDLL(None).prctl(PR_SET_PDEATHSIG, c_ulong(by))
        if os.getppid() != parent:
            os.kill(os.getpid(), by)
    else:
        Thread(target=_look, args=(parent, by), daemon=True).start()


def tied(command: Sequence[str], by: signal.Signals) -> list[str]:
    """The command line that starts a command tied to this process."""
    return [sys.executable, "-m", __name__, str(os.getpid()), by.name, *command]


def guard(parent: int, by: signal.Signals, command: Sequence[str]) -> int:
    """Run a command as long as the parent lives; its exit status as a shell counts it."""
    heard = list[int]()
    child: Popen[bytes] | None = None

    def pass_on(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        if child:
            child.send_signal(number)

    signal.signal(signal.SIGTERM, pass_on)
    signal.signal(signal.SIGINT, pass_on)
    child = Popen(command)
    for early in heard.copy():  # told before there was anybody to tell
        child.send_signal(early)
    while os.getppid() == parent:
        try:
            status = child.wait(LOOK)
        except TimeoutExpired:
            continue
        return status if status >= 0 else 128 - status
    child.send_signal(by)
    try:
        child.wait(PATIENCE)
    except TimeoutExpired:
        child.kill()
    return 1


def _look(parent: int, by: signal.Signals) -> None:
    while os.getppid() == parent:
        sleep(LOOK)
    os.kill(os.getpid(), by)


def _main(arguments: Sequence[str]) -> NoReturn:
    parent, by, command = int(arguments[0]), signal.Signals[arguments[1]], arguments[2:]
    if sys.platform != "linux":
        sys.exit(guard(parent, by, command))
    tie(parent, by)
    os.execvp(command[0], [*command])  # noqa: S606 - becoming the command is the point


if __name__ == "__main__":
    _main(sys.argv[1:])
