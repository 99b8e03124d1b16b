"""What is costly is made once, however many ask at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, Event
from time import sleep

import pytest

from service.once import once
from tests.servers import PATIENT


def test_eight_who_ask_at_once_get_what_one_of_them_made():
    made: list[object] = []
    there, go_on = Barrier(9), Event()

    def make() -> object:
        go_on.wait(PATIENT)
        made.append(object())
        return made[-1]

    asked = once(make)

    def ask() -> object:
        there.wait(PATIENT)
        return asked()

    with ThreadPoolExecutor(8) as threads:
        asking = [threads.submit(ask) for _ in range(8)]
        there.wait(PATIENT)
        sleep(0.2)  # so that whoever would make it, too, has begun to
        go_on.set()
        got = [each.result(PATIENT) for each in asking]
    assert len(made) == 1
    assert got == made * 8


def test_what_could_not_be_made_is_made_for_the_next_who_asks():
    tries = count(1)

    def make() -> int:
        if (number := next(tries)) == 1:
            raise ValueError("not yet")
        return number

    asked = once(make)
    with pytest.raises(ValueError, match="not yet"):
        asked()
    assert [asked(), asked()] == [2, 2]
