"""Every game, played to its end by mails and pages alone, by replies alone, and by API, against house bots; and what was played verifies."""

import json
from collections.abc import Iterator
from random import Random
from secrets import token_hex
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from domain.games import GAMES
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.end_to_end.correspondent import Correspondent
from tests.end_to_end.house import House
from tests.end_to_end.player import ENOUGH, MailPlayer
from tests.servers import PATIENT

SHORT: dict[str, dict[str, Any]] = {  # where a match with the usual options takes long
    "fourfold": {"goals_to_win": 1},
    "four-forges": {"max_rounds": 3, "mining": True},
    "steinnheimr": {"max_rounds": 10},
    "penny-ante": {"max_plies": 200, "pennies": 40, "no_progress_limit": 20},
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("every-game")) as house:
        yield house


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_by_mails_and_pages(house: House, game: str):
    played, chance = list[str](), Random(3)
    while not played:  # the lots may call for nothing from one person in a short match
        player = begun(house, game, chance)
        player.play()
        assert player.check().outcome is not None
        played = player.played


def begun(house: House, game: str, chance: Random) -> MailPlayer:
    """Somebody new who has started a match."""
    player = MailPlayer(house.url, f"{game}-{chance.randrange(10**9)}@example.org", chance)
    options = {f"{game}.{name}": "yes" if value is True else str(value) for name, value in SHORT.get(game, {}).items()}
    page = player.start(game=game, undo_seconds="0", **options)
    assert page.status == 200, page.words
    return player


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_by_replies_alone(house: House, game: str):
    sent, chance = list[str](), Random(4)
    while not sent:
        writer = Correspondent(house, begun(house, game, chance).address, chance)
        writer.play()
        assert writer.check().outcome is not None
        sent = writer.sent


class Program:
    """Somebody's program, with a token."""

    def __init__(self, house: House, token: str) -> None:
        self.house, self.token = house, token

    def __call__(self, method: str, path: str, body: Any = None, accept: str = "application/json") -> Any:
        raw, end = None if body is None else json.dumps(body).encode(), monotonic() + PATIENT
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Accept": accept, "Idempotency-Key": token_hex(16)}
        while True:
            try:
                with urlopen(Request(f"{self.house.url}/api/v1{path}", raw, headers, method=method)) as answer:  # noqa: S310 - our own
                    return answer.read() if "ndjson" in accept else json.load(answer)
            except HTTPError as error:
                said = f"{method} {path}: {error.code} {error.read().decode()}"
                if error.code != 503 or monotonic() > end:
                    raise AssertionError(said) from error
                sleep(float(error.headers["Retry-After"]))


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_by_api(house: House, game: str):
    chance = Random(5)
    api = Program(house, house.tell("player", "add", "Program", f"{game}-program@example.org", "--token").split()[1])
    size = GAMES[game].sizes[0]
    seats = [{"player": "me"}, *({"bot": "random"} for _ in range(size - 1))]
    asked = {"game": game, "options": SHORT.get(game, {}), "settings": {"undo_seconds": 0, "seating": "joined"}, "seats": seats}
    match = api("POST", "/matches", asked)
    name, mine, end = match["id"], GAMES[game].seats[0], monotonic() + ENOUGH
    while match["status"] == "live":
        assert monotonic() < end, match["ply"]
        if any(ask["seat"] == mine for ask in match["to_act"]):
            legal = api("GET", f"/matches/{name}/legal-actions?seat={mine}&limit=50")
            action = chance.choice(legal["actions"])["action"]
            match = api("POST", f"/matches/{name}/submissions", {"seat": mine, "ply": legal["ply"], "actions": [action]})["match"]
        else:
            sleep(0.02)
            match = api("GET", f"/matches/{name}")
    report = verify(api("GET", f"/matches/{name}/history", accept="application/x-ndjson"), signed)
    assert report.flaws == (), report.words
    assert report.outcome == match["outcome"]
