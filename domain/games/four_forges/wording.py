"""A line word by word: what may come next, without listing the trades."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Seat
from domain.games.four_forges.forges import ANVILS, compact
from domain.games.four_forges.notation import write
from domain.games.four_forges.rules import actions, awaited, legal
from domain.games.four_forges.state import Action, State
from domain.games.four_forges.trading import givers, portions, takers


def words(s: State, seat: Seat, said: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """The words that may follow `said`, in the order of the legal actions, and whether the line may end there. Case does not matter."""
    if seat not in awaited(s):
        return
    said = tuple(word.casefold() for word in said)
    if s.trade:
        yield from _following(legal(s, seat), said)
        return
    yield from _following(actions(s), said)
    if said[:1] == ("trade",):
        yield from _trade(s, said[1:])
    elif not said and givers(s):
        yield "trade", False


def _following(possible: Iterable[Action], said: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """No line of these actions is the beginning of another one."""
    lines = [write(action).split() for action in possible]
    following = [line[len(said) :] for line in lines if tuple(word.casefold() for word in line[: len(said)]) == said]
    yield from {rest[0]: len(rest) == 1 for rest in following if rest}.items()


def _trade(s: State, said: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """After `trade`: an anvil, stones, `for`, an anvil, stones."""
    starts = {ANVILS[at].casefold(): at for at in givers(s)}
    if not said:
        yield from ((ANVILS[at], False) for at in starts.values())
        return
    start = starts.get(said[0])
    gives = {} if start is None else {compact(give): give for give in portions(s.anvils[start]) if takers(s, give)}
    if len(said) == 1:
        yield from ((give, False) for give in gives)
        return
    give = gives.get(said[1])
    if give is None or said[2:3] not in ((), ("for",)):
        return
    ends = {ANVILS[at].casefold(): at for at in takers(s, give)}
    if len(said) == 2:
        yield "for", False
    elif len(said) == 3:
        yield from ((ANVILS[at], False) for at in ends.values())
    elif len(said) == 4 and said[3] in ends:
        yield from ((compact(take), True) for take in portions(s.anvils[ends[said[3]]]) if take != give)
