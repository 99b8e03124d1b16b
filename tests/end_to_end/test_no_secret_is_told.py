"""Whatever somebody does with a house, by every way in: no link, token, cookie or address of theirs is in a log, a job, a problem or a history."""

from __future__ import annotations

import json
import re
import zlib
from codecs import escape_decode
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from redis import Redis

from service.running.lease import running
from tests.end_to_end.house import House, until
from tests.end_to_end.paper import fetch
from tests.end_to_end.player import MailPlayer
from tests.servers import PATIENT

ADDRESS, NAME = "marked-kestrel@example.org", "Marked Kestrel"
LINK = re.compile(r"/[msu]/([0-9a-z]{45})(?![0-9a-z])")
REPLY = re.compile(r"\+([0-9a-z]{20,})@")


class Wire:
    """What the queues' Redis is told, all of it."""

    def __init__(self, port: int) -> None:
        self.said: list[str] = []
        self._client = Redis(port=port, socket_timeout=None)  # it may be silent for long
        self._ear = self._client.monitor()
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with self._ear as monitor:
            while (said := monitor.next_command()["command"]) != "ECHO over":
                self.said.append(said)

    def close(self) -> None:
        """Until here."""
        self._client.echo("over")
        self._thread.join(PATIENT)
        self._client.close()


class Deeds:
    """Everything that is done, what came back, and what must not be told."""

    def __init__(self, house: House) -> None:
        self.house, self.problems, self.histories = house, list[str](), list[str]()
        self.secrets: set[str] = {ADDRESS, NAME}
        self.token = house.tell("player", "add", NAME, ADDRESS, "--token").split()[-1]
        self.secrets.add(self.token)
        self.wire = Wire(running(house.data).queues_port)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str, list[str]]:
        """One request; what is refused is remembered."""
        raw = body if body is None or isinstance(body, str) else json.dumps(body)
        if raw is not None:
            headers.setdefault("Content-Type", "application/json")
        with closing(HTTPConnection("127.0.0.1", self.house.port, timeout=PATIENT)) as connection:
            connection.request(method, path, raw, headers)
            answer = connection.getresponse()
            said = answer.read().decode("utf-8", "replace")
            if answer.status >= 400 and not path.startswith("/m/"):  # whoever opens a link has it; the page's buttons lead to it again
                self.problems.append(said)
            return answer.status, said, answer.headers.get_all("Set-Cookie") or []

    def by_token(self) -> None:
        """A match by the API, with all that may be done wrong on the way."""
        bearer = {"Authorization": f"Bearer {self.token}"}
        seats = [{"player": "me"}, {"invite": "second-marked@example.org"}, {"bot": "random"}, {"bot": "random"}]
        self.secrets.add("second-marked@example.org")
        _, said, _ = self.ask("POST", "/api/v1/matches", {"game": "fourfold", "seats": seats}, **bearer)
        self.ask("POST", "/api/v1/matches", {"game": "fourfold", "seats": [{"player": "me"}] * 4, "settings": {"seating": "joined"}}, **bearer)
        match = json.loads(said)["id"]
        self.histories.append(self.ask("GET", f"/api/v1/matches/{match}/history", **bearer)[1])
        for path in (
            f"/api/v1/matches/{self.token}",
            f"/api/v1/me/tokens/{self.token}",
            f"/api/v1/{self.token}",
            f"/{self.token}",
            f"/m/{self.token}",
        ):
            for method in ("GET", "POST", "DELETE"):
                status, said, _ = self.ask(method, path, Authorization=f"Bearer {self.token}")
                assert status in (401, 404, 405, 303), (status, said)
        self.ask("GET", f"/api/v1/matches?cursor={self.token}", **bearer)
        self.ask("GET", "/api/v1/me", Authorization=f"Basic {self.token}")
        self.ask("GET", "/api/v1/me", Authorization=f"Bearer {self.token}x")
        self.ask("POST", f"/api/v1/matches/{match}/join", '{"seat": "' + self.token, **bearer)
        self.ask("POST", f"/api/v1/matches/{match}/join", {}, **bearer, **{"Idempotency-Key": f"{self.token} {ADDRESS}"})

    def by_link(self) -> None:
        """Turns by mail, and links that were damaged on their way."""
        player = MailPlayer(self.house.url, ADDRESS, Random(5))
        player.start(undo_seconds="0", **{"fourfold.goals_to_win": "10"})  # of a short match now and then no lot calls on her
        player.play(turns=3)
        for link in list(self.links())[:3]:
            for path in (f"/m/{link}x", f"/m/{link}/board.svg", f"/m/{link[:-1]}", f"/m/{quote(link)}%00", f"/x/{link}", f"/api/v1/matches/{link}"):
                self.ask("GET", path)
            self.ask("POST", f"/m/{link}", urlencode({"ply": "0", "action": f"{link} {ADDRESS}"}))
            self.ask("POST", f"/m/{link}", "x" * 40_000)
            self.ask("DELETE", f"/m/{link}")

    def by_session(self) -> None:
        """Signing in, and leaving the cookie where it does not belong."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.ask("POST", "/sign-in", urlencode({"address": ADDRESS}), **form)
        link = until(lambda: next((found for found in self.mailed() if "/s/" in found), None))
        _, _, cookies = self.ask("POST", link, "", **form)
        secret = re.split("[=;]", cookies[0])[1]
        self.secrets.add(secret)
        cookie = {"Cookie": cookies[0].partition(";")[0]}
        assert self.ask("GET", "/me/settings", **cookie)[0] == 200
        self.ask("POST", "/me/settings", urlencode({"do": "rename", "proof": secret}), **form, **cookie)
        self.ask("GET", f"/me/{secret}", **cookie)
        self.ask("GET", f"/api/v1/games/{secret}")

    def mailed(self) -> Iterator[str]:
        """The paths of all links in mails."""
        for mail in json.loads(fetch(f"{self.house.url}/dev/mail.json")):
            for link in mail["links"]:
                yield link.removeprefix(self.house.url)

    def links(self) -> set[str]:
        """The tokens of all links and reply addresses in mails."""
        letters = [file.read_text("utf-8", "replace") for file in (self.house.data / "mail").glob("*.eml")]
        return {found[1] for path in self.mailed() if (found := LINK.search(path))} | {word for text in letters for word in REPLY.findall(text)}


@pytest.fixture(scope="module")
def deeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deeds]:
    """A house in which everything was done."""
    with House(tmp_path_factory.mktemp("secrets")) as house:
        deeds = Deeds(house)
        deeds.by_token()
        deeds.by_link()
        deeds.by_session()
        until(lambda: len(deeds.wire.said) > 20)
        deeds.secrets |= deeds.links()
        yield deeds
        deeds.wire.close()


def told(text: str, secrets: set[str]) -> list[str]:
    """Those secrets that stand in a text, in whatever letters and however they are escaped."""
    low = text.lower()
    return [secret for secret in secrets if secret.lower() in low or quote(secret, safe="").lower() in low]


def test_there_was_something_to_tell(deeds: Deeds):
    assert len(deeds.secrets) > 10
    assert len(deeds.problems) > 20


def test_no_log_of_any_process_tells_one(deeds: Deeds):
    logs = {file.name: file.read_text("utf-8", "replace") for file in (deeds.house.data / "log").iterdir()}
    assert {"web.log", "clock.log", "worker-notices.log", "mailbox.log"} <= set(logs)
    assert "mailed to player p-" in logs["worker-notices.log"]
    assert {name: found for name, text in logs.items() if (found := told(text, deeds.secrets))} == {}
    assert told("\n".join(deeds.house.said), deeds.secrets) == []


def test_no_job_on_the_queues_tells_one(deeds: Deeds):
    jobs = "\n".join(f"{command} {packed(command)}" for command in deeds.wire.said if "rq:job:" in command)
    assert "workers.jobs." in jobs
    assert told(jobs, deeds.secrets) == []


def packed(command: str) -> str:
    """What RQ packed before it told it to Redis."""
    raw, _ = escape_decode(command.encode("utf-8", "replace"))
    found = []
    for start in re.finditer(b"x\x9c", raw):  # a header of zlib, or two bytes that only look like one: what follows those unpacks to nothing
        with suppress(zlib.error):
            found.append(zlib.decompressobj(-zlib.MAX_WBITS).decompress(raw[start.end() :]).decode("latin-1"))
    return " ".join(found)


def test_no_problem_and_no_history_tells_one(deeds: Deeds):
    assert [found for text in deeds.problems if (found := told(text, deeds.secrets))] == []
    assert [found for text in deeds.histories if (found := told(text, deeds.secrets))] == []
