"""Penny Ante at the table: how a match ends beside the board."""

from typing import Any

import pytest

from domain.match.commands import Actor, Answer, Hold, Offer, Resign, TimeOut
from domain.match.refusal import Refused
from tests.table import Table, creation

ANN, BEN = Actor("p-ann0000000", "api"), Actor("p-ben", "api")


def table(**settings: Any) -> Table:
    """Ann has dark and Ben has light; four plies are played."""
    seated = Table()
    seated.does(creation(Hold("p-ann0000000"), Hold("p-ben"), game="penny-ante", **settings))
    for line in ("place d4", "place d5", "place c3", "place c6"):
        seated.plays(line)
    return seated


def outcome(seated: Table) -> dict[str, Any]:
    assert seated.live.status == "over"
    assert seated.live.outcome is not None
    assert seated.replayed() == seated.live
    return seated.live.outcome


def test_an_agreed_end_is_a_draw():
    seated = table()
    seated.does(Offer(ANN))
    seated.does(Answer(BEN, 1, "accept"))
    assert outcome(seated) == {"ranks": {"dark": 1, "light": 1}, "scores": {"dark": 2, "light": 2}, "reason": "agreement"}


@pytest.mark.parametrize(("leaver", "ranks"), [(ANN, {"dark": 2, "light": 1}), (BEN, {"dark": 1, "light": 2})])
def test_who_resigns_loses_whatever_stands_on_the_board(leaver: Actor, ranks: dict[str, int]):
    seated = table()
    seated.does(Resign(leaver))
    assert outcome(seated) == {"ranks": ranks, "scores": {"dark": 2, "light": 2}, "reason": "resignation"}


def test_who_runs_out_of_time_loses():
    seated = table()
    seated.does(TimeOut(), after=seated.live.settings.clock.seconds * 1000 + 1)
    assert outcome(seated) == {"ranks": {"dark": 2, "light": 1}, "scores": {"dark": 2, "light": 2}, "reason": "timeout"}


def test_one_player_cannot_have_both_seats():
    with pytest.raises(Refused):
        Table().does(creation(Hold("p-ann0000000"), Hold("p-ann0000000"), game="penny-ante", several_seats=True))


def test_options_that_would_never_end_a_match_are_refused():
    refused = Table().refuses(
        creation(Hold("p-ann0000000"), Hold("p-ben"), game="penny-ante", options={"no_progress_limit": None, "max_plies": None})
    )
    assert "set one of them at least (PA-12)" in refused.words


def test_in_a_batch_all_ten_pennies_can_be_placed_at_once():
    seated = Table()
    seated.does(creation(Hold("p-ann0000000"), Hold("p-ben"), game="penny-ante", options={"placement": "batch"}))
    seated.plays("place d4; place c3; place c3; place c3; place c3; place b4; place b4; place f4; place f4; place e3")
    assert seated.live.asks[0].seat == "light"
    assert seated.live.ply == 10
