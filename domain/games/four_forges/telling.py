"""A position in words: what is going on, the board in letters that are all of one width, and what lies where as lists."""

from __future__ import annotations

from typing import Final

from domain.games.four_forges.forges import ANVILS, FORGEABLE, FORGES, NONE, SEATS, SMELTABLE, compact
from domain.games.four_forges.objections import one_of
from domain.games.four_forges.rules import chance_due
from domain.games.four_forges.state import State, Trade, offers_left, on_board

# Full-width forms are as wide as each other in every font that has them, proportional ones included.
_WIDE: Final = {ord(narrow): ord(narrow) + 0xFEE0 for narrow in "0123456789bsgOMLA"} | {ord(" "): 0x3000, ord("."): 0x30FB}

_ENDS: Final = {
    "forge-empty": "its forge is empty",
    "no-legal-action": "its forge and the mine are empty",
    "declared": "it declared the end",
}


def headline(s: State) -> tuple[str, str]:
    """How far the match is, and what happens now."""
    if s.reason:
        return f"Over in round {s.round}", _leading(s)
    if s.dealt < len(SEATS):
        return "Before the first round", "the stones are being dealt"
    rounds = f"Round {s.round}" if s.options.max_rounds is None else f"Round {s.round} of {s.options.max_rounds}"
    return rounds, _doing(s)


def text(s: State) -> str:
    """The board for a mail, then the position as lists."""
    title, doing = headline(s)
    return "\n".join([f"{title}: {doing}.", *_why(s), "", *_board(s), "", *_forges(s), "", *_rest(s), *_now(s)])


def offered(trade: Trade) -> str:
    """`L4 2b1g for O3 1s`."""
    return f"{ANVILS[trade.from_]} {compact(trade.give)} for {ANVILS[trade.to]} {compact(trade.take)}"


def _doing(s: State) -> str:
    seat = SEATS[s.turn]
    if s.digging is not None:
        return f"stones for {ANVILS[s.digging]} are coming from the mine"
    if s.trade:
        return f"{SEATS[s.trade.partner]} answers {seat}'s offer"
    if not s.actions_left:
        return f"{seat} declares the end or ends its turn"
    if s.actions_left == s.options.actions_per_turn:
        return f"{seat} takes {s.actions_left} actions" + (" or offers a trade" if offers_left(s) else "")
    return f"{seat} takes {_counted(s.actions_left, 'more action')}"


def _leading(s: State) -> str:
    """Who has won; seats that have left rank below all others, whatever is in their chests."""
    scores = {SEATS[place]: sum(chest) for place, chest in enumerate(s.chests) if place not in s.vacated}
    most = max(scores.values(), default=0)
    leaders = [seat for seat, score in scores.items() if score == most]
    if not leaders:
        return "everybody has left"
    if len(leaders) == 1:
        return f"{leaders[0]} wins with {_counted(most, 'stone')}"
    return f"{', '.join(leaders[:-1])} and {leaders[-1]} tie with {_counted(most, 'stone')} each"


def _why(s: State) -> list[str]:
    """Why it is over."""
    if s.reason is None:
        return []
    if s.reason in _ENDS:
        return [f"It ended in {SEATS[s.turn]}'s turn: {_ENDS[s.reason]}."]
    rounds = _counted(s.round, "round")
    if s.reason not in ("no-progress", "round-limit"):
        return [f"It was ended as it stands, {'by agreement' if s.reason == 'agreement' else 'since the others have left'}."]
    without = f"; in {s.idle} in a row no stone left the board" + (" and none came from the mine" if s.mine is not None else "")
    return [f"It ended after {rounds}{without if s.reason == 'no-progress' else ', as had been agreed'}."]


def _board(s: State) -> list[str]:
    lies = [compact(stones) if stones != NONE else "." for stones in s.anvils]
    width = max(map(len, lies)) + 1

    def line(edge: str, cells: list[str]) -> str:
        return f"{edge} {''.join(cell.ljust(width) for cell in cells)}".rstrip().translate(_WIDE)

    return [line(" ", list("1234")), *(line(ANVILS[forge[0]][0], [lies[at] for at in forge]) for forge in FORGES)]


def _forges(s: State) -> list[str]:
    return [_forge(s, place) for place in range(len(SEATS))]


def _forge(s: State, place: int) -> str:
    chest = s.chests[place]
    name = SEATS[place].capitalize() + (" (left)" if place in s.vacated else "")
    kept = _counted(sum(chest), "stone") + (f" ({compact(chest)})" if any(chest) else "")
    return f"{name}: {', '.join(f'{ANVILS[at]} {compact(s.anvils[at])}' for at in FORGES[place])}; in the chest {kept}"


def _rest(s: State) -> list[str]:
    lists = [f"Broken, in the bag: {_all_of(sum(s.bag), compact(s.bag))}"]
    if s.mine is not None:
        lists.append(f"Left in the mine: {_all_of(sum(s.mine), compact(s.mine))}")
    limit = s.options.no_progress_rounds
    if s.idle and limit is not None and s.reason is None:
        lists.append(f"Without progress: {_counted(s.idle, 'round')} of {limit}")
    return lists


def _now(s: State) -> list[str]:
    """What can be done, without listing every move."""
    if s.reason or chance_due(s):
        return []
    seat = SEATS[s.turn]
    if s.trade:
        return [f"Now {SEATS[s.trade.partner]}: accept or decline {seat}'s offer of {offered(s.trade)}"]
    return [f"Now {seat}: {one_of(_ways(s))}"]


def _ways(s: State) -> list[str]:
    forge, ways = FORGES[s.turn], []
    if s.actions_left:
        ways += [f"forge {ANVILS[at]}" for at in forge if s.anvils[at] in FORGEABLE]
        ways += [f"smelt {ANVILS[at]}" for at in forge if s.anvils[at] == SMELTABLE]
        if any(on_board(s, s.turn)):
            ways.append(f"move or break a stone on {one_of(ANVILS[at] for at in forge if s.anvils[at] != NONE)}")
        if s.mine not in (None, NONE):
            ways += [f"mine {ANVILS[at]}" for at in forge if s.anvils[at] == NONE]
    if s.mine is not None and not any(on_board(s, s.turn)):
        ways += ["declare end"] + ["end turn"] * (not s.actions_left)
    if left := offers_left(s):
        ways.append(f"trade ({_counted(left, 'offer')} left)")
    return ways


def _counted(count: int, what: str) -> str:
    """`1 stone`, `4 stones`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _all_of(count: int, stones: str) -> str:
    return f"{_counted(count, 'stone')} ({stones})" if count else "no stone"
