"""Replies from a mailbox by IMAP, where no mail server hands them over: each is stored, then moved to a folder of its own, and none is deleted."""

from __future__ import annotations

import re
from contextlib import suppress
from imaplib import IMAP4
from logging import getLogger
from threading import Event as Signal
from typing import Final
from urllib.parse import urlsplit

from domain.ports import LogUnavailable
from infra.mail.imap import folder_of, quoted, said, signed_in
from infra.mail.inbox import LARGEST
from infra.mail.mailbox import Envelope
from infra.wiring import Site

log = getLogger(__name__)

DONE: Final = "Forgepost"  # the folder for what was read
TIMEOUT: Final = 30.0  # seconds for each answer
AT_ONCE: Final = 50  # mails of one look
SIZE: Final = re.compile(rb"RFC822\.SIZE (\d+)")


class Poller:
    """Looks into the mailbox again and again. A mail that is neither moved nor known is stored; one that is known is only moved."""

    def __init__(self, site: Site) -> None:
        self._site, self._url = site, site.settings.imap_url
        self._host = urlsplit(self._url).hostname

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
        with signed_in(self._url, TIMEOUT) as box:
            with suppress(IMAP4.error):  # it is there already
                box.create(quoted(DONE))
            said(box.select(folder_of(self._url)))
            uids = said(box.uid("SEARCH", "UNDELETED"))[0].split()[:AT_ONCE]
            can = frozenset(said(box.capability())[0].decode().upper().split())  # more than it says to whoever has not signed in
            for uid in uids:
                if self._take(box, uid.decode()):
                    _move(box, uid.decode(), can)
            with suppress(IMAP4.error, OSError):  # whatever it says to goodbye
                box.logout()
            return len(uids)

    def _take(self, box: IMAP4, uid: str) -> bool:
        """Store a mail; False where somebody else has moved it meanwhile."""
        size = SIZE.search(b"".join(part for part in said(box.uid("FETCH", uid, "(RFC822.SIZE)")) if isinstance(part, bytes)))
        if size is None:
            return False
        if int(size[1]) > LARGEST:
            log.warning("a mail of %s bytes is too long to be a reply; it lies unread in %s", size[1].decode(), DONE)
        else:
            found = [part[1] for part in said(box.uid("FETCH", uid, "(BODY.PEEK[])")) if isinstance(part, tuple)]
            if not found:
                return False
            self._site.inbox.keep(found[0], Envelope("", (), self._site.clock()))
        return True


def _move(box: IMAP4, uid: str, can: frozenset[str]) -> None:
    """Only after it is stored. A crash before this brings the same mail again, which is known then."""
    if "MOVE" in can:
        said(box.uid("MOVE", uid, quoted(DONE)))
        return
    said(box.uid("COPY", uid, quoted(DONE)))
    said(box.uid("STORE", uid, "+FLAGS.SILENT", r"(\Deleted)"))
    if "UIDPLUS" in can:
        said(box.uid("EXPUNGE", uid))
