"""A position in words: what is going on, who stands where, the cards that are shown, and what everybody has."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.steinnheimr.cards import ingots_due
from domain.games.steinnheimr.choices import mined, wage
from domain.games.steinnheimr.goods import LEVEL, NOTHING
from domain.games.steinnheimr.names import bonus_told, counted, held_told, item_told, one_of, told, town_told, upgrade_told
from domain.games.steinnheimr.scoring import scores, standing
from domain.games.steinnheimr.state import LOCATIONS, ROOM, Location, State


def headline(s: State) -> tuple[str, str]:
    """How far the match is, and what happens now."""
    of = f" of {s.options.max_rounds}" if s.options.max_rounds else ""
    if s.reason:
        return f"Over after round {s.round}{of}", _leading(s)
    if s.ending:
        return f"Round {s.round}{of}, the last one", _doing(s)
    return f"Round {s.round}{of}", _doing(s)


def _doing(s: State) -> str:
    if s.due:
        return "the first player is being drawn" if s.first is None else "cards are being drawn"
    seat = s.seats[s.turn]
    return {"place": f"{seat} places a dwarf", "remove": f"{seat} removes a dwarf", "discard": f"{seat} discards {s.me.excess}"}[s.step]


def _leading(s: State) -> str:
    """Who has most points; whether that is a win is the match's to say, which knows who has left."""
    final = standing(s)
    first = [seat for seat, rank in final.ranks.items() if rank == 1]
    most = final.scores[first[0]]
    tied = [seat for seat, score in final.scores.items() if score == most and seat not in first]
    ahead = f", ahead of {one_of(tied, 'and')} by cards or coins (SH-16)" if tied else ""
    return f"{one_of(first, 'and')} {'leads' if len(first) == 1 else 'share the lead'} with {counted(most, 'point')}{ahead}"


def text(s: State) -> str:
    """The board for a mail: every line stands for itself, so that any font will do."""
    return "\n\n".join("\n".join(lines) for lines in (_head(s), _places(s), _items(s), _towns(s), _upgrades(s), *_players(s)))


def _head(s: State) -> list[str]:
    title, doing = headline(s)
    lines = [f"{title}: {doing}."]
    if not s.ending and not s.reason:
        lines.append(f"The round in which somebody has {counted(s.items_to_end, 'item')} or the town deck is empty will be the last (SH-14).")
    return [*lines, *(f"At the end: {bonus_told(card)}" for card in s.bonus)]


def _places(s: State) -> list[str]:
    return ["Locations (● a dwarf, ○ open)", *(f"{'●' if at in s.dwarves else '○'} {at}: {offered(s, at)}" for at in LOCATIONS)]


def offered(s: State, at: Location) -> str:
    """What is done at a location, by the one who is on turn."""
    match at:
        case "furnace":
            return "refine one kind of ore"
        case "anvil":
            return "craft an item"
        case "market":
            return "trade 2 for 1 of the next level, or 1 for 2 of the level below"
        case "guild":
            return "buy an upgrade"
        case "town":
            return f"work for {counted(wage(s.me), 'coin')}, or donate"
        case _:
            return f"mine {mined(s, LEVEL[at])} ore ({s.supply[LEVEL[at]]} {at} in the supply)"


def _items(s: State) -> list[str]:
    cheaper = NOTHING if s.reason else s.me.powers.cheaper
    return [f"Items ({len(s.item_deck)} in the deck)", *(item_told(card, ingots_due(card, cheaper)) for card in s.items if card)]


def _towns(s: State) -> list[str]:
    return [f"Town cards ({len(s.town_deck)} in the deck)", *(town_told(card) for card in s.towns if card)]


def _upgrades(s: State) -> list[str]:
    return [f"Upgrades ({len(s.upgrade_deck)} in the deck, {len(s.discarded)} discarded)", *(upgrade_told(card) for card in s.upgrades if card)]


def _players(s: State) -> Iterator[list[str]]:
    for seat, player, points in zip(s.seats, s.players, scores(s), strict=True):
        first = " (first player)" if seat == s.first else ""
        lines = [f"{seat.capitalize()}{first}: {counted(points, 'point')}"]
        lines.append(f"Has {counted(player.coins, 'coin')}, {told(player.ore, player.ingots)}; room for {ROOM + player.powers.room} resources")
        held = {"Items": player.items, "Town cards": player.towns, "Upgrades": player.upgrades}
        lines += [f"{name}: {', '.join(map(held_told, cards))}" for name, cards in held.items() if cards]
        yield lines
