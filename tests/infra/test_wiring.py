"""A site put together: every part works with the others, over a real Redis, in a process of its own too."""

import multiprocessing
from collections.abc import Iterator
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import msgspec
import pytest

from domain.match.commands import Actor, CreateMatch, Hold, House, Place
from domain.ports import LogUnavailable
from infra.ids import new_match_id
from infra.seals.tokens import Token
from infra.settings import Settings
from infra.wiring import Site, site
from tests.servers import BINARIES, RedisServer, free_port, name_of


@pytest.fixture(params=BINARIES, ids=name_of)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RedisServer]:
    running = RedisServer(request.param, tmp_path)
    yield running
    running.kill()


@pytest.fixture
def settings(server: RedisServer, tmp_path: Path) -> Settings:
    return Settings.development(tmp_path, redis_port=server.port)


@pytest.fixture
def here(settings: Settings) -> Iterator[Site]:
    built = site(settings)
    yield built
    close(built)


def close(built: Site) -> None:
    built.redis.close()
    built.rq_redis.close()


def create(built: Site) -> str:
    """A match of Fourfold of one player and three house bots."""
    ann = built.players.add("Ann", "ann@example.org")
    match = new_match_id(built.settings.partitions)
    places: tuple[Place, ...] = (Hold(ann.id), *(House("random", f"p-000000000{seat}") for seat in (1, 2, 3)))
    built.desk.do(match, CreateMatch(Actor(ann.id, "web"), "fourfold", {}, {}, places))
    return match


def test_every_part_is_there(here: Site):
    assert [field.name for field in fields(here) if getattr(here, field.name) is None] == []


def test_a_match_is_created_read_signed_for_and_linked_to(here: Site):
    match = create(here)
    sight = here.desk.look(match)
    assert sight.match.status == "live"
    assert here.keys.sign_head(match, sight.tip.version, sight.tip.hash).count(".") == 2
    token = Token("view", match, seat_index=0, ask=2, expires=here.clock() // 600_000 * 600_000)
    assert here.tokens.unseal(here.tokens.seal(token)) == token
    here.feed.ensure("notices")
    assert {entry.match for entry in here.feed.read("notices", "tester", 0, 10)} == {match}
    assert here.dues.overdue(here.clock()) == {}
    assert here.outbox.waiting() == 0
    assert here.mailbox.mails() == []


def test_the_commitment_is_to_the_seed_of_this_match(here: Site):
    match = create(here)
    created = msgspec.json.decode(here.desk.history(match)[0].data)
    assert created["commitment"] == sha256(here.keys.seed(match)).hexdigest()


def test_a_second_process_sees_the_same_site(settings: Settings, here: Site):
    match = create(here)
    asked = multiprocessing.get_context("spawn").Pool(1)
    with asked:
        assert asked.apply(version_of, (settings.environ(), match)) == here.desk.look(match).tip.version
    asked.join()


def version_of(environ: dict[str, str], match: str) -> int:
    """A match's version, as another process sees it."""
    built = site(Settings.from_env(environ))
    try:
        return built.desk.look(match).tip.version
    finally:
        close(built)


def test_a_site_starts_without_redis_and_says_what_is_missing_when_it_is_asked(settings: Settings):
    built = site(replace(settings, events_redis_url=f"redis://127.0.0.1:{free_port()}/0"))
    start = perf_counter()
    with pytest.raises(LogUnavailable, match="Connection refused"):
        built.desk.look("00-0000000000")
    with pytest.raises(LogUnavailable, match="Connection refused"):
        built.players.get("p-0000000000")
    assert perf_counter() - start < 60
    close(built)


def test_redis_may_be_killed_and_started_again_under_a_site(here: Site, server: RedisServer):
    match = create(here)
    before = here.desk.look(match)
    server.kill()
    with pytest.raises(LogUnavailable):
        here.players.get("p-0000000000")
    server.start()
    assert here.desk.look(match) == before
    create(here)
