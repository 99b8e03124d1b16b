"""Who is signed in: a cookie with a secret, and forms that only our own pages can send for it."""

from __future__ import annotations

from hmac import compare_digest
from typing import Final, cast
from urllib.parse import urlsplit

from flask import Response, abort, g, redirect, request, url_for
from redis.exceptions import RedisError

from domain.ports import LogUnavailable
from infra.people.players import Player
from infra.people.sessions import LASTS, proof
from service.here import site
from service.pages.frame import sheet

PROOF: Final = "proof"  # the field of a form that shows whose page it stood on


def signed_in() -> Player | None:
    """The player who is signed in; one question to Redis a request, and none where there is no cookie. Raises LogUnavailable."""
    if "player" not in g:
        player = site().sessions.whose(secret()) if secret() else None
        g.player = site().players.get(player) if player else None
    return cast("Player | None", g.player)


def whoever_is_here() -> Player | None:
    """The same for what stands on every page, also on the one that says that Redis is away."""
    try:
        return signed_in()
    except (LogUnavailable, RedisError):
        return None


def yourself() -> Player:
    """The player who is signed in; whoever is not is led to where they can."""
    player = signed_in()
    if player is None:
        abort(redirect(url_for("pages.sign_in"), 303))
    return player


def form_proof() -> str:
    """What the forms of this session's pages carry; empty for whoever is not signed in."""
    return proof(secret()) if secret() else ""


def must_be_ours() -> None:
    """Go on if the form stood on a page of this very session; otherwise nothing is done."""
    said = request.form.get(PROOF, "")
    if not secret() or not compare_digest(said.encode(), proof(secret()).encode()) or from_elsewhere():
        abort(sheet("stale_form.html", 403))


def from_elsewhere() -> bool:
    """Whether another site's page sent this, as browsers tell us."""
    return request.headers.get("Sec-Fetch-Site", "") in ("cross-site", "same-site")


def admitted(response: Response, player: str) -> Response:
    """The response, which signs the player in."""
    response.set_cookie(name(), site().sessions.begin(player), LASTS, path="/", httponly=True, samesite="Lax", secure=_secure())
    return response


def dismissed(response: Response) -> Response:
    """The response, after which nobody is signed in here."""
    response.delete_cookie(name(), path="/", httponly=True, samesite="Lax", secure=_secure())
    return response


def forgotten() -> None:
    """Nobody is signed in any more, for the rest of this request too."""
    g.player = None


def secret() -> str:
    """What the cookie says."""
    return request.cookies.get(name(), "")


def name() -> str:
    """The cookie's name: with a prefix that binds it to this host, or, where a machine has several sites, with the port, since cookies know none."""
    port = urlsplit(site().settings.url).port
    return "__Host-forgepost" if _secure() else f"forgepost-{port}" if port else "forgepost"


def _secure() -> bool:
    return site().settings.secure
