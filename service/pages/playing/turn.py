"""A move link: the turn it was mailed for, played with one button, and what became of it afterwards."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, make_response, redirect, request
from msgspec.structs import replace

from domain.game import Seat
from domain.match.commands import Actor, Submit, TakeBack
from domain.match.match import Match
from domain.match.reading import plain, submission
from domain.match.refusal import Refused
from service.here import site
from service.pages import resend
from service.pages.frame import sheet
from service.pages.once import once
from service.pages.opening import Opened
from service.pages.playing import ending
from service.pages.playing.composer import compose, linked
from service.pages.playing.onward import lately, onward
from service.pages.playing.recap import counted, recap
from service.pages.scene import scene_of
from service.problems import SORTS


def show(opened: Opened, status: int = 200, refused: str = "", typed: str = "", *, goes_on: bool = False) -> Response:
    """The turn, or what became of it; `refused` says why something was not done, `typed` is what it was.

    `goes_on`: the page looks again by itself, until house bots have played.
    """
    match, ask, token = opened.match, opened.ask, opened.token
    scene = scene_of(opened.sight, opened.seat, opened.player)
    said = {
        "opened": opened,
        "scene": scene,
        "recap": recap(scene, opened),
        "until": _take_back_until(opened),
        "refused": refused,
        "typed": typed,
        "mailed": "mailed" in request.args,
    }
    if ask is None:
        asked = resend.asked(opened)
        return sheet("played.html", status, asked=asked, onward=bool(asked) and (opened.via == "web" or lately(opened)), goes_on=goes_on, **said)
    moved_on = token.choice > 0 and match.ply != ask.ply + token.step
    chosen = typed or ("" if moved_on else linked(match, ask.seat, token.choice))
    composer = compose(match, ask.seat, plain(request.args.get("say", "")), chosen)
    return sheet("turn.html", status, ask=ask, composer=composer, moved_on=moved_on, resignation=ending.link(opened), **said)


def act(opened: Opened, wish: str) -> Response:
    """What a move link is good for."""
    match wish:
        case "play":
            return _play(opened)
        case "take-back":
            return _take_back(opened)
        case "offer" | "accept" | "decline" if opened.ask is not None:
            return _agree(opened, wish)
        case _:
            return show(opened, 400, refused=f"This page has no button “{plain(wish, 40)}”. Nothing was done; use one of the buttons below.")


def back(opened: Opened) -> Response:
    """To the page that shows what is so now: the same for whoever clicks twice or goes back."""
    return opened.back()


def _play(opened: Opened) -> Response:
    said, line = request.form.get("ply", ""), request.form.get("action", "")
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        return _not_played(opened, 400, "This form came without the number of the ply it was made for. Nothing was played; use the form below.")
    if not plain(line):
        return _not_played(opened, 422, "Nothing was chosen yet: tick one of the actions, or write one, then press the button.")
    if opened.ask is None or opened.seat is None or opened.player is None:
        return _too_late(opened, int(said), line)
    try:
        answer = site().desk.do(opened.match.id, _wish(opened, Actor(opened.player, opened.via), opened.seat, int(said), line))
    except Refused as refused:
        if refused.kind in ("stale-ply", "not-your-turn", "match-over"):
            return _too_late(opened.anew(), int(said), line)
        return _not_played(opened, SORTS[refused.kind].status, f"Not played: {refused.words}.", plain(line))
    return onward(replace(opened, sight=answer.sight))


def _wish(opened: Opened, actor: Actor, seat: Seat, ply: int, line: str) -> Callable[[Match], Submit]:
    """The line as it reads as long as the ask stands that the link was mailed for, and not for a later one of the same ply (a turn taken back)."""
    read = submission(actor, seat, ply, line)

    def wish(match: Match) -> Submit:
        if opened.ask_in(match) is None:
            raise Refused("stale-ply", "the turn that this link was mailed for is over")
        return read(match)

    return wish


def _not_played(opened: Opened, status: int, refused: str, typed: str = "") -> Response:
    return show(opened.anew(), status, refused, typed)


def _too_late(now: Opened, ply: int, line: str) -> Response:
    """The position has moved on: the same action again ends where it ended before, another one is told what counts."""
    counts = counted(now, ply, line)
    if counts.same:
        return onward(now) if now.via == "web" or lately(now) else back(now)
    wanted = f"“{plain(line, 60)}” was not played"
    if counts.line:
        return show(now, 409, refused=f"{wanted}: at that point you had already played {counts.line}, and that counts.")
    return show(now, 409, refused=f"{wanted}: the match has moved on since that page was made. This is how it stands now.")


def _agree(opened: Opened, wish: str) -> Response:
    """Offer to end the match, or answer such an offer."""
    try:
        ending.agree(opened, wish)
    except Refused as refused:
        return show(opened.anew(), SORTS[refused.kind].status, refused=f"Not done: {refused.words}.")
    return back(opened)


def _take_back(opened: Opened) -> Response:
    """Undo the turn, and on to the new link that the seat has then, since the old one died with it."""
    seat, match = opened.seat, opened.match
    if seat is None or opened.player is None or (match.mark is not None and match.mark.ask.version > opened.token.ask):
        return show(opened, 409, refused="Not taken back: another turn has begun since.")
    try:
        answer = site().desk.do(match.id, TakeBack(Actor(opened.player, opened.via), seat), once(opened, "take-back"))
    except Refused as refused:
        return show(opened.anew(), SORTS[refused.kind].status, refused=f"Not taken back: {refused.words}.")
    ask = answer.sight.match.ask(seat)
    if ask is None:
        return back(opened)
    return make_response(redirect(replace(opened, sight=answer.sight).turn(ask), 303))


def _take_back_until(opened: Opened) -> int | None:
    """Until when (ms) this link's turn, or the one before it, may be taken back; None where neither may (any more)."""
    mark, until = opened.match.mark, opened.match.last_chance_to_take_back
    if mark is None or until is None or mark.seat != opened.seat or mark.ask.version > opened.token.ask:
        return None
    return until if site().clock() <= until else None
