"""Where a request comes from: the address of the client, also behind proxies that may be believed."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final, TypeAlias

from infra.networks import Network

log = logging.getLogger(__name__)

Networks: TypeAlias = Sequence[Network]
SUBSCRIBER: Final = 64  # bits of an IPv6 address that one customer of a provider gets; the rest is theirs to change


def caller(environ: Mapping[str, Any], trusted: Networks) -> str:
    """The client's address, to be counted by; with IPv6 the network of its subscriber.

    Each proxy writes at the end of `X-Forwarded-For` whom it was asked by, so it is read from there as long as the proxies are ours. `Forwarded` is
    not looked at: the proxies that write the one pass on the other as a client sent it.
    """
    return _read(environ.get("REMOTE_ADDR") or "", environ.get("HTTP_X_FORWARDED_FOR") or "", tuple(trusted))


@lru_cache(10_000)
def _read(peer: str, said: str, trusted: tuple[Network, ...]) -> str:
    hops = [hop.strip() for hop in said.split(",")] if said else []
    here = _known(peer)
    while hops and here is not None and any(here in network for network in trusted):
        further = _known(hops.pop())
        if further is None:
            break
        here = further
    else:
        if hops and here == _known(peer):
            _wonder(peer)
    if here is None:
        return peer
    return str(IPv6Network((here, SUBSCRIBER), strict=False)) if isinstance(here, IPv6Address) and not here.is_loopback else str(here)


@lru_cache(1000)
def _wonder(_peer: str) -> None:
    """Once a machine: this is either a proxy that was forgotten, or somebody who tries."""
    log.warning("X-Forwarded-For comes from a machine that TRUSTED_PROXIES does not name: all that it asks for counts as one client's")


def _known(text: str) -> Any:
    """The address that a text is, IPv4 inside IPv6 as IPv4; None where it is none."""
    host = text.removeprefix("[").partition("]")[0] if text.startswith("[") else text.partition(":")[0] if text.count(":") == 1 else text
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
