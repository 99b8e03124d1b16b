"""The kinds of callers: who they are, what they bring along, and the private match that they all ask about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from flask import Flask
from werkzeug.test import TestResponse

from domain.match.commands import Actor, CreateMatch, Hold, House
from infra.ids import bot_player_id
from infra.people.players import SCOPES, Player
from infra.seals.links import to_ending, to_match, to_sign_in, to_turn, to_unsubscribe
from infra.webhooks.webhooks import Wish
from infra.wiring import Site
from tests.people import Watch

MATCH: Final = "07-0000000001"
PLAYING: Final = tuple(scope for scope in SCOPES if scope != "admin")
CALLERS: Final = {
    "nobody": "without a token",
    "stranger": "with a token with all scopes of a player, who has nothing to do with the match",
    "player": "the same, of somebody who sits in the match and is not to act",
    "creator": "the same, of whoever created the match, sits there, and is to act",
    "admin": "the same, with the scope `admin` as well, of somebody who has nothing to do with the match",
    "scopeless": "with a token of the creator that allows nothing but what no route asks for (`webhooks:write`, or `matches:read` for webhooks)",
    "expired": "with a token of the creator whose time is over",
    "revoked": "with a token of the creator that was revoked",
    "cookie": "a browser in which the creator is signed in, whose form comes from another site's page",
}


@dataclass
class Scene:
    """A site with a private match, and what stands in addresses there."""

    app: Flask
    site: Site
    watch: Watch
    needs: str = ""  # the scope that the route asks for
    brought: dict[str, str] = field(default_factory=dict)  # what each kind of caller brings along: a token, or a cookie

    def __post_init__(self) -> None:
        players, now = self.site.players, self.watch.now
        self.people: dict[str, Player] = {name: players.add(name, f"{name}@example.org") for name in ("stranger", "player", "creator", "admin")}
        creator = self.people["creator"]
        seats = (Hold(creator.id), House("random", bot_player_id(MATCH, 1)), Hold(self.people["player"].id), House("random", bot_player_id(MATCH, 3)))
        made = CreateMatch(Actor(creator.id, "api"), "fourfold", {}, {"seating": "joined"}, seats)
        match = self.site.desk.do(MATCH, made).sight.match
        seal = self.site.tokens.seal
        self.listed = "0" * 16
        self.words = {
            "match": MATCH,
            "turn": seal(to_turn(match, match.asks[0])),
            "view": seal(to_match(match, "north", now)),
            "ending": seal(to_ending(match, "north", now)),
            "unsubscribe": seal(to_unsubscribe(match, "north", now)),
            "calendar": seal(self.site.calendars.token(creator.id)),
            "ask": str(match.asks[0].version),
            "way_in": seal(to_sign_in(creator.id, now // 60_000, now)),
            "webhook": self.site.webhooks.add(creator.id, Wish("https://bots.example.org/forgepost"), 7).id,
            "proof": self.site.keys.mac(self.site.keys.current_kid, "started", MATCH.encode()).hex(),
        }
        self.ids = {f"id_of_{name}": player.id for name, player in self.people.items()}

    def asks(self, caller: str, method: str, path: str, json: Any = None, form: Any = None) -> int:
        """The status of the request, as this kind of caller makes it."""
        with self.answer(caller, method, path, json, form) as response:
            return response.status_code

    def answer(self, caller: str, method: str, path: str, json: Any = None, form: Any = None) -> TestResponse:
        """The whole answer; `{match}` and its like stand for what is there, `{me}` for the caller's id."""
        client = self.app.test_client()
        headers, me = {}, self.people.get(caller, self.people["creator"])
        if caller != "nobody" and caller not in self.brought:
            self.brought[caller] = self.site.sessions.begin(me.id) if caller == "cookie" else self._token(caller, me)
        if caller == "cookie":
            client.set_cookie("forgepost-8000", self.brought[caller])
            headers["Sec-Fetch-Site"] = "cross-site"
        elif caller != "nobody":
            headers["Authorization"] = f"Bearer {self.brought[caller]}"
        words = {**self.words, **self.ids, "me": me.id}
        body: dict[str, Any] = {"json": _filled(json, words)} if json is not None else {"data": _filled(form, words)} if form is not None else {}
        return client.open(_filled(path, words), method=method, headers=headers, **body)

    def _token(self, caller: str, me: Player) -> str:
        players = self.site.players
        spare = "matches:read" if self.needs == "webhooks:write" else "webhooks:write"
        scopes = SCOPES if caller == "admin" else (spare,) if caller == "scopeless" else PLAYING
        token = players.new_token(me.id, scopes, caller, self.watch.now + 1 if caller == "expired" else None)
        if caller == "revoked":
            players.revoke(me.id, players.passes(me.id)[-1].id)
        if caller == "expired":
            self.watch.now += 1
        return token


def _filled(value: Any, words: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, word in words.items():
            value = value.replace(f"{{{name}}}", word)
        return value
    return {key: _filled(inner, words) for key, inner in value.items()} if isinstance(value, dict) else value
