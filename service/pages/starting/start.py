"""The start page: what this is, and the form that starts a match."""

from __future__ import annotations

from secrets import token_hex

from flask import Response, request
from msgspec import UNSET

from domain.bots import kinds
from domain.games import GAMES
from domain.match.commands import Actor, CreateMatch, Hold, House, Invite, Place
from domain.match.refusal import Refused
from domain.ports import Key
from infra.ids import bot_player_id, match_id_for
from infra.people.players import Player
from service.here import site
from service.inviting import invite
from service.pages import guard
from service.pages.frame import go, pages, sentence, sheet
from service.pages.once import short
from service.pages.options import fields
from service.pages.session import must_be_ours, signed_in
from service.pages.starting.sample import sample
from service.pages.starting.started import to_started
from service.pages.starting.wishes import UNITS, Form, Wish, blank, fingerprint, read
from service.problems import SORTS

FIRST = "fourfold"  # the game that is shown first


@pages.get("/")
def start() -> Response:
    """What this is, with an empty form."""
    asked = request.args.get("game", FIRST)
    return _form(blank(asked if asked in GAMES else next(iter(GAMES))))


@pages.post("/")
def begin() -> Response:
    """Start a match, or say beside each field what is wrong with it."""
    here = None if "address" in request.form else signed_in()
    if here:
        must_be_ours()
    you = {"name": here.name, "address": here.address} if here else {}
    form = read({**request.form.to_dict(), **you}, site().players.box)
    wish = form.wish
    if wish is None:
        return _form(form, 422)
    player = here or site().players.add(wish.name, wish.address)
    if player.suppressed:
        form.wrong["address"] = _full(wish.address)
        return _form(form, 429)
    invited = [invite(site().players, mail) for mail in wish.invited]
    key = short("start", _once(), fingerprint(wish))
    match = match_id_for(site().settings.partitions, player.id, key)
    if not _welcome(form, match, (player, wish.address), *zip(invited, wish.invited, strict=True)):
        return _form(form, 429)
    try:
        site().desk.do(match, _command(wish, match, player, invited), Key(player.id, key, fingerprint(wish)))
    except Refused as refused:
        for each in (player, *invited):
            guard.release(each, match)
        form.wrong["match"] = sentence(refused.words)
        return _form(form, SORTS[refused.kind].status)
    if here and site().desk.glance(match).match.status == "live":
        return go("pages.public", match=match)
    return to_started(match)


def _form(form: Form, status: int = 200) -> Response:
    games = sorted(GAMES.values(), key=lambda game: (game.id != FIRST, game.title))
    bots = sorted({bot for game in games for bot in kinds(game)}, key=lambda bot: (bot != "random", bot))
    return sheet("start.html", status, form=form, games=games, fields=fields, bots=bots, units=tuple(UNITS), once=_once(), sample=sample(games[0].id))


def _once() -> str:
    """The form's own key: a second click sends it again and starts nothing new."""
    said = request.form.get("once", "")
    return said if len(said) == 32 and said.isascii() and said.isalnum() else token_hex(16)


def _welcome(form: Form, match: str, *players: tuple[Player, str]) -> bool:
    """Claim room for the match with everybody in it, the first of whom starts it, or for nobody; with each the address as it was typed."""
    for place, (each, typed) in enumerate(players):
        if not guard.room(each, match):
            for other, _ in players[:place]:
                guard.release(other, match)
            form.wrong["invited" if place else "address"] = _full(typed)
            return False
    return True


def _full(typed: str) -> str:
    """Says the same whatever the reason, and nothing that was not typed here: this page is no place to find out who plays."""
    return sentence(f"no more matches can be started for {typed} just now: play one by a mail that was sent there, or give another address")


def _command(wish: Wish, match: str, player: Player, invited: list[Player]) -> CreateMatch:
    places: list[Place] = [Hold(player.id)] * wish.mine
    places += [Invite(each.id) for each in invited]
    while len(places) < wish.seats:
        places.append(House(wish.bot, bot_player_id(match, len(places))))
    actor = Actor(player.id, "web")
    return CreateMatch(actor, wish.game, wish.options, wish.settings, tuple(places), wish.entropy or UNSET)
