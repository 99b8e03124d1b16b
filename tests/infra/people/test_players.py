"""Players in a real Redis: one for each mailbox, whoever is how fast and whatever reply is lost; tokens that are stored nowhere."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier
from typing import Any

import pytest
from msgspec.structs import replace
from redis import Connection, ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.retry import Retry

from domain.ports import LogUnavailable
from infra.people.players import SCOPES, Grant, Moving, NoSuchPlayer, Pass, Player, Players, Taken, pass_of
from infra.people.spelling import Misspelled
from tests.people import NOON, Watch
from tests.servers import BINARIES, RedisServer, name_of


@pytest.fixture(scope="module", params=BINARIES, ids=name_of)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    running = RedisServer(request.param, tmp_path_factory.mktemp("players"), appendfsync="no")
    yield running
    running.kill()


@pytest.fixture
def client(server: RedisServer) -> Iterator[Redis]:
    with server.client() as client:
        client.flushall()
        yield client


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def players(client: Redis, watch: Watch) -> Players:
    return Players(client, watch)


class Forgetful(Connection):
    """A connection that loses the first reply to every command: Redis has done it, and redis-py, none the wiser, sends it again."""

    lost: set[bytes]
    asked = b""

    def send_packed_command(self, command: Any, check_health: bool = True) -> Any:
        self.asked = b"".join(command)
        return super().send_packed_command(command, check_health)

    def read_response(self, *args: Any, **keywords: Any) -> Any:
        answer = super().read_response(*args, **keywords)
        if self.asked not in self.lost and not re.search(rb"CLIENT|HELLO|SCRIPT", self.asked):
            self.lost.add(self.asked)
            raise Disconnected("the reply was lost")
        return answer


@pytest.fixture
def forgetful(server: RedisServer, client: Redis, watch: Watch) -> Iterator[Players]:
    lost: set[bytes] = set()
    kind = type("ForgetfulHere", (Forgetful,), {"lost": lost})
    pool = ConnectionPool(kind, host="127.0.0.1", port=server.port, retry=Retry(NoBackoff(), 3))
    with Redis(connection_pool=pool) as forgetful:
        yield Players(forgetful, watch)
    pool.disconnect()
    assert lost, "no reply was lost, so nothing was shown"


def test_a_new_player_is_kept_as_they_gave_themselves(players: Players):
    ann = players.add(" Ann  Lee ", "Ann@Example.org", "Europe/Vienna")
    assert re.fullmatch("p-[0-9a-hjkmnp-tv-z]{10}", ann.id)
    assert ann == Player(ann.id, "Ann Lee", "Ann@example.org", confirmed=False, zone="Europe/Vienna", created=NOON)
    assert players.get(ann.id) == players.by_address("ann@EXAMPLE.org") == ann


def test_nobody_is_known_before_they_came(players: Players):
    assert players.get("p-0000000000") is None
    assert players.by_address("ann@example.org") is None
    assert players.names([]) == {}


def test_the_same_mailbox_is_the_same_player_and_keeps_its_name(players: Players, client: Redis):
    ann = players.add("Ann", "ann@bücher.example")
    assert players.add("Eve", "ANN@xn--bcher-kva.example") == ann
    assert len(client.keys("player:*")) == 1


def test_who_comes_twice_at_once_is_one_player(server: RedisServer, client: Redis, watch: Watch):
    gate = Barrier(8)

    def come(number: int) -> str:
        with server.client() as own:
            here = Players(own, watch)
            gate.wait()
            return here.add(f"Ann {number}", "ann@example.org").id

    with ThreadPoolExecutor(8) as pool:
        for _ in range(10):
            client.flushall()
            assert len(set(pool.map(come, range(8)))) == 1
            assert len(client.keys("player:*")) == 1


@pytest.mark.parametrize(
    ("name", "address", "zone"), [("evil.com", "ann@example.org", "UTC"), ("Ann", "ann@localhost", "UTC"), ("Ann", "ann@example.org", "Vienna")]
)
def test_what_is_misspelled_writes_nothing(players: Players, client: Redis, name: str, address: str, zone: str):
    with pytest.raises(Misspelled):
        players.add(name, address, zone)
    assert client.keys("*") == []


def test_an_address_that_led_to_somebody_who_is_gone_is_free_again(players: Players, client: Redis):
    client.delete(f"player:{players.add('Ann', 'ann@example.org').id}")
    again = players.add("Ann", "ann@example.org")
    assert players.by_address("ann@example.org") == again


def test_names_are_told_for_those_who_are_known(players: Players):
    ann, bo = players.add("Ann", "ann@example.org"), players.add("Bø", "bo@example.org")
    assert players.names([bo.id, "p-0000000000", ann.id, bo.id]) == {bo.id: "Bø", ann.id: "Ann"}


def test_a_player_can_change_name_and_zone_and_prove_their_mailbox(players: Players):
    ann = players.add("Ann", "ann@example.org")
    players.rename(ann.id, "Ann of Cleves")
    players.live_in(ann.id, "Asia/Kolkata")
    players.confirm(ann.id)
    assert players.get(ann.id) == Player(ann.id, "Ann of Cleves", "ann@example.org", confirmed=True, zone="Asia/Kolkata", created=NOON)
    with pytest.raises(Misspelled):
        players.rename(ann.id, "www.evil")
    with pytest.raises(Misspelled):
        players.live_in(ann.id, "Moon")


def test_a_player_who_is_gone_does_not_come_back_in_part(players: Players, client: Redis):
    for change in (
        lambda: players.rename("p-0000000000", "Ann"),
        lambda: players.confirm("p-0000000000"),
        lambda: players.live_in("p-0000000000", "UTC"),
    ):
        with pytest.raises(NoSuchPlayer):
            change()
    with pytest.raises(NoSuchPlayer):
        players.new_token("p-0000000000", ["admin"], "laptop")
    assert client.keys("*") == []


def test_a_token_says_whose_it_is_and_what_it_may(players: Players):
    ann = players.add("Ann", "ann@example.org")
    token = players.new_token(ann.id, ["matches:play", "matches:read"], "laptop")
    assert re.fullmatch("fp_[0-9a-hjkmnp-tv-z]{52}", token)
    assert players.authenticate(token) == Grant(ann.id, frozenset({"matches:read", "matches:play"}))


def test_a_token_itself_is_stored_nowhere(players: Players, client: Redis, server: RedisServer):
    token = players.new_token(players.add("Ann", "ann@example.org").id, SCOPES, "laptop")
    digest = sha256(token.encode()).hexdigest()
    assert client.keys("apitoken:*") == [f"apitoken:{digest}".encode()]
    everything = b"".join(path.read_bytes() for path in (server.data / "redis").rglob("*") if path.is_file())
    assert digest.encode() in everything
    assert token[3:].encode() not in everything


def test_nothing_like_a_token_is_a_token(players: Players):
    token = players.new_token(players.add("Ann", "ann@example.org").id, ["admin"], "laptop")
    other_end = token[:-1] + ("0" if token[-1] != "0" else "1")
    for wrong in ("", token[:-1], token[3:], f"{token}0", f" {token}", f"{token}\n", token.upper(), other_end, "ü" * 55, "fp_" + "0" * 52):
        assert players.authenticate(wrong) is None, wrong
    assert players.authenticate(token) is not None


@pytest.mark.parametrize("days", [-400, 0, 400], ids=["our clock is behind", "of one time", "ahead"])
def test_an_expired_token_opens_nothing_by_our_clock_whatever_time_redis_has(players: Players, watch: Watch, client: Redis, days: int):
    now = client.time()[0] * 1000 + days * 86_400_000
    watch.now = now
    token = players.new_token(players.add("Ann", "ann@example.org").id, ["admin"], "laptop", expires=now + 60_000)
    assert players.authenticate(token) is not None
    watch.now = now + 59_999
    assert players.authenticate(token) is not None
    watch.now = now + 60_000
    assert players.authenticate(token) is None
    assert 0 < client.pttl(f"apitoken:{sha256(token.encode()).hexdigest()}") <= 60_000


def test_a_scope_that_does_not_exist_is_refused(players: Players):
    ann = players.add("Ann", "ann@example.org")
    with pytest.raises(ValueError, match=r"there is no scope matches:win; there are matches:read, matches:play"):
        players.new_token(ann.id, ["admin", "matches:win"], "laptop")
    with pytest.raises(ValueError, match="a token without a scope opens nothing"):
        players.new_token(ann.id, [], "laptop")


def test_a_player_sees_their_tokens_and_can_end_one(players: Players, watch: Watch):
    ann, bo = players.add("Ann", "ann@example.org"), players.add("Bo", "bo@example.org")
    first = players.new_token(ann.id, ["matches:play", "matches:read"], "laptop")
    watch.now += 1
    second = players.new_token(ann.id, ["admin"], "phone", expires=NOON * 2)
    one, two = players.passes(ann.id)
    assert one == Pass(sha256(first.encode()).hexdigest()[:16], "laptop", ("matches:read", "matches:play"), NOON, None)
    assert two == Pass(sha256(second.encode()).hexdigest()[:16], "phone", ("admin",), NOON + 1, NOON * 2)
    assert not players.revoke(bo.id, one.id)
    assert players.revoke(ann.id, one.id)
    assert not players.revoke(ann.id, one.id)
    assert players.authenticate(first) is None
    assert players.authenticate(second) is not None
    assert players.passes(ann.id) == [two]
    assert players.passes(bo.id) == []


def test_a_lost_reply_doubles_nothing(forgetful: Players, players: Players, client: Redis):
    ann = forgetful.add("Ann", "ann@example.org")
    assert forgetful.add("Ann", "ann@example.org") == ann
    forgetful.rename(ann.id, "Ann Lee")
    forgetful.confirm(ann.id)
    token = forgetful.new_token(ann.id, ["admin"], "laptop")
    assert len(client.keys("player:p-??????????")) == 1
    assert len(client.keys("apitoken:*")) == 1
    assert players.get(ann.id) == Player(ann.id, "Ann Lee", "ann@example.org", confirmed=True, zone="UTC", created=NOON)
    assert players.authenticate(token) == Grant(ann.id, frozenset({"admin"}))
    assert [one.name for one in players.passes(ann.id)] == ["laptop"]
    assert forgetful.revoke(ann.id, players.passes(ann.id)[0].id)
    assert players.authenticate(token) is None


def test_without_redis_the_words_say_so(server: RedisServer, watch: Watch):
    with Redis(host="127.0.0.1", port=1, retry=Retry(NoBackoff(), 0)) as nowhere, pytest.raises(LogUnavailable, match="Connection refused"):
        Players(nowhere, watch).get("p-0000000000")


def test_a_new_address_counts_once_it_has_answered(players: Players):
    ann = players.add("Ann", "ann@example.org")
    players.wish_to_move(ann.id, "Ann@example.net", asked=7)
    assert players.moving(ann.id) == Moving("Ann@example.net", 7)
    assert players.by_address("ann@example.net") is None
    players.move(ann.id)
    assert players.by_address("ann@example.net") == replace(ann, address="Ann@example.net", confirmed=True, moved=ann.created)
    assert players.by_address("ann@example.org") is None
    assert players.moving(ann.id) is None
    with pytest.raises(NoSuchPlayer):
        players.move(ann.id)


def test_an_address_that_is_another_players_is_never_taken(players: Players):
    ann, bo = players.add("Ann", "ann@example.org"), players.add("Bo", "bo@example.org")
    players.wish_to_move(ann.id, "bo@example.org", asked=7)
    with pytest.raises(Taken):
        players.move(ann.id)
    assert (players.by_address("ann@example.org"), players.by_address("bo@example.org")) == (ann, bo)


def test_the_addresses_of_the_site_itself_are_nobodys(client: Redis, watch: Watch):
    here = Players(client, watch, "turns.example.org")
    for mail in ("r+x@turns.example.org", "play@TURNS.example.org"):
        with pytest.raises(Misspelled, match="is an address of this site itself"):
            here.add("Ann", mail)
    assert here.add("Ann", "ann@example.org").name == "Ann"


def test_who_is_forgotten_leaves_nothing_and_the_address_is_free(players: Players, client: Redis):
    ann = players.add("Ann", "ann@example.org")
    token = players.new_token(ann.id, ["player:read"], "bot")
    players.wish_to_move(ann.id, "ann@example.net", asked=7)
    players.forget(ann.id)
    players.forget(ann.id)
    assert client.keys("*") == []
    assert players.authenticate(token) is None
    assert players.add("Ann", "ann@example.org").id != ann.id


def test_the_use_of_a_token_that_is_gone_does_not_bring_it_back(players: Players, client: Redis):
    ann = players.add("Ann", "ann@example.org")
    token = players.new_token(ann.id, ["player:read"], "bot")
    players.note_use(token)
    assert [one.used for one in players.passes(ann.id)] == [NOON]
    players.revoke(ann.id, pass_of(token))
    players.note_use(token)
    assert client.keys("apitoken:*") == []
