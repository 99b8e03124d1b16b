"""The start form: what somebody wants to play, read from the fields as they were filled in, with every complaint beside its field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from domain.bots import kinds
from domain.game import Game, Record
from domain.games import GAMES
from infra.people.spelling import Misspelled, address, same_box, spelled
from service.pages.frame import sentence
from service.pages.options import Field, Unfit, fields, value

UNITS = {"minutes": 60, "hours": 3_600, "days": 86_400}
LONGEST = 365 * 86_400  # seconds for a turn
UNDO = Field("undo_seconds", "", "", "number", "60", least=0, most=86_400)
EVERYDAY = {
    "name": "",
    "address": "",
    "invited": "",
    "others": "bot:random",
    "mine": "1",
    "pace": "3",
    "unit": "days",
    "undo_seconds": UNDO.default,
    "seating": "random",
    "auto_forced": "yes",
    "visibility": "",
    "entropy": "",
}


class Wish(Record, frozen=True):
    """What is to be started; addresses in the form in which mail is sent to them. `bot` takes the seats left over."""

    name: str
    address: str
    game: str
    seats: int
    mine: int
    invited: tuple[str, ...]
    bot: str
    options: dict[str, Any]
    settings: dict[str, Any]
    entropy: str


class Form:
    """The fields as they stand, and what is wrong with them; `wish` is None as long as anything is."""

    def __init__(self, said: Mapping[str, str]) -> None:
        self.said = said
        self.wrong: dict[str, str] = {}
        self.wish: Wish | None = None

    def value(self, name: str, default: str) -> str:
        """What stands in a field: what was typed, or what one usually wants."""
        return self.said.get(name, default)


def blank(game: str) -> Form:
    """The form before anybody has written anything."""
    seats = {f"{each.id}.seats": str(each.sizes[-1]) for each in GAMES.values()}
    options = {f"{each.id}.{field.name}": field.default for each in GAMES.values() for field in fields(each)}
    return Form({**EVERYDAY, **seats, **options, "game": game})


def read(said: Mapping[str, str], box: Callable[[str], str] = address) -> Form:
    """A form that was sent; `box` is how addresses are read. An unticked box says nothing at all, so what is missing counts as empty."""
    form = Form(said)
    name = _told(form, "name", lambda: spelled(said.get("name", "")), "")
    mail = _told(form, "address", lambda: box(said.get("address", "")), "")
    game = GAMES.get(said.get("game", ""))
    if game is None:
        form.wrong["game"] = f"Choose one of the games: {', '.join(sorted(each.title for each in GAMES.values()))}."
        return form
    seats = _told(form, f"{game.id}.seats", lambda: _seats(game, said.get(f"{game.id}.seats", str(game.sizes[-1]))), game.sizes[-1])
    mine = _told(form, "mine", lambda: _mine(game, seats, said.get("mine", "1")), 1)
    invited = _invited(form, mail, seats - mine, box)
    bot = _told(form, "others", lambda: _others(game, said.get("others", "")), "random")
    options = {field.name: _option(form, game, field) for field in fields(game)}
    settings = _settings(form)
    entropy = _told(form, "entropy", lambda: pinch(said.get("entropy", "")), "")
    if not form.wrong:
        form.wish = Wish(name, mail, game.id, seats, mine, invited, bot, options, settings, entropy)
    return form


def fingerprint(wish: Wish) -> str:
    """Tells one wish from another, however its fields were spelled."""
    return sha256(repr(wish).encode()).hexdigest()[:32]


def _told(form: Form, name: str, reading: Any, otherwise: Any) -> Any:
    """What a field says, or the complaint about it beside it and something to go on with."""
    try:
        return reading()
    except (Misspelled, Unfit) as wrong:
        form.wrong[name] = sentence(str(wrong), form.said.get(name, "").strip())
        return otherwise


def _seats(game: Game[Any, Any, Any], said: str) -> int:
    if said not in map(str, game.sizes):
        raise Unfit(f"{game.title} is for {game.sizes_said} seats")
    return int(said)


def _mine(game: Game[Any, Any, Any], seats: int, said: str) -> int:
    most = seats - 1 if game.shareable else 1
    if not said.isascii() or not said.isdigit() or not 1 <= int(said[:3]) <= most:
        raise Unfit(f"choose from 1 to {most} seats for yourself" if most > 1 else f"in {game.title} every player has one seat")
    return int(said)


def _invited(form: Form, mine: str, room: int, box: Callable[[str], str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for line in form.said.get("invited", "").splitlines():
        if not line.strip():
            continue
        try:
            mail = box(line)
        except Misspelled as wrong:
            form.wrong["invited"] = sentence(str(wrong), line.strip())
            continue
        if mine and same_box(mail) == same_box(mine):
            form.wrong["invited"] = f"{mail} is your own address: invite the others only."
        found.setdefault(same_box(mail), mail)
    if len(found) > room and "invited" not in form.wrong:
        form.wrong["invited"] = f"There is room for {room} others, and these are {len(found)} addresses."
    return tuple(found.values())


def _others(game: Game[Any, Any, Any], said: str) -> str:
    if said.removeprefix("bot:") not in kinds(game) or not said.startswith("bot:"):
        raise Unfit(f"{game.title} has the house bots {', '.join(kinds(game))}")
    return said.removeprefix("bot:")


def _option(form: Form, game: Game[Any, Any, Any], field: Field) -> Any:
    name = f"{game.id}.{field.name}"
    return _told(form, name, lambda: value(field, form.said.get(name, "")), None)


def _settings(form: Form) -> dict[str, Any]:
    said = form.said
    seconds = _told(form, "pace", lambda: _pace(said.get("pace", ""), said.get("unit", "")), 0)
    return {
        "clock": {"kind": "per-turn", "seconds": seconds},
        "undo_seconds": _told(form, "undo_seconds", lambda: value(UNDO, said.get("undo_seconds", "")), 0),
        "auto_forced": bool(said.get("auto_forced")),
        "seating": "joined" if said.get("seating") == "joined" else "random",
        "visibility": "public" if said.get("visibility") else "private",
    }


def _pace(said: str, unit: str) -> int:
    if unit not in UNITS:
        raise Unfit(f"choose {', '.join(UNITS)}")
    if not said.isascii() or not said.isdigit() or len(said) > 9 or not 60 <= int(said) * UNITS[unit] <= LONGEST:
        raise Unfit("a turn can have from 1 minute to 365 days, in whole numbers")
    return int(said) * UNITS[unit]


def pinch(said: str) -> str:
    """Chance of a player's own, as it goes into every draw. Raises Unfit."""
    if len(said) > 100 or not said.isprintable():
        raise Unfit("at most 100 letters, digits and signs")
    return said
