"""The rules of Steinnheimr as they change a position: set-up, draws, the actions of a turn, its end and the end of the match."""

from __future__ import annotations

from typing import Any, Final, assert_never

from msgspec.structs import replace

from domain.game import Pick, Seat
from domain.games.steinnheimr.cards import BONUSES, DONATION, ORE, TOWNS, UPGRADES, CardId, Coins, ingots_due
from domain.games.steinnheimr.choices import exchange, legal, mined, refresh_price, wage
from domain.games.steinnheimr.goods import LEVEL, Amounts, amounts, changed, minus, plus
from domain.games.steinnheimr.state import (
    LOCATIONS,
    Action,
    BonusInPlay,
    Buy,
    Craft,
    Deck,
    Deed,
    Discard,
    Donate,
    Draw,
    FirstPlayer,
    ItemShown,
    Location,
    Mine,
    Options,
    Outcome,
    Place,
    Player,
    Refine,
    Refresh,
    Remove,
    State,
    TownShown,
    Trade,
    UpgradeShown,
    Work,
)

_START: Final = (
    Draw("first_player"),
    *(Draw("bonus"),) * 2,
    *(Draw("item", slot) for slot in range(4)),
    *(Draw("town", slot) for slot in range(3)),
    *(Draw("upgrade", slot) for slot in range(3)),
)


def setup(options: Options, seats: tuple[Seat, ...]) -> State:
    """Three dwarves on the board, two coins each, and all cards still to be drawn (SH-1)."""
    return State(options, seats, (Player(),) * len(seats), _START)


# Chance: the first player and the cards


def chance_due(s: State) -> bool:
    """Something is to be drawn."""
    return bool(s.due)


def draw(s: State, pick: Pick) -> Outcome:
    """The next draw; candidates are the seats in their order, or the cards of the deck by id."""
    due = s.due[0]
    match due.deck:
        case "first_player":
            return FirstPlayer(s.seats[pick(len(s.seats))])  # type: ignore[arg-type]  # the seats are the SeatNames
        case "bonus":
            cards = [card for card in BONUSES if card not in s.bonus]
            return BonusInPlay(cards[pick(len(cards))])
        case "item":
            return ItemShown(s.item_deck[pick(len(s.item_deck))], due.slot)
        case "town":
            return TownShown(s.town_deck[pick(len(s.town_deck))], due.slot)
        case "upgrade":
            deck = _upgrades(s)
            return UpgradeShown(deck[pick(len(deck))], due.slot)
        case _:
            assert_never(due.deck)


def apply_chance(s: State, outcome: Outcome) -> State:
    """The position with what was drawn in its place."""
    due = s.due[1:]
    match outcome:
        case FirstPlayer(seat):
            return replace(s, due=due, first=seat, turn=s.seats.index(seat))
        case BonusInPlay(card):
            return replace(s, due=due, bonus=(*s.bonus, card))
        case ItemShown(card, slot):
            return _go_on(replace(s, due=due, items=_put(s.items, slot, card), item_deck=_without(s.item_deck, card)))
        case TownShown(card, slot):
            deck = _without(s.town_deck, card)
            ending = s.ending if deck else s.ending or "town-deck"  # SH-14
            return _go_on(replace(s, due=due, towns=_put(s.towns, slot, card), town_deck=deck, ending=ending))
        case UpgradeShown(card, slot):
            shown, deck = _put(s.upgrades, slot, card), _without(_upgrades(s), card)
            return _go_on(replace(s, due=due, upgrades=shown, upgrade_deck=deck, discarded=s.discarded if s.upgrade_deck else ()))
        case _:
            assert_never(outcome)


def _upgrades(s: State) -> tuple[CardId, ...]:
    """The upgrade deck as a draw finds it: empty, it is first refilled with the discarded upgrades (SH-12)."""
    return s.upgrade_deck or tuple(sorted(s.discarded))


# A turn


def awaited(s: State) -> tuple[Seat, ...]:
    """One seat at a time, in seat order from the first player (SH-1)."""
    return () if s.due or s.reason else (s.seats[s.turn],)


def apply(s: State, _seat: Seat, action: Action) -> State:
    """The position after an action that is taken to be legal."""
    match action:
        case Place(at, do):
            s = replace(s, dwarves=tuple([place for place in LOCATIONS if place in s.dwarves or place == at]), step="remove", placed=at)
            return s if do is None else _do(s, at, do)
        case Remove(at, do):
            s = replace(s, dwarves=tuple([place for place in s.dwarves if place != at]), step="discard")
            return _go_on(s if do is None else _do(s, at, do))
        case Discard(ore, ingots):
            return _end_turn(_discard(s, amounts(ore), amounts(ingots)))
        case Refresh():
            return _refresh(s)
        case _:
            assert_never(action)


def _go_on(s: State) -> State:
    """After both actions and their draws the turn is over, unless there is something to discard (SH-13)."""
    return s if s.due or s.step != "discard" or s.me.excess else _end_turn(s)


def _end_turn(s: State) -> State:
    """The next seat's turn; with the first player's a new round begins, if the match goes on (SH-14)."""
    turn = (s.turn + 1) % len(s.seats)
    if s.seats[turn] != s.first:
        return replace(s, turn=turn, step="place", placed=None, refreshed=False)
    if s.ending:
        return replace(s, reason=s.ending)
    if s.round == s.options.max_rounds:
        return replace(s, reason="round-limit")
    return replace(s, turn=turn, step="place", placed=None, refreshed=False, round=s.round + 1)


# What is done at a location


def _do(s: State, at: Location, do: Deed) -> State:
    """The location's action, done by the player whose turn it is."""
    me = s.me
    match do:
        case Mine():
            level = LEVEL[at]
            ore = mined(s, level)
            return _with(s, replace(me, ore=changed(me.ore, level, ore)), supply=changed(s.supply, level, -ore))
        case Refine(resource, count):
            level = LEVEL[resource]
            return _with(s, replace(me, ore=changed(me.ore, level, -count), ingots=changed(me.ingots, level, count)))
        case Craft(item):
            return _craft(s, me, item)
        case Trade():
            return _trade(s, me, do)
        case Buy(upgrade):
            return _buy(s, me, upgrade)
        case Work():
            return _with(s, replace(me, coins=me.coins + wage(me)))
        case Donate(town, ingots):
            return _donate(s, me, town, amounts(ingots))
        case _:
            assert_never(do)


def _craft(s: State, me: Player, item: CardId) -> State:
    """SH-7; the item that makes it enough begins the end (SH-14)."""
    ingots, ore, slot = ingots_due(item, me.powers.cheaper), ORE[item], s.items.index(item)
    me = replace(me, ore=minus(me.ore, ore), ingots=minus(me.ingots, ingots), items=(*me.items, item))
    ending = s.ending or ("items" if len(me.items) >= s.items_to_end else None)
    supply, shown = plus(s.supply, plus(ore, ingots)), _put(s.items, slot, None)
    return _with(s, me, supply=supply, items=shown, due=_next("item", slot, s.item_deck), ending=ending)


def _trade(s: State, me: Player, trade: Trade) -> State:
    """SH-8."""
    given, got = exchange(trade.give, trade.get)
    give, get = LEVEL[trade.give], LEVEL[trade.get]
    stock = me.ore if trade.form == "ore" else me.ingots
    stock = changed(changed(stock, give, -given * trade.times), get, got * trade.times)
    me = replace(me, ore=stock) if trade.form == "ore" else replace(me, ingots=stock)
    return _with(s, me, supply=changed(changed(s.supply, give, given * trade.times), get, -got * trade.times))


def _buy(s: State, me: Player, upgrade: CardId) -> State:
    """SH-9."""
    slot = s.upgrades.index(upgrade)
    me = replace(me, coins=me.coins - UPGRADES[upgrade].cost, upgrades=(*me.upgrades, upgrade))
    return _with(s, me, upgrades=_put(s.upgrades, slot, None), due=_next("upgrade", slot, _upgrades(s)))


def _donate(s: State, me: Player, town: CardId, ingots: Amounts) -> State:
    """SH-10; some towns pay coins at once."""
    ore, slot = minus(DONATION[town], ingots), s.towns.index(town)
    coins = effect.amount if isinstance(effect := TOWNS[town].effect, Coins) else 0
    me = replace(me, coins=me.coins + coins, ore=minus(me.ore, ore), ingots=minus(me.ingots, ingots), towns=(*me.towns, town))
    return _with(s, me, supply=plus(s.supply, plus(ore, ingots)), towns=_put(s.towns, slot, None), due=_next("town", slot, s.town_deck))


def _refresh(s: State) -> State:
    """SH-11: the upgrades shown are discarded and new ones are due, as many as there are."""
    discarded = (*s.discarded, *filter(None, s.upgrades))
    due = tuple([Draw("upgrade", slot) for slot in range(min(3, len(s.upgrade_deck) + len(discarded)))])
    me = replace(s.me, coins=s.me.coins - refresh_price(s.me))
    return _with(s, me, upgrades=(None,) * 3, discarded=discarded, due=due, refreshed=True)


def _discard(s: State, ore: Amounts, ingots: Amounts) -> State:
    """SH-13: back to the supply (SH-2)."""
    return _with(s, replace(s.me, ore=minus(s.me.ore, ore), ingots=minus(s.me.ingots, ingots)), supply=plus(s.supply, plus(ore, ingots)))


# Ends that the rules do not know


def close(s: State, reason: str) -> State:
    """Over as it stands; cards that were to be drawn stay in their decks."""
    return replace(s, reason=reason, due=())


def vacate(s: State, _seat: Seat) -> State:
    """A seat that has left takes part like any other (SH-15): the caretaker plays it, and the position need not know."""
    return s


def caretaker(s: State, seat: Seat) -> Action:
    """For a vacated seat: the first open location and the first other dwarf, without their actions, and the first legal discard (SH-17)."""
    if s.step == "place":
        return Place(next(at for at in LOCATIONS if at not in s.dwarves), None)
    if s.step == "remove":
        return Remove(next(at for at in s.dwarves if at != s.placed), None)
    return next(legal(s, seat))


# Sums


def _with(s: State, me: Player, **changes: Any) -> State:
    """The position with the player on turn changed, and whatever else changes with that."""
    return replace(s, players=(*s.players[: s.turn], me, *s.players[s.turn + 1 :]), **changes)


def _next(deck: Deck, slot: int, cards: tuple[CardId, ...]) -> tuple[Draw, ...]:
    """A card that was taken is replaced from its deck; an empty deck leaves a gap (SH-12)."""
    return (Draw(deck, slot),) if cards else ()


def _put(shown: tuple[CardId | None, ...], slot: int, card: CardId | None) -> tuple[CardId | None, ...]:
    return (*shown[:slot], card, *shown[slot + 1 :])


def _without(deck: tuple[CardId, ...], card: CardId) -> tuple[CardId, ...]:
    at = deck.index(card)
    return deck[:at] + deck[at + 1 :]
