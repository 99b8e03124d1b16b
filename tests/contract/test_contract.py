"""Clients of the last release go on working: nothing that it promised is broken, and every kind of breach would be noticed."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.contract.breaking import breaches
from tests.contract.promise import bare, contract
from tests.service.api.contract import document

Change = Callable[[dict[str, Any]], object]

MATCHES, MATCH, SUBMISSIONS = "/api/v1/matches", "/api/v1/matches/{id}", "/api/v1/matches/{id}/submissions"
KEYS = "/api/v1/me/keys"


def test_nothing_that_the_last_release_promised_is_broken():
    """Where this fails, keep the old beside the new. How the API may change stands in CONTRIBUTING.md."""
    assert breaches(contract(), document()) == []


def test_the_contract_is_what_a_client_relies_on_without_the_words():
    promised = contract()
    assert promised == bare(promised)
    assert promised["components"]["schemas"]["Match"]["properties"]["status"] == {"enum": ["waiting", "live", "over", "aborted"], "type": "string"}
    assert {"title", "description"} <= set(bare({"properties": {"title": {"title": "x", "type": "string"}, "description": {}}})["properties"])


def shape(said: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = said["components"]["schemas"][name]
    return found


def operation(said: dict[str, Any], path: str, method: str) -> dict[str, Any]:
    found: dict[str, Any] = said["paths"][path][method]
    return found


def parameter(said: dict[str, Any], path: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in operation(said, path, "get")["parameters"] if one["name"] == name)
    return found


BREACHES: dict[str, tuple[Change, str]] = {
    "a path is gone": (lambda said: said["paths"].pop(MATCH), f"GET {MATCH} is gone"),
    "a method is gone": (lambda said: said["paths"][MATCHES].pop("post"), f"POST {MATCHES} is gone"),
    "an operation is called otherwise": (
        lambda said: operation(said, MATCH, "get").update(operationId="get_match"),
        f"GET {MATCH} is called get_match, and was show_match",
    ),
    "a token is needed": (
        lambda said: operation(said, MATCH, "get").update(security=[{"bearer": ["matches:read"]}]),
        f"GET {MATCH} is no longer open without a token",
    ),
    "another scope is needed": (
        lambda said: operation(said, MATCHES, "post").update(security=[{"bearer": ["admin"]}]),
        f"POST {MATCHES} is no longer open with matches:create",
    ),
    "a parameter is gone": (
        lambda said: operation(said, MATCHES, "get")["parameters"].remove(parameter(said, MATCHES, "awaiting")),
        f"query awaiting of GET {MATCHES} is no longer taken",
    ),
    "a parameter must be given": (
        lambda said: parameter(said, MATCHES, "game").update(required=True),
        f"query game of GET {MATCHES} must now be given",
    ),
    "a new parameter must be given": (
        lambda said: operation(said, MATCHES, "get")["parameters"].append({"name": "zone", "in": "query", "required": True, "schema": {}}),
        f"query zone of GET {MATCHES} must now be given",
    ),
    "a parameter takes fewer values": (
        lambda said: parameter(said, MATCHES, "status")["schema"]["enum"].remove("over"),
        f"query status of GET {MATCHES} is no longer taken as over",
    ),
    "a bound of a parameter is narrower": (
        lambda said: parameter(said, MATCHES, "limit")["schema"].update(maximum=10),
        f"query limit of GET {MATCHES}: maximum is 10, and was 100",
    ),
    "a default is another": (
        lambda said: parameter(said, MATCHES, "limit")["schema"].update(default=10),
        f"query limit of GET {MATCHES} stands for 10 where nothing is said, and stood for 50",
    ),
    "a body of one kind is not taken": (
        lambda said: operation(said, SUBMISSIONS, "post")["requestBody"]["content"].pop("application/jose"),
        f"body of POST {SUBMISSIONS} is no longer taken as application/jose",
    ),
    "a body must be given": (
        lambda said: operation(said, f"{MATCH}/join", "post")["requestBody"].update(required=True),
        f"body of POST {MATCH}/join must now be given",
    ),
    "a field is not taken": (lambda said: shape(said, "NewMatch")["properties"].pop("entropy"), "NewMatch.entropy is no longer taken"),
    "a field must be given": (lambda said: shape(said, "NewMatch")["required"].append("options"), "NewMatch.options must now be given"),
    "a new field must be given": (
        lambda said: (shape(said, "Join")["properties"].update(why={}), shape(said, "Join").update(required=["why"])),
        "Join.why must now be given",
    ),
    "a field takes fewer values": (
        lambda said: shape(said, "NewOffer")["properties"]["kind"]["enum"].remove("pause"),
        "NewOffer.kind is no longer taken as pause",
    ),
    "a field takes certain values only": (
        lambda said: shape(said, "NewMatch")["properties"]["game"].update(enum=["fourfold"]),
        "NewMatch.game is now taken with certain values only",
    ),
    "a field takes shorter texts": (
        lambda said: shape(said, "TextSubmission")["properties"]["text"].update(maxLength=10),
        "TextSubmission.text: maxLength is 10, and was 4000",
    ),
    "a field has a bound": (
        lambda said: shape(said, "NewOffer")["properties"]["seconds"].update(minimum=90_000),
        "NewOffer.seconds: minimum is 90000, and was 3600",
    ),
    "a field takes fewer entries": (
        lambda said: shape(said, "NewMatch")["properties"]["seats"].update(maxItems=2),
        "NewMatch.seats: maxItems is 2, and was 16",
    ),
    "a field has another pattern": (
        lambda said: shape(said, "NewMatch")["properties"]["game"].update(pattern="^[a-z]+$"),
        "NewMatch.game: pattern is ^[a-z]+$, and was None",
    ),
    "a field takes another type": (
        lambda said: shape(said, "TextSubmission")["properties"]["ply"].update(type="string"),
        "TextSubmission.ply is no longer taken as integer",
    ),
    "a signed move is written otherwise": (lambda said: shape(said, "SignedMove")["required"].append("nonce"), "SignedMove.nonce must now be given"),
    "an alternative is not taken": (
        lambda said: shape(said, "Place")["oneOf"].pop(0),
        "Place is no longer taken as MySeat",
    ),
    "an answer is gone": (lambda said: operation(said, MATCH, "get")["responses"].pop("304"), f"GET {MATCH} no longer answers 304"),
    "an answer nobody expects": (
        lambda said: operation(said, MATCH, "get")["responses"].update({"202": {"description": ""}}),
        f"GET {MATCH} may now answer 202",
    ),
    "an answer between done and not done that reads as neither": (
        lambda said: operation(said, KEYS, "post")["responses"].update({"202": {"description": ""}}),
        f"POST {KEYS} may now answer 202",
    ),
    "an answer comes in fewer forms": (
        lambda said: operation(said, f"{MATCH}/history", "get")["responses"]["200"]["content"].pop("application/x-ndjson"),
        f"200 of GET {MATCH}/history no longer comes as application/x-ndjson",
    ),
    "a header is gone": (
        lambda said: operation(said, MATCH, "get")["responses"]["200"]["headers"].pop("ETag"),
        f"200 of GET {MATCH} no longer has ETag",
    ),
    "a field of an answer is gone": (lambda said: shape(said, "Match")["properties"].pop("ply"), "Match.ply is no longer there"),
    "a field of an answer may be missing": (lambda said: shape(said, "Match")["required"].remove("ply"), "Match.ply may now be missing"),
    "a field of an answer has another type": (
        lambda said: shape(said, "Match")["properties"]["version"].update(type="string"),
        "Match.version may now be string",
    ),
    "a field of an answer may be null": (
        lambda said: shape(said, "Match")["properties"]["ply"].update(type=["integer", "null"]),
        "Match.ply may now be null",
    ),
    "a field of an answer has values nobody knows": (
        lambda said: shape(said, "Match")["properties"]["status"]["enum"].append("paused"),
        "Match.status may now be paused",
    ),
    "a field of an answer may have any value": (
        lambda said: shape(said, "Match")["properties"]["status"].pop("enum"),
        "Match.status may now have any value",
    ),
    "a field of an answer goes beyond its bound": (
        lambda said: shape(said, "Match")["properties"]["ply"].pop("minimum"),
        "Match.ply: minimum is None, and was 0",
    ),
    "a field of an answer has another form": (
        lambda said: shape(said, "Match")["properties"]["changed_at"].update(format="date"),
        "Match.changed_at: format is date, and was date-time",
    ),
    "deep inside an answer": (lambda said: shape(said, "ToAct")["properties"].pop("due"), "ToAct.due is no longer there"),
    "a type of event is gone": (
        lambda said: shape(said, "Event")["oneOf"].remove({"$ref": "#/components/schemas/ChanceDrawnEvent"}),
        "Event is no longer ChanceDrawnEvent",
    ),
    "data of an event is gone": (lambda said: shape(said, "ChanceDrawn")["properties"].pop("index"), "ChanceDrawn.index is no longer there"),
    "an action is played otherwise": (
        lambda said: shape(said, "FourfoldDeploy")["properties"].pop("at"),
        "FourfoldDeploy.at is no longer taken",
    ),
    "a field of problems is gone": (
        lambda said: shape(said, "ProblemDetails")["properties"].pop("to_act"),
        "ProblemDetails.to_act is no longer there",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREACHES)
def test_every_kind_of_breach_is_noticed_and_said_in_words(name: str):
    change, words = BREACHES[name]
    later = deepcopy(document())
    change(later)
    assert words in breaches(document(), later)


GROWTH: dict[str, Change] = {
    "a new operation": lambda said: said["paths"].update({"/api/v1/clocks": {"get": {"operationId": "clocks"}}}),
    "a new parameter": lambda said: operation(said, MATCHES, "get")["parameters"].append({"name": "zone", "in": "query", "schema": {}}),
    "a new field to send": lambda said: shape(said, "NewMatch")["properties"].update(title={"type": "string"}),
    "more values to send": lambda said: shape(said, "NewOffer")["properties"]["kind"]["enum"].append("swap"),
    "wider bounds of what is sent": lambda said: shape(said, "NewMatch")["properties"]["seats"].update(maxItems=32),
    "a field that need not be sent any more": lambda said: shape(said, "TextSubmission")["required"].remove("ply"),
    "another form of body": lambda said: operation(said, SUBMISSIONS, "post")["requestBody"]["content"].update({"text/plain": {"schema": {}}}),
    "another way to be let in": lambda said: operation(said, MATCHES, "post")["security"].append({}),
    "a new field in an answer": lambda said: (
        shape(said, "Match")["properties"].update(title={"type": "string"}),
        shape(said, "Match")["required"].append("title"),
    ),
    "narrower bounds of what is given": lambda said: shape(said, "Match")["properties"]["ply"].update(minimum=0, maximum=10**6),
    "another form of answer": lambda said: operation(said, MATCH, "get")["responses"]["200"]["content"].update({"text/plain": {"schema": {}}}),
    "a new header": lambda said: operation(said, MATCH, "get")["responses"]["200"]["headers"].update(Link={}),
    "a new error": lambda said: operation(said, MATCH, "get")["responses"].update({"410": {"description": ""}}),
    "done, but for replicas": lambda said: operation(said, KEYS, "post")["responses"].update(
        {"202": {**operation(said, KEYS, "post")["responses"]["201"], "description": "It is stored."}}
    ),
    "a new type of problem": lambda said: shape(said, "ProblemDetails")["properties"]["type"]["enum"].append("/problems/tired"),
    "a new type of event": lambda said: shape(said, "Event")["oneOf"].append({"$ref": "#/components/schemas/Match"}),
    "a new way in": lambda said: shape(said, "By")["properties"]["via"].update(enum=["fax"]),
    "a new game": lambda said: (
        said["components"]["schemas"].update(ChessAction={}, ChessOptions={}),
        shape(said, "ActionsSubmission")["properties"]["actions"]["items"]["anyOf"].append({"$ref": "#/components/schemas/ChessAction"}),
        shape(said, "ActionTaken")["properties"]["action"]["anyOf"].append({"$ref": "#/components/schemas/ChessAction"}),
        shape(said, "Match")["properties"]["options"]["anyOf"].append({"$ref": "#/components/schemas/ChessOptions"}),
    ),
    "other words": lambda said: said["info"].update(description="Anything."),
}  # fmt: skip


@pytest.mark.parametrize("name", GROWTH)
def test_growth_breaks_nothing(name: str):
    later = deepcopy(document())
    GROWTH[name](later)
    assert later != document()
    assert breaches(document(), later) == []
