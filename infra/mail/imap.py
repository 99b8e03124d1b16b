"""A mailbox by IMAP: the connection, encrypted as its address says, and the sign-in."""

from __future__ import annotations

import ssl
from imaplib import IMAP4, IMAP4_SSL
from typing import Any, Final
from urllib.parse import unquote, urlsplit

PORTS: Final = {"imaps": 993, "imap+starttls": 143, "imap": 143}


def signed_in(url: str, timeout: float) -> IMAP4:
    """The mailbox at `imaps://user:password@host/FOLDER`, before a folder is chosen. Raises IMAP4.error and OSError; `timeout` is in seconds."""
    place = urlsplit(url)
    box = _connected(place.scheme, place.hostname or "", place.port or PORTS[place.scheme], timeout)
    try:
        said(box.login(unquote(place.username or ""), unquote(place.password or "")))
    except BaseException:
        box.shutdown()
        raise
    return box


def folder_of(url: str) -> str:
    """The folder in such an address, as IMAP wants it."""
    return quoted(unquote(urlsplit(url).path.strip("/")) or "INBOX")


def said(answer: tuple[str, list[Any]]) -> list[Any]:
    """What the server answers, where it says OK. Raises IMAP4.error."""
    status, words = answer
    if status != "OK":
        raise IMAP4.error(b" ".join(part for part in words if isinstance(part, bytes)).decode(errors="replace") or status)
    return words


def quoted(folder: str) -> str:
    """A folder's name as it stands in a command."""
    return '"{}"'.format(folder.replace("\\", "\\\\").replace('"', '\\"'))


def _connected(security: str, host: str, port: int, timeout: float) -> IMAP4:
    if security == "imaps":
        return IMAP4_SSL(host, port, ssl_context=ssl.create_default_context(), timeout=timeout)
    box = IMAP4(host, port, timeout=timeout)
    if security == "imap+starttls":
        try:
            box.starttls(ssl.create_default_context())
        except BaseException:
            box.shutdown()
            raise
    return box
