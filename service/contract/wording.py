"""What openapi.yaml says in whole sentences: the rules for all of it, the scopes, the headers and what stands in an address."""

from __future__ import annotations

from typing import Any, Final

TITLE: Final = "Forgepost"
VERSION: Final = "1.0.0"

ABOUT: Final = """\
The API of a turn server for board games by mail. A **game** is a set of rules, a **match** one play of it. A **seat** is a side in a match, held by
a **player**. What a seat decides is an **action**; **ply** counts the actions of a match, **version** its events. Everything that happens is an
event in an append-only log, chained by hashes; a match is nothing but its events.

A client needs little: find the matches that wait for you (`GET /api/v1/matches?awaiting=me`), look at one, ask what is legal, and submit actions
for the `ply` that you saw. Whoever was faster, whatever was drawn: you are told, in words, and nothing is done by halves.

## Rules for all of it

- **Errors** are `application/problem+json` (RFC 9457). Programs look at `type`, people at `detail`. Each type is explained at its address. Only what
  is no HTTP, or has an address or headers beyond all measure, is refused without a body (`400`, `414`, `431`).
- **Tokens** are sent as `Authorization: Bearer fp_…`. Each has scopes; every operation says which one it needs. A token that was revoked may
  open something for five seconds more.
- **Signed moves**: a submission may be a JWS instead, signed with an Ed25519 key of yours (`POST /api/v1/me/keys`). It needs no token.
- **Idempotency**: any POST may carry an `Idempotency-Key` of 1 to 128 visible ASCII characters. The same request, to the byte, with the same key
  is done once, and answered again with `200` and `Idempotent-Replayed: true`; another request with that key is refused (`key-reused`), always where
  it is about the same match, or about none, and now and then where it is about another match: give every request a key of its own. A request that
  was refused leaves none. Keys are yours alone (without a token, your address's), are kept for seven days, and can then be used again. A signed
  move is its own key, for ever: with one, the header is not looked at.
- **Replicas**: where a site keeps replicas of its log, a POST that changes a match may be answered with `202` in the place of `201` or `200`, with
  the same body: it was done and is stored, and they have yet to say that they have it, too. Sites without replicas never answer so.
- **Caching**: a match has an `ETag` (its version and the beginning of its hash), and `If-None-Match` answers `304`.
- **Conditions**: whatever is done to a match takes an `If-Match` with that `ETag`, too, and is done to that very version or refused with `412`
  (`precondition-failed`); the same request sent again with its idempotency key gets its answer nevertheless. Without it a submission is bound to
  the `ply` only, so that an offer made meanwhile does not stand in its way.
- **Streams** (`…/stream`) tell a match as it happens; nobody has to ask again and again. A browser's `EventSource` sends no token, so it hears
  public matches only; `fetch` reads all.
- **Lists** come in pages: `next` in the body, and `Link: <…>; rel="next"`.
- **Times** are UTC, in RFC 3339, with milliseconds and `Z`.
- **Strictness**: unknown fields and parameters are refused. So is a body over 32 KiB, and JSON that two programs could read differently: a key
  that comes twice, NaN or Infinity, integers beyond 2^53, half of a surrogate pair, more than 16 levels. Whole numbers are written as such: `1.0`
  is none.
- **Webhooks** (`POST /api/v1/webhooks`) send each event of your matches to a URL of yours, signed as Standard Webhooks
  (https://www.standardwebhooks.com) has it: its libraries verify `webhook-id`, `webhook-timestamp` and `webhook-signature` with the webhook's
  secret. The body is `{"type", "timestamp", "data"}`, and `data` the event: an `EventMessage` (and where you asked for a test, a `TestMessage`).
  Answer with any `2xx` within 10 seconds, and with 64 KiB at most; redirects are not followed. An event may come twice,
  under the same `webhook-id`; those of one match come in order unless you refused one, so look at `version`. A server that does not answer (or
  says 429, 502, 503 or 504) is tried again after 5 seconds, 30 seconds, 5 minutes, half an hour, 2 hours, then every 5 hours, and everything
  waits in its order. An event refused with any other status is tried ten times over three days, while later ones go on. `410`, or five
  days without a delivery, switch the webhook off, and its owner gets a mail. `/me/webhooks` on the site shows what became of each delivery.
- **Limits**: requests are counted for each token, without one (or where none is asked for) for each address, by kind (`read`, `write`, `heavy`,
  `picture`, `create`, `mail`; `page` is what has no place here). `RateLimit-Policy` says how many there may be, `RateLimit` what is left;
  beyond that the answer is `429`, and `Retry-After` says when to go on.
- **Browsers**: scripts of any site may use the API (CORS), with a token and never with cookies.
- **Growth**: within `/api/v1` answers may gain fields and headers, requests optional fields and parameters; there may be new operations,
  games, types of events (`type`), ways in (`via`) and types of problems, and a `202` with the body of the `201` beside it. Let pass what you
  do not know. Nothing else changes: what is taken today stays taken, what is there stays there with its type, and no list of values grows
  but these. What goes some day is marked `deprecated` here and sent with `Deprecation` and `Sunset` headers (RFC 9745, RFC 8594) for half a
  year at least; what cannot be kept gets another address, `/api/v2`, beside this one.
"""

TAGS: Final = {
    "games": "What can be played.",
    "matches": "Creating, finding, joining and looking at matches.",
    "play": "What is possible, and doing it.",
    "history": "What has happened, and the proof of it.",
    "pictures": "The board.",
    "me": "Yourself: signing up, settings, tokens.",
    "webhooks": "Having events sent to a program.",
    "site": "Keys, health and this description; outside `/api/v1`.",
}

BEARER: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API token. Its scopes: `matches:read` (look at matches and list them; public ones need no token), `matches:play` (join, "
    "leave, play your seats), `matches:create`, `player:read` (see yourself), `player:write`, `webhooks:write`, `admin`.",
}

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "Accept-Post": {"description": "The media types that are taken here.", "schema": {"type": "string"}},
    "Content-Disposition": {"description": "A name for the file, where one keeps it.", "schema": {"type": "string"}},
    "ETag": {"description": 'The version and the beginning of its hash: `"12-3f9a0c1d2e4b5a67"`; of a game, its hash.', "schema": {"type": "string"}},
    "Idempotent-Replayed": {"description": "Always `true`: nothing was done this time.", "schema": {"type": "string", "enum": ["true"]}},
    "Link": {"description": 'The next page, if there is one: `<…>; rel="next"`.', "schema": {"type": "string"}},
    "Location": {"description": "Where it is.", "schema": {"type": "string", "format": "uri"}},
    "RateLimit": {
        "description": 'What is left: `"read";r=580;t=2` says that 580 more requests of this kind can be made at once, and that all are there again '
        "in 2 seconds.",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": 'How many requests of this kind a token, or without one an address, may make in how many seconds: `"read";q=600;w=60`.',
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "After how many seconds to try again.", "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "What kind of token is wanted (RFC 6750).", "schema": {"type": "string"}},
}

PARAMETERS: Final[dict[str, dict[str, Any]]] = {  # request headers
    "Idempotency-Key": {
        "description": "Names this request, so that it can be sent again without being done twice.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
        "example": "6c7f4f0e-51d1-4c39-9b1c-0e2d6e1f3a55",
    },
    "Last-Event-ID": {
        "description": "The `id` of the last event that you got; `EventSource` sends it by itself when it comes back. It comes before `from`.",
        "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,7})$"},
        "example": "12",
    },
    "If-Match": {
        "description": "The `ETag` of the match that you saw: it is done to that version or not at all (`412`). `*` goes with any.",
        "schema": {"type": "string"},
        "example": '"12-3f9a0c1d2e4b5a67"',
    },
    "If-None-Match": {"description": "The `ETag` of what you have.", "schema": {"type": "string"}, "example": '"12-3f9a0c1d2e4b5a67"'},
}

PATHS: Final[dict[str, dict[str, Any]]] = {
    "id": {"description": "The match's id.", "schema": {"type": "string"}, "example": "07-3f9k2m8qtx"},
    "game": {"description": "The game's id.", "schema": {"type": "string"}, "example": "fourfold"},
    "version": {"description": "A version of the match, from 1.", "schema": {"type": "integer", "minimum": 0}, "example": 12},
    "token_id": {"description": "The id under which the token is listed.", "schema": {"type": "string"}, "example": "3f9a0c1d2e4b5a67"},
    "webhook": {"description": "The webhook's id.", "schema": {"type": "string"}, "example": "w-3f9k2m8qtx"},
    "message": {"description": "The message's id.", "schema": {"type": "string"}, "example": "msg_w-3f9k2m8qtx_07-3f9k2m8qtx_12"},
    "kid": {"description": "The key's id.", "schema": {"type": "string"}, "example": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
    "n": {"description": "The number of the offer.", "schema": {"type": "integer", "minimum": 0}, "example": 1},
    "name": {"description": "The last part of a problem's `type`.", "schema": {"type": "string"}, "example": "stale-ply"},
}

FIELDS: Final[dict[str, dict[str, str]]] = {  # of the schemas that come from the domain's types
    "By": {
        "kind": "`seat` or `player` where somebody decided, `nature` for lots, `clock` for time that ran out, `server` for what follows.",
        "seat": "The seat, where one decided.",
        "player": "The player's id, where one decided.",
        "via": "By which way in it came.",
    },
    "MatchCreated": {
        "game": "The game's id.",
        "edition": "Which edition of the game's rules it is played by.",
        "options": "The game's options, all of them.",
        "settings": "What the players agreed on.",
        "seats": "The names of the seats, in order.",
        "commitment": "SHA-256 (hex) of the seed that all lots are drawn from; the seed is revealed by the last event.",
        "invited": "The seats kept for somebody, each with the player's id.",
        "components": "SHA-256 (hex) of the game's cards, for games that have some.",
    },
    "SeatTaken": {
        "seat": "The seat; where seats are drawn by lot, a chair to wait on.",
        "player": "Who sat down.",
        "bot": "The kind of house bot, if it is one.",
        "entropy": "The player's part in the chance of the match.",
    },
    "SeatLeft": {"seat": "The seat that is free again."},
    "MatchStarted": {},
    "MatchAborted": {"reason": "Why the match will not start."},
    "ActionTaken": {
        "action": "The action.",
        "text": "The same as a line of text.",
        "forced": "Nobody chose it: it was the only one possible, or a caretaker played it.",
        "timeout": "The clock answered for the seat.",
        "nonce": "The player's part in the chance that follows.",
        "jws": "The signed move that it is the first action of: a compact JWS; the actions after it in the same submission are covered by it.",
    },
    "ChanceDrawn": {
        "kind": "What was drawn: one of the game's kinds, or `seats`.",
        "text": "The same as a line of text.",
        "index": "How many single draws the match had made before.",
    },
    "TurnTakenBack": {"to_ply": "The position is again what it was at this ply."},
    "OfferMade": {"offer": "Its number.", "kind": "What is offered.", "seconds": "How long a pause would last."},
    "ClockChanged": {
        "paused_until": "Nobody's time runs before that; who was asked keeps as much as they had.",
        "since": "From then on nobody's time ran, because the site was away; left out where a pause was agreed on, which begins at once.",
    },
    "OfferAnswered": {"offer": "Its number.", "answer": "When all have accepted, it is done; one `decline` ends the offer."},
    "OfferLapsed": {"offer": "Its number."},
    "SeatVacated": {"seat": "The seat.", "reason": "Why its player left."},
    "MatchFinished": {"outcome": "How it ended."},
    "SeedRevealed": {"seed": "The 32 bytes (hex) that all lots of the match were drawn from."},
    "MatchSettings": {
        "clock": "How much time there is.",
        "on_timeout": "What becomes of a seat whose time runs out: its player is out, with all seats.",
        "undo_seconds": "How long a turn may be taken back; 0: not at all.",
        "auto_forced": "Whether the server makes an action at once that is the only one possible.",
        "seating": "Whether the seats are drawn by lot at the start, or are those that were taken.",
        "visibility": "Whether everybody may look, or the players only.",
        "several_seats": "Whether a player may hold several seats, where the game lets them.",
    },
    "PerTurn": {"kind": "So long for every turn.", "seconds": "How long, from the moment that the seat is asked."},
}
