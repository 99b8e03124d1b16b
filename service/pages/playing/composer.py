"""The composer: what a seat can do now, as choices to tick or, where they are many, word by word."""

from __future__ import annotations

from itertools import islice

from domain.game import Record, Seat
from domain.match.match import Match
from domain.words import next_words

LONG = 60  # choices; more than that are found word by word
LONG_TO_LINK = 40  # a link names its choice only in lists up to this long
MOST_WORDS = 240  # next words shown at once; more than that are said part by part (`10.9.`), or written
MOST_SORTED = 20_000  # words that are gone through for their parts


class Choice(Record, frozen=True):
    """A legal action as its line of text."""

    line: str
    chosen: bool


class Group(Record, frozen=True):
    """Choices that begin with the same word; `name` is empty where nothing is gained by grouping."""

    name: str
    choices: tuple[Choice, ...]


class Step(Record, frozen=True):
    """A word that may come next: the line with it, and whether that is a whole action."""

    word: str
    line: str
    complete: bool


class Composer(Record, frozen=True):
    """Either `groups` of all choices, or the `steps` that go on from the words `said` so far; `chosen` is the line ticked, if one is."""

    groups: tuple[Group, ...] = ()
    said: str = ""
    steps: tuple[Step, ...] = ()
    complete: bool = False  # `said` is a whole action
    cut: bool = False  # there are more words than are shown
    chosen: str = ""


def compose(match: Match, seat: Seat, said: str = "", chosen: str = "") -> Composer:
    """What the seat, which is awaited, may do; never runs through a long list."""
    game, state = match.game, match.state
    lines = [game.write(action) for action in islice(game.legal(state, seat), LONG + 1)]
    if len(lines) > LONG:
        return _by_words(match, seat, said)
    chosen = chosen if chosen in lines else lines[0] if len(lines) == 1 else ""
    return Composer(groups=_grouped(lines, chosen), chosen=chosen)


def linked(match: Match, seat: Seat, choice: int) -> str:
    """The line behind a link's choice (1 + its place in the list of legal actions); empty where there is none of that number."""
    if not 0 < choice <= LONG_TO_LINK:
        return ""
    actions = list(islice(match.game.legal(match.state, seat), LONG_TO_LINK + 1))
    return match.game.write(actions[choice - 1]) if choice <= len(actions) <= LONG_TO_LINK else ""


def _grouped(lines: list[str], chosen: str) -> tuple[Group, ...]:
    """By first words, if these make at least two groups and bring together at least two choices each on average."""
    groups: dict[str, list[Choice]] = {}
    for line in lines:
        groups.setdefault(line.split(" ", 1)[0].rstrip(","), []).append(Choice(line, line == chosen))
    if 1 < len(groups) <= len(lines) // 2:
        return tuple(Group(name, tuple(choices)) for name, choices in groups.items())
    return (Group("", tuple(Choice(line, line == chosen) for line in lines)),)


def _by_words(match: Match, seat: Seat, said: str) -> Composer:
    *words, last = ["", *said.split()]
    begun = last if last.endswith(".") else ""  # a word of which only the first parts are said
    whole = [*words, *([] if begun else [last])][1:]
    follow = (step for step in next_words(match.game, match.state, seat, tuple(whole)) if step[0].startswith(begun))
    found = list(islice(follow, MOST_WORDS + 1))
    if len(found) > MOST_WORDS:
        found = _parts([*found, *islice(follow, MOST_SORTED)], begun)
    head, line = " ".join(whole), " ".join(said.split())
    steps = tuple(Step(word, f"{head} {word}".strip(), complete) for word, complete in found[:MOST_WORDS])
    return Composer(said=line, steps=steps, complete=not begun and _whole(match, seat, line), cut=len(found) > MOST_WORDS)


def _parts(words: list[tuple[str, bool]], begun: str) -> list[tuple[str, bool]]:
    """The words up to the next point after what is said of them already; those without one as they are."""
    found: dict[str, bool] = {}
    for word, complete in words:
        end = word.find(".", len(begun)) + 1
        found.setdefault(word[:end] if end else word, complete and not end)
    return list(found.items())


def _whole(match: Match, seat: Seat, line: str) -> bool:
    """Whether the words said are an action that may be played as it stands."""
    if not line:
        return False
    try:
        action = match.game.read(match.state, line)
    except ValueError:
        return False
    return match.game.objection(match.state, seat, action) is None
