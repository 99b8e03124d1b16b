"""Four Forges: four smiths in a ring move, smelt and break stones; the most stones in the chest win."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from domain.game import Game
from domain.games.four_forges import board, greedy, lots, notation, objections, reading, rules, telling, whim, wording
from domain.games.four_forges.forges import SEATS
from domain.games.four_forges.scenes import SCENES
from domain.games.four_forges.state import Action, Options, Outcome, State
from domain.games.four_forges.view import View, view
from domain.picture import Paint

GAME: Final[Game[State, Action, Outcome]] = Game(
    id="four-forges",
    title="Four Forges",
    edition=1,
    seats=SEATS,
    sizes=(4,),
    options=Options,
    actions=Action,
    outcomes=Outcome,
    views=View,
    guide=Path(__file__).with_name("guide.md").read_text("utf-8"),
    scenes=SCENES,
    paints=(
        Paint("#8a5a0a", "#e3b04f"),  # ochre
        Paint("#0c6b4e", "#58c89a"),  # malachite
        Paint("#59616b", "#b3bcc7"),  # lead
        Paint("#1f4f9e", "#86aef5"),  # azurite
    ),
    shareable=True,
    setup=rules.setup,
    seated=rules.seated,
    awaited=rules.awaited,
    chance_due=rules.chance_due,
    draw=lots.draw,
    draws=lots.draws,
    legal=rules.legal,
    objection=objections.objection,
    apply=rules.apply,
    apply_chance=lots.apply_chance,
    result=rules.result,
    standing=rules.standing,
    close=rules.close,
    vacate=rules.vacate,
    caretaker=rules.caretaker,
    lapsed=rules.lapsed,
    view=view,
    write=notation.write,
    read=reading.read,
    tell=notation.tell,
    svg=board.svg,
    text=telling.text,
    words=wording.words,
    bots={"greedy": greedy.greedy, "random": whim.whim},
)
