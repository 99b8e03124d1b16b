"""The kinds of fields that the schemas have: each says in words what it wants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from domain.match.entropy import PIECE

DIGITS = re.compile(r"-?[0-9]{1,15}")


class Matching(validate.Validator):
    """Holds the whole text against a pattern: `$` alone would let a line break pass."""

    def __init__(self, pattern: str, like: str) -> None:
        self.regex = re.compile(pattern)
        self.words = f"must be {like}"

    def __call__(self, value: str) -> str:
        if not self.regex.fullmatch(value):
            raise ValidationError(self.words)
        return value


class EachOnce(validate.Validator):
    """Refuses a list that has an entry twice."""

    def __call__(self, value: list[Any]) -> list[Any]:
        if any(one in value[:place] for place, one in enumerate(value)):
            raise ValidationError("must name each entry once")
        return value


class Text(fields.String):
    """A text; `pattern` is a regular expression as ECMAScript has it too, and `like` says it in words."""

    def __init__(
        self,
        about: str,
        *examples: str,
        choices: tuple[str, ...] = (),
        pattern: str = "",
        like: str = "",
        longest: int = 0,
        form: str | None = None,
        **rest: Any,
    ) -> None:
        checks: list[validate.Validator] = []
        if choices:
            checks.append(validate.OneOf(choices, error=f"must be {_either(choices)}"))
        if longest:
            checks.append(validate.Length(1, longest, error=f"must have 1 to {longest} characters"))
        if pattern:
            checks.append(Matching(pattern, like))
        super().__init__(validate=checks, **_said("text", about, *examples, format=form), **rest)


class Time(Text):
    """A moment, in UTC and to the millisecond."""

    def __init__(self, about: str, **rest: Any) -> None:
        super().__init__(about, "2026-11-29T10:00:00.123Z", form="date-time", **rest)


class Entropy(Text):
    """A player's part in the chance of a match."""

    def __init__(self, about: str) -> None:
        super().__init__(about, "tea leaves", pattern=f"^{PIECE}$", like="1 to 128 characters, none of them a control character")


class Whole(fields.Integer):
    """A whole number, as a number."""

    def __init__(self, about: str, *examples: int, least: int | None = 0, most: int | None = None, **rest: Any) -> None:
        bounds = [] if least is None else [validate.Range(least, most, error=f"must be {_from(least, most)}")]
        super().__init__(strict=True, pre_load=self.read, validate=bounds, **_said("a whole number", about, *examples), **rest)

    @staticmethod
    def read(value: Any) -> Any:
        """The number."""
        return _of(int, value, "a whole number")


class Number(Whole):
    """A whole number in an address, where everything is text."""

    @staticmethod
    def read(value: Any) -> Any:
        """The number behind digits."""
        return int(value) if DIGITS.fullmatch(value) else _of(int, value, "a whole number")


class Yes(fields.Boolean):
    """True or false, as such."""

    def __init__(self, about: str, *, only: bool | None = None, **rest: Any) -> None:
        checks = [] if only is None else [validate.Equal(only, error=f"must be {str(only).lower()}")]
        super().__init__(pre_load=self.read, validate=checks, **_said("true or false", about), **rest)

    @staticmethod
    def read(value: Any) -> Any:
        """True or false; no other value stands for them."""
        return _of(bool, value, "true or false")


class Many(fields.List[Any]):
    """A list."""

    def __init__(
        self, inner: fields.Field[Any], about: str, *, least: int | None = None, most: int | None = None, once: bool = False, **rest: Any
    ) -> None:
        length = f"must have {least} to {most} entries" if most else f"must have at least {least} entries"
        checks: list[validate.Validator] = [validate.Length(least, most, error=length)] if least or most else []
        checks += [EachOnce()] if once else []
        said = _said("a list", about, **({"uniqueItems": True} if once else {}))
        super().__init__(inner, validate=checks, **said, **rest)


class Mapped(fields.Dict):
    """An object with names that are not known beforehand."""

    def __init__(self, values: fields.Field[Any], about: str, **rest: Any) -> None:
        super().__init__(keys=fields.String(), values=values, **_said("an object", about), **rest)


class Inside(fields.Nested):
    """An object inside another."""

    def __init__(self, schema: Schema, about: str = "", **rest: Any) -> None:
        super().__init__(schema, **_said("an object", about), **rest)


class Free(fields.Field[Any]):
    """A JSON value that somebody else looks into; `schema` is what openapi.yaml says of it."""

    def __init__(self, about: str, schema: Mapping[str, Any], **rest: Any) -> None:
        super().__init__(**_said("something else", about), **rest)
        self.schema = schema


def an_object(value: Any) -> Any:
    """For `pre_load`: the value, if it is an object."""
    return _of(dict, value, "an object")


def _of(kind: type[Any], value: Any, words: str) -> Any:
    if value is not None and type(value) is not kind:
        raise ValidationError(f"must be {words}")
    return value


def _said(words: str, about: str, *examples: Any, **more: Any) -> dict[str, Any]:
    """What a field says of itself, and what it says of a value that is none."""
    metadata = {"description": about or None, "examples": list(examples) or None, **more}
    return {
        "metadata": {name: value for name, value in metadata.items() if value is not None},
        "error_messages": {"required": "is missing", "null": "must not be null", "invalid": f"must be {words}", "type": f"must be {words}"},
    }


def _from(least: int, most: int | None) -> str:
    return f"at least {least}" if most is None else f"from {least} to {most}"


def _either(choices: tuple[str, ...]) -> str:
    return " or ".join(part for part in (", ".join(choices[:-1]), choices[-1]) if part)
