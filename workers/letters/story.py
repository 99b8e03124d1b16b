"""What has happened in a match as the short lines of a letter: what one seat did in a row is one piece of news."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from domain.match.telling import Cast, Sort, Told
from workers.letters.letter import News

LINES: Final = 30  # told of what came since a player's last turn; the rest stands in the history
UNTOLD: Final[tuple[Sort, ...]] = ("table", "end")  # nobody needs to read who sat down in which order, and the end has a letter of its own


def news(happened: Iterable[Told], cast: Cast) -> list[News]:
    """Actions by seat, everything else line by line."""
    told = [event for event in happened if event.sort not in UNTOLD]
    found: list[News] = []
    for seat, run in groupby(told, key=lambda event: event.seat if event.acted else ""):
        if seat:
            found.append(News(seat, cast.seat(seat), "; ".join(map(_line, run))))
        else:
            found += [News("", "", f"{event.words} ({event.scored})" if event.scored else event.words) for event in run]
    return found


def _line(action: Told) -> str:
    """The action, why it was made if nobody chose it, and what it counts."""
    return f"{action.line} ({action.tag})" if action.tag else action.line
