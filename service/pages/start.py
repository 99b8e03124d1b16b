"""The start page: what this is, and the form that starts a match."""

from __future__ import annotations

from hmac import compare_digest
from secrets import token_hex

from flask import Response, abort, request
from msgspec import UNSET

from domain.bots import kinds
from domain.games import GAMES
from domain.match.commands import Actor, CreateMatch, Hold, House, Invite, Open, Place
from domain.match.refusal import Refused
from domain.ports import Key
from infra.ids import bot_player_id, is_match_id, match_id_for
from infra.players import Player
from service.here import site
from service.inviting import invite
from service.pages import guard
from service.pages.frame import go, pages, sheet
from service.pages.once import short
from service.pages.options import fields
from service.pages.sample import sample
from service.pages.scene import scene_of
from service.pages.wishes import UNITS, Form, Wish, blank, fingerprint, read, sentence
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
    form = read(request.form)
    wish = form.wish
    if wish is None:
        return _form(form, 422)
    player = site().players.add(wish.name, wish.address)
    if player.suppressed:
        refused = f"mail to this address was refused for good ({player.suppressed})"
        form.wrong["address"] = sentence(f"{refused}; give another one, or use a link you still have")
        return _form(form, 422)
    invited = [invite(site().players, mail) for mail in wish.invited]
    key = short("start", _once(), fingerprint(wish))
    match = match_id_for(site().settings.partitions, player.id, key)
    if not _welcome(form, match, player, invited):
        return _form(form, 429)
    try:
        site().desk.do(match, _command(wish, match, player, invited), Key(player.id, key, fingerprint(wish)))
    except Refused as refused:
        for each in (player, *invited):
            guard.release(each, match)
        form.wrong["match"] = sentence(refused.words)
        return _form(form, SORTS[refused.kind].status)
    return go("pages.started", match=match, proof=_proof(match, site().keys.current_kid))


@pages.get("/started/<match>/<proof>")
def started(match: str, proof: str) -> Response:
    """Where the form leads: shown to whoever sent it, and to nobody else, since it names an address."""
    if not is_match_id(match) or not any(compare_digest(proof.encode(), _proof(match, kid).encode()) for kid in site().keys.kids):
        abort(404)
    sight = site().desk.look(match)
    creator = site().players.get(sight.match.creator or "")
    return sheet("started.html", scene=scene_of(sight, None, None), address=creator.address if creator else "", player=sight.match.creator)


def _form(form: Form, status: int = 200) -> Response:
    games = sorted(GAMES.values(), key=lambda game: (game.id != FIRST, game.title))
    bots = sorted({bot for game in games for bot in kinds(game)}, key=lambda bot: (bot != "random", bot))
    return sheet("start.html", status, form=form, games=games, fields=fields, bots=bots, units=tuple(UNITS), once=_once(), sample=sample(games[0].id))


def _once() -> str:
    """The form's own key: a second click sends it again and starts nothing new."""
    said = request.form.get("once", "")
    return said if len(said) == 32 and said.isascii() and said.isalnum() else token_hex(16)


def _welcome(form: Form, match: str, player: Player, invited: list[Player]) -> bool:
    """Claim room for the match with everybody in it, or for nobody."""
    claimed: list[Player] = []
    for each in (player, *invited):
        if guard.room(each, match):
            claimed.append(each)
            continue
        for other in claimed:
            guard.release(other, match)
        most = guard.ANSWERED if each.confirmed else guard.UNANSWERED
        words = f"{most} matches started here are open for {each.address} already"
        what = (
            "finish one of them first"
            if each.confirmed
            else "open one of the mails that were sent there and play first; that shows that the address is right"
        )
        form.wrong["address" if each is player else "invited"] = sentence(f"{words}: {what}")
        return False
    return True


def _command(wish: Wish, match: str, player: Player, invited: list[Player]) -> CreateMatch:
    places: list[Place] = [Hold(player.id)] * wish.mine
    places += [Invite(each.id) for each in invited]
    while len(places) < wish.seats:
        places.append(House(wish.bot, bot_player_id(match, len(places))) if wish.bot else Open())
    actor = Actor(player.id, "web")
    return CreateMatch(actor, wish.game, wish.options, wish.settings, tuple(places), wish.entropy or UNSET)


def _proof(match: str, kid: str) -> str:
    return site().keys.mac(kid, "started", match.encode()).hex()
