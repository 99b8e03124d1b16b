"""Positions of Fourfold put up by hand, and lines played in them."""

from collections.abc import Sequence

from domain.games.fourfold import GAME
from domain.games.fourfold.court import TEAM
from domain.games.fourfold.notation import read, write
from domain.games.fourfold.state import Due, Options, State, Team

OPENING = GAME.setup(Options(), GAME.seats)


def position(runners: str, due: str | None = None, waiting: str = "", **more: object) -> State:
    """A position in play: `S1 c2, N1 c3` by appearance; due a runner ("S1") or a seat that deploys ("south")."""
    placed = [placed.split() for placed in runners.split(", ")]
    asked = Due(TEAM[due[0]].seat, due) if due and due[0].isupper() else Due(due) if due else None
    given = {"options": Options(max_runners=max(4, len(placed))), "phase": "play", "turn": 1, "deployed": (9, 9, 9, 9), **more}
    return State(
        order=tuple(runner for runner, _ in placed),
        cells=tuple(cell for _, cell in placed),
        due=asked,
        waiting=tuple(waiting.split()),
        **given,  # type: ignore[arg-type]
    )


def play(s: State, *lines: str) -> State:
    """The position after these lines, actions and lots; each must be what could happen."""
    for line in lines:
        if line.startswith("* "):
            drawn = outcomes(s)
            s = GAME.apply_chance(s, next(outcome for outcome in drawn if GAME.tell(outcome) == line))
        else:
            assert s.due, f"nobody is due to play {line}"
            action = read(s, line)
            assert GAME.objection(s, s.due.seat, action) is None
            s = GAME.apply(s, s.due.seat, action)
    return s


def legal(s: State) -> list[str]:
    """The lines that can be played, in their order."""
    return [write(action) for seat in GAME.awaited(s) for action in GAME.legal(s, seat)]


def outcomes(s: State) -> list[Team]:
    """All that can be drawn, in the order of the candidates."""
    candidates: list[int] = []
    GAME.draw(s, lambda n: candidates.append(n) or 0)  # type: ignore[func-returns-value]
    return [GAME.draw(s, lambda _n, place=place: place) for place in range(candidates[0])]


def told(drawn: Sequence[Team]) -> list[str]:
    """The lots as lines."""
    return [GAME.tell(outcome) for outcome in drawn]


def refused(s: State, seat: str, line: str) -> str:
    """The words with which an action is refused."""
    words = GAME.objection(s, seat, read(s, line))
    assert words, f"{line} is legal"
    return words
