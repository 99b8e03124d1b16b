"""Whom a request is counted for."""

import logging
from ipaddress import ip_network

import pytest

from service.door import callers
from service.door.callers import caller

PROXIES = [ip_network("10.0.0.0/8"), ip_network("127.0.0.0/8"), ip_network("2001:db8:ffff::/48")]


@pytest.mark.parametrize(
    ("peer", "said", "who"),
    [
        ("203.0.113.9", None, "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "192.0.2.66, 198.51.100.1, 10.2.3.4", "198.51.100.1"),
        ("10.0.0.1", "10.9.9.9", "10.9.9.9"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", "[2001:db8:1:2:3:4:5:6]:4711", "2001:db8:1:2::/64"),
        ("10.0.0.1", "198.51.100.1, nobody", "10.0.0.1"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("2001:db8:ffff::1", "2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::/64"),
        ("::1", None, "::1"),
        ("", None, ""),
    ],
    ids=[
        "alone", "a stranger's word", "a proxy's word", "the client's own word before it", "two proxies", "none but proxies", "with a port",
        "IPv6 with a port", "no address", "IPv4 inside IPv6", "an IPv6 proxy", "IPv6", "this very machine", "nowhere",
    ],
)  # fmt: skip
def test_the_client_is_the_last_that_no_proxy_of_ours_is(peer: str, said: str | None, who: str):
    assert caller({"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": said}, PROXIES) == who


def test_forwarded_is_not_looked_at():
    assert caller({"REMOTE_ADDR": "10.0.0.1", "HTTP_FORWARDED": "for=192.0.2.66"}, PROXIES) == "10.0.0.1"


def test_a_proxy_that_was_forgotten_is_remarked_on_once(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING)
    callers._wonder.cache_clear()
    for number in range(5):
        caller({"REMOTE_ADDR": "172.16.0.1", "HTTP_X_FORWARDED_FOR": f"198.51.100.{number}"}, PROXIES)
    assert [record.getMessage() for record in caplog.records] == [
        "X-Forwarded-For comes from a machine that TRUSTED_PROXIES does not name: all that it asks for counts as one client's"
    ]
