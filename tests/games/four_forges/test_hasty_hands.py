"""Lines as hasty hands write them: every action, its words cut short, turned around and mistyped at random, is read as it was meant."""

from itertools import islice
from random import Random

import pytest

from domain.games.four_forges import GAME
from domain.games.four_forges.state import Action, Amount, Break, Forge, Mine, Move, OfferTrade, Smelt
from tests.games.walks import walk

SHORT = {
    "black": ("black", "Black", "b", "BL", "blk", "blacks", "black stone", "bla"),
    "silver": ("silver", "s", "SIL", "silv", "Silver stone"),
    "grey": ("grey", "gray", "g", "GR", "Gre", "grey stones"),
}
NAMES = {"O": "ochre", "M": "malachite", "L": "lead", "A": "azurite"}
WAYS = (">", " > ", "->", "→", " to ", "-", "–", "—", "−", " ", " => ")


class Hand:
    """Somebody who writes."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def line(self, action: Action) -> str:
        one = self.chance.choice
        match action:
            case Move(start, to, stone):
                x, way, y, c = self.anvil(start), one(WAYS), self.anvil(to), one(SHORT[stone])
                return one(
                    (
                        f"{x}{way}{y} {c}",
                        f"{c} {x}{way}{y}",
                        f"{x} {c}{way}{y}",
                        f"move {c} from {x} to {y}",
                        f"move {x}{way}{y}: {c}",
                        f"{x}{way}{y} ({c}).",
                    )
                )
            case Break(anvil, stone):
                x, c = self.anvil(anvil), one(SHORT[stone])
                return one((f"break {x} {c}", f"BREAK {c} {x}", f"br {x} {c}", f"break a {c} on {x}", f"Break the {c} from {x}."))
            case Forge(anvil) | Smelt(anvil) | Mine(anvil):
                x, verb = self.anvil(anvil), type(action).__name__
                return one((f"{verb} {x}", f"{verb.upper()} {x}", f"{x} {verb}", f"{verb[:3]} {x}", f"{verb}s {x}", f"{verb} on {x}"))
            case OfferTrade(start, give, to, take):
                x, gives, y, takes = self.anvil(start), self.stones(give), self.anvil(to), self.stones(take)
                return one(
                    (f"trade {x} {gives} for {y} {takes}", f"trade {gives} from {x} for {takes} from {y}", f"offer {x}: {gives} against {y}: {takes}")
                )
            case _:
                return one((str.upper, str.capitalize))(GAME.write(action))

    def anvil(self, name: str) -> str:
        forge, number = name[0], name[1]
        full = NAMES[forge]
        slips = (name.replace("O", "0"), name.replace("1", "l"), name.replace("1", "I"))
        return self.chance.choice((name, name.lower(), f"{forge} {number}", f"{full} {number}", f"{full.upper()}{number}", *slips))

    def stones(self, amount: Amount) -> str:
        counted = [(getattr(amount, colour), self.chance.choice(said)) for colour, said in SHORT.items() if getattr(amount, colour)]
        parts = [said if count == 1 and self.chance.random() < 0.3 else f"{count}{self.chance.choice(('', ' '))}{said}" for count, said in counted]
        self.chance.shuffle(parts)
        return self.chance.choice((" ", ", ", "+", " and ", " & ", "/")).join(parts)


@pytest.mark.parametrize("seed", range(30))
def test_a_line_of_a_hasty_hand_is_read_as_it_was_meant(seed: int):
    hand = Hand(seed)
    s = walk(GAME, seed, hand.chance.randint(4, 300)).end
    for seat in GAME.awaited(s):
        possible = list(islice(GAME.legal(s, seat), 3000))
        meant = hand.chance.sample(possible, min(60, len(possible)))
        lines = [hand.line(action) for action in meant]
        assert dict(zip(lines, [GAME.read(s, line) for line in lines], strict=True)) == dict(zip(lines, meant, strict=True))
