"""Why an action cannot be played now, in words for the player, naming the ruling and what would be legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from domain.game import Seat
from domain.games.four_forges.forges import ANVILS, AT, FORGEABLE, FORGES, NEIGHBOURS, NONE, OF, SEATS, SMELTABLE, Anvil, Stones, compact
from domain.games.four_forges.rules import awaited
from domain.games.four_forges.state import (
    AcceptTrade,
    Action,
    Amount,
    Break,
    DeclareEnd,
    DeclineTrade,
    EndTurn,
    Forge,
    Mine,
    Move,
    OfferTrade,
    Smelt,
    State,
    offers_left,
    on_board,
)
from domain.games.four_forges.trading import may_trade


def objection(s: State, seat: Seat, action: Action) -> str | None:
    """None where the action is legal."""
    if seat not in awaited(s):
        return _against_acting(s, seat)
    answering = isinstance(action, AcceptTrade | DeclineTrade)
    if s.trade:
        return None if answering else f"{SEATS[s.turn]} has offered a trade, and {seat} first answers it: accept or decline (FF-9)"
    match action:
        case AcceptTrade() | DeclineTrade():
            return f"no trade has been offered that could be answered: {SEATS[s.turn]} goes on with its turn (FF-9)"
        case OfferTrade():
            return _against_offering(s) or _against_giving(s, action) or _against_taking(s, action)
        case DeclareEnd():
            return _against_declaring(s)
        case EndTurn():
            return _against_ending_the_turn(s)
        case Mine(anvil):
            return _out_of_actions(s) or _foreign(s, anvil) or _against_mining(s, AT[anvil])
        case Move(start, to, stone):
            return _out_of_actions(s) or _foreign(s, start) or _missing(s, AT[start], stone) or _against_going(AT[start], to)
        case Break(anvil, stone):
            return _out_of_actions(s) or _foreign(s, anvil) or _missing(s, AT[anvil], stone)
        case Forge(anvil):
            return _out_of_actions(s) or _foreign(s, anvil) or _against_forging(s, AT[anvil])
        case Smelt(anvil):
            return _out_of_actions(s) or _foreign(s, anvil) or _against_smelting(s, AT[anvil])
        case _:
            assert_never(action)


def one_of(names: Iterable[str]) -> str:
    """`O2, M1 or A1`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


# Whoever acts


def _against_acting(s: State, seat: Seat) -> str:
    if s.reason:
        return "the match is over"
    if s.digging is not None:
        return f"nobody can act before the stones for {ANVILS[s.digging]} have come from the mine (FF-7)"
    if s.dealt < len(SEATS):
        return "nobody can act before all stones have been dealt (FF-2)"
    if s.trade:
        return f"it is not {seat}'s turn: {SEATS[s.trade.partner]} is to answer the trade that {SEATS[s.turn]} has offered (FF-9)"
    return f"it is not {seat}'s turn: {SEATS[s.turn]} is to act"


def _out_of_actions(s: State) -> str | None:
    """Only a seat whose forge is empty is still on turn then."""
    if s.actions_left:
        return None
    return f"{SEATS[s.turn]} has taken all {s.options.actions_per_turn} actions of this turn; its forge is empty: declare end or end turn (FF-8)"


# Stones and anvils


def _foreign(s: State, anvil: str) -> str | None:
    at = AT.get(anvil)
    if at is not None and at // 4 == s.turn:
        return None
    whose = f"no anvil, and {SEATS[s.turn]} acts" if at is None else f"{SEATS[at // 4]}'s, and {SEATS[s.turn]} acts"
    return f"{anvil} is {whose} only with stones on its own anvils, {_own(s)} (FF-4)"


def _own(s: State) -> str:
    return f"{ANVILS[4 * s.turn]} to {ANVILS[4 * s.turn + 3]}"


def _lies(stones: Stones) -> str:
    return compact(stones) if stones != NONE else "no stone"


def _missing(s: State, at: Anvil, stone: str) -> str | None:
    if stone in OF and s.anvils[at][OF[stone]]:
        return None
    elsewhere = [ANVILS[other] for other in FORGES[s.turn] if stone in OF and s.anvils[other][OF[stone]]]
    other = f"{SEATS[s.turn]} has {stone} on {_all_of(elsewhere)}" if elsewhere else _with_none(s) or f"{SEATS[s.turn]} has none on its anvils"
    return f"there is no {stone} stone on {ANVILS[at]}, where {_lies(s.anvils[at])} lies; {other} (FF-5)"


def _with_none(s: State) -> str | None:
    """What a seat can do whose forge is empty, in a match with mining."""
    if any(on_board(s, s.turn)):
        return None
    return f"the forge of {SEATS[s.turn]} is empty, and it can mine {one_of(ANVILS[at] for at in FORGES[s.turn])}, or declare end"


def _all_of(names: Iterable[str]) -> str:
    return one_of(names).replace(" or ", " and ")


def _against_going(start: Anvil, to: str) -> str | None:
    if to in AT and AT[to] in NEIGHBOURS[start]:
        return None
    ways = one_of(ANVILS[at] for at in NEIGHBOURS[start])
    if to == ANVILS[start]:
        return f"the stone lies on {to} already: from there it can go to {ways} (FF-3)"
    return f"not adjacent: {ANVILS[start]} and {to} do not touch; from {ANVILS[start]} a stone can go to {ways} (FF-3)"


def _against_forging(s: State, at: Anvil) -> str | None:
    if s.anvils[at] in FORGEABLE:
        return None
    ready = [ANVILS[own] for own in FORGES[s.turn] if s.anvils[own] in FORGEABLE]
    can = _instead(s, "forge", ready, f"smelt {ANVILS[at]}" if s.anvils[at] == SMELTABLE else "")
    return f"{ANVILS[at]} cannot be forged: that takes exactly three stones, all alike, and {_lies(s.anvils[at])} lies there (FF-5); {can}"


def _against_smelting(s: State, at: Anvil) -> str | None:
    if s.anvils[at] == SMELTABLE:
        return None
    ready = [ANVILS[own] for own in FORGES[s.turn] if s.anvils[own] == SMELTABLE]
    can = _instead(s, "smelt", ready, f"forge {ANVILS[at]}" if s.anvils[at] in FORGEABLE else "")
    return f"{ANVILS[at]} cannot be smelted: that takes exactly three stones, all different, and {_lies(s.anvils[at])} lies there (FF-5); {can}"


def _instead(s: State, verb: str, ready: Sequence[str], other: str) -> str:
    said = [f"{verb} {anvil}" for anvil in ready] + [other] * bool(other)
    if said:
        return f"{SEATS[s.turn]} can {one_of(said)}"
    return _with_none(s) or f"{SEATS[s.turn]} has nothing to {verb} now and can move or break a stone"


def _against_mining(s: State, at: Anvil) -> str | None:
    if s.mine is None:
        return "there is no mine in this match: it is played without the option `mining` (FF-7)"
    if s.mine == NONE:
        return "the mine is empty (FF-7)"
    if s.anvils[at] == NONE:
        return None
    empty = [ANVILS[own] for own in FORGES[s.turn] if s.anvils[own] == NONE]
    can = f"{one_of(empty)} can be filled" if empty else f"{SEATS[s.turn]} has none"
    return f"stones from the mine come on to an empty anvil, and on {ANVILS[at]} lies {compact(s.anvils[at])}: {can} (FF-7)"


# The end


def _against_declaring(s: State) -> str | None:
    if s.mine is None:
        return "nobody declares the end in a match without mining: it ends by itself when the forge of the seat on turn is empty (FF-6)"
    if left := sum(on_board(s, s.turn)):
        return f"the end can be declared with an empty forge only, and {_stones(left)} in {SEATS[s.turn]}'s (FF-8)"
    return None


def _against_ending_the_turn(s: State) -> str | None:
    if s.actions_left:
        actions = "1 action is" if s.actions_left == 1 else f"{s.actions_left} actions are"
        other = f"; {none}" if (none := _with_none(s)) else ""
        return f"{SEATS[s.turn]} cannot pass: {actions} left, and every action of a turn must be taken (FF-12){other}"
    return None


def _stones(count: int) -> str:
    return "1 stone lies" if count == 1 else f"{count} stones lie"


# Trading


def _against_offering(s: State) -> str | None:
    if not s.options.trading:
        return "there is no trading in this match: it is played without the option `trading` (FF-9)"
    if s.actions_left < s.options.actions_per_turn:
        return f"a trade takes the place of a whole turn, and {SEATS[s.turn]} has acted in this one already: it goes on with its actions (FF-9)"
    if not offers_left(s):
        made = "the 1 offer" if s.offered == 1 else f"all {s.offered} offers"
        return f"{SEATS[s.turn]} has made {made} that a turn allows: it goes on with its actions (FF-9)"
    return None


def _against_giving(s: State, offer: OfferTrade) -> str | None:
    at = AT.get(offer.from_)
    if at is None or at // 4 != s.turn:
        return f"{SEATS[s.turn]} gives stones from one of its own anvils, {_own(s)}, and not from {offer.from_} (FF-9)"
    return _against_amount(s, at, offer.give, "give")


def _against_taking(s: State, offer: OfferTrade) -> str | None:
    at = AT.get(offer.to)
    if at is None or not may_trade(s, at // 4):
        seats = [seat for place, seat in enumerate(SEATS) if may_trade(s, place)]
        with_whom = f"{SEATS[s.turn]} can trade with {one_of(seats)}" if seats else "there is nobody to trade with"
        return f"{_nobody_there(s, offer.to, at)}: {with_whom} (FF-9)"
    if wrong := _against_amount(s, at, offer.take, "take"):
        return wrong
    if offer.give == offer.take:
        return f"what is given and what is taken must differ, and both are {compact(offer.give.stones)} (FF-9)"
    return None


def _nobody_there(s: State, anvil: str, at: Anvil | None) -> str:
    if at is None:
        return f"there is no anvil {anvil}"
    if at // 4 == s.turn:
        return f"{anvil} is {SEATS[s.turn]}'s own"
    if at // 4 in s.vacated:
        return f"{anvil} is {SEATS[at // 4]}'s, whose player has left"
    return f"{anvil} is {SEATS[at // 4]}'s, which is the same player's as {SEATS[s.turn]}"


def _against_amount(s: State, at: Anvil, said: Amount, verb: str) -> str | None:
    there, stones = s.anvils[at], said.stones
    if not any(stones):
        return f"a trade {verb}s at least one stone: on {ANVILS[at]} lies {_lies(there)} (FF-9)"
    if min(stones) < 0 or any(count > lies for count, lies in zip(stones, there, strict=True)):
        return f"{compact(stones)} cannot be {verb}n from {ANVILS[at]}, where {_lies(there)} lies (FF-9)"
    return None
