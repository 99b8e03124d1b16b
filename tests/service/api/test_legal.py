"""What a seat may do, listed page by page or found word by word."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.game import Action
from domain.games import GAMES
from infra.wiring import Site
from service.api import legal
from tests.service.api.person import ALL_MINE, ME, OPEN, RANDOM, Person, answered, refused, two_at_a_table


def asked(who: Person, match: str, **query: str) -> dict[str, Any]:
    """The answer to the question what is legal."""
    return answered(who.get(f"/matches/{match}/legal-actions", query_string=query), 200)


def test_the_legal_actions_come_in_both_forms_and_in_canonical_order(ann: Person, site: Site):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    answer = asked(ann, match["id"], seat=seat)
    sight = site.desk.look(match["id"]).match
    actions = list(sight.game.legal(sight.state, seat))
    assert answer == {
        "ply": 0,
        "seat": seat,
        "actions": [{"action": {"type": "deploy", "at": action.at}, "text": f"deploy {action.at}"} for action in actions],
        "next": None,
        "cut": False,
    }
    assert len(actions) == 5


def test_without_a_seat_it_is_the_one_that_is_to_act(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE, visibility="public")
    assert asked(anybody, match["id"])["seat"] == match["to_act"][0]["seat"]


def test_a_seat_that_is_not_to_act_may_do_nothing(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    idle = next(chair["seat"] for chair in turn.match["seats"] if chair["seat"] != turn.seat)
    assert asked(turn.other, turn.id, seat=idle)["actions"] == []
    assert asked(turn.other, turn.id, seat=idle, prefix="")["words"] == []


def test_a_seat_that_is_not_there_is_refused_with_those_that_are(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    problem = refused(ann.get(f"/matches/{match}/legal-actions?seat=up"), 422, "no-such-seat")
    assert problem["detail"] == "there is no seat 'up' in this match; the seats are north, east, south, west"


def test_there_is_nothing_to_do_before_the_start_and_after_the_end(ann: Person, bo: Person):
    waiting = ann.creates(ME, OPEN, RANDOM, RANDOM)["id"]
    refused(ann.get(f"/matches/{waiting}/legal-actions"), 409, "not-live")
    turn = two_at_a_table(ann, bo)
    answered(bo.post(f"/matches/{turn.id}/resignation"), 201)
    refused(ann.get(f"/matches/{turn.id}/legal-actions"), 409, "match-over")


def test_the_list_comes_in_pages(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    whole = asked(ann, match)["actions"]
    pages, query = [], {"limit": "2"}
    while True:
        response = ann.get(f"/matches/{match}/legal-actions", query_string=query)
        page = answered(response, 200)
        pages += page["actions"]
        assert ("Link" in response.headers) == (page["next"] is not None)
        if page["next"] is None:
            break
        query = {"limit": "2", "cursor": page["next"]}
    assert pages == whole
    assert len(whole) == 5


def test_a_cursor_is_for_the_position_that_it_was_given_in(ann: Person):
    match = ann.creates(*ALL_MINE)
    cursor = asked(ann, match["id"], limit="2")["next"]
    ann.plays(match)
    problem = refused(ann.get(f"/matches/{match['id']}/legal-actions", query_string={"cursor": cursor}), 409, "stale-ply")
    assert problem["ply"] == 1
    refused(ann.get(f"/matches/{match['id']}/legal-actions?cursor=1-x"), 422, "invalid-request")


def test_a_type_may_be_asked_for_alone(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    assert len(asked(ann, match, type="deploy")["actions"]) == 5
    assert asked(ann, match, type="advance") == {**asked(ann, match), "actions": []}


def test_ff_9_over_ten_thousand_trades_are_listed_page_by_page(ann: Person, site: Site):
    body = {"game": "four-forges", "options": {"trading": True}, "settings": {"seating": "joined"}, "seats": [ME, RANDOM, RANDOM, RANDOM]}
    trades: list[Action] = []
    while len(trades) <= 10_000:  # as many as most deals give
        match = answered(ann.post("/matches", body), 201)["id"]
        sight = site.desk.look(match).match
        trades = [action for action in sight.game.legal(sight.state, "ochre") if action.__struct_config__.tag == "offer-trade"]
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = asked(ann, match, type="offer-trade", limit="500", **cursor)
        found += [legal["text"] for legal in page["actions"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert found == [sight.game.write(trade) for trade in trades]
    assert page["cut"] is False


def test_a_type_that_stands_behind_more_actions_than_are_gone_through_is_listed_all_the_same(
    ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(legal, "LONGEST", 20)
    body = {"game": "penny-ante", "options": {"placement": "batch"}, "settings": {"seating": "joined"}, "seats": [ME, OPEN]}
    match = answered(ann.post("/matches", body), 201)
    match = answered(bo.post(f"/matches/{match['id']}/join"), 201)["match"]
    for who, seat, spaces in ((ann, "dark", "b2 c3 e3 g3"), (bo, "light", "b7 d7 c6 g6")):
        placing = [f"place {at}" for at in spaces.split() * 4][:10]
        match = answered(who.submits(match, seat, text="; ".join(placing)), 201)["match"]
    found = asked(ann, match["id"])
    assert (found["cut"], {legal["action"]["type"] for legal in found["actions"]}) == (True, {"bombard"})
    found = asked(ann, match["id"], type="reinforce")
    assert [legal["text"] for legal in found["actions"]] == [f"reinforce {at}" for at in ("b2", "c3", "d4", "e3", "e5", "g3")]
    assert (found["next"], found["cut"]) == (None, False)
    page = asked(ann, match["id"], type="reinforce", limit="4")
    rest = asked(ann, match["id"], type="reinforce", limit="4", cursor=page["next"])
    assert page["actions"] + rest["actions"] == found["actions"]


def test_words_lead_to_a_line(ann: Person):
    match = ann.creates(*ALL_MINE)
    first = asked(ann, match["id"], prefix="")
    assert first == {"ply": 0, "seat": match["to_act"][0]["seat"], "words": [{"word": "deploy", "complete": False}], "next": None}
    second = asked(ann, match["id"], prefix=" Deploy ")["words"]
    assert [f"deploy {word['word']}" for word in second] == [legal["text"] for legal in asked(ann, match["id"])["actions"]]
    assert all(word["complete"] for word in second)
    assert asked(ann, match["id"], prefix="castle")["words"] == []


def test_words_and_actions_are_different_questions(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    refused(ann.get(f"/matches/{match}/legal-actions?prefix=deploy&type=deploy"), 422, "invalid-request")


def test_words_come_page_by_page_as_actions_do(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    path, pages = "/matches/{match}/legal-actions?prefix=deploy&limit=2", []
    cursor = ""
    while True:
        response = ann.get(f"{path.format(match=match)}{cursor}")
        page = answered(response, 200)
        pages.append([word["word"] for word in page["words"]])
        if page["next"] is None:
            assert "Link" not in response.headers
            break
        cursor = f"&cursor={page['next']}"
        assert response.headers["Link"] == f'<http://127.0.0.1:8000/api/v1{path.format(match=match)}{cursor}>; rel="next"'
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [word for page in pages for word in page] == [word["word"] for word in asked(ann, match, prefix="deploy")["words"]]
    refused(ann.get(f"/matches/{match}/legal-actions?prefix=deploy&cursor=1-2"), 409, "stale-ply")
    refused(ann.get(f"/matches/{match}/legal-actions?prefix=deploy&cursor=x"), 422, "invalid-request")


def test_a_type_that_the_game_has_not_is_refused_with_those_it_has(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    found = refused(ann.get(f"/matches/{match}/legal-actions?type=place"), 422, "invalid-request")
    assert found["detail"] == "Fourfold has no actions of the type `place`; there are deploy, advance, pass"


@pytest.fixture
def gone_through(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many actions were looked at, where a position has more than a hundred thousand of them."""
    seen = [0]
    fourfold = GAMES["fourfold"]
    real = fourfold.legal

    def legal_actions(state: Any, seat: str) -> Iterator[Action]:
        while seen[0] < 150_000:
            for action in real(state, seat):
                seen[0] += 1
                yield action

    object.__setattr__(fourfold, "legal", legal_actions)
    yield seen
    object.__setattr__(fourfold, "legal", real)


def test_no_list_is_gone_through_without_end(ann: Person, gone_through: list[int]):
    match = ann.creates(*ALL_MINE)["id"]
    gone_through[0] = 0
    page = asked(ann, match, limit="3")
    assert (len(page["actions"]), gone_through[0] < 10) == (3, True)
    gone_through[0] = 0
    found = asked(ann, match, type="advance")
    assert (found["actions"], found["next"], found["cut"]) == ([], None, True)
    assert gone_through[0] <= legal.LONGEST + 5
