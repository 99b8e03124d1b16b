"""Names for matches and players: short, safe in addresses and mails, without letters that are easily misread."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256

from infra.clock import now

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base32 in lower case
EPOCH = 1_735_689_600  # seconds: 2025-01-01, so that thirty bits of seconds last until 2059
LENGTH = 10  # characters: 50 bits
MOST_PARTITIONS = 100  # a match id begins with two digits

_MATCH = re.compile(rf"[0-9]{{2}}-[{ALPHABET}]{{{LENGTH}}}")
PLAYER_ID = rf"p-[{ALPHABET}]{{{LENGTH}}}"  # as a regular expression
_PLAYER = re.compile(PLAYER_ID)


def crockford(number: int, length: int) -> str:
    """A number as `length` characters, five bits each, the highest first."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))


def uncrockford(text: str) -> int:
    """The number behind characters of `ALPHABET`; ValueError for any other."""
    number = 0
    for character in text:
        number = number << 5 | ALPHABET.index(character)
    return number


def new_match_id(partitions: int) -> str:
    """A match id never given before: a partition by lot, the second of today, twenty bits by lot."""
    return _match_id(secrets.randbelow(partitions), now() // 1000 - EPOCH << 20 | secrets.randbits(20))


def match_id_for(partitions: int, actor: str, key: str, turn: int = 0) -> str:
    """The match id of a creation with an idempotency key: the same for the same actor and key, so that a retry meets the same match.

    `turn` tells how often the key had been used and forgotten before.
    """
    drawn = _drawn("forgepost-match-id-v1", actor, key, *[str(turn)] * bool(turn))
    return _match_id(int.from_bytes(drawn[7:]) % partitions, int.from_bytes(drawn[:7]))


def new_player_id() -> str:
    """A player id by lot: fifty bits."""
    return f"p-{crockford(secrets.randbits(50), LENGTH)}"


def bot_player_id(match: str, seat: int) -> str:
    """The player id of the house bot in one seat (by its index) of one match: nobody else's, and the same at every asking."""
    return f"p-{crockford(int.from_bytes(_drawn('forgepost-bot-id-v1', match, str(seat))[:7]), LENGTH)}"


def is_match_id(text: str) -> bool:
    """Whether this could be the id of a match."""
    return _MATCH.fullmatch(text) is not None


def is_player_id(text: str) -> bool:
    """Whether this could be the id of a player."""
    return _PLAYER.fullmatch(text) is not None


def partition(match: str) -> int:
    """The partition that a match belongs to for life: the two digits its id begins with."""
    return int(match[:2])


def _match_id(of: int, number: int) -> str:
    return f"{of:02d}-{crockford(number, LENGTH)}"


def _drawn(*words: str) -> bytes:
    """Thirty-two bytes that follow from the words and from where one ends and the next begins."""
    return sha256(b"".join(len(word.encode()).to_bytes(4) + word.encode() for word in words)).digest()
