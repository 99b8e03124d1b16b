"""What the mails say where a game has its own words or colours."""

from __future__ import annotations

import re
from pathlib import Path

from domain.chain import SeedLot
from domain.match.commands import Hold, House
from tests.table import MATCH, SEED, LoadedLot, Table, creation
from tests.workers.writing_desk import ANN, BO, NAMES, WritingDesk


def test_seats_have_the_colours_that_they_are_called_by(tmp_path: Path):
    table = Table(LoadedLot())
    table.does(creation(Hold(ANN), House("random", "p-bot1"), House("random", "p-bot2"), game="steinnheimr"))
    html = WritingDesk(tmp_path, table).letter("turn", seat=table.live.asks[0].seat).html
    dots = re.findall(r"background-color: *(#[0-9a-f]{6})\"></span>(?:<b>)?(\w+)", html)
    assert {("#b91c1c", "Red"), ("#1d4ed8", "Blue"), ("#047857", "Green")} <= set(dots)


def test_a_trade_that_waits_for_an_answer_is_told_as_that(tmp_path: Path):
    table = Table(SeedLot(SEED, MATCH))
    seats = (Hold(ANN), Hold("p-cy00000000"), Hold(BO), House("random", "p-bot"))
    table.does(creation(*seats, game="four-forges", options={"trading": True}))
    table.plays("trade O1 1b for M1 1s")
    assert [ask.seat for ask in table.live.asks] == ["malachite"]
    desk = WritingDesk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"})
    text = desk.letter("turn", "p-cy00000000", "malachite").text
    assert text.startswith("Your answer is wanted\n")
    assert "If you do nothing until then, “decline” is recorded for you and the match goes on." in text.replace("\n", " ")
    assert desk.letter("reminder", "p-cy00000000", "malachite").text.startswith("Reminder: your answer is still wanted\n")
