"""Penny Ante: two sides divide and gather their pennies on a chessboard; who holds all four fortresses wins."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from domain.game import Game, Outcome
from domain.games.penny_ante import board, composing, greedy, listing, notation, objections, reading, rules, telling, whim
from domain.games.penny_ante.chessboard import SEATS
from domain.games.penny_ante.scenes import SCENES
from domain.games.penny_ante.state import Action, Options, State
from domain.games.penny_ante.view import View, view

GAME: Final[Game[State, Action, Outcome]] = Game(
    id="penny-ante",
    title="Penny Ante",
    edition=1,
    seats=SEATS,
    sizes=(2,),
    options=Options,
    actions=Action,
    outcomes=None,
    views=View,
    guide=Path(__file__).with_name("guide.md").read_text("utf-8"),
    scenes=SCENES,
    setup=rules.setup,
    awaited=rules.awaited,
    chance_due=rules.chance_due,
    draw=rules.no_chance,
    legal=listing.legal,
    legal_of=listing.legal_of,
    objection=objections.objection,
    apply=rules.apply,
    apply_chance=rules.no_chance,
    result=rules.result,
    standing=rules.standing,
    close=rules.close,
    vacate=rules.vacate,
    caretaker=listing.first,
    view=view,
    write=notation.write,
    read=reading.read,
    tell=rules.no_chance,
    svg=board.svg,
    text=telling.text,
    words=composing.words,
    bots={"random": whim.random, "greedy": greedy.greedy},
    unfit=rules.unfit,
)
