"""`forgepost mail`: what is stuck is listed with its cause, tried again or dropped; and a test mail tells how the way is."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from infra.mail.mailbox import Envelope
from infra.outbox import Held, Notice
from tests.service.commands.calling import forgepost
from tests.workers.office import PROJECT, Office
from workers import mail_out
from workers.inbound.road import deal

MINUTE = 60_000


@pytest.fixture
def stuck(office: Office) -> Notice:
    """A turn that the mail server did not take, as it looked like spam."""
    office.match("ann", "bo", "cy", "di", undo_seconds=0)
    office.relay()
    notice = next(notice for notice in office.outbox() if notice.kind == "turn")
    office.post.open()
    office.post.data = "554 5.6.0 this looks like spam"
    mail_out.send(office.site, notice)
    return notice


def name_of(notice: Notice) -> str:
    return Held(notice, 0).name


def test_a_mail_that_is_stuck_is_listed_with_its_cause_and_tried_again(office: Office, stuck: Notice):
    listed = forgepost("mail", "parked").output
    assert listed.startswith(f"{name_of(stuck)}  turn of match {stuck.match} to {stuck.player}, parked 20")
    assert listed.endswith(": the mail server refuses the mail: 554 5.6.0 this looks like spam\n")
    office.post.data = "250 OK"
    done = forgepost("mail", "retry", name_of(stuck))
    assert (done.exit_code, done.output) == (0, f"{name_of(stuck)}  turn of match {stuck.match} to {stuck.player}: is tried again\n")
    mail_out.send(office.site, stuck)
    assert len(office.post.mails) == 1
    assert forgepost("mail", "parked").output == "nothing is parked\n"


def test_a_mail_is_dropped_for_good_only_by_somebody_who_is_sure(office: Office, stuck: Notice):
    assert forgepost("mail", "drop", name_of(stuck)).exit_code == 1  # nobody says yes
    assert office.site.outbox.parked() == [stuck]
    done = forgepost("mail", "drop", "--all", "--yes")
    assert (done.exit_code, done.output) == (0, f"{name_of(stuck)}  turn of match {stuck.match} to {stuck.player}: is dropped\n")
    assert office.site.outbox.parked() == []
    assert stuck not in office.outbox()


@pytest.mark.parametrize("command", ["retry", "drop"])
def test_what_is_meant_must_be_named_and_be_there(office: Office, command: str):
    done = forgepost("mail", command)
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        2,
        "Error: name what is meant (forgepost mail parked lists it), or give --all",
    )
    done = forgepost("mail", command, "0123456789")
    assert (done.exit_code, done.output) == (1, "Error: 0123456789: nothing of that name is parked; forgepost mail parked lists what is\n")


def test_what_waits_is_listed_with_what_was_in_its_way(office: Office):
    office.match("ann", "bo", "cy", "di", undo_seconds=0)
    office.relay()
    notice = next(notice for notice in office.outbox() if notice.kind == "turn")
    mail_out.send(office.site, notice)  # nobody listens there
    lines = forgepost("mail", "waiting").output.splitlines()
    (line,) = [line for line in lines if line.startswith(name_of(notice))]
    assert f"  turn of match {notice.match} to {notice.player}, in " in line
    assert "; put off: the mail server 127.0.0.1:" in line
    assert line.endswith(" cannot be used: [Errno 111] Connection refused")
    assert lines[-1] == "2 wait, 1 of them because they could not be sent before"  # the other is the reminder


def test_whom_mail_does_not_reach_is_listed_and_gets_it_again(office: Office):
    ann = office.player("ann")
    office.site.players.suppress(ann.id, "550 5.1.1 no such user")
    assert forgepost("mail", "suppressed").output == f"{ann.id}  {ann.name}  <{ann.address}>: 550 5.1.1 no such user\n"
    assert forgepost("mail", "suppressed", "--lift", ann.address).output == f"{ann.id}  {ann.name}  <{ann.address}> gets mail again\n"
    assert forgepost("mail", "suppressed").output == "nobody is suppressed\n"
    nobody = forgepost("mail", "suppressed", "--lift", "zoe@example.org")
    assert (nobody.exit_code, nobody.output) == (1, "Error: there is no player zoe@example.org; forgepost player list shows them all\n")


def mail_test(to: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own: it ends as another program."""
    command = [sys.executable, "-W", "error", "-m", "service.cli", "mail", "test", to]
    return subprocess.run(command, env={**os.environ, **environ}, cwd=PROJECT, capture_output=True, text=True, check=False)


def test_a_test_mail_goes_the_way_of_all_mails_and_tells_how_it_went(office: Office, tmp_path: Path):
    key = tmp_path / "dkim.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)], check=True, capture_output=True)
    office.post.open()
    done = mail_test("Zoe@Example.org", DKIM_KEYS=f"ed:{key}", MAIL_DOMAIN="turns.example.org")
    assert (done.returncode, done.stderr) == (0, "")
    ((sender, to, mail),) = office.post.mails
    said = done.stdout.splitlines()
    assert (to, mail["From"], mail["Auto-Submitted"]) == ("Zoe@example.org", "Forgepost <play@turns.example.org>", "auto-generated")
    assert said[:6] == [
        "To           Zoe@example.org",
        "From         play@turns.example.org",
        f"Return path  {sender}",
        "Reply-To     r+trial@turns.example.org",
        f"Message-ID   {mail['Message-ID']}",
        "DKIM         signed by ed._domainkey.turns.example.org (ed25519-sha256)",
    ]
    assert sender.startswith("b+trial.")
    assert "d=turns.example.org; " in str(mail["DKIM-Signature"])
    assert said[6] == "Sent         the mail server took it: 250 OK"
    assert said[-1].endswith(f"the mail went no further than {office.settings.url}/dev/mail.")


def test_a_test_mail_that_is_not_taken_says_why(office: Office):
    office.post.open()
    office.post.says["zoe@example.org"] = "550 5.7.1 relaying denied"
    done = mail_test("zoe@example.org")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-2:] == [
        "NOT sent     the mail server refuses mail for zoe@example.org: 550 5.7.1 relaying denied",
        "A player's mail would not be sent either.",
    ]
    office.post.close()
    done = mail_test("zoe@example.org")
    assert done.returncode == 1
    assert "NOT sent     the mail server 127.0.0.1:" in done.stdout


def test_a_test_mail_to_no_address_is_not_tried(office: Office):
    done = mail_test("zoe")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: ")


def test_what_came_in_is_listed_with_what_became_of_it(office: Office):
    assert forgepost("mail", "received").output == "no mail has come in yet\n"
    office.site.inbox.keep(b"Subject: hello\r\n\r\nhello\r\n", Envelope("zoe@example.org", ("r+trial@forgepost.localhost",), office.site.clock()))
    assert forgepost("mail", "received").output == "1 wait to be dealt with\n"
    (mail,) = office.site.inbox.take(office.site.clock(), 1000, 10)
    deal(office.site, mail)
    line = forgepost("mail", "received").output
    assert re.fullmatch(r"20[0-9TZ:.-]+  stray: .+\n", line), line


@pytest.fixture
def unopenable(office: Office) -> str:
    """A mail that came in and cannot be opened, by its name."""
    raw = b"Subject: \x1b[2J\r\n\r\n" + b"--b\r\n" * 2_000
    office.site.inbox.keep(raw, Envelope("zoe@example.org", ("play@forgepost.localhost",), office.site.clock()))
    (mail,) = office.site.inbox.take(office.site.clock(), 1000, 10)
    deal(office.site, mail)
    return f"in-{mail[:10]}"


def test_a_mail_that_came_in_and_cannot_be_dealt_with_is_listed_shown_and_tried_again(office: Office, unopenable: str):
    said = f"{unopenable}  came in from zoe@example.org, 10017 bytes"
    line = forgepost("mail", "parked").output
    assert line.startswith(f"{said}, parked 20")
    assert line.endswith(": it has far too many parts\n")
    shown = forgepost("mail", "show", unopenable)
    assert (shown.exit_code, shown.stdout_bytes[:15]) == (0, b"Subject: \x1b[2J\r\n")
    assert forgepost("mail", "retry", unopenable).output == f"{said}: is tried again\n"
    assert office.site.inbox.waiting() == 1


def test_a_mail_that_came_in_is_dropped_for_good_only_by_somebody_who_is_sure(office: Office, unopenable: str):
    assert forgepost("mail", "drop", unopenable).exit_code == 1  # nobody says yes
    assert len(office.site.inbox.parked()) == 1
    assert forgepost("mail", "drop", "--all", "--yes").output.endswith(": is dropped\n")
    assert forgepost("mail", "parked").output == "nothing is parked\n"


def test_a_mail_that_is_to_be_sent_has_nothing_to_show_but_why_it_is_not(office: Office, stuck: Notice):
    assert forgepost("mail", "show", name_of(stuck)).output.endswith(
        ": it is not written yet, and cannot be sent: the mail server refuses the mail: 554 5.6.0 this looks like spam\n"
    )


def test_a_terminal_gets_no_control_characters_of_others(office: Office, unopenable: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("service.commands.mail._to_a_terminal", lambda: True)
    shown = forgepost("mail", "show", unopenable).output
    assert shown.startswith("from zoe@example.org to play@forgepost.localhost\n\nSubject: \\x1b[2J\n\n--b\n")
