"""Fourfold: four teams run across one court, each from its own side to the far one; the first to four goals wins."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from domain.game import Game
from domain.games.fourfold import board, greedy, notation, objections, rules, telling
from domain.games.fourfold.court import SEATS
from domain.games.fourfold.scenes import SCENES
from domain.games.fourfold.state import Action, Options, Outcome, State
from domain.games.fourfold.view import View, view

GAME: Final[Game[State, Action, Outcome]] = Game(
    id="fourfold",
    title="Fourfold",
    edition=1,
    seats=SEATS,
    sizes=(4,),
    options=Options,
    actions=Action,
    outcomes=Outcome,
    views=View,
    guide=Path(__file__).with_name("guide.md").read_text("utf-8"),
    scenes=SCENES,
    shareable=True,  # FO-10
    setup=rules.setup,
    awaited=rules.awaited,
    chance_due=rules.chance_due,
    draw=rules.draw,
    legal=rules.legal,
    objection=objections.objection,
    apply=rules.apply,
    apply_chance=rules.apply_chance,
    result=rules.result,
    standing=rules.standing,
    close=rules.close,
    vacate=rules.vacate,
    caretaker=rules.caretaker,
    automatic=rules.automatic,
    view=view,
    write=notation.write,
    read=notation.read,
    tell=notation.tell,
    svg=board.svg,
    text=telling.text,
    bots={"greedy": greedy.greedy},
)
