"""Ending a match before its end: by agreement, or by leaving it, which takes a typed word."""

import pytest
from flask.testing import FlaskClient

from infra.tokens import Purpose
from tests.service.pages.parlour import Parlour, words


def test_a_turn_leads_to_the_page_for_leaving(client: FlaskClient, parlour: Parlour):
    page = client.get(parlour.link(parlour.choosing("Ann")))
    href = page.text.partition(">Resign…")[0].rpartition('href="')[2].rstrip('"')
    assert href.startswith("/m/")
    leaving = client.get(href)
    assert "To leave, type resign" in words(leaving.text)
    assert 'name="action"' not in leaving.text


def test_leaving_takes_the_typed_word(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann")
    link = parlour.link(match, "resign")
    for word in ("", "yes", "resig", "resign!"):
        page = client.post(link, data={"do": "resign", "word": word})
        assert page.status_code == 422
        assert "You are still in the match" in words(page.text)
    assert parlour.look(match).version == match.version


def test_who_types_it_leaves(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann")
    link = parlour.link(match, "resign")
    assert client.post(link, data={"do": "resign", "word": " Resign "}).status_code == 303
    now = parlour.look(match)
    assert now.vacated == match.seats_of(parlour.person("Ann").id)
    assert (now.status, (now.outcome or {})["reason"]) == ("over", "resignation")
    page = client.get(link)
    assert page.status_code == 200
    assert "The match is over" in words(page.text)
    assert "has left" in words(page.text)


def test_resigning_twice_is_resigning_once(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo", "Cy")
    link = parlour.link(match, "resign")
    answers = [client.post(link, data={"do": "resign", "word": "resign"}).status_code for _ in range(2)]
    assert answers == [303, 303]
    assert parlour.look(match).vacated == match.seats_of(parlour.person("Ann").id)
    assert "You have left the match" in words(client.get(link).text)


def test_the_link_of_a_turn_cannot_resign(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann")
    assert client.post(parlour.link(match), data={"do": "resign", "word": "resign"}).status_code == 400
    assert parlour.look(match).version == match.version


@pytest.mark.parametrize("purpose", ["move", "resign"])
def test_an_offer_that_all_agree_to_ends_the_match(client: FlaskClient, parlour: Parlour, purpose: Purpose):
    match = parlour.choosing("Ann", "Bo", "Cy", "Di")
    assert client.post(parlour.link(match, purpose), data={"do": "offer", "offer": "1"}).status_code == 303
    for name in ("Bo", "Cy", "Di"):
        link = parlour.link(match, "resign", seat=match.seats_of(parlour.person(name).id)[0])
        assert "offered to end the match as it stands" in words(client.get(link).text)
        assert client.post(link, data={"do": "accept", "offer": "1"}).status_code == 303
    now = parlour.look(match)
    assert (now.status, (now.outcome or {})["reason"]) == ("over", "agreement")
    assert "The match is over, by agreement" in words(client.get(link).text)


def test_an_offer_is_shown_where_it_is_to_be_answered(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    bo = parlour.link(match, "resign", seat=match.seats_of(parlour.person("Bo").id)[0])
    client.post(bo, data={"do": "offer", "offer": "1"})
    assert "You have agreed" in words(client.get(bo).text)
    page = client.get(parlour.link(match))
    assert "An offer is on the table Bo offered to end the match as it stands" in words(page.text)
    assert client.post(parlour.link(match), data={"do": "decline", "offer": "1"}).status_code == 303
    assert parlour.look(match).offer is None


def test_a_second_click_on_an_offer_does_nothing_more(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    link = parlour.link(match)
    answers = [client.post(link, data={"do": "offer", "offer": "1"}).status_code for _ in range(2)]
    assert answers == [303, 303]
    assert parlour.look(match).offers == 1


@pytest.mark.parametrize("data", [{"do": "accept", "offer": "7"}, {"do": "accept"}, {"do": "decline", "offer": "x"}, {"do": "offer", "offer": "-1"}])
def test_an_offer_that_is_not_on_the_table_cannot_be_answered(client: FlaskClient, parlour: Parlour, data: dict[str, str]):
    match = parlour.choosing("Ann", "Bo")
    for purpose in ("move", "resign"):
        page = client.post(parlour.link(match, purpose), data=data)
        assert page.status_code == 409
        assert "Not done: " in words(page.text)
    assert parlour.look(match).version == match.version
