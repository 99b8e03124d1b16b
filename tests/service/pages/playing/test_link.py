"""A link from a mail: GET shows and writes nothing, POST plays, and a second click ends where the first one did."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.match.events import ActionTaken
from domain.match.match import Match
from infra.seals.keys import Keys
from infra.seals.tokens import Purpose, Token, Tokens
from infra.settings import Settings
from tests.people import Watch
from tests.service.pages.parlour import DAY, Parlour, words


def said(response: TestResponse) -> str:
    return words(response.text)


@pytest.fixture
def match(parlour: Parlour) -> Match:
    """A match in which Ann is to choose."""
    return parlour.choosing("Ann")


def test_a_link_shows_the_board_the_deadline_and_every_legal_action(client: FlaskClient, parlour: Parlour, match: Match):
    page = client.get(parlour.link(match))
    assert page.status_code == 200
    assert "It is your turn" in said(page) or "Your turn goes on" in said(page)
    assert "Play by Wednesday 2 December 2026, 12:00 UTC, in 3 days" in said(page)
    assert "<svg" in page.text
    assert "The position in words" in said(page)
    for line in parlour.legal(match):
        assert f'value="{line.replace(">", "&gt;")}"' in page.text
    assert "checked" not in page.text


def test_a_link_of_a_choice_has_it_ticked(client: FlaskClient, parlour: Parlour, match: Match):
    second = parlour.legal(match)[1]
    page = client.get(parlour.link(match, choice=2))
    assert f"Play {second}?" in said(page)
    assert page.text.count(" checked") == 1
    assert f'value="{second.replace(">", "&gt;")}" required checked' in page.text
    assert f"What do you do? Play {second}" in said(page)


def test_a_link_of_a_choice_ticks_nothing_once_its_seat_has_played_on(client: FlaskClient, parlour: Parlour):
    match, after = parlour.going_on()
    page = client.get(parlour.link(match, choice=2))
    assert "since this link was mailed" not in said(page)
    assert f"In this turn you have played {parlour.legal(match)[0]}" in said(page)
    assert " checked" not in page.text
    for line in parlour.legal(after):
        assert f'value="{line.replace(">", "&gt;")}"' in page.text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("purpose", ["move", "view", "resign"])
def test_looking_writes_nothing(client: FlaskClient, parlour: Parlour, match: Match, method: str, purpose: Purpose):
    link = parlour.link(match, purpose)
    before = parlour.written()
    for path in (link, f"{link}?say=deploy", f"{link}/history", f"{link}/history?version=3", f"{link}/history.ndjson", f"{link}/board.svg"):
        assert client.open(path, method=method).status_code == 200
    assert parlour.written() == before
    assert parlour.look(match).version == match.version


def test_a_write_would_be_noticed(parlour: Parlour):
    before = parlour.written()
    parlour.site.redis.set("something", "1")
    once = parlour.written()
    parlour.site.redis.set("something", "2")
    assert before != once != parlour.written()


def test_post_plays_and_leads_back_to_the_page(client: FlaskClient, parlour: Parlour, match: Match):
    link, line = parlour.link(match), parlour.legal(match)[0]
    response = client.post(link, data={"ply": match.ply, "action": line})
    assert response.status_code == 303
    assert parlour.look(match).ply > match.ply
    page = client.get(link)
    assert page.status_code == 200
    assert line in said(page)
    assert "With this link you played" in said(page) or "In this turn you have played" in said(page)


def test_the_event_names_the_link_as_the_way_in(client: FlaskClient, parlour: Parlour, match: Match):
    client.post(parlour.link(match), data={"ply": match.ply, "action": parlour.legal(match)[0]})
    assert b'"via":"link"' in bytes(parlour.site.desk.history(match.id, match.version)[0].by)


def test_a_second_click_writes_nothing_and_leads_to_the_same_page(client: FlaskClient, parlour: Parlour, match: Match):
    link, data = parlour.link(match), {"ply": match.ply, "action": parlour.legal(match)[0]}
    first = client.post(link, data=data)
    version, before = parlour.look(match).version, parlour.written()
    second = client.post(link, data=data)
    assert (second.status_code, second.location) == (303, first.location)
    assert parlour.look(match).version == version
    assert parlour.written() == before


def test_the_same_action_by_another_link_of_the_turn_counts_once(client: FlaskClient, parlour: Parlour, match: Match):
    line = parlour.legal(match)[0]
    client.post(parlour.link(match), data={"ply": match.ply, "action": line})
    version = parlour.look(match).version
    assert (
        client.post(parlour.link(match, choice=1, ask=match.asks[0].version, seat="north"), data={"ply": match.ply, "action": line}).status_code
        == 303
    )
    assert parlour.look(match).version == version


def test_the_same_action_spelled_otherwise_counts_once(client: FlaskClient, parlour: Parlour, match: Match):
    link, line = parlour.link(match), parlour.legal(match)[0]
    client.post(link, data={"ply": match.ply, "action": line})
    version = parlour.look(match).version
    assert client.post(link, data={"ply": match.ply, "action": f"  {line.upper()} "}).status_code == 303
    assert parlour.look(match).version == version


def test_ten_clicks_at_once_play_once(app: Flask, parlour: Parlour, match: Match):
    link, data = parlour.link(match), {"ply": match.ply, "action": parlour.legal(match)[0]}
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: app.test_client().post(link, data=data).status_code, range(10)))
    assert answers == [303] * 10
    taken = [line for line in parlour.site.desk.history(match.id, match.version) if line.type == "action.taken" and b'"link"' in bytes(line.by)]
    assert len(taken) == 1


def test_another_action_for_a_ply_already_played_is_told_what_counts(client: FlaskClient, parlour: Parlour, match: Match):
    link, lines = parlour.link(match), parlour.legal(match)
    client.post(link, data={"ply": match.ply, "action": lines[0]})
    version = parlour.look(match).version
    page = client.post(link, data={"ply": match.ply, "action": lines[1]})
    assert page.status_code == 409
    assert f"“{lines[1]}” was not played: at that point you had already played {lines[0]}, and that counts" in said(page)
    assert parlour.look(match).version == version


def test_two_tabs_with_different_actions_play_one_of_them(app: Flask, parlour: Parlour, match: Match):
    link, lines = parlour.link(match), parlour.legal(match)[:2]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda line: app.test_client().post(link, data={"ply": match.ply, "action": line}).status_code, lines))
    assert sorted(answers) == [303, 409]


def test_an_illegal_action_is_explained_and_kept_in_the_field(client: FlaskClient, parlour: Parlour, match: Match):
    page = client.post(parlour.link(match), data={"ply": match.ply, "action": "deploy c3" if "deploy" in parlour.legal(match)[0] else "N1>e5"})
    assert page.status_code == 422
    assert "Not played: " in said(page)
    assert "(FO-" in said(page)
    assert 'value="deploy c3"' in page.text or 'value="N1&gt;e5"' in page.text
    assert parlour.look(match).version == match.version


@pytest.mark.parametrize(
    "line", ["xyzzy", "<script>alert(1)</script>", "S1\x00>c2", "\u202eevil\u2028", "a" * 999, "a" * 1001, "é" * 300, ";;;", "deploy a1;" * 50]
)
def test_a_line_that_is_no_action_is_answered_in_words(client: FlaskClient, parlour: Parlour, match: Match, line: str):
    page = client.post(parlour.link(match), data={"ply": match.ply, "action": line})
    assert page.status_code in (409, 422)
    assert "Not played: " in said(page)
    assert "<script>alert" not in page.text
    assert not set("\x00\u202e\u2028") & set(page.text)
    assert parlour.look(match).version == match.version


@pytest.mark.parametrize("ply", [None, "", "-1", "1e3", "９", "9" * 10])
def test_a_form_without_its_ply_is_refused(client: FlaskClient, parlour: Parlour, match: Match, ply: str | None):
    page = client.post(parlour.link(match), data={"action": "deploy a1"} | ({} if ply is None else {"ply": ply}))
    assert page.status_code == 400
    assert "Nothing was played" in said(page)


@pytest.mark.parametrize("line", [None, "", " \n", "\u200b"])
def test_a_form_without_a_choice_asks_for_one(client: FlaskClient, parlour: Parlour, match: Match, line: str | None):
    page = client.post(parlour.link(match), data={"ply": match.ply} | ({} if line is None else {"action": line}))
    assert page.status_code == 422
    assert "Nothing was chosen yet" in said(page)


def test_a_line_is_read_as_the_api_reads_it(client: FlaskClient, parlour: Parlour):
    """In full-width letters, with what cannot be seen in it, and several at once, each in the position after the one before."""
    before, after = parlour.going_on()
    line = parlour.legal(after)[0]
    typed = "\u200b".join(chr(ord(sign) + 0xFEE0) if sign.isalnum() else sign for sign in line)
    assert client.post(parlour.link(before), data={"ply": after.ply, "action": f"{typed};\u2028"}).status_code == 303
    played = parlour.site.desk.events(parlour.look(after))[after.version].fact
    assert isinstance(played, ActionTaken)
    assert played.text == line


def test_times_are_those_of_the_readers_zone(client: FlaskClient, parlour: Parlour, match: Match):
    parlour.site.players.live_in(parlour.person("Ann").id, "Europe/Berlin")
    assert "Play by Wednesday 2 December 2026, 13:00 Europe/Berlin (UTC+01:00), in 3 days" in said(client.get(parlour.link(match)))
    history = said(client.get(f"{parlour.link(match)}/history"))
    assert "times in Europe/Berlin" in history
    assert "on the site 13:00:00" in history


def test_a_button_that_there_is_not_does_nothing(client: FlaskClient, parlour: Parlour, match: Match):
    page = client.post(parlour.link(match), data={"do": "win"})
    assert page.status_code == 400
    assert "This page has no button “win”" in said(page)


def test_a_body_that_is_too_large_is_refused(client: FlaskClient, parlour: Parlour, match: Match):
    page = client.post(parlour.link(match), data={"ply": match.ply, "action": "a" * 40_000})
    assert page.status_code == 413
    assert "larger than" in said(page)
    assert parlour.look(match).version == match.version


def test_a_link_whose_turn_is_past_shows_what_became_of_it(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    link, line = parlour.link(match), parlour.legal(match)[0]
    client.post(link, data={"ply": match.ply, "action": line})
    now = parlour.look(match)
    while now.ask(match.asks[0].seat) == match.asks[0]:
        now = parlour.play(match)
    page = client.get(link)
    assert page.status_code == 200
    assert "With this link you played" in said(page)
    assert line in said(page)
    assert now.asks[0].seat.capitalize() in said(page)
    assert 'name="action"' not in page.text


def test_a_late_player_reads_that_the_turn_is_over(client: FlaskClient, parlour: Parlour, match: Match, watch: Watch):
    link = parlour.link(match, expires=30 * DAY)
    watch.now = match.asks[0].due + 1
    assert "The time for this turn ran out at Wednesday 2 December 2026, 12:00 UTC" in said(client.get(link))
    page = client.post(link, data={"ply": match.ply, "action": parlour.legal(match)[0]})
    assert page.status_code == 409
    assert "the time for this turn ran out" in said(page)
    assert parlour.look(match).version == match.version


def test_an_expired_link_helps_on(client: FlaskClient, parlour: Parlour, match: Match, watch: Watch):
    link = parlour.link(match, expires=600_000)
    watch.now += 1_800_001
    page = client.get(link)
    assert page.status_code == 410
    assert "This link has expired" in said(page)
    assert "Mail me the current link" in said(page)
    assert client.post(link, data={"ply": match.ply, "action": parlour.legal(match)[0]}).status_code == 410
    assert parlour.look(match).version == match.version
    assert client.post(link, data={"do": "resend"}).status_code == 303
    assert parlour.site.outbox.waiting() == 1


@pytest.mark.parametrize("damage", ["", "x", "short", "a" * 45, "a" * 46, "../../etc/passwd", "%00", "é" * 45, "A" * 4000])
def test_what_is_no_token_gets_a_helpful_404(client: FlaskClient, damage: str):
    for method in ("GET", "POST"):
        page = client.open(f"/m/{damage}", method=method)
        assert page.status_code == 404
        assert "Traceback" not in page.text
        assert "<html" in page.text


def test_a_damaged_link_is_explained(client: FlaskClient, parlour: Parlour, match: Match):
    token = parlour.token(match)
    other = "0" if token[20] != "0" else "1"
    page = client.get(f"/m/{token[:20]}{other}{token[21:]}")
    assert page.status_code == 404
    assert "This link is damaged or unknown" in said(page)
    assert "Mail me my links" in said(page)


def test_a_link_in_capitals_with_a_full_stop_still_opens(client: FlaskClient, parlour: Parlour, match: Match):
    token = parlour.token(match)
    for spelled in (token.upper(), f"{token}.", f"{token}>", token.replace("0", "o").replace("1", "l"), f"{token}/"):
        assert client.get(f"/m/{spelled}").status_code == 200, spelled


@pytest.mark.parametrize("purpose", ["unsubscribe", "reply", "feed", "sign-in"])
def test_a_token_for_something_else_opens_nothing(client: FlaskClient, parlour: Parlour, match: Match, purpose: Purpose):
    assert client.get(parlour.link(match, purpose)).status_code == 404


def test_a_token_of_another_site_opens_nothing(client: FlaskClient, parlour: Parlour, match: Match, tmp_path):
    foreign = Tokens(Keys(Settings.development(tmp_path / "foreign")))
    token = foreign.seal(Token("move", match.id, 0, match.asks[0].version, 0, 0, parlour.watch.now + DAY))
    assert client.get(f"/m/{token}").status_code == 404


def test_a_token_of_a_match_that_there_is_not_opens_nothing(client: FlaskClient, parlour: Parlour):
    token = parlour.site.tokens.seal(Token("move", "07-0000000000", 0, 3, 0, 0, parlour.watch.now + DAY))
    assert client.get(f"/m/{token}").status_code == 404


def test_a_link_to_look_has_no_rights(client: FlaskClient, parlour: Parlour, match: Match):
    link = parlour.link(match, "view")
    assert 'name="action"' not in client.get(link).text
    for data in (
        {"ply": match.ply, "action": parlour.legal(match)[0]},
        {"do": "take-back"},
        {"do": "resign", "word": "resign"},
        {"do": "offer", "offer": "1"},
    ):
        page = client.post(link, data=data)
        assert page.status_code == 403
        assert "This link only shows the match" in said(page)
    assert parlour.look(match).version == match.version


def test_a_link_speaks_for_its_own_seat_alone(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    theirs = parlour.link(match, seat=match.seats_of(parlour.person("Bo").id)[0], ask=match.asks[0].version)
    page = client.post(theirs, data={"ply": match.ply, "action": parlour.legal(match)[0]})
    assert page.status_code == 409
    assert parlour.look(match).version == match.version


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_another_method_is_refused(client: FlaskClient, parlour: Parlour, match: Match, method: str):
    page = client.open(parlour.link(match), method=method)
    assert page.status_code == 405
    assert {allowed.strip() for allowed in page.headers["Allow"].split(",")} == {"GET", "HEAD", "POST"}


def test_the_headers_keep_the_link_to_itself(client: FlaskClient, parlour: Parlour, match: Match):
    for path in (parlour.link(match), "/m/damaged", f"{parlour.link(match)}/history", "/nowhere"):
        headers = client.get(path).headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Robots-Tag"] == "noindex, nofollow"
        assert headers["X-Content-Type-Options"] == "nosniff"
        policy = "default-src 'none'; img-src 'self' data:; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        scripts = "; script-src 'self'; connect-src 'self'" if path.endswith("/history") else ""
        assert headers["Content-Security-Policy"] == policy + scripts
        assert "Set-Cookie" not in headers


def test_no_page_but_the_sliding_history_has_a_script_and_none_has_anything_from_elsewhere(client: FlaskClient, parlour: Parlour, match: Match):
    for path in (
        parlour.link(match),
        parlour.link(match, "view"),
        parlour.link(match, "resign"),
        f"{parlour.link(match)}/history",
        "/",
        "/games/fourfold",
        "/lost",
    ):
        html = client.get(path).text
        assert re.findall("<script[^>]*>", html) == (['<script type="module" src="/static/history.js">'] if path.endswith("/history") else [])
        assert " style=" not in html
        assert " onclick" not in html
        assert "//" not in html.replace("http://www.w3.org/2000/svg", "")


def test_no_token_is_written_to_the_log(client: FlaskClient, parlour: Parlour, match: Match, caplog: pytest.LogCaptureFixture):
    caplog.set_level("DEBUG")
    link = parlour.link(match)
    client.get(link)
    client.post(link, data={"ply": match.ply, "action": parlour.legal(match)[0]})
    client.put(link)
    client.get(f"{link}x")
    assert link[3:] not in caplog.text
    assert "/m/<token>" in caplog.text


def test_the_first_post_confirms_the_address(client: FlaskClient, parlour: Parlour, match: Match):
    link = parlour.link(match)
    client.get(link)
    assert parlour.person("Ann").confirmed is False
    client.post(link, data={"ply": match.ply, "action": parlour.legal(match)[0]})
    assert parlour.person("Ann").confirmed is True
