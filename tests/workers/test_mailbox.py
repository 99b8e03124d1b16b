"""The development mailbox: a mail server on this machine that keeps what it is given."""

from __future__ import annotations

import signal
from email.message import EmailMessage

from infra.mail.smtp import POLICY, Mailer, TryLater
from tests.servers import PATIENT
from tests.workers.office import Office, until


def letter() -> EmailMessage:
    message = EmailMessage(policy=POLICY)
    message["From"] = "play@forgepost.localhost"
    message["To"] = "ann@example.org"
    message["Subject"] = "Fourfold 07-0000000001: your match"
    message.set_content("It is your turn.\n\nPlay here:\nhttp://127.0.0.1:8000/m/abc\n")
    return message


def test_a_mail_that_was_sent_is_in_the_mailbox(office: Office):
    office.post.close()
    process = office.start("mailbox", "--port", str(office.post.port))
    mailer = Mailer(office.settings)

    def sent() -> bool:
        try:
            mailer.send(letter(), "ann@example.org", "b+p-0000000000@forgepost.localhost")
        except TryLater:
            return False
        return True

    until(sent)
    (mail,) = office.site.mailbox.mails()
    assert (mail.to, mail.subject, mail.links) == ("ann@example.org", "Fourfold 07-0000000001: your match", ("http://127.0.0.1:8000/m/abc",))
    second = office.start("mailbox", "--port", str(office.post.port))
    assert second.wait(PATIENT) == 1
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENT) == 0
