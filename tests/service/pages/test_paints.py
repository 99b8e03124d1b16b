"""The seats' colours on the pages: each game's own, and where no game is, by place."""

from flask.testing import FlaskClient

from tests.service.pages.parlour import Parlour


def test_the_style_sheet_paints_the_seats_of_every_game_on_light_and_dark_grounds(client: FlaskClient):
    answer = client.get("/paints.css")
    light, dark = answer.text.split("@media (prefers-color-scheme: dark) {")
    assert answer.mimetype == "text/css"
    assert ":root { --seat-0: #1d4ed8; --seat-1: #b91c1c; --seat-2: #047857; --seat-3: #7e22ce; }" in light
    assert ".paints-four-forges { --seat-0: #8a5a0a; --seat-1: #0c6b4e; --seat-2: #59616b; --seat-3: #1f4f9e; }" in light
    assert ".paints-steinnheimr { --seat-0: #b91c1c; --seat-1: #1d4ed8; --seat-2: #047857; --seat-3: #a16207; }" in light
    assert ".paints-steinnheimr { --seat-0: #ff8f84; --seat-1: #86abff; --seat-2: #5ecf9e; --seat-3: #f0c552; }" in dark


def test_the_style_sheet_is_sent_once_and_asked_for_by_every_page(client: FlaskClient):
    answer = client.get("/paints.css")
    assert client.get("/paints.css", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    for page in ("/", "/games", "/nowhere"):
        assert '<link rel="stylesheet" href="/paints.css">' in client.get(page).text


def test_a_page_of_a_match_and_a_guide_say_of_which_game_they_are(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", game="steinnheimr", visibility="public")
    assert '<body class="paints-steinnheimr">' in client.get(f"/matches/{match.id}").text
    assert '<body class="paints-steinnheimr">' in client.get(parlour.link(match)).text
    assert '<body class="paints-four-forges">' in client.get("/games/four-forges").text
    assert "<body>" in client.get("/games").text
