"""A match of Fourfold played by mail, from `forgepost run` to a history that replays: nothing but mails and pages."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import psutil
import pytest

from tests.end_to_end.house import House, forgepost, until
from tests.end_to_end.paper import fetch, load
from tests.end_to_end.player import MailPlayer
from tests.servers import PATIENT

ADDRESS = "ann@example.org"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("by-mail")) as house:
        yield house


@pytest.fixture(scope="module")
def ann(house: House) -> MailPlayer:
    """Ann, who has played a match against three house bots to its end: the first one in which the lots called for anything from her."""
    ann, read = None, set[str]()
    while ann is None or not ann.played:
        ann = MailPlayer(house.url, ADDRESS, Random(7))
        ann.read = read
        page = ann.start(undo_seconds="0")
        assert page.status == 200, page.words
        assert ADDRESS in page.words
        ann.play()
    return ann


def test_it_is_ready_soon_and_says_where_to_look(house: House):
    assert house.effort < 15  # seconds of a processor: how busy the machine is with others does not count
    ready = house.said.index(f"ready {house.url}")  # on a busy machine it says before that it is not
    assert f"{house.url}/dev/mail" in until(lambda: house.said[ready + 1 :])[0]


def test_a_match_is_played_to_its_end_by_mails_and_pages_alone(ann: MailPlayer):
    assert ann.ending is not None
    assert ann.played
    assert len(set(ann.opened)) == 1  # one subject for the whole match, so that it is one thread


@pytest.fixture(scope="module")
def history(ann: MailPlayer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The history as it is downloaded from its page."""
    assert ann.ending is not None
    assert ann.ending.status == 200
    file = tmp_path_factory.mktemp("download") / "match.ndjson"
    file.write_bytes(fetch(next(link for link in ann.ending.links if link.endswith(".ndjson"))))
    return file


def test_the_history_has_every_action_that_was_played(ann: MailPlayer, history: Path):
    events = [json.loads(line) for line in history.read_text().splitlines()][1:-1]
    mine = [
        event["data"]["text"]
        for event in events
        if event["type"] == "action.taken" and event["by"].get("via") == "link" and not event["data"]["forced"]
    ]
    assert mine == ann.played
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["type"] == "seed.revealed"


def test_the_verifier_says_what_holds(house: House, history: Path, tmp_path: Path):
    keys = tmp_path / "jwks.json"
    keys.write_bytes(fetch(f"{house.url}/.well-known/jwks.json"))
    done = subprocess.run(forgepost("history", "verify", str(history), "--keys", str(keys)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(fourfold) holds: unaltered chain of " in done.stdout
    assert " lots as the seed draws them; outcome " in done.stdout
    assert done.stdout.endswith("; head signed\n")


def test_the_verifier_finds_what_somebody_changed_in_the_file(history: Path, tmp_path: Path):
    changed = tmp_path / "changed.ndjson"
    changed.write_text(history.read_text().replace('"forced":false', '"forced":true', 1))
    done = subprocess.run(forgepost("history", "verify", str(history), str(changed), "--json"), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    whole, other = map(json.loads, done.stdout.splitlines())
    assert (whole["file"], whole["sound"], whole["flaws"]) == (str(history), True, [])
    assert (other["sound"], other["flaws"][0]["check"]) == (False, "chain")


def test_the_doctor_finds_a_running_house_in_order(house: House):
    until(lambda: "Nothing must be done." in house.doctor(), pause=1.0)  # who is too slow to answer just now counts as ill


def test_a_player_is_added_to_a_running_house_with_a_token(house: House):
    player, token = house.tell("player", "add", "Bea", "bea@example.org", "--token").split()
    assert player.startswith("p-")
    with house.site() as site:
        grant = site.players.authenticate(token)
    assert grant is not None
    assert grant.player == player
    assert {"matches:create", "matches:play", "matches:read"} <= grant.scopes
    assert house.tell("player", "add", "Bea", "bea@example.org").split() == [player]


def test_somebody_signs_up_by_program_comes_in_by_mail_makes_a_token_and_is_erased(house: House):
    browser = build_opener(HTTPCookieProcessor())

    def page(path: str, **form: str) -> str:
        with browser.open(f"{house.url}{path}", urlencode(form).encode() if form else None) as answer:
            said: str = answer.read().decode()
            return said

    def api(method: str, path: str, body: object = None, token: str = "") -> int:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        asked = Request(f"{house.url}/api/v1{path}", None if body is None else json.dumps(body).encode(), headers, method=method)  # noqa: S310
        try:
            with urlopen(asked) as answer:  # noqa: S310 - our own server
                return int(answer.status)
        except HTTPError as refused:
            return refused.code

    def letter() -> str:
        mails = [mail for mail in json.loads(fetch(f"{house.url}/dev/mail.json")) if mail["to"] == "cid@example.org"]
        return next((link for mail in mails for link in mail["links"] if "/s/" in link), "")

    assert api("POST", "/players", {"name": "Cid", "email": "cid@example.org"}) == 202
    link = until(letter)
    assert "My matches" in page(link.removeprefix(house.url), go="on")
    found = re.search(r'name="proof" value="([0-9a-f]{64})"', page("/me/settings"))
    assert found
    made = page("/me/settings", proof=found[1], do="token", token_name="bot", scope="player:write", days="")
    (token,) = re.findall(r"fp_[0-9a-z]{52}", made)
    with house.site() as site:
        cid = site.players.by_address("cid@example.org")
    assert cid
    assert cid.confirmed
    assert api("GET", "/me", token=token) == 403
    assert api("PATCH", "/me", {"zone": "Europe/Vienna"}, token) == 200
    assert api("DELETE", "/me", {"erase": cid.id}, token) == 204
    assert api("PATCH", "/me", {"zone": "UTC"}, token) == 401
    assert letter() == "", "their mails are gone from the development mailbox, too"
    assert "Sign in" in page("/me")
    with house.site() as site:
        assert site.players.get(cid.id) is None
    assert not [secret for secret in (token, link.rpartition("/")[2], "cid@example.org") if secret in logs(house)]


def test_no_log_holds_an_address_or_a_link(house: House, ann: MailPlayer, history: Path):
    mails = json.loads(fetch(f"{house.url}/dev/mail.json"))
    tokens = {token for mail in mails for link in mail["links"] for token in re.findall(r"/[msu]/([0-9a-z]{45})", link)}
    assert len(tokens) > 3
    said = logs(house)
    assert " mailed to player p-" in said, "players are named by id"
    for where in (said, history.read_text()):
        assert [secret for secret in (*tokens, ADDRESS, "ann@") if secret in where] == []


def logs(house: House) -> str:
    """What the processes of a house have written down."""
    return "".join(log.read_text() for log in (house.data / "log").glob("*.log"))


def test_a_second_house_on_the_same_data_or_port_is_refused_in_words(house: House, tmp_path: Path):
    same = subprocess.run(forgepost("run", "--data", str(house.data), "--port", "1"), capture_output=True, text=True, check=False)
    assert same.returncode == 1
    assert f"{house.data} is in use by process {house.pid}, at {house.url}: stop that one" in same.stderr
    port = subprocess.run(forgepost("run", "--data", str(tmp_path), "--port", str(house.port)), capture_output=True, text=True, check=False)
    assert port.returncode == 1
    assert f"nothing can listen on 127.0.0.1 port {house.port}: address already in use" in port.stderr


def test_a_second_house_runs_beside_it_and_stops_with_everything_it_started(house: House, tmp_path: Path):
    with House(tmp_path) as other:
        started = other.everybody()
        assert len(started) >= 10  # two Redis servers, mailbox, web and its two workers, three workers, the clock
        assert other.stop() == 0
    _, alive = psutil.wait_procs(started, PATIENT)
    assert alive == []
    logs = {log.name: log.read_text() for log in (tmp_path / "log").glob("*.log") if log.stem not in {"redis-server", "queues"}}
    assert len(logs) >= 6
    assert {name: words for name, words in logs.items() if "Traceback" in words or "WARN" in words or "ERROR" in words} == {}
    assert load(f"{house.url}/").status == 200
