"""Pages as a person without scripts and without cookies uses them: reading, filling in forms, pressing buttons."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass, field
from email.message import Message
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPException
from time import monotonic, sleep
from urllib.parse import urlencode, urljoin, urlsplit

from tests.servers import PATIENT


@dataclass
class Form:
    """A form as it stands on a page: what would be sent if nobody changed anything, and what can be chosen."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Page:
    """A page that was loaded."""

    url: str
    status: int
    html: str
    forms: list[Form]
    links: list[str]
    words: str
    cookies: list[str]

    def form(self, *fields: str) -> Form | None:
        """The first form with all these fields among its choices or values."""
        return next((form for form in self.forms if all(name in form.values or name in form.choices for name in fields)), None)


class _Reader(HTMLParser):
    """Finds forms, links and words in HTML."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url, self.forms, self.links, self.words = url, list[Form](), list[str](), list[str]()
        self._form: Form | None = None
        self._select, self._area = "", ""
        self._option: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in said:
            self.links.append(urljoin(self.url, said["href"]))
        elif tag == "form":
            self._form = Form(urljoin(self.url, said.get("action", "")), said.get("method", "get").lower())
            self.forms.append(self._form)
        elif self._form is not None:
            self._field(self._form, tag, said)

    def _field(self, form: Form, tag: str, said: dict[str, str]) -> None:
        name, value = said.get("name", ""), said.get("value", "")
        match tag, said.get("type", "text"):
            case "input", "radio":
                form.choices.setdefault(name, []).append(value)
                if "checked" in said:
                    form.values[name] = value
            case "input", "checkbox":
                form.choices[name] = [value or "on"]
                if "checked" in said:
                    form.values[name] = value or "on"
            case "input", _:
                form.values[name] = value
            case "textarea", _:
                self._area, form.values[name] = name, ""
            case "select", _:
                self._select = name
            case "option", _:
                self._option = said
                if "value" in said:
                    self._chosen(form, value)
            case "button", _ if name:
                form.choices.setdefault(name, []).append(value)

    def _chosen(self, form: Form, value: str) -> None:
        form.choices.setdefault(self._select, []).append(value)
        if "selected" in self._option or self._select not in form.values:
            form.values[self._select] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag in ("textarea", "select"):
            self._area = self._select = ""

    def handle_data(self, data: str) -> None:
        if self._area and self._form:
            self._form.values[self._area] += data
        elif self._select and self._form and data.strip() and "value" not in self._option:
            self._chosen(self._form, data.strip())
        elif data.strip():
            self.words.append(data.strip())


def load(url: str, sent: dict[str, str] | None = None) -> Page:
    """Open a page, or send a form there. While the server is away it is tried again, as a person does who presses the button once more."""
    end = monotonic() + PATIENT
    while True:
        page = _loaded(url, sent)
        if page is not None and page.status < 500:
            return page
        assert monotonic() < end, f"{url} did not come within {PATIENT} s" + (f": {page.status} {page.words}" if page else "")
        sleep(0.1)


def press(form: Form, **chosen: str) -> Page:
    """Send a form with what was chosen in it."""
    assert form.method == "post"
    return load(form.action, {**form.values, **chosen})


def fetch(url: str) -> bytes:
    """A file. While the server is away it is tried again."""
    end, status, raw = monotonic() + PATIENT, 0, b""
    while True:
        with suppress(OSError, HTTPException):
            status, raw, _, _ = _asked(url, None)
        if 0 < status < 500:
            assert status == 200, f"{url}: {status}"
            return raw
        assert monotonic() < end, f"{url} did not come within {PATIENT} s: {status}"
        sleep(0.1)


def _loaded(url: str, sent: dict[str, str] | None) -> Page | None:
    try:
        status, raw, headers, at = _asked(url, sent)
    except (OSError, HTTPException):
        return None
    reader, html = _Reader(at), raw.decode()
    reader.feed(html)
    return Page(at, status, html, reader.forms, reader.links, " ".join(reader.words), headers.get_all("Set-Cookie") or [])


def _asked(url: str, sent: dict[str, str] | None) -> tuple[int, bytes, Message, str]:
    """Status, body and headers, and the address that the redirects led to."""
    for _ in range(5):
        parts = urlsplit(url)
        with closing(HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENT)) as asked:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            path = parts.path or "/"
            asked.request("GET" if sent is None else "POST", f"{path}?{parts.query}" if parts.query else path, urlencode(sent or {}), form)
            answer = asked.getresponse()
            raw = answer.read()
        if answer.status not in (302, 303):
            return answer.status, raw, answer.headers, url
        url, sent = urljoin(url, answer.headers["Location"]), None
    raise AssertionError(f"{url}: too many redirects")
