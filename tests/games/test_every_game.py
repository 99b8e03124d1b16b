"""What every game promises, tried on random matches of every game there is: a new game is tested here unasked."""

import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game import Unreadable
from domain.games import GAMES
from domain.picture import BY_PLACE, Look
from tests.games.walks import LISTED, AnyGame, Walk, after, as_json, listed, some_action, step_in, walk

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(0, 250)
LONGEST = 20_000  # steps in which a random match has ended


def one_thing_is_due(game: AnyGame, state: Any) -> bool:
    """Somebody is awaited, or chance is, or it is over: exactly one of the three."""
    return bool(game.awaited(state)) + game.chance_due(state) + (game.result(state) is not None) == 1


@every_game
def test_a_game_introduces_itself(game: AnyGame):
    assert GAMES[game.id] is game
    assert game.id == game.id.lower().replace(" ", "-")
    assert game.title
    assert game.edition >= 1
    assert game.guide.startswith("# ")
    assert len(set(game.seats)) == len(game.seats)
    assert game.sizes
    assert set(game.sizes) <= set(range(2, len(game.seats) + 1))
    assert msgspec.json.schema(game.options)["$defs"]
    assert msgspec.json.schema(game.actions)
    assert all(game.unfit(game.options(), game.seats[:size]) is None for size in game.sizes)
    json.dumps(dict(game.components))


@every_game
def test_every_seat_has_a_paint_of_its_own(game: AnyGame):
    assert len(game.paints) >= len(game.seats)
    for ground in ("light", "dark"):
        assert len({getattr(paint, ground) for paint in game.paints}) == len(game.paints)


@every_game
@settings(max_examples=10)
@given(seed=seeds, length=lengths)
def test_the_board_paints_seats_as_the_look_says_and_in_no_colour_of_its_own(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    elsewhere = msgspec.structs.replace(game.look, seats=("#00a001", "#00a002", "#00a003", "#00a004"), on_seat="#00a005")
    drawn = game.svg(match.end, elsewhere, None, ())
    assert [paint for paint in (*game.look.seats, *(paint.dark for paint in game.paints)) if paint in drawn] == []
    if game.paints is not BY_PLACE:  # a game that names its seats by colours paints each of them at any time
        assert all(elsewhere.seats[place] in drawn for place in range(len(match.seats)))


@every_game
@settings(max_examples=15)
@given(seed=seeds)
def test_a_random_match_ends_and_at_every_moment_exactly_one_thing_is_due(game: AnyGame, seed: int):
    match = walk(game, seed, LONGEST)
    assert all(one_thing_is_due(game, state) for state in [*(step.state for step in match.steps), match.end])
    assert all(set(game.awaited(step.state)) <= set(match.seats) for step in match.steps)
    result = game.result(match.end)
    assert result is not None, f"not over after {LONGEST} steps"
    assert result.reason
    assert list(result.ranks) == list(result.scores) == list(match.seats)


@every_game
@given(seed=seeds, length=lengths)
def test_a_rank_is_one_more_than_the_seats_ahead(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    for outcome in filter(None, (game.standing(match.end), game.result(match.end))):
        ranks = list(outcome.ranks.values())
        assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
        assert all(type(score) is int for score in outcome.scores.values())


@every_game
@given(seed=seeds, length=lengths)
def test_legal_actions_are_listed_once_and_in_the_same_order_each_time(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    for seat in match.seats:
        legal = listed(game, match.end, seat)
        assert legal == listed(game, match.end, seat)
        assert len(set(map(as_json, legal))) == len(legal)
        assert bool(legal) == (seat in game.awaited(match.end))


@every_game
@given(seed=seeds, length=lengths)
def test_the_legal_actions_of_one_type_are_those_of_the_whole_list(game: AnyGame, seed: int, length: int):
    if game.legal_of is None:
        return
    state = walk(game, seed, length).end
    for seat in game.seats:
        legal = listed(game, state, seat)
        for kind in {str(type(action).__struct_config__.tag) for action in legal} | {"pass"}:
            of_it = [action for action in legal if type(action).__struct_config__.tag == kind]
            alone = list(islice(game.legal_of(state, seat, kind), len(of_it) + 1))
            assert alone[: len(of_it)] == of_it
            assert len(alone) == len(of_it) or len(legal) == LISTED


@every_game
@given(seed=seeds, length=lengths)
def test_what_is_legal_meets_no_objection_and_everything_else_does(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    for seat in game.awaited(match.end):
        legal = listed(game, match.end, seat)
        assert [game.objection(match.end, seat, action) for action in legal] == [None] * len(legal)
        for action in variations(match, legal, Random(seed)):
            words = game.objection(match.end, seat, action)
            if words is not None:
                assert len(words) > 10
                assert action not in legal
            elif len(legal) < LISTED:
                assert action in legal
            else:  # too many to look it up: it must at least be playable
                assert one_thing_is_due(game, game.apply(match.end, seat, action))


def variations(match: Walk, legal: list[Any], chance: Random) -> Iterator[Any]:
    """Actions of the right shape that may or may not be legal: earlier ones, and ones put together from parts of several."""
    pool = [*chance.sample(legal, min(len(legal), 20)), *match.actions[-20:]]
    yield from match.actions[-20:]
    parts = [msgspec.to_builtins(action) for action in pool]
    for _ in range(30):
        made, other = dict(chance.choice(parts)), chance.choice(parts)
        for key in chance.sample(list(made), chance.randint(1, len(made))):
            made[key] = varied(other.get(key, made[key]), chance)
        try:
            yield msgspec.convert(made, match.game.actions)
        except msgspec.ValidationError:
            continue


def varied(part: Any, chance: Random) -> Any:
    """A part of an action, now and then a little different."""
    if isinstance(part, dict) and part:
        key = chance.choice(list(part))
        return {**part, key: varied(part[key], chance)}
    if isinstance(part, list) and part:
        place = chance.randrange(len(part))
        return chance.choice([part[::-1], part[1:], [*part, part[-1]], [*part[:place], varied(part[place], chance), *part[place + 1 :]]])
    return part + chance.choice([-1, 0, 1]) if type(part) is int else part


@every_game
@given(seed=seeds, length=lengths)
def test_nobody_acts_out_of_turn_nor_while_chance_is_due_nor_after_the_end(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    tried = match.actions[-5:] + tuple(action for seat in game.awaited(match.end) for action in listed(game, match.end, seat)[:5])
    for seat in set(match.seats) - set(game.awaited(match.end)):
        assert all(game.objection(match.end, seat, action) for action in tried)


@every_game
@given(seed=seeds, length=lengths)
def test_the_line_of_an_action_is_read_as_that_action(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    for seat in game.awaited(match.end):
        legal = listed(game, match.end, seat)
        lines = [game.write(action) for action in legal]
        assert len(set(lines)) == len(lines)
        assert all(line == " ".join(line.split()) and line.isprintable() and ";" not in line for line in lines)
        assert [game.read(match.end, line) for line in lines] == legal
        for sloppy in (str.lower, str.upper, lambda line: f"  {line.replace(' ', '   ')} "):
            assert [game.read(match.end, sloppy(line)) for line in lines] == legal


@every_game
@given(seed=seeds, length=st.integers(0, 40), line=st.text(max_size=60), cut=st.integers(0, 12))
def test_a_line_that_is_no_action_is_called_unreadable_and_nothing_worse(game: AnyGame, seed: int, length: int, line: str, cut: int):
    match = walk(game, seed, length)
    for tried in (line, *(game.write(action)[cut:] + line for action in match.actions[-1:])):
        read = read_or_told(game, match.end, tried)
        if isinstance(read, str):
            assert len(read) > 10
        else:
            assert game.read(match.end, game.write(read)) == read


def read_or_told(game: AnyGame, state: Any, line: str) -> Any:
    """The action of a line, or why there is none."""
    try:
        return game.read(state, line)
    except Unreadable as unreadable:
        return str(unreadable)


@every_game
@given(seed=seeds, length=lengths)
def test_actions_and_outcomes_are_read_from_json_as_they_were_written_and_strictly(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    assert msgspec.json.decode(msgspec.json.encode(match.options), type=game.options) == match.options
    for step in match.steps:
        kind = game.actions if step.seat else game.outcomes
        assert msgspec.json.decode(as_json(step.event), type=kind) == step.event
    for step in match.steps[-10:]:
        kind, plain = (game.actions if step.seat else game.outcomes), msgspec.to_builtins(step.event)
        for spoilt in spoilings(plain):
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert(spoilt, kind)


def spoilings(plain: dict[str, Any]) -> Iterator[Any]:
    """The same JSON with one thing wrong with it."""
    tag = next(iter(plain))
    yield {**plain, "extra": 1}
    if tag == "type":  # a chance outcome's `kind` stands beside it in the log, so that it may do without
        yield {key: value for key, value in plain.items() if key != tag}
    yield {**plain, tag: plain[tag].upper()}
    yield {**{key: value for key, value in plain.items() if key != tag}, tag.upper(): plain[tag]}
    yield [plain]
    for key, value in plain.items():
        yield from ({**plain, key: spoilt} for spoilt in spoilt_parts(value))


def spoilt_parts(value: Any) -> Iterator[Any]:
    """The value with one of its numbers as another type of JSON, or one of its words with a line break behind it."""
    if type(value) is int:
        yield from (float(value), str(value), bool(value))
    elif isinstance(value, str):
        yield f"{value}\n"
    elif isinstance(value, list):
        yield from ([*value[:place], spoilt, *value[place + 1 :]] for place, part in enumerate(value) for spoilt in spoilt_parts(part))
    elif isinstance(value, dict):
        yield from ({**value, key: spoilt} for key, part in value.items() for spoilt in spoilt_parts(part))


@every_game
@given(seed=seeds, length=lengths)
def test_a_match_replays_from_its_log_to_the_same_positions(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    state = game.setup(msgspec.json.decode(msgspec.json.encode(match.options), type=game.options), match.seats)
    for step in match.steps:
        assert state == step.state
        event = msgspec.json.decode(as_json(step.event), type=game.actions if step.seat else game.outcomes)
        state = game.apply(state, step.seat, event) if step.seat else game.apply_chance(state, event)
    assert state == match.end


@every_game
@given(seed=seeds, length=lengths)
def test_a_position_is_never_changed(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    before = [msgspec.json.encode(game.view(step.state)) for step in match.steps]
    for step in match.steps:
        after(game, step)
    assert [msgspec.json.encode(game.view(step.state)) for step in match.steps] == before
    with pytest.raises(AttributeError):
        setattr(match.end, type(match.end).__struct_fields__[0], None)


@every_game
@given(seed=seeds, length=lengths)
def test_a_view_is_plain_json(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    view = game.view(match.end)
    assert json.loads(json.dumps(view)) == view == game.view(match.end)
    assert all(type(number) is not float for number in numbers(view))


def numbers(value: Any) -> Iterator[Any]:
    """All numbers in a piece of JSON."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers(part)
    elif isinstance(value, int | float):
        yield value


@every_game
@given(seed=seeds, length=lengths)
def test_lots_are_drawn_from_candidates_and_told_in_one_line(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    for step in match.steps:
        if step.seat is None:
            assert game.tell(step.event).startswith("* ")
            assert game.tell(step.event).isprintable()
            for pick in (lambda _n: 0, lambda n: n - 1):
                asked: list[int] = []
                drawn = game.draw(step.state, lambda n, pick=pick, asked=asked: asked.append(n) or pick(n))
                assert drawn == game.draw(step.state, pick)
                assert game.draws(drawn) == len(asked)
                assert min(asked) >= 1
                assert one_thing_is_due(game, game.apply_chance(step.state, drawn))


@every_game
@settings(max_examples=40)
@given(seed=seeds, length=lengths)
def test_the_board_is_drawn_for_every_seat(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    last = match.actions[-2:]
    for seat in (None, *match.seats):
        picture = game.svg(match.end, Look(), seat, last)
        root = ET.fromstring(picture)  # noqa: S314 - our own picture
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.findtext("{http://www.w3.org/2000/svg}title")
        assert picture == game.svg(match.end, Look(), seat, last)
        assert picture != game.svg(match.end, Look(labels=False), seat, last)
        assert not last or picture != game.svg(match.end, Look(), seat, ())


@every_game
@given(seed=seeds, length=lengths)
def test_the_board_as_text_is_a_page_of_printable_lines(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    lines = game.text(match.end).splitlines()
    assert len(lines) > 5
    assert all(line.replace("\u3000", " ").isprintable() for line in lines)
    assert all(seat in game.text(match.end).casefold() for seat in match.seats)


@every_game
@settings(max_examples=25)
@given(seed=seeds, length=lengths)
def test_the_match_goes_on_to_its_end_without_the_seats_that_have_left(game: AnyGame, seed: int, length: int):
    chance = Random(seed)
    match = walk(game, seed, length)
    if len(match.seats) < 3 or game.result(match.end):
        return  # with two seats the other one wins, and the rules are not asked
    gone = set(chance.sample(match.seats, chance.randint(1, len(match.seats) - 2)))
    state = match.end
    for seat in match.seats:
        state = game.vacate(state, seat) if seat in gone else state
    for _ in range(LONGEST):
        assert one_thing_is_due(game, state)
        if game.result(state):
            return
        left = [seat for seat in game.awaited(state) if seat in gone]
        if left:
            action = game.caretaker(state, left[0])
            assert game.objection(state, left[0], action) is None
            state = game.apply(state, left[0], action)
        else:
            state = after(game, step_in(game, state, chance))
    pytest.fail(f"not over after {LONGEST} steps")


@every_game
@settings(max_examples=25)
@given(seed=seeds, length=lengths)
def test_house_bots_and_lapsed_time_play_by_the_rules(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    for seat in game.awaited(match.end):
        chosen = [bot(match.end, seat, Random(seed).randrange) for bot in game.bots.values()]
        if lapsed := game.lapsed(match.end, seat):
            chosen.append(lapsed)
        assert [game.objection(match.end, seat, action) for action in chosen] == [None] * len(chosen)


@every_game
@settings(max_examples=40)
@given(seed=seeds, length=lengths)
def test_a_line_can_be_put_together_word_by_word(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    if game.words is None:
        return  # then the words are found in the list of legal actions
    for seat in game.awaited(match.end):
        words = game.write(some_action(game, match.end, seat, Random(seed))).split()
        for said in range(len(words)):
            following = dict(game.words(match.end, seat, tuple(words[:said])))
            assert words[said] in following
        assert following[words[-1]]


@every_game
@given(seed=seeds, length=lengths)
def test_a_match_that_is_ended_from_outside_the_rules_is_over_as_it_stands(game: AnyGame, seed: int, length: int):
    match = walk(game, seed, length)
    if game.result(match.end) is not None:
        return
    closed = game.close(match.end, "agreement")
    assert one_thing_is_due(game, closed)
    result = game.result(closed)
    assert result is not None
    assert result.reason == "agreement"
    assert (result.ranks, result.scores) == (game.standing(match.end).ranks, game.standing(match.end).scores)
    assert not any(game.awaited(closed))
    json.dumps(game.view(closed))
    assert game.text(closed)
    ET.fromstring(game.svg(closed, Look(), None, ()))  # noqa: S314 - our own drawing
