"""Positions of Steinnheimr put up by hand, and lines played in them."""

import re
from typing import Any

from msgspec.structs import replace

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.cards import BOX
from domain.games.steinnheimr.goods import LEVEL, minus
from domain.games.steinnheimr.notation import read, write
from domain.games.steinnheimr.state import Options, Outcome, Player, State

BEGUN = ("* red begins", "* bonus-1 in play", "* bonus-2 in play")
SHOWN = (
    *(f"* item-{number:02} shown" for number in (31, 1, 2, 3)),
    *(f"* town-{number:02} shown" for number in (1, 2, 3)),
    *(f"* upgrade-{number:02} shown" for number in (1, 2, 3)),
)


def has(said: str = "", **cards: str) -> Player:
    """A player with `3 coins, 2 iron ore, 1 gold ingot` (no coins unless said) and cards by number: `items="1 17"`."""
    stocks = {"ore": [0, 0, 0, 0], "ingot": [0, 0, 0, 0]}
    coins = 0
    for part in filter(None, said.split(", ")):
        number, name, *form = part.removesuffix("s").split()
        if form:
            stocks[form[0]][LEVEL[name]] += int(number)
        else:
            coins = int(number)
    held = {kind: tuple(f"{kind[:-1]}-{int(number):02}" for number in numbers.split()) for kind, numbers in cards.items()}
    return Player(coins, tuple(stocks["ore"]), tuple(stocks["ingot"]), **held)  # type: ignore[arg-type]


def position(*players: Player, dwarves: str = "silver furnace market", **more: Any) -> State:
    """Red's turn in the first round, with these players (or two who have nothing).

    Shown are items 31 and 1 to 3 (for 1 to 4 iron ingots), towns 1 to 3 (for 3, 4 and 4 iron) and upgrades 1 to 3 (for 3 coins each),
    unless it is said otherwise: `shown_items`, `shown_towns` and `shown_upgrades` are numbers, 0 for a gap. Decks hold what is neither
    shown nor held.
    """
    taking = players or (has(), has())
    s = GAME.setup(more.pop("options", Options()), GAME.seats[: len(taking)])
    shown: dict[str, Any] = {}
    for kind, cards in (("items", BOX.items), ("towns", BOX.towns), ("upgrades", BOX.upgrades)):
        numbers = more.pop(f"shown_{kind}", "31 1 2 3" if kind == "items" else "1 2 3")
        shown[kind] = tuple(f"{kind[:-1]}-{int(number):02}" if int(number) else None for number in numbers.split())
        used = {*shown[kind], *more.get("discarded", ()), *(card for player in taking for card in getattr(player, kind))}
        shown[f"{kind[:-1]}_deck"] = tuple(card.id for card in cards if card.id not in used)
    supply = s.supply
    for player in taking:
        supply = minus(minus(supply, player.ore), player.ingots)
    given = {"supply": supply, "bonus": ("bonus-1", "bonus-2"), "first": "red", **shown, **more}
    return replace(s, players=taking, due=(), dwarves=tuple(dwarves.split()), **given)


def play(s: State, *lines: str) -> State:
    """The position after these lines, actions and lots; each must be what could happen."""
    for line in lines:
        if line.startswith("* "):
            s = GAME.apply_chance(s, next(outcome for outcome in outcomes(s) if GAME.tell(outcome) == line))
        else:
            (seat,) = GAME.awaited(s)
            action = read(s, line)
            assert write(action) == line
            assert GAME.objection(s, seat, action) is None, GAME.objection(s, seat, action)
            s = GAME.apply(s, seat, action)
    return s


def drawn(s: State) -> State:
    """The position after what is due has been drawn, always the first candidate."""
    while GAME.chance_due(s):
        s = GAME.apply_chance(s, GAME.draw(s, lambda _n: 0))
    return s


def legal(s: State, start: str = "") -> list[str]:
    """The lines that can be played, in their order; those that begin so."""
    return [line for seat in GAME.awaited(s) for action in GAME.legal(s, seat) if (line := write(action)).startswith(start)]


def outcomes(s: State) -> list[Outcome]:
    """All that can be drawn, in the order of the candidates."""
    candidates: list[int] = []
    GAME.draw(s, lambda n: candidates.append(n) or 0)  # type: ignore[func-returns-value]
    return [GAME.draw(s, lambda _n, place=place: place) for place in range(candidates[0])]


def told(s: State) -> list[str]:
    """All that can be drawn, as lines."""
    return [GAME.tell(outcome) for outcome in outcomes(s)]


def refused(s: State, line: str, seat: str | None = None) -> str:
    """The words with which an action is refused."""
    words = GAME.objection(s, seat or s.seats[s.turn], read(s, line))
    assert words, f"{line} is legal"
    assert re.search(r"\(SH-[0-9]+\)|the match is over", words), f"{words} names no ruling"
    return words


OPENING = GAME.setup(Options(), GAME.seats[:2])
