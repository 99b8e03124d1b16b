"""The house bot `random`: any action, and now and then a trade, without listing the many that there are."""

from __future__ import annotations

from itertools import islice

from domain.game import Pick, Seat
from domain.games.four_forges.rules import actions, legal
from domain.games.four_forges.state import Action, State
from domain.games.four_forges.trading import givers, some_offer


def whim(s: State, seat: Seat, pick: Pick) -> Action:
    """One of the legal actions; all trades together count as one, or there would be hardly anything but trades."""
    possible = list(islice(legal(s, seat), 2)) if s.trade else list(actions(s))
    trades = 1 if not s.trade and givers(s) else 0
    picked = pick(len(possible) + trades)
    return possible[picked] if picked < len(possible) else some_offer(s, pick)
