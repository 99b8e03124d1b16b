"""The table: for every route and method, which status each kind of caller gets. A new route needs a row here, or a test fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tests.service.access.callers import CALLERS


@dataclass(frozen=True)
class Row:
    """What is asked, and what each kind of caller gets; `path` has `{match}` and its like in it (callers.py)."""

    path: str
    gets: dict[str, int]
    json: Any = None
    form: Any = None


def everybody(status: int, **others: int) -> dict[str, int]:
    """The same for all, whatever they bring along, but for those named."""
    return dict.fromkeys(CALLERS, status) | others


def mine(status: int, **others: int) -> dict[str, int]:
    """About whoever asks: for every token that allows it, and for nothing else. A browser's cookie opens nothing of the API."""
    return everybody(status, nobody=401, scopeless=403, expired=401, revoked=401, cookie=401) | others


def seated(player: int, creator: int, **others: int) -> dict[str, int]:
    """For those who sit in the match; to all others, admins included, there is no such match."""
    return mine(404, player=player, creator=creator) | others


def owned(status: int) -> dict[str, int]:
    """For whoever made it, the creator of the match here; to all others, who sits at the same table included, there is no such thing."""
    return mine(404, creator=status)


def seen(status: int, **others: int) -> dict[str, int]:
    """To be looked at by those who sit in the match; where no token is needed for public matches, nobody is told that there is this one."""
    return seated(status, status, nobody=404, cookie=404) | others


def signed_in(status: int, **others: int) -> dict[str, int]:
    """A page for whoever is signed in; all others are led to where they can sign in."""
    return everybody(303, cookie=status) | others


API: Final = "/api/v1"
M: Final = f"{API}/matches/{{match}}"
TURN: Final = {"seat": "north", "ply": 0, "text": "deploy a5"}
HOUSE: Final = {"game": "fourfold", "seats": [{"player": "me"}, {"bot": "random"}, {"bot": "random"}, {"bot": "random"}]}

TABLE: Final[dict[str, Row]] = {
    # The API
    f"GET {API}/games": Row(f"{API}/games", everybody(200)),
    f"GET {API}/games/<game>": Row(f"{API}/games/fourfold", everybody(200)),
    f"POST {API}/players": Row(f"{API}/players", everybody(202), json={"name": "Zoë", "email": "zoe@example.org"}),
    f"GET {API}/me": Row(f"{API}/me", mine(200)),
    f"PATCH {API}/me": Row(f"{API}/me", mine(200), json={"zone": "Europe/Vienna"}),
    f"DELETE {API}/me": Row(f"{API}/me", mine(204), json={"erase": "{me}"}),
    f"GET {API}/me/keys": Row(f"{API}/me/keys", mine(200)),
    f"POST {API}/me/keys": Row(
        f"{API}/me/keys",
        mine(201),
        json={"name": "laptop", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}},
    ),
    f"DELETE {API}/me/keys/<kid>": Row(f"{API}/me/keys/11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", mine(404)),
    f"GET {API}/me/tokens": Row(f"{API}/me/tokens", mine(200)),
    f"POST {API}/me/tokens": Row(f"{API}/me/tokens", mine(201), json={"name": "bot", "scopes": ["matches:read"]}),
    f"DELETE {API}/me/tokens/<token_id>": Row(f"{API}/me/tokens/0123456789abcdef", mine(404)),
    f"GET {API}/me/matches/<id>/mail": Row(f"{API}/me/matches/{{match}}/mail", seated(200, 200)),
    f"PUT {API}/me/matches/<id>/mail": Row(f"{API}/me/matches/{{match}}/mail", seated(200, 200), json={"cadence": "off"}),
    f"GET {API}/matches": Row(f"{API}/matches", mine(200, nobody=200, scopeless=200, cookie=200)),  # the public ones
    f"POST {API}/matches": Row(f"{API}/matches", mine(201), json=HOUSE),
    f"GET {API}/matches/<id>": Row(M, seen(200)),
    f"GET {API}/matches/<id>/legal-actions": Row(f"{M}/legal-actions", seen(200)),
    f"GET {API}/matches/<id>/history": Row(f"{M}/history", seen(200)),
    f"GET {API}/matches/<id>/history/<int:version>": Row(f"{M}/history/1", seen(200)),
    f"GET {API}/matches/<id>/stream": Row(f"{M}/stream", seen(501)),  # there are no streams in a test client
    f"GET {API}/matches/<id>/board.svg": Row(f"{M}/board.svg", seen(200)),
    f"GET {API}/matches/<id>/board.png": Row(f"{M}/board.png", seen(200)),
    f"GET {API}/matches/<id>/board.txt": Row(f"{M}/board.txt", seen(200)),
    f"POST {API}/matches/<id>/join": Row(f"{M}/join", seated(409, 409), json={}),
    f"POST {API}/matches/<id>/leave": Row(f"{M}/leave", seated(409, 409), json={}),
    f"POST {API}/matches/<id>/submissions": Row(f"{M}/submissions", seated(403, 201), json=TURN),
    f"POST {API}/matches/<id>/checks": Row(f"{M}/checks", seated(403, 200), json=TURN),
    f"POST {API}/matches/<id>/take-back": Row(f"{M}/take-back", seated(403, 409), json={"seat": "north"}),
    f"POST {API}/matches/<id>/resignation": Row(f"{M}/resignation", seated(403, 201), json={"seat": "north"}),
    f"POST {API}/matches/<id>/offers": Row(f"{M}/offers", seated(201, 201), json={"kind": "end"}),
    f"POST {API}/matches/<id>/offers/<int:n>/answer": Row(f"{M}/offers/1/answer", seated(409, 409), json={"answer": "accept"}),
    f"POST {API}/matches/<id>/rematch": Row(f"{M}/rematch", seated(409, 409), json={}),
    f"GET {API}/webhooks": Row(f"{API}/webhooks", mine(200)),
    f"POST {API}/webhooks": Row(f"{API}/webhooks", mine(201), json={"url": "https://bots.example.org/forgepost"}),
    f"GET {API}/webhooks/<webhook>": Row(f"{API}/webhooks/{{webhook}}", owned(200)),
    f"PATCH {API}/webhooks/<webhook>": Row(f"{API}/webhooks/{{webhook}}", owned(200), json={"name": "bridge"}),
    f"DELETE {API}/webhooks/<webhook>": Row(f"{API}/webhooks/{{webhook}}", owned(204)),
    f"POST {API}/webhooks/<webhook>/secret": Row(f"{API}/webhooks/{{webhook}}/secret", owned(201), json={}),
    f"GET {API}/webhooks/<webhook>/deliveries": Row(f"{API}/webhooks/{{webhook}}/deliveries", owned(200)),
    f"POST {API}/webhooks/<webhook>/deliveries/<message>/retry": Row(
        f"{API}/webhooks/{{webhook}}/deliveries/msg_{{webhook}}_{{match}}_1/retry", owned(202)
    ),
    f"POST {API}/webhooks/<webhook>/test": Row(f"{API}/webhooks/{{webhook}}/test", owned(202)),
    # What has its place elsewhere
    "GET /.well-known/jwks.json": Row("/.well-known/jwks.json", everybody(200)),
    "GET /metrics": Row("/metrics", everybody(200)),  # this very machine asks
    "GET /healthz": Row("/healthz", everybody(200)),
    "GET /readyz": Row("/readyz", everybody(200)),
    "GET /openapi.yaml": Row("/openapi.yaml", everybody(200)),
    "GET /openapi.json": Row("/openapi.json", everybody(200)),
    "GET /docs": Row("/docs", everybody(200)),
    "GET /docs/shapes": Row("/docs/shapes", everybody(200)),
    "GET /problems/<name>": Row("/problems/stale-ply", everybody(200)),
    "GET /verify": Row("/verify", everybody(200)),
    "GET /paints.css": Row("/paints.css", everybody(200)),
    "GET /static/<path:filename>": Row("/static/forgepost.css", everybody(200)),
    # Pages for everybody
    "GET /": Row("/", everybody(200)),
    "POST /": Row("/", everybody(422, cookie=403), form={}),
    "GET /games": Row("/games", everybody(200)),
    "GET /games/<game>": Row("/games/fourfold", everybody(200)),
    "GET /lost": Row("/lost", everybody(200)),
    "POST /lost": Row("/lost", everybody(303), form={"address": "creator@example.org"}),
    "GET /lost/mailed": Row("/lost/mailed", everybody(200)),
    "GET /sign-in": Row("/sign-in", everybody(200, cookie=303)),
    "POST /sign-in": Row("/sign-in", everybody(303), form={"address": "creator@example.org"}),
    "GET /sign-in/mailed": Row("/sign-in/mailed", everybody(200)),
    "POST /sign-up": Row("/sign-up", everybody(303), form={"name": "Zoë", "new_address": "zoe@example.org"}),
    # Links: whoever has one has the proof in hand, and needs no other
    "GET /m": Row("/m", everybody(404)),
    "POST /m": Row("/m", everybody(404), form={}),
    "GET /m/<token>": Row("/m/{turn}", everybody(200)),
    "POST /m/<token>": Row("/m/{turn}", everybody(303), form={"ply": "0", "action": "deploy a5"}),
    "GET /m/<token>/<path:rest>": Row("/m/{turn}/and-more", everybody(303)),
    "POST /m/<token>/<path:rest>": Row("/m/{turn}/and-more", everybody(303), form={}),
    "GET /m/<token>/board.svg": Row("/m/{view}/board.svg", everybody(200)),
    "GET /h/<token>": Row("/h/{view}", everybody(200)),
    "GET /m/<token>/history": Row("/m/{view}/history", everybody(200)),
    "GET /m/<token>/history.ndjson": Row("/m/{view}/history.ndjson", everybody(200)),
    "GET /m/<token>/history.txt": Row("/m/{view}/history.txt", everybody(200)),
    "GET /m/<token>/next": Row("/m/{turn}/next", everybody(303)),
    "GET /started/<match>/<proof>": Row("/started/{match}/{proof}", everybody(200)),
    "POST /started/<match>/<proof>": Row("/started/{match}/{proof}", everybody(409), form={"do": "call-off"}),
    "GET /s/<token>": Row("/s/{way_in}", everybody(200)),
    "POST /s/<token>": Row("/s/{way_in}", everybody(303, cookie=404), form={}),
    "GET /u/<token>": Row("/u/{unsubscribe}", everybody(200)),
    "POST /u/<token>": Row("/u/{unsubscribe}", everybody(200), form={"List-Unsubscribe": "One-Click"}),
    "GET /u/<token>/<path:rest>": Row("/u/{unsubscribe}/and-more", everybody(303)),
    "GET /c/<token>.ics": Row("/c/{calendar}.ics", everybody(200)),
    # Pages of matches, and of whoever is signed in
    "GET /matches/<match>": Row("/matches/{match}", everybody(404, cookie=200)),
    "GET /matches/<match>/board.svg": Row("/matches/{match}/board.svg", everybody(404, cookie=200)),
    "GET /matches/<match>/history": Row("/matches/{match}/history", everybody(404, cookie=200)),
    "GET /matches/<match>/history.ndjson": Row("/matches/{match}/history.ndjson", everybody(404, cookie=200)),
    "GET /matches/<match>/history.txt": Row("/matches/{match}/history.txt", everybody(404, cookie=200)),
    "POST /matches/<match>": Row("/matches/{match}", everybody(404, cookie=403), form={"do": "play"}),
    "GET /matches/<match>/turns/<seat>/<int:ask>": Row("/matches/{match}/turns/north/{ask}", signed_in(200)),
    "POST /matches/<match>/turns/<seat>/<int:ask>": Row(
        "/matches/{match}/turns/north/{ask}", signed_in(403), form={"ply": "0", "action": "deploy a5"}
    ),
    "GET /matches/<match>/turns/<seat>/<int:ask>/next": Row("/matches/{match}/turns/north/{ask}/next", signed_in(303)),
    "GET /matches/<match>/ending": Row("/matches/{match}/ending", signed_in(200)),
    "POST /matches/<match>/ending": Row("/matches/{match}/ending", signed_in(403), form={"do": "resign", "word": "resign"}),
    "GET /matches/<match>/mail": Row("/matches/{match}/mail", signed_in(200)),
    "POST /matches/<match>/mail": Row("/matches/{match}/mail", signed_in(403), form={"cadence": "off"}),
    "GET /matches/<match>/invitation": Row("/matches/{match}/invitation", signed_in(303)),
    "POST /matches/<match>/invitation": Row("/matches/{match}/invitation", signed_in(403), form={"do": "decline"}),
    "GET /me": Row("/me", signed_in(200)),
    "GET /me/data.json": Row("/me/data.json", signed_in(200)),
    "GET /me/settings": Row("/me/settings", signed_in(200)),
    "POST /me/settings": Row("/me/settings", signed_in(403), form={"do": "erase", "word": "erase"}),
    "GET /me/webhooks": Row("/me/webhooks", signed_in(200)),
    "POST /me/webhooks": Row("/me/webhooks", signed_in(403), form={"url": "https://bots.example.org/"}),
    "GET /me/webhooks/<webhook>": Row("/me/webhooks/{webhook}", signed_in(200)),
    "POST /me/webhooks/<webhook>": Row("/me/webhooks/{webhook}", signed_in(403), form={"do": "delete"}),
    "POST /sign-out": Row("/sign-out", everybody(403), form={"where": "everywhere"}),
    # The development mailbox, which there is on a development machine only
    "GET /dev/mail": Row("/dev/mail", everybody(200)),
    "GET /dev/mail.json": Row("/dev/mail.json", everybody(200)),
    "GET /dev/mail/<mail>": Row("/dev/mail/1", everybody(404)),
    "GET /dev/mail/<mail>.eml": Row("/dev/mail/1.eml", everybody(404)),
    "GET /dev/previews": Row("/dev/previews", everybody(200)),
    "GET /dev/previews.json": Row("/dev/previews.json", everybody(200)),
    "GET /dev/previews/<mail>": Row("/dev/previews/1", everybody(404)),
    "GET /dev/previews/<mail>.eml": Row("/dev/previews/1.eml", everybody(404)),
    "POST /dev/mail/<mail>/reply": Row("/dev/mail/1/reply", everybody(404), form={"words": "help"}),
    "POST /dev/mail/<mail>/reply.json": Row("/dev/mail/1/reply.json", everybody(404), form={"words": "help"}),
}
