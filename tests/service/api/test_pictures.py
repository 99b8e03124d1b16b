"""The board by API: SVG, PNG, text; now and then, and turned for a seat."""

from io import BytesIO
from xml.etree import ElementTree as ET

from PIL import Image

from domain.games import GAMES
from domain.match.match import Match
from infra.wiring import Site
from tests.service.api.person import ALL_MINE, ME, OPEN, RANDOM, Person, refused


def live(site: Site, match: str) -> Match:
    """The match behind the id."""
    return site.desk.look(match).match


def test_the_svg_is_the_games_own_with_the_last_actions_marked(ann: Person, site: Site):
    match = ann.plays(ann.creates(*ALL_MINE))
    response = ann.get(f"/matches/{match['id']}/board.svg")
    assert response.mimetype == "image/svg+xml"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    drawn = response.get_data(as_text=True)
    assert ET.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own
    assert f"Last: deploy {next(iter(match['view']['court']))}" in drawn


def test_the_board_is_turned_for_the_seat(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    drawn = {seat: ann.get(f"/matches/{match}/board.svg?seat={seat}").data for seat in GAMES["fourfold"].seats}
    assert len(set(drawn.values())) == 4
    assert all(f"{seat.capitalize()} (you)".encode() in svg for seat, svg in drawn.items())


def test_the_png_is_small_and_has_few_colours(ann: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    response = ann.get(f"/matches/{match}/board.png")
    assert response.mimetype == "image/png"
    image = Image.open(BytesIO(response.data))
    assert image.width == 720
    assert image.mode == "P"
    assert len(response.data) <= 60 * 1024


def test_the_text_is_the_games_own(ann: Person, site: Site):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    response = ann.get(f"/matches/{match}/board.txt?seat=north")
    assert response.content_type == "text/plain; charset=utf-8"
    assert response.get_data(as_text=True) == GAMES["fourfold"].text(live(site, match).state) + "\n"


def test_an_earlier_board_can_be_seen(ann: Person):
    before = ann.creates(*ALL_MINE)
    then = ann.get(f"/matches/{before['id']}/board.txt").data
    ann.plays(before)
    assert ann.get(f"/matches/{before['id']}/board.txt").data != then
    assert ann.get(f"/matches/{before['id']}/board.txt?version={before['version']}").data == then


def test_a_picture_has_the_etag_of_its_version(ann: Person):
    match = ann.creates(*ALL_MINE)
    for form in ("svg", "png", "txt"):
        first = ann.get(f"/matches/{match['id']}/board.{form}")
        assert first.headers["ETag"] == f'"{match["version"]}-{match["head"]["hash"][:16]}"'
        again = ann.get(f"/matches/{match['id']}/board.{form}", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


def test_there_is_no_board_before_the_start(ann: Person):
    match = ann.creates(ME, OPEN, RANDOM, RANDOM)["id"]
    refused(ann.get(f"/matches/{match}/board.svg"), 409, "not-live")
    live_one = ann.creates(*ALL_MINE)["id"]
    refused(ann.get(f"/matches/{live_one}/board.png?version=1"), 409, "not-live")


def test_what_is_not_there_is_refused(ann: Person):
    match = ann.creates(*ALL_MINE)
    refused(ann.get(f"/matches/{match['id']}/board.svg?seat=up"), 422, "no-such-seat")
    refused(ann.get(f"/matches/{match['id']}/board.svg?version={match['version'] + 1}"), 404, "no-such-version")
    refused(ann.get(f"/matches/{match['id']}/board.gif"), 404, "not-found")
