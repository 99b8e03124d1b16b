"""The start page: a form that starts a match once, says beside each field what is wrong, and lets nobody flood a mailbox."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.match.events import SeatTaken
from tests.service.pages.parlour import Parlour, words
from tests.service.pages.visitor import Visitor

FORM = {
    "name": "Ann",
    "address": "ann@example.org",
    "game": "fourfold",
    "invited": "",
    "others": "bot:random",
    "mine": "1",
    "pace": "3",
    "unit": "days",
    "undo_seconds": "60",
    "seating": "random",
    "auto_forced": "yes",
    "entropy": "",
    "fourfold.max_runners": "16",
    "fourfold.goals_to_win": "4",
    "fourfold.max_turns": "",
}


def once(client: FlaskClient) -> str:
    found = re.search(r'name="once" value="([0-9a-f]{32})"', client.get("/").text)
    assert found
    return found[1]


def started(location: str) -> str:
    """The match that the form led to."""
    return location.split("/")[2]


def test_the_page_says_what_this_is_and_asks_for_little(client: FlaskClient):
    page = client.get("/")
    assert page.status_code == 200
    assert "When it is your turn, you get a mail with the board in it" in words(page.text)
    assert set(re.findall(r'name="(\w+)"[^>]* required', page.text)) == {"name", "address"}


def test_every_game_says_how_many_seats_it_has(client: FlaskClient):
    for page in ("/", "/games"):
        assert "for 2, 3 or 4 seats" in words(client.get(page).text).casefold()
        assert "2 or 3" not in words(client.get(page).text)


def test_opening_the_page_writes_nothing(client: FlaskClient, parlour: Parlour):
    before = parlour.written()
    for method in ("GET", "HEAD"):
        assert client.open("/", method=method).status_code == 200
    assert parlour.written() == before


def test_name_address_and_a_click_start_a_match_against_three_house_bots(client: FlaskClient, parlour: Parlour):
    response = client.post("/", data=FORM | {"once": once(client)})
    assert response.status_code == 303
    match = parlour.look(started(response.location))
    ann = parlour.person("Ann")
    assert (match.status, match.game.id, match.creator) == ("live", "fourfold", ann.id)
    assert sorted(chair.bot or "" for chair in match.chairs) == ["", "random", "random", "random"]
    assert (ann.address, ann.confirmed) == ("ann@example.org", False)
    page = client.get(response.location)
    assert page.status_code == 200
    assert "A mail is under way" in words(page.text)
    assert "ann@example.org" in words(page.text)
    assert 'href="/dev/mail"' in page.text


def test_the_page_that_names_an_address_is_for_whoever_sent_the_form(client: FlaskClient, parlour: Parlour):
    location = client.post("/", data=FORM).location
    match = started(location)
    for path in (f"/started/{match}/0", f"/started/{match}/{'0' * 24}", f"/started/00-0000000000/{location.split('/')[3]}", "/started/x/é"):
        assert client.get(path).status_code == 404


def test_two_clicks_start_one_match(app: Flask, client: FlaskClient, parlour: Parlour):
    data = FORM | {"once": once(client)}
    with ThreadPoolExecutor(4) as pool:
        locations = set(pool.map(lambda _: app.test_client().post("/", data=data).location, range(4)))
    assert len(locations) == 1
    assert len(parlour.site.redis.keys("*:ev")) == 1


def test_going_back_and_changing_the_form_starts_another_match(client: FlaskClient):
    key = once(client)
    first = client.post("/", data=FORM | {"once": key})
    second = client.post("/", data=FORM | {"once": key, "fourfold.goals_to_win": "2"})
    assert started(first.location) != started(second.location)


def test_every_option_reaches_the_match(client: FlaskClient, parlour: Parlour):
    wishes = {
        "fourfold.max_runners": "8",
        "fourfold.goals_to_win": "2",
        "fourfold.max_turns": "30",
        "pace": "90",
        "unit": "minutes",
        "undo_seconds": "0",
        "seating": "joined",
        "auto_forced": "",
        "visibility": "public",
        "others": "bot:greedy" if "greedy" in client.get("/").text else "bot:random",
        "mine": "2",
        "entropy": "my own pinch",
    }
    match = parlour.look(started(client.post("/", data=FORM | wishes).location))
    assert (match.options.max_runners, match.options.goals_to_win, match.options.max_turns) == (8, 2, 30)
    settings = match.settings
    assert (settings.clock.seconds, settings.undo_seconds, settings.seating, settings.auto_forced) == (5400, 0, "joined", False)
    assert settings.visibility == "public"
    assert match.seats_of(parlour.person("Ann").id) == ("north", "east")
    assert match.entropy == b"my own pinch\n"


def test_what_cannot_be_started_is_told_with_the_address_that_was_typed(client: FlaskClient, parlour: Parlour):
    parlour.site.players.suppress(parlour.site.players.add("Ann", "ANN@Example.org").id, "550 no such user")
    said = words(client.post("/", data=FORM).text)
    assert "started for ann@example.org just now" in said
    assert "ANN@" not in said


def test_a_seat_cannot_be_left_to_nobody(client: FlaskClient):
    assert 'value="open"' not in client.get("/").text
    assert "Fourfold has the house bots" in words(client.post("/", data=FORM | {"others": "open"}).text)


def test_hints_begin_with_a_capital(client: FlaskClient):
    page = client.get("/").text
    hints = re.findall(r'class="about"[^>]*>\s*(\w)', page)
    assert len(hints) > 5
    assert [hint for hint in hints if hint.islower()] == []


def test_people_are_invited_and_the_rest_goes_to_bots(client: FlaskClient, parlour: Parlour):
    data = FORM | {"invited": "bo@example.org\r\n\r\n Cy@Example.ORG \n", "seating": "joined"}
    match = parlour.look(started(client.post("/", data=data).location))
    assert match.status == "waiting"
    assert [chair.invited for chair in match.chairs] == [None, parlour.person("Bo").id, parlour.person("Cy").id, None]
    assert match.chairs[3].bot == "random"
    assert parlour.person("Bo").name == "Bo"


@pytest.mark.parametrize(
    ("field", "value", "words_beside"),
    [
        ("name", "", "A name needs at least one letter or digit."),
        ("name", "x" * 41, "A name has at most 40 characters, and this one has 41."),
        ("name", "Ann\x07", "Please leave out a control character"),
        ("name", "A\u202enn", "Please leave out an invisible character"),
        ("name", "http://evil.example", "A name must not look like a mail or web address"),
        ("address", "", "as in ann@example.org"),
        ("address", "ann", "is no mail address"),
        ("address", "ann@example.org\r\nBcc: x@y.org", "leave out"),
        ("game", "chess", "Choose one of the games"),
        ("invited", "not an address", "is no mail address"),
        ("invited", "ann@example.org", "is your own address"),
        ("invited", "a@x.org\nb@x.org\nc@x.org\nd@x.org", "There is room for 3 others, and these are 4 addresses."),
        ("others", "bot:deep-blue", "Fourfold has the house bots"),
        ("mine", "4", "Choose from 1 to 3 seats for yourself."),
        ("pace", "0", "A turn can have from 1 minute to 365 days"),
        ("pace", "soon", "A turn can have from 1 minute to 365 days"),
        ("pace", "9999", "A turn can have from 1 minute to 365 days"),
        ("unit", "years", "Choose minutes, hours, days."),
        ("undo_seconds", "-1", "This takes a whole number from 0 to 86400."),
        ("fourfold.goals_to_win", "11", "This takes a whole number from 1 to 10."),
        ("fourfold.goals_to_win", "", "This takes a whole number from 1 to 10."),
        ("fourfold.max_turns", "none", "This takes a whole number of at least 1, or nothing at all."),
        ("entropy", "x" * 101, "At most 100 letters, digits and signs."),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(client: FlaskClient, parlour: Parlour, field: str, value: str, words_beside: str):
    page = client.post("/", data=FORM | {field: value})
    assert page.status_code == 422
    said = words(page.text)
    assert words_beside in said
    assert "Nothing was started yet" in said
    kept = "name" if field == "address" else "address"
    assert f'name="{kept}"' in page.text
    assert f'value="{FORM[kept]}"' in page.text
    assert parlour.site.redis.keys("*:ev") == []


def test_what_was_typed_is_kept_and_never_becomes_markup(client: FlaskClient):
    page = client.post("/", data=FORM | {"name": '"><script>alert(1)</script>', "address": "wrong", "invited": "</textarea><b>x"})
    assert page.status_code == 422
    assert "<script>" not in page.text
    assert "</textarea><b>" not in page.text
    assert "&lt;/textarea&gt;&lt;b&gt;x" in page.text


def test_an_unconfirmed_address_has_room_for_five_matches(client: FlaskClient, parlour: Parlour):
    for number in range(5):
        assert client.post("/", data=FORM | {"entropy": str(number)}).status_code == 303
    page = client.post("/", data=FORM | {"entropy": "one too many"})
    assert page.status_code == 429
    assert "No more matches can be started for ann@example.org just now" in words(page.text)
    parlour.site.players.confirm(parlour.person("Ann").id)
    assert client.post("/", data=FORM | {"entropy": "now"}).status_code == 303


def test_many_at_once_are_not_let_in_either(app: Flask, parlour: Parlour):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: app.test_client().post("/", data=FORM | {"entropy": str(number)}).status_code, range(12)))
    assert answers.count(303) <= 5
    assert len(parlour.site.redis.keys("*:ev")) <= 5


def test_a_match_that_is_over_makes_room(client: FlaskClient, parlour: Parlour):
    matches = [started(client.post("/", data=FORM | {"entropy": str(number), "fourfold.goals_to_win": "1"}).location) for number in range(5)]
    parlour.through(matches[0])
    assert client.post("/", data=FORM | {"entropy": "one more"}).status_code == 303


def test_nobody_can_be_flooded_with_invitations(client: FlaskClient, parlour: Parlour):
    for number in range(5):
        data = FORM | {"name": f"N{number}", "address": f"n{number}@example.org", "invited": "bo@example.org"}
        assert client.post("/", data=data).status_code == 303
    page = client.post("/", data=FORM | {"invited": "bo@example.org"})
    assert page.status_code == 429
    assert "No more matches can be started for bo@example.org just now" in words(page.text)


def test_a_known_player_keeps_their_name(client: FlaskClient, parlour: Parlour):
    parlour.person("Ann")
    client.post("/", data=FORM | {"name": "Somebody Else"})
    assert parlour.person("Ann").name == "Ann"


def test_an_address_that_mail_comes_back_from_is_not_used(client: FlaskClient, parlour: Parlour):
    parlour.site.players.suppress(parlour.person("Ann").id, "550 no such user")
    page = client.post("/", data=FORM)
    assert page.status_code == 429
    assert "No more matches can be started for ann@example.org just now" in words(page.text)
    assert "no such user" not in page.text


def test_every_seat_has_a_player_of_its_own(client: FlaskClient, parlour: Parlour):
    happened = parlour.site.desk.events(parlour.look(started(client.post("/", data=FORM).location)))
    assert len({event.fact.player for event in happened if isinstance(event.fact, SeatTaken)}) == 4
    assert happened[0].by.via == "web"


def test_whoever_is_signed_in_needs_no_address(app: Flask, parlour: Parlour):
    ann = parlour.person("Ann")
    here = Visitor(app, parlour.site).signs_in(ann)
    page = here.get("/").text
    assert "You play as Ann, and mail goes to ann@example.org." in words(page)
    assert 'name="address"' not in page
    wish: dict[str, Any] = {name: value for name, value in FORM.items() if name not in ("name", "address")}
    done = here.post("/", **wish)
    match = done.location.rpartition("/")[2]
    assert done.location == f"/matches/{match}"
    assert parlour.look(match).seats_of(ann.id)
    assert here.get(done.location).status_code == 200
    assert here.post("/", **{**wish, "proof": ""}).status_code == 403
    refused = here.post("/", **{**wish, "pace": "0"})
    assert refused.status_code == 422
    assert "You play as Ann" in words(refused.text)
    waiting = here.post("/", **{**wish, "invited": "bo@example.org"})
    assert waiting.location.startswith("/started/")
    assert Visitor(app, parlour.site).post("/", **wish).status_code == 422, "nobody is not somebody"
