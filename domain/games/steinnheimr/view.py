"""A position as JSON, with nothing hidden."""

from __future__ import annotations

from typing import Any

from domain.games.steinnheimr.cards import ingots_due
from domain.games.steinnheimr.goods import RESOURCES, Amounts, goods
from domain.games.steinnheimr.scoring import scores
from domain.games.steinnheimr.state import Player, State


def view(s: State) -> dict[str, Any]:
    """The position, with the points that each player would have now and what each shown item would cost the seat on turn."""
    on_turn = s.first is not None and s.reason is None
    return {
        "dwarves": list(s.dwarves),
        "shown": {"items": list(s.items), "towns": list(s.towns), "upgrades": list(s.upgrades)},
        "bonus": list(s.bonus),
        "decks": {
            "items": len(s.item_deck),
            "towns": len(s.town_deck),
            "upgrades": len(s.upgrade_deck),
            "discarded_upgrades": list(s.discarded),
        },
        "supply": _all(s.supply),
        "round": s.round,
        "first_player": s.first,
        "players": {seat: _player(player) for seat, player in zip(s.seats, s.players, strict=True)},
        "due": {item: goods(ingots_due(item, s.me.powers.cheaper)) for item in s.items if item} if on_turn else {},
        "turn": {"seat": s.seats[s.turn], "step": s.step, "placed_at": s.placed, "refreshed": s.refreshed} if on_turn else None,
        "ending": s.ending is not None,
        "scores": dict(zip(s.seats, scores(s), strict=True)),
    }


def _player(player: Player) -> dict[str, Any]:
    return {
        "coins": player.coins,
        "ore": _all(player.ore),
        "ingots": _all(player.ingots),
        "items": list(player.items),
        "towns": list(player.towns),
        "upgrades": list(player.upgrades),
    }


def _all(by_level: Amounts) -> dict[str, int]:
    return dict(zip(RESOURCES, by_level, strict=True))
