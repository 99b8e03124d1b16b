"""Mails in a real browser, as a mail program on a telephone shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from domain.match.commands import Actor, Resign
from tests.table import ann
from tests.workers.every_letter import every_letter
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


CONTRASTS = """[...document.querySelectorAll("body *")].flatMap(element => {
  const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
  if (!own || !element.getClientRects().length) return []
  const parts = colour => colour.match(/[0-9.]+/g).map(Number)
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map(value => value / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  let behind = element
  while (behind && (parts(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) behind = behind.parentElement
  const [text, paper] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map(parts).map(light)
  return [[(Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05), element.innerText.slice(0, 40)]]
})"""  # of every text: its contrast with what is behind it (WCAG 2.2), and how it begins


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_of_every_mail_can_be_read_on_a_telephone_by_day_and_by_night(browser: Browser, tmp_path: Path, scheme: Any):
    tab = browser.new_page(viewport={"width": 360, "height": 740}, java_script_enabled=False, color_scheme=scheme)
    for kind, _, said in every_letter(tmp_path):
        tab.set_content(said.html)
        contrasts = tab.evaluate(CONTRASTS)
        assert len(contrasts) > 3, kind
        assert [words for contrast, words in contrasts if contrast < 4.5] == [], kind
        assert tab.evaluate("document.documentElement.scrollWidth") == 360, kind
    tab.close()
