"""The signed words in a link or reply address: who may do what, and until when, in 45 characters that survive the mail."""

from __future__ import annotations

import re
from hmac import compare_digest
from typing import Literal, TypeAlias, get_args

from domain.game import Record
from infra.ids import ALPHABET, crockford, uncrockford
from infra.seals.keys import Keys

Purpose: TypeAlias = Literal["view", "move", "resign", "unsubscribe", "reply", "feed", "sign-in", "join", "address"]

PURPOSES: tuple[Purpose, ...] = get_args(Purpose)  # a purpose's number is its place here: new ones are only ever appended
LENGTH = 45
EPOCH = 1_735_689_600_000  # 2025-01-01, ms
UNIT = 600_000  # expiry is told in steps of ten minutes
PLAYER = 255  # in the place of the partition: the subject is a player
NO_SEAT = 7
WIDTHS = {"purpose": 4, "partition": 8, "id": 50, "seat": 3, "ask": 20, "step": 8, "choice": 9, "expiry": 22}  # bits, 124 in all
BITS, MAC_BITS = sum(WIDTHS.values()), 96

_READ = str.maketrans("OoIiLl" + ALPHABET[10:].upper(), "001111" + ALPHABET[10:])
_SHAPE = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}(?![0-9A-Za-z])")
_MATCH_ID, _PLAYER_ID = re.compile(rf"([0-9]{{2}})-([{ALPHABET}]{{10}})"), re.compile(rf"p-([{ALPHABET}]{{10}})")


class Token(Record, frozen=True):
    """What a link says. A move's or reply's `ask` is the version at which the seat's ask was born; any other's since which the chair is held."""

    purpose: Purpose
    subject: str  # a match id, or a player id
    seat_index: int | None = None
    ask: int = 0
    step: int = 0  # plies since the ask was born, when the link was made
    choice: int = 0  # 1 + the action's place in the legal list at that ply; 0: none chosen
    expires: int = EPOCH  # ms, on a full ten minutes; sealing rounds up


class Tokens:
    """Makes and opens tokens under a site's keys, one key a purpose."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def seal(self, token: Token) -> str:
        """The 45 characters. ValueError for a number that has no room or a subject that is neither a match nor a player."""
        partition, number = _numbered(token.subject)
        seat = NO_SEAT if token.seat_index is None else token.seat_index
        if token.seat_index == NO_SEAT:
            raise ValueError(f"seat {NO_SEAT} has no room in a token")
        expiry = -(-(token.expires - EPOCH) // UNIT)
        values = (PURPOSES.index(token.purpose), partition, number, seat, token.ask, token.step, token.choice, expiry)
        packed = 0
        for (name, width), value in zip(WIDTHS.items(), values, strict=True):
            if not 0 <= value < 1 << width:
                raise ValueError(f"{name} {value} has no room in a token")
            packed = packed << width | value
        kid = self._keys.current_kid
        return kid + crockford(packed << MAC_BITS | int.from_bytes(self._mac(kid, token.purpose, packed)), LENGTH - 1)

    def unseal(self, text: str) -> Token | None:
        """What the token says, whoever changed its case or hung a full stop on it; None if it is damaged or not ours."""
        text = text[: LENGTH + 1].translate(_READ)
        if not _SHAPE.match(text) or (kid := text[0]) not in self._keys.kids:
            return None
        whole = uncrockford(text[1:LENGTH])
        packed, mac = whole >> MAC_BITS, whole & (1 << MAC_BITS) - 1
        if (code := packed >> BITS - WIDTHS["purpose"]) >= len(PURPOSES):
            return None
        if not compare_digest(self._mac(kid, PURPOSES[code], packed), mac.to_bytes(MAC_BITS // 8)):
            return None
        return _unpacked(packed)

    def _mac(self, kid: str, purpose: Purpose, packed: int) -> bytes:
        return self._keys.mac(kid, purpose, packed.to_bytes(16))


def _unpacked(packed: int) -> Token:
    values: dict[str, int] = {}
    for name, width in reversed(WIDTHS.items()):
        values[name] = packed & (1 << width) - 1
        packed >>= width
    letters = crockford(values["id"], WIDTHS["id"] // 5)
    return Token(
        purpose=PURPOSES[values["purpose"]],
        subject=f"p-{letters}" if values["partition"] == PLAYER else f"{values['partition']:02d}-{letters}",
        seat_index=None if values["seat"] == NO_SEAT else values["seat"],
        ask=values["ask"],
        step=values["step"],
        choice=values["choice"],
        expires=EPOCH + values["expiry"] * UNIT,
    )


def _numbered(subject: str) -> tuple[int, int]:
    """Partition (or PLAYER) and the id's 50 bits."""
    if found := _PLAYER_ID.fullmatch(subject):
        return PLAYER, uncrockford(found[1])
    if found := _MATCH_ID.fullmatch(subject):
        return int(found[1]), uncrockford(found[2])
    raise ValueError(f"{subject!r} is neither a match id nor a player id")
