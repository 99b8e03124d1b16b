"""Taking a turn back: offered as long as it is possible, and done once."""

import pytest
from flask.testing import FlaskClient

from domain.match.match import Match
from tests.people import Watch
from tests.service.pages.parlour import Parlour, words


def undoable(parlour: Parlour, **settings: int) -> tuple[Match, str, Match]:
    """A match before a turn of Ann's that can be taken back afterwards, its link, and the match after it."""
    while True:
        match = parlour.choosing("Ann", "Bo", "Cy", "Di", **settings)
        link = parlour.link(match)
        after = parlour.play(match, parlour.legal(match)[0])
        if after.mark is not None:
            return match, link, after


def test_a_turn_just_played_can_be_taken_back(client: FlaskClient, parlour: Parlour):
    match, link, _ = undoable(parlour)
    assert "Take the turn back Possible for 1 minute more" in words(client.get(link).text)
    response = client.post(link, data={"do": "take-back"})
    assert response.status_code == 303
    now = parlour.look(match)
    assert (now.ply, now.state) == (match.ply, match.state)


def test_taking_back_leads_on_to_the_seats_new_link(client: FlaskClient, parlour: Parlour):
    match, link, _ = undoable(parlour)
    fresh = client.post(link, data={"do": "take-back"}).location
    assert fresh != link
    page = client.get(fresh)
    assert "It is your turn" in words(page.text)
    assert "took the turn back" in words(page.text)
    assert client.post(fresh, data={"ply": match.ply, "action": parlour.legal(match)[1]}).status_code == 303
    assert parlour.look(match).ply > match.ply


def test_the_link_of_a_turn_taken_back_is_dead(client: FlaskClient, parlour: Parlour):
    match, link, _ = undoable(parlour)
    client.post(link, data={"do": "take-back"})
    page = client.get(link)
    assert page.status_code == 200
    assert "It is your turn" in words(page.text)
    assert "Mail me the link again" in words(page.text)
    assert 'name="action"' not in page.text
    version = parlour.look(match).version
    assert client.post(link, data={"ply": match.ply, "action": parlour.legal(match)[0]}).status_code == 409
    assert parlour.look(match).version == version


def test_taking_back_twice_is_taking_back_once(client: FlaskClient, parlour: Parlour):
    match, link, _ = undoable(parlour)
    first = client.post(link, data={"do": "take-back"})
    version = parlour.look(match).version
    second = client.post(link, data={"do": "take-back"})
    assert (second.status_code, second.location) == (303, first.location)
    assert parlour.look(match).version == version


def test_after_the_time_for_it_a_turn_stands(client: FlaskClient, parlour: Parlour, watch: Watch):
    match, link, after = undoable(parlour)
    watch.now += 60_001
    assert "Take the turn back" not in words(client.get(link).text)
    page = client.post(link, data={"do": "take-back"})
    assert page.status_code == 409
    assert "Not taken back: that turn could be taken back until 2026-11-29T12:01:00.000Z" in words(page.text)
    assert parlour.look(match).version == after.version


def test_where_nothing_can_be_taken_back_no_button_says_so(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", undo_seconds=0)
    link = parlour.link(match)
    client.post(link, data={"ply": match.ply, "action": parlour.legal(match)[0]})
    assert "Take the turn back" not in words(client.get(link).text)
    assert client.post(link, data={"do": "take-back"}).status_code == 409


def test_the_link_of_one_turn_does_not_take_back_another(client: FlaskClient, parlour: Parlour):
    match, link, after = undoable(parlour)
    while True:
        now = parlour.play(after)
        if now.mark is not None and now.mark.ask.version != match.asks[0].version:
            break
        if now.status != "live":
            pytest.fail("the match ended first")
        after = now
    page = client.post(link, data={"do": "take-back"})
    assert page.status_code == 409
    assert parlour.look(match).version == now.version
