"""How often Fourfold's `greedy` bot wins against three who play at random, with the usual options and one bot in each seat in turn.

`python -m tests.balance.fourfold` plays 400 matches, about five minutes on one core; `--matches` plays more or fewer,
`--work` lets it play out more or less.
"""

import sys
from argparse import ArgumentParser
from random import Random
from time import process_time
from typing import Any
from unittest.mock import patch

from domain.bots import choose
from domain.game import Seat
from domain.games.fourfold import GAME, greedy
from domain.games.fourfold.state import Options


def won(seat: Seat, chance: Random) -> bool:
    """Whether the bot in that seat is alone at rank 1, as whoever makes the goals is (FO-9)."""
    s = GAME.setup(Options(), GAME.seats)
    while s.reason is None:
        if GAME.chance_due(s):
            s = GAME.apply_chance(s, GAME.draw(s, chance.randrange))
        else:
            [due] = GAME.awaited(s)
            action: Any = choose(GAME, "greedy" if due == seat else "random", s, due, chance.randrange)
            s = GAME.apply(s, due, action)
    result = GAME.result(s)
    assert result is not None
    return [other for other, rank in result.ranks.items() if rank == 1] == [seat]


def wins(matches: int, seed: int, work: int) -> int:
    """Of so many matches, when a decision plays out so many lots, moves and passes."""
    with patch.object(greedy, "WORK", work):
        return sum(won(GAME.seats[number % 4], Random(f"{seed}-{number}")) for number in range(matches))


def main() -> None:
    """Play and tell."""
    parser = ArgumentParser(prog="python -m tests.balance.fourfold", description=__doc__)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--work", type=int, default=greedy.WORK)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    start = process_time()
    share = wins(asked.matches, asked.seed, asked.work) / asked.matches
    error = (share * (1 - share) / asked.matches) ** 0.5
    sys.stdout.write(f"{share:.1%} of {asked.matches} matches won, ±{error:.1%}; {(process_time() - start) / asked.matches:.2f} s a match\n")


if __name__ == "__main__":
    main()
