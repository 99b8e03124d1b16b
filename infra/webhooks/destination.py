"""Where a webhook may lead: which URLs are taken, and which addresses may be connected to."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from domain.game import Record
from infra.networks import networks

Address: TypeAlias = IPv4Address | IPv6Address
Resolve: TypeAlias = Callable[[str, int], list[str]]

LONGEST: Final = 2000  # characters of a URL
LOWEST: Final = 1024  # ports below are those of other services, but for those of the web
WEB: Final = {"http": 80, "https": 443}
HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?\.?|\[[0-9A-Fa-f:.]+\]")
LABEL: Final = 63  # characters of a part of a name at most
NUMBER: Final = re.compile(r"(.*\.)?(0x[0-9a-f]*|[0-9]+)\.?")  # no name ends so; what resolvers make of it differs
OURSELVES: Final = re.compile(r"(.*\.)?localhost\.?")  # RFC 6761

UNICAST: Final = ip_network("2000::/3")  # all of IPv6 that is anybody's; NAT64, mapped and compatible addresses lie outside
# Besides what the ipaddress module calls not global, which in older Pythons leaves some out: protocol assignments (with a cloud's metadata
# service), 6to4 in both forms, documentation, and the host's own service in Azure.
REFUSED: Final = tuple(
    ip_network(each) for each in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)


class Unfit(ValueError):
    """The URL or address is none that a webhook may lead to; the words say why."""


class Destination(Record, frozen=True):
    """A URL taken apart. `host` has no brackets; `target` is path and query, as a request names them."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """What the Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == WEB[self.scheme] else f"{host}:{self.port}"


def destination(url: str, allowed: str) -> Destination:
    """The URL, taken apart; `allowed` are the private networks of the settings. Raises Unfit."""
    if len(url) > LONGEST or not re.fullmatch(r"[!-~]+", url) or "\\" in url:
        raise Unfit(f"must be at most {LONGEST} visible ASCII characters; write other letters in percent-encoding, and in hosts in Punycode")
    try:
        said = urlsplit(url)
        port = said.port
    except ValueError:
        raise Unfit("must be a URL, as in https://bots.example.org/forgepost") from None
    kinds = ("https", "http") if networks(allowed) else ("https",)
    if said.scheme not in kinds or not said.hostname:
        raise Unfit(f"must begin with {' or '.join(f'{kind}://' for kind in kinds)} and name a host")
    if "@" in said.netloc:
        raise Unfit("must not have a user or password in it: each delivery is signed, so check that")
    if said.fragment or "#" in url:
        raise Unfit("must end before the #: what follows one is never sent")
    host, bracketed = said.hostname, said.netloc.startswith("[")
    if not HOST.fullmatch(f"[{host}]" if bracketed else host) or not all(0 < len(label) <= LABEL for label in host.removesuffix(".").split(".")):
        raise Unfit("must name a host by a name or an address")
    port = WEB[said.scheme] if port is None else port
    if port not in WEB.values() and port < LOWEST:
        raise Unfit(f"must have one of the ports 80, 443 or {LOWEST} to 65535")
    target = (said.path or "/") + (f"?{said.query}" if said.query else "")
    found = Destination(said.scheme, host, port, target)
    if literal := _literal(host):
        check([literal], allowed, found.scheme)
    elif NUMBER.fullmatch(host):
        raise Unfit("must name a host by a name or an address; one of IPv4 is written with four numbers, as in 192.0.2.1")
    elif OURSELVES.fullmatch(host) and not networks(allowed):
        raise Unfit(f"{host} is the very machine that would deliver there, and this site delivers to public addresses only")
    return found


def addresses(to: Destination, allowed: str, resolve: Resolve, patience: float) -> list[str]:
    """The addresses behind a destination, looked up once; connect to these and to nothing else. Raises Unfit, also when there are none."""
    answer: SimpleQueue[list[str] | OSError] = SimpleQueue()

    def ask() -> None:
        try:
            answer.put(resolve(to.host, to.port))
        except OSError as wrong:
            answer.put(wrong)
        except UnicodeError:
            answer.put(OSError("no name of a host"))

    Thread(target=ask, daemon=True).start()  # the system's resolver cannot be interrupted, only left alone
    try:
        found = answer.get(timeout=max(0.0, patience))
    except Empty:
        raise Unfit(f"{to.host} could not be looked up in time") from None
    if isinstance(found, OSError) or not found:
        raise Unfit(f"{to.host} could not be looked up")
    check([ip_address(each) for each in found], allowed, to.scheme)
    return found


def looked_up(host: str, port: int) -> list[str]:
    """What the system says the addresses of a host are."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]).partition("%")[0] for *_, place in found))


def check(found: Iterable[Address], allowed: str, scheme: str) -> None:
    """Raises Unfit if a single one is not for everybody to reach: a name that leads to both kinds means no good."""
    ours = networks(allowed)
    for each in found:
        if any(each in network for network in ours):
            continue
        if not _public(each):
            raise Unfit(f"{each} is no public address, and this site delivers to no other")
        if scheme != "https":
            raise Unfit(f"{each} is a public address, and this site delivers there by https only")


def _public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address not in UNICAST:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved and not any(address in network for network in REFUSED)


def _literal(host: str) -> Address | None:
    """The address that a host is; None where it is a name. What only looks like one to some resolvers is caught once it is looked up."""
    try:
        return ip_address(host)
    except ValueError:
        return None
