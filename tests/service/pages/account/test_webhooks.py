"""The pages about webhooks do what the API does, without a script, and say why a delivery failed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace as changed

from infra.people.players import Player
from infra.webhooks.webhooks import Webhook, Wish
from tests.receiver import Receiver, receiving
from tests.service.pages.parlour import DAY, Parlour, words
from tests.service.pages.visitor import Visitor
from workers.webhooks import deliver

URL = "https://bots.example.org/forgepost"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def made(parlour: Parlour, ann: Player, url: str = URL, number: int = 7) -> Webhook:
    return parlour.site.webhooks.add(ann.id, Wish(url, "my bridge"), number)


def now(parlour: Parlour, hook: Webhook) -> Webhook:
    found = parlour.site.webhooks.find(hook.id)
    assert found
    return found


def test_the_settings_lead_to_the_webhooks(here: Visitor):
    assert 'href="/me/webhooks"' in here.get("/me/settings").text
    page = here.get("/me/webhooks")
    assert page.status_code == 200
    assert "Make a webhook" in words(page.text)


def test_a_webhook_is_made_and_its_secret_shown_once_and_good(here: Visitor, parlour: Parlour, ann: Player, receiver: Receiver):
    page = here.post("/me/webhooks", url=receiver.url, name=" My  bridge ", type=["match.finished", "no.such"])
    assert page.status_code == 201
    (secret,) = re.findall(r"whsec_[A-Za-z0-9+/=]{44}", page.text)
    (hook,) = parlour.site.webhooks.of(ann.id)
    assert hook.wish == Wish(receiver.url, "My bridge", ("match.finished",))
    assert secret not in here.get(f"/me/webhooks/{hook.id}").text
    assert "My bridge On; nothing delivered yet." in words(here.get("/me/webhooks").text)
    assert here.post(f"/me/webhooks/{hook.id}", do="test").location == f"/me/webhooks/{hook.id}?done=test#done"
    deliver(parlour.site, hook.id)
    (got,) = receiver.got
    assert got.verified(secret, parlour.site.clock())["type"] == "webhook.test"
    shown = words(here.get(f"/me/webhooks/{hook.id}?done=test").text)
    assert "A test is on its way" in shown
    assert "webhook.test Taken (204)" in shown


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"url": "gopher://bots.example.org/"}, "The URL must begin with https:// or http:// and name a host."),
        ({"url": ""}, "The URL must be at most 2000 visible ASCII characters"),
        ({"url": URL, "name": "x" * 90}, "Call it something, with 1 to 40 characters"),
    ],
)
def test_a_webhook_that_could_not_work_is_not_made_and_the_reason_stands_beside_its_field(
    here: Visitor, parlour: Parlour, ann: Player, said: dict[str, Any], complaint: str
):
    page = here.post("/me/webhooks", **{"name": "bridge", **said})
    assert page.status_code == 422
    assert complaint in words(page.text)
    assert 'aria-invalid="true"' in page.text
    assert f'value="{said["url"]}"' in page.text
    assert parlour.site.webhooks.of(ann.id) == []


def test_a_second_click_makes_no_second_webhook_and_shows_the_same_secret(here: Visitor, parlour: Parlour, ann: Player):
    (once,) = re.findall(r'name="once" value="([0-9a-f]{32})"', here.get("/me/webhooks").text)
    pages = [here.post("/me/webhooks", url=URL, name="", once=once).text for _ in range(2)]
    assert len({secret for page in pages for secret in re.findall(r"whsec_[A-Za-z0-9+/=]{44}", page)}) == 1
    assert len(parlour.site.webhooks.of(ann.id)) == 1
    here.post("/me/webhooks", url=URL, name="")
    assert len(parlour.site.webhooks.of(ann.id)) == 2


def test_private_addresses_are_refused_where_they_are_not_allowed(here: Visitor, app: Flask, parlour: Parlour):
    app.extensions["forgepost"] = replace(parlour.site, settings=replace(parlour.site.settings, webhooks_private="no"))
    page = here.post("/me/webhooks", url="https://127.0.0.1/", name="")
    assert page.status_code == 422
    assert "127.0.0.1 is no public address" in words(page.text)


def test_there_is_room_for_ten(here: Visitor, parlour: Parlour, ann: Player):
    for number in range(10):
        made(parlour, ann, number=number)
    assert "there is no room for more" in words(here.get("/me/webhooks").text)
    page = here.post("/me/webhooks", url=URL, name="")
    assert page.status_code == 409
    assert len(parlour.site.webhooks.of(ann.id)) == 10


def test_what_was_not_taken_stands_there_with_its_cause(here: Visitor, parlour: Parlour, ann: Player, receiver: Receiver):
    hook = made(parlour, ann, receiver.url)
    receiver.answers = lambda _: (500, {}, b"<b>out of paper</b>")
    here.post(f"/me/webhooks/{hook.id}", do="test")
    deliver(parlour.site, hook.id)
    with receiving() as gone:
        parlour.site.webhooks.keep(changed(now(parlour, hook), wish=Wish(gone.url)), "wish")
    here.post(f"/me/webhooks/{hook.id}", do="test")
    deliver(parlour.site, hook.id)
    page = here.get(f"/me/webhooks/{hook.id}").text
    assert "<b>out of paper" not in page
    assert "Refused (500)" in words(page)
    assert "It said: <b>out of paper</b>" in words(page).replace("&lt;", "<").replace("&gt;", ">")
    assert "Not taken: nobody listens there" in words(page)


def test_a_webhook_is_switched_off_and_on_and_changed(here: Visitor, parlour: Parlour, ann: Player):
    hook = made(parlour, ann)
    assert here.post(f"/me/webhooks/{hook.id}", do="off").location == f"/me/webhooks/{hook.id}?done=off#done"
    assert now(parlour, hook).off == "owner"
    assert "It is off. You switched it off." in words(here.get(f"/me/webhooks/{hook.id}").text)
    assert here.post(f"/me/webhooks/{hook.id}", do="on").status_code == 303
    assert now(parlour, hook).off == ""
    assert here.post(f"/me/webhooks/{hook.id}", do="change", url=f"{URL}/2", name="", type="action.taken").status_code == 303
    assert now(parlour, hook).wish == Wish(f"{URL}/2", "", ("action.taken",))
    page = here.post(f"/me/webhooks/{hook.id}", do="change", url="nowhere", name="")
    assert page.status_code == 422
    assert now(parlour, hook).wish.url == f"{URL}/2"


@pytest.mark.parametrize(("off", "words_"), [("gone", "there is nothing there any more (410)"), ("failing", "For five days nothing")])
def test_why_it_was_switched_off_is_said(here: Visitor, parlour: Parlour, ann: Player, off: str, words_: str):
    hook = made(parlour, ann)
    parlour.site.webhooks.switch_off(hook, off)  # type: ignore[arg-type]
    for path in ("/me/webhooks", f"/me/webhooks/{hook.id}"):
        assert words_ in words(here.get(path).text)


def test_a_failing_one_says_since_when_and_when_it_is_tried_again(here: Visitor, parlour: Parlour, ann: Player):
    hook = changed(made(parlour, ann), failing=parlour.watch.now - 3_600_000, failures=3, rests=parlour.watch.now + 60_000)
    parlour.site.webhooks.keep(hook, "failing", "failures", "rests")
    page = words(here.get(f"/me/webhooks/{hook.id}").text)
    assert "It has been failing since" in page
    assert "3 times in a row" in page
    assert "Failing since" in words(here.get("/me/webhooks").text)


def test_a_new_secret_is_shown_once_and_the_old_one_holds_for_a_day(here: Visitor, parlour: Parlour, ann: Player):
    hook = made(parlour, ann)
    page = here.post(f"/me/webhooks/{hook.id}", do="secret")
    (secret,) = re.findall(r"whsec_[A-Za-z0-9+/=]{44}", page.text)
    assert "The one before holds as well until" in words(page.text)
    assert (now(parlour, hook).number, now(parlour, hook).overlap) == (2, parlour.watch.now + DAY)
    assert secret not in here.get(f"/me/webhooks/{hook.id}").text


def test_a_webhook_is_deleted_and_gone(here: Visitor, parlour: Parlour, ann: Player):
    hook = made(parlour, ann)
    assert here.post(f"/me/webhooks/{hook.id}", do="delete").location == "/me/webhooks?done=delete#done"
    assert parlour.site.webhooks.of(ann.id) == []
    assert here.get(f"/me/webhooks/{hook.id}").status_code == 404


def test_somebody_elses_webhook_is_none(here: Visitor, parlour: Parlour):
    hook = made(parlour, parlour.person("Bo"))
    assert here.get(f"/me/webhooks/{hook.id}").status_code == 404
    for wish in ("test", "on", "off", "secret", "delete", "change"):
        assert here.post(f"/me/webhooks/{hook.id}", do=wish).status_code == 404
    assert now(parlour, hook) == hook


def test_a_form_that_is_not_of_this_session_does_nothing(here: Visitor, parlour: Parlour, ann: Player):
    hook = made(parlour, ann)
    assert here.post(f"/me/webhooks/{hook.id}", do="delete", proof="x").status_code == 403
    assert here.post("/me/webhooks", url=URL, proof="x").status_code == 403
    assert parlour.site.webhooks.of(ann.id) == [hook]


def test_a_button_that_there_is_not_does_nothing(here: Visitor, parlour: Parlour, ann: Player):
    hook = made(parlour, ann)
    page = here.post(f"/me/webhooks/{hook.id}", do="conquer")
    assert page.status_code == 400
    assert "This page has no button “conquer”" in words(page.text)
