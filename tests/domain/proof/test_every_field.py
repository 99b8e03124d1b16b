"""Every field of every kind of event, changed by a server that makes the chain anew: found by the rules, unless it is the server's to say."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.exports import Lines, forged, opened

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = ("fourfold-lively-0", "four-forges-lively-7", "penny-ante-lively-3", "steinnheimr-lively-1", "fourfold-away")
WAYS = ("link", "reply", "web", "api")
OTHERS = ("bot", "clock", "caretaker", "server")
EACH = 3  # events of a type in a file

Change: TypeAlias = Callable[[dict[str, Any]], None]

# What nobody who was not there can know: a way in that needed no signature, words that no lot depended on, how long a pause that was not agreed on
# would have lasted, options and settings that nobody had run into, who was invited or sat there and did nothing, and whether it was a bot.
SAYABLE = {"via", "entropy", "nonce", "seconds", "options", "settings", "invited", "bot", "guest"}


@cache
def lines_of(name: str) -> Lines:
    """The lines of a golden export, which nobody has signed."""
    lines = opened(gzip.decompress((GOLDEN / f"{name}.ndjson.gz").read_bytes()))
    del lines[-1]["signature"], lines[-1]["seal"]
    return lines


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value in a value, with the way there."""
    if path:
        yield path, value
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(inner, (*path, name))


def put(path: tuple[Any, ...], made: Any) -> Change:
    def change(event: dict[str, Any]) -> None:
        place: Any = event
        for name in path[:-1]:
            place = place[name]
        if made is Ellipsis:
            del place[path[-1]]
        else:
            place[path[-1]] = made

    return change


def changes(event: dict[str, Any]) -> Iterator[tuple[str, Change]]:
    """What can be changed in an event, one thing at a time, and what that is called."""
    for path, value in [*leaves({"by": event["by"]}), *leaves({"data": event["data"]}), (("ply",), event["ply"]), (("schema",), 1)]:
        known = next((part for part in ("options", "settings", "invited") if part in path), "")
        name = known or next(part for part in reversed(path) if isinstance(part, str))
        if name == "player" and event["type"] in ("match.created", "seat.taken"):
            name = "guest"
        if len(path) > 1:
            yield name, put(path, ...)
        match value:
            case bool():
                yield name, put(path, not value)
            case int():
                yield from ((name, put(path, made)) for made in (value + 1, value - 1, str(value)))
            case str() if name == "via":
                free = (*WAYS, "bot") if event["by"].get("player", "").startswith("p-bot") else WAYS  # a bot does as a bot what it does
                for via in (*WAYS, *OTHERS):
                    yield "via" if {value, via} <= {*free} else "another via", put(path, via)
            case str():
                yield from ((name, put(path, made)) for made in ("", f"{value}x", "north", "p-stranger"))
            case dict():
                yield name, put((*path, "zzz"), 1)
            case list():
                yield name, put(path, value[::-1])
            case _:
                yield name, put(path, 7)
    for name, made in (("nonce", "x"), ("timeout", True), ("since", event["at"]), ("jws", "a.b.c"), ("kind", "end"), ("reason", "timeout")):
        if name not in event["data"]:
            yield name, put(("data", name), made)


@pytest.mark.parametrize("name", FILES)
def test_every_field_is_held_to_the_rules(name: str):
    whole, seen, tried, slipped = lines_of(name), dict[str, int](), 0, list[str]()
    for at, event in enumerate(whole[1:-1], start=1):
        seen[event["type"]] = seen.get(event["type"], 0) + 1
        if seen[event["type"]] > EACH:
            continue
        for what, change in changes(event):
            lines = deepcopy(whole)
            change(lines[at])
            if lines[at] == event:
                continue
            tried += 1
            report = verify(forged(lines), signed)
            if not report.flaws and what not in SAYABLE:
                slipped.append(f"{what} of version {at}, {event['type']}: {lines[at]}")
            assert all(flaw.words and 1 <= flaw.line <= len(whole) for flaw in report.flaws)
    assert slipped == []
    assert tried > 100
