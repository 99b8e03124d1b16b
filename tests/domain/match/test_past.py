"""Looking back: what stands, what is new to whom, which actions were the last."""

from __future__ import annotations

from domain.games.fourfold.state import Advance, Deploy
from domain.match.commands import Actor, TakeBack, TimeOut
from domain.match.past import chosen_by, last_actions, last_turn, others_actions, standing
from tests.table import LoadedLot, Table, creation, four

CY, BO = Actor("p-cy", "api"), Actor("p-bo", "api")


def table(*falls: int) -> Table:
    """Ann is north, Bo east, Cy south, Di west; seven events, the last of which draws the first team."""
    made = Table(LoadedLot(falls))
    made.does(creation(*four("ann", "bo", "cy", "di")))
    return made


def test_an_action_that_was_taken_back_does_not_stand():
    cy = table(2)
    cy.plays("deploy c1")
    cy.does(TakeBack(CY, "south"))
    assert standing(cy.events) == {}
    assert last_actions(cy.events) == ()
    cy.plays("deploy b1")
    assert standing(cy.events) == {1: 9}
    assert last_actions(cy.events) == (Deploy("b1"),)
    assert others_actions(cy.events, ("north",)) == (Deploy("b1"),)


def test_the_last_actions_are_those_of_the_seat_that_acted_last():
    made = table(2, 1)
    made.plays("deploy c1; S1>c2")
    assert last_actions(made.events) == (Deploy("c1"), Advance("S1", "c2"))
    made.plays("deploy e3")
    assert last_actions(made.events) == (Deploy("e3"),)


def test_of_many_actions_in_a_row_the_newest_three_are_marked():
    made = table(2, 2)
    made.plays("deploy c1; S1>c2")
    made.plays("deploy c1; S2>d2")
    assert last_actions(made.events) == (Advance("S1", "c2"), Deploy("c1"), Advance("S2", "d2"))


def test_news_begin_with_the_last_action_that_a_seat_chose():
    made = table(2, 1)
    assert last_turn(made.events, ("south",)) == 0
    made.plays("deploy c1; S1>c2")
    made.plays("deploy e3")
    assert last_turn(made.events, ("south",)) == 8
    assert last_turn(made.events, ("south", "east")) == 10
    assert others_actions(made.events, ("south",)) == (Deploy("e3"),)
    assert others_actions(made.events, ("north",)) == (Deploy("c1"), Advance("S1", "c2"), Deploy("e3"))


def test_what_a_caretaker_plays_nobody_chose():
    made = table(2)
    made.does(TimeOut(), after=3 * 86_400_000 + 1)
    played = [event for event in made.events if event.by.seat == "south"]
    assert played
    assert not any(chosen_by(event, ("south",)) for event in played)
