"""The rules against the page read a second time (`slow`), on thousands of positions of random matches."""

import json
from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.penny_ante import GAME
from domain.games.penny_ante.chessboard import SEATS
from domain.games.penny_ante.state import State, out_of_play, phase
from tests.games.penny_ante import slow
from tests.games.penny_ante.positions import crowded
from tests.games.walks import Walk, walk

MATCHES = range(240)
LISTED = 2_000  # longer lists are not made by the slow rules


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def matches() -> Iterator[tuple[Walk, Random]]:
    for seed in MATCHES:
        chance = Random(seed)
        yield walk(GAME, seed, chance.choice((25, 60, 120, 300))), chance


def small(s: State) -> bool:
    """Whether the slow rules can list what is legal in reasonable time."""
    return max(map(sum, s.pennies.values()), default=0) <= 14 and sum(1 for _ in islice(GAME.legal(s, s.turn), LISTED + 1)) <= LISTED


def test_the_legal_actions_are_those_of_the_page_in_its_order():
    compared = 0
    for match, chance in matches():
        for step in chance.sample(match.steps, min(6, len(match.steps))):
            if small(step.state):
                view, options = dict(GAME.view(step.state)), plain(match.options)
                assert [plain(action) for action in GAME.legal(step.state, step.state.turn)] == slow.legal(view, options)
                compared += 1
    assert compared > 1_000


def test_an_action_meets_no_objection_exactly_where_the_page_has_it():
    judged = [0, 0]
    for match, chance in matches():
        for step in chance.sample(match.steps, min(3, len(match.steps))):
            s = step.state
            if not small(s):
                continue
            legal = slow.legal(dict(GAME.view(s)), plain(match.options))
            for said in nearly(legal, [plain(action) for action in match.actions[-20:]], chance):
                try:
                    action = msgspec.convert(said, GAME.actions)
                except msgspec.ValidationError:
                    assert said not in legal
                    continue
                assert (GAME.objection(s, s.turn, action) is None) == (said in legal), said
                judged[said in legal] += 1
    assert min(judged) > 1_000, judged


def nearly(legal: list[dict[str, Any]], played: list[dict[str, Any]], chance: Random) -> Iterator[dict[str, Any]]:
    """Actions that are legal or only just not: with a part of another one, or a number or space a little off."""
    yield from played
    for _ in range(30):
        said = {**chance.choice(legal)}
        key = chance.choice([key for key in said if key != "type"])
        match chance.randrange(4):
            case 0:
                said[key] = chance.choice([other[key] for other in legal if key in other])
            case 1:
                said[key] = off(said[key], chance)
            case 2:
                del said[key]
            case 3:
                said = {**chance.choice(legal), **{key: value for key, value in said.items() if key in ("target", "remove", "arrange")}}
        yield said


def off(part: Any, chance: Random) -> Any:
    match part:
        case str():
            return chance.choice(slow.diagonal(part) + slow.orthogonal(part))
        case int():
            return part + chance.choice((-1, 1))
        case list():
            place = chance.randrange(len(part))
            return chance.choice([part[::-1], [*part, 1], part[1:], [*part[:place], part[place] + chance.choice((-1, 1)), *part[place + 1 :]]])


def test_every_position_is_the_one_that_the_page_leads_to():
    plies = 0
    for match, _ in matches():
        view, options = dict(GAME.view(match.steps[0].state)), plain(match.options)
        for ply, step in enumerate(match.steps, start=1):
            view = slow.after(view, options, ply, plain(step.event))
            assert view == GAME.view(GAME.apply(step.state, step.seat or "", step.event)), (ply, step.event)
            plies += 1
    assert plies > 10_000


def test_pennies_are_conserved_at_every_ply():
    for match, _ in matches():
        out = 0
        for step in match.steps:
            s, after = step.state, GAME.apply(step.state, step.seat or "", step.event)
            out += lost(s, step.event)
            assert out_of_play(after) == out
            assert after.pool + sum(after.to_place) + sum(map(sum, after.pennies.values())) + out == match.options.pennies
            assert 0 <= after.pool <= s.pool
            well_formed(after)


def lost(s: State, action: Any) -> int:
    """Pennies that the action takes out of play, counted from the board before it."""
    removed: dict[str, tuple[int, ...]] = {} if getattr(action, "remove", msgspec.UNSET) is msgspec.UNSET else {action.target: action.remove}
    dispersed = 0
    if type(action).__name__ == "Assault":
        for at in slow.orthogonal(action.to):
            taken = removed.get(at, (0,) * len(s.pennies.get(at, ())))
            left = [stack for stack, number in zip(s.pennies.get(at, ()), taken, strict=True) if stack > number]
            dispersed += len(left) if len(left) == 4 or at in s.fortresses else 0
    return sum(map(sum, removed.values())) + dispersed


def well_formed(s: State) -> None:
    assert len(set(s.fortresses)) == 4
    assert list(s.fortresses) == sorted(s.fortresses)
    for at, stacks in s.pennies.items():
        assert 1 <= len(stacks) <= (1 if at in s.fortresses else 4), at
        assert list(stacks) == sorted(stacks, reverse=True)
        assert all(1 <= stack <= 10 for stack in stacks)


def test_both_seats_alternate_once_all_pennies_are_placed():
    for match, _ in matches():
        for step in match.steps:
            after = GAME.apply(step.state, step.seat or "", step.event)
            if phase(step.state) == "play" and after.reason is None:
                assert after.turn == SEATS[1 - SEATS.index(step.state.turn)]


@pytest.mark.parametrize("seed", range(5))
def test_a_long_list_is_in_canonical_order_and_begins_at_once(seed: int):
    """Where four stacks of ten meet others, nobody can list what is legal; its beginning is right all the same."""
    s = crowded(Random(seed))
    view = GAME.view(s)
    for begun in (0, 10_000):
        listed = [plain(action) for action in islice(GAME.legal(s, s.turn), begun, begun + 2_000)]
        keys = [slow.order(action) for action in listed]
        assert all(one < next_ for one, next_ in pairwise(keys))
        assert all(GAME.objection(s, s.turn, msgspec.convert(action, GAME.actions)) is None for action in listed)
    assert view == GAME.view(s)
