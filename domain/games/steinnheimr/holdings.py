"""What one player has, as a band of the picture: points, coins, ore and ingots, cards and what they do."""

from __future__ import annotations

from collections import Counter
from textwrap import wrap
from typing import Final

from msgspec.structs import replace

from domain.games.steinnheimr.cards import ITEMS, TOWNS, Coins, Lasting, VpPerItem, VpPerTown, effects
from domain.games.steinnheimr.goods import RESOURCES
from domain.games.steinnheimr.names import brief, counted
from domain.games.steinnheimr.scoring import scores
from domain.games.steinnheimr.state import ROOM, Player, State
from domain.games.steinnheimr.tokens import card, coin, house, ingot, number, ore, sort, words
from domain.picture import Look, element, letters

LEFT: Final = 12.0
INSIDE: Final = 576.0
HEAD: Final = 34.0
ROW: Final = 36.0
CHIP: Final = 56.0
LINE: Final = 22.0


def holdings(s: State, look: Look, place: int, y: float, *, mine: bool) -> tuple[str, float]:
    """A player's band, and where the next one begins; a frame is around the one who is on turn."""
    player, colour, name = s.players[place], look.seats[place], s.seats[place].capitalize()
    chips, lines = _chips(look, player, y + HEAD + ROW), _lines(player)
    rows = -(-(len(player.items) + len(player.towns)) // 10)
    height = HEAD + ROW + rows * ROW + len(lines) * LINE + 6
    below = y + HEAD + ROW * (1 + rows) + 10
    d = f"M{LEFT:g} {y + HEAD - 2:g}v{8 - HEAD:g}q0 -6 6 -6h{INSIDE - 12:g}q6 0 6 6v{HEAD - 8:g}Z"
    begins = ", first player" if s.seats[place] == s.first else ""
    band = [
        card(look, LEFT, y, INSIDE, height),
        element("path", d=d, fill=colour),
        words(look, f"{name}{' (you)' if mine else ''}{begins}", LEFT + 12, y + 17, 19, fill=look.on_seat),
        letters(counted(scores(s)[place], "point"), LEFT + INSIDE - 12, y + 17, 19, look, fill=look.on_seat, text_anchor="end"),
        _goods(look, player, y + HEAD + ROW / 2),
        chips,
        *(words(look, line, LEFT + 12, below + at * LINE, 16) for at, line in enumerate(lines)),
    ]
    if place == s.turn and s.first is not None and s.reason is None:
        frame = {"x": LEFT - 4, "y": f"{y - 4:g}", "width": INSIDE + 8, "height": f"{height + 8:g}", "rx": 11}
        band.append(element("rect", **frame, fill="none", stroke=look.mark, stroke_width=3.5))
    return "".join(band), y + height + 12


def _goods(look: Look, player: Player, y: float) -> str:
    """Coins, then ore and ingots of each kind with their number; at the right, how many of them fill the room there is."""
    x = LEFT + 24
    drawn = coin(x, y) + number(look, player.coins, x + 17, y)
    x += 64
    for level, resource in enumerate(RESOURCES):
        for token, stock in ((ore, player.ore), (ingot, player.ingots)):
            if stock[level]:
                drawn += token(look, x, y, resource) + number(look, stock[level], x + 17, y)
                x += 51
    held, room = sum(player.ore) + sum(player.ingots), ROOM + player.powers.room
    return drawn + letters(f"{held} of {room}", LEFT + INSIDE - 12, y, 16, look, fill=look.faint, text_anchor="end")


def _chips(look: Look, player: Player, y: float) -> str:
    """A chip with its points for each item and each town card, in the order in which they were taken."""
    pictured = [(sort(look, ITEMS[item].type), ITEMS[item].vp) for item in player.items] + [(house(look), TOWNS[town].vp) for town in player.towns]
    drawn = ""
    for place, (picture, vp) in enumerate(pictured):
        x, top = LEFT + 9 + place % 10 * CHIP, y + place // 10 * ROW
        drawn += card(look, x, top, CHIP - 4, ROW - 5, fill=look.paper)
        drawn += element("g", picture, transform=f"translate({x + 14:g} {top + 15.5:g})") + number(look, vp, x + 27, top + 16)
    return drawn


def _lines(player: Player) -> list[str]:
    """What the cards held do, in words; the same thing twice is said once, with its sum."""
    lasting = Counter(effect for effect in effects(player.towns, player.upgrades) if not isinstance(effect, Coins))
    return wrap(", ".join(brief(_times(effect, times)) for effect, times in lasting.items()), 72)


def _times(effect: Lasting, times: int) -> Lasting:
    if isinstance(effect, VpPerItem | VpPerTown):
        return replace(effect, vp=effect.vp * times)
    return replace(effect, amount=effect.amount * times)
