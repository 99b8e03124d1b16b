"""Reading a line of Four Forges as people write it: any case, any dash, short words, slips of the key; what can be read in two ways is asked back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from domain.game import Unreadable
from domain.games.four_forges.forges import ANVILS, AT, COLOURS, OF, SEATS, AnvilName, Colour, Stones
from domain.games.four_forges.notation import write
from domain.games.four_forges.objections import one_of
from domain.games.four_forges.rules import actions
from domain.games.four_forges.state import (
    AcceptTrade,
    Action,
    Break,
    DeclareEnd,
    DeclineTrade,
    EndTurn,
    Forge,
    Mine,
    Move,
    OfferTrade,
    Smelt,
    State,
    amount,
)

LONGEST: Final = 120  # characters; no action takes half as many


def _short(*words: str, least: int = 1) -> str:
    """Any beginning of a word, with or without the `s` of the third person or the plural; the longest first."""
    begun = {word[:length] for word in words for length in range(least, len(word) + 1)} | {f"{word}s" for word in words}
    return f"(?:{'|'.join(sorted(begun, key=len, reverse=True))})"


_ANVIL: Final = r"([omla0] ?[1-4il|])"  # o and 0, and 1, i and l, are often taken for each other
_COLOUR: Final = f"({_short('black', 'blk', 'silver', 'grey', 'gray')})(?: stones?)?"
_THE: Final = r"(?:(?:an?|the|my|one|1) )?"
_WAY: Final = r" ?(?:[-=–—−]*[>→⇒]|[-–—−:]+|to|into?|x) ?| ?"
_ON: Final = r"[ :-]*(?:(?:at|on|to|for|from|in|into) )?(?:the )?(?:anvil )?"
_STONES: Final = r"(?:the )?(?:three )?(?:stones? )?"

_FROM_TO: Final = re.compile(rf"(?:m(?:oves?|v)? )?(?:from )?{_ANVIL}(?:{_WAY}){_ANVIL}(?:(?: with| :|[:,])? ?{_COLOUR})?")
_WITH_TO: Final = re.compile(rf"(?:m(?:oves?|v)? )?(?:from )?{_ANVIL}[ :,]*{_COLOUR}(?:{_WAY}){_ANVIL}")
_STONE_TO: Final = re.compile(rf"(?:m(?:oves?|v)? )?{_THE}{_COLOUR} (?:from )?{_ANVIL}(?:{_WAY}){_ANVIL}")
_WORK: Final = re.compile(rf"({_short('forge')}|{_short('smelt', least=2)}|{_short('mine', least=3)})(?![a-z]){_ON}{_STONES}{_ON}{_ANVIL}")
_WORKED: Final = re.compile(rf"{_ANVIL}[ :-]*({_short('forge')}|{_short('smelt', least=2)}|{_short('mine', least=3)})")
_BREAK: Final = re.compile(
    rf"{_short('break', least=2)}(?![a-z])[ :-]*(?:{_THE}{_COLOUR}{_ON})?{_ON}{_ANVIL}(?:[ :,-]*{_COLOUR})?|b {_ANVIL}[ :,-]*{_COLOUR}"
)
_TRADE: Final = re.compile(r"(?:(?:offer|trade|swap|exchange)s?\b[ :-]*(?:to )?)*")
_AGAINST: Final = re.compile(r" ?(?:\b(?:for|against|with)\b|<[-=]?>|[=↔⇄]) ?")
_GIVEN: Final = re.compile(rf"{_ANVIL}[ :,]*(.+)|(.+?),? ?(?:(?:from|on|of) ?)?{_ANVIL}")
_LOT: Final = re.compile(rf"(?:([0-9]{{1,9}}|an?|one|two|three|four|five|six|) ?){_COLOUR}(?: ?(?:,|and\b|[+&/]))? ?")

_DECLARE: Final = re.compile(r"declares?(?:[ -]?(?:the )?(?:end|(?:game |match )?over))?|ends?[ -](?:the )?(?:game|match)")
_END_TURN: Final = re.compile(r"ends?[ -]?(?:of )?(?:the |my )?turn|turn ends?|pass|done")
_ACCEPT: Final = re.compile(r"accept(?:s|ed)?(?:[ -](?:the )?(?:trade|offer))?")
_DECLINE: Final = re.compile(r"(?:decline|refuse|reject)(?:s|d|ed)?(?:[ -](?:the )?(?:trade|offer))?")
_YES: Final = re.compile(r"y|yes|ok|okay|agreed?")  # read where an offer waits, and nowhere else
_NO: Final = re.compile(r"n|no|nope")

_NAMED: Final = re.compile(rf"(?<![a-z])({'|'.join(SEATS)})(?:'s)?(?: anvil)?[ -]?([1-4])")
_ASIDE: Final = re.compile(r"[()\[\]\"'`“”„‘’«»]")  # marks around words; the rules never need them
_WORKS: Final[dict[str, type[Forge | Smelt | Mine]]] = {"f": Forge, "s": Smelt, "m": Mine}
_NUMBERS: Final = {said: number for number, said in enumerate(("one", "two", "three", "four", "five", "six"), start=1)} | {"": 1, "a": 1, "an": 1}

_TWO_WAYS: Final = re.compile(rf"([bsm]) ?{_ANVIL}")
_PATH: Final = re.compile(rf"(?:m(?:oves?|v)? )?(?:from )?{_ANVIL}(?:(?:{_WAY}){_ANVIL})(?:(?:{_WAY}){_ANVIL})+(?:[ :,]*{_COLOUR})?")
_SEVERAL: Final = re.compile(r" ?(?:, ?(?:and |then )?| and (?:then )?| then |\+) ?")
_UNKNOWN: Final = re.compile(r"\b([a-z]) ?([0-9])\b")


def read(s: State, line: str) -> Action:
    """The action of a line. A stone's colour may be left out where only one lies there. Raises Unreadable."""
    said = _plain(line)
    action = _understood(s, said) if len(said) <= LONGEST else None
    if action is None:
        raise Unreadable(_hint(s, said) or f"“{' '.join(line.split())[:40]}” is no action of Four Forges")
    return action


def _plain(line: str) -> str:
    """Small letters with single blanks; forges called by their letters, no marks around or behind."""
    said = _ASIDE.sub("", _NAMED.sub(lambda named: named[1][0] + named[2], unicodedata.normalize("NFKC", line).casefold()))
    return " ".join(said.split()).rstrip(" .!,")


def _understood(s: State, said: str) -> Action | None:
    return _moving(s, said) or _working(said) or _breaking(s, said) or _trading(said) or _saying(s, said)


def _moving(s: State, said: str) -> Move | None:
    if move := _FROM_TO.fullmatch(said):
        start, to, colour = move.groups()
    elif move := _WITH_TO.fullmatch(said):
        start, colour, to = move.groups()
    elif move := _STONE_TO.fullmatch(said):
        colour, start, to = move.groups()
    else:
        return None
    return Move(_anvil(start), _anvil(to), _colour(s, colour, start, f"{_anvil(start)}>{_anvil(to)} {{}}"))


def _working(said: str) -> Forge | Smelt | Mine | None:
    if work := _WORK.fullmatch(said):
        return _WORKS[work[1][0]](_anvil(work[2]))
    if work := _WORKED.fullmatch(said):
        return _WORKS[work[2][0]](_anvil(work[1]))
    return None


def _breaking(s: State, said: str) -> Break | None:
    broken = _BREAK.fullmatch(said)
    if broken is None or (broken[1] and broken[3]):
        return None
    anvil, colour = (broken[2], broken[1] or broken[3]) if broken[2] else (broken[4], broken[5])
    return Break(_anvil(anvil), _colour(s, colour, anvil, f"break {_anvil(anvil)} {{}}"))


def _trading(said: str) -> OfferTrade | None:
    opened = _TRADE.match(said)
    assert opened is not None
    sides = _AGAINST.split(said[opened.end() :], maxsplit=1)
    gives, takes = map(_side, sides) if len(sides) == 2 else (None, None)
    return OfferTrade(gives[0], amount(gives[1]), takes[0], amount(takes[1])) if gives and takes else None


def _side(said: str) -> tuple[AnvilName, Stones] | None:
    """An anvil, and what is traded there."""
    parts = _GIVEN.fullmatch(said)
    stones = counts(parts[2] or parts[3]) if parts else None
    return None if parts is None or stones is None else (_anvil(parts[1] or parts[4]), stones)


def _saying(s: State, said: str) -> Action | None:
    if _DECLARE.fullmatch(said):
        return DeclareEnd()
    if _END_TURN.fullmatch(said):
        return EndTurn()
    if _ACCEPT.fullmatch(said) or (s.trade and _YES.fullmatch(said)):
        return AcceptTrade()
    if _DECLINE.fullmatch(said) or (s.trade and _NO.fullmatch(said)):
        return DeclineTrade()
    return None


def counts(said: str) -> Stones | None:
    """The stones of an amount (`2b1g`, in any order; `-` for none); None where it is none. Raises Unreadable where a colour stands twice."""
    if said == "-":
        return 0, 0, 0
    of, at = dict[str, int](), 0
    while at < len(said):
        lot = _LOT.match(said, at)
        if lot is None:
            return None
        colour = _STARTING[lot[2][0]]
        if colour in of:
            raise Unreadable(f"{colour} stands twice in “{said}”: name each colour once, as in “2b1g”")
        of[colour], at = _NUMBERS.get(lot[1]) or int(lot[1]), lot.end()
    return of.get("black", 0), of.get("silver", 0), of.get("grey", 0)


_STARTING: Final[dict[str, Colour]] = {colour[0]: colour for colour in COLOURS}


def _anvil(said: str) -> AnvilName:
    forge, number = said[0].replace("0", "o"), said[-1]
    return ANVILS[AT[forge.upper() + (number if number.isdigit() else "1")]]


def _colour(s: State, said: str | None, anvil: str, line: str) -> Colour:
    """The colour that was said, or the only one there is."""
    if said:
        return _STARTING[said[0]]
    there = [colour for colour in COLOURS if s.anvils[AT[_anvil(anvil)]][OF[colour]]]
    if len(there) == 1:
        return there[0]
    if not there:
        raise Unreadable(f"no stone lies on {_anvil(anvil)}")
    raise Unreadable(f"say which stone you mean: {one_of(f'“{line.format(colour)}”' for colour in there)}")


# What could not be read


def _hint(s: State, said: str) -> str | None:
    """What is wrong with a line that was nearly one."""
    if said == "end":
        return _two_ways(said, [action for action in actions(s) if isinstance(action, DeclareEnd | EndTurn)])
    if two := _TWO_WAYS.fullmatch(said):
        anvil, work = _anvil(two[2]), {"b": Break, "s": Smelt, "m": Mine}[two[1]]
        works = [action for action in actions(s) if isinstance(action, work) and action.anvil == anvil]
        moves = [action for action in actions(s) if isinstance(action, Move) and action.from_ == anvil]
        return _two_ways(said, [*works, *moves[:1]])
    if _PATH.fullmatch(said):
        return f"a stone goes one step an action: write {_steps(said)}"
    parts = _SEVERAL.split(said) if len(said) <= LONGEST else []
    if len(parts) > 1 and (lines := _lines(s, parts)):
        return f"several actions have “;” between them: write “{'; '.join(lines)}”"
    if counted := re.fullmatch(rf"(.*?) ?\b([2-9]|two|three|four) ?({_COLOUR}.*)", said):
        one = _lines(s, [f"{counted[1]} {counted[3]}".strip()])
        if one and "trade" not in one[0]:
            return f"one stone is moved or broken an action: write “{one[0]}; {one[0]}” for two"
    unknown = next((f"{forge}{number}".upper() for forge, number in _UNKNOWN.findall(said) if f"{forge}{number}".upper() not in AT), None)
    if unknown and unknown[0] not in "BSG":
        return f"there is no anvil {unknown}: there are O1 to O4, M1 to M4, L1 to L4 and A1 to A4"
    return None


def _two_ways(said: str, possible: Sequence[Action]) -> str:
    """Of what it may mean only what can be done."""
    meant = f": write {one_of([f'“{write(action)}”' for action in possible])}" if possible else ", neither of which can be done now"
    return f"“{said}” can be read in two ways{meant}"


def _steps(said: str) -> str:
    """`“O2>O1 grey; O1>M1 grey”`."""
    path = [_anvil(anvil) for anvil in re.findall(_ANVIL, said)]
    colour = re.search(rf"[ :,]{_COLOUR}$", said)
    with_it = f" {_STARTING[colour[1][0]]}" if colour else ""
    return "“" + "; ".join(f"{start}>{to}{with_it}" for start, to in pairwise(path)) + "”"


def _lines(s: State, parts: list[str]) -> list[str]:
    """The parts as they are written; nothing where one cannot be read."""
    try:
        actions = [_understood(s, part) for part in parts]
    except Unreadable:
        return []
    return [write(action) for action in actions if action] if all(actions) else []
