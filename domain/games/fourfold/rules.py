"""The rules of Fourfold, paragraph by paragraph: the opening, moving, scoring, the turn, stalemate and replacement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from domain.game import Pick, Result, Seat, Standing, ranked
from domain.games.fourfold.court import SEATS, SIDES, TEAM, Cell
from domain.games.fourfold.state import Action, Advance, Deploy, Due, Options, Pass, Runner, State, Team


def setup(options: Options, _seats: tuple[Seat, ...]) -> State:
    """An empty court, and a team to be drawn."""
    return State(options)


# Who is to act


def awaited(s: State) -> tuple[Seat, ...]:
    """At any moment one seat, either deploying or moving one named runner."""
    return (s.due.seat,) if s.due else ()


def chance_due(s: State) -> bool:
    """A team is to be drawn."""
    return s.due is None and s.reason is None


def possible(s: State) -> tuple[Cell, ...]:
    """The free cells that the seat due can deploy to, or its runner move to, in canonical order."""
    if s.due is None:
        return ()
    if s.due.runner is None:
        return _free(s, SIDES[s.due.seat].start)
    return _free(s, SIDES[s.due.seat].ahead[s.cells[s.order.index(s.due.runner)]])  # FO-2


def legal(s: State, seat: Seat) -> Iterator[Action]:
    """What the seat can do now; a runner that can move must, one that cannot passes (FO-2, FO-7)."""
    if s.due is None or s.due.seat != seat:
        return
    cells, runner = possible(s), s.due.runner
    if runner is None:
        yield from map(Deploy, cells)
    elif cells:
        for to in cells:
            yield Advance(runner, to)
    else:
        yield Pass(runner)


def caretaker(s: State, seat: Seat) -> Action:
    """For a vacated seat: the first legal action."""
    return next(legal(s, seat))


def automatic(action: Action) -> bool:
    """Passing is never asked for (FO-8)."""
    return isinstance(action, Pass)


# Chance: which team deploys


def draw(s: State, pick: Pick) -> Team:
    """In the opening one of the teams that have room (FO-1), for a replacement one of all four, room or not (FO-6)."""
    if s.phase == "opening":
        teams = tuple(seat for seat in SEATS if _free(s, SIDES[seat].start))
        return Team(seat=teams[pick(len(teams))], for_="opening")  # type: ignore[arg-type]  # SEATS are the SeatNames
    seat = SEATS[pick(len(SEATS))]
    return Team(seat=seat, for_="replacement", blocked=not _free(s, SIDES[seat].start))  # type: ignore[arg-type]


def apply_chance(s: State, outcome: Team) -> State:
    """The drawn team deploys; blocked, it passes and there is no replacement (FO-6)."""
    return _go_on(s) if outcome.blocked is True else replace(s, due=Due(outcome.seat))


# Deploying, moving, passing


def apply(s: State, seat: Seat, action: Action) -> State:
    """The position after an action that is taken to be legal."""
    match action:
        case Deploy(at):
            return _deploy(s, seat, at)
        case Advance(runner, to):
            return _advance(s, seat, runner, to)
        case Pass():
            return _go_on(s)
        case _:
            assert_never(action)


def _deploy(s: State, seat: Seat, at: Cell) -> State:
    """A new runner, the last in the order of appearance, makes its first move at once (FO-1, FO-6)."""
    deployed = _one_more(s.deployed, seat)
    runner = f"{SIDES[seat].initial}{deployed[SEATS.index(seat)]}"
    return replace(s, order=(*s.order, runner), cells=(*s.cells, at), deployed=deployed, due=Due(seat, runner, first=True))


def _advance(s: State, seat: Seat, runner: Runner, to: Cell) -> State:
    """One step; on the destination file it is a goal."""
    at = s.order.index(runner)
    moved = s.moved or (s.due is not None and not s.due.first)  # FO-4: a first move is no move of this turn
    if to in SIDES[seat].destination:
        return _score(_evaporate(replace(s, moved=moved), at), seat)
    return _go_on(replace(s, cells=(*s.cells[:at], to, *s.cells[at + 1 :]), moved=moved))


def _score(s: State, seat: Seat) -> State:
    """FO-3: a goal; the last one that is needed ends the match there, any other brings a replacement."""
    s = replace(s, goals=_one_more(s.goals, seat))
    if s.goals[SEATS.index(seat)] == s.options.goals_to_win:
        return replace(s, phase="over", waiting=(), reason="goals")
    return s


def _evaporate(s: State, at: int) -> State:
    """The runner is gone, and a team is to be drawn for a replacement (FO-6)."""
    return replace(s, order=s.order[:at] + s.order[at + 1 :], cells=s.cells[:at] + s.cells[at + 1 :], due=None)


# The opening and the turns


def _go_on(s: State) -> State:
    """What comes when a runner has moved or passed, or when there is no replacement."""
    if s.waiting:
        return _call(s, s.waiting)
    if s.phase == "opening":
        return replace(s, due=None) if len(s.order) < s.options.max_runners else _begin_turn(s)  # FO-1
    return _end_turn(s)


def _begin_turn(s: State) -> State:
    """FO-4: every runner on the court is due once, in order of appearance."""
    return _call(replace(s, phase="play", turn=s.turn + 1, moved=False), s.order)


def _call(s: State, runners: tuple[Runner, ...]) -> State:
    """The first of them is due, the others wait."""
    return replace(s, due=Due(TEAM[runners[0][0]].seat, runners[0]), waiting=runners[1:])


def _end_turn(s: State) -> State:
    """FO-11: the limit of turns comes before a stalemate. FO-5: nobody moved, so the runner longest on the court is evaporated.

    Where the turn ends with a replacement, or with none for want of room, a runner was evaporated in it: by a goal, which
    was a move, or by this turn's stalemate, which is not declared twice (FO-6).
    """
    if s.turn == s.options.max_turns:
        return replace(s, phase="over", due=None, reason="turn-limit")
    if not s.moved and s.due is not None and not s.due.first:
        return _evaporate(s, 0)
    return _begin_turn(s)


# The end


def standing(s: State) -> Standing:
    """FO-9: by goals; equal goals share the rank."""
    scores = dict(zip(SEATS, s.goals, strict=True))
    return Standing(ranked(scores), scores)


def result(s: State) -> Result | None:
    """The seat with `goals_to_win` is alone at rank 1 (FO-9)."""
    if s.reason is None:
        return None
    final = standing(s)
    return Result(final.ranks, final.scores, s.reason)


def close(s: State, reason: str) -> State:
    """Over as it stands; who is on the court stays there."""
    return replace(s, phase="over", due=None, waiting=(), reason=reason)


def vacate(s: State, _seat: Seat) -> State:
    """The runners of a seat that has left run on: the caretaker plays them, and the position need not know."""
    return s


def _free(s: State, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple([cell for cell in cells if cell not in s.cells])


def _one_more(counts: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    return tuple([count + (other == seat) for other, count in zip(SEATS, counts, strict=True)])
