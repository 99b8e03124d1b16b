"""After playing: straight on to the next turn where it has come, and to where it is waited for while house bots are at it."""

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.match.match import Match
from tests.people import Watch
from tests.service.pages.parlour import Parlour, words


def play(client: FlaskClient, parlour: Parlour, match: Match) -> TestResponse:
    """The first legal action, by the link of the turn."""
    return client.post(parlour.link(match), data={"ply": match.ply, "action": parlour.legal(match)[0]})


def to_bots(client: FlaskClient, parlour: Parlour) -> tuple[str, TestResponse, Match]:
    """Ann's link, the answer to what she played by it, and the match, which waits for house bots now."""
    while True:
        match = parlour.choosing("Ann")
        link = parlour.link(match)
        answer = play(client, parlour, match)
        now = parlour.look(match)
        if now.asks and now.chair(now.asks[0].seat).bot:
            return link, answer, now


def to_herself(client: FlaskClient, parlour: Parlour) -> tuple[str, TestResponse, Match]:
    """Ann holds two seats: after the first one's turn, the second one is asked."""
    while True:
        match = parlour.choosing("Ann", "Ann", "Bo", "Bo")
        link = parlour.link(match)
        answer = play(client, parlour, match)
        now = parlour.look(match)
        if now.asks and now.asks[0].seat != match.asks[0].seat and now.chair(now.asks[0].seat).player == parlour.person("Ann").id:
            return link, answer, now


def test_while_house_bots_are_at_it_the_page_looks_again_by_itself(client: FlaskClient, parlour: Parlour):
    link, answer, _ = to_bots(client, parlour)
    assert (answer.status_code, answer.location) == (303, f"{link}/next")
    waiting = client.get(answer.location)
    assert waiting.status_code == 200
    assert '<meta http-equiv="refresh" content="2">' in waiting.text
    assert "house bot (random) plays in a moment" in words(waiting.text).lower()
    assert "has until" not in words(waiting.text)


def test_when_they_have_played_it_leads_to_the_fresh_link_with_what_was_played_and_followed(client: FlaskClient, parlour: Parlour):
    while True:
        match = parlour.choosing("Ann")
        line, link = parlour.legal(match)[0], parlour.link(match)
        client.post(link, data={"ply": match.ply, "action": line})
        now = parlour.bots(match)
        if now.asks and now.asks[0].version != match.asks[0].version:
            break
    on = client.get(f"{link}/next")
    assert (on.status_code, on.location) == (303, parlour.link(now, expires=now.asks[0].due + 30 * 86_400_000 - parlour.watch.now))
    page = words(client.get(on.location).text)
    assert "It is your turn" in page
    assert f"In your last turn you played {line}" in page
    assert "What followed" in page


def test_the_next_turn_of_the_same_player_is_one_redirect_away(client: FlaskClient, parlour: Parlour):
    link, answer, _ = to_herself(client, parlour)
    assert answer.status_code == 303
    assert answer.location not in (link, f"{link}/next")
    assert "It is your turn" in words(client.get(answer.location).text)


def test_a_page_of_the_turn_just_played_offers_the_way_on(client: FlaskClient, parlour: Parlour):
    link, _, now = to_bots(client, parlour)
    assert parlour.bots(now).asks
    page = client.get(link)
    assert f'href="{link}/next"' in page.text
    assert "You need not wait for its mail" in words(page.text)


def test_an_older_link_leads_to_no_newer_one(client: FlaskClient, parlour: Parlour, watch: Watch):
    link, _, now = to_bots(client, parlour)
    asked = parlour.bots(now)
    watch.now += 600_001
    assert client.get(f"{link}/next").location == link
    assert "The link for it comes with your newest mail" in words(client.get(link).text)
    watch.now -= 600_001
    later = parlour.bots(parlour.play(asked))
    if later.asks:
        assert client.get(f"{link}/next").location == link


def test_a_link_by_which_nothing_was_played_leads_nowhere(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann")
    link = parlour.link(match)
    assert client.get(f"{link}/next").location == link
    assert client.get(f"{parlour.link(match, 'view')}/next").location == parlour.link(match, "view")


def test_where_somebody_else_is_asked_the_link_stays(client: FlaskClient, parlour: Parlour):
    while True:
        match = parlour.choosing("Ann", "Bo", "Cy", "Di")
        link, answer, now = parlour.link(match), play(client, parlour, match), parlour.look(match)
        if now.asks and now.chair(now.asks[0].seat).player != parlour.person("Ann").id:
            break
    assert answer.location == link
    assert "refresh" not in client.get(link).text


def test_waiting_writes_nothing(client: FlaskClient, parlour: Parlour):
    link, _, _ = to_bots(client, parlour)
    before = parlour.written()
    client.get(f"{link}/next")
    assert parlour.written() == before


def test_a_link_whose_turn_was_taken_back_says_so_and_leads_to_no_other(client: FlaskClient, parlour: Parlour):
    while True:
        match = parlour.choosing("Ann", "Bo", "Cy", "Di")
        link = parlour.link(match)
        if parlour.play(match, parlour.legal(match)[0]).mark is not None:
            break
    client.post(link, data={"do": "take-back"})
    page = client.get(link)
    assert "<h1>Taken back</h1>" in page.text
    assert "You took back what you had played with this link" in words(page.text)
    assert client.get(f"{link}/next").location == link


JUNK = [".", ",", ")", "=3D", "%3E", "/", ">", "..."]


@pytest.mark.parametrize("junk", JUNK)
def test_a_page_of_a_link_survives_what_mail_programs_hang_on(client: FlaskClient, parlour: Parlour, junk: str):
    link = parlour.link(parlour.choosing("Ann"))
    for page in ("history", "history.ndjson", "board.svg"):
        answer = client.get(f"{link}/{page}{junk}")
        assert (answer.status_code, answer.location) == (303, f"{link}/{page}")
    assert client.get(f"{link}/history{junk}?version=3&token=x").location == f"{link}/history?version=3"
    assert client.get(f"{link}{junk}/history").status_code == (200 if junk != "/" else 404)


def test_a_page_that_a_link_has_not_is_the_link_s_own(client: FlaskClient, parlour: Parlour):
    link = parlour.link(parlour.choosing("Ann"))
    for rest in ("historyx", "x/y", "=3D"):
        assert client.get(f"{link}/{rest}").location == link


@pytest.mark.parametrize("path", ["/m/", "/m", "/m/x/history", "/m/x/history.ndjson", "/m/x/board.svg", "/m/x/history.", "/m/x/next", "/m/x/y"])
def test_what_is_left_of_a_link_offers_to_mail_the_links_again(client: FlaskClient, path: str):
    page = client.get(path)
    assert page.status_code == 404
    assert "This link is damaged or unknown" in words(page.text)
    assert "Mail me my links" in words(page.text)


def test_a_faded_link_has_no_history_but_help(client: FlaskClient, parlour: Parlour, watch: Watch):
    link = parlour.link(parlour.choosing("Ann"), expires=600_000)
    watch.now += 1_800_001
    page = client.get(f"{link}/history")
    assert page.status_code == 410
    assert "Mail me the current link" in words(page.text)
