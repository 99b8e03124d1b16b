"""Four Forges in one line of text: `O2>O1 grey`, `smelt O1`, `trade L4 2b1g for O3 1s`, `* mine O3 1b3s2g`."""

from __future__ import annotations

import re
from typing import Final, assert_never

from domain.game import Unreadable
from domain.games.four_forges.forges import ANVILS, AT, COLOURS, AnvilName, Colour, Stones, compact
from domain.games.four_forges.state import (
    AcceptTrade,
    Action,
    Break,
    Deal,
    DeclareEnd,
    DeclineTrade,
    EndTurn,
    Forge,
    Mine,
    Move,
    OfferTrade,
    Outcome,
    Smelt,
    State,
    amount,
)

_ANVIL: Final = r"([omla] ?[1-4])"
_COLOUR: Final = r"(b|s|g|blacks?|silvers?|gr[ea]ys?)(?: stones?)?"
_WAY: Final = r" ?(?:[-=–—−]*[>→⇒]|[-–—−:]+|to|x|) ?"
_STEP: Final = _ANVIL + _WAY + _ANVIL
_FROM_TO: Final = re.compile(rf"(?:moves? )?(?:from )?{_STEP}(?:(?: with| :|[:,])? ?{_COLOUR})?")
_STONE_FROM_TO: Final = re.compile(rf"(?:moves? )?(?:(?:a|1|one) )?{_COLOUR} (?:from )?{_STEP}")
_WORK: Final = re.compile(rf"(forge|smelt|mine)s?[ :-]*(?:at |on |to )?{_ANVIL}")
_BREAK: Final = re.compile(rf"breaks?[ :-]*(?:(?:a|1|one) )?(?:{_COLOUR} )?(?:at |on |from )?{_ANVIL}(?:[ :,-]*{_COLOUR})?")
_STONES: Final = rf"(-|(?:[0-9]{{1,4}} ?{_COLOUR}(?:,| and|[+&])? ?)+)"
_TRADE: Final = re.compile(rf"(?:offers?[ -])?trades?[ :-]*{_ANVIL}[ :,]*{_STONES} ?(?:for|against|=|<->|<>|↔) ?{_ANVIL}[ :,]*{_STONES}")
_COUNT: Final = re.compile(r"([0-9]+) ?([bsg])")
_SAYINGS: Final[tuple[tuple[re.Pattern[str], Action], ...]] = (
    (re.compile(r"declares?[ -](?:the )?end"), DeclareEnd()),
    (re.compile(r"ends?[ -](?:the |my )?turn"), EndTurn()),
    (re.compile(r"accepts?(?:[ -](?:the )?(?:trade|offer))?"), AcceptTrade()),
    (re.compile(r"declines?(?:[ -](?:the )?(?:trade|offer))?"), DeclineTrade()),
)
_WORKS: Final[dict[str, type[Forge | Smelt | Mine]]] = {"forge": Forge, "smelt": Smelt, "mine": Mine}
_STARTING: Final[dict[str, Colour]] = {colour[0]: colour for colour in COLOURS}


def write(action: Action) -> str:
    """The canonical line."""
    match action:
        case Move(start, to, stone):
            return f"{start}>{to} {stone}"
        case Forge(anvil):
            return f"forge {anvil}"
        case Smelt(anvil):
            return f"smelt {anvil}"
        case Break(anvil, stone):
            return f"break {anvil} {stone}"
        case Mine(anvil):
            return f"mine {anvil}"
        case DeclareEnd():
            return "declare end"
        case EndTurn():
            return "end turn"
        case OfferTrade(start, give, to, take):
            return f"trade {start} {compact(give.stones)} for {to} {compact(take.stones)}"
        case AcceptTrade():
            return "accept"
        case DeclineTrade():
            return "decline"
        case _:
            assert_never(action)


def read(s: State, line: str) -> Action:
    """The action of a line. A stone's colour may be left out where only one lies there."""
    said = " ".join(line.casefold().split())
    action = _moving(s, said) or _working(s, said) or _trading(said)
    if action is None:
        action = next((meant for saying, meant in _SAYINGS if saying.fullmatch(said)), None)
    if action is None:
        raise Unreadable(f"“{' '.join(line.split())[:40]}” is no action of Four Forges; {_writable(s)}")
    return action


def counts(said: str) -> Stones | None:
    """The stones of an amount (`2b1g`, in any order); None where a colour is said twice."""
    found = _COUNT.findall(said)
    of = {colour: int(count) for count, colour in found}
    return (of.get("b", 0), of.get("s", 0), of.get("g", 0)) if len(of) == len(found) else None


def tell(outcome: Outcome) -> str:
    """What was drawn."""
    if isinstance(outcome, Deal):
        return f"* deal {outcome.seat} " + " ".join(f"{anvil} {compact(dealt.stones)}" for anvil, dealt in outcome.anvils.items())
    return f"* mine {outcome.anvil} {compact(outcome.stones.stones)}"


def _moving(s: State, said: str) -> Move | None:
    if move := _FROM_TO.fullmatch(said):
        start, to, colour = move.groups()
    elif move := _STONE_FROM_TO.fullmatch(said):
        colour, start, to = move.groups()
    else:
        return None
    return Move(_anvil(start), _anvil(to), _colour(s, colour, start, f"{_anvil(start)}>{_anvil(to)} {{}}"))


def _working(s: State, said: str) -> Action | None:
    if work := _WORK.fullmatch(said):
        return _WORKS[work[1]](_anvil(work[2]))
    if broken := _BREAK.fullmatch(said):
        before, anvil, after = broken.groups()
        if not (before and after):
            return Break(_anvil(anvil), _colour(s, before or after, anvil, f"break {_anvil(anvil)} {{}}"))
    return None


def _trading(said: str) -> OfferTrade | None:
    if trade := _TRADE.fullmatch(said):
        start, give, _, to, take, _ = trade.groups()
        given, taken = counts(give), counts(take)
        if given is not None and taken is not None:
            return OfferTrade(_anvil(start), amount(given), _anvil(to), amount(taken))
    return None


def _anvil(said: str) -> AnvilName:
    return ANVILS[AT[said.replace(" ", "").upper()]]


def _colour(s: State, said: str | None, anvil: str, line: str) -> Colour:
    """The colour that was said, or the only one there is."""
    if said:
        return _STARTING[said[0]]
    there = [colour for colour, count in zip(COLOURS, s.anvils[AT[_anvil(anvil)]], strict=True) if count]
    if len(there) == 1:
        return there[0]
    lines = ", ".join(f"“{line.format(colour)}”" for colour in there or COLOURS)
    raise Unreadable(f"say which stone you mean: {lines}")


def _writable(s: State) -> str:
    """What could be written now."""
    if s.trade:
        return "write “accept” or “decline”"
    said = ["“O2>O1 grey” to move", "“break A4 black”", "“forge O2”", "“smelt O1”"]
    said += ["“mine O3”", "“declare end”", "“end turn”"] if s.options.mining else []
    said += ["“trade L4 2b1g for O3 1s”"] if s.options.trading else []
    return f"write {', '.join(said[:-1])} or {said[-1]}"
