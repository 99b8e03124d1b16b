"""The rules of Four Forges, paragraph by paragraph: the turn and its actions, trading, the ends, seats that have left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from msgspec.structs import replace

from domain.game import Result, Seat, Standing, ranked
from domain.games.four_forges.forges import (
    ANVILS,
    AT,
    CLEARED,
    COLOURS,
    FORGEABLE,
    FORGES,
    NEIGHBOURS,
    NONE,
    OF,
    PLACE,
    SEATS,
    SMELTABLE,
    Anvil,
    Stones,
    minus,
    plus,
    some,
)
from domain.games.four_forges.state import (
    AcceptTrade,
    Action,
    Break,
    DeclareEnd,
    DeclineTrade,
    EndTurn,
    Forge,
    Mine,
    Move,
    OfferTrade,
    Options,
    Smelt,
    State,
    Trade,
)
from domain.games.four_forges.trading import offers

# All actions there are but trades, made once: a list of what is legal is put together from these.
FORGING: Final = tuple(map(Forge, ANVILS))
SMELTING: Final = tuple(map(Smelt, ANVILS))
MINING: Final = tuple(map(Mine, ANVILS))
HANDLING: Final[tuple[tuple[tuple[Action, ...], ...], ...]] = tuple(  # what can be done with one stone: by anvil and colour
    tuple((Break(name, stone), *(Move(name, ANVILS[to], stone) for to in NEIGHBOURS[at])) for stone in COLOURS) for at, name in enumerate(ANVILS)
)


def setup(options: Options, _seats: tuple[Seat, ...]) -> State:
    """Empty anvils, and the first seat's stones to be dealt (FF-2)."""
    return State(options, options.actions_per_turn, (24, 24, 24) if options.mining else None)


def seated(s: State, players: tuple[tuple[Seat, ...], ...]) -> State:
    """Nobody trades with another seat of their own (FF-9)."""
    first = {seat: PLACE[seats[0]] for seats in players for seat in seats}
    return replace(s, holders=tuple(first[seat] for seat in SEATS))


# Who is to act


def awaited(s: State) -> tuple[Seat, ...]:
    """The seat on turn, or the one that owes the answer to its offer (FF-9)."""
    if s.reason or chance_due(s):
        return ()
    return (SEATS[s.trade.partner if s.trade else s.turn],)


def chance_due(s: State) -> bool:
    """Stones are to be dealt, or to come from the mine."""
    return s.dealt < len(SEATS) or s.digging is not None


def legal(s: State, seat: Seat) -> Iterator[Action]:
    """What the seat can do now; trades come last, since there can be over ten thousand."""
    if seat not in awaited(s):
        return
    if s.trade:
        yield AcceptTrade()
        yield DeclineTrade()
        return
    yield from actions(s)
    yield from offers(s)


def actions(s: State) -> Iterator[Action]:
    """What the seat on turn can do, trades left out. FF-4: with the stones on its own anvils, whoever they came from."""
    forge = FORGES[s.turn]
    for at in forge:
        stones = s.anvils[at]
        if stones in FORGEABLE:
            yield FORGING[at]
        elif stones == SMELTABLE:
            yield SMELTING[at]
        for colour, handling in zip(stones, HANDLING[at], strict=True):
            if colour:
                yield from handling
    if s.mine is None:
        return
    if s.actions_left and s.mine != NONE:
        yield from (MINING[at] for at in forge if s.anvils[at] == NONE)
    if _cleared(s):
        yield DeclareEnd()
        if not s.actions_left:
            yield EndTurn()


def caretaker(s: State, seat: Seat) -> Action:
    """Nobody plays for a vacated seat, whose turns are skipped (FF-14); if it were awaited, this would be the first legal action."""
    return next(legal(s, seat))


def lapsed(s: State, seat: Seat) -> Action | None:
    """An answer that is not given in time is a no, and costs nobody the seat (FF-9)."""
    return DeclineTrade() if s.trade and SEATS[s.trade.partner] == seat else None


# Acting


def apply(s: State, _seat: Seat, action: Action) -> State:
    """The position after an action that is taken to be legal."""
    match action:
        case Move(start, to, stone):
            one = some(1, OF[stone])
            return _acted(s, _with(_with(s.anvils, AT[start], minus(s.anvils[AT[start]], one)), AT[to], plus(s.anvils[AT[to]], one)))
        case Break(anvil, stone):
            one, at = some(1, OF[stone]), AT[anvil]
            s = replace(s, bag=plus(s.bag, one), idle=0, progress=True)
            return _acted(s, _with(s.anvils, at, minus(s.anvils[at], one)))
        case Forge(anvil):
            colour = FORGEABLE[s.anvils[AT[anvil]]]
            return _acted(_kept(s, some(2, colour)), _with(s.anvils, AT[anvil], some(1, colour)))
        case Smelt(anvil):
            return _acted(_kept(s, SMELTABLE), _with(s.anvils, AT[anvil], NONE))
        case Mine(anvil):
            return replace(s, digging=AT[anvil], actions_left=s.actions_left - 1)
        case DeclareEnd():
            return _over(s, "declared")
        case EndTurn():
            return pass_on(s)
        case OfferTrade(start, give, to, take):
            return replace(s, offered=s.offered + 1, trade=Trade(AT[start], give.stones, AT[to], take.stones))
        case AcceptTrade():
            return _traded(s)
        case DeclineTrade():
            return replace(s, trade=None)
        case _:
            assert_never(action)


def _with(anvils: tuple[Stones, ...], at: Anvil, stones: Stones) -> tuple[Stones, ...]:
    return (*anvils[:at], stones, *anvils[at + 1 :])


def _kept(s: State, stones: Stones) -> State:
    """They go to the chest of the seat on turn, never to come back (FF-10)."""
    chests = tuple([plus(chest, stones) if place == s.turn else chest for place, chest in enumerate(s.chests)])
    return replace(s, chests=chests, idle=0, progress=True)


def _acted(s: State, anvils: tuple[Stones, ...]) -> State:
    return go_on(replace(s, anvils=anvils, actions_left=s.actions_left - 1))


def go_on(s: State) -> State:
    """What an action leads to: a turn ends by itself after its last one, but not with an empty forge.

    FF-6: without mining an empty forge ends the match at once. FF-8: with mining an empty mine must come to that while there are
    actions left; after the last one the seat says whether the match or only its turn is over.
    """
    if _cleared(s):
        if s.mine is None:
            return _over(s, "forge-empty")
        return _over(s, "no-legal-action") if s.actions_left and s.mine == NONE else s
    return s if s.actions_left else pass_on(s)


def _cleared(s: State) -> bool:
    """Whether the forge of the seat on turn is empty."""
    return s.anvils[4 * s.turn : 4 * s.turn + 4] == CLEARED


def _traded(s: State) -> State:
    """FF-9: the stones change anvils, and the turn of the seat that offered is over."""
    trade = s.trade
    assert trade is not None
    anvils = _with(s.anvils, trade.from_, plus(minus(s.anvils[trade.from_], trade.give), trade.take))
    anvils = _with(anvils, trade.to, plus(minus(anvils[trade.to], trade.take), trade.give))
    return pass_on(replace(s, anvils=anvils, trade=None))


# Turns and rounds


def pass_on(s: State) -> State:
    """The next seat's turn; those of vacated seats are skipped (FF-14)."""
    following = next((place for place in range(s.turn + 1, len(SEATS)) if place not in s.vacated), None)
    return _end_round(s) if following is None else _begin_turn(s, following)


def _end_round(s: State) -> State:
    """FF-13: in so many rounds nothing has come about; that goes before the round limit."""
    s = replace(s, idle=s.idle if s.progress else s.idle + 1)
    if s.idle == s.options.no_progress_rounds:
        return _over(s, "no-progress")
    if s.round == s.options.max_rounds:
        return _over(s, "round-limit")
    return first_turn(replace(s, round=s.round + 1, progress=False))


def first_turn(s: State) -> State:
    """The first turn of a round."""
    return _begin_turn(s, next((place for place in range(len(SEATS)) if place not in s.vacated), 0))


def _begin_turn(s: State, place: int) -> State:
    """FF-8: with an empty forge and an empty mine there is nothing to be done in it."""
    return go_on(replace(s, turn=place, actions_left=s.options.actions_per_turn, offered=0))


def vacate(s: State, seat: Seat) -> State:
    """FF-14: a seat that leaves in its turn has ended it. FF-9: an offer lapses with either side."""
    place = PLACE[seat]
    s = replace(s, vacated=(*s.vacated, place))
    if s.trade and place in (s.turn, s.trade.partner):
        s = replace(s, trade=None)
    if s.turn != place or chance_due(s) or s.reason not in (None, "no-legal-action"):
        return s
    # A player leaves with several seats one after the other: that such a seat could not act in between ends nothing.
    return pass_on(replace(s, reason=None))


# The end


def close(s: State, reason: str) -> State:
    """Over as it stands, whoever's turn it was; an offer that was pending has lapsed."""
    return replace(s, reason=reason, trade=None, digging=None, dealt=len(SEATS))


def _over(s: State, reason: str) -> State:
    return replace(s, reason=reason)


def standing(s: State) -> Standing:
    """FF-11: by stones in the chest; equal counts share the rank."""
    scores: dict[Seat, int] = dict(zip(SEATS, map(sum, s.chests), strict=True))
    return Standing(ranked(scores), scores)


def result(s: State) -> Result | None:
    """The standing, when it is over."""
    if s.reason is None:
        return None
    final = standing(s)
    return Result(final.ranks, final.scores, s.reason)
