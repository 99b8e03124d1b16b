"""Where the start form leads: what goes out to whom, and, as long as the match waits, what its host can do about empty seats."""

from __future__ import annotations

from hmac import compare_digest

from flask import Response, abort, make_response, redirect, request, url_for

from domain.bots import kinds
from domain.game import Record, Seat
from domain.match.commands import Actor, CallOff, Fill, House
from domain.match.events import MatchCreated
from domain.match.match import Match
from domain.match.reading import plain
from domain.match.refusal import Refused
from domain.ports import Key
from infra.ids import bot_player_id, is_match_id
from infra.people.spelling import same_box
from service.here import site
from service.pages.frame import pages, sheet
from service.pages.once import short
from service.pages.scene import scene_of
from service.problems import SORTS


class Chair(Record, frozen=True):
    """A seat as its host sees it: by the address that was typed, never by a name that we know, since nobody has shown yet who the host is."""

    seat: Seat
    index: int
    who: str
    answer: str
    free: bool


def to_started(match: str) -> Response:
    """On to the page of a match that was just started."""
    return make_response(redirect(host_page(match), 303))


def host_page(match: str) -> str:
    """Its address, for whoever opened the match and for nobody else."""
    return url_for("pages.started", match=match, proof=_proof(match, site().keys.current_kid))


@pages.get("/started/<match>/<proof>")
def started(match: str, proof: str) -> Response:
    """Shown to whoever sent the form, and to nobody else, since it names addresses."""
    return _page(_let_in(match, proof))


@pages.post("/started/<match>/<proof>")
def manage(match: str, proof: str) -> Response:
    """Give a seat that nobody has taken to a house bot, or call the match off. It proves nobody's address: no mail was needed to get here."""
    standing = _let_in(match, proof)
    wish, host = request.form.get("do", ""), Actor(standing.creator or "", "web")
    try:
        match wish:
            case "fill":
                site().desk.do(match, _fill(standing, host), _once(standing, wish, request.form.get("seat", "")))
            case "call-off":
                site().desk.do(match, CallOff(host), _once(standing, wish))
            case _:
                return _page(standing, 400, f"This page has no button “{plain(wish, 40)}”. Nothing was done; use one of the buttons below.")
    except Refused as no:
        return _page(_let_in(match, proof), SORTS[no.kind].status, f"Not done: {no.words}.")
    return to_started(match)


def _fill(match: Match, host: Actor) -> Fill:
    seat = request.form.get("seat", "")
    index = match.seats.index(seat) if seat in match.seats else 0
    return Fill(host, seat, House(plain(request.form.get("bot", "random"), 40), bot_player_id(match.id, index)))


def _once(match: Match, *wish: str) -> Key:
    name = short(match.id, *wish)
    return Key(match.creator or "", name, name)


def _page(match: Match, status: int = 200, refused: str = "") -> Response:
    bots = sorted(kinds(match.game), key=lambda bot: (bot != "random", bot))
    address, scene = _box(match.creator), scene_of(site().desk.look(match.id), None, None)
    invited = tuple(_box(player) for player in _invited(match).values())
    return sheet("started.html", status, scene=scene, chairs=_chairs(match), invited=invited, address=address, bots=bots, refused=refused)


def _chairs(match: Match) -> tuple[Chair, ...]:
    invited, made = _invited(match), list[Chair]()
    for index, (seat, chair) in enumerate(zip(match.seats, match.chairs, strict=True)):
        asked = invited.get(seat) if match.status in ("waiting", "aborted") else None
        if chair.bot is not None:
            who, answer = f"house bot ({chair.bot})", ""
        elif chair.player is not None:
            who, answer = ("you", "") if chair.player == match.creator else (_box(chair.player), "has accepted")
        elif asked is not None:
            who, answer = _box(asked), "has not answered yet" if chair.invited else "has declined"
        else:
            who, answer = "nobody yet", ""
        made.append(Chair(seat, index, who, answer, free=chair.player is None))
    return tuple(made)


def _invited(match: Match) -> dict[Seat, str]:
    """Whom the seats were kept for at first."""
    opened = site().desk.events(match, 1)[0].fact
    return opened.invited or {} if isinstance(opened, MatchCreated) else {}


def _box(player: str | None) -> str:
    """A player's address as everybody spells it, so that it does not tell how somebody spelled it to us before."""
    known = site().players.get(player) if player else None
    return same_box(known.address) if known else "a former player"


def _let_in(match: str, proof: str) -> Match:
    """The match, for whoever has the page's whole address; 404 otherwise."""
    if not is_match_id(match) or not any(compare_digest(proof.encode(), _proof(match, kid).encode()) for kid in site().keys.kids):
        abort(404)
    return site().desk.look(match).match


def _proof(match: str, kid: str) -> str:
    return site().keys.mac(kid, "started", match.encode()).hex()
