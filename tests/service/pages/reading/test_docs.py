"""The API explained: everything that stands in openapi.yaml can be read at /docs, without any foreign host."""

import json
import re
from shlex import split

import pytest
from flask.testing import FlaskClient

from service.contract.reference import kind
from service.problems import SORTS
from tests.service.api.contract import document
from tests.service.pages.parlour import words


@pytest.fixture
def operations(client: FlaskClient) -> str:
    return client.get("/docs").text


@pytest.fixture
def shapes(client: FlaskClient) -> str:
    return client.get("/docs/shapes").text


def anchors(html: str) -> set[str]:
    """Every place on a page that an address can lead to."""
    return set(re.findall(r'\bid="([^"]+)"', html))


def test_every_operation_has_its_place_with_its_path_its_words_and_every_status(operations: str):
    for path, methods in document()["paths"].items():
        for method, said in methods.items():
            article = operations.partition(f'<article class="operation" id="{said["operationId"]}">')[2].partition("</article>")[0]
            shown = words(article)
            assert f"{method.upper()} {path}" in shown
            assert said["summary"] in shown
            assert all(f"<code>{status}</code>" in article for status in said["responses"]), path


def test_every_shape_and_every_problem_has_its_place(shapes: str):
    places = anchors(shapes)
    assert set(document()["components"]["schemas"]) <= places
    assert {f"problem-{name}" for name in SORTS} <= places


def test_every_link_on_these_pages_leads_somewhere_on_this_site(client: FlaskClient, operations: str, shapes: str):
    places = {"/docs": anchors(operations), "/docs/shapes": anchors(shapes)}
    for here, html in (("/docs", operations), ("/docs/shapes", shapes)):
        for href in set(re.findall(r'(?:href|src)="([^"]*)"', html)):
            path, _, place = href.partition("#")
            if place:
                assert place in places[path or here], href
            else:
                with client.get(path) as answer:
                    assert answer.status_code in (200, 303), href  # 303: to where one signs in


def test_nothing_is_fetched_from_elsewhere_and_no_script_runs(client: FlaskClient, operations: str, shapes: str):
    for html in (operations, shapes):
        assert "<script" not in html
        assert re.findall(r'(?:href|src)="(?:https?:)?//', html) == []
    assert "script-src" not in client.get("/docs").headers["Content-Security-Policy"]


def test_operations_can_be_copied_as_curl_commands(operations: str):
    article = operations.partition('id="take_back">')[2].partition("</article>")[0]
    command = re.findall(r"<pre>(.*?)</pre>", article, re.DOTALL)[0]
    said = split(command.replace("&#34;", '"').replace("&#39;", "'").replace("\\\n", " "))
    assert said[:2] == ["curl", "http://127.0.0.1:8000/api/v1/matches/07-3f9k2m8qtx/take-back"]
    assert said[2:6] == ["-H", "Authorization: Bearer $TOKEN", "-H", "Content-Type: application/json"]
    assert json.loads(said[7]) == {"seat": "south"}


def test_a_post_without_a_body_is_copied_as_one(operations: str):
    """Without a body curl would send a GET."""
    commands = {name: operations.partition(f'id="{name}">')[2].partition("<pre>")[2].split()[:3] for name in ("test_webhook", "retry_delivery", "me")}
    assert commands["test_webhook"] == ["curl", "-X", "POST"]
    assert commands["retry_delivery"] == ["curl", "-X", "POST"]
    assert commands["me"][:2] == ["curl", "http://127.0.0.1:8000/api/v1/me"]


def test_no_header_is_called_required_that_may_be_missing(operations: str):
    """`Link` comes where there is a next page, and limits may be off."""
    answers = "".join(re.findall(r"<h4>Answers</h4>.*?</article>", operations, re.DOTALL))
    assert "<code>Link</code>" in answers
    assert "required" not in answers


def test_an_option_that_may_be_null_is_explained_with_its_default(shapes: str):
    said = words(shapes.partition('id="PennyAnteOptions">')[2].partition("</article>")[0])
    assert "max_plies whole number, from 200 or null, 2000 unless said plies after which the match is drawn" in said


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string", "minLength": 1, "maxLength": 40}, "text, 1 to 40 characters"),
        ({"type": "integer", "minimum": 0}, "whole number, from 0"),
        ({"type": ["string", "null"]}, "text or null"),
        ({"enum": ["end", "pause"]}, '"end" or "pause"'),
        ({"enum": ["end", "pause"], "default": "end"}, '"end" or "pause", "end" unless said'),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Event"}, "maxItems": 4}, "list of: Event, up to 4 entries"),
        ({"type": "boolean", "default": True}, "true or false, true unless said"),
        ({"type": "string", "pattern": "^<b>$"}, "text, like ^<b>$"),
        ({"anyOf": [{"$ref": "#/components/schemas/Match"}, {"type": "null"}]}, "Match or null"),
        ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": 20}, "whole number, from 1 or null, 20 unless said"),
        ({}, "any JSON value"),
    ],
)  # fmt: skip
def test_what_a_value_may_be_is_said_in_words(schema: dict[str, object], said: str):
    assert words(kind(schema)) == said


def test_the_description_is_there_as_json_too_and_says_the_same(client: FlaskClient):
    assert client.get("/openapi.json").get_json() == document()


def test_the_footer_of_every_page_leads_there(client: FlaskClient):
    assert '<a href="/docs">the API</a>' in client.get("/games").text
