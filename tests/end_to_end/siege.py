"""A siege: players play by mail while the processes around them are killed, one after the other, again and again."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random
from threading import Event, Thread

from tests.end_to_end.house import House
from tests.end_to_end.player import MailPlayer

VICTIMS = ("web", "redis-server", "worker notices", "clock", "web worker", "worker bots", "redis-server", "mailbox", "worker deadlines", "queues")


class Siege:
    """One person plays match after match until so many processes were killed. `matches`: those that are over, each checked."""

    def __init__(self, house: House, address: str, chance: Random, **wishes: str) -> None:
        self._house, self._address, self._chance, self._wishes = house, address, chance, wishes
        self.killed = Counter[str]()
        self.matches: list[MailPlayer] = []

    def last(self, kills: int, pause: float) -> None:
        """Until `kills` processes were killed, one every so many seconds, and the match that was being played is over."""
        over = Event()

        def kill() -> None:
            while self.killed.total() < kills and not over.wait(pause):
                victim = VICTIMS[self.killed.total() % len(VICTIMS)]
                self._house.kill(victim)
                self.killed[victim] += 1

        killer = Thread(target=kill)
        killer.start()
        read = set[str]()
        try:
            for number in count():
                player = MailPlayer(self._house.url, self._address, self._chance)
                player.read = read
                player.start(**self._wishes, entropy=f"match {number}")
                while player.ending is None:
                    player.play(turns=1)
                player.check()
                self.matches.append(player)
                if self.killed.total() >= kills:
                    return
        finally:
            over.set()
            killer.join()
