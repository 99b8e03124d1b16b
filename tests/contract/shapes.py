"""Whether a shape still keeps what an earlier one promised: what is sent must still be taken, what comes must still be understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Said: TypeAlias = Mapping[str, Any]
Way: TypeAlias = Literal["sent", "given"]  # by clients, to clients

LEAST = ("minimum", "minLength", "minItems")
MOST = ("maximum", "maxLength", "maxItems")
OPEN = ("ProblemDetails.type", "Event", "Event.type", "By.via")  # whose values may grow: whoever reads them lets pass what they do not know


@dataclass
class Pair:
    """Two descriptions, the earlier one and the later one; what was compared already is not compared again."""

    old: Said
    new: Said
    seen: set[tuple[str, str, Way]] = field(default_factory=set)

    def breaches(self, old: Said, new: Said, way: Way, place: str) -> Iterator[str]:
        """Every promise of `old` that `new` breaks, in words."""
        if "$ref" in old or "$ref" in new:
            names = (old.get("$ref", place), new.get("$ref", place), way)
            if names in self.seen:
                return
            self.seen.add(names)
            place = name_of(old) or place
            old, new = followed(self.old, old), followed(self.new, new)
        yield from self._kinds(old, new, way, place)
        yield from _bounds(old, new, way, place)
        yield from self._alternatives(old, new, way, place)
        yield from self._fields(old, new, way, place)
        if "contentSchema" in old:
            yield from self.breaches(old["contentSchema"], new.get("contentSchema") or {}, way, place)
        if "items" in old or "items" in new:
            yield from self.breaches(old.get("items") or {}, new.get("items") or {}, way, f"{place}[]")

    def _kinds(self, old: Said, new: Said, way: Way, place: str) -> Iterator[str]:
        before, after = _types(old), _types(new)
        if way == "sent" and not before <= after:
            yield f"{place} is no longer taken as {_listed(before - after)}"
        if way == "given" and not after <= before:
            yield f"{place} may now be {_listed(after - before)}"
        choices, choices_now = old.get("enum"), new.get("enum")
        if way == "sent" and choices_now is not None:
            if choices is None:
                yield f"{place} is now taken with certain values only"
            elif gone := [value for value in choices if value not in choices_now]:
                yield f"{place} is no longer taken as {_listed(gone)}"
        if way == "given" and choices is not None and place not in OPEN:
            if choices_now is None:
                yield f"{place} may now have any value"
            elif fresh := [value for value in choices_now if value not in choices]:
                yield f"{place} may now be {_listed(fresh)}"
        if way == "sent" and old.get("default") != new.get("default"):
            yield f"{place} stands for {new.get('default')} where nothing is said, and stood for {old.get('default')}"

    def _alternatives(self, old: Said, new: Said, way: Way, place: str) -> Iterator[str]:
        before, after = _several(old), _several(new)
        if not before and not after:
            return
        if not before or not after:
            yield f"{place} has another shape"
            return
        for name, one in before.items():
            if name in after:
                yield from self.breaches(one, after[name], way, f"{place}({name})")
            else:
                yield f"{place} is no longer {'taken as ' if way == 'sent' else ''}{name}"
        if way == "given" and place not in OPEN:
            yield from (f"{place} may now be {name}" for name in after if name not in before and not _of_a_new_game(name, before))

    def _fields(self, old: Said, new: Said, way: Way, place: str) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        needed, needed_now = set(old.get("required", [])), set(new.get("required", []))
        for name, one in before.items():
            if name in after:
                yield from self.breaches(one, after[name], way, f"{place}.{name}")
            elif way == "given" or new.get("additionalProperties") is False:
                yield f"{place}.{name} is no longer {'taken' if way == 'sent' else 'there'}"
        if way == "sent":
            yield from (f"{place}.{name} must now be given" for name in sorted(needed_now - needed))
            if old.get("additionalProperties") is not False and new.get("additionalProperties") is False and "object" in _types(old):
                yield f"{place} no longer takes other fields"
        else:
            yield from (f"{place}.{name} may now be missing" for name in sorted((needed - needed_now) & set(after)))
        if isinstance(old.get("additionalProperties"), dict) and isinstance(new.get("additionalProperties"), dict):
            yield from self.breaches(old["additionalProperties"], new["additionalProperties"], way, f"{place}.*")


def followed(document: Said, said: Said) -> Said:
    """What a reference refers to."""
    while ref := said.get("$ref"):
        said = document
        for step in ref.removeprefix("#/").split("/"):
            said = said[step]
    return said


def name_of(said: Said) -> str:
    """The name behind a reference; empty where there is none."""
    return str(said.get("$ref", "")).rpartition("/")[2]


def _types(said: Said) -> set[str]:
    """Which JSON types it may have; all, where it does not say."""
    kinds = said.get("type", ["object", "array", "string", "number", "integer", "boolean", "null"] if "enum" not in said else ["string"])
    return {kinds} if isinstance(kinds, str) else set(kinds)


def _several(said: Said) -> dict[str, Said]:
    """Its alternatives by name: that of their reference, else their type."""
    listed = said.get("anyOf") or said.get("oneOf") or []
    return {name_of(one) or "/".join(sorted(_types(one))): one for one in listed}


def _bounds(old: Said, new: Said, way: Way, place: str) -> Iterator[str]:
    """Bounds may be widened for what is sent, and narrowed for what is given."""
    for names, sign in ((LEAST, 1), (MOST, -1)):
        for name in names:
            before, after = old.get(name), new.get(name)
            tight, loose = (after, before) if way == "sent" else (before, after)
            if tight is not None and (loose is None or sign * tight > sign * loose):
                yield f"{place}: {name} is {after}, and was {before}"
    for name in ("pattern", "format"):
        if old.get(name) != new.get(name) and not (way == "sent" and name not in new) and not (way == "given" and name not in old):
            yield f"{place}: {name} is {new.get(name)}, and was {old.get(name)}"


def _of_a_new_game(name: str, before: Mapping[str, Said]) -> bool:
    """Whether it is the action or the options of a game that came later: games may join."""
    return any(name.endswith(part) and all(one.endswith(part) for one in before) for part in ("Action", "Options"))


def _listed(values: Any) -> str:
    return ", ".join(sorted(map(str, values)))
