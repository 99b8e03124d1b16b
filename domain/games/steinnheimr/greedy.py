"""The house bot `greedy`: takes the turn whose two actions together leave it best off, as it estimates a position."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Pick, Seat
from domain.games.steinnheimr.cards import UPGRADES
from domain.games.steinnheimr.choices import can_refresh, legal
from domain.games.steinnheimr.estimate import COIN, effect_worth, estimate, future
from domain.games.steinnheimr.goods import RESOURCES, Resource
from domain.games.steinnheimr.rules import apply
from domain.games.steinnheimr.state import Action, Discard, Refresh, State

LOOKED_INTO = 6  # first actions of a turn, the best as they stand, that are tried with every second one
EQUAL = 1e-9


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """The best action by estimate; equals are drawn by lot."""
    if s.step == "discard":
        return _least_missed(s)
    if _wants_refresh(s):
        return Refresh()
    after = [(action, _after(s, seat, action)) for action in legal(s, seat) if not isinstance(action, Refresh)]
    rated = [(estimate(t, s.turn), action, t) for action, t in after]
    if s.step == "place":
        rated.sort(key=lambda one: one[0], reverse=True)
        rated = [(_best_second(t, seat), action, t) for _, action, t in rated[:LOOKED_INTO]]
    most = max(worth for worth, _, _ in rated)
    best = [action for worth, action, _ in rated if worth >= most - EQUAL]
    return best[pick(len(best))]


def _best_second(s: State, seat: Seat) -> float:
    return max(estimate(_after(s, seat, action), s.turn) for action in legal(s, seat) if not isinstance(action, Refresh))


def _after(s: State, seat: Seat, action: Action) -> State:
    """The position after an action, with gaps where cards would be drawn."""
    t = apply(s, seat, action)
    return replace(t, due=()) if t.due else t


def _wants_refresh(s: State) -> bool:
    """With coins to spare for one of the new upgrades, and none shown that is worth its price."""
    me, turns = s.me, future(s)
    if not can_refresh(s) or me.coins < 7 or turns < 5:
        return False
    shown = [UPGRADES[card] for card in s.upgrades if card]
    return all(effect_worth(me, card.effect, turns) <= card.cost * COIN + 1 for card in shown)


def _least_missed(s: State) -> Discard:
    """One token after another, each the one that is missed least."""
    given = {"ore": dict[Resource, int](), "ingots": dict[Resource, int]()}
    for _ in range(s.me.excess):
        ways = []
        for form in given:
            for level, resource in enumerate(RESOURCES):
                stock = getattr(s.me, form)
                if stock[level]:
                    me = replace(s.me, **{form: (*stock[:level], stock[level] - 1, *stock[level + 1 :])})
                    t = replace(s, players=(*s.players[: s.turn], me, *s.players[s.turn + 1 :]))
                    ways.append((estimate(t, s.turn), form, resource, t))
        _, form, resource, s = max(ways, key=lambda way: way[0])
        given[form][resource] = given[form].get(resource, 0) + 1
    return Discard(**given)
