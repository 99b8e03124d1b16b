"""No more mail, by one click (RFC 8058) or by a button, about one match or at all; and the way back, for whoever was too quick."""

from __future__ import annotations

from functools import reduce
from typing import Any, Final, get_args

from flask import Response, make_response, request, url_for
from werkzeug.utils import redirect

from domain.game import Record
from domain.match.match import Match, begin, evolve
from domain.match.refusal import Refused
from domain.times import UTC_ZONE
from infra.ids import is_player_id
from infra.people.players import Player
from infra.people.preferences import ALWAYS, Cadence
from infra.seals.tokens import LENGTH
from service.here import site
from service.pages.frame import pages, sheet

# Another method is refused: OPTIONS too, since nobody has to ask a link what it can do.
LINK: Final[dict[str, Any]] = {"methods": ["GET", "POST"], "provide_automatic_options": False, "strict_slashes": False}
ONE_CLICK: Final = ("List-Unsubscribe", "One-Click")


class Unsubscribing(Record, frozen=True):
    """Whose mail a link is about; `match` is ALWAYS where it is about all of it, `title` the match's game."""

    text: str
    player: Player
    match: str
    title: str


@pages.route("/u/<token>", **LINK)
def unsubscribe(token: str) -> Response:
    """GET and HEAD show what there is to press. A POST without our buttons comes from a mail program, which wants no page and no redirect."""
    opened = _opened(token)
    if opened is None:
        return sheet("unknown_unsubscription.html", 404)
    if request.method != "POST":  # a HEAD too: scanners ask by it
        return _page(opened)
    if request.form.get(ONE_CLICK[0]) == ONE_CLICK[1]:
        site().preferring.silence(opened.player.id, opened.match)
        return Response("You get no more of these mails.\n", mimetype="text/plain")
    return _pressed(opened, request.form.get("do", ""))


@pages.route("/u/<token>/<path:rest>", methods=["GET"])
def unsubscribe_and_more(token: str, rest: str) -> Response:  # noqa: ARG001 - whatever the mail hung on
    """The same with something hung on to it."""
    return make_response(redirect(url_for("pages.unsubscribe", token=token), 303))


def _pressed(opened: Unsubscribing, wish: str) -> Response:
    preferring, player = site().preferring, opened.player.id
    was = preferring.preferences(player, opened.match if wish == "match" else ALWAYS).cadence
    match wish:
        case "match" | "all":
            preferring.silence(player, opened.match if wish == "match" else ALWAYS)
            return _back(opened, was=was)
        case "back-match" if opened.match:
            preferring.choose(player, {"cadence": _as_before()}, opened.match)
            return _back(opened)
        case "back-all":
            preferring.choose(player, {"cadence": _as_before()})
            return _back(opened)
        case _:
            return _page(opened, 400, "This page has no such button. Nothing was changed; use one of those below.")


def _as_before() -> Cadence:
    """The cadence that the button brings back; whoever comes back without having had one gets a mail for each turn."""
    said = request.form.get("was", "each")
    return next((known for known in get_args(Cadence) if known == said != "off"), "each")


def _back(opened: Unsubscribing, was: str | None = None) -> Response:
    return make_response(redirect(url_for("pages.unsubscribe", token=opened.text, was=was), 303))


def _page(opened: Unsubscribing, status: int = 200, refused: str = "") -> Response:
    preferring, player = site().preferring, opened.player.id
    return sheet(
        "unsubscribe.html",
        status,
        opened=opened,
        always=preferring.preferences(player),
        told=preferring.preferences(player, opened.match) if opened.match else None,
        was=request.args.get("was", "each"),
        refused=refused,
        zone=opened.player.zone or UTC_ZONE,
    )


def _opened(text: str) -> Unsubscribing | None:
    """What the link is about; None where it is damaged, or leads to nobody who gets mail by it (any more)."""
    token = site().tokens.unseal(text)
    if token is None or token.purpose != "unsubscribe":
        return None
    text = text[:LENGTH]
    if is_player_id(token.subject):
        known = site().players.get(token.subject)
        return Unsubscribing(text, known, ALWAYS, "") if known else None
    try:
        match = site().desk.look(token.subject).match
    except Refused as refused:
        if refused.kind == "no-such-match":
            return None
        raise
    if token.seat_index is None or token.seat_index >= len(match.seats):
        return None
    chair = _then(match, token.ask).chair(match.seats[token.seat_index])
    holder = chair.player or chair.invited
    player = site().players.get(holder) if holder and not chair.bot else None
    return Unsubscribing(text, player, match.id, match.game.title) if player else None


def _then(match: Match, version: int) -> Match:
    """The match when the mail was written: whoever was invited then, or waited on another chair, stops their mails still by the same link."""
    first, *more = site().desk.events(match)[: max(version, 1)]
    return reduce(evolve, more, begin(match.id, first))
