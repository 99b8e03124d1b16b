"""The limits of a server with two workers are one; and with their Redis away nobody is stopped."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.servers import RedisServer, free_port
from tests.web import Web


def test_all_workers_count_together(redis_server: Callable[..., RedisServer], tmp_path: Path):
    with Web(redis_server(), tmp_path, RATE_LIMITS="read=18/3600") as web:
        _, ann = web.player("Ann")
        _, bo = web.player("Bo")
        said = Counter(web.ask("GET", "/api/v1/me", token=ann)[0] for _ in range(60))
        assert said == {200: 18, 429: 42}
        assert web.ask("GET", "/api/v1/me", token=bo)[0] == 200
        assert web.ask("GET", "/healthz")[0] == 200


def test_while_their_redis_is_away_everybody_goes_on(redis_server: Callable[..., RedisServer], tmp_path: Path):
    with Web(redis_server(), tmp_path, RATE_LIMITS="read=3/3600", RQ_REDIS_URL=f"redis://127.0.0.1:{free_port()}/0") as web:
        _, ann = web.player("Ann")
        assert {web.ask("GET", "/api/v1/me", token=ann)[0] for _ in range(30)} == {200}
        assert "limits are not checked, for their Redis is away" in web.log.read_text()
