"""JSON without doubts: what two programs could read differently is refused, and what is wrong is said."""

from __future__ import annotations

import json
from math import isinf
from typing import Any, NoReturn

DEEPEST = 16  # lists and objects inside each other; no request needs more than six
LARGEST = 2**53  # beyond it JavaScript, and every program that counts in doubles, loses whole numbers


class NotJson(ValueError):
    """The bytes are no JSON, or JSON that could be misread; the message says where and why."""


def parse(data: bytes, what: str = "the body") -> Any:
    """The value of one JSON text in UTF-8; `what` it is called where it is none.

    Raises NotJson, also for a key that comes twice, NaN and Infinity, integers beyond 2^53, half of a surrogate pair, nesting deeper than `DEEPEST`.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as wrong:
        raise NotJson(f"{what} is not UTF-8: byte {wrong.start} (counted from 0) belongs to no character") from wrong
    if not text.strip():
        raise NotJson(f"{what} is empty")
    shallow = text.count("[") + text.count("{") <= DEEPEST
    if text.startswith("\ufeff"):
        raise NotJson(f"{what} begins with a byte order mark, which is no part of JSON: leave its first three bytes out")
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as wrong:
        raise NotJson(f"{what} is no JSON: {wrong.msg[:1].lower()}{wrong.msg[1:]} (line {wrong.lineno}, column {wrong.colno})") from wrong
    except RecursionError as wrong:
        raise NotJson(f"{what} is nested deeper than {DEEPEST} levels") from wrong
    if not shallow and _depth(value) > DEEPEST:
        raise NotJson(f"{what} is nested deeper than {DEEPEST} levels")
    if "\\u" in text and _has_half_a_pair(value):
        raise NotJson(f"a text in {what} has half of a surrogate pair (\\ud800 to \\udfff), which is no character")
    return value


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotJson(f"the key {json.dumps(twice[:60])} comes twice in one object")
    return value


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise NotJson(f"the integer {digits[:20]}{'…' if len(digits) > 20 else ''} is beyond 2^53")
    return int(digits)


def _finite(digits: str) -> float:
    if isinf(number := float(digits)):
        raise NotJson(f"the number {digits[:20]} is too large")
    return number


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is no JSON")


def _depth(value: Any) -> int:
    """How many lists and objects stand inside each other."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


def _has_half_a_pair(value: Any) -> bool:
    """Whether any text in it, keys included, cannot be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


_decoder = json.JSONDecoder(object_pairs_hook=_once_each, parse_int=_whole, parse_float=_finite, parse_constant=_no_constant)
