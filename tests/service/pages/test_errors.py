"""When something cannot be done, a page says what to do, whatever else is out of order."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.ports import LogUnavailable
from tests.service.pages.parlour import Parlour, words


def test_nothing_here(client: FlaskClient):
    page = client.get("/nowhere")
    assert page.status_code == 404
    assert "There is nothing at this address. Check the address, or begin at the start page" in words(page.text)


def test_a_program_gets_a_program_s_answer(client: FlaskClient):
    answer = client.get("/nowhere", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")


def test_another_method(client: FlaskClient):
    page = client.delete("/")
    assert page.status_code == 405
    assert "Go back and use the links and buttons of the page" in words(page.text)


def test_a_log_that_is_away_loses_nothing(client: FlaskClient, parlour: Parlour, monkeypatch: pytest.MonkeyPatch):
    link = parlour.link(parlour.choosing("Ann"))

    def away(*args: object, **kwargs: object) -> None:
        raise LogUnavailable("connection refused to 10.0.0.7")

    monkeypatch.setattr(parlour.site.log, "read", away)
    page = client.get(link)
    assert page.status_code == 503
    assert "The log of the matches cannot be reached or written to just now; nothing was written. Nothing is lost." in words(page.text)
    assert page.headers["Retry-After"]
    assert "10.0.0.7" not in page.text


def test_a_fault_of_ours_gives_a_number_and_nothing_away(app: Flask, parlour: Parlour, monkeypatch: pytest.MonkeyPatch):
    link = parlour.link(parlour.choosing("Ann"))

    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("secret inside")

    monkeypatch.setattr(parlour.site.log, "read", broken)
    page = app.test_client().get(link)
    assert page.status_code == 500
    assert "It is not your fault" in words(page.text)
    assert "If you report it, say" in words(page.text)
    assert "secret inside" not in page.text


def test_the_style_sheet_is_there_and_from_here(client: FlaskClient):
    page = client.get("/")
    assert 'rel="stylesheet" href="/static/forgepost.css"' in page.text
    with client.get("/static/forgepost.css") as css, client.get("/static/mark.svg") as mark:
        assert (css.status_code, css.mimetype) == (200, "text/css")
        assert b"url(" not in css.data
        assert b"@import" not in css.data
        assert mark.mimetype == "image/svg+xml"
