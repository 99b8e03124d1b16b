"""Appends as tests of the log write them: a match of made-up events, each chained to the one before."""

from __future__ import annotations

from typing import Any

from domain.chain import canonical, link, stamp
from domain.ports import Append, Key, Stored, Tip
from infra.clock import now

MATCH = "07-0000000001"
DAY = 86_400_000
STILL = 30_000  # ms that a busy machine may stand still between the clock and the append: no test but those of that bound is about it
KEY = Key("p-ann0000000", "a-key-of-anns", "POST /submissions forge O2")


def batch(*words: str, onto: Append | None = None, match: str = MATCH, **changes: Any) -> Append:
    """An append of one event a word, onto nothing or onto the append before it, at this very moment."""
    said: dict[str, Any] = {"now": now(), "mode": "move", "status": "live", "due": None, "notes": b"{}", "key": None} | changes
    tip = Tip(onto.expected.version + len(onto.entries), onto.hash) if onto else Tip()
    entries = tuple(("action.taken.1", canonical({"at": stamp(said["now"]), "data": {"text": word}})) for word in words or ("forge O2",))
    head = tip.hash
    for kind, body in entries:
        head = link(head, match, kind, body)
    return Append(match=match, expected=tip, entries=entries, hash=head, **said)


def stored(*batches: Append) -> list[Stored]:
    """What the log has to give back after these."""
    entries = [entry for each in batches for entry in each.entries]
    return [Stored(version, *entry) for version, entry in enumerate(entries, start=1)]
