"""The rules a second time, slowly and in another way: a board that is changed in place and asked for every line there could be.

It knows nothing of the rules under `domain/`; it takes lines of text and answers with lines and views.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

SEATS = ["ochre", "malachite", "lead", "azurite"]
NAMES = [seat[0].upper() + number for seat in SEATS for number in "1234"]
COLOURS = ["black", "silver", "grey"]


def touch(one: str, other: str) -> bool:
    if one[0] == other[0]:
        return abs(int(one[1]) - int(other[1])) == 1
    return one[1] == other[1] and (one[0] + other[0]) in "OMLAO" + "OALMO"


def written(stones: Counter[str]) -> str:
    return "".join(f"{stones[colour]}{colour[0]}" for colour in COLOURS if stones[colour])


def read(said: str) -> Counter[str]:
    counts = Counter[str]()
    number = ""
    for letter in said.replace("-", ""):
        if letter.isdigit():
            number += letter
        else:
            counts[next(colour for colour in COLOURS if colour[0] == letter)], number = int(number), ""
    return counts


class Table:
    """A match; `options` as JSON has them. `alone` are the seats that somebody else of the same player's holds, in pairs."""

    def __init__(self, options: dict[str, Any], players: list[list[str]] | None = None) -> None:
        self.options = options
        self.anvils = {name: Counter[str]() for name in NAMES}
        self.chests = {seat: Counter[str]() for seat in SEATS}
        self.bag = Counter[str]()
        self.mine = Counter(dict.fromkeys(COLOURS, 24)) if options["mining"] else None
        self.players = players or [[seat] for seat in SEATS]
        self.round, self.idle, self.progress = 1, 0, False
        self.seat, self.taken, self.offers = "ochre", 0, 0
        self.pending: list[str] | None = None
        self.gone: set[str] = set()
        self.reason: str | None = None

    # What can be done

    def own(self, seat: str | None = None) -> list[str]:
        return [name for name in NAMES if name[0] == (seat or self.seat)[0].upper()]

    def empty(self) -> bool:
        return all(not self.anvils[name].total() for name in self.own())

    def left(self) -> int:
        return int(self.options["actions_per_turn"]) - self.taken

    def offers_left(self) -> int:
        return int(self.options["trade_offers_per_turn"]) - self.offers if self.options["trading"] and not self.taken else 0

    def legal(self) -> list[str]:
        if self.pending:
            return ["accept", "decline"]
        return [*(self._handling() if self.left() else []), *self._ending(), *self._trades()]

    def _handling(self) -> Iterator[str]:
        for name in self.own():
            stones = +self.anvils[name]
            if sorted(stones.values()) == [3]:
                yield f"forge {name}"
            if sorted(stones.values()) == [1, 1, 1]:
                yield f"smelt {name}"
            for colour in COLOURS:
                if stones[colour]:
                    yield f"break {name} {colour}"
                    yield from (f"{name}>{other} {colour}" for other in NAMES if touch(name, other))
        if self.mine is not None and self.mine.total():
            yield from (f"mine {name}" for name in self.own() if not self.anvils[name].total())

    def _ending(self) -> Iterator[str]:
        if self.mine is not None and self.empty():
            yield "declare end"
            if not self.left():
                yield "end turn"

    def partners(self) -> list[str]:
        mine = next(player for player in self.players if self.seat in player)
        return [seat for seat in SEATS if seat not in self.gone and seat not in mine]

    def _trades(self) -> Iterator[str]:
        if not self.offers_left():
            return
        others = [name for seat in self.partners() for name in self.own(seat)]
        for name in self.own():
            for give in self._parts(name):
                for other in others:
                    yield from (f"trade {name} {give} for {other} {take}" for take in self._parts(other) if take != give)

    def _parts(self, name: str) -> list[str]:
        counts = product(*(range(self.anvils[name][colour] + 1) for colour in COLOURS))
        return [written(Counter(dict(zip(COLOURS, count, strict=True)))) for count in counts if any(count)]

    # What comes of it

    def do(self, line: str, dug: str = "") -> None:
        """One action; `dug` is what comes from the mine."""
        word, *rest = line.split()
        if self.pending:
            if word == "accept":
                _, start, give, _, other, take = self.pending
                self._shift(read(give), self.anvils[start], self.anvils[other])
                self._shift(read(take), self.anvils[other], self.anvils[start])
            self.pending = None
            if word == "accept":
                self._next()
            return
        if word == "trade":
            self.pending, self.offers = line.split(), self.offers + 1
        elif line == "declare end":
            self.reason = "declared"
        elif line == "end turn":
            self._next()
        else:
            self.taken += 1
            self._act(word, rest, dug)
            self._after()

    def _act(self, word: str, rest: list[str], dug: str) -> None:
        if ">" in word:
            start, to = word.split(">")
            self._shift(Counter({rest[0]: 1}), self.anvils[start], self.anvils[to])
            return
        self.progress, self.idle = True, 0
        here, chest = self.anvils[rest[0]], self.chests[self.seat]
        if word == "break":
            self._shift(Counter({rest[1]: 1}), here, self.bag)
        elif word == "smelt":
            self._shift(Counter(COLOURS), here, chest)
        elif word == "forge":
            self._shift(Counter({(+here).most_common(1)[0][0]: 2}), here, chest)
        else:
            assert self.mine is not None
            self._shift(read(dug), self.mine, here)

    @staticmethod
    def _shift(stones: Counter[str], start: Counter[str], to: Counter[str]) -> None:
        start.subtract(stones)
        to.update(stones)
        assert min(start.values()) >= 0

    def _after(self) -> None:
        if self.empty() and self.mine is None:
            self.reason = "forge-empty"
        elif self.left() and self.empty() and not self.mine.total():  # type: ignore[union-attr]
            self.reason = "no-legal-action"
        elif not self.left() and not self.empty():
            self._next()

    def _next(self) -> None:
        self.taken = self.offers = 0
        while True:
            if self.seat == "azurite":
                self.idle += not self.progress
                if self.idle == self.options["no_progress_rounds"] or self.round == self.options["max_rounds"]:
                    self.reason = "no-progress" if self.idle == self.options["no_progress_rounds"] else "round-limit"
                    return
                self.round, self.progress = self.round + 1, False
            self.seat = SEATS[(SEATS.index(self.seat) + 1) % 4]
            if self.seat not in self.gone:
                break
        if self.mine is not None and not self.mine.total() and self.empty():
            self.reason = "no-legal-action"

    def view(self) -> dict[str, Any]:
        def counted(stones: Counter[str]) -> dict[str, int]:
            return {colour: stones[colour] for colour in COLOURS}

        offer = self.pending
        return {
            "anvils": {name: counted(stones) for name, stones in self.anvils.items()},
            "chests": {seat: counted(stones) for seat, stones in self.chests.items()},
            "bag": counted(self.bag),
            "mine": None if self.mine is None else counted(self.mine),
            "round": self.round,
            "rounds_without_progress": self.idle,
            "turn": None if self.reason else {"seat": self.seat, "actions_left": self.left(), "offers_left": self.offers_left()},
            "pending_trade": offer
            and {
                "by": self.seat,
                "from": offer[1],
                "give": counted(read(offer[2])),
                "with": next(seat for seat in SEATS if seat[0].upper() == offer[4][0]),
                "to": offer[4],
                "take": counted(read(offer[5])),
            },
            "scores": {seat: stones.total() for seat, stones in self.chests.items()},
        }
