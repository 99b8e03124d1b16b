"""Events of an older schema are read as today's, step by step, and what is stored stays as it was stored."""

from typing import Any

import pytest

from domain.chain import SeedLot, canonical, link
from domain.desk import Desk
from domain.match import codec
from domain.match.codec import Damage, decode, faithful
from domain.match.events import SeatVacated
from domain.ports import Stored, Tip
from domain.proof.verify import verify
from tests.exports import SEED, Lines, closed, first, found, headed, opened, played
from tests.memory_log import MemoryLog

BODY: dict[str, Any] = {"at": "2020-02-29T10:00:00.123Z", "by": {"kind": "server"}, "ply": 3}


def renamed(data: dict[str, Any]) -> dict[str, Any]:
    """From the made-up schema 0 to today's: the seat was called `chair`."""
    return {"reason": data["reason"], "seat": data["chair"]}


def reasoned(data: dict[str, Any]) -> dict[str, Any]:
    """From the made-up first type to schema 0: nobody was asked for a reason."""
    return {**data, "reason": "resignation"}


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if today's shape of a vacated seat had two older ones."""
    monkeypatch.setitem(codec.UPCASTERS, "seat.vacated.0", ("seat.vacated.1", renamed))
    monkeypatch.setitem(codec.UPCASTERS, "player.left.1", ("seat.vacated.0", reasoned))


def test_an_older_schema_is_read_as_todays(older: None):
    stored = Stored(7, "seat.vacated.0", canonical({**BODY, "data": {"chair": "east", "reason": "timeout"}}))
    event = decode(None, stored)
    assert event.fact == SeatVacated("east", "timeout")
    assert (event.at, event.ply) == (1_582_970_400_123, 3)
    assert faithful(event, stored)


def test_upcasters_are_chained(older: None):
    assert decode(None, Stored(7, "player.left.1", canonical({**BODY, "data": {"chair": "east"}}))).fact == SeatVacated("east", "resignation")


def test_an_old_event_that_is_not_canonical_is_not_faithful(older: None):
    body = canonical({**BODY, "data": {"chair": "east", "reason": "timeout"}}).replace(b'"ply":3', b'"ply": 3')
    stored = Stored(7, "seat.vacated.0", body)
    assert not faithful(decode(None, stored), stored)


def test_an_old_event_that_says_more_than_it_should_is_not_faithful(older: None):
    stored = Stored(7, "seat.vacated.0", canonical({**BODY, "data": {"chair": "east", "reason": "timeout"}, "note": "x"}))
    assert not faithful(decode(None, stored), stored)


def test_what_nothing_is_known_about_is_damage(older: None):
    for kind in ("seat.vacated.2", "player.went.1", "player.left.0"):
        with pytest.raises(Damage, match=f"version 7 is of the unknown type {kind}; this server is older than the event"):
            decode(None, Stored(7, kind, canonical({**BODY, "data": {}})))
    with pytest.raises(Damage, match=r"version 7 \(seat.vacated.0\) cannot be read: it is no seat.vacated.0: KeyError\('chair'\)"):
        decode(None, Stored(7, "seat.vacated.0", canonical({**BODY, "data": {"seat": "east", "reason": "timeout"}})))
    with pytest.raises(Damage, match="cannot be read"):
        decode(None, Stored(7, "seat.vacated.1", canonical({**BODY, "data": {"chair": "east", "reason": "timeout"}})))


def of_old() -> tuple[str, Lines]:
    """An export in which seats were vacated, written as it would have been before the schema rose."""
    name = "07-0000000011"
    lines = opened(next(raw for seed in range(99) if b'"seat.vacated"' in (raw := played(name, seed, most=300, lively=0.3))))
    prev = bytes(32)
    for line in lines[1:-1]:
        if line["type"] == "seat.vacated":
            line.update(schema=0, data={"chair": line["data"]["seat"], "reason": line["data"]["reason"]})
        body = canonical({name: line[name] for name in ("at", "by", "data", "ply")})
        made = link(prev, name, f"{line['type']}.{line['schema']}", body)
        line.update(prev=prev.hex(), hash=made.hex())
        prev = made
    lines[-1].update(hash=prev.hex())
    return name, lines


def test_a_history_with_older_schemas_verifies_byte_for_byte(older: None):
    _, lines = of_old()
    raw = headed(lines)
    assert verify(raw).flaws == ()
    at = first(lines, "seat.vacated")
    lines[at]["data"]["chair"] = "nowhere"
    assert found(closed(lines))[0] == "chain"


def test_a_match_with_older_schemas_goes_on_at_the_desk_and_is_shown_as_it_was_stored(older: None):
    name, lines = of_old()
    log = MemoryLog()
    stored = log._entries.setdefault(name, [])
    for line in lines[1:-1]:
        body = canonical({key: line[key] for key in ("at", "by", "data", "ply")})
        stored.append(Stored(line["version"], f"{line['type']}.{line['schema']}", body))
    log._heads[name] = Tip(len(stored), bytes.fromhex(lines[-1]["hash"])), "over", None
    desk = Desk(log, lambda match: SeedLot(SEED, match), lambda: 0)
    match = desk.look(name).match
    vacated = [line["data"]["chair"] for line in lines[1:-1] if line["type"] == "seat.vacated"]
    assert list(match.vacated) == vacated
    shown = desk.history(name)
    assert [line.schema for line in shown if line.type == "seat.vacated"] == [0] * len(vacated)
    assert shown[-1].hash == lines[-1]["hash"]
