"""The development mailbox: every mail that was really sent, to read and to click, on a development machine only."""

from __future__ import annotations

from base64 import b64encode
from email import message_from_bytes
from email.message import Message
from ipaddress import ip_address
from smtplib import SMTPException
from urllib.parse import urlsplit

import msgspec
from flask import Response, abort, make_response, redirect, request, url_for
from markupsafe import Markup, escape

from infra.mail.handwriting import CLIENTS, Client, Unanswerable, hand_in, reply
from infra.mail.mailbox import LINK, Mail, Mailbox
from infra.mail.mailbox import previews as mailbox_of_previews
from service.here import site
from service.pages.frame import POLICY, pages, sheet
from service.pages.session import from_elsewhere

SHOWN = 200  # mails in the list
VIEWS = ("html", "text", "headers", "raw")

# The mail lies in a frame of its own without any rights, and brings its own style attributes.
MAIL_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


@pages.get("/dev/mail", strict_slashes=False)
def mailbox() -> Response:
    """The newest mails, newest first."""
    _only_here()
    return sheet("mailbox.html", mails=site().mailbox.mails(SHOWN), replied=request.args.get("replied", ""))


@pages.get("/dev/mail.json")
def mailbox_json() -> Response:
    """The same for programs: `[{id, to, subject, sent_at, text, html, links, raw_url}]`."""
    _only_here()
    return _json(site().mailbox.mails(SHOWN))


@pages.get("/dev/previews", strict_slashes=False)
def previews() -> Response:
    """A mail of every kind, with made-up data."""
    _only_here()
    return sheet("previews.html", mails=list(reversed(_previews().mails(SHOWN))))


@pages.get("/dev/previews.json")
def previews_json() -> Response:
    """The same for programs, in the shape of `/dev/mail.json`."""
    _only_here()
    return _json(list(reversed(_previews().mails(SHOWN))))


@pages.get("/dev/previews/<mail>")
def preview(mail: str) -> Response:
    """One of them, as mails are seen."""
    _only_here()
    found, raw = _previews().mail(mail), _previews().raw(mail)
    if found is None or raw is None:
        abort(404, "There is no preview of this number.")
    view = request.args.get("as", "html")
    if view not in VIEWS:
        abort(404, f"A mail can be seen as {', '.join(VIEWS)}.")
    return _shown(found, raw, view, preview=True)


@pages.get("/dev/previews/<mail>.eml")
def preview_file(mail: str) -> Response:
    """One of them, byte for byte."""
    _only_here()
    raw = _previews().raw(mail)
    if raw is None:
        abort(404, "There is no preview of this number.")
    made = make_response(raw)
    made.mimetype = "message/rfc822"
    return made


@pages.get("/dev/mail/<mail>")
def mail(mail: str) -> Response:
    """One mail, seen as HTML, as text, or by its headers."""
    found, raw = _found(mail)
    view = request.args.get("as", "html" if found.html else "text")
    if view not in VIEWS:
        abort(404, f"A mail can be seen as {', '.join(VIEWS)}.")
    return _shown(found, raw, view)


@pages.post("/dev/mail/<mail>/reply")
def reply_as(mail: str) -> Response:
    """Reply to a mail in its reader's place, really: by SMTP, to where replies come in."""
    found, raw = _found(mail)
    if from_elsewhere():
        abort(403, "Only the mailbox's own page replies to its mails.")
    words, client = request.form.get("words", "").strip(), request.form.get("client", CLIENTS[0])
    if not words:
        return _shown(found, raw, "text", 422, "Write the line that the reply is to begin with, say: help")
    known = next((each for each in CLIENTS if each == client), None)
    if known is None:
        return _shown(found, raw, "text", 422, f"A reply is written as by {', '.join(CLIENTS)}.")
    try:
        hand_in(site().settings, reply(raw, found.to, words, known))
    except (Unanswerable, OSError, SMTPException) as why:
        return _shown(found, raw, "text", 422, f"Not sent: {why}.")
    return make_response(redirect(url_for("pages.mailbox", replied=found.to), 303))


@pages.post("/dev/mail/<mail>/reply.json")
def reply_as_json(mail: str) -> Response:
    """The same for programs: `{"words": …, "client": …}`; 202, or 422 with `{"detail": …}`."""
    found, raw = _found(mail)
    try:
        words, client = _asked()
        hand_in(site().settings, reply(raw, found.to, words, client))
    except (Unanswerable, OSError, SMTPException) as why:
        return _json({"detail": str(why)}, 422)
    return _json({"sent": True}, 202)


def _asked() -> tuple[str, Client]:
    """What a program wants to reply, and as which mail program. Raises Unanswerable."""
    said = request.get_json(silent=True) if request.mimetype == "application/json" else None
    words, client = (said.get("words"), said.get("client", CLIENTS[0])) if isinstance(said, dict) else (None, None)
    known = next((each for each in CLIENTS if each == client), None)
    if not isinstance(words, str) or not words.strip() or known is None:
        raise Unanswerable(f"send a JSON object with words, and perhaps a client of {', '.join(CLIENTS)}")
    return words.strip(), known


def _json(said: object, status: int = 200) -> Response:
    made = make_response(msgspec.json.encode(said), status)
    made.mimetype = "application/json"
    return made


def _shown(found: Mail, raw: bytes, view: str, status: int = 200, refused: str = "", *, preview: bool = False) -> Response:
    head, _, _ = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    words = {"frame": _framed(found, raw), "text": _linked(found), "headers": head.decode("utf-8", "replace"), "raw": raw.decode("utf-8", "replace")}
    answerable = b"\nreply-to:" in head.lower() and not preview
    said = {
        "mail": found,
        "page": "pages.preview" if preview else "pages.mail",
        "view": view,
        "views": VIEWS,
        "clients": CLIENTS,
        "refused": refused,
        "answerable": answerable,
        **words,
    }
    made = sheet("mail.html", status, **said)
    made.headers["Content-Security-Policy"] = MAIL_POLICY
    return made


@pages.get("/dev/mail/<mail>.eml")
def mail_file(mail: str) -> Response:
    """A mail, byte for byte as it came."""
    _, raw = _found(mail)
    made = make_response(raw)
    made.mimetype = "message/rfc822"
    made.headers["Content-Disposition"] = f'attachment; filename="forgepost-{mail}.eml"'
    return made


def _previews() -> Mailbox:
    return mailbox_of_previews(site().settings.data, site().settings.url)


def _only_here() -> None:
    """For nobody but the developer's own machine; elsewhere there is no such page. The name it was asked by counts too (DNS rebinding)."""
    if not site().settings.dev or not _loopback(request.remote_addr or "") or not _named_here():
        abort(404)


def _loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _named_here() -> bool:
    name = urlsplit(f"//{request.host}").hostname or ""
    return name == "localhost" or _loopback(name) or request.host == urlsplit(site().settings.url).netloc


def _found(mail: str) -> tuple[Mail, bytes]:
    _only_here()
    found, raw = site().mailbox.mail(mail), site().mailbox.raw(mail)
    if found is None or raw is None:
        abort(404, "There is no mail of this number in the mailbox; only the newest are kept.")
    return found, raw


def _framed(mail: Mail, raw: bytes) -> str:
    """The mail's HTML for a frame: pictures that came with it put in, links leading out of the frame."""
    html = mail.html
    for name, picture in _pictures(raw).items():
        html = html.replace(f"cid:{name}", picture)
    return f'<base target="_top">{html}'


def _pictures(raw: bytes) -> dict[str, str]:
    """The pictures in a mail by their content ids, as data addresses."""
    try:
        parts: list[Message] = list(message_from_bytes(raw).walk())
        found = {str(part.get("Content-ID", "")).strip("<> "): part for part in parts if part.get_content_maintype() == "image"}
        return {name: _data(part) for name, part in found.items() if name}
    except Exception:  # noqa: BLE001 - the parser raises all kinds of errors on mails from the wild
        return {}


def _data(part: Message) -> str:
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return f"data:{part.get_content_type()};base64,{b64encode(payload).decode()}"


def _linked(mail: Mail) -> Markup:
    """The mail's text with the links in it to click."""
    text, linked, end = mail.text, Markup(), 0
    for found in LINK.finditer(text):
        url = found[0].rstrip(".,;:!?)]")
        linked += escape(text[end : found.start()]) + Markup('<a href="{}">{}</a>').format(url, url)
        end = found.start() + len(url)
    return linked + escape(text[end:])
