"""Penny Ante once more, straight from the rules page and from nothing else: slow, on plain JSON, to be compared with."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

Json = dict[str, Any]
TYPES = ("place", "bombard", "fortress-bombard", "fortify", "reinforce", "assault", "capture")
BOARD = [column + row for column in "abcdefgh" for row in "12345678"]


def at(space: str) -> tuple[int, int]:
    return ord(space[0]) - 97, int(space[1])


def owner(space: str) -> str:
    column, row = at(space)
    return "light" if (column + row) % 2 == 0 else "dark"  # a1 is dark: column 0, row 1


def apart(one: str, other: str) -> tuple[int, int]:
    """How many columns and rows lie between two spaces, the larger number last."""
    (column, row), (column2, row2) = at(one), at(other)
    near, far = sorted((abs(column - column2), abs(row - row2)))
    return near, far


@cache
def diagonal(space: str) -> list[str]:
    return [other for other in BOARD if apart(space, other) == (1, 1)]


@cache
def orthogonal(space: str) -> list[str]:
    return [other for other in BOARD if apart(space, other) == (0, 1)]


def stacks(view: Json, space: str) -> list[int]:
    """The pennies on a space, a guard as the one stack that it is."""
    there = view["spaces"].get(space, {"stacks": []})
    return there["stacks"] if "stacks" in there else [there["guard"]] * (there["guard"] > 0)


def fortress(view: Json, space: str) -> bool:
    return "fortress" in view["spaces"].get(space, {})


def some_off(there: list[int], most: int, reach: int = 10) -> list[list[int]]:
    """Every way to take pennies off stacks, written one way only."""
    ways = product(*(range(stack + 1) for stack in there))
    return [
        list(way)
        for way in ways
        if 1 <= sum(way) <= most
        and all(number == 0 or stack <= reach for number, stack in zip(way, there, strict=True))
        and all(way[i] >= way[i + 1] for i in range(len(way) - 1) if there[i] == there[i + 1])
    ]


@cache
def as_stacks(pennies: int, number: int) -> list[list[int]]:
    ways = product(range(1, 11), repeat=number)
    return [list(way) for way in ways if sum(way) == pennies and list(way) == sorted(way, reverse=True)]


def removals(view: Json, to: str, strength: int, reach: int) -> Iterator[Json]:
    yield {}
    for target in orthogonal(to):
        for remove in some_off(stacks(view, target), strength, reach):
            yield {"target": target, "remove": remove}


def legal(view: Json, options: Json) -> list[Json]:
    """Every legal action of the seat whose turn it is, in the canonical order."""
    return sorted(actions(view, options), key=order)


def actions(view: Json, options: Json) -> Iterator[Json]:
    seat = view["turn"]
    mine = [space for space in BOARD if owner(space) == seat]
    if view["phase"] == "placement":
        for space in mine:
            own_half = int(space[1]) <= 4 if seat == "dark" else int(space[1]) >= 5
            if own_half and len(stacks(view, space)) < (1 if fortress(view, space) else 4):
                yield {"type": "place", "at": space}
        return
    for space in mine:
        there = stacks(view, space)
        if view["pool"] and (any(stack < 10 for stack in there) or (fortress(view, space) and not there)):
            yield {"type": "reinforce", "at": space}
        if not fortress(view, space):
            for number in range(1, 5):
                yield from ({"type": "fortify", "at": space, "stacks": way} for way in as_stacks(sum(there), number) if way != there)
        for to in diagonal(space):
            yield from bombards(view, space, to)
            if fortress(view, space) and not fortress(view, to):
                yield from marches(view, options, space, to)


def bombards(view: Json, from_: str, to: str) -> Iterator[Json]:
    there = stacks(view, to)
    for take in some_off(stacks(view, from_), 40):
        pennies = sum(there) + sum(take)
        if fortress(view, to):
            arranged: list[Json] = [{}] if pennies <= 10 else []
        else:
            number = len(there) or sum(taken > 0 for taken in take)
            arranged = [{"arrange": way} for way in as_stacks(pennies, number)]
        for arrange in arranged:
            for removal in removals(view, to, sum(take), max(take)):
                yield {"type": "bombard", "from": from_, "take": take, "to": to, **arrange, **removal}


def marches(view: Json, options: Json, from_: str, to: str) -> Iterator[Json]:
    guard = sum(stacks(view, from_))
    for guards in range(guard + 1):
        if guards + sum(stacks(view, to)) > 10:
            continue
        march = {"from": from_, "guards": guards, "to": to}
        removed = list(removals(view, to, guards + 1, max(guards, 1)))
        yield from ({"type": "fortress-bombard", **march, **removal} for removal in removed)
        yield from ({"type": "assault", **march, **removal} for removal in (removed if options["assault"] == "disperse-and-bombard" else [{}]))
        for taken in orthogonal(to):
            if fortress(view, taken) and not stacks(view, taken):
                for put in diagonal(to):
                    free = guard - guards <= 10 if put == from_ else not fortress(view, put) and sum(stacks(view, put)) <= 10
                    if free:
                        yield {"type": "capture", **march, "fortress": taken, "put": put}


def order(action: Json) -> tuple[Any, ...]:
    words = (
        ("at", "stacks") if action["type"] in ("place", "fortify", "reinforce") else ("from", "to", "take", "guards", "arrange", "target", "remove")
    )
    value = {space: [place] for place, space in enumerate(BOARD)}

    def key(word: str) -> Any:
        said = action.get(word)
        return [] if said is None else value[said] if isinstance(said, str) else [said] if isinstance(said, int) else said

    return TYPES.index(action["type"]), *(key(word) for word in (*words, "fortress", "put"))


def after(view: Json, options: Json, ply: int, action: Json) -> Json:
    """The view after a legal action, which is the ply of this number."""
    board = standing(view)
    castles = {space for space in BOARD if fortress(view, space)}
    seat, pool, to_place = view["turn"], view["pool"], dict(view["to_place"])
    match action:
        case {"type": "place", "at": space}:
            board[space].append(1)
            to_place[seat] -= 1
        case {"type": "fortify", "at": space}:
            board[space] = action["stacks"]
        case {"type": "reinforce", "at": space}:
            board[space] = board[space] or [0]
            for i in sorted(range(len(board[space])), key=lambda i: board[space][i]):
                if board[space][i] < 10 and pool:
                    board[space][i], pool = board[space][i] + 1, pool - 1
        case {"type": "bombard", "from": from_, "to": to, "take": take}:
            board[from_] = [stack - taken for stack, taken in zip(board[from_], take, strict=True)]
            board[to] = action.get("arrange", [sum(board[to]) + sum(take)])
        case {"from": from_, "to": to, "guards": guards}:
            board[from_], board[to] = [sum(board[from_]) - guards], [sum(board[to]) + guards]
            castles = castles - {from_} | {to}
    if "remove" in action:
        target = action["target"]
        board[target] = [stack - taken for stack, taken in zip(board[target], action["remove"], strict=True)]
    if action["type"] == "assault":
        for space in orthogonal(action["to"]):
            board[space] = dispersed([stack for stack in board[space] if stack], full=space in castles)
    if action["type"] == "capture":
        castles = castles - {action["fortress"]} | {action["put"]}
        board[action["put"]] = [sum(board[action["put"]])]
    progress = pool < view["pool"] or pennies(board) < pennies(standing(view)) or action["type"] == "capture"
    idle = 0 if progress or action["type"] == "place" else view["plies_without_progress"] + 1
    held = {name: sum(owner(space) == name for space in castles) for name in ("dark", "light")}
    over = 4 in held.values() or idle == options["no_progress_limit"] or ply == options["max_plies"]
    again = any(to_place.values()) and options["placement"] == "batch" and to_place[seat]
    return {
        "phase": "over" if over else "placement" if any(to_place.values()) else "play",
        "spaces": seen(board, castles),
        "pool": pool,
        "to_place": to_place,
        "fortresses": held,
        "turn": None if over else seat if again else {"dark": "light", "light": "dark"}[seat],
        "plies_without_progress": idle,
    }


def standing(view: Json) -> dict[str, list[int]]:
    return {space: list(stacks(view, space)) for space in BOARD}


def pennies(board: dict[str, list[int]]) -> int:
    return sum(map(sum, board.values()))


def dispersed(there: list[int], *, full: bool) -> list[int]:
    fewer = [stack - 1 for stack in there]
    return fewer if full or len(there) == 4 else [*fewer, len(there)]


def seen(board: dict[str, list[int]], castles: set[str]) -> Json:
    spaces: Json = {}
    for space in BOARD:
        there = sorted((stack for stack in board[space] if stack), reverse=True)
        if space in castles:
            spaces[space] = {"fortress": True, "guard": sum(there)}
        elif there:
            spaces[space] = {"stacks": there}
    return spaces
