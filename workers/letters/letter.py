"""What a mail says, as values that a template can only print: a letter is the text's facts, without its look."""

from __future__ import annotations

from domain.game import Record, Seat


class Place(Record, frozen=True, kw_only=True):
    """One seat in a list of all: who sits there, and how it is ranked where that is known."""

    seat: str
    who: str
    colour: str
    yours: bool
    left: bool
    rank: int | None = None
    score: int | None = None


class Choice(Record, frozen=True):
    """A legal action, and the link that chooses it."""

    text: str
    url: str


class News(Record, frozen=True):
    """Something that happened: which seat did it (or ""), with who sits there, and what."""

    seat: Seat
    who: str
    words: str


class Passage(Record, frozen=True):
    """A paragraph of the position as text; `drawn` ones are pictures made of letters and need letters of one width."""

    text: str
    drawn: bool


class Letter(Record, frozen=True, kw_only=True):
    """What every mail about a match says. Names and titles are other people's text."""

    to: str  # the reader's name
    headline: str
    game: str  # its title
    match: str
    seat: Seat | None  # whose eyes the board is seen with
    places: tuple[Place, ...]
    colours: dict[Seat, str]
    url: str  # the one link that matters
    guide: str  # how to play, as a link
    version: int
    head: str  # the chain's head, hex
    board: str  # the position as text, for any font; empty before there is one
    passages: tuple[Passage, ...]  # the same for a font that we choose
    waits: str = ""  # whom the match waits for, and until when; empty where nobody is asked
    settings: str = ""  # where one says how much mail comes and finds the calendar, as a link
    unsubscribe: str = ""  # where mails are stopped, as a link
    ending: str = ""  # where the reader offers to end the match or leaves it, as a link; empty where that is not to be said


class Told(Letter, frozen=True, kw_only=True):
    """A mail that also says what has happened, the newest last; `earlier` lines were left out."""

    news: tuple[News, ...]
    earlier: int
    history: str  # all of it, as a link
    brief: str  # the same, as short as the other links


class Turn(Told, frozen=True, kw_only=True):
    """Somebody is asked: by when, what if not, and what can be done."""

    first: bool  # is there no earlier turn to tell the news since?
    deadline: str
    left: str  # how long it is until then
    idle: str  # what happens if nothing is done
    example: str  # an action as it could be written back
    choices: tuple[Choice, ...]


class Over(Told, frozen=True, kw_only=True):
    """The end: why, and the places by rank."""

    reason: str
    scored: bool
    verify: str  # where a history is checked, as a link


class Offered(Letter, frozen=True, kw_only=True):
    """Somebody offers something that all must agree to; the places are ranked as it would end now."""

    by: str
    what: str  # `to end the match as it stands`
    ends: bool  # whether the match would end with it
    scored: bool


class TurnedDown(Letter, frozen=True, kw_only=True):
    """Somebody does not want the seat that was kept for them."""

    by: str


class Unreached(Letter, frozen=True, kw_only=True):
    """Mails to somebody else in the match have come back."""

    about: str


class Invited(Letter, frozen=True, kw_only=True):
    """A seat is kept for the reader."""

    by: str
    pace: str  # how long a turn may take
    terms: tuple[str, ...]  # options that are not as usual


class Answered(Letter, frozen=True, kw_only=True):
    """The answer to a mail: what was done or why not, and a list (of actions, say) under its title."""

    words: tuple[str, ...]
    listed: str
    lines: tuple[str, ...]
    onward: str  # what the link is for
