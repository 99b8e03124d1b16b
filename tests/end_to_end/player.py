"""Somebody who plays by mail: opens the links in their letters and presses the buttons on the pages behind them, and remembers what was confirmed."""

from __future__ import annotations

import json
from random import Random
from time import monotonic, sleep
from typing import Any

from domain.proof.verify import Report, verify
from infra.seals.heads import signed
from tests.end_to_end.paper import Form, Page, fetch, load, press

ENOUGH = 600.0  # seconds for a whole match, on a busy machine
WHOLE = 0.7  # of the lines that could go on are played as they are


class MailPlayer:
    """One match of one person, from the start page to the last letter."""

    def __init__(self, url: str, address: str, chance: Random) -> None:
        self.url, self.address, self.chance = url, address, chance
        self.read: set[str] = set()  # ids of mails
        self.played: list[str] = []  # lines whose page came
        self.opened: list[str] = []  # subjects of the letters that were opened
        self.ending: Page | None = None  # the history, to which the last letter leads

    def start(self, **wishes: str) -> Page:
        """Fill in the form on the start page."""
        form = load(self.url).form("name", "address")
        assert form
        return press(form, name="Ann", address=self.address, **wishes)

    def letters(self) -> list[dict[str, Any]]:
        """The letters that came and were not opened yet, oldest first."""
        mails = json.loads(fetch(f"{self.url}/dev/mail.json"))
        return [mail for mail in reversed(mails) if mail["to"] == self.address and mail["id"] not in self.read]

    def play(self, turns: int = 10_000, seconds: float = ENOUGH) -> None:
        """Answer letters until the match is over, or so many of them. The lots may not call for anything from one person in a short match."""
        end = monotonic() + seconds
        while self.ending is None and turns > 0:
            assert monotonic() < end, f"not over within {seconds} s; {len(self.played)} actions were played"
            letters = self.letters()
            if not letters:
                sleep(0.02)
            for letter in letters:
                self.read.add(letter["id"])
                self.opened.append(letter["subject"])
                turns -= self.answer(letter)

    def answer(self, letter: dict[str, Any]) -> bool:
        """Open a letter, do what it asks for; whether it asked for anything."""
        links = [link for link in letter["links"] if "/m/" in link]
        for link in links:
            if not link.endswith("/history") and (form := self._decision(load(link))):
                self._turn(form)
                return True
        if "is over" in letter["text"]:
            self.ending = load(next(link for link in links if link.endswith("/history")))
        return False

    def history(self) -> bytes:
        """The file that the page of the history offers."""
        assert self.ending is not None
        return fetch(next(link for link in self.ending.links if link.endswith(".ndjson")))

    def check(self) -> Report:
        """Whatever was confirmed stands in the history, in order, once, and nothing else does; and the history holds."""
        raw = self.history()
        events = [json.loads(line) for line in raw.splitlines()][1:-1]
        mine = [event["data"]["text"] for event in events if event["type"] == "action.taken" and event["by"].get("via") == "link"]
        told = list(zip(mine, self.played, strict=True))
        assert all(text.startswith(line) for text, line in told), told  # the only arrangement that there is may be left out
        report = verify(raw, signed)
        assert report.flaws == (), report.words
        return report

    def _decision(self, page: Page) -> Form | None:
        return _choices(page) or _composed(page, self.chance)

    def _turn(self, form: Form | None) -> None:
        while form:
            line = self.chance.choice(form.choices["action"])
            page = press(form, action=line)
            assert page.status == 200, f"{page.status} {page.words}"
            assert page.cookies == []
            self.played.append(line)
            form = self._decision(page)


def _choices(page: Page) -> Form | None:
    """The form in which an action is ticked, if the page has one."""
    return next((form for form in page.forms if form.choices.get("action") and "ply" in form.values), None)


def _composed(page: Page, chance: Random) -> Form | None:
    """Where the actions are too many to tick: click word after word until they are one, at random."""
    while steps := [link for link in page.links if "say=" in link]:
        whole = [form for form in page.forms if form.values.get("action") and "ply" in form.values]
        if len(whole) > 1 and chance.random() < WHOLE:  # the button that plays it stands above the line that can be written
            break
        page = load(chance.choice(steps))
    whole = [form for form in page.forms if form.values.get("action") and "ply" in form.values]
    if len(whole) < 2:
        return None
    whole[0].choices["action"] = [whole[0].values["action"]]
    return whole[0]
