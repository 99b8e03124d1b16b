"""What is wrong with the shape of a JSON value, in words: msgspec's judgement, told to a person."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import inspect

_NAMES: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number with a decimal point",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_BOUNDS: Final = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}

_PLACE: Final = re.compile(r" - at `(key` in `)?\$\.?(.*)`$", re.DOTALL)
_STEP: Final = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
_MISSING: Final = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_UNLIKE: Final = re.compile(r"Expected `(.*)`, got `(.*)`")
_OUT: Final = re.compile(r"Expected `(?:int|float)` ([<>]=?) (.*)")
_LENGTH: Final = re.compile(r"Expected `(array|str|object)` of length (?:([<>]=?) )?(.*)")
_PATTERN: Final = re.compile(r"Expected `str` matching regex .*", re.DOTALL)
_NONE_OF: Final = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)

LONGEST = 60  # characters of what came that are said back

Path: TypeAlias = tuple[str, ...]  # the way to a value inside of others: names of fields, and places in lists


class Fault(NamedTuple):
    """One thing that is wrong, and where."""

    path: Path
    words: str


def faults(value: Any, shape: Any) -> Iterator[Fault]:
    """Everything that is wrong with a value's shape, each with a sentence as `complaint` has it.

    msgspec stops at the first fault, so what stands there is left out and the rest judged anew: all of a list, and of an object that lacks something.
    """
    rest, left_out = deepcopy(value), set[Path]()
    while True:
        try:
            msgspec.convert(rest, shape)
        except msgspec.ValidationError as wrong:
            path = _path(str(wrong))
            if path not in left_out:
                yield Fault(path, complaint(wrong, shape))
            left = _leave_out(rest, path)
            if left is None:
                return
            left_out.add(left)
        else:
            return


def complaint(wrong: msgspec.ValidationError, shape: Any = None) -> str:
    """A sentence without its full stop: "`to` is missing". `shape` is what was expected, if what its fields can be shall be said.

    Text with a pattern says what it looks like in its description: "a cell from a1 to e5".
    """
    words = str(wrong)
    place = _PLACE.search(words)
    words = words[: place.start()] if place else words
    field, key = (place[2], bool(place[1])) if place else ("", False)
    it = f"`{field}`" if field else "it"
    it = f"a key of {it}" if key else it
    if found := _MISSING.fullmatch(words):
        return f"`{f'{field}.{found[1]}'.strip('.')}` is missing"
    if found := _UNKNOWN.fullmatch(words):
        return f"`{f'{field}.{_cut(found[1])}'.strip('.')}` is not known here"
    if found := _UNLIKE.fullmatch(words):
        return f"{it} must be {' or '.join(_NAMES.get(name, name) for name in found[1].split(' | '))}, not {_NAMES.get(found[2], found[2])}"
    if found := _OUT.fullmatch(words):
        return f"{it} must be {_BOUNDS[found[1]]} {found[2]}"
    expected = list(_expected(shape, field, key=key))
    length = _LENGTH.fullmatch(words)
    if _PATTERN.fullmatch(words) or (length and length[1] == "str" and _described(expected)):
        return f"{it} must be {_described(expected) or 'written in another way'}"
    if length:
        parts = ("character" if length[1] == "str" else "entry") if length[3] == "1" else "characters" if length[1] == "str" else "entries"
        return f"{it} must have {_BOUNDS.get(length[2], 'exactly')} {length[3]} {parts}"
    if found := _NONE_OF.fullmatch(words):
        choices = [str(choice) for kind in expected if isinstance(kind, inspect.LiteralType) for choice in kind.values]
        return f"{it} cannot be {_quoted(found[1])}" + (f"; it can be {', '.join(choices)}" if choices else "")
    return f"{it}: {words}"


def _cut(said: str) -> str:
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def _quoted(said: str) -> str:
    """A value that msgspec wrote as Python would, as it was meant: text between marks, signs that cannot be seen as �."""
    value = literal_eval(said)
    return f"“{''.join(sign if sign.isprintable() else '�' for sign in _cut(value))}”" if isinstance(value, str) else _cut(said)


# Where it is wrong


def _path(words: str) -> Path:
    """The way to what msgspec's words are about; that of what is missing or not known ends with its name."""
    place = _PLACE.search(words)
    words, field = (words[: place.start()], place[2]) if place else (words, "")
    named = _MISSING.fullmatch(words) or _UNKNOWN.fullmatch(words)
    steps = takewhile(lambda step: step != "[...]", _STEP.findall(field))  # any value of an object with free names: it does not say which
    return (*(step.strip("[]") for step in steps), *([named[1]] if named else []))


def _leave_out(value: Any, path: Path) -> Path | None:
    """Take away what stands there, or else the innermost object or list around it that can be taken away; the way to it, None if it would be all."""
    holders = [value]
    for step in path[:-1]:
        holders.append(holders[-1].get(step) if isinstance(holders[-1], dict) else None)
    for depth in range(len(path), 0, -1):
        holder = holders[depth - 1]
        if isinstance(holder, dict) and path[depth - 1] in holder:
            del holder[path[depth - 1]]
            return path[:depth]
    return None


# What was expected at a place


def _expected(shape: Any, field: str, *, key: bool) -> Iterator[inspect.Type]:
    """What may stand at a place such as `stock.names[2]`, or be a key of it; nothing where nobody says what was expected."""
    kinds = [inspect.type_info(shape)] if shape else []
    for step in _STEP.findall(field):
        kinds = [within for kind in _each(kinds) for within in _within(kind, step)]
    return _each([kind.key_type for kind in _each(kinds) if isinstance(kind, inspect.DictType)] if key else kinds)


def _each(kinds: Iterable[inspect.Type]) -> Iterator[inspect.Type]:
    """Each of them, what is described besides its description, and of a union each member."""
    for kind in kinds:
        yield kind
        if isinstance(kind, inspect.Metadata):
            yield from _each([kind.type])
        elif isinstance(kind, inspect.UnionType):
            yield from _each(kind.types)


def _within(kind: inspect.Type, step: str) -> list[inspect.Type]:
    """What may stand one step further in."""
    if isinstance(kind, inspect.StructType):
        tag = [inspect.LiteralType((kind.tag,))] if step == kind.tag_field and kind.tag is not None else []
        return [*tag, *(field.type for field in kind.fields if field.encode_name == step)]
    if isinstance(kind, inspect.DictType):
        return [kind.value_type]
    return [kind.item_type] if isinstance(kind, inspect.ListType | inspect.VarTupleType) else []


def _described(kinds: list[inspect.Type]) -> str | None:
    """What text must be there, if somebody has said it."""
    said = ((kind.extra_json_schema or {}).get("description") for kind in kinds if isinstance(kind, inspect.Metadata))
    return next(filter(None, said), None)
