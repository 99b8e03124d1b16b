"""What a dishonest server could write, with a chain made anew over it: the rules name the event that could not have happened so."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias

import pytest

from domain.proof.verify import verify
from tests.exports import Lines, first, forged, found, opened, played

Event: TypeAlias = dict[str, Any]
Forgery: TypeAlias = Callable[[Lines, int], None]


@cache
def histories() -> tuple[bytes, ...]:
    """Lively matches in which everything comes about that can."""
    return tuple(played(f"03-{seed:010d}", seed, most=200, lively=0.3, game=("fourfold", "four-forges")[seed % 2]) for seed in range(60))


def with_an_event(wanted: Callable[[Event], bool]) -> tuple[Lines, int]:
    """A history that has such an event, and where."""
    for raw in histories():
        lines = opened(raw)
        for at, line in enumerate(lines[1:-1], start=1):
            if wanted(line):
                return lines, at
    raise AssertionError("nobody did that in any of these matches")


def of(kind: str, **data: Any) -> Callable[[Event], bool]:
    return lambda line: bool(line["type"] == kind and data.items() <= line["data"].items())


def timed_out(line: Event) -> bool:
    return bool(line["type"] == "seat.vacated" and line["by"]["kind"] == "clock")


def chosen(line: Event) -> bool:
    return line["type"] == "action.taken" and not line["data"]["forced"] and line["by"]["via"] != "caretaker" and line["ply"] > 3


def chosen_by_a_person(line: Event) -> bool:
    return chosen(line) and not line["by"]["player"].startswith("p-bot")


def set_data(**changes: Any) -> Forgery:
    return lambda lines, at: lines[at]["data"].update(changes)


def set_by(**changes: Any) -> Forgery:
    return lambda lines, at: lines[at]["by"].update(changes)


def earlier(lines: Lines, at: int) -> None:
    """As if it had happened right after what came before it, and all that followed likewise."""
    then = lines[at - 1]["at"]
    now = lines[at]["at"]
    for line in lines[at:-1]:
        if line["at"] == now:
            line["at"] = then


def an_hour_later(lines: Lines, at: int) -> None:
    for line in lines[at:-1]:
        day, _, rest = line["at"].partition("T")
        line["at"] = f"{day}T{int(rest[:2]) + 1:02d}{rest[2:]}"


def left_out(lines: Lines, at: int) -> None:
    del lines[at]


def twice(lines: Lines, at: int) -> None:
    lines.insert(at, {**lines[at]})


def swapped(lines: Lines, at: int) -> None:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def by_somebody_else(lines: Lines, at: int) -> None:
    lines[at]["by"]["player"] = "p-stranger"


def ply_raised(lines: Lines, at: int) -> None:
    lines[at]["ply"] += 1


def other_text(lines: Lines, at: int) -> None:
    lines[at]["data"]["text"] += " !"


FORGERIES: dict[str, tuple[Callable[[Event], bool], Forgery, str]] = {
    "a time-out before the time was out": (timed_out, earlier, "no seat's time has run out"),
    "a seat vacated by the clock that was not late": (timed_out, set_data(seat="nobody"), "its “seat” should be "),
    "a resignation said to be a time-out": (of("seat.vacated", reason="resignation"), set_data(reason="timeout"), "its “reason” should be "),
    "a resignation of somebody without a seat": (of("seat.vacated", reason="resignation"), by_somebody_else, "you have no seat in this match"),
    "a turn taken back too late": (of("turn.taken-back"), an_hour_later, "that turn could be taken back until "),
    "a turn taken back by somebody else": (of("turn.taken-back"), by_somebody_else, "is not your seat"),
    "a turn taken back further than it went": (of("turn.taken-back"), set_data(to_ply=0), "its “to_ply” should be "),
    "an offer that was never answered": (of("offer.answered"), left_out, "offer.lapsed {"),
    "an offer answered by a stranger": (of("offer.answered"), by_somebody_else, "you have no seat in this match"),
    "an answer turned round": (of("offer.answered", answer="decline"), set_data(answer="accept"), "you have agreed to this offer already"),
    "an answer to another offer": (of("offer.answered"), set_data(offer=77), "there is no offer 77 to answer"),
    "an offer by a stranger": (of("offer.made"), by_somebody_else, "you have no seat in this match"),
    "an offer counted wrongly": (of("offer.made"), set_data(offer=9), "its “offer” should be "),
    "an offer that did not lapse": (of("offer.lapsed"), left_out, " belongs here, not “"),
    "an action by somebody who does not hold the seat": (chosen, by_somebody_else, "is not your seat"),
    "an action by the house that a person chose": (chosen, set_by(via="caretaker"), "nobody decided "),
    "an action said to be a house bot's": (chosen_by_a_person, set_by(via="bot"), "is no house bot of this match"),
    "an offer said to be a house bot's": (of("offer.made"), set_by(player="p-0", via="bot"), "p-0 is no house bot of this match"),
    "a match that a house bot created": (of("match.created"), set_by(via="bot"), "p-0 is no house bot of this match"),
    "an action counted wrongly": (chosen, ply_raised, "its “ply” should be "),
    "an action with another line": (chosen, other_text, "its “text” should be "),
    "an action left out": (chosen, left_out, "nothing brought “"),
    "an action made twice": (chosen, twice, " belongs here, not “"),
    "an action said to be the clock's": (chosen, set_data(timeout=True), "no seat's time has run out"),
    "entropy slipped in": (chosen, set_data(nonce="0123456789abcdef"), "its “outcome” should be "),
    "a lot left out": (of("chance.drawn"), left_out, " belongs here, not “"),
    "a lot drawn twice": (of("chance.drawn"), twice, "nothing brought “"),
    "a lot counted wrongly": (of("chance.drawn"), set_data(index=99), "its “index” should be "),
    "a lot in other words": (of("chance.drawn"), other_text, "its “text” should be "),
    "a seat taken by two": (of("seat.taken"), twice, "you have a seat in this match already"),
    "a start before the seats were taken": (of("seat.taken"), left_out, "nothing brought match.started {} about"),
    "a seat given back by somebody who was not there": (of("seat.left"), by_somebody_else, "you have no seat in this match"),
    "a start moved": (of("match.started"), swapped, "match.started {} belongs here, not “"),
    "an end without a cause": (of("match.finished"), set_data(outcome={}), "its “outcome” should be "),
    "an end by somebody": (of("match.finished"), set_by(kind="player", player="p-0", via="web"), "its “by” should be "),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_by_the_rules(name: str):
    wanted, forgery, words = FORGERIES[name]
    lines, at = with_an_event(wanted)
    assert verify(forged([*lines])).flaws == ()
    forgery(lines, at)
    check, said = found(forged(lines))
    assert check == "rules", said
    assert said.startswith("version ")
    assert words in said


# Histories put together


def test_a_match_in_the_name_of_another_is_found_by_its_lots():
    lines = opened(next(raw for raw in histories() if b'"seed.revealed"' in raw and b'"chance.drawn"' in raw))
    for line in lines:
        line["match"] = "03-9999999999"
    check, words = found(forged(lines))
    assert check == "rules"
    assert words.startswith(f"version {first(lines, 'chance.drawn')}: its “outcome” should be ")


def test_the_end_of_another_match_is_found_though_it_was_renamed():
    one, other = (opened(raw) for raw in [raw for raw in histories() if b'"seed.revealed"' in raw and b'"fourfold"' in raw][:2])
    for line in other:
        line["match"] = one[0]["match"]
    assert found(forged([*one[:30], *other[30:]]))[0] in ("rules", "lots")


def test_another_commitment_and_its_seed_are_found_by_the_lots():
    """Who replaces both would have to draw every lot anew."""
    lines = opened(next(raw for raw in histories() if b'"seed.revealed"' in raw and b'"chance.drawn"' in raw))
    seed = bytes(31) + b"\x07"
    lines[1]["data"]["commitment"] = sha256(seed).hexdigest()
    lines[-2]["data"]["seed"] = seed.hex()
    assert found(forged(lines))[1].startswith(f"version {first(lines, 'chance.drawn')}: its “outcome” should be ")
