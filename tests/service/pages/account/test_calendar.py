"""Deadlines as a calendar that other programs read, at an address that can be put out of use."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from icalendar import Calendar

from domain.match.commands import Actor, Answer, Offer
from domain.match.match import Match
from infra.listing import row
from tests.service.pages.parlour import Parlour, words
from tests.service.pages.visitor import Visitor


@pytest.fixture
def match(parlour: Parlour) -> Match:
    """Ann's turn."""
    found = parlour.choosing("Ann", "Bo")
    parlour.site.listing.record(row(found))
    return found


@pytest.fixture
def path(parlour: Parlour) -> str:
    """Ann's calendar."""
    return f"/c/{parlour.site.tokens.seal(parlour.site.calendars.token(parlour.person('Ann').id))}.ics"


def events(client: FlaskClient, path: str) -> list[Any]:
    answer = client.get(path)
    assert (answer.status_code, answer.mimetype) == (200, "text/calendar")
    assert answer.data.count(b"\n") == answer.data.count(b"\r\n")
    assert max(len(line) for line in answer.data.split(b"\r\n")) <= 75
    calendar = Calendar.from_ical(answer.data)
    assert calendar.errors == []
    assert (calendar["method"], calendar["version"]) == ("PUBLISH", "2.0")
    return list(calendar.walk("VEVENT"))


def test_every_turn_that_waits_is_an_appointment_at_its_deadline(client: FlaskClient, match: Match, path: str):
    (event,) = events(client, path)
    ask = match.asks[0]
    assert event["uid"] == f"{match.id}.{ask.seat}.{ask.version}@forgepost.localhost"
    assert event["dtstart"].dt == datetime.fromtimestamp(ask.due // 1000, UTC)
    assert event["summary"] == f"Fourfold: play {ask.seat}"
    assert event["url"] == f"http://127.0.0.1:8000/matches/{match.id}"
    (alarm,) = event.walk("VALARM")
    assert alarm["trigger"].dt == -timedelta(hours=2)
    assert "attendee" not in event


def test_a_pause_moves_the_same_appointment_and_a_turn_that_is_played_is_gone(client: FlaskClient, parlour: Parlour, match: Match, path: str):
    (before,) = events(client, path)
    desk = parlour.site.desk
    desk.do(match.id, Offer(Actor(parlour.person("Ann").id, "link"), "pause", 86_400))
    for chair in match.chairs:
        if chair.player != parlour.person("Ann").id and parlour.look(match).offer:
            desk.do(match.id, Answer(Actor(chair.player or "", "bot" if chair.bot else "link"), 1, "accept"))
    (after,) = events(client, path)
    assert (after["uid"], after["dtstart"].dt - before["dtstart"].dt) == (before["uid"], timedelta(days=1))
    assert after["sequence"] > before["sequence"]
    now = parlour.look(match)
    while now.asks and now.chair(now.asks[0].seat).player == parlour.person("Ann").id:
        now = parlour.play(now)
    assert events(client, path) == []


def test_the_calendar_opens_no_turn_and_looking_at_it_writes_nothing(client: FlaskClient, parlour: Parlour, match: Match, path: str):
    before = parlour.written()
    text = client.get(path).text
    assert parlour.written() == before
    assert "/m/" not in text
    assert "example.org" not in text
    assert client.get(path.replace("/c/", "/m/").removesuffix(".ics")).status_code == 404


@pytest.mark.parametrize("spoilt", ["/c/x.ics", "/c/.ics"])
def test_a_damaged_address_says_where_to_find_the_right_one(client: FlaskClient, path: str, spoilt: str):
    for address in (spoilt, path.replace("0", "1", 1)):
        assert client.get(address).status_code == 404
    assert "your settings have the one that counts" in client.get(path.replace("0", "1", 1)).text


def test_settings_show_the_address_and_put_one_out_of_use_that_has_become_known(
    app: Flask, client: FlaskClient, parlour: Parlour, match: Match, path: str
):
    here = Visitor(app, parlour.site).signs_in(parlour.person("Ann"))
    assert f"http://127.0.0.1:8000{path}" in here.get("/me/settings").text
    assert here.post("/me/settings", do="calendar").location == "/me/settings?done=calendar#done"
    page = here.get("/me/settings?done=calendar").text
    assert "Your calendar has a new address" in words(page)
    (new,) = set(re.findall(r"/c/[0-9a-z]{45}\.ics", page))
    assert new != path
    assert client.get(path).status_code == 404
    assert len(events(client, new)) == 1
