"""An invitation: yes under a name of one's own, or no."""

import pytest
from flask.testing import FlaskClient

from domain.match.match import Match
from tests.service.pages.parlour import Parlour, words


@pytest.fixture
def match(parlour: Parlour) -> Match:
    """A match that waits for Bo; the seats are drawn by lot when it begins."""
    return parlour.start("Ann", invited="Bo", seating="random", options={"goals_to_win": 2})


def test_an_invitation_says_what_to_and_by_whom(client: FlaskClient, parlour: Parlour, match: Match):
    page = client.get(parlour.link(match, "join", seat="east"))
    assert page.status_code == 200
    assert "You are invited Ann asks you to a match of Fourfold" in words(page.text)
    assert "3 days for every turn" in words(page.text)
    assert "Goals to win: 2" in words(page.text)
    assert 'name="name" value="Bo"' in page.text


def test_looking_at_an_invitation_writes_nothing(client: FlaskClient, parlour: Parlour, match: Match):
    before = parlour.written()
    for method in ("GET", "HEAD"):
        assert client.open(parlour.link(match, "join", seat="east"), method=method).status_code == 200
    assert parlour.written() == before


def test_accepting_sits_down_under_the_name_given(client: FlaskClient, parlour: Parlour, match: Match):
    link = parlour.link(match, "join", seat="east")
    response = client.post(link, data={"do": "accept", "name": "Bo the Second"})
    assert (response.status_code, response.location) == (303, link)
    now = parlour.look(match)
    bo = parlour.person("Bo")
    assert (now.status, len(now.seats_of(bo.id)), bo.name, bo.confirmed) == ("live", 1, "Bo the Second", True)
    assert "You are in" in words(client.get(link).text)


def test_a_pinch_of_chance_goes_into_the_draws(client: FlaskClient, parlour: Parlour, match: Match):
    link = parlour.link(match, "join", seat="east")
    page = client.post(link, data={"do": "accept", "name": "Bo", "entropy": "x" * 101})
    assert page.status_code == 422
    assert "At most 100 letters, digits and signs." in words(page.text)
    client.post(link, data={"do": "accept", "name": "Bo", "entropy": "my pinch"})
    assert parlour.look(match).entropy == b"my pinch\n"


def test_a_seat_can_be_given_back_before_the_start(client: FlaskClient, parlour: Parlour):
    waiting = parlour.start("Ann", invited="Bo", more_open=True)
    link = parlour.link(waiting, "join", seat="east")
    client.post(link, data={"do": "accept", "name": "Bo"})
    assert "Give the seat back" in words(client.get(link).text)
    assert client.post(link, data={"do": "decline"}).status_code == 303
    assert parlour.look(waiting).seats_of(parlour.person("Bo").id) == ()


def test_accepting_twice_is_accepting_once(client: FlaskClient, parlour: Parlour, match: Match):
    link = parlour.link(match, "join", seat="east")
    answers = [client.post(link, data={"do": "accept", "name": "Bo"}).status_code for _ in range(2)]
    assert answers == [303, 303]
    assert len(parlour.look(match).seats_of(parlour.person("Bo").id)) == 1


def test_declining_frees_the_seat(client: FlaskClient, parlour: Parlour, match: Match):
    link = parlour.link(match, "join", seat="east")
    assert client.post(link, data={"do": "decline"}).status_code == 303
    assert client.post(link, data={"do": "decline"}).status_code == 303
    now = parlour.look(match)
    assert (now.status, now.chair("east").invited) == ("waiting", None)
    page = client.get(link)
    assert "You have declined" in words(page.text)
    assert "Your answer has arrived: the seat is free for somebody else" in words(page.text)
    assert client.post(link, data={"do": "accept", "name": "Bo"}).status_code == 409


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "A name needs at least one letter or digit."),
        ("x" * 41, "A name has at most 40 characters"),
        ("www.evil.com", "look like"),
        ("a\u202eb", "invisible"),
    ],
)
def test_a_name_that_cannot_be_is_told_so_beside_the_field(client: FlaskClient, parlour: Parlour, match: Match, name: str, why: str):
    page = client.post(parlour.link(match, "join", seat="east"), data={"do": "accept", "name": name})
    assert page.status_code == 422
    assert why in words(page.text)
    assert 'aria-invalid="true"' in page.text
    assert parlour.look(match).version == match.version


def test_a_seat_that_is_kept_for_nobody_cannot_be_taken_by_link(client: FlaskClient, parlour: Parlour, match: Match):
    page = client.post(parlour.link(match, "join", seat="south"), data={"do": "accept", "name": "Bo"})
    assert page.status_code == 409
    assert parlour.look(match).version == match.version


def test_a_link_from_before_the_seats_were_drawn_is_dead(client: FlaskClient, parlour: Parlour, match: Match):
    early = parlour.link(match, "view", seat="north")
    assert client.get(early).status_code == 200
    client.post(parlour.link(match, "join", seat="east"), data={"do": "accept", "name": "Bo"})
    page = client.get(early)
    assert page.status_code == 410
    assert "This seat has another holder now" in words(page.text)
