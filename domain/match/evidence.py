"""What stands behind an event: who vouches for it, and what they had to show, in words for auditors."""

from __future__ import annotations

from typing import Any

from domain.game import Record
from domain.match.codec import Line
from domain.match.events import ActionTaken, By, Event, SeatTaken, Via

SHOWN: dict[Via, str] = {
    "link": "a link from a mail to the player: a token for this match, seat and turn, sealed by the server",
    "reply": "a reply by mail: the reply address of this turn, sealed by the server, and the player's own address as its sender",
    "web": "the player's signed-in session on the site",
    "api": "an API token of the player's",
    "jws": "the player's own signature (Ed25519), which stands in the event: nobody without that key can have made it, not even the server",
    "bot": "a house bot of the server",
    "clock": "the server's clock: the time for the turn had run out, or was given back",
    "caretaker": "the rules, which play for a seat that was vacated",
    "server": "the rules: there was one thing to do, and nobody had to choose it",
}
NATURE = "the lots: the seed that the server had committed to in the first event, with what the players gave"
SERVER = "the server, as a consequence of the event before"


class Evidence(Record, frozen=True):
    """One event as an auditor looks at it; `jws` and `given` (entropy for the lots) are empty where there is none."""

    version: int
    kind: str  # type and schema: `action.taken.1`
    shown: str
    player: str  # its id, empty where no player did it
    hash: str
    prev: str
    jws: str
    given: str


def evidence(line: Line, event: Event) -> Evidence:
    """What stands behind one event; `line` is the same event with its hashes."""
    return Evidence(
        line.version,
        f"{line.type}.{line.schema}",
        _shown(event.by),
        event.by.player or "",
        line.hash,
        line.prev,
        _jws(event.fact),
        _given(event.fact),
    )


def _shown(by: By) -> str:
    if by.via:
        return SHOWN[by.via]
    return NATURE if by.kind == "nature" else SERVER


def _jws(fact: Any) -> str:
    """The signature that a signed move carries."""
    said = getattr(fact, "jws", "")
    return said if isinstance(said, str) else ""


def _given(fact: Any) -> str:
    """What the player put into the lots with it."""
    match fact:
        case ActionTaken(nonce=str(nonce)):
            return nonce
        case SeatTaken(entropy=str(entropy)):
            return entropy
        case _:
            return ""
