"""A position as JSON with nothing hidden, and what each field of it says."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypedDict

from msgspec import Meta

from domain.game import Seat
from domain.games.steinnheimr.cards import ingots_due
from domain.games.steinnheimr.goods import Amounts, goods
from domain.games.steinnheimr.scoring import scores
from domain.games.steinnheimr.state import BonusId, Goods, ItemId, Location, Player, State, Step, TownId, UpgradeId

Count: TypeAlias = Annotated[int, Meta(ge=0)]


class Resources(TypedDict):
    """So much of each resource."""

    iron: Count
    silver: Count
    gold: Count
    mithril: Count


class Shown(TypedDict):
    """The cards that are shown; null is a gap."""

    items: Annotated[list[ItemId | None], Meta(description="items, by slot")]
    towns: Annotated[list[TownId | None], Meta(description="town cards, by slot")]
    upgrades: Annotated[list[UpgradeId | None], Meta(description="upgrades, by slot")]


class Decks(TypedDict):
    """What is left in the decks."""

    items: Annotated[Count, Meta(description="how many items can still be drawn")]
    towns: Annotated[Count, Meta(description="how many town cards can still be drawn")]
    upgrades: Annotated[Count, Meta(description="how many upgrades can still be drawn before the discarded ones come back")]
    discarded_upgrades: Annotated[list[UpgradeId], Meta(description="the upgrades that were discarded, in that order")]


class PlayerSeen(TypedDict):
    """What one player has; cards in the order in which they were taken."""

    coins: Count
    ore: Annotated[Resources, Meta(description="ore in hand")]
    ingots: Annotated[Resources, Meta(description="ingots in hand")]
    items: Annotated[list[ItemId], Meta(description="the items made")]
    towns: Annotated[list[TownId], Meta(description="the town cards taken")]
    upgrades: Annotated[list[UpgradeId], Meta(description="the upgrades bought")]


class TurnSeen(TypedDict):
    """Whose turn it is, and what comes next in it."""

    seat: Annotated[Seat, Meta(description="who is on turn")]
    step: Annotated[Step, Meta(description="what comes next: to place a dwarf, to remove one, or to discard what there is no room for")]
    placed_at: Annotated[Location | None, Meta(description="where the dwarf of this turn was placed; null before")]
    refreshed: Annotated[bool, Meta(description="whether the cards were refreshed in this turn")]


class View(TypedDict):
    """A position of Blacksmiths of Steinnheimr: `view` of a match. Cards are named by the ids that `components` of the game has."""

    dwarves: Annotated[list[Location], Meta(description="the locations where the dwarves stand, in order")]
    shown: Annotated[Shown, Meta(description="the cards that are shown")]
    bonus: Annotated[list[BonusId], Meta(description="the bonus cards of this match")]
    decks: Annotated[Decks, Meta(description="what is left in the decks")]
    supply: Annotated[Resources, Meta(description="the resources that nobody has")]
    round: Annotated[int, Meta(ge=1, description="the round; after the end the one in which it ended")]
    first_player: Annotated[Seat | None, Meta(description="who began; null before that is drawn")]
    players: Annotated[dict[Seat, PlayerSeen], Meta(description="what each player has, by seat")]
    due: Annotated[dict[ItemId, Goods], Meta(description="for each shown item the ingots that the seat on turn would pay (SH-7)")]
    turn: Annotated[TurnSeen | None, Meta(description="whose turn it is; null before the first and when it is over")]
    ending: Annotated[bool, Meta(description="whether the end has begun (SH-14); not by leaving, agreement or the limit of rounds alone")]
    scores: Annotated[dict[Seat, int], Meta(description="the points that SH-15 would give now, by seat")]


def view(s: State) -> View:
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


def _player(player: Player) -> PlayerSeen:
    return {
        "coins": player.coins,
        "ore": _all(player.ore),
        "ingots": _all(player.ingots),
        "items": list(player.items),
        "towns": list(player.towns),
        "upgrades": list(player.upgrades),
    }


def _all(by_level: Amounts) -> Resources:
    iron, silver, gold, mithril = by_level
    return {"iron": iron, "silver": silver, "gold": gold, "mithril": mithril}
