"""Problems as they really come, one of each type, for openapi.yaml: those of play out of a match played here, the others in the words of the site."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from domain.chain import SeedLot
from domain.match.commands import Actor
from domain.match.decide import decide
from domain.match.match import Match
from domain.match.reading import submission
from domain.match.refusal import Refused
from service.contract.samples import SEED, START, Table, plain
from service.problems import Problem, refusal
from service.schemas.keys import X
from service.schemas.matches import ID, PLAYER

ANN: Final = Actor(PLAYER, "api")
WRONG: Final = [{"detail": "`seat` is missing", "pointer": "#/seat"}, {"detail": "`hurry` is not known here", "pointer": "#/hurry"}]
UNFIT: Final = [
    {"detail": "options: `goals_to_win` must be at most 10", "pointer": "#/options/goals_to_win"},
    {"detail": "settings: `undo_seconds` must be at least 0", "pointer": "#/settings/undo_seconds"},
]
MEMBERS: Final[dict[str, dict[str, Any]]] = {  # beside type, title, status and detail
    "invalid-match": {"errors": UNFIT},
    "scope-missing": {"scope": "matches:play"},
    "invalid-request": {"errors": WRONG},
    "internal-error": {"incident": "3f9a0c1d2e4b"},
    "not-ready": {"reasons": ["Redis evicts keys (maxmemory-policy allkeys-lru): set it to noeviction"]},
}
DETAILS: Final = {
    "invalid-match": "options: `goals_to_win` must be at most 10; settings: `undo_seconds` must be at least 0",
    "no-such-match": f"there is no match {ID}, or it is private and the token that came along is none of its players'",
    "not-seated": "you have no seat in this match",
    "no-such-seat": "there is no seat 'up' in this match; the seats are north, east, south, west",
    "seat-taken": "this match has started; its seats are given",
    "not-live": "this match has not begun: there is nothing to do",
    "match-over": "this match is over: there is nothing to do",
    "stale-head": "since that head another position has come; look at the match again and sign for its head",
    "precondition-failed": "the match is at version 14 now, and that is not what this was asked for: look again",
    "deadline-passed": "the time for this turn ran out at 10:00 UTC on 2 December 2026",
    "interrupted": "lots are drawn before action 1 (counted from 0): send the actions before it alone",
    "not-over": "a rematch follows a match that is over; this one is not",
    "no-such-offer": "there is no offer on the table",
    "offer-pending": "offer 1 is on the table already: answer it first",
    "invalid-offer": "only a pause takes `seconds`; leave them out",
    "nothing-to-take-back": "there is no turn of east to take back",
    "nobody-is-late": "nobody's time has run out",
    "key-reused": "this idempotency key was used for another request; give every request a key of its own",
    "match-damaged": f"the log of match {ID} contradicts itself; it is read-only until whoever runs this site has looked",
    "busy": "others acted at the same time, again and again; nothing was done",
    "not-json": 'the key "seat" comes twice in one object',
    "malformed-jws": "a compact JWS has three parts with dots between them, and this has 2",
    "bad-signature": "the signature is not that of these bytes by this key",
    "unknown-key": f"no player has registered the key {X}, or its player has revoked it",
    "not-your-key": "the token is one player's, and the signature another's",
    "no-such-key": "you have no such key, or have revoked it already",
    "key-taken": "another player has registered this key",
    "too-many-keys": "you have as many keys as one may have: revoke one that you no longer sign with",
    "bad-request": "this was refused: Bad Request",
    "not-authenticated": "this needs a token: send it as `Authorization: Bearer fp_…`",
    "scope-missing": "this needs the scope `matches:play`, and the token does not have it",
    "not-found": "there is nothing at this address",
    "no-such-game": "there is no game chess; there are four-forges, fourfold, penny-ante, steinnheimr",
    "no-such-version": f"match {ID} has the versions 1 to 12",
    "method-not-allowed": "DELETE cannot be used here; what can be used is HEAD, GET, OPTIONS",
    "not-acceptable": "the history comes as application/json, as application/x-ndjson or as text/plain",
    "too-large": "the body is larger than 32 KiB",
    "too-slow": "the request took too long to arrive",
    "unsupported-media-type": "the body is text/plain, and this takes application/json",
    "limit-reached": "you have as many as one may have: remove one first",
    "invalid-request": "`seat` is missing; `hurry` is not known here",
    "too-many-requests": "this address was asked too often within an hour; everything else was changed",
    "too-many-streams": "you have as many streams open as one may have: close one, and come back",
    "streams-full": "there is no room for another stream just now",
    "no-streams": "this server was started without streams: look at the match now and then instead",
    "internal-error": "something went wrong here, not with your request; in the log it is incident 3f9a0c1d2e4b",
    "log-unavailable": "the log of the matches cannot be reached or written to just now; nothing was written",
    "not-ready": "matches cannot be played now",
}


@cache
def problem_samples() -> dict[str, Any]:
    """A body of each type, by its name."""
    told = {name: Problem(name, words, **MEMBERS.get(name, {})).body() for name, words in DETAILS.items()}
    return told | {refused["type"].rpartition("/")[2]: refused for refused in _of_play()}


def _of_play() -> Iterator[Any]:
    """What a match of Fourfold refuses, a minute into a turn."""
    table = Table()
    table.begins()
    before, mine = table.match, table.match.asks[0].seat
    legal = [before.game.write(action) for action in before.game.legal(before.state, mine)]
    table.does(submission(ANN, mine, before.ply, legal[0])(before))
    match = table.match
    other = next(chair for chair in match.chairs if chair.player != PLAYER)
    theirs, bot = match.seats[match.chairs.index(other)], Actor(other.player or "", "bot")
    yield {**_refused(match, ANN, mine, before.ply, legal[0]), "since": [legal[0]]}  # stale-ply; what was played, the desk adds
    yield _refused(match, bot, theirs, match.ply, legal[0])  # not-your-turn
    yield _refused(match, ANN, theirs, match.ply, legal[0])  # not-your-seat
    yield _refused(before, ANN, mine, before.ply, "deploy a1")  # illegal-action
    yield _refused(before, ANN, mine, before.ply, "jump")  # unreadable-text


def _refused(match: Match, who: Actor, seat: str, ply: int, text: str) -> Any:
    try:
        decide(match, submission(who, seat, ply, text)(match), SeedLot(SEED, ID), START + 120_000)
    except Refused as refused:
        return plain(refusal(refused, match).body())
    raise AssertionError(f"{text} is taken from {seat}")
