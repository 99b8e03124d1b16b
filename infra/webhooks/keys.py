"""The names of the keys of webhooks; they share a hash tag, so that one script may touch them all, in a cluster too."""

from __future__ import annotations

from typing import Final

EVERY: Final = "{hooks}:every"  # set: all webhooks there are
DUE: Final = "{hooks}:due"  # sorted set: webhook → when (ms) to look at what waits for it


def webhook(name: str) -> str:
    """Hash: what is known of it."""
    return f"{{hooks}}:{name}"


def of(player: str) -> str:
    """Set: the webhooks of a player."""
    return f"{{hooks}}:of:{player}"


def waiting(name: str) -> str:
    """Sorted set: what is to be told → when (ms) it is to be tried."""
    return f"{{hooks}}:{name}:waiting"


def tries(name: str) -> str:
    """Hash: what is to be told → how often it was tried, and how often refused."""
    return f"{{hooks}}:{name}:tries"


def busy(name: str) -> str:
    """String that expires soon: somebody is delivering there right now."""
    return f"{{hooks}}:{name}:busy"


def journal(name: str) -> str:
    """List: the last deliveries, the newest first."""
    return f"{{hooks}}:{name}:journal"
