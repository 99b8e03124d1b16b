"""What comes from outside as actions: JSON values read strictly, lines of text read one after another in the positions that they lead to."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice, zip_longest
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chain import canonical
from domain.game import Action, Game, Seat, Unreadable
from domain.match.commands import Actor, Submit
from domain.match.match import Match
from domain.match.refusal import Refused
from domain.match.signed import SignedMove
from domain.shapes import complaint

LONGEST = 4_000  # characters of a text, on a page as through the API
FEW = 5  # actions that are named to whoever was not understood
LOOKED_AT = 1_000  # legal actions among which these are found


def submission(actor: Actor, seat: Seat, ply: int, said: str | Iterable[Any], nonce: str | UnsetType = UNSET) -> Callable[[Match], Submit]:
    """A wish to act, in lines of text or as JSON values, as it reads in the match as it stands.

    It is read only in the position that it was made for, and only for whoever is asked there: anybody else is told that, and not what
    the words would mean in another position.
    """

    def wish(match: Match) -> Submit:
        actions: tuple[Action, ...] = ()
        if match.ply == ply and match.ask(seat) and match.chair(seat).player == actor.player:
            actions = actions_written(match, seat, said) if isinstance(said, str) else actions_said(match.game, said)
        return Submit(actor, seat, ply, actions, nonce)

    return wish


def signed_submission(player: str, move: SignedMove) -> Callable[[Match], Submit]:
    """The same for a signed move. Its actions must be signed as the log will show them, so that whoever compares them need not know the game."""
    wish = submission(Actor(player, "jws"), move.seat, move.ply, move.actions, move.nonce or UNSET)

    def signed(match: Match) -> Submit:
        command = wish(match)
        for index, action in enumerate(command.actions):
            if canonical(action) != canonical(move.actions[index]):
                words = f"action {index} (counted from 0) must be signed as the log shows it: {canonical(action).decode()}"
                raise Refused("illegal-action", words, action=index)
        return replace(command, jws=move.jws, prev=move.prev)

    return signed


def actions_said(game: Game[Any, Any, Any], values: Iterable[Any]) -> tuple[Action, ...]:
    """JSON values as actions of a game. Raises Refused (illegal-action) that names the first that is none, and what is wrong with it."""
    return tuple(_action(game, index, value) for index, value in enumerate(values))


def lines_of(text: str) -> list[str]:
    """The actions of a text, one a line or with `;` between them: what can be seen of each. Raises Refused (unreadable-text) for one too long."""
    if len(text) > LONGEST:
        raise Refused("unreadable-text", f"that is too long to be read: {LONGEST} characters are the most")
    lines = unicodedata.normalize("NFKC", text).splitlines()
    return [line for part in lines for said in part.split(";") if (line := plain(said))]


def plain(text: str, longest: int = LONGEST) -> str:
    """What can be seen of a text, on one line: without invisible characters, with single blanks, cut at `longest` characters."""
    kept = " ".join("".join(map(_seen, text)).split())
    return kept if len(kept) <= longest else f"{kept[: longest - 1]}…"


def actions_written(match: Match, seat: Seat, text: str) -> tuple[Action, ...]:
    """The actions of a text, each read in the position after those before it. Raises Refused (unreadable-text).

    Reading ends at the first action that will be refused: who submits what was read is told why.
    """
    game, state = match.game, match.state
    actions: list[Action] = []
    for index, line in enumerate(lines_of(text)):
        if seat not in game.awaited(state):
            return (*actions, *actions[-1:])  # one too many, whatever it says: it cannot follow at once
        try:
            action = game.read(state, line)
        except Unreadable as why:
            raise Refused("unreadable-text", f"{why}; possible {'then' if index else 'now'}{possible(game, state, seat)}", action=index) from why
        actions.append(action)
        if game.objection(state, seat, action):
            break
        state = game.apply(state, seat, action)
    return tuple(actions)


def possible(game: Game[Any, Any, Any], state: Any, seat: Seat) -> str:
    """What the seat may write there, after `possible now`: all of it where that is little, else something of every kind."""
    found: dict[str, list[Action]] = {}
    if game.legal_of:
        found = {kind: list(islice(game.legal_of(state, seat, kind), FEW)) for kind in kinds_of(game)}
    else:
        for action in islice(game.legal(state, seat), LOOKED_AT):
            found.setdefault(str(type(action).__struct_config__.tag), []).append(action)
    turns = [action for row in zip_longest(*found.values()) for action in row if action is not None]
    shown = turns[: max(FEW, sum(map(bool, found.values())))]
    lines = ", ".join(f"“{game.write(action)}”" for action in shown)
    return f": {lines}" if len(shown) == len(turns) else f" are, for example, {lines}"


def _seen(sign: str) -> str:
    """What is seen of a character: nothing of a mark that only directs or joins others, a blank of all else that has no shape."""
    kind = unicodedata.category(sign)
    return "" if kind == "Cf" else " " if kind[0] in "CZ" else sign


def _action(game: Game[Any, Any, Any], index: int, value: Any) -> Action:
    try:
        action: Action = msgspec.convert(value, _shape(game, value))
    except msgspec.ValidationError as wrong:
        words = f"action {index} (counted from 0) is none of {game.title}: {_told(game, value, wrong)}"
        raise Refused("illegal-action", words, action=index) from wrong
    return action


def _shape(game: Game[Any, Any, Any], value: Any) -> Any:
    """What it says that it is: one shape alone is found out in a fifth of the time that their union takes; all of them where it says none."""
    kind = value.get("type") if isinstance(value, dict) else None
    return kinds_of(game).get(kind, game.actions) if isinstance(kind, str) else game.actions


def _told(game: Game[Any, Any, Any], value: Any, wrong: msgspec.ValidationError) -> str:
    kinds = kinds_of(game)
    listed = ", ".join(kinds)
    if not isinstance(value, dict):
        return f"it must be an object with a `type`, which is one of {listed}"
    if "type" not in value:
        return f"its `type` is missing, which is one of {listed}"
    if not isinstance(value["type"], str) or value["type"] not in kinds:
        return f"there is no such `type`; there are {listed}"
    shape = kinds[value["type"]]
    fields = ", ".join(field.encode_name for field in msgspec.structs.fields(shape)) or "nothing else"
    return f"{complaint(wrong, shape)} (beside its type {'an' if value['type'][0] in 'aeiou' else 'a'} {value['type']} has {fields})"


@cache
def kinds_of(game: Game[Any, Any, Any]) -> dict[str, type[msgspec.Struct]]:
    """The shape behind each type of action."""
    union = msgspec.inspect.type_info(game.actions)
    shapes = union.types if isinstance(union, msgspec.inspect.UnionType) else (union,)
    return {str(shape.tag): shape.cls for shape in shapes if isinstance(shape, msgspec.inspect.StructType)}
