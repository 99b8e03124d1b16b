"""What the address of a Redis says: one server, the sentinels that know where the master of a service is, or some servers of a cluster."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

import msgspec
from redis import ConnectionPool
from redis.connection import SSLConnection, parse_url
from redis.exceptions import RedisError

from domain.game import Record

Kind: TypeAlias = Literal["server", "sentinel", "cluster"]

SCHEMES: Final[dict[str, tuple[Kind, str]]] = {
    "redis": ("server", "redis"),
    "rediss": ("server", "rediss"),
    "unix": ("server", "unix"),
    "redis+sentinel": ("sentinel", "redis"),
    "rediss+sentinel": ("sentinel", "rediss"),
    "redis+cluster": ("cluster", "redis"),
    "rediss+cluster": ("cluster", "rediss"),
}
SENTINEL_PORT: Final = 26379
REDIS_PORT: Final = 6379
OF_SENTINELS: Final = "sentinel_"  # begins the options that are for the sentinels themselves, as sentinel_password
HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")


class Unfit(ValueError):
    """This is no address of a Redis; the words say what would be one."""


class Address(Record, frozen=True):
    """`hosts` are those to ask: the sentinels, or servers of the cluster. `service` is the master's name among the sentinels.

    `tls` and `options` are for whoever is asked in the end.
    """

    kind: Kind
    hosts: tuple[tuple[str, int], ...] = ()
    service: str = ""
    tls: bool = False
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    sentinel_options: dict[str, Any] = msgspec.field(default_factory=dict)


def address(url: str) -> Address:
    """Taken apart. Raises Unfit."""
    try:
        said = urlsplit(url)
    except ValueError:
        raise Unfit(_begin()) from None
    kind, scheme = SCHEMES.get(said.scheme, ("server", ""))
    if not scheme or not url.isascii() or re.search(r"\s", url):
        raise Unfit(_begin())
    if kind == "server":
        return _server(url, said)
    return _sentinels(said, scheme) if kind == "sentinel" else _cluster(said, scheme)


def _begin() -> str:
    return f"is no address that begins with {' or '.join(f'{scheme}://' for scheme in SCHEMES)} and names a host"


def _server(url: str, said: SplitResult) -> Address:
    try:
        missing = said.scheme != "unix" and not said.hostname
        said.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        missing = True
    if missing:
        raise Unfit(_begin())
    if said.scheme != "unix" and not re.fullmatch(r"/?|/[0-9]{1,6}", said.path):
        raise Unfit("must end with the number of a database, as in redis://127.0.0.1:6379/0")
    _options(url)
    return Address("server")


def _sentinels(said: SplitResult, scheme: str) -> Address:
    user, _, places = said.netloc.rpartition("@")
    hosts = _hosts(places, SENTINEL_PORT)
    service = re.fullmatch(r"/([A-Za-z0-9._-]+)(?:/([0-9]{1,6}))?", said.path)
    if service is None or not hosts:
        raise Unfit(
            "must name the sentinels and what they call the master, as in redis+sentinel://10.0.0.5:26379,10.0.0.6:26379,10.0.0.7:26379/forgepost/0"
        )
    options = _options(f"{scheme}://{user and user + '@'}master/{service[2] or 0}?{said.query}")
    tls = options.pop("connection_class", None) is SSLConnection
    for_sentinels = {name.removeprefix(OF_SENTINELS): options.pop(name) for name in list(options) if name.startswith(OF_SENTINELS)}
    del options["host"]
    return Address("sentinel", hosts, service[1], tls, options, for_sentinels)


def _cluster(said: SplitResult, scheme: str) -> Address:
    user, _, places = said.netloc.rpartition("@")
    hosts = _hosts(places, REDIS_PORT)
    if not hosts or not re.fullmatch(r"/?0?", said.path):
        raise Unfit("must name some servers of the cluster, which has no databases but one, as in redis+cluster://10.0.0.5:6379,10.0.0.6:6379")
    options = _options(f"{scheme}://{user and user + '@'}cluster/?{said.query}")
    tls = options.pop("connection_class", None) is SSLConnection
    del options["host"]
    return Address("cluster", hosts, "", tls, options)


def _hosts(places: str, port: int) -> tuple[tuple[str, int], ...]:
    """Hosts with their ports; none where one of them cannot be read."""
    found = [HOST.fullmatch(place) for place in places.split(",")]
    return tuple((host[1].strip("[]"), int(host[2] or port)) for host in found if host) if all(found) else ()


def _options(url: str) -> dict[str, Any]:
    """What redis-py makes of an address of one server. Raises Unfit for options that it does not take."""
    try:
        options: dict[str, Any] = parse_url(url)  # type: ignore[no-untyped-call]
        own = {name: value for name, value in options.items() if not name.startswith(OF_SENTINELS)}
        ConnectionPool(**own).make_connection()  # connects to nothing yet
    except (RedisError, TypeError, ValueError) as wrong:
        raise Unfit(f"has an option that a Redis client does not take: {wrong}") from wrong
    return options
