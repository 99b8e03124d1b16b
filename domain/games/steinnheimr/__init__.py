"""Blacksmiths of Steinnheimr: dwarves are sent out and called back, ore becomes ingots, ingots become items; the best smith wins."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from domain.game import Game
from domain.games.steinnheimr import board, choices, greedy, notation, objections, rules, scoring, telling
from domain.games.steinnheimr.cards import COMPONENTS
from domain.games.steinnheimr.scenes import SCENES
from domain.games.steinnheimr.state import SEATS, Action, Options, Outcome, State
from domain.games.steinnheimr.view import View, view
from domain.picture import Paint

GAME: Final[Game[State, Action, Outcome]] = Game(
    id="steinnheimr",
    title="Blacksmiths of Steinnheimr",
    edition=1,
    seats=SEATS,
    sizes=(2, 3, 4),
    options=Options,
    actions=Action,
    outcomes=Outcome,
    views=View,
    guide=Path(__file__).with_name("guide.md").read_text("utf-8"),
    scenes=SCENES,
    paints=(
        Paint("#b91c1c", "#ff8f84"),  # red
        Paint("#1d4ed8", "#86abff"),  # blue
        Paint("#047857", "#5ecf9e"),  # green
        Paint("#a16207", "#f0c552"),  # yellow
    ),
    setup=rules.setup,
    awaited=rules.awaited,
    chance_due=rules.chance_due,
    draw=rules.draw,
    legal=choices.legal,
    objection=objections.objection,
    apply=rules.apply,
    apply_chance=rules.apply_chance,
    result=scoring.result,
    standing=scoring.standing,
    close=rules.close,
    vacate=rules.vacate,
    caretaker=rules.caretaker,
    view=view,
    write=notation.write,
    read=notation.read,
    tell=notation.tell,
    svg=board.svg,
    text=telling.text,
    bots={"greedy": greedy.greedy},
    components=COMPONENTS,
)
