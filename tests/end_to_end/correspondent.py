"""Somebody who plays by replying: reads what is legal in their letters, writes a line above the quote, and sends it as a mail program does."""

from __future__ import annotations

import json
import re
from random import Random
from smtplib import SMTPException
from time import monotonic, sleep
from typing import Any

from domain.proof.verify import Report, verify
from infra.mail.handwriting import CLIENTS, hand_in, reply
from infra.seals.heads import signed
from service.running.lease import running
from tests.end_to_end.house import House
from tests.end_to_end.paper import fetch, load
from tests.end_to_end.player import ENOUGH
from tests.servers import PATIENT
from workers.inbound.wishes import WORDS

CHOICE = re.compile(r"^(\S.*?) {2,}http://\S+/m/\S+$", re.MULTILINE)  # in a letter about a turn
EXAMPLE = re.compile(r"as in\n  (\S.*)$", re.MULTILINE)  # in a letter about a turn
ASKED = 10  # times that `legal` is asked for: nobody is answered more than sixty times an hour
LISTED = re.compile(r"^  (\S.*)$", re.MULTILINE)  # in the answer to `legal`, below its title


class Correspondent:
    """One person with a mailbox. `sent`: the lines that were replied."""

    def __init__(self, house: House, address: str, chance: Random) -> None:
        self.house, self.address, self.chance = house, address, chance
        self.read: set[str] = set()
        self.sent: list[str] = []
        self.over = ""  # where the last letter leads

    def letters(self) -> list[dict[str, Any]]:
        """The letters that came and were not read yet, oldest first."""
        mails = json.loads(fetch(f"{self.house.url}/dev/mail.json"))
        return [mail for mail in reversed(mails) if mail["to"] == self.address and mail["id"] not in self.read]

    def next_letter(self, seconds: float = PATIENT) -> dict[str, Any]:
        """The next letter; fails when there is none in time."""
        end = monotonic() + seconds
        while not (letters := self.letters()):
            assert monotonic() < end, f"no letter within {seconds} s; {len(self.sent)} lines were replied"
            sleep(0.02)
        self.read.add(letters[0]["id"])
        return letters[0]

    def reply(self, letter: dict[str, Any], line: str) -> None:
        """Answer a letter by one mail program or another: the line above the quote, or below it, in text or HTML.

        A mail server that finds nobody at home, or is hung up on, comes again with the same mail.
        """
        self.sent.append(line)
        written = reply(fetch(letter["raw_url"]), self.address, line, self.chance.choice(CLIENTS))
        end = monotonic() + PATIENT
        while monotonic() < end:
            try:
                hand_in(running(self.house.data).settings(self.house.data), written)
            except (OSError, SMTPException):
                sleep(0.1)
            else:
                return
        raise AssertionError("nobody takes the reply")

    def play(self, seconds: float = ENOUGH) -> None:
        """Answer letters about turns until the match is over; where a letter does not list what can be played, ask for it by mail, too."""
        end = monotonic() + seconds
        while not self.over:
            letter = self.next_letter(end - monotonic())
            headline = letter["text"].partition("\n")[0]
            if "match is over" in headline:
                self.over = next(link for link in letter["links"] if link.endswith("/history"))
            elif "our turn" in headline or headline == "What you can do":
                lines = CHOICE.findall(letter["text"]) or LISTED.findall(letter["text"].partition("You can play:")[2])
                example = EXAMPLE.search(letter["text"]) if self.sent.count("legal") >= ASKED else None
                self.reply(letter, self.chance.choice(lines or [example[1] if example else "legal"]))

    def check(self) -> Report:
        """Whatever was replied stands in the history, in order, once; and the history holds."""
        page = load(self.over)
        raw = fetch(next(link for link in page.links if link.endswith(".ndjson")))
        events = [json.loads(line) for line in raw.splitlines()][1:-1]
        mine = [event["data"]["text"] for event in events if event["type"] == "action.taken" and event["by"].get("via") == "reply"]
        assert mine == [part.strip() for line in self.sent for part in line.split(";") if line not in WORDS]
        report = verify(raw, signed)
        assert report.flaws == (), report.words
        return report
