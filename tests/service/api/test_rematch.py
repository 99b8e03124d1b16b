"""The same players once more: one rematch of a match, whoever asks for it first."""

from __future__ import annotations

from typing import Any

from infra.wiring import Site
from tests.service.api.person import Person, answered, refused

HOUSE = {"bot": "random"}


def over(ann: Person, bo: Person, **settings: Any) -> dict[str, Any]:
    """A match between Ann, Bo and two house bots that has ended."""
    seats = [{"player": "me"}, {"open": True}, HOUSE, HOUSE]
    said = {"game": "fourfold", "options": {"goals_to_win": 2}, "settings": {"seating": "joined", "visibility": "public", **settings}, "seats": seats}
    made = answered(ann.post("/matches", said), 201)
    answered(bo.post(f"/matches/{made['id']}/join", {}), 201)
    for person in (ann, bo):
        answered(person.post(f"/matches/{made['id']}/resignation", {}), 201)
    ended: dict[str, Any] = ann.sees(made["id"])
    assert ended["status"] == "over"
    return ended


def test_whoever_asks_sits_and_the_others_are_invited(ann: Person, bo: Person):
    before = over(ann, bo)
    again = answered(bo.post(f"/matches/{before['id']}/rematch", {}), 201)
    assert again["id"] != before["id"]
    assert again["options"] == before["options"]
    assert again["settings"] == before["settings"]
    assert again["status"] == "waiting"
    assert [(seat["player"], seat["bot"], seat["invited"]) for seat in again["seats"]] == [
        (again["seats"][0]["player"], "random", False),
        (None, None, True),
        (bo.id, None, False),
        (again["seats"][3]["player"], "random", False),
    ]


def test_the_second_who_asks_takes_the_seat_that_is_kept_and_the_match_begins(ann: Person, bo: Person):
    before = over(ann, bo)
    first = answered(bo.post(f"/matches/{before['id']}/rematch", {}), 201)
    second = answered(ann.post(f"/matches/{before['id']}/rematch", {"entropy": "tea leaves"}), 201)
    assert (second["id"], second["status"]) == (first["id"], "live")
    again = bo.post(f"/matches/{before['id']}/rematch", {})
    third = answered(again, 200)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert third["id"] == first["id"]


def test_a_rematch_that_was_called_off_makes_room_for_the_next(ann: Person, bo: Person, site: Site):
    before = over(ann, bo)
    first = answered(bo.post(f"/matches/{before['id']}/rematch", {}), 201)
    answered(bo.post(f"/matches/{first['id']}/leave", {}), 201)
    if ann.sees(first["id"])["status"] == "waiting":
        answered(ann.post(f"/matches/{first['id']}/leave", {}), 201)
    assert ann.sees(first["id"])["status"] == "aborted"
    assert answered(ann.post(f"/matches/{before['id']}/rematch", {}), 201)["id"] != first["id"]


def test_there_is_none_of_a_match_that_goes_on_nor_for_who_did_not_play(ann: Person, bo: Person, person):
    seats = [{"player": "me"}, {"open": True}, HOUSE, HOUSE]
    made = answered(ann.post("/matches", {"game": "fourfold", "settings": {"visibility": "public"}, "seats": seats}), 201)
    assert refused(ann.post(f"/matches/{made['id']}/rematch", {}), 409, "not-over")["detail"] == (
        "a rematch follows a match that is over; this one is not"
    )
    refused(person("Cy").post(f"/matches/{over(ann, bo)['id']}/rematch", {}), 403, "not-seated")


def test_there_is_none_of_a_match_that_was_called_off_and_it_says_so(ann: Person):
    """Nobody is told to wait for the end of what never began."""
    made = answered(ann.post("/matches", {"game": "fourfold", "seats": [{"player": "me"}, {"open": True}, HOUSE, HOUSE]}), 201)
    answered(ann.post(f"/matches/{made['id']}/leave", {}), 201)
    assert refused(ann.post(f"/matches/{made['id']}/rematch", {}), 409, "not-over")["detail"] == (
        "this match was called off before it began, so there is nothing to play again: create a new one"
    )


def test_whoever_leaves_what_is_over_is_told_that_it_is(ann: Person, bo: Person):
    before = over(ann, bo)
    assert refused(ann.post(f"/matches/{before['id']}/leave", {}), 409, "match-over")["detail"] == "this match is over"
    made = answered(ann.post("/matches", {"game": "fourfold", "seats": [{"player": "me"}, {"open": True}, HOUSE, HOUSE]}), 201)
    answered(ann.post(f"/matches/{made['id']}/leave", {}), 201)
    assert refused(ann.post(f"/matches/{made['id']}/leave", {}), 409, "match-over")["detail"] == "this match was called off"
