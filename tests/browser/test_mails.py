"""Mails in a real browser, as a mail program on a telephone shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from domain.match.commands import Actor, Resign
from tests.table import ann
from tests.workers.writing_desk import ANN, BO, WritingDesk, opened

LINES = """[...document.querySelectorAll("td")].filter(cell => /^[0-9]+[.]?$/.test(cell.innerText.trim())).map(cell => {
  const said = document.createRange()
  said.selectNodeContents(cell)
  return new Set([...said.getClientRects()].filter(box => box.width).map(box => box.top)).size
})"""  # of each cell that holds a number only


@pytest.mark.parametrize("name", ["W" * 40, "李" * 40, "محمد" * 10])
def test_a_long_name_without_a_blank_does_not_make_a_mail_wider_than_the_screen(browser: Browser, tmp_path: Path, name: str):
    desk = WritingDesk(tmp_path, opened(), names={ANN: name, BO: name})
    mails = [desk.letter("turn", seat="south").html]
    desk.table.does(Resign(Actor(BO, "link")))
    mails.append(desk.letter("vacated").html)
    desk.table.does(Resign(ann()))
    mails.append(desk.letter("over").html)
    tab = browser.new_page(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    for mail in mails:
        tab.set_content(mail)
        assert tab.evaluate("document.documentElement.scrollWidth") == 360
        assert set(tab.evaluate(LINES)) <= {1}, "a rank or score is broken in two"
    tab.close()
