"""Somebody at the API: asks with a token, plays, and remembers nothing but what the answers say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

API = "/api/v1"
ME: dict[str, Any] = {"player": "me"}
RANDOM: dict[str, Any] = {"bot": "random"}
OPEN: dict[str, Any] = {"open": True}
ALL_MINE = (ME, ME, ME, ME)


class Person:
    """A client program with somebody's token, or with none."""

    def __init__(self, client: FlaskClient, id: str = "", token: str = "") -> None:
        self._client, self.id, self.token = client, id, token

    def get(self, path: str, **kwargs: Any) -> TestResponse:
        """GET, below `/api/v1`."""
        return self.asks("GET", f"{API}{path}", **kwargs)

    def post(self, path: str, body: Any = None, *, key: str | None = None, **kwargs: Any) -> TestResponse:
        """POST some JSON, below `/api/v1`."""
        headers = {**kwargs.pop("headers", {}), **({} if key is None else {"Idempotency-Key": key})}
        return self.asks("POST", f"{API}{path}", headers=headers, **({} if body is None else {"json": body}), **kwargs)

    def asks(self, method: str, path: str, **kwargs: Any) -> TestResponse:
        """Any request to any address."""
        headers = {**({"Authorization": f"Bearer {self.token}"} if self.token else {}), **kwargs.pop("headers", {})}
        return self._client.open(path, method=method, headers=headers, **kwargs)

    def creates(self, *seats: dict[str, Any], key: str | None = None, options: Any = None, **settings: Any) -> dict[str, Any]:
        """A match of Fourfold, as it was created."""
        said = {"game": "fourfold", "options": options or {}, "settings": {"seating": "joined", **settings}, "seats": list(seats)}
        return answered(self.post("/matches", said, key=key), 201)

    def sees(self, match: str) -> dict[str, Any]:
        """The match as it stands."""
        return answered(self.get(f"/matches/{match}"), 200)

    def may(self, match: str, seat: str) -> list[dict[str, Any]]:
        """The legal actions of a seat."""
        listed: list[dict[str, Any]] = answered(self.get(f"/matches/{match}/legal-actions", query_string={"seat": seat}), 200)["actions"]
        return listed

    def submits(self, match: dict[str, Any], seat: str, *actions: Any, key: str | None = None, **said: Any) -> TestResponse:
        """Actions, or what else is `said`, for the position that `match` shows."""
        body = {"seat": seat, "ply": match["ply"], **({"actions": list(actions)} if actions else {}), **said}
        return self.post(f"/matches/{match['id']}/submissions", body, key=key)

    def plays(self, match: dict[str, Any]) -> dict[str, Any]:
        """The match after the first legal action of the seat that is to act, which this person holds."""
        seat = match["to_act"][0]["seat"]
        after: dict[str, Any] = answered(self.submits(match, seat, self.may(match["id"], seat)[0]["action"]), 201)["match"]
        return after


@dataclass
class Turn:
    """A match in which somebody is to act with a seat, and somebody else is not."""

    match: dict[str, Any]
    seat: str
    mover: Person
    other: Person

    @property
    def id(self) -> str:
        """The match's id."""
        name: str = self.match["id"]
        return name

    @property
    def legal(self) -> list[dict[str, Any]]:
        """What the mover may do."""
        return self.mover.may(self.id, self.seat)


def two_at_a_table(ann: Person, bo: Person, **settings: Any) -> Turn:
    """A live match in which each holds two seats."""
    match = ann.creates(ME, ME, OPEN, OPEN, several_seats=True, **settings)
    answered(bo.post(f"/matches/{match['id']}/join"), 201)
    return turn_of(answered(bo.post(f"/matches/{match['id']}/join"), 201)["match"], ann, bo)


def turn_of(match: dict[str, Any], ann: Person, bo: Person) -> Turn:
    """Who of the two is to act."""
    seat = match["to_act"][0]["seat"]
    holds = {chair["seat"]: chair["player"] for chair in match["seats"]}
    return Turn(match, seat, *((ann, bo) if holds[seat] == ann.id else (bo, ann)))


def answered(response: TestResponse, status: int) -> dict[str, Any]:
    """What the answer says, which must have this status."""
    assert response.status_code == status, response.get_data(as_text=True)
    said: dict[str, Any] = response.get_json()
    return said


def refused(response: TestResponse, status: int, name: str) -> dict[str, Any]:
    """The problem that the answer is, which must be this one."""
    problem = answered(response, status)
    assert problem["type"] == f"/problems/{name}"
    return problem
