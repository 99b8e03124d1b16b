"""The history's slider, with its script and without."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.service.pages.parlour import Parlour


def test_the_slider_shows_positions_while_it_is_moved(browser: Browser, base: str, parlour: Parlour):
    over = parlour.through(parlour.start("Ann", options={"goals_to_win": 1}, visibility="public"))
    context = browser.new_context(base_url=base)
    complaints: list[str] = []
    context.on("console", lambda message: complaints.append(message.text))
    page = context.new_page()
    page.goto(f"/matches/{over.id}/history")
    slider = page.get_by_role("slider")
    expect(page.get_by_role("button", name="Show")).to_be_hidden()
    slider.focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("The match had not begun")).to_be_visible()
    expect(page).to_have_url(re.compile(r"version=1$"))
    for _ in range(11):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text(f"Version 12 of {over.version}")).to_be_visible()
    expect(page.locator("#position svg").first).to_be_visible()
    page.get_by_text("What stands behind version 12").click()
    expect(page.locator("#evidence")).to_contain_text(parlour.site.desk.history(over.id, 11, 1)[0].hash)
    page.keyboard.press("Tab")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#evidence")).to_contain_text(parlour.site.desk.history(over.id, 12, 1)[0].hash)
    expect(page.locator("tr.current")).to_have_attribute("id", "v13")
    context.close()
    assert complaints == []


def test_without_a_script_a_button_goes_to_the_version(page: Page, parlour: Parlour):
    over = parlour.through(parlour.start("Ann", options={"goals_to_win": 1}, visibility="public"))
    page.goto(f"/matches/{over.id}/history?version=7")
    slider = page.get_by_role("slider")
    assert slider.input_value() == "7"
    slider.press("ArrowRight")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text(f"Version 8 of {over.version}")).to_be_visible()
