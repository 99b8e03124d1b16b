"""openapi.yaml as people read it: operations, shapes and problems, ready for the pages under `/docs`, each with its place there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from shlex import quote
from typing import Any, Final
from urllib.parse import quote as percent

from markdown_it import MarkdownIt
from markupsafe import Markup

from domain.game import Record
from service.problems import TYPES
from service.schemas.from_types import REF

METHODS: Final = ("get", "post", "put", "patch", "delete")
SHAPES: Final = "/docs/shapes"
KINDS: Final = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "object": "object", "null": "null"}
PROBLEM: Final = re.compile(rf"<code>{TYPES}([a-z-]+)</code>")
READER: Final = MarkdownIt("commonmark", {"html": False})


class Line(Record, frozen=True):
    """A field, a parameter or a header: what it is called, what it may be, what it means."""

    name: str
    kind: Markup
    about: Markup
    needed: bool
    where: str = ""


class Example(Record, frozen=True):
    """A request or an answer that shows something."""

    name: str
    text: str


class Outcome(Record, frozen=True):
    """One status that may come back."""

    status: str
    about: Markup
    forms: tuple[tuple[str, Markup], ...]
    headers: tuple[Line, ...]
    examples: tuple[Example, ...]


class Entry(Record, frozen=True):
    """An operation."""

    id: str
    method: str
    path: str
    summary: str
    about: Markup
    access: Markup
    parameters: tuple[Line, ...]
    forms: tuple[tuple[str, Markup], ...]  # of the body
    fields: tuple[Line, ...]  # of the body, where it has one shape
    calls: tuple[Example, ...]  # by curl
    outcomes: tuple[Outcome, ...]


class Chapter(Record, frozen=True):
    """Operations with one tag."""

    name: str
    about: str
    entries: tuple[Entry, ...]


class Form(Record, frozen=True):
    """A named shape."""

    name: str
    about: Markup
    kind: Markup
    fields: tuple[Line, ...]
    closed: bool  # a field that is not named is refused


class Reference:
    """A document as pages show it; `url` is where its site is."""

    def __init__(self, document: Mapping[str, Any], url: str) -> None:
        self._document = document
        self._url = url
        self.about = rendered(document["info"]["description"])

    def chapters(self) -> tuple[Chapter, ...]:
        """All operations, in the order of the document's tags."""
        entries: dict[str, list[Entry]] = {tag["name"]: [] for tag in self._document["tags"]}
        for path, methods in self._document["paths"].items():
            for method in METHODS:
                if said := methods.get(method):
                    entries[said["tags"][0]].append(self._entry(path, method, said))
        return tuple(Chapter(tag["name"], tag["description"], tuple(entries[tag["name"]])) for tag in self._document["tags"])

    def shapes(self) -> tuple[Form, ...]:
        """All named shapes, by name."""
        named = self._document["components"]["schemas"]
        return tuple(
            Form(name, rendered(said.get("description", "")), kind(said), self._fields(said), said.get("additionalProperties") is False)
            for name, said in sorted(named.items())
        )

    def _entry(self, path: str, method: str, said: Mapping[str, Any]) -> Entry:
        parameters = [self._followed(one) for one in said["parameters"]]
        content = said.get("requestBody", {}).get("content", {})
        body = self._followed(content.get("application/json", {}).get("schema", {}))
        return Entry(
            id=said["operationId"],
            method=method.upper(),
            path=path,
            summary=said["summary"],
            about=rendered(said["description"]),
            access=_access(said["security"]),
            parameters=tuple(
                Line(one["name"], kind(one["schema"]), inline(one.get("description", "")), one.get("required", False), one["in"])
                for one in parameters
            ),
            forms=_forms(content),
            fields=self._fields(body),
            calls=tuple(self._calls(path, method, said, parameters)),
            outcomes=tuple(self._outcome(status, self._followed(answer)) for status, answer in sorted(said["responses"].items())),
        )

    def _calls(self, path: str, method: str, said: Mapping[str, Any], parameters: list[Any]) -> Iterator[Example]:
        """The operation as curl calls it, once for each example of a body."""
        for one in parameters:
            if one["in"] == "path":
                path = path.replace(f"{{{one['name']}}}", percent(str(one["example"])))
        token = ["-H", '"Authorization: Bearer $TOKEN"'] if any("bearer" in one for one in said["security"]) else []
        content = said.get("requestBody", {}).get("content", {})
        by_itself = "post" if content else "get"  # what curl sends unless it is told
        words = ["curl", *(["-X", method.upper()] if method != by_itself else []), quote(f"{self._url}{path}")]
        if not content:
            yield Example("", _lines(words, token))
        for media, form in content.items():
            for name, example in form["examples"].items():
                value = example["value"]
                body = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                sent = ["-H", quote(f"Content-Type: {media}"), "--data", quote(body)]
                yield Example(name, _lines(words, token if media == "application/json" else [], sent))

    def _outcome(self, status: str, said: Mapping[str, Any]) -> Outcome:
        content = said.get("content", {})
        headers = {name: self._followed(header) for name, header in said.get("headers", {}).items()}
        examples = [(name, self._followed(one)["value"]) for form in content.values() for name, one in form.get("examples", {}).items()]
        return Outcome(
            status=status,
            about=_with_links(rendered(said["description"])),
            forms=_forms(content),
            headers=tuple(Line(name, kind(one["schema"]), inline(one["description"]), one.get("required", False)) for name, one in headers.items()),
            examples=tuple(Example(name, _shown(value)) for name, value in examples),
        )

    def _fields(self, said: Mapping[str, Any]) -> tuple[Line, ...]:
        needed = said.get("required", [])
        return tuple(
            Line(name, kind(one), inline(one.get("description", "")), name in needed)
            for name, one in sorted(said.get("properties", {}).items(), key=lambda pair: (pair[0] not in needed, pair[0]))
        )

    def _followed(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a reference refers to."""
        while ref := said.get("$ref"):
            said = self._document
            for step in ref.removeprefix("#/").split("/"):
                said = said[step]
        return said


def rendered(text: str) -> Markup:
    """A description of several paragraphs."""
    return Markup(READER.render(text))  # noqa: S704 - HTML of its own in it is shown as text


@cache
def inline(text: str) -> Markup:
    """A description of one line."""
    return Markup(READER.renderInline(text))  # noqa: S704 - the same


def _with_links(about: Markup) -> Markup:
    """With every type of problem leading to where it is explained."""
    return Markup(PROBLEM.sub(rf'<a href="{SHAPES}#problem-\1">\g<0></a>', about))  # noqa: S704 - names are of letters


def kind(said: Mapping[str, Any]) -> Markup:
    """What a value may be, in words, with links to shapes."""
    return Markup(_kind(said))  # noqa: S704 - everything in it is escaped below


def _kind(said: Mapping[str, Any]) -> str:
    if ref := said.get("$ref"):
        name = ref.removeprefix(REF)
        return f'<a href="{SHAPES}#{name}">{name}</a>'
    return "".join([_values(said), *(f", {bound}" for bound in _bounds(said))])


def _values(said: Mapping[str, Any]) -> str:
    if several := said.get("anyOf") or said.get("oneOf"):
        return " or ".join(_kind(one) for one in several)
    if "enum" in said:
        return " or ".join(f"<code>{escape(json.dumps(value, ensure_ascii=False))}</code>" for value in said["enum"])
    types = said.get("type", [])
    named = [types] if isinstance(types, str) else types
    return " or ".join(_array(said) if name == "array" else KINDS[name] for name in named) or "any JSON value"


def _array(said: Mapping[str, Any]) -> str:
    inner = _kind(said.get("items") or {})
    return f"list of: {inner}"


def _bounds(said: Mapping[str, Any]) -> Iterator[str]:
    for low, high, unit in (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " entries")):
        least, most = said.get(low), said.get(high)
        if least is not None and most is not None:
            yield f"{least} to {most}{unit}"
        elif least is not None:
            yield f"from {least}{unit}"
        elif most is not None:
            yield f"up to {most}{unit}"
    if "pattern" in said:
        yield f"like <code>{escape(said['pattern'])}</code>"
    if "default" in said:
        yield f"<code>{escape(json.dumps(said['default'], ensure_ascii=False))}</code> unless said"


def _forms(content: Mapping[str, Any]) -> tuple[tuple[str, Markup], ...]:
    """The media types of a body, each with its shape."""
    return tuple((media, kind(form["schema"])) for media, form in content.items())


def _access(security: list[Mapping[str, list[str]]]) -> Markup:
    """Who may call it."""
    scopes = [scope for one in security for scope in one.get("bearer", [])]
    if not scopes:
        return Markup("Open to everybody.")
    words = Markup("A token with <code>{}</code>").format(scopes[0])
    if security[0] == {}:
        return words + Markup("; what is public needs none.")
    return words + (Markup("; a signed move needs none.") if {} in security else Markup("."))


def _shown(value: Any) -> str:
    """An example, as it comes."""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _lines(*parts: list[str]) -> str:
    """A command, one part a line."""
    return " \\\n  ".join(" ".join(part) for part in parts if part)
