"""Steinnheimr in a match: whole turns in one submission, what interrupts them, what the server and the caretaker do by themselves."""

from typing import Any

from msgspec.structs import replace

from domain.games.steinnheimr import GAME
from domain.match.commands import Actor, Resign, TakeBack
from domain.match.events import ActionTaken, ChanceDrawn, MatchCreated, MatchFinished
from tests.games.steinnheimr.positions import has
from tests.table import Table, creation, four


def seated(*names: str, **options: Any) -> Table:
    """A match that has begun: red is first, and all lots fall on the first candidate."""
    table = Table()
    table.does(creation(*four(*names), game="steinnheimr", options=options))
    assert table.live.status == "live"
    return table


def lines(facts: list[Any]) -> list[str]:
    return [fact.text for fact in facts if isinstance(fact, ActionTaken | ChanceDrawn)]


def rich(table: Table, goods: str) -> None:
    """Red has these goods, as a whole history would have brought them."""
    live = table.live
    table.match = replace(live, state=replace(live.state, players=(has(goods), *live.state.players[1:])))


def test_the_first_event_names_the_cards_by_their_hash_and_the_start_is_drawn():
    table = seated("ann", "bob")
    created = table.events[0].fact
    assert isinstance(created, MatchCreated)
    assert created.components is not None
    assert lines([event.fact for event in table.events]) == [
        *("* red begins", "* bonus-1 in play", "* bonus-2 in play"),
        *("* item-01 shown", "* item-02 shown", "* item-03 shown", "* item-04 shown"),
        *("* town-01 shown", "* town-02 shown", "* town-03 shown"),
        *("* upgrade-01 shown", "* upgrade-02 shown", "* upgrade-03 shown"),
    ]
    assert table.live.draws == 13


def test_a_whole_turn_can_be_submitted_at_once_and_taken_back():
    table = seated("ann", "bob", "cid")
    before = table.live.state
    assert lines(table.plays("place iron, mine; remove silver, mine")) == ["place iron, mine", "remove silver, mine"]
    assert [ask.seat for ask in table.live.asks] == ["blue"]
    table.does(TakeBack(Actor("p-ann0000000", "api"), "red"))
    assert table.live.state == before
    assert [ask.seat for ask in table.live.asks] == ["red"]


def test_a_card_that_is_drawn_interrupts_a_submission():
    table = seated("ann", "bob")
    rich(table, "2 iron ingots")
    refused = table.refuses(table.said("place anvil, craft item-01; remove silver, mine"))
    assert (refused.kind, refused.action) == ("interrupted", 1)
    assert lines(table.plays("place anvil, craft item-01")) == ["place anvil, craft item-01", "* item-05 shown"]
    assert lines(table.plays("remove silver, mine")) == ["remove silver, mine"]


def test_a_refresh_is_a_ply_of_its_own_and_brings_three_cards():
    table = seated("ann", "bob")
    assert lines(table.plays("refresh")) == ["refresh", "* upgrade-04 shown", "* upgrade-05 shown", "* upgrade-06 shown"]
    assert (table.live.ply, table.live.asks[0].seat) == (1, "red")


def test_a_discard_without_a_choice_is_made_by_the_server():
    table = seated("ann", "bob")
    rich(table, "7 iron ore")
    made = table.plays("place iron, mine; remove market, nothing")
    assert lines(made) == ["place iron, mine", "remove market, nothing", "discard 2 iron ore"]
    assert [fact.forced for fact in made] == [False, False, True]


def test_the_caretaker_moves_dwarves_for_who_has_left_and_the_others_play_on():
    table = seated("ann", "bob", "cid")
    made = table.does(Resign(Actor("p-ann0000000", "api")))
    assert lines(made) == ["place iron, nothing", "remove silver, nothing"]
    assert [ask.seat for ask in table.live.asks] == ["blue"]
    table.plays("place silver, mine; remove iron, mine")
    assert lines(table.plays("place gold, mine; remove market, nothing"))[2:] == ["place iron, nothing", "remove silver, nothing"]
    assert table.replayed() == table.live


def test_with_two_seats_the_other_one_wins_when_one_leaves():
    table = seated("ann", "bob")
    made = table.does(Resign(Actor("p-ann0000000", "api")))
    assert isinstance(made[1], MatchFinished)
    assert (made[1].outcome["ranks"], made[1].outcome["reason"]) == ({"red": 2, "blue": 1}, "resignation")
    assert GAME.text(table.live.state).startswith("Over after round 1 of 60: ")
