"""What happens by itself after a decision: draws, forced actions and caretakers' play, until somebody must decide or it is over."""

from __future__ import annotations

import msgspec

from domain.game import Action, Outcome, Seat
from domain.match.ending import closing, outcome
from domain.match.events import NATURE, ActionTaken, By, ChanceDrawn, Event, Via
from domain.match.match import Match, evolve
from domain.ports import Lot

PATIENCE = 100_000  # events; no game settles for so long, so a game that does has a bug and must not fill the log


def settle(match: Match, lot: Lot | None, now: int) -> list[Event]:
    """The events that follow by themselves; without a lot, those up to the first draw."""
    settled: list[Event] = []
    while len(settled) < PATIENCE:
        game, state = match.game, match.state
        if result := game.result(state):
            return settled + closing(match, outcome(match, result, result.reason), lot, now)
        if game.chance_due(state):
            if lot is None:
                return settled
            draws = lot.at(match.ply, match.draws, match.entropy)
            drawn = game.draw(state, draws)
            event = Event(now, NATURE, match.ply, _drawn(drawn, game.tell(drawn), match.draws))
        elif (step := automatic(match)) is not None:
            seat, action, via = step
            by = By("seat", seat, match.chair(seat).player or msgspec.UNSET, via)
            event = Event(now, by, match.ply + 1, ActionTaken(action, game.write(action), forced=True))
        else:
            return settled
        settled.append(event)
        match = evolve(match, event)
    raise RuntimeError(f"{match.game.id} does not come to rest in match {match.id}")


def automatic(match: Match) -> tuple[Seat, Action, Via] | None:
    """The next action that nobody chooses, if there is one: a caretaker's for a vacated seat, or the only one there is (FO-8)."""
    game, state = match.game, match.state
    for seat in game.awaited(state):
        if seat in match.vacated:
            return seat, game.caretaker(state, seat), "caretaker"
        legal = game.legal(state, seat)
        only = next(legal, None)
        if only is not None and next(legal, None) is None and (match.settings.auto_forced or game.automatic(only)):
            return seat, only, "server"
    return None


def _drawn(drawn: Outcome, text: str, index: int) -> ChanceDrawn:
    shape = msgspec.to_builtins(drawn)
    return ChanceDrawn(shape.pop("kind"), shape, text, index)
