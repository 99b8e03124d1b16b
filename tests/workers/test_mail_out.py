"""One notice, one mail: a real mail server that takes it, wants it later, or does not want it at all."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.match.commands import Actor, CreateMatch, Hold, Invite, Leave, Open, Resign
from infra.ids import new_match_id
from infra.outbox import Notice
from tests.workers.office import Office
from workers import mail_out
from workers.mail_out import next_sending

MINUTE = 60_000


def turn(office: Office, *names: str) -> Notice:
    """The notice of the first turn of a match between people."""
    office.match(*(names or ("ann", "bo", "cy", "di")), undo_seconds=0)
    office.relay()
    return next(notice for notice in office.outbox() if notice.kind == "turn")


def reader(office: Office, notice: Notice) -> str:
    player = office.site.players.get(notice.player)
    assert player
    return player.address


def test_a_notice_is_mailed_once_however_many_jobs_there_are(office: Office):
    notice = turn(office)
    for _ in range(3):
        mail_out.send(office.site, notice)
    (mail,) = office.post.to(reader(office, notice))
    assert notice.match in mail["Subject"]
    assert notice not in office.outbox()


def test_a_name_from_before_names_were_looked_at_is_only_a_name(office: Office):
    notice = turn(office)
    office.site.redis.hset(f"player:{notice.player}", "name", "=?utf-8?q?a=0D=0ABcc=3A=20x=40y.z?=")
    mail_out.send(office.site, notice)
    (mail,) = office.post.to(reader(office, notice))
    assert mail.keys()[:5] == ["From", "To", "Date", "Subject", "Message-ID"]
    assert "Bcc" not in mail
    assert (mail["To"].addresses[0].addr_spec, len(mail["To"].addresses)) == (reader(office, notice), 1)
    (text, _) = mail.iter_parts()
    assert "=?utf-8?q?a=0D=0ABcc=3A=20x=40y.z?=, you play" in text.get_content()


def test_who_turned_an_invitation_down_is_named_to_whoever_opened_the_match(office: Office):
    ann, bo = office.player("ann"), office.player("bo")
    match = new_match_id(office.settings.partitions)
    opened = CreateMatch(Actor(ann.id, "web"), "fourfold", {}, {}, (Hold(ann.id), Invite(bo.id), Open(), Open()))
    office.site.desk.do(match, opened)
    office.site.desk.do(match, Leave(Actor(bo.id, "link")))
    office.relay()
    for notice in office.outbox():
        mail_out.send(office.site, notice)
    (mail,) = office.post.to(ann.address)
    (text, _) = mail.iter_parts()
    assert text.get_content().splitlines()[0] == "Bo declined the invitation"
    assert f"{office.settings.url}/m/" in text.get_content()
    assert office.post.to(bo.address) == []


def test_the_envelope_says_whose_mailbox_it_was_if_the_mail_bounces(office: Office):
    notice = turn(office)
    mail_out.send(office.site, notice)
    assert re.fullmatch(rf"b\+{notice.player}\.[0-9a-z]{{19}}@forgepost\.localhost", office.post.mails[0][0])


def test_a_turn_that_was_played_meanwhile_is_not_mailed(office: Office):
    notice = turn(office)
    office.site.desk.do(notice.match, Resign(Actor(notice.player, "web")))
    mail_out.send(office.site, notice)
    assert (office.post.mails, notice in office.outbox()) == ([], False)


def test_while_one_job_sends_another_does_not(office: Office):
    notice = turn(office)
    assert office.site.outbox.claim(notice, 60_000)
    mail_out.send(office.site, notice)
    assert (office.post.mails, notice in office.outbox()) == ([], True)


def test_a_mail_that_is_wanted_later_is_sent_later_as_the_same_mail(office: Office, caplog: pytest.LogCaptureFixture):
    notice = turn(office)
    address = reader(office, notice)
    office.post.says[address] = "451 4.7.1 come back in five minutes"
    before = office.site.clock()
    mail_out.send(office.site, notice)
    since = office.site.desk.look(notice.match).match.asks[0].asked
    assert office.outbox()[notice] == since + MINUTE > before
    assert "come back in five minutes" in caplog.text
    assert address not in caplog.text
    del office.post.says[address]
    mail_out.send(office.site, notice)
    assert len(office.post.to(address)) == 1


def test_a_mail_whose_acceptance_was_not_heard_is_sent_again_under_the_same_message_id(office: Office):
    notice = turn(office)
    office.post.data = "250 OK"
    mail_out.send(office.site, notice)
    office.site.outbox.schedule(int(notice.match[:2]), [(notice, 0)])  # as if `done` had never come
    mail_out.send(office.site, notice)
    first, second = office.post.to(reader(office, notice))
    assert first["Message-ID"] == second["Message-ID"]


def test_where_nobody_listens_the_next_try_is_soon(office: Office):
    notice = turn(office)
    office.post.close()
    before = office.site.clock()
    mail_out.send(office.site, notice)
    assert before + 5_000 <= office.outbox()[notice] <= office.site.clock() + 5_000
    office.post.open()
    mail_out.send(office.site, notice)
    assert len(office.post.mails) == 1


@pytest.mark.parametrize(
    ("age", "refused", "wait"),
    [
        (0, False, 1 * MINUTE),
        (0, True, 5_000),
        (59_999, True, 5_000),
        (1 * MINUTE, True, 5 * MINUTE),
        (1 * MINUTE, False, 5 * MINUTE),
    ],
)
def test_a_mail_server_that_does_not_listen_is_tried_at_once_for_a_minute(age: int, refused: bool, wait: int):
    assert next_sending(1_000, 1_000 + age, refused=refused) == 1_000 + age + wait


def test_a_mailbox_that_takes_no_mail_is_left_alone_and_the_others_are_told(office: Office, caplog: pytest.LogCaptureFixture):
    notice = turn(office)
    address = reader(office, notice)
    office.post.says[address] = "550 5.1.1 no such user"
    mail_out.send(office.site, notice)
    assert notice not in office.outbox()
    player = office.site.players.get(notice.player)
    assert player
    assert "550 5.1.1 no such user" in player.suppressed
    assert "550 5.1.1 no such user" in caplog.text
    assert address not in caplog.text

    del office.post.says[address]
    ask = office.site.desk.look(notice.match).match.ask(notice.seat)
    assert ask
    while office.site.desk.look(notice.match).match.ask(notice.seat) == ask:
        office.play(notice.match, ask)
    office.relay()
    for other in [other for other in office.outbox() if other.kind == "turn"]:
        mail_out.send(office.site, other)
    ((_, _, mail),) = office.post.mails
    body: Any = mail.get_body(("plain",))
    assert f"{notice.seat.capitalize()}: {player.name}, whom our mails do not reach" in body.get_content()

    office.site.players.confirm(notice.player)
    again = office.site.players.get(notice.player)
    assert again
    assert again.suppressed == ""


def test_a_mail_that_is_refused_itself_is_parked_with_an_alarm(office: Office, caplog: pytest.LogCaptureFixture):
    notice = turn(office)
    office.post.data = "554 5.6.0 this looks like spam"
    mail_out.send(office.site, notice)
    assert office.site.outbox.parked() == [notice]
    assert notice not in office.outbox()
    assert "ALARM" in caplog.text
    assert "this looks like spam" in caplog.text


def test_a_mail_that_cannot_be_made_is_parked_with_an_alarm_and_never_tried_again(office: Office, caplog: pytest.LogCaptureFixture):
    notice = turn(office)
    office.site.redis.hset(f"player:{notice.player}", "zone", "Middle/Earth")
    mail_out.send(office.site, notice)
    assert office.site.outbox.parked() == [notice]
    assert "ALARM" in caplog.text
    mail_out.send(office.site, notice)
    assert office.post.mails == []


def test_who_is_gone_gets_no_mail(office: Office):
    notice = turn(office)
    office.site.redis.delete(f"player:{notice.player}")
    mail_out.send(office.site, notice)
    assert (office.post.mails, notice in office.outbox()) == ([], False)


def test_every_mail_carries_the_head_signed_by_the_site(office: Office):
    notice = turn(office)
    mail_out.send(office.site, notice)
    ((_, _, mail),) = office.post.mails
    header, payload, signature = str(mail["Forgepost-Head"]).split(".")
    tip = office.site.desk.look(notice.match).tip
    assert _read(payload) == {"match": notice.match, "version": tip.version, "hash": tip.hash.hex()}
    public = next(key for key in office.site.signing.public() if key["kid"] == _read(header)["kid"])
    Ed25519PublicKey.from_public_bytes(_bytes(public["x"])).verify(_bytes(signature), f"{header}.{payload}".encode())


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _read(text: str) -> Any:
    return msgspec.json.decode(_bytes(text))
