"""The rules of Penny Ante as what becomes of a position: placing, bombarding, fortifying, reinforcing, moving fortresses, and the end."""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias, assert_never

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.game import Result, Seat, Standing, ranked
from domain.games.penny_ante.chessboard import COLOUR, ORTHOGONAL, OTHER, SEATS, SeatName, Space
from domain.games.penny_ante.stacks import Stacks, dispersed, reinforced, without
from domain.games.penny_ante.state import (
    PLACED,
    Action,
    Assault,
    Bombard,
    Capture,
    Fortify,
    FortressBombard,
    Options,
    Place,
    Reinforce,
    State,
)

Board: TypeAlias = dict[Space, Stacks]  # a position's pennies, copied to be changed


def setup(options: Options, _seats: tuple[Seat, ...]) -> State:
    """Fortresses in the centre, ten pennies in each hand, the others in the pool."""
    return State(options, options.pennies - 2 * PLACED)


def unfit(options: Options, _seats: tuple[Seat, ...]) -> str | None:
    """A match must end."""
    if options.no_progress_limit is None and options.max_plies is None:
        return "`no_progress_limit` and `max_plies` cannot both be none: a match might never end, so set one of them at least (PA-12)"
    return None


def awaited(s: State) -> tuple[Seat, ...]:
    """One seat at any moment until it is over: a seat always has a legal action (PA-13)."""
    return () if s.reason else (s.turn,)


# Chance has no part in it


def chance_due(_s: State) -> bool:
    """Never."""
    return False


def no_chance(*_asked: Any) -> NoReturn:
    """Nothing can be drawn, told or applied."""
    raise LookupError("nothing in Penny Ante is left to chance")


# What an action does


def apply(s: State, seat: Seat, action: Action) -> State:
    """The position after an action that is taken to be legal."""
    if isinstance(action, Place):
        return _place(s, seat, action.at)
    board = dict(s.pennies)
    match action:
        case Bombard(from_, take, to, arrange, target, remove):
            guard = (sum(board.get(to, ())) + sum(take),)
            _put(board, from_, without(board[from_], take))
            _put(board, to, guard if arrange is UNSET else arrange)  # PA-5
            return _after(s, board, progress=_remove(board, target, remove))
        case FortressBombard(from_, guards, to, target, remove):
            _march(board, from_, guards, to)
            return _after(s, board, fortresses=_moved(s.fortresses, from_, to), progress=_remove(board, target, remove))
        case Fortify(at, stacks):
            _put(board, at, stacks)
            return _after(s, board, progress=False)
        case Reinforce(at):
            return _reinforce(s, board, at)
        case Assault(from_, guards, to, target, remove):
            _march(board, from_, guards, to)
            fortresses = _moved(s.fortresses, from_, to)
            removed = _remove(board, target, remove)
            return _after(s, board, fortresses=fortresses, progress=_disperse(board, fortresses, to) or removed)
        case Capture(from_, guards, to, fortress, put):
            _march(board, from_, guards, to)
            _put(board, put, (sum(board.get(put, ())),))
            return _after(s, board, fortresses=_moved(_moved(s.fortresses, from_, to), fortress, put), progress=True)
        case _:
            assert_never(action)


def _place(s: State, seat: Seat, at: Space) -> State:
    """PA-2, one penny each in turn or all ten at once; dark makes the first move of the play (PA-1)."""
    dark, light = s.to_place
    to_place = (dark - 1, light) if seat == "dark" else (dark, light - 1)
    stays = s.options.placement == "batch" and to_place[SEATS.index(s.turn)]
    pennies = {**s.pennies, at: (*s.pennies.get(at, ()), 1)}
    return replace(s, pennies=pennies, to_place=to_place, turn=s.turn if stays else OTHER[seat], ply=s.ply + 1)


def _reinforce(s: State, board: Board, at: Space) -> State:
    """A penny for every stack; an unguarded fortress counts as a stack of none (PA-8)."""
    before = board.get(at, (0,))
    after = reinforced(before, s.pool)
    _put(board, at, after)
    return _after(s, board, pool=s.pool - sum(after) + sum(before), progress=True)


def _put(board: Board, at: Space, stacks: Stacks) -> None:
    """These stacks stand there now, and nothing where there is no penny."""
    if any(stacks):
        board[at] = stacks
    else:
        board.pop(at, None)


def _march(board: Board, from_: Space, guards: int, to: Space) -> None:
    """A fortress's guards: some come along, the others stay as an ordinary stack; pennies where it ends join the guard (PA-9)."""
    left = sum(board.get(from_, ())) - guards
    _put(board, from_, (left,))
    _put(board, to, (guards + sum(board.get(to, ())),))


def _moved(fortresses: tuple[Space, ...], from_: Space, to: Space) -> tuple[Space, ...]:
    return tuple(sorted([to if at == from_ else at for at in fortresses]))


def _remove(board: Board, target: Space | UnsetType, remove: Stacks | UnsetType) -> bool:
    """Pennies that a bombardment takes out of play (PA-6); whether there were any."""
    if target is UNSET or remove is UNSET:
        return False
    _put(board, target, without(board[target], remove))
    return True


def _disperse(board: Board, fortresses: tuple[Space, ...], around: Space) -> bool:
    """Every space beside this one that holds pennies: they are the opponent's (PA-9, PA-10); whether any left play."""
    left_play = False
    for at in ORTHOGONAL[around]:
        if before := board.get(at):
            after = dispersed(before, guard=at in fortresses)
            left_play = left_play or sum(after) < sum(before)
            _put(board, at, after)
    return left_play


# The end


def _after(s: State, board: Board, *, progress: bool, fortresses: tuple[Space, ...] | None = None, pool: int | None = None) -> State:
    """The other seat's turn, unless it is over: by the fortresses (PA-13), else for want of progress (PA-12), else by the limit of plies."""
    ply, idle = s.ply + 1, 0 if progress else s.idle + 1
    fortresses = s.fortresses if fortresses is None else fortresses
    reason: str | None = None
    if held(fortresses, s.turn) == len(fortresses):
        reason = "fortresses"
    elif s.options.no_progress_limit is not None and idle >= s.options.no_progress_limit:
        reason = "no-progress"
    elif s.options.max_plies is not None and ply >= s.options.max_plies:
        reason = "ply-limit"
    return State(s.options, s.pool if pool is None else pool, OTHER[s.turn], board, fortresses, s.to_place, ply, idle, reason)


def held(fortresses: tuple[Space, ...], seat: SeatName) -> int:
    """How many of the fortresses stand on the seat's colour."""
    return sum([COLOUR[at] == seat for at in fortresses])


def standing(s: State) -> Standing:
    """An agreed end is a draw; scores are the fortresses held."""
    scores = _scores(s)
    return Standing(dict.fromkeys(scores, 1), scores)


def result(s: State) -> Result | None:
    """All four fortresses win; a draw shares rank 1 (PA-13)."""
    if s.reason is None:
        return None
    scores = _scores(s)
    return Result(ranked(scores) if s.reason == "fortresses" else dict.fromkeys(scores, 1), scores, s.reason)


def _scores(s: State) -> dict[Seat, int]:
    return {seat: held(s.fortresses, seat) for seat in SEATS}


def close(s: State, reason: str) -> State:
    """Over as it stands, all pennies where they are."""
    return replace(s, reason=reason)


def vacate(s: State, _seat: Seat) -> State:
    """The match is over then, and the position stays as it is."""
    return s
