"""A position of Steinnheimr, the options it is played with, what a seat can do in it and what chance can bring."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from domain import game
from domain.game import Record, Seat
from domain.games.steinnheimr.cards import BOX, CardId, Powers, powers
from domain.games.steinnheimr.goods import NOTHING, Amounts, Resource

Location: TypeAlias = Literal["iron", "silver", "gold", "mithril", "furnace", "anvil", "market", "guild", "town"]
Form: TypeAlias = Literal["ore", "ingot"]
Step: TypeAlias = Literal["place", "remove", "discard"]
Ending: TypeAlias = Literal["items", "town-deck"]
Deck: TypeAlias = Literal["first_player", "bonus", "item", "town", "upgrade"]

LOCATIONS: Final[tuple[Location, ...]] = ("iron", "silver", "gold", "mithril", "furnace", "anvil", "market", "guild", "town")
FORMS: Final[tuple[Form, ...]] = ("ore", "ingot")
SEATS: Final[tuple[Seat, ...]] = ("red", "blue", "green", "yellow")
ROOM: Final = 8  # resources that a player can keep (SH-13)

SeatName: TypeAlias = Literal["red", "blue", "green", "yellow"]
ItemId: TypeAlias = Annotated[str, Meta(pattern="^item-[0-9]{2}$", max_length=7, description="an item, such as item-01")]
UpgradeId: TypeAlias = Annotated[str, Meta(pattern="^upgrade-[0-9]{2}$", max_length=10, description="an upgrade, such as upgrade-01")]
TownId: TypeAlias = Annotated[str, Meta(pattern="^town-[0-9]{2}$", max_length=7, description="a town card, such as town-01")]
BonusId: TypeAlias = Annotated[str, Meta(pattern="^bonus-[0-9]$", max_length=7, description="a bonus card, such as bonus-1")]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]
Goods: TypeAlias = dict[Resource, Positive]  # what is not there is left out


class Options(game.Options, frozen=True):
    """How many items end the match, and how long it can last."""

    items_to_end: Annotated[int, Meta(ge=1, le=13, description="items that begin the end; null: 10, 8, 6 for 2, 3, 4 players")] | None = None
    max_rounds: Annotated[int, Meta(ge=10, description="rounds after which the match ends; null: no limit")] | None = 60


# What can be done at a location


class Mine(game.Action, frozen=True, tag="mine"):
    """Ore from this mine."""


class Refine(game.Action, frozen=True, tag="refine"):
    """Ore to ingots, in the furnace."""

    resource: Resource
    count: Positive


class Craft(game.Action, frozen=True, tag="craft"):
    """One of the shown items, at the anvil."""

    item: ItemId


class Trade(game.Action, frozen=True, tag="trade"):
    """At the market: two for one of the next level up, or one for two of the next level down, so many times."""

    form: Form
    give: Resource
    get: Resource
    times: Positive


class Buy(game.Action, frozen=True, tag="buy"):
    """One of the shown upgrades, at the guild."""

    upgrade: UpgradeId


class Work(game.Action, frozen=True, tag="work"):
    """Coins, in the town."""


class Donate(game.Action, frozen=True, tag="donate"):
    """For one of the shown town cards; `ingots` says how much of the donation is paid in ingots, the rest is ore."""

    town: TownId
    ingots: Goods


Deed: TypeAlias = Mine | Refine | Craft | Trade | Buy | Work | Donate


# What can be done in a turn


class Refresh(game.Action, frozen=True, tag="refresh"):
    """Pay for three new upgrades to be shown."""


class Place(game.Action, frozen=True, tag="place"):
    """Put the dwarf from the hand on an open location, with or without its action."""

    at: Location
    do: Deed | None


class Remove(game.Action, frozen=True, tag="remove"):
    """Take a dwarf from another location into the hand, with or without its action."""

    at: Location
    do: Deed | None


class Discard(game.Action, frozen=True, tag="discard"):
    """Give back what there is no room for."""

    ore: Goods
    ingots: Goods


Action: TypeAlias = Refresh | Place | Remove | Discard


# What chance can bring


class FirstPlayer(game.Outcome, frozen=True, tag="first_player"):
    """Who begins."""

    seat: SeatName


class BonusInPlay(game.Outcome, frozen=True, tag="bonus"):
    """One of the two bonus cards of this match."""

    card: BonusId


class ItemShown(game.Outcome, frozen=True, tag="item"):
    """An item card, and where it lies."""

    card: ItemId
    slot: Annotated[int, Meta(ge=0, le=3)]


class TownShown(game.Outcome, frozen=True, tag="town"):
    """A town card, and where it lies."""

    card: TownId
    slot: Annotated[int, Meta(ge=0, le=2)]


class UpgradeShown(game.Outcome, frozen=True, tag="upgrade"):
    """An upgrade card, and where it lies."""

    card: UpgradeId
    slot: Annotated[int, Meta(ge=0, le=2)]


Outcome: TypeAlias = FirstPlayer | BonusInPlay | ItemShown | TownShown | UpgradeShown


# The position


class Player(Record, frozen=True):
    """What one player has; cards in the order in which they were taken."""

    coins: int = 2
    ore: Amounts = NOTHING
    ingots: Amounts = NOTHING
    items: tuple[CardId, ...] = ()
    towns: tuple[CardId, ...] = ()
    upgrades: tuple[CardId, ...] = ()

    @property
    def powers(self) -> Powers:
        """What the cards held make easier."""
        return powers(self.towns, self.upgrades)

    @property
    def excess(self) -> int:
        """How many resources there is no room for (SH-13)."""
        return max(0, sum(self.ore) + sum(self.ingots) - ROOM - self.powers.room)


class Draw(Record, frozen=True):
    """What is to be drawn, and for which place among the shown cards."""

    deck: Deck
    slot: int = 0


class State(Record, frozen=True):
    """A position. `players` follow `seats`; decks are the cards that can still be drawn from them, by id."""

    options: Options
    seats: tuple[Seat, ...]
    players: tuple[Player, ...]
    due: tuple[Draw, ...]  # what is to be drawn before anybody can act
    dwarves: tuple[Location, ...] = ("silver", "furnace", "market")  # in the order of the locations
    items: tuple[CardId | None, ...] = (None,) * 4  # shown; None is a gap
    towns: tuple[CardId | None, ...] = (None,) * 3
    upgrades: tuple[CardId | None, ...] = (None,) * 3
    item_deck: tuple[CardId, ...] = tuple(card.id for card in BOX.items)
    town_deck: tuple[CardId, ...] = tuple(card.id for card in BOX.towns)
    upgrade_deck: tuple[CardId, ...] = tuple(card.id for card in BOX.upgrades)
    discarded: tuple[CardId, ...] = ()  # upgrades, in the order of discarding
    bonus: tuple[CardId, ...] = ()
    supply: Amounts = (30, 20, 20, 10)  # SH-2
    round: int = 1
    first: Seat | None = None
    turn: int = 0  # whose turn it is, as a place in `seats`
    step: Step = "place"
    placed: Location | None = None  # where the dwarf of this turn went
    refreshed: bool = False
    ending: Ending | None = None  # why the end has begun (SH-14)
    reason: str | None = None  # why it is over: as its end began, the `round-limit`, or what ended it from outside the rules

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def items_to_end(self) -> int:
        """How many items of one player begin the end (SH-14)."""
        return self.options.items_to_end or {2: 10, 3: 8, 4: 6}[len(self.seats)]
