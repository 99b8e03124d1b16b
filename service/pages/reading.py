"""Lines that a player wrote, read as actions at the position they were written for."""

from __future__ import annotations

import re
import unicodedata

from domain.game import Action, Seat, Unreadable
from domain.match.match import Match
from domain.match.refusal import Refused

LONGEST = 1_000  # characters


def read_lines(match: Match, seat: Seat, text: str) -> tuple[Action, ...]:
    """The actions of one line or several (`;` parts them as well). Raises Refused: unreadable, or one that cannot follow the one before."""
    game, state = match.game, match.state
    actions: list[Action] = []
    for index, line in enumerate(parted(text)):
        if index:
            if objection := game.objection(state, seat, actions[-1]):
                raise Refused("illegal-action", objection, action=index - 1)
            state = game.apply(state, seat, actions[-1])
        try:
            actions.append(game.read(state, line))
        except Unreadable as wrong:
            raise Refused("unreadable-text", str(wrong), action=index) from wrong
    return tuple(actions)


def parted(text: str) -> list[str]:
    """The lines of a text, without control and invisible characters."""
    if len(text) > LONGEST:
        raise Refused("unreadable-text", f"that is too long for an action: {LONGEST} characters are the most")
    lines = re.split(r"[;\n]", unicodedata.normalize("NFKC", text))
    return [line for line in (plain(line) for line in lines) if line] or [""]


def plain(text: str, longest: int = LONGEST) -> str:
    """What can be seen of a text, on one line, cut at `longest` characters."""
    seen = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text)
    kept = " ".join(seen.split())
    return kept if len(kept) <= longest else f"{kept[: longest - 1]}…"
