"""Replies from a mailbox: a real IMAP server, in which mails lie, are read, and are moved, and none is lost."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.message import EmailMessage
from imaplib import IMAP4
from pathlib import Path
from subprocess import DEVNULL, Popen
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest

from domain.ports import LogUnavailable
from infra.mail.inbox import LARGEST
from infra.wiring import Site
from tests.servers import PATIENT, free_port
from tests.workers.office import Office, until
from workers import imap
from workers.imap import Poller

USER, WORD = "replies", "demopass"


@contextmanager
def serving() -> Iterator[int]:
    """An IMAP server's port while it runs."""
    port = free_port()
    command = Path(sys.executable).with_name("pymap")
    process = Popen(
        [
            command,
            "--no-service",
            "admin",
            "--no-service",
            "managesieve",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--no-tls",
            "dict",
            "--demo-user",
            USER,
            "--demo-password",
            WORD,
        ],
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        until(lambda: _there(port))
        yield port
    finally:
        process.kill()
        process.wait()


def _there(port: int) -> bool:
    try:
        with IMAP4("127.0.0.1", port, timeout=PATIENT) as box:
            return bool(box.capabilities)
    except OSError:
        return False


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    with serving() as port:
        yield port


@pytest.fixture
def box(server: int) -> Iterator[IMAP4]:
    """The mailbox, empty."""
    with IMAP4("127.0.0.1", server, timeout=PATIENT) as box:
        box.login(USER, WORD)
        for folder in ("INBOX", "Forgepost"):
            if box.select(folder)[0] == "OK":
                box.uid("STORE", "1:*", "+FLAGS.SILENT", r"(\Deleted)")
                box.expunge()
        yield box


@pytest.fixture
def site(office: Office, server: int) -> Site:
    return replace(office.site, settings=replace(office.settings, imap_url=f"imap://{USER}:{WORD}@127.0.0.1:{server}/INBOX"))


def letter(number: int, size: int = 0) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = "ann@example.org", f"r+{'a' * 45}@forgepost.localhost", f"<{number}@example.org>"
    mail.set_content("board\n" + "x\n" * (size // 2))
    return mail.as_bytes().replace(b"\n", b"\r\n")


def lies(box: IMAP4, folder: str) -> int:
    """How many mails lie in a folder."""
    found: Any = box.select(folder, readonly=True)
    return int(found[1][0]) if found[0] == "OK" else 0


def test_mails_are_stored_and_then_moved(box: IMAP4, site: Site):
    for number in range(3):
        box.append("INBOX", "", "", letter(number))
    assert Poller(site).look() == 3
    assert site.inbox.waiting() == 3
    assert (lies(box, "INBOX"), lies(box, "Forgepost")) == (0, 3)
    assert Poller(site).look() == 0
    (first, _, _) = site.inbox.take(site.clock() + 1, 1000, 10)
    kept = site.inbox.open(first)
    assert kept is not None
    assert kept[0].endswith(b"board\r\n")


def test_a_mail_that_somebody_has_read_already_is_taken_all_the_same(box: IMAP4, site: Site):
    box.append("INBOX", r"(\Seen)", "", letter(1))
    assert Poller(site).look() == 1
    assert site.inbox.waiting() == 1


def test_a_store_that_is_away_leaves_the_mail_where_it_is(box: IMAP4, site: Site, monkeypatch: pytest.MonkeyPatch):
    box.append("INBOX", "", "", letter(1))

    def away(*_: object) -> bool:
        raise LogUnavailable("nobody answers")

    monkeypatch.setattr(type(site.inbox), "keep", away)
    with pytest.raises(LogUnavailable):
        Poller(site).look()
    assert (lies(box, "INBOX"), lies(box, "Forgepost")) == (1, 0)
    monkeypatch.undo()
    assert Poller(site).look() == 1
    assert site.inbox.waiting() == 1


def test_a_crash_between_storing_and_moving_brings_the_mail_again_and_it_is_known(box: IMAP4, site: Site, monkeypatch: pytest.MonkeyPatch):
    class Died(BaseException):
        pass

    def dies(*_: object) -> None:
        raise Died

    box.append("INBOX", "", "", letter(1))
    monkeypatch.setattr(imap, "_move", dies)
    with pytest.raises(Died):
        Poller(site).look()
    monkeypatch.undo()
    assert Poller(site).look() == 1
    assert site.inbox.waiting() == 1
    assert (lies(box, "INBOX"), lies(box, "Forgepost")) == (0, 1)


def test_a_server_that_cannot_move_has_its_mails_copied_and_marked(box: IMAP4, site: Site, monkeypatch: pytest.MonkeyPatch):
    box.append("INBOX", "", "", letter(1))
    monkeypatch.setattr(IMAP4, "capability", lambda _: ("OK", [b"IMAP4REV1"]))
    assert Poller(site).look() == 1
    assert Poller(site).look() == 0
    monkeypatch.undo()
    assert site.inbox.waiting() == 1
    assert lies(box, "Forgepost") == 1


def test_a_mail_that_is_too_long_is_put_aside_and_kept_there(box: IMAP4, site: Site):
    box.append("INBOX", "", "", letter(1, LARGEST))
    assert Poller(site).look() == 1
    assert site.inbox.waiting() == 0
    assert (lies(box, "INBOX"), lies(box, "Forgepost")) == (0, 1)


def test_a_mailbox_that_is_away_is_looked_into_again(site: Site, caplog: pytest.LogCaptureFixture):
    away = replace(site, settings=replace(site.settings, imap_url=f"imap://{USER}:{WORD}@127.0.0.1:{free_port()}/INBOX"))
    stopped = Signal()
    thread = Thread(target=Poller(away).run, args=(stopped, 0.01))
    thread.start()
    until(lambda: "cannot be read just now" in caplog.text)
    assert thread.is_alive()
    stopped.set()
    thread.join()
    assert caplog.text.count("cannot be read just now") == 1


def test_a_wrong_password_is_said(site: Site, server: int):
    wrong = replace(site, settings=replace(site.settings, imap_url=f"imap://{USER}:wrong@127.0.0.1:{server}/INBOX"))
    with pytest.raises(IMAP4.error):
        Poller(wrong).look()
