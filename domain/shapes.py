"""What is wrong with the shape of a JSON value, in words: msgspec's judgement, told to a person."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

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
_MISSING: Final = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_UNLIKE: Final = re.compile(r"Expected `(.*)`, got `(.*)`")
_OUT: Final = re.compile(r"Expected `(?:int|float)` ([<>]=?) (.*)")
_LENGTH: Final = re.compile(r"Expected `(array|str|object)` of length (?:([<>]=?) )?(.*)")
_PATTERN: Final = re.compile(r"Expected `str` matching regex '(.*)'")
_NONE_OF: Final = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)

LONGEST = 60  # characters of what came that are said back


def complaint(wrong: msgspec.ValidationError, shape: Any = None) -> str:
    """A sentence without its full stop: "`to` is missing". `shape` is the struct that was expected, if what its fields can be shall be listed."""
    words = str(wrong)
    place = _PLACE.search(words)
    words = words[: place.start()] if place else words
    field = place[2] if place else ""
    it = f"`{field}`" if field else "it"
    if place and place[1]:
        it = f"a key of {it}"
    if found := _MISSING.fullmatch(words):
        return f"`{f'{field}.{found[1]}'.strip('.')}` is missing"
    if found := _UNKNOWN.fullmatch(words):
        return f"`{f'{field}.{_cut(found[1])}'.strip('.')}` is not known here"
    if found := _UNLIKE.fullmatch(words):
        return f"{it} must be {' or '.join(_NAMES.get(name, name) for name in found[1].split(' | '))}, not {_NAMES.get(found[2], found[2])}"
    if found := _OUT.fullmatch(words):
        return f"{it} must be {_BOUNDS[found[1]]} {found[2]}"
    if found := _LENGTH.fullmatch(words):
        parts = "characters" if found[1] == "str" else "entries"
        return f"{it} must have {_BOUNDS.get(found[2], 'exactly')} {found[3]} {parts}"
    if found := _PATTERN.fullmatch(words):
        return f"{it} must match {found[1]}"
    if found := _NONE_OF.fullmatch(words):
        choices = _literals(shape).get(field, ())
        return f"{it} cannot be {_cut(found[1])}" + (f"; it can be {', '.join(map(repr, choices))}" if choices else "")
    return f"{it}: {words}"


def _cut(said: str) -> str:
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def _literals(shape: Any) -> dict[str, tuple[Any, ...]]:
    """What each field can be that is one of a few literals."""
    struct = msgspec.inspect.type_info(shape) if shape else None
    if not isinstance(struct, msgspec.inspect.StructType):
        return {}
    return {field.encode_name: tuple(field.type.values) for field in struct.fields if isinstance(field.type, msgspec.inspect.LiteralType)}
