"""What a line of a reply asks for: one of a few words, or else an action, for the game to read."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from domain.game import Record

HOUR, DAY, WEEK = 3_600, 86_400, 604_800  # seconds
UNITS: Final = {"hour": HOUR, "hours": HOUR, "h": HOUR, "day": DAY, "days": DAY, "d": DAY, "week": WEEK, "weeks": WEEK, "w": WEEK}
PAUSE: Final = re.compile(r"(?:offer )?(?:vacation|pause|holiday|holidays)(?: (?:for )?(\d{1,4}) ?([a-z]{1,5}))?")
COMMENT: Final = re.compile(r"(please|pls|hi|hello|hey|dear)[ ,!]{1,3}")


class Show(Record, frozen=True):
    """To be shown something."""

    what: Literal["board", "legal", "history", "help"]


class Resigning(Record, frozen=True):
    """To leave the match; `sure` is who answers yes to being asked back."""

    sure: bool


class Undo(Record, frozen=True):
    """To take the turn just taken back, or to ask the others for it."""


class Proposing(Record, frozen=True):
    """To offer the end, a turn taken back, or a pause of so many seconds (None: it was not said how long)."""

    kind: Literal["end", "take-back", "pause"]
    seconds: int | None = None


class Answering(Record, frozen=True):
    """To answer what is offered: an invitation, an offer to all, or a trade on the board."""

    answer: Literal["accept", "decline"]


class Mailing(Record, frozen=True):
    """To get no more mails about this match, or about any; or to get them again."""

    on: bool
    everywhere: bool


class Again(Record, frozen=True):
    """A rematch."""


class Playing(Record, frozen=True):
    """Lines that are no word of ours, and so actions; `only_try` is who wants to know whether they could be played."""

    lines: tuple[str, ...]
    only_try: bool = False


Wish: TypeAlias = Show | Resigning | Undo | Proposing | Answering | Mailing | Again | Playing

WORDS: Final[dict[str, Wish]] = {
    **dict.fromkeys(("board", "show", "position", "show board", "show me the board", "status", "whose turn is it"), Show("board")),
    **dict.fromkeys(("legal", "moves", "actions", "legal moves", "legal actions", "what can i do", "what can i play"), Show("legal")),
    **dict.fromkeys(("history", "log"), Show("history")),
    **dict.fromkeys(("help", "help me", "?", "commands", "how", "rules", "how do i play", "how to play"), Show("help")),
    **dict.fromkeys(("resign", "i resign", "i give up", "give up"), Resigning(sure=False)),
    **dict.fromkeys(("resign yes", "yes resign", "resign, yes", "resign: yes"), Resigning(sure=True)),
    **dict.fromkeys(("undo", "take back", "takeback", "take it back", "undo my move", "undo that", "take that back"), Undo()),
    **dict.fromkeys(("accept", "i accept", "accepted", "accept offer", "agree", "i agree", "agreed"), Answering("accept")),
    **dict.fromkeys(("decline", "i decline", "declined", "decline offer"), Answering("decline")),
    **dict.fromkeys(("offer end", "offer draw", "offer a draw", "draw"), Proposing("end")),
    **dict.fromkeys(("offer take-back", "offer take back", "offer undo"), Proposing("take-back")),
    **dict.fromkeys(
        ("stop", "unsubscribe", "unsubscribe me", "stop mails", "stop sending me mail", "stop sending me mails", "no more mails"),
        Mailing(on=False, everywhere=False),
    ),
    **dict.fromkeys(("stop all", "unsubscribe all"), Mailing(on=False, everywhere=True)),
    **dict.fromkeys(("start", "subscribe"), Mailing(on=True, everywhere=False)),
    **dict.fromkeys(("start all", "subscribe all"), Mailing(on=True, everywhere=True)),
    **dict.fromkeys(("rematch", "again", "another game", "play again"), Again()),
}


def wish_of(lines: tuple[str, ...]) -> Wish:
    """What lines ask for. A word of ours counts where it is the first; everything else is for the game."""
    first = re.sub(r" {2,}", " ", lines[0].casefold()).strip()
    if first in WORDS:
        return WORDS[first]
    if (paused := PAUSE.fullmatch(first)) and (paused[1] is None or paused[2] in UNITS):
        return Proposing("pause", int(paused[1]) * UNITS[paused[2]] if paused[1] else None)
    if first == "check" or first.startswith(("check ", "check:")):
        rest = lines[0].strip()[5:].lstrip(": ").strip()
        return Playing(((rest,) if rest else ()) + lines[1:], only_try=True)
    return Playing(lines)
