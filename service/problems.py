"""Everything that can go wrong over HTTP: each kind with a stable type, a status, and words that say what to do about it (RFC 9457)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from domain.chain import stamp
from domain.game import Record
from domain.match.match import Match
from domain.match.refusal import Refused

MEDIA = "application/problem+json"
CUT = 60  # characters of a name that are said back
TYPES = "/problems/"  # where each type is explained, on this site as on every other; a client compares the whole of it
NO_MAIL = "you have no seat in this match and are not invited to it, so no mail comes to you about it"
PATIENCE = 1  # seconds after which what failed for a moment may be tried again


class Sort(Record, frozen=True):
    """A kind of problem: its status, its title, and what whoever meets it can do."""

    status: int
    title: str
    advice: str


REFUSALS: dict[str, Sort] = {
    "invalid-match": Sort(422, "That match cannot be created", "Change what `errors` names. `GET /api/v1/games/{game}` says what a game allows."),
    "no-such-match": Sort(404, "No such match", "Check the id. A private match is shown to its players only: send a token of one of them."),
    "not-seated": Sort(403, "You have no seat in this match", "Only its players can do this, and whoever has left no longer."),
    "not-your-seat": Sort(403, "Not your seat", "Act for a seat that you hold. `seats` of the match says who sits where."),
    "no-such-seat": Sort(422, "No such seat", "Name a seat of this match: `detail` lists them, and so do its `seats`."),
    "seat-taken": Sort(409, "That seat is not free", "Look at the match and take a free seat, or look for another match."),
    "not-live": Sort(409, "The match has not begun", "Wait. It starts by itself when its last seat is taken."),
    "match-over": Sort(409, "The match is over", "Nothing can be done in it any more. Its history stays readable."),
    "stale-ply": Sort(409, "The match has moved on", "Look at the position again and decide for its `ply`. `since` lists what was played meanwhile."),
    "not-over": Sort(409, "The match is not over", "A rematch follows a match that was played to its end."),
    "stale-head": Sort(
        409,
        "The position that was signed for is past",
        "Look at the match again, and sign for its `ply` and the `hash` of its `head`. `since` lists what changed the position meanwhile.",
    ),
    "precondition-failed": Sort(
        412, "Not as you saw it", "Look at the match again, decide anew, and send its `ETag` as `If-Match`, or leave that out."
    ),
    "not-your-turn": Sort(409, "Not your turn", "Wait until `to_act` of the match lists your seat."),
    "deadline-passed": Sort(409, "The time for this turn has run out", "The clock decides now what becomes of the seat. Look at the match again."),
    "interrupted": Sort(
        409, "Something comes in between", "Send the actions before number `action` alone, look at what follows, then send the rest."
    ),
    "illegal-action": Sort(422, "Not a legal action", "`detail` says why, `action` which one. `GET …/legal-actions` says what is possible."),
    "unreadable-text": Sort(422, "Not understood", "Write it as `detail` shows. `action` is the number of the line, counted from 0."),
    "no-such-offer": Sort(409, "No such offer", "Look at `offer` of the match: it says what is on the table, if anything."),
    "offer-pending": Sort(409, "An offer is on the table", "There is one at a time, `offer` of the match: answer it, or wait for the others."),
    "invalid-offer": Sort(422, "That cannot be offered", "Change what `detail` names."),
    "nothing-to-take-back": Sort(409, "Nothing to take back", "`take_back` of the match says which seat may take its turn back, and until when."),
    "nobody-is-late": Sort(409, "Nobody is late", "Wait for the deadline."),
    "key-reused": Sort(422, "This idempotency key has been used", "Use a new key for a new request, and the same key only to repeat one."),
    "match-damaged": Sort(
        503, "The match is damaged", "It is read-only until whoever runs this site has looked at it: tell them. Other matches go on."
    ),
    "busy": Sort(503, "Others were faster", "Nothing was done. Send the same request again after `Retry-After` seconds."),
}

OTHERS: dict[str, Sort] = {
    "not-json": Sort(
        400, "Not JSON", "Send one JSON value in UTF-8: no key twice, no NaN or Infinity, no integer beyond 2^53, no half of a surrogate pair."
    ),
    "malformed-jws": Sort(
        400,
        "Not a signed move",
        "Send one compact JWS: base64url without padding, canonical JSON (RFC 8785), and exactly the header and payload that `/openapi.yaml` shows.",
    ),
    "bad-signature": Sort(401, "The signature does not hold", "Sign exactly the bytes that you send, with the private key that belongs to `kid`."),
    "unknown-key": Sort(401, "Nobody's key", "Register the public key with `POST /api/v1/me/keys`, or sign with one that is not revoked."),
    "not-your-key": Sort(403, "Two different players", "Send the token of the player who signed, or none: a signed move needs no token."),
    "no-such-key": Sort(404, "You have no such key", "`GET /api/v1/me/keys` lists those you have."),
    "key-taken": Sort(409, "That key is another player's", "Make a key pair of your own, and register its public half."),
    "too-many-keys": Sort(409, "No room for another key", "Revoke one that you no longer sign with: `DELETE /api/v1/me/keys/{kid}`."),
    "bad-request": Sort(400, "Bad request", "Send HTTP as its standard has it."),
    "not-authenticated": Sort(401, "Not authenticated", "Send `Authorization: Bearer fp_…` with a token that is still valid."),
    "scope-missing": Sort(403, "The token does not reach so far", "Use a token that has the scope named in `scope`."),
    "not-found": Sort(404, "Nothing here", "Check the address. `/openapi.yaml` lists them all."),
    "no-such-game": Sort(404, "No such game", "`GET /api/v1/games` lists the games there are."),
    "no-such-version": Sort(404, "No such version", "Versions count the events of a match, from 1 to its `version`."),
    "method-not-allowed": Sort(405, "Not with this method", "Use a method that the `Allow` header lists."),
    "not-acceptable": Sort(406, "Not in that form", "Ask with `Accept` for a form that `detail` names."),
    "too-slow": Sort(408, "The request did not arrive in time", "Send it again, the body in one go. Nothing was done."),
    "too-large": Sort(413, "Too large", "A body may have up to 32 KiB."),
    "unsupported-media-type": Sort(415, "Not in this form", "Send `Content-Type: application/json`, uncompressed."),
    "limit-reached": Sort(409, "There is no room for more", "Remove something first; `detail` says what."),
    "invalid-request": Sort(422, "The request has the wrong shape", "`errors` says for each field what is wrong with it."),
    "too-many-requests": Sort(429, "Too many requests", "Send it again after `Retry-After` seconds."),
    "too-many-streams": Sort(429, "You have too many streams open", "Close some. One stream tells everything that happens in its match."),
    "streams-full": Sort(503, "No room for another stream", "Come back after `Retry-After` seconds, or look at the match now and then."),
    "no-streams": Sort(501, "No streams here", "Look at the match now and then with `If-None-Match`; it costs the server next to nothing."),
    "internal-error": Sort(500, "A fault of this site", "Send the same request again later, and quote `incident` when you report it."),
    "log-unavailable": Sort(503, "The log cannot be reached", "Nothing was acknowledged. Send the same request again after `Retry-After` seconds."),
    "not-ready": Sort(503, "Not ready", "`reasons` says what whoever runs this site has to put right."),
}

SORTS: Mapping[str, Sort] = {**REFUSALS, **OTHERS}

TOLD_THE_POSITION = frozenset(
    [
        "stale-ply",
        "stale-head",
        "precondition-failed",
        "not-your-turn",
        "deadline-passed",
        "interrupted",
        "illegal-action",
        "unreadable-text",
        "nothing-to-take-back",
        "no-such-offer",
        "offer-pending",
    ]
)


class Problem(Exception):
    """Why a request was not done, ready to be sent: as problem+json, or as a page for people."""

    def __init__(self, name: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.name = name
        self.sort = SORTS[name]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members  # extension members, of which each type has its own

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.sort.status

    @property
    def title(self) -> str:
        """The kind of problem in a few words, the same each time."""
        return self.sort.title

    @property
    def advice(self) -> str:
        """What whoever meets it can do."""
        return self.sort.advice

    def body(self) -> dict[str, Any]:
        """The problem as JSON."""
        said = {"type": f"{TYPES}{self.name}", "title": self.title, "status": self.status, "detail": self.detail, **self.members}
        return {name: value for name, value in said.items() if value is not None}


def refusal(refused: Refused, match: Match | None = None) -> Problem:
    """A refusal of the domain as a problem; where the position explains it, and `match` is it, with what the match waits for."""
    position: dict[str, Any] = {}
    if match is not None and refused.kind in TOLD_THE_POSITION:
        position = {"ply": match.ply, "to_act": to_act(match)}
    due = refused.due if refused.due is not None or match is None or not position else match.due
    return Problem(
        refused.kind,
        refused.words,
        headers={"Retry-After": str(PATIENCE)} if refused.kind == "busy" else None,
        action=refused.action,
        ruling=refused.ruling,
        **position,
        due=None if due is None else stamp(due),
        since=list(refused.since) if refused.kind in ("stale-ply", "stale-head") else None,
        errors=[{"detail": fault.words, "pointer": pointer(fault.path)} for fault in refused.faults] or None,
    )


def invalid(errors: list[dict[str, str]]) -> Problem:
    """That the request has the wrong shape: for each thing that is wrong its `detail`, and where it is."""
    return Problem("invalid-request", "; ".join(error["detail"] for error in errors), errors=errors)


def pointer(path: Iterable[str | int]) -> str:
    """The way to a field of the body as a JSON Pointer, as RFC 9457 has it."""
    return "#" + "".join(f"/{str(step)[:CUT].replace('~', '~0').replace('/', '~1')}" for step in path)


def to_act(match: Match) -> list[dict[str, Any]]:
    """Whom the match waits for, and until when."""
    return [{"seat": ask.seat, "ask": ask.ply, "due": stamp(ask.due)} for ask in match.asks]
