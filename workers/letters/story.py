"""What has happened in a match as the short lines of a letter: what one seat did in a row is one piece of news."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from domain.match.telling import Cast, Sort, Told
from workers.letters.letter import News

LINES: Final = 30  # told of what came since a player's last turn; the rest stands in the history
DEAL: Final = 4  # draws before the first turn that are one piece of news
UNTOLD: Final[tuple[Sort, ...]] = ("table", "end")  # nobody needs to read who sat down in which order, and the end has a letter of its own


def news(happened: Iterable[Told], cast: Cast) -> list[News]:
    """Actions by seat, everything else line by line, but for a long deal at the start, which the position shows better."""
    told = [event for event in happened if event.sort not in UNTOLD]
    dealt = [event for event in told if event.sort == "chance" and event.ply == 0]
    found: list[News] = []
    for seat, run in groupby(told, key=lambda event: event.seat if event.acted else ""):
        if seat:
            found.append(News(seat, cast.seat(seat), "; ".join(map(_line, run))))
            continue
        for event in run:
            if event not in dealt or len(dealt) < DEAL:
                found.append(News("", "", f"{event.words} ({event.scored})" if event.scored else event.words))
            elif event == dealt[0]:
                found.append(News("", "", "What there is at the start was drawn by lot; the position shows it"))
    return found


def _line(action: Told) -> str:
    """The action, why it was made if nobody chose it, and what it counts."""
    return f"{action.line} ({action.tag})" if action.tag else action.line
