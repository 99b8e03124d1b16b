"""The composer: all actions to tick where they are few, word by word where they are many, and never a run through a long list."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from domain.game import Action, Seat
from domain.games import GAMES
from domain.match.match import Ask, Chair, Match
from domain.match.settings import Settings
from service.pages.playing.composer import Composer, compose, linked
from tests.games.penny_ante.positions import crowded


class Stack(Action, frozen=True, tag="stack"):
    """So many pennies from one place to another."""

    at: str
    to: str
    count: int


def stacked(lines: int, runs: list[int]) -> Match:
    """A match of a made-up game whose seat `dark` has so many actions; `runs` counts how many were listed."""

    def legal(_state: Any, seat: Seat) -> Iterator[Stack]:
        for number in range(lines if seat == "dark" else 0):
            runs.append(number)
            yield Stack(at="abcdefgh"[number % 8], to="12345678"[number // 8 % 8], count=1 + number // 64)

    def write(action: Stack) -> str:
        return f"take {action.at}{action.to} {action.count}" if action.count < 3 else f"fortify {action.at}{action.to} {action.count}"

    def read(_state: Any, line: str) -> Stack:
        word, place, count = line.split()
        if word not in ("take", "fortify"):
            raise ValueError(line)
        return Stack(place[0], place[1], int(count))

    def objection(_state: Any, _seat: Seat, action: Stack) -> str | None:
        return None if action in legal(None, "dark") else "no"

    game = replace(GAMES["fourfold"], legal=legal, write=write, read=read, objection=objection)
    ask = Ask("dark", 0, 1, 0, 1)
    return Match("00-0000000000", game, None, Settings(), ("dark",), (Chair("p-1"),), None, 0, 0, status="live", state=object(), asks=(ask,))


def replaced(match: Match, game: Any) -> Match:
    return msgspec.structs.replace(match, game=game)


def lines(composer: Composer) -> list[str]:
    return [choice.line for group in composer.groups for choice in group.choices]


def test_few_actions_are_all_shown():
    composer = compose(stacked(60, []), "dark")
    assert len(lines(composer)) == 60
    assert composer.steps == ()


def test_a_single_action_is_ticked_already():
    assert compose(stacked(1, []), "dark").chosen == "take a1 1"


def test_the_line_that_was_chosen_is_ticked():
    composer = compose(stacked(9, []), "dark", chosen="take b1 1")
    assert [choice.line for group in composer.groups for choice in group.choices if choice.chosen] == ["take b1 1"]
    assert compose(stacked(9, []), "dark", chosen="nonsense").chosen == ""


def test_a_long_list_is_composed_word_by_word():
    first = compose(stacked(200, []), "dark")
    assert first.groups == ()
    assert [(step.word, step.line, step.complete) for step in first.steps] == [("take", "take", False), ("fortify", "fortify", False)]
    second = compose(stacked(200, []), "dark", "fortify")
    assert [step.word for step in second.steps] == [f"{column}{row}" for row in "12345678" for column in "abcdefgh"]
    third = compose(stacked(200, []), "dark", "fortify  a1")
    assert [(step.word, step.line, step.complete) for step in third.steps] == [("3", "fortify a1 3", True), ("4", "fortify a1 4", True)]


def test_a_whole_line_can_be_played():
    composer = compose(stacked(200, []), "dark", "fortify a1 3")
    assert (composer.said, composer.complete, composer.steps) == ("fortify a1 3", True, ())


@pytest.mark.parametrize("said", ["castle", "take z9", "fortify a1 9", "take a1 1 1"])
def test_words_that_lead_nowhere_have_no_next(said: str):
    composer = compose(stacked(200, []), "dark", said)
    assert (composer.steps, composer.complete) == ((), False)


def test_no_more_words_than_a_page_can_bear():
    match = stacked(5_000, [])
    many = replace(match.game, words=lambda _state, _seat, _said: ((str(number), True) for number in range(10**9)))
    composer = compose(replaced(match, many), "dark")
    assert len(composer.steps) == 240
    assert composer.cut


def test_more_words_than_a_page_can_bear_are_said_part_by_part():
    numbers = [f"{one}.{two}.{three}" for one in range(11) for two in range(11) for three in range(11)]
    match = stacked(5_000, [])
    many = replace(match.game, words=lambda _state, _seat, said: ((number, True) for number in numbers if said == ("take",)))
    first = compose(replaced(match, many), "dark", "take")
    assert [(step.word, step.line, step.complete) for step in first.steps][:2] == [("0.", "take 0.", False), ("1.", "take 1.", False)]
    assert (len(first.steps), first.cut) == (11, False)
    second = compose(replaced(match, many), "dark", "take 10.")
    assert (second.said, second.complete, len(second.steps)) == ("take 10.", False, 121)
    assert (second.steps[-1].word, second.steps[-1].line, second.steps[-1].complete) == ("10.10.10", "take 10.10.10", True)


@pytest.mark.parametrize("seed", range(3))
def test_every_action_of_a_list_of_millions_is_found_by_its_words_and_their_parts(seed: int):
    chance = Random(seed)
    s = crowded(chance)
    match = msgspec.structs.replace(stacked(1, []), game=GAMES["penny-ante"], state=s)
    for _ in range(10):
        line = GAMES["penny-ante"].write(GAMES["penny-ante"].bots["random"](s, s.turn, chance.randrange))
        said = ""
        while said != line:
            composer = compose(match, s.turn, said)
            assert not composer.cut
            (said,) = (step.line for step in composer.steps if f"{line} ".startswith(step.line if step.line.endswith(".") else f"{step.line} "))
        assert compose(match, s.turn, said).complete


def test_a_long_list_is_never_run_through_to_tell_that_it_is_long():
    runs: list[int] = []
    match = stacked(10_000, runs)
    linked(match, "dark", 3)
    assert len(runs) == 41
    runs.clear()
    words = replace(match.game, words=lambda _state, _seat, _said: iter([("take", False)]))
    compose(replaced(match, words), "dark")
    assert len(runs) == 61


def test_a_link_names_its_action_by_its_place():
    match = stacked(40, [])
    assert linked(match, "dark", 1) == "take a1 1"
    assert linked(match, "dark", 40) == "take h5 1"
    assert [linked(match, "dark", wrong) for wrong in (0, 41, -1, 511)] == ["", "", "", ""]
    assert linked(stacked(41, []), "dark", 1) == ""


def test_actions_are_grouped_by_their_first_word_where_that_helps():
    match = stacked(150, [])
    few = replace(match.game, legal=lambda _s, _seat: iter([Stack("a", "1", 1), Stack("b", "1", 1), Stack("a", "1", 3), Stack("b", "1", 3)]))
    composer = compose(replaced(match, few), "dark")
    assert [(group.name, len(group.choices)) for group in composer.groups] == [("take", 2), ("fortify", 2)]
    alike = replace(match.game, legal=lambda _s, _seat: iter([Stack("a", "1", 1), Stack("b", "1", 1), Stack("a", "1", 3)]))
    assert [group.name for group in compose(replaced(match, alike), "dark").groups] == [""]
