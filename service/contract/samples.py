"""Real answers for openapi.yaml: a small match of Fourfold, played here and now by the rules with a fixed seed and a clock that stands still."""

from __future__ import annotations

from typing import Any

import msgspec
from nacl.signing import SigningKey

from domain.chain import SeedLot, canonical, stamp
from domain.desk import Sight
from domain.match.codec import Line, encode, lines
from domain.match.commands import Actor, Command, CreateMatch, Hold, House, Submit
from domain.match.decide import decide
from domain.match.match import Match, begin, evolve
from domain.match.signed import TYP
from domain.ports import Stored, Tip
from domain.words import next_words
from infra.ids import bot_player_id
from infra.people.preferences import Preferences, told
from infra.seals.jws import coded
from infra.webhooks.signature import written
from service.api.showing import shown
from service.schemas.keys import X
from service.schemas.matches import ID, PLAYER
from service.schemas.webhooks import MESSAGE, WEBHOOK
from service.streams.frames import BEAT, beginning, frame

SEED = bytes(range(32))
SIGNER = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")  # RFC 8037, appendix A.1
START = 1_795_946_400_123  # 2026-11-29T10:00:00.123Z


YOU = {
    "id": PLAYER,
    "name": "Ann",
    "email": "ann@example.org",
    "new_email": None,
    "zone": "Europe/Vienna",
    "confirmed": True,
    "created_at": stamp(START),
    "mail": told(Preferences()),
}
HOOK = {
    "id": WEBHOOK,
    "url": "https://bots.example.org/forgepost",
    "name": "my bridge",
    "types": ["action.taken", "match.finished"],
    "match": None,
    "on": True,
    "off_reason": None,
    "created_at": stamp(START),
    "delivered_at": None,
    "failing_since": None,
    "failures": 0,
    "waiting": 0,
    "next_try_at": None,
    "old_secret_until": None,
}
DELIVERY = {
    "message": MESSAGE,
    "type": "action.taken",
    "match": ID,
    "version": 12,
    "at": stamp(START),
    "tries": 1,
    "milliseconds": 87,
    "status": 500,
    "answer": "no such table",
    "failure": None,
    "delivered": False,
    "next_try_at": stamp(START + 5_000),
}
KEY = {"kid": X, "name": "laptop", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": X}, "created_at": "2026-11-29T10:00:00.123Z"}


class Pen:
    """Signs nothing: the examples show what a signature looks like."""

    def sign_head(self, _match: str, _version: int, _head: bytes) -> str:
        """A compact JWS, cut short."""
        return "eyJhbGciOiJFZDI1NTE5Iiwia2lkIjoi…"


class Table:
    """A match with everything that has happened in it."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._tip = Tip()
        self._now = START

    @property
    def match(self) -> Match:
        """The match, once it was created."""
        assert self._match is not None
        return self._match

    def begins(self) -> list[Line]:
        """The events from the creation up to the first decision of the player among three house bots."""
        bots = tuple(House("random", bot_player_id(ID, seat)) for seat in (1, 2, 3))
        told = self.does(CreateMatch(Actor(PLAYER, "api"), "fourfold", {}, {}, (Hold(PLAYER), *bots)))
        while (chair := self.match.chair(seat := self.match.asks[0].seat)).player != PLAYER:
            bot = Actor(chair.player or "", "bot")
            told += self.does(Submit(bot, seat, self.match.ply, (next(self.match.game.legal(self.match.state, seat)),)))
        return told

    def does(self, command: Command) -> list[Line]:
        """The events that it brings, as they are shown."""
        self._now += 60_000
        stored = []
        for event in decide(self._match, command, SeedLot(SEED, ID), self._now):
            self._match = begin(ID, event) if self._match is None else evolve(self._match, event)
            stored.append(Stored(self._match.version, *encode(event)))
        told = lines(ID, self._tip, stored)
        self._tip = Tip(told[-1].version, bytes.fromhex(told[-1].hash))
        return told

    @property
    def head(self) -> str:
        """The hash (hex) of the newest version."""
        return self._tip.hash.hex()

    def shown(self) -> Any:
        """The match as it stands."""
        return plain(shown(Sight(self.match, self._tip), Pen()))


def signed_sample() -> str:
    """A signed move: the first action of the match, by the key of RFC 8037, appendix A."""
    table = Table()
    table.begins()
    match = table.match
    seat = match.asks[0].seat
    said = {"actions": [next(match.game.legal(match.state, seat))], "match": ID, "ply": match.ply, "prev": table.head, "seat": seat}
    header = {"alg": "Ed25519", "kid": X, "typ": TYP}
    text = f"{coded(canonical(header))}.{coded(canonical(said))}"
    return f"{text}.{coded(SigningKey(SIGNER).sign(text.encode()).signature)}"


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def streamed(told: list[Line]) -> str:
    """Events as a stream tells them to whoever began at the first."""
    return b"".join([beginning(0, 2718), *map(frame, told), BEAT]).decode()


def samples() -> dict[tuple[str, int], dict[str, Any]]:
    """Answers of operations, by operation and status, each with a name."""
    table = Table()
    told = table.begins()
    match = table.match
    seat = match.asks[0].seat
    legal = list(match.game.legal(match.state, seat))
    listed = [{"action": plain(action), "text": match.game.write(action)} for action in legal]
    words = [{"word": word, "complete": complete} for word, complete in next_words(match.game, match.state, seat)]
    before = table.shown()
    done = {"events": plain(table.does(Submit(Actor(PLAYER, "api"), seat, match.ply, (legal[0],)))), "match": table.shown()}
    return {
        ("show_match", 200): {"your turn": before},
        ("create_match", 201): {"your turn": before},
        ("legal_actions", 200): {
            "actions": {"ply": match.ply, "seat": seat, "actions": listed, "next": None, "cut": False},
            "first words": {"ply": match.ply, "seat": seat, "words": words, "next": None},
        },
        ("submit", 201): {"done": done},
        ("read_history", 200): {"the first three": {"events": plain(told[:3]), "next": 4}},
        ("stream_match", 200): {"the first three, and a sign of life": streamed(told[:3])},
        ("me", 200): {"you": YOU},
        ("list_keys", 200): {"one key": {"keys": [KEY]}},
        ("add_key", 201): {"registered": KEY},
        ("list_webhooks", 200): {"one": {"webhooks": [HOOK]}},
        ("make_webhook", 201): {"made": {**HOOK, "secret": written(bytes(range(32)))}},
        ("list_deliveries", 200): {"refused once": {"deliveries": [DELIVERY], "next": None}},
    }
