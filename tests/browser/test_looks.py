"""How the pages look: nothing runs off a phone's screen, nothing is too faint to read, and a reader of the page's structure finds their way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from playwright.sync_api import Browser

from domain.games import GAMES
from tests.service.pages.parlour import Parlour

CSS = (Path(__file__).parents[2] / "service" / "static" / "forgepost.css").read_text()

# Which words stand on which grounds.
WRITTEN = {
    "ink": ("paper", "paper-deep", "desk", "glow", "good-paper", "board", "board-dark"),
    "faint": ("paper", "paper-deep", "desk"),
    "ember": ("paper", "paper-deep", "glow"),
    "ember-deep": ("paper", "paper-deep", "glow", "desk"),
    "on-ember": ("ember", "ember-deep"),
    "stripe": ("paper",),
    "mark": ("paper",),
    "seat-0": ("paper",),
    "seat-1": ("paper",),
    "seat-2": ("paper",),
    "seat-3": ("paper",),
    "on-seat": ("seat-0", "seat-1", "seat-2", "seat-3"),
}
DRAWN = {"edge": ("paper", "paper-deep"), "mark": ("board", "board-dark"), "ember": ("paper", "desk"), "iron": ("desk",)}  # borders and signs

Scheme: TypeAlias = Literal["light", "dark"]

SMALL = "[...document.querySelectorAll('button, .button, .choice')].filter(e => e.offsetHeight && e.offsetHeight < 44).map(e => e.outerHTML)"
FIELDS = "[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]"
NAMELESS = f"{FIELDS}.filter(e => !e.labels.length && !e.ariaLabel).map(e => e.outerHTML)"


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_written_can_be_read(scheme: str, game: str):
    light, _, dark = CSS.partition("@media (prefers-color-scheme: dark)")
    here = colours(light) if scheme == "light" else colours(light) | colours(dark.partition("/* The page */")[0])
    here |= {f"seat-{place}": getattr(paint, scheme) for place, paint in enumerate(GAMES[game].paints)}
    pairs = [(ink, ground, 4.5) for ink, grounds in WRITTEN.items() for ground in grounds]
    pairs += [(line, ground, 3.0) for line, grounds in DRAWN.items() for ground in grounds]
    found = {f"{one} on {other}": (contrast(here[one], here[other]), least) for one, other, least in pairs}
    faint = {pair: round(there, 2) for pair, (there, least) in found.items() if there < least}
    assert faint == {}


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (360, "dark"), (1200, "light")])
def test_nothing_runs_off_the_screen_and_every_page_has_its_landmarks(browser: Browser, base: str, parlour: Parlour, width: int, scheme: Scheme):
    match = parlour.choosing("Ann", visibility="public")
    over = parlour.through(parlour.start("Ann", options={"goals_to_win": 1}, visibility="public"))
    waiting = parlour.start("Cy", invited="Bo")
    paths = ["/", "/games", "/games/fourfold", "/lost", "/nowhere", "/m/damaged", "/dev/mail", f"/matches/{match.id}", f"/matches/{over.id}/history"]
    paths += [parlour.link(match), parlour.link(match, choice=1), parlour.link(match, "resign"), parlour.link(waiting, "join", seat="east")]
    paths += [parlour.link(over, "view", seat="north"), parlour.link(parlour.choosing("N" * 40), "view"), f"{parlour.link(match)}/next"]
    paths += [
        "/sign-in",
        "/sign-in/mailed",
        "/s/damaged",
        "/me",
        "/me/settings",
        "/me/webhooks",
        f"/me/webhooks/{parlour.failing_webhook('Ann').id}",
        f"/matches/{match.id}/ending",
        f"/matches/{match.id}/mail",
    ]
    context = browser.new_context(base_url=base, viewport={"width": width, "height": 800}, color_scheme=scheme)
    secret = parlour.site.sessions.begin(parlour.person("Ann").id)
    context.add_cookies([{"name": "forgepost-8000", "value": secret, "url": base}])
    tab = context.new_page()
    for path in paths:
        tab.goto(path)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, path
        assert tab.evaluate("document.documentElement.lang") == "en"
        assert [tab.get_by_role(role).count() for role in ("banner", "main", "contentinfo")] == [1, 1, 1], path
        assert tab.get_by_role("heading", level=1).count() == 1, path
        assert tab.evaluate(SMALL) == [], path
        assert tab.evaluate(NAMELESS) == [], path
    context.close()


CHIPS = "[...document.querySelectorAll('.places .chip')].map(chip => getComputedStyle(chip).backgroundColor)"
PANELS = "(colour => [...document.querySelectorAll('figure.board svg *')].some(part => getComputedStyle(part).fill === colour))"


@pytest.mark.parametrize(
    ("game", "scheme", "painted"),
    [
        ("four-forges", "light", ["rgb(138, 90, 10)", "rgb(12, 107, 78)", "rgb(89, 97, 107)", "rgb(31, 79, 158)"]),
        ("four-forges", "dark", ["rgb(227, 176, 79)", "rgb(88, 200, 154)", "rgb(179, 188, 199)", "rgb(134, 174, 245)"]),
        ("steinnheimr", "light", ["rgb(185, 28, 28)", "rgb(29, 78, 216)", "rgb(4, 120, 87)", "rgb(161, 98, 7)"]),
        ("fourfold", "light", ["rgb(29, 78, 216)", "rgb(185, 28, 28)", "rgb(4, 120, 87)", "rgb(126, 34, 206)"]),
    ],
)
def test_seats_are_of_one_colour_on_the_board_and_beside_it(
    browser: Browser, base: str, parlour: Parlour, game: str, scheme: Scheme, painted: list[str]
):
    match = parlour.choosing("Ann", game=game, visibility="public")
    context = browser.new_context(base_url=base, color_scheme=scheme)
    tab = context.new_page()
    tab.goto(f"/matches/{match.id}")
    assert tab.evaluate(CHIPS) == painted
    if game != "fourfold":  # whose board shows a seat only by its runners
        assert [colour for colour in painted if not tab.evaluate(f"{PANELS}({colour!r})")] == []
    context.close()
