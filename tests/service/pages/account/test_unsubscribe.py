"""Stopping mails: by a mail program's one click, by a button, and back again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from domain.match.commands import Actor, Join
from domain.match.match import Match
from infra.seals.keys import Keys
from infra.seals.links import to_unsubscribe, to_unsubscribe_all
from infra.seals.tokens import Tokens
from infra.wiring import Site
from service.app import create_app
from tests.service.pages.parlour import Parlour, words

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def match(parlour: Parlour) -> Match:
    return parlour.start("Ann", "Bo")


@pytest.fixture
def link(site: Site, match: Match) -> str:
    """What stands in the mails about the match to Ann."""
    return f"/u/{site.tokens.seal(to_unsubscribe(match, 'north', site.clock()))}"


@pytest.fixture
def for_all(site: Site, parlour: Parlour) -> str:
    """What stands in Ann's digests."""
    return f"/u/{site.tokens.seal(to_unsubscribe_all(parlour.person('Ann').id, site.clock()))}"


def cadences(site: Site, parlour: Parlour, match: Match) -> list[str]:
    """Ann's, about this match and about another one; and Bo's."""
    ann, bo = parlour.person("Ann").id, parlour.person("Bo").id
    asked = [(ann, match.id), (ann, "07-0000000009"), (bo, match.id)]
    return [site.preferring.preferences(player, about).cadence for player, about in asked]


@pytest.mark.parametrize("form", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_one_click_stops_the_mails_about_a_match_without_cookie_or_redirect_however_often(
    client: FlaskClient, site: Site, parlour: Parlour, match: Match, link: str, form: str
):
    for _ in range(2):
        answer = client.post(link, data=ONE_CLICK, content_type=form)
        assert (answer.status_code, answer.mimetype, answer.headers.get("Set-Cookie")) == (200, "text/plain", None)
    assert cadences(site, parlour, match) == ["off", "each", "each"]


def test_one_click_in_a_digest_stops_all_mails_also_those_that_were_chosen_for_a_match(
    client: FlaskClient, site: Site, parlour: Parlour, match: Match, for_all: str
):
    site.preferring.choose(parlour.person("Ann").id, {"cadence": "daily", "hour": 7}, match.id)
    assert client.post(for_all, data=ONE_CLICK).status_code == 200
    assert cadences(site, parlour, match) == ["off", "off", "each"]
    assert site.preferring.chosen(parlour.person("Ann").id, match.id) == {"hour": 7}


def test_looking_at_the_page_writes_nothing_and_shows_what_can_be_pressed(client: FlaskClient, parlour: Parlour, link: str, for_all: str):
    before = parlour.written()
    page, page_for_all = client.get(link), client.get(for_all)
    assert client.head(link).status_code == 200
    assert client.head(link, data=ONE_CLICK).status_code == 200, "a scanner's HEAD stops nothing, whatever it brings along"
    assert parlour.written() == before
    assert page.status_code == page_for_all.status_code == 200
    assert "Ann, about this match you get a mail for each turn." in words(page.text)
    assert [text in page.text for text in ("No more mails about this match", "No more mails about any match")] == [True, True]
    assert "about this match" not in page_for_all.text


def test_a_button_stops_the_mails_and_the_next_one_brings_them_back_as_they_were(
    client: FlaskClient, site: Site, parlour: Parlour, match: Match, link: str
):
    site.preferring.choose(parlour.person("Ann").id, {"cadence": "daily"})
    stopped = client.post(link, data={"do": "match"})
    assert (stopped.status_code, stopped.location) == (303, f"{link}?was=daily")
    assert cadences(site, parlour, match) == ["off", "daily", "each"]
    page = client.get(stopped.location).text
    assert "You get no more of these mails" in page
    assert '<input type="hidden" name="was" value="daily">' in page
    client.post(link, data={"do": "back-match", "was": "daily"})
    assert cadences(site, parlour, match) == ["daily", "daily", "each"]
    client.post(link, data={"do": "all"})
    assert cadences(site, parlour, match) == ["off", "off", "each"]
    client.post(link, data={"do": "back-all", "was": "nonsense"})
    assert cadences(site, parlour, match) == ["each", "each", "each"]


def test_another_button_changes_nothing(client: FlaskClient, parlour: Parlour, link: str):
    before = parlour.written()
    assert client.post(link, data={"do": "resign"}).status_code == 400
    assert client.post(link, data={}).status_code == 400
    assert parlour.written() == before


def test_another_links_token_or_a_damaged_one_stops_nothing_and_says_what_to_do(client: FlaskClient, parlour: Parlour, match: Match, link: str):
    before = parlour.written()
    for path in (f"/u/{parlour.token(match, 'view', seat='north')}", link[:-1], f"{link[:-3]}zzz", "/u/x"):
        for answer in (client.get(path), client.post(path, data=ONE_CLICK)):
            assert answer.status_code == 404
            assert "The newest mail has a link that works." in words(answer.text)
    assert client.get(link.replace("/u/", "/m/")).status_code == 404
    assert parlour.written() == before


def test_the_link_of_an_invitation_works_also_for_whoever_has_come_and_was_given_another_seat(client: FlaskClient, site: Site, parlour: Parlour):
    match = parlour.start("Ann", invited="Bo", more_open=True, seating="random")
    kept = next(seat for seat in match.seats if match.chair(seat).invited)
    link = f"/u/{site.tokens.seal(to_unsubscribe(match, kept, site.clock()))}"
    for name in ("Bo", "Cy", "Di"):
        site.desk.do(match.id, Join(Actor(parlour.person(name).id, "link")))
    assert parlour.look(match).status == "live"
    assert client.post(link, data=ONE_CLICK).status_code == 200
    silent = [name for name in ("Ann", "Bo", "Cy", "Di") if site.preferring.preferences(parlour.person(name).id, match.id).cadence == "off"]
    assert silent == ["Bo"]


def test_a_link_that_the_mail_hung_something_on_still_opens(client: FlaskClient, link: str):
    assert client.get(f"{link}.").status_code == 200
    assert client.get(f"{link}/.").location == link
    assert client.post(link.upper().replace("/U/", "/u/"), data=ONE_CLICK).status_code == 200


def test_a_link_of_an_old_mail_works_after_the_keys_were_rotated_and_not_after_its_key_was_taken_out(
    site: Site, parlour: Parlour, match: Match, link: str
):
    fresh = ("b", bytes(range(32)))
    for secrets, status in (((fresh, *site.settings.secrets), 200), ((fresh,), 404)):
        settings = replace(site.settings, secrets=secrets)
        rotated = create_app(replace(site, settings=settings, keys=Keys(settings), tokens=Tokens(Keys(settings)))).test_client()
        assert rotated.get(link).status_code == status
        assert rotated.get(parlour.link(match, "view", seat="north")).status_code == status
