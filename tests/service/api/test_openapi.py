"""openapi.yaml tells the truth: it is what the code says, it is sound, and what it says of requests is so."""

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import OpenAPIV31SpecValidator
from openapi_spec_validator.schemas import schema_v31

from domain.games import GAMES
from service.app import routed
from service.contract.description import described
from service.contract.openapi import main
from service.contract.operations import OPERATIONS, Operation
from service.contract.problem_samples import problem_samples
from service.problems import SORTS, Problem
from service.schemas.strict import loaded
from tests.service.api.contract import FILE, document

METHODS = {"get", "post", "put", "patch", "delete"}
WITH_BODIES = {name: said for name, said in OPERATIONS.items() if said.body is not None}


def test_the_file_is_what_the_code_says_byte_for_byte():
    assert described(routed()).encode() == FILE.read_bytes(), "run `make openapi`, and look at what has changed"
    assert main(["--check"]) == 0


def test_it_is_the_same_bytes_every_time():
    assert described(routed()) == described(routed())


def test_another_file_does_not_pass_the_check(monkeypatch: pytest.MonkeyPatch, tmp_path, capsys: pytest.CaptureFixture[str]):
    other = tmp_path / "openapi.yaml"
    monkeypatch.setattr("service.contract.openapi.FILE", other)
    assert main(["--check"]) == 1
    assert main([]) == 0
    assert other.read_bytes() == FILE.read_bytes()
    other.write_text(other.read_text() + "\n")
    assert main(["--check"]) == 1
    assert "run `make openapi`" in capsys.readouterr().err


def test_every_route_of_the_api_is_in_it_and_back(app: Flask):
    rules = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.endpoint.partition(".")[0] in ("api", "outside")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described_ones = {(path, method) for path, methods in document()["paths"].items() for method in methods if method in METHODS}
    assert rules == described_ones
    assert len(rules) == len(OPERATIONS)


def test_two_validators_accept_it():
    OpenAPIV31SpecValidator(document()).validate()
    Draft202012Validator(schema_v31).validate(document())
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def everything(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value in the document with its place."""
    yield place, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from everything(inner, f"{place}/{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from everything(inner, f"{place}/{index}")


def test_every_reference_leads_somewhere_and_every_schema_is_used():
    places = dict(everything(document()))
    refs = {value["$ref"] for value in places.values() if isinstance(value, dict) and isinstance(value.get("$ref"), str)}
    mapped = {ref for value in places.values() if isinstance(value, dict) for ref in value.get("mapping", {}).values() if isinstance(ref, str)}
    assert {ref for ref in refs | mapped if ref.removeprefix("#") not in places} == set()
    components = {f"#/components/{kind}/{name}" for kind, named in document()["components"].items() for name in named if kind != "securitySchemes"}
    assert components - refs == set()


def test_the_position_of_a_match_says_which_shape_each_game_has():
    view = document()["components"]["schemas"]["Match"]["properties"]["view"]
    assert view["type"] == ["object", "null"]
    assert view["x-views"] == {
        "four-forges": {"$ref": "#/components/schemas/FourForgesView"},
        "fourfold": {"$ref": "#/components/schemas/FourfoldView"},
        "penny-ante": {"$ref": "#/components/schemas/PennyAnteView"},
        "steinnheimr": {"$ref": "#/components/schemas/SteinnheimrView"},
    }


def test_every_operation_says_what_it_does_who_may_and_what_can_go_wrong():
    for path, methods in document()["paths"].items():
        for method, said in methods.items():
            assert said["summary"], path
            assert len(said["description"]) > 20, path
            assert said["tags"][0] in {tag["name"] for tag in document()["tags"]}
            assert "500" in said["responses"], path
            assert all(parameter.get("description") or "$ref" in parameter for parameter in said["parameters"]), path
            if method == "post" and "requestBody" in said:
                assert {"400", "413", "415", "422", "503"} <= set(said["responses"]), path
                assert said["requestBody"]["content"]["application/json"]["examples"], path
            if method == "post" and path != "/api/v1/players":  # whoever signs up is nobody yet, and nobody has keys
                assert {"401", "403"} <= set(said["responses"]), path
                assert {"$ref": "#/components/parameters/Idempotency-Key"} in said["parameters"], path
    names = [said["operationId"] for methods in document()["paths"].values() for said in methods.values()]
    assert len(set(names)) == len(names)


def test_every_field_is_described():
    """Those of the games' options and actions in the games' guides."""
    of_games = tuple("".join(part.capitalize() for part in name.split("-")) for name in GAMES)
    for name, schema in document()["components"]["schemas"].items():
        if not name.startswith(of_games):
            assert schema.get("description"), name
            for field, said in schema.get("properties", {}).items():
                assert said.get("description") or field in ("by", "data", "match", "head", "jwk", "type", "schema"), f"{name}.{field}"


def test_every_type_of_problem_is_in_it():
    enumerated = document()["components"]["schemas"]["ProblemDetails"]["properties"]["type"]["enum"]
    assert enumerated == [f"/problems/{name}" for name in SORTS]


def test_whoever_takes_the_first_action_that_has_all_its_fields_takes_the_right_one():
    """As generated clients do: of actions with the same type, those that ask for more come first."""
    schemas = document()["components"]["schemas"]
    actions = [ref for game in schemas["LegalAction"]["properties"]["action"]["anyOf"] for ref in schemas[last(game)]["anyOf"]]
    asked = [(schemas[last(one)]["properties"]["type"]["enum"], set(schemas[last(one)]["required"])) for one in actions]
    assert [(one, other) for place, one in enumerate(asked) for other in asked[place:] if one[0] == other[0] and one[1] < other[1]] == []
    told = [schemas[last(one)] for one in schemas["Match"]["properties"]["options"]["anyOf"]]
    assert all(set(one["required"]) == set(one["properties"]) for one in told)


def last(ref: dict[str, str]) -> str:
    """The name behind a reference."""
    return ref["$ref"].rpartition("/")[2]


def test_every_type_of_problem_comes_with_an_example():
    shown = document()["components"]["examples"]
    for name, example in shown.items():
        assert example["value"]["type"] == f"/problems/{name}"
        assert (example["value"]["title"], example["value"]["status"]) == (SORTS[name].title, SORTS[name].status)
        assert validator("ProblemDetails").is_valid(example["value"]), name
    assert set(SORTS) - set(shown) == {"method-not-allowed", "bad-request", "nobody-is-late"} - set(shown)  # no operation names them
    assert set(problem_samples()) == set(SORTS)


def test_unknown_fields_are_refused_by_every_schema_of_a_request():
    asked = {value for place, value in everything(document()["paths"]) if "/requestBody/" in place and place.endswith("/$ref")}
    for name, schema in reachable(asked).items():
        assert schema.get("additionalProperties") is False or not schema.get("properties"), name


def reachable(refs: set[str]) -> dict[str, Any]:
    """The schemas behind references, and those that they refer to."""
    found: dict[str, Any] = {}
    while refs:
        name = refs.pop().rpartition("/")[2]
        if name not in found:
            found[name] = document()["components"]["schemas"][name]
            refs |= {value for place, value in everything(found[name]) if place.endswith("/$ref")}
    return found


@cache
def validator(schema: str) -> Draft202012Validator:
    """Judges values by a schema of the document."""
    return Draft202012Validator({**document(), "$ref": f"#/components/schemas/{schema}"})


def test_every_example_fits_its_schema():
    examples = 0
    for place, value in everything({part: document()[part] for part in ("paths", "webhooks")}):
        if isinstance(value, dict) and "schema" in value and "examples" in value and "/content/" in place:
            judge = Draft202012Validator({**document(), "$defs": {"it": value["schema"]}, "$ref": "#/$defs/it"})
            for name, example in value["examples"].items():
                shown = example if "value" in example else document()["components"]["examples"][last(example)]
                assert [error.message for error in judge.iter_errors(shown["value"])] == [], f"{place} {name}"
                examples += 1
    assert examples >= 20


@pytest.mark.parametrize("name", WITH_BODIES)
def test_every_example_of_a_body_is_one_that_is_taken(name: str):
    said = WITH_BODIES[name]
    assert said.body is not None
    assert said.examples
    for example in said.examples.values():
        loaded(said.body, deepcopy(example), "body")


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 500)
    | st.floats(0, 9).filter(lambda number: not number.is_integer())  # 2.0 is an integer to JSON Schema, and we refuse it: nobody writes one so
    | st.sampled_from(["", "me", "south", "end", "accept", "x" * 41, "a\nb", "random"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["player", "bot", "open", "invite", "kind"]), inner, max_size=2),
    max_leaves=4,
)
FIELDS = ("seat", "ply", "actions", "text", "nonce", "kind", "answer", "entropy", "game", "seats", "options", "settings", "hurry")


@pytest.mark.parametrize("name", sorted(WITH_BODIES))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_a_body_that_the_file_allows_is_taken_and_one_that_it_does_not_is_refused(name: str, data: st.DataObject):
    """The shape alone: whether it fits the match, only the match can say. Actions and settings are judged by their game."""
    said = WITH_BODIES[name]
    body = dict(data.draw(st.sampled_from(list(said.examples.values()))))
    for field in data.draw(st.lists(st.sampled_from(FIELDS), max_size=2)):
        if data.draw(st.booleans()):
            body.pop(field, None)
        else:
            body[field] = data.draw(VALUES)
    if any(body.get(field) for field in ("actions", "settings", "options")):
        return
    assert taken(said, body) == allowed(said, body), body


def taken(said: Operation, body: Any) -> bool:
    """Whether the code takes a body of this shape."""
    assert said.body is not None
    try:
        loaded(said.body, deepcopy(body), "body")
    except Problem:
        return False
    return True


def allowed(said: Operation, body: Any) -> bool:
    """Whether the file does."""
    operation = next(one for methods in document()["paths"].values() for one in methods.values() if one["operationId"] == said.name)
    ref: str = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    return bool(validator(ref.rpartition("/")[2]).is_valid(body))
