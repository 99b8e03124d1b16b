"""Mails that come back: when a mailbox is left alone, and that the others in its match are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infra.clock import now
from infra.listing import row
from infra.mail.bounces import bounced
from infra.people.players import Player
from infra.wiring import Site
from tests.workers.office import Office
from workers import mail_out
from workers.letters.envelope import Addresses

DAY = 86_400_000


@pytest.fixture
def ann(office: Office) -> Player:
    return office.player("ann")


def after(office: Office, days: float) -> Site:
    """The site so many days from now."""
    return replace(office.site, clock=lambda: now() + int(days * DAY))


def suppressed(office: Office, player: Player) -> str:
    known = office.site.players.get(player.id)
    assert known
    return known.suppressed


def test_a_mailbox_that_is_gone_is_left_alone_at_once(office: Office, ann: Player):
    assert bounced(office.site, ann.id, "550 5.1.1 no such user", hard=True)
    assert suppressed(office, ann) == "550 5.1.1 no such user"
    assert not bounced(office.site, ann.id, "550 again", hard=True), "that is known"


def test_one_that_fails_now_and_then_is_left_alone_when_it_fails_for_days(office: Office, ann: Player):
    assert [bounced(after(office, day), ann.id, "452 full", hard=False) for day in (0, 0.1, 0.5, 1, 1.2, 2)] == [False] * 6
    assert suppressed(office, ann) == ""
    assert bounced(after(office, 3), ann.id, "452 full", hard=False)
    assert suppressed(office, ann) == "452 full"


def test_what_failed_long_ago_is_forgotten(office: Office, ann: Player):
    assert [bounced(after(office, day), ann.id, "452 full", hard=False) for day in (0, 1, 2, 23, 44, 65)] == [False] * 6
    assert suppressed(office, ann) == ""


def test_whoever_answers_begins_anew(office: Office, ann: Player):
    for day in range(4):
        bounced(after(office, day), ann.id, "452 full", hard=False)
    assert suppressed(office, ann)
    office.site.players.confirm(ann.id)
    assert not bounced(after(office, 5), ann.id, "452 full", hard=False)


def test_the_others_in_running_matches_are_told_once_and_not_if_it_has_passed(office: Office, ann: Player):
    sight = office.match("ann", "bo", "cy", "bot", undo_seconds=0)
    waiting = office.match("ann", "bo", "bot", "di", undo_seconds=0)
    for match in (sight.match, waiting.match):
        office.site.listing.record(row(match))
    bounced(office.site, ann.id, "550 gone", hard=True)
    told = {notice.player for notice in office.outbox() if notice.kind == "unreachable" and notice.match == sight.match.id}
    assert told == {office.player("bo").id, office.player("cy").id}
    to_bo = [notice for notice in office.outbox() if notice.kind == "unreachable" and notice.player == office.player("bo").id]
    assert len(to_bo) == 2
    mail_out.send(office.site, to_bo[0])
    (mail,) = office.post.to("bo@example.org", "unreachable")
    body = mail.get_body(("plain",))
    assert body
    assert "Our mails do not reach ann" in body.get_content()
    office.site.players.confirm(ann.id)
    mail_out.send(office.site, to_bo[1])
    assert len(office.post.to("bo@example.org", "unreachable")) == 1


def test_what_comes_back_names_whose_mail_it_was_by_its_address(office: Office, ann: Player):
    addresses = Addresses(office.site.keys, office.settings.mail_domain)
    assert addresses.bounced(addresses.bounce(ann.id)) == ann.id
