"""Replies from a mailbox by IMAP, where no mail server hands them over: each is stored, then moved to a folder of its own, and none is deleted."""

from __future__ import annotations

import re
import ssl
from contextlib import suppress
from imaplib import IMAP4, IMAP4_SSL
from logging import getLogger
from threading import Event as Signal
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from domain.ports import LogUnavailable
from infra.inbox import LARGEST
from infra.mailbox import Envelope
from infra.wiring import Site

log = getLogger(__name__)

PORTS: Final = {"imaps": 993, "imap+starttls": 143, "imap": 143}
DONE: Final = "Forgepost"  # the folder for what was read
TIMEOUT: Final = 30.0  # seconds for each answer
AT_ONCE: Final = 50  # mails of one look
SIZE: Final = re.compile(rb"RFC822\.SIZE (\d+)")


class Poller:
    """Looks into the mailbox again and again. A mail that is neither moved nor known is stored; one that is known is only moved."""

    def __init__(self, site: Site) -> None:
        url = urlsplit(site.settings.imap_url)
        self._site, self._security, self._host = site, url.scheme, url.hostname or ""
        self._port = url.port or PORTS[url.scheme]
        self._login = unquote(url.username or ""), unquote(url.password or "")
        self._folder = unquote(url.path.strip("/")) or "INBOX"

    def run(self, stopped: Signal, pause: float) -> None:
        """Look until told to stop; trouble is said once, and tried again."""
        trouble = ""
        while not stopped.is_set():
            try:
                while self.look() == AT_ONCE and not stopped.is_set():
                    pass
            except (IMAP4.error, OSError, LogUnavailable) as gone:
                if str(gone) != trouble:
                    log.warning("the mailbox at %s cannot be read just now: %s", self._host, gone)
                trouble = str(gone)
            except Exception:
                log.exception("ALARM: the mailbox at %s could not be read; it is tried again", self._host)
            else:
                trouble = ""
            stopped.wait(pause)

    def look(self) -> int:
        """Take in what is there; how many mails that were. Raises IMAP4.error, OSError and LogUnavailable: what was not moved is still there."""
        with self._connected() as box:
            _said(box.login(*self._login))
            with suppress(IMAP4.error):  # it is there already
                box.create(_quoted(DONE))
            _said(box.select(_quoted(self._folder)))
            uids = _said(box.uid("SEARCH", "UNDELETED"))[0].split()[:AT_ONCE]
            for uid in uids:
                self._take(box, uid.decode())
            with suppress(IMAP4.error, OSError):  # whatever it says to goodbye
                box.logout()
            return len(uids)

    def _take(self, box: IMAP4, uid: str) -> None:
        size = SIZE.search(b"".join(part for part in _said(box.uid("FETCH", uid, "(RFC822.SIZE)")) if isinstance(part, bytes)))
        if size is None:
            return  # somebody else has moved it meanwhile
        if int(size[1]) > LARGEST:
            log.warning("a mail of %s bytes is too long to be a reply; it lies unread in %s", size[1].decode(), DONE)
        else:
            found = [part[1] for part in _said(box.uid("FETCH", uid, "(BODY.PEEK[])")) if isinstance(part, tuple)]
            if not found:
                return
            self._site.inbox.keep(found[0], Envelope("", (), self._site.clock()))
        self._move(box, uid)

    def _move(self, box: IMAP4, uid: str) -> None:
        """Only after it is stored. A crash before this brings the same mail again, which is known then."""
        if "MOVE" in box.capabilities:
            _said(box.uid("MOVE", uid, _quoted(DONE)))
            return
        _said(box.uid("COPY", uid, _quoted(DONE)))
        _said(box.uid("STORE", uid, "+FLAGS.SILENT", r"(\Deleted)"))
        if "UIDPLUS" in box.capabilities:
            _said(box.uid("EXPUNGE", uid))

    def _connected(self) -> IMAP4:
        if self._security == "imaps":
            return IMAP4_SSL(self._host, self._port, ssl_context=ssl.create_default_context(), timeout=TIMEOUT)
        box = IMAP4(self._host, self._port, timeout=TIMEOUT)
        if self._security == "imap+starttls":
            box.starttls(ssl.create_default_context())
        return box


def _said(answer: tuple[str, list[Any]]) -> list[Any]:
    """What the server answers, where it says OK."""
    status, said = answer
    if status != "OK":
        raise IMAP4.error(b" ".join(part for part in said if isinstance(part, bytes)).decode(errors="replace") or status)
    return said


def _quoted(folder: str) -> str:
    return '"{}"'.format(folder.replace("\\", "\\\\").replace('"', '\\"'))
