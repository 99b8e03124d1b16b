"""Where webhooks may lead, and where not."""

import socket
from threading import Event as Signal

import pytest

from infra.webhooks.destination import Destination, Unfit, addresses, destination
from tests.servers import PATIENT

PUBLIC = "no"
ANY = "0.0.0.0/0,::/0"
NOBODYS = (
    "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.0.3 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 "
    "192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.5 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 "
    ":: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:20::1 2001:db8::1 "
    "2002:7f00:1:: 2002:808:808:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1"
)
THERE = Destination("https", "bots.example.org", 443, "/")


def test_a_url_is_taken_apart():
    assert destination("https://Bots.Example.org/hook?for=ann", PUBLIC) == Destination("https", "bots.example.org", 443, "/hook?for=ann")
    assert destination("https://bots.example.org:8443", PUBLIC) == Destination("https", "bots.example.org", 8443, "/")
    assert destination("https://[2606:4700::1]/", PUBLIC).authority == "[2606:4700::1]"
    assert destination("http://127.0.0.1:9000/", "127.0.0.0/8").authority == "127.0.0.1:9000"
    assert destination("http://localhost:9000/", "127.0.0.0/8").authority == "localhost:9000"
    assert destination("https://7.example.org/", PUBLIC).host == "7.example.org"
    assert destination("https://" + "a" * 63 + ".example.org./", PUBLIC).port == 443


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://bots.example.org/", "must begin with https:// and name a host"),
        ("ftp://bots.example.org/", "must begin with https:// and name a host"),
        ("file:///etc/passwd", "must begin with https:// and name a host"),
        ("https:bots.example.org", "must begin with https:// and name a host"),
        ("https://", "must begin with https:// and name a host"),
        ("bots.example.org", "must begin with https:// and name a host"),
        ("https://ann:word@bots.example.org/", "must not have a user or password in it"),
        ("https://bots.example.org@127.0.0.1/", "must not have a user or password in it"),
        ("https://bots.example.org/#top", "must end before the #"),
        ("https://bots.example.org:22/", "must have one of the ports 80, 443 or 1024 to 65535"),
        ("https://bots.example.org:0/", "must have one of the ports 80, 443 or 1024 to 65535"),
        ("https://bots.example.org:70000/", "must be a URL"),
        ("https://bots.example.org:x/", "must be a URL"),
        ("https://bots.example.org\\@127.0.0.1/", "visible ASCII characters"),
        ("https://bots.example.org/a b", "visible ASCII characters"),
        ("https://bots.example.org/\r\nHost: x", "visible ASCII characters"),
        ("https://bücher.example.org/", "visible ASCII characters"),
        ("https://bots.example.org/" + "a" * 2000, "at most 2000"),
        ("https://bots..example.org/", "by a name or an address"),
        ("https://bots%2eexample.org/", "by a name or an address"),
        ("https://[::1", "must be a URL"),
        ("https://127.0.0.1/", "127.0.0.1 is no public address"),
        ("https://[::1]/", "::1 is no public address"),
        ("https://[::ffff:127.0.0.1]/", "is no public address"),
        ("https://169.254.169.254/latest/meta-data/", "169.254.169.254 is no public address"),
        ("https://127.1/", "one of IPv4 is written with four numbers"),
        ("https://2130706433/", "one of IPv4 is written with four numbers"),
        ("https://0x7f000001/", "one of IPv4 is written with four numbers"),
        ("https://127.0.0.1./", "one of IPv4 is written with four numbers"),
        ("https://bots.example.0x1/", "one of IPv4 is written with four numbers"),
        ("https://localhost/", "localhost is the very machine that would deliver there"),
        ("https://Bots.LocalHost.:8443/", "bots.localhost. is the very machine that would deliver there"),
        ("https://" + "a" * 64 + ".example.org/", "by a name or an address"),
    ],
)
def test_a_url_that_leads_nowhere_good_is_refused_in_words(url: str, words: str):
    with pytest.raises(Unfit) as unfit:
        destination(url, PUBLIC)
    assert words in str(unfit.value)


@pytest.mark.parametrize("address", NOBODYS.split(" "))
def test_an_address_that_is_not_for_everybody_is_never_connected_to(address: str):
    with pytest.raises(Unfit, match="no public address"):
        addresses(THERE, PUBLIC, lambda *_: [address], PATIENT)
    with pytest.raises(Unfit, match="no public address"):
        addresses(THERE, PUBLIC, lambda *_: ["8.8.8.8", address], PATIENT)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])
def test_a_public_address_may_be_connected_to(address: str):
    assert addresses(THERE, PUBLIC, lambda *_: [address], PATIENT) == [address]


def test_networks_of_our_own_are_allowed_by_a_setting_and_only_those():
    ours = "10.0.0.0/8,fd00::/8"
    assert addresses(THERE, ours, lambda *_: ["10.1.2.3", "fd00::7"], PATIENT) == ["10.1.2.3", "fd00::7"]
    with pytest.raises(Unfit, match=r"192\.168\.0\.1 is no public address"):
        addresses(THERE, ours, lambda *_: ["192.168.0.1"], PATIENT)
    plain = destination("http://bots.example.org/", ours)
    assert addresses(plain, ours, lambda *_: ["10.1.2.3"], PATIENT) == ["10.1.2.3"]
    with pytest.raises(Unfit, match=r"8\.8\.8\.8 is a public address, and this site delivers there by https only"):
        addresses(plain, ours, lambda *_: ["8.8.8.8"], PATIENT)
    assert addresses(plain, ANY, lambda *_: ["8.8.8.8"], PATIENT) == ["8.8.8.8"]


@pytest.mark.parametrize("host", ["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "localhost"])
def test_other_spellings_of_this_machine_are_seen_through_once_they_are_looked_up(host: str):
    def system(host: str, port: int) -> list[str]:
        return [str(place[0]) for *_, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]

    with pytest.raises(Unfit, match="no public address"):
        addresses(Destination("https", host, 443, "/"), PUBLIC, system, PATIENT)


def test_a_name_server_that_does_not_answer_costs_no_more_than_the_patience():
    for_ever = Signal()

    def silent(_host: str, _port: int) -> list[str]:
        for_ever.wait(PATIENT)
        return ["8.8.8.8"]

    try:
        with pytest.raises(Unfit, match=r"bots\.example\.org could not be looked up in time"):
            addresses(THERE, PUBLIC, silent, 0.05)
    finally:
        for_ever.set()


def test_a_name_that_leads_nowhere_says_so():
    def nowhere(_host: str, _port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(Unfit, match=r"bots\.example\.org could not be looked up"):
        addresses(THERE, PUBLIC, nowhere, PATIENT)
