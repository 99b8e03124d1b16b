"""Signing in: an address is typed, a mail goes there, and its link opens a page with one button. Nobody learns here who plays."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from flask import Response, request

from domain.match.reading import plain
from infra.people.players import NoSuchPlayer, Player, Taken
from infra.people.spelling import Misspelled, spelled
from infra.seals.links import MINUTES
from infra.seals.tokens import LENGTH, Token
from service.here import site
from service.pages.frame import go, pages, sentence, sheet
from service.pages.guard import guard
from service.pages.session import admitted, dismissed, from_elsewhere, must_be_ours, secret, signed_in

ONE_CLICK: Final = 10_000  # ms within which a second click is the first one, made twice
REMEMBERED: Final = 2 * 3600  # seconds that a link is known to be used: longer than it would be good
MINUTE: Final = 60_000  # ms


@pages.get("/sign-in", strict_slashes=False)
def sign_in() -> Response:
    """The forms."""
    return go("pages.me") if signed_in() else _forms()


@pages.post("/sign-in", strict_slashes=False)
def ask_to_sign_in() -> Response:
    """Mail the way in to this address, if somebody plays with it; the answer is the same if nobody does."""
    said = request.form.get("address", "")
    try:
        player = site().players.by_address(site().players.box(said))
    except Misspelled as wrong:
        return _forms(422, {"address": plain(said, 254)}, {"address": sentence(str(wrong), said.strip())})
    if player is not None:
        site().knocks.ask("sign-in", player.id, player.address, site().clock())
    return go("pages.way_in_mailed")


@pages.post("/sign-up", strict_slashes=False)
def sign_up() -> Response:
    """Become a player, without a match to begin with; the answer is the same for whoever is one."""
    said = {name: request.form.get(name, "") for name in ("name", "new_address")}
    wrong = {}
    for name, read in (("name", spelled), ("new_address", site().players.box)):
        try:
            read(said[name])
        except Misspelled as why:
            wrong[name] = sentence(str(why), said[name].strip())
    if wrong:
        return _forms(422, {name: plain(text, 254) for name, text in said.items()}, wrong)
    player = site().players.add(said["name"], said["new_address"])
    site().knocks.ask("sign-in", player.id, player.address, site().clock())
    return go("pages.way_in_mailed")


@pages.get("/sign-in/mailed")
def way_in_mailed() -> Response:
    """Where the forms lead."""
    return sheet("way_in_mailed.html")


@pages.get("/s/<token>", strict_slashes=False)
def personal_link(token: str) -> Response:
    """A link that is about a player: one button, and nothing is done before it is pressed."""
    opened = _opened(token)
    if opened is None:
        return _faded()
    said, player = opened
    moving = site().players.moving(player.id)
    return sheet("way_in.html", said=said, player=player, text=token[:LENGTH], address=moving.address if moving else "")


@pages.post("/s/<token>", strict_slashes=False)
def use_personal_link(token: str) -> Response:
    """Sign in, or prove a new address."""
    opened = None if from_elsewhere() else _opened(token)
    if opened is None:
        return _faded()
    said, player = opened
    if said.purpose == "address":
        return _move(player)
    if not _first_use(said):
        here = signed_in()
        return go("pages.me") if here and here.id == player.id else _faded()
    guard().answered(player.id)
    if secret():
        site().sessions.end(secret())
    return admitted(go("pages.me"), player.id)


@pages.post("/sign-out")
def sign_out() -> Response:
    """Sign out here, or everywhere."""
    must_be_ours()
    player = signed_in()
    if player and request.form.get("where") == "everywhere":
        site().sessions.end_all(player.id)
    site().sessions.end(secret())
    return dismissed(go("pages.start"))


def _forms(status: int = 200, said: dict[str, str] | None = None, wrong: dict[str, str] | None = None) -> Response:
    return sheet("sign_in.html", status, said=said or {}, wrong=wrong or {})


def _faded() -> Response:
    return sheet("way_in_faded.html", 404)


def _opened(text: str) -> tuple[Token, Player] | None:
    """What the link says and about whom, as long as it is good: it was asked for at the player's present address, and not too long ago."""
    token = site().tokens.unseal(text)
    if token is None or token.purpose not in ("sign-in", "address") or token.expires < site().clock():
        return None
    player = site().players.get(token.subject)
    if player is None:
        return None
    if token.purpose == "address":
        moving = site().players.moving(player.id)
        return (token, player) if moving and moving.asked % MINUTES == token.ask else None
    asked_before_moving = player.moved and (player.moved // MINUTE - token.ask) % MINUTES < REMEMBERED // 60
    return None if asked_before_moving else (token, player)


def _first_use(token: Token) -> bool:
    """Whether the link is used for the first time, a double click aside."""
    key, now = f"used:{sha256(site().tokens.seal(token).encode()).hexdigest()}", site().clock()
    if site().redis.set(key, now, nx=True, ex=REMEMBERED):
        return True
    used = site().redis.get(key)
    return used is not None and now - int(used) <= ONE_CLICK


def _move(player: Player) -> Response:
    try:
        site().players.move(player.id)
    except Taken:
        return sheet("moved.html", 409, moved=False)
    except NoSuchPlayer:
        return _faded()
    return sheet("moved.html", moved=True)
