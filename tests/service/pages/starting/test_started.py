"""The page after the start form: whom mails go to, who has answered, and what a host can do about empty seats."""

import pytest
from flask.testing import FlaskClient

from domain.match.match import Match
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.service.pages.parlour import Parlour, words
from tests.service.pages.starting.test_start import FORM, started

GUESTS = FORM | {"invited": "bo@example.org\nCy@Example.org", "mine": "1", "seating": "joined"}


def say_no(client: FlaskClient, parlour: Parlour, match: Match, seat: str) -> None:
    assert client.post(parlour.link(match, "join", seat=seat), data={"do": "decline"}).status_code == 303


@pytest.fixture
def page(client: FlaskClient) -> str:
    """Where Ann's form has led: Bo and Cy are invited, the last seat is a house bot's."""
    location: str = client.post("/", data=GUESTS).location
    return location


@pytest.fixture
def match(parlour: Parlour, page: str) -> Match:
    """The match that waits there."""
    return parlour.look(started(page))


def test_it_says_that_invitations_were_sent_and_to_whom(client: FlaskClient, page: str):
    said = words(client.get(page).text)
    assert "Your invitations are under way" in said
    assert "Invitations were sent to bo@example.org, cy@example.org." in said
    assert "North you East bo@example.org has not answered yet" in said
    assert "West house bot (random)" in said


def test_it_tells_no_name_that_was_not_typed(client: FlaskClient, parlour: Parlour):
    parlour.site.players.add("Annabel Secret", "Ann@Example.org")
    parlour.site.players.add("Bodo Secret", "BO@example.org")
    text = client.get(client.post("/", data=GUESTS).location).text
    assert "Secret" not in text
    assert "BO@" not in text
    assert "Ann@Example.org" not in text


def test_who_declined_is_told_and_the_seat_goes_to_a_house_bot(client: FlaskClient, parlour: Parlour, page: str, match: Match):
    client.post(parlour.link(match, "join", seat="south"), data={"do": "accept", "name": "Cy"})
    say_no(client, parlour, match, "east")
    said = words(client.get(page).text)
    assert "bo@example.org has declined" in said
    assert "cy@example.org has accepted" in said
    data = {"do": "fill", "seat": "east", "bot": "random"}
    answers = [client.post(page, data=data) for _ in range(2)]
    assert [(answer.status_code, answer.location) for answer in answers] == [(303, page)] * 2
    now = parlour.look(match)
    assert (now.status, now.chair("east").bot) == ("live", "random")
    assert "has begun" in words(client.get(page).text)
    report = verify(client.get(f"{parlour.link(now, 'view', seat='north')}/history.ndjson").data, signed)
    assert report.flaws == ()


def test_a_seat_whose_guest_does_not_answer_can_be_filled_too(client: FlaskClient, parlour: Parlour, page: str, match: Match):
    invitation = parlour.link(match, "join", seat="east")
    client.post(page, data={"do": "fill", "seat": "east", "bot": "random"})
    assert parlour.look(match).status == "waiting"
    assert "The seat is not kept for you any more" in words(client.get(invitation).text)
    assert client.post(invitation, data={"do": "accept", "name": "Bo"}).status_code == 409


def test_a_host_can_call_the_match_off(client: FlaskClient, parlour: Parlour, page: str, match: Match):
    assert "Call it off for everybody" in words(client.get(page).text)
    assert client.post(page, data={"do": "call-off"}).location == page
    assert parlour.look(match).status == "aborted"
    assert "The match was called off" in words(client.get(page).text)
    assert "It was called off: by whoever opened it." in words(client.get(parlour.link(match, "join", seat="east")).text)
    assert verify(client.get(f"{parlour.link(match, 'view', seat='north')}/history.ndjson").data, signed).flaws == ()


@pytest.mark.parametrize(
    ("data", "status", "why"),
    [
        ({"do": "fill", "seat": "west", "bot": "random"}, 409, "Not done: west is taken already."),
        ({"do": "fill", "seat": "up", "bot": "random"}, 422, "Not done: there is no seat 'up'"),
        ({"do": "fill", "seat": "east", "bot": "deep-blue"}, 422, "Not done: Fourfold has no house bot 'deep-blue'"),
        ({"do": "win"}, 400, "This page has no button “win”"),
        ({}, 400, "This page has no button"),
    ],
)
def test_what_cannot_be_done_is_said(client: FlaskClient, parlour: Parlour, page: str, match: Match, data: dict[str, str], status: int, why: str):
    answer = client.post(page, data=data)
    assert (answer.status_code, why in words(answer.text)) == (status, True)
    assert parlour.look(match).version == match.version


def test_once_it_has_begun_nothing_can_be_called_off(client: FlaskClient, parlour: Parlour):
    page = client.post("/", data=FORM).location
    assert "Call it off" not in words(client.get(page).text)
    assert client.post(page, data={"do": "call-off"}).status_code == 409
    assert parlour.look(started(page)).status == "live"


def test_nobody_else_gets_in_and_nobody_is_confirmed_by_it(client: FlaskClient, parlour: Parlour, page: str, match: Match):
    assert client.post(f"/started/{match.id}/{'0' * 24}", data={"do": "call-off"}).status_code == 404
    client.post(page, data={"do": "fill", "seat": "east", "bot": "random"})
    assert parlour.person("Ann").confirmed is False


def test_the_host_s_view_of_a_waiting_match_leads_here_and_nobody_else_s(client: FlaskClient, parlour: Parlour, page: str, match: Match):
    client.post(parlour.link(match, "join", seat="south"), data={"do": "accept", "name": "Cy"})
    assert f'href="{page}"' in client.get(parlour.link(match, "view", seat="north")).text
    assert "/started/" not in client.get(parlour.link(match, "view", seat="south")).text


def test_looking_writes_nothing(client: FlaskClient, parlour: Parlour, page: str):
    before = parlour.written()
    client.get(page)
    assert parlour.written() == before
