"""The history of a match: every event in words, the position after each, and the file that proves it."""

import re

import msgspec
import pytest
from flask.testing import FlaskClient

from domain.match.match import Match
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.service.pages.parlour import Parlour, words


@pytest.fixture
def over(parlour: Parlour) -> Match:
    """A public match that has been played to its end."""
    return parlour.through(parlour.start("Ann", options={"goals_to_win": 1}, visibility="public"))


def test_every_event_stands_there_with_its_line(client: FlaskClient, over: Match):
    page = client.get(f"/matches/{over.id}/history")
    assert page.status_code == 200
    rows = re.findall(r'<tr class="log-[^"]*" id="v(\d+)">(.*?)</tr>', page.text, re.DOTALL)
    assert [int(version) for version, _ in rows] == list(range(1, over.version + 1))
    said = words(page.text)
    assert "Ann opened a match of Fourfold" in said
    assert "The last seat was taken and the match began" in said
    assert "The match ended (goals): 1." in said
    assert "The seed of all lots was revealed" in said


def test_chance_and_what_was_forced_are_marked(client: FlaskClient, parlour: Parlour, over: Match):
    page = client.get(f"/matches/{over.id}/history")
    lines = parlour.site.desk.history(over.id)
    drawn = sum(line.type == "chance.drawn" for line in lines)
    forced = sum(line.type == "action.taken" and b'"forced":true' in bytes(line.data) for line in lines)
    assert page.text.count('<span class="tag">chance</span>') == drawn > 0
    assert page.text.count('<span class="tag">forced') == forced > 0


def test_the_way_in_of_each_action_is_named(client: FlaskClient, over: Match):
    said = words(client.get(f"/matches/{over.id}/history").text)
    assert "by link 12:00:00" in said
    assert "house bot 12:00:00" in said


def test_the_result_comes_first(client: FlaskClient, over: Match):
    said = words(client.get(f"/matches/{over.id}/history").text)
    assert "The match is over, by goals" in said
    assert over.outcome is not None
    assert said.index("The match is over, by goals") < said.index("Ann opened a match")


def test_a_version_shows_the_position_after_it(client: FlaskClient, parlour: Parlour, over: Match):
    base = f"/matches/{over.id}"
    page = client.get(f"{base}/history?version=12")
    assert f"Version 12 of {over.version}" in words(page.text)
    past = parlour.site.desk.look_back(over.id, 12).match
    assert str(past.ply) == re.findall(r'class="postmark-ply"[^>]*>(\d+)<', page.text)[0]
    assert 'href="?version=11"' in page.text
    assert 'href="?version=13"' in page.text
    assert client.get(f"{base}/board.svg?version=12").text != client.get(f"{base}/board.svg").text


@pytest.mark.parametrize("version", ["0", "-1", "99999", "x", "1.5", "１"])
def test_a_version_that_there_is_not_is_a_404_in_words(client: FlaskClient, over: Match, version: str):
    page = client.get(f"/matches/{over.id}/history", query_string={"version": version})
    assert page.status_code == 404
    assert f"Versions of this match count its events, from 1 to {over.version}" in words(page.text)


def test_before_the_start_there_is_no_board(client: FlaskClient, over: Match):
    assert "The match had not begun" in words(client.get(f"/matches/{over.id}/history?version=1").text)
    assert client.get(f"/matches/{over.id}/board.svg?version=1").status_code == 404


def test_the_download_verifies(client: FlaskClient, parlour: Parlour, over: Match):
    page = client.get(f"/matches/{over.id}/history")
    head = parlour.site.desk.look(over.id).tip.hash.hex()
    assert head in page.text
    assert f"forgepost history verify fourfold-{over.id}.ndjson" in words(page.text)
    file = client.get(f"/matches/{over.id}/history.ndjson")
    assert file.mimetype == "application/x-ndjson"
    assert file.headers["Content-Disposition"] == f'attachment; filename="fourfold-{over.id}.ndjson"'
    lines = file.data.splitlines()
    assert len(lines) == over.version + 2
    assert msgspec.json.decode(lines[-1])["hash"] == head
    report = verify(file.data, signed)
    assert report.flaws == ()
    assert set(report.holds) == {"form", "chain", "head", "rules", "lots"}


def test_a_private_history_is_for_its_links_alone(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann")
    for path in (
        f"/matches/{match.id}",
        f"/matches/{match.id}/history",
        f"/matches/{match.id}/history.ndjson",
        f"/matches/{match.id}/history.txt",
        f"/matches/{match.id}/board.svg",
    ):
        page = client.get(path)
        assert page.status_code == 404
        assert "There is no public match of this name" in words(page.text)
    link = parlour.link(match, "view")
    assert client.get(f"{link}/history").status_code == 200
    assert client.get(f"{link}/history.ndjson").status_code == 200
    assert "you opened a match" in client.get(f"{link}/history.txt").text.lower()


@pytest.mark.parametrize("name", ["nothing", "00-0000000000", "99-0000000000", "p-0000000000", "x" * 200, "é"])
def test_a_match_that_there_is_not_is_a_404(client: FlaskClient, name: str):
    assert client.get(f"/matches/{name}").status_code == 404
    assert client.get(f"/matches/{name}/history").status_code == 404


def test_the_short_address_from_a_mail_shows_the_same_history(client: FlaskClient, parlour: Parlour):
    link = parlour.link(parlour.choosing("Ann"), "view")
    long, short = client.get(f"{link}/history"), client.get(link.replace("/m/", "/h/"))
    assert (short.status_code, short.headers["Cache-Control"]) == (200, "no-store")
    assert words(short.text) == words(long.text)


def test_a_damaged_link_has_no_history(client: FlaskClient):
    for end in ("history", "history.ndjson", "history.txt", "board.svg"):
        assert client.get(f"/m/{'0' * 45}/{end}").status_code == 404


def test_a_public_match_can_be_watched(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", visibility="public")
    page = client.get(f"/matches/{match.id}")
    assert page.status_code == 200
    assert "The match goes on" in words(page.text)
    assert f"Now it is {match.asks[0].seat.capitalize()}’s turn" in words(page.text)
    assert "<form" not in page.text


def test_the_board_is_turned_for_the_seat_of_a_link(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    boards = {client.get(f"{parlour.link(match, 'view', seat=seat)}/board.svg").text for seat in ("north", "east")}
    assert len(boards) == 2
    assert all(board.startswith("<svg") for board in boards)


def test_the_head_stands_on_the_match_and_its_history_and_there_it_is_signed(client: FlaskClient, parlour: Parlour, over: Match):
    tip = parlour.site.desk.look(over.id).tip
    head = f'<code class="hash">{tip.version}:{tip.hash.hex()}</code>'
    assert head in client.get(f"/matches/{over.id}").text
    page = client.get(f"/matches/{over.id}/history").text
    assert head in page
    assert f'<code class="hash">{parlour.site.signing.sign_head(over.id, tip.version, tip.hash)}</code>' in page


def test_it_can_be_read_as_a_text(client: FlaskClient, parlour: Parlour, over: Match):
    page = client.get(f"/matches/{over.id}/history")
    assert f'href="/matches/{over.id}/history.txt"' in page.text
    text = client.get(f"/matches/{over.id}/history.txt")
    assert text.mimetype == "text/plain"
    assert text.headers["Content-Disposition"] == f'inline; filename="fourfold-{over.id}.txt"'
    assert "Z  Ann opened a match of Fourfold (" in text.text
    head = parlour.site.desk.look(over.id).tip.hash.hex()
    assert f"Hash       {head}\n" in text.text
