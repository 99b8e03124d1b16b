"""Networks as WEBHOOKS_PRIVATE names them."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

NONE, EVERYWHERE = "no", "0.0.0.0/0,::/0"


def networks(said: str) -> tuple[Network, ...]:
    """The networks in the text. ValueError for what is none, saying why."""
    return () if said == NONE else tuple(ip_network(each.strip()) for each in said.split(","))
