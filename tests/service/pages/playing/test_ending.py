"""Ending a match before its end: by agreement, or by leaving it, which takes a typed word."""

import pytest
from flask.testing import FlaskClient

from domain.match.commands import Actor, Answer
from infra.seals.tokens import Purpose
from tests.service.pages.parlour import DAY, Parlour, words


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


def test_a_pause_is_asked_for_in_days_and_begins_when_all_agree(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    due = match.asks[0].due
    assert client.post(parlour.link(match), data={"do": "offer", "offer": "1", "kind": "pause", "days": "5"}).status_code == 303
    bo = parlour.link(match, "resign", seat=match.seats_of(parlour.person("Bo").id)[0])
    assert "Ann offered to let the clock stand still for 5 days." in words(client.get(bo).text)
    assert client.post(bo, data={"do": "accept", "offer": "1"}).status_code == 303
    for bot in (chair.player for chair in match.chairs if chair.bot):
        parlour.site.desk.do(match.id, Answer(Actor(bot or "", "bot"), 1, "accept"))
    now = parlour.look(match)
    assert now.paused_until == parlour.watch.now + 5 * DAY
    assert now.asks[0].due == due + 5 * DAY
    assert "The clock stands still until" in words(client.get(bo).text)


@pytest.mark.parametrize("days", ["", "0", "31", "x", "-1", "1.5"])
def test_a_pause_of_a_strange_length_is_refused_in_words(client: FlaskClient, parlour: Parlour, days: str):
    match = parlour.choosing("Ann", "Bo")
    page = client.post(parlour.link(match, "resign"), data={"do": "offer", "offer": "1", "kind": "pause", "days": days})
    assert page.status_code == 422
    assert "Not done: a pause takes" in words(page.text)
    assert parlour.look(match).offer is None


def test_a_match_that_is_over_leads_on_to_the_next_one_between_the_same_players(client: FlaskClient, parlour: Parlour):
    match = parlour.through(parlour.start("Ann", "Bo"))
    link = parlour.link(match, "view", seat=match.seats_of(parlour.person("Ann").id)[0])
    assert "Play again" in words(client.get(link).text)
    to = [client.post(link, data={"do": "rematch"}).headers["Location"] for _ in range(2)]
    page = client.get(to[0])
    assert "The match has not begun" in words(page.text)
    assert words(client.get(to[1]).text) == words(page.text)
