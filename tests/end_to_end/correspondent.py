"""Somebody who plays by replying: reads what is legal in their letters, writes a line above the quote, and sends it as a mail program does."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from http.client import HTTPException
from random import Random
from smtplib import SMTP
from time import monotonic, sleep
from typing import Any

from domain.proof.verify import Report, verify
from infra.heads import signed
from service.running.lease import running
from tests.end_to_end.house import House
from tests.end_to_end.paper import fetch, load
from workers.inbound.wishes import WORDS

CHOICE = re.compile(r"^(\S.*?) {2,}http://\S+/m/\S+$", re.MULTILINE)  # in a letter about a turn
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
        try:
            mails = json.loads(fetch(f"{self.house.url}/dev/mail.json"))
        except (OSError, HTTPException):  # the server is away
            return []
        return [mail for mail in reversed(mails) if mail["to"] == self.address and mail["id"] not in self.read]

    def next_letter(self, seconds: float = 30.0) -> dict[str, Any]:
        """The next letter; fails when there is none in time."""
        end = monotonic() + seconds
        while not (letters := self.letters()):
            assert monotonic() < end, f"no letter within {seconds} s; {len(self.sent)} lines were replied"
            sleep(0.02)
        self.read.add(letters[0]["id"])
        return letters[0]

    def reply(self, letter: dict[str, Any], line: str, sender: str = "") -> None:
        """Answer a letter as people do: the line on top, the letter quoted below."""
        raw = BytesParser(policy=default).parsebytes(fetch(letter["raw_url"]))
        answer = EmailMessage()
        answer["From"] = f"Ann <{sender or self.address}>"
        answer["To"] = str(raw["Reply-To"])
        answer["Subject"] = f"Re: {raw['Subject']}"
        answer["In-Reply-To"] = str(raw["Message-ID"])
        answer["References"] = f"{raw['References']} {raw['Message-ID']}"
        answer["Message-ID"] = f"<{len(self.sent)}.{self.chance.getrandbits(60):x}@example.org>"
        quoted = "\n".join(f"> {words}" for words in letter["text"].splitlines())
        answer.set_content(f"{line}\n\nOn Sun, Nov 29, 2026 at 1:00 PM Forgepost <{raw['From'].addresses[0].addr_spec}> wrote:\n{quoted}\n")
        self.sent.append(line)
        post(self.house, answer.as_bytes(), sender or self.address, str(raw["Reply-To"]))

    def play(self, seconds: float) -> None:
        """Answer letters about turns until the match is over; where a letter does not list what can be played, ask for it by mail, too."""
        end = monotonic() + seconds
        while not self.over:
            letter = self.next_letter(end - monotonic())
            headline = letter["text"].partition("\n")[0]
            if "match is over" in headline:
                self.over = next(link for link in letter["links"] if link.endswith("/history"))
            elif "our turn" in headline or headline == "What you can do":
                lines = CHOICE.findall(letter["text"]) or LISTED.findall(letter["text"].partition("You can play:")[2])
                self.reply(letter, self.chance.choice(lines) if lines else "legal")

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


def post(house: House, raw: bytes, sender: str, to: str) -> None:
    """Hand a mail to `forgepost mail-in`, as a mail server does."""
    with SMTP("127.0.0.1", running(house.data).mail_in_port, "mx.example.org", timeout=20) as smtp:
        smtp.sendmail(sender, [to], raw)
