"""The settings page does what the API does, and says beside each field what is wrong."""

import re
from typing import Any

import pytest

from infra.people.players import Player
from infra.people.preferences import Preferences, Quiet
from tests.service.pages.parlour import DAY, Parlour, words
from tests.service.pages.visitor import Visitor

MAIL: dict[str, Any] = {"do": "mail", "cadence": "each", "hours": "6", "hour": "8", "reminders": "80%", "quiet_from": "", "quiet_to": ""}


def test_name_and_zone_are_changed_together_or_not_at_all(here: Visitor, parlour: Parlour, ann: Player):
    page = here.post("/me/settings", do="you", name="Ann Lee", zone="Moon")
    assert page.status_code == 422
    assert "'Moon' is no time zone that we know" in words(page.text)
    assert 'value="Ann Lee"' in page.text
    assert parlour.person("Ann").name == "Ann"
    assert here.post("/me/settings", do="you", name="Ann Lee", zone="Asia/Kolkata").location == "/me/settings?done=you#done"
    now = parlour.site.players.get(ann.id)
    assert now
    assert (now.name, now.zone) == ("Ann Lee", "Asia/Kolkata")
    assert "Your name and time zone are changed" in words(here.get("/me/settings?done=you").text)


def test_a_new_address_is_asked_first_and_can_be_withdrawn(here: Visitor, parlour: Parlour, ann: Player):
    here.post("/me/settings", do="address", address="ann@example.net")
    page = words(here.get("/me/settings").text)
    assert "Mail goes to ann@example.net as soon as the link in the mail there was opened; until then to ann@example.org" in page
    assert here.post("/me/settings", do="address", address="ann@example.org").location == "/me/settings?done=stay#done"
    assert parlour.site.players.moving(ann.id) is None
    page = words(here.post("/me/settings", do="address", address="b+x@forgepost.localhost").text)
    assert "is an address of this site itself" in page


def test_mail_comes_as_it_is_wanted(here: Visitor, parlour: Parlour, ann: Player):
    wish = {**MAIL, "cadence": "daily", "hour": "7", "reminders": "50%, 12h", "quiet_from": "22", "quiet_to": "6"}
    assert here.post("/me/settings", **wish).status_code == 303
    assert parlour.site.preferring.preferences(ann.id) == Preferences("daily", 6, 7, ("50%", "12h"), Quiet(22, 6))
    page = here.get("/me/settings").text
    assert 'value="50%, 12h"' in page
    assert re.search(r'value="daily" checked', page)


@pytest.mark.parametrize(
    ("field", "said", "complaint"),
    [
        ("cadence", "weekly", "Choose one of these."),
        ("hours", "0", "This takes a whole number from 1 to 168."),
        ("hour", "24", "This takes a whole number from 0 to 23."),
        ("reminders", "soon", "Write it as 80% (of the time passed) or as 12h (left), at most 3 of them, or leave it empty."),
        ("quiet_to", "7", "Give two different full hours from 0 to 23, or leave both empty."),
    ],
)
def test_what_cannot_be_wanted_is_said(here: Visitor, parlour: Parlour, ann: Player, field: str, said: str, complaint: str):
    page = here.post("/me/settings", **{**MAIL, field: said})
    assert page.status_code == 422
    assert complaint in words(page.text)
    assert parlour.site.preferring.preferences(ann.id) == Preferences()


def test_a_token_is_shown_once_and_revoked(here: Visitor, parlour: Parlour, ann: Player):
    page = here.post("/me/settings", do="token", token_name="my bot", scope=["matches:read", "admin"], days="30")
    (token,) = re.findall(r"fp_[0-9a-z]{52}", page.text)
    (listed,) = parlour.site.players.passes(ann.id)
    assert (listed.name, listed.scopes, listed.expires) == ("my bot", ("matches:read",), parlour.watch.now + 30 * DAY)
    assert parlour.site.players.authenticate(token)
    assert token not in here.get("/me/settings").text
    assert here.post("/me/settings", do="revoke", token=listed.id).location == "/me/settings?done=revoke#done"
    assert parlour.site.players.authenticate(token) is None
    assert here.post("/me/settings", do="revoke", token=listed.id).status_code == 422


@pytest.mark.parametrize("wish", [{"scope": []}, {"token_name": ""}, {"days": "9999"}, {"scope": ["admin"]}])
def test_a_token_that_makes_no_sense_is_not_made(here: Visitor, parlour: Parlour, ann: Player, wish: dict[str, Any]):
    page = here.post("/me/settings", **{"do": "token", "token_name": "bot", "scope": ["matches:read"], "days": "", **wish})
    assert page.status_code == 422
    assert parlour.site.players.passes(ann.id) == []


def test_a_button_that_there_is_not_does_nothing(here: Visitor):
    page = here.post("/me/settings", do="conquer")
    assert page.status_code == 400
    assert "This page has no button “conquer”" in words(page.text)


def test_what_is_known_about_me_is_a_file(here: Visitor, ann: Player):
    file = here.get("/me/data.json")
    assert file.headers["Content-Disposition"] == 'attachment; filename="forgepost-me.json"'
    said = file.get_json()
    assert (said["id"], said["email"], said["tokens"], said["matches"]) == (ann.id, "ann@example.org", [], [])
    assert said["signed_in_since"] == ["2026-11-29T12:00:00.000Z"]


def test_a_key_that_signs_moves_is_listed_and_revoked(here: Visitor, parlour: Parlour, ann: Player):
    kid = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    parlour.site.player_keys.add(ann.id, kid, "laptop")
    assert kid in here.get("/me/settings").text
    assert here.get("/me/data.json").get_json()["keys"][0]["name"] == "laptop"
    assert here.post("/me/settings", do="disown", key=kid).location == "/me/settings?done=disown#done"
    assert parlour.site.player_keys.of(ann.id) == []
    assert here.post("/me/settings", do="disown", key=kid).status_code == 422
