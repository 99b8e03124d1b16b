"""Schemas that refuse what they do not know, and say in words what is wrong with each field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Literal, TypeAlias, TypedDict

import msgspec
from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields

from service.problems import CUT, invalid, pointer

UNKNOWN = "is not known here"  # said of a field, never of the whole


class Asked(Schema):
    """Base of what comes in: unknown fields are refused.

    `sure`: a TypedDict for what comes in at every move. What fits it, and has nothing more, is good as it is; all else the fields judge,
    which takes twenty times as long and finds the words. A test holds the two together.
    """

    sure: ClassVar[Any] = None

    class Meta:
        """Also read by apispec."""

        unknown = RAISE

    def __init__(self) -> None:
        super().__init__()
        self.error_messages = {"unknown": UNKNOWN, "type": "must be an object"}

    def load(self, data: Any, **said: Any) -> Any:
        """The value as the fields give it. Raises ValidationError."""
        if self.sure is not None:
            with suppress(msgspec.ValidationError):
                good = msgspec.convert(data, self.sure)
                if len(good) == len(data):
                    return good
        return super().load(data, **said)


class Told(Schema):
    """Base of what goes out: fields may join it, so a client must let pass those that it does not know."""

    class Meta:
        """Also read by apispec."""

        unknown = EXCLUDE


class OneOf:
    """An object that has exactly one of several keys, which says what else it has."""

    def __init__(self, name: str, about: str, shapes: Mapping[str, Asked]) -> None:
        self.name, self.about, self.shapes = name, about, shapes

    def load(self, value: Any) -> dict[str, Any]:
        """The value as the schema of its key gives it. Raises ValidationError."""
        named = [key for key in self.shapes if key in value] if isinstance(value, dict) else []
        if len(named) == 1:
            said: dict[str, Any] = self.shapes[named[0]].load(value)
            return said
        raise ValidationError(f"must be an object with exactly one of {', '.join(f'`{key}`' for key in self.shapes)}")


class Either(fields.Field[Any]):
    """A field that is one of several."""

    def __init__(self, shape: OneOf) -> None:
        super().__init__(pre_load=shape.load, error_messages={"null": "must not be null"})
        self.shape = shape


class _NoFields(TypedDict):
    pass


class Nothing(Asked):
    """No parameters."""

    sure = _NoFields


NOTHING = Nothing()

Shape: TypeAlias = Schema | OneOf
Where: TypeAlias = Literal["body", "payload", "query"]


def loaded(shape: Shape, value: Any, where: Where) -> dict[str, Any]:
    """The value as the shape gives it. Raises a Problem that names every field that is wrong, and says what is wrong with it."""
    try:
        said: dict[str, Any] = shape.load(value)
    except ValidationError as wrong:
        raise invalid([_error(path, words, where) for path, words in _complaints(wrong.messages, ())]) from None
    return said


def _complaints(messages: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Each complaint with the way to the field that it is about."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            of_the_whole = key == "_schema" and inner != [UNKNOWN]  # marshmallow's word for it; a client's, too, for a field
            yield from _complaints(inner, path if of_the_whole else (*path, key))
    else:
        for words in messages if isinstance(messages, list) else [messages]:
            yield path, str(words)


def _error(path: tuple[str | int, ...], words: str, where: Where) -> dict[str, str]:
    """In words, with the field's name (`seats[0].invite`), and with its place: a JSON Pointer as RFC 9457 has it, or the parameter's name."""
    name = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:CUT]}" for step in path).removeprefix(".")
    detail = f"`{name}` {words}" if path else f"the {where} {words}"
    if where == "query":
        return {"detail": detail, "parameter": name}
    return {"detail": detail, "pointer": pointer(path)}
