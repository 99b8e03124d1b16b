"""Fewer mails for whoever wants fewer: what waits becomes one mail, what has lost its cause is left out, and nothing is lost or told twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from threading import Thread
from typing import Any

import pytest

from infra.clock import now
from infra.outbox import Notice
from infra.people.players import Player
from infra.wiring import Site
from tests.workers.office import Office, until
from workers import mail_out
from workers.drafting import GATHERING

HOUR = 3_600_000


class Later:
    """The office's site, by a clock that is ahead as far as it is told."""

    def __init__(self, office: Office) -> None:
        self.office, self.ahead = office, 0
        self.site: Site = replace(office.site, clock=lambda: now() + self.ahead)

    def send_due(self) -> None:
        """Send whatever is due, as long as anything is."""
        self.office.relay()
        while due := [notice for notice, at in self.office.outbox().items() if at <= self.site.clock()]:
            for notice in due:
                mail_out.send(self.site, notice)

    def pass_by(self, ms: int) -> None:
        self.ahead += ms
        self.send_due()


@pytest.fixture
def later(office: Office) -> Later:
    return Later(office)


def mails(office: Office, player: Player, kind: str = "") -> list[EmailMessage]:
    return office.post.to(player.address, kind)


def text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body
    said: str = body.get_content()
    return said.replace("\r\n", "\n")


@pytest.fixture
def ann(office: Office) -> Player:
    return office.player("ann")


def asked(office: Office, ann: Player, number: int, **settings: Any) -> list[str]:
    """The ids of so many matches in which she is asked now; one in which the lots call on the others alone, to its end, is none of them."""
    found: list[str] = []
    while len(found) < number:
        match = office.match("ann", "bo", "cy", "di", options={"goals_to_win": 10}, undo_seconds=0, **settings).match
        while match.asks and match.chair(match.asks[0].seat).player != ann.id:
            match = office.play(match.id, match.asks[0]).match
        found += [match.id] if match.asks else []
    return found


def test_one_mail_a_day_tells_all_turns_that_wait_and_comes_once(office: Office, later: Later, ann: Player):
    site = office.site
    hour = (int(now() / HOUR) + 2) % 24
    site.preferring.choose(ann.id, {"cadence": "daily", "hour": hour})
    first, second = asked(office, ann, 2)
    later.send_due()
    assert mails(office, ann) == []
    later.pass_by(2 * HOUR)
    (mail,) = mails(office, ann)
    assert mail["Subject"] == "Forgepost: 2 turns wait for you"
    assert (mail["In-Reply-To"], mail["List-Id"]) == (None, f"Forgepost digests <digests.{office.settings.mail_domain}>")
    for match in (first, second):
        assert f"Fourfold {match}\nIt is your turn (you play " in text(mail)
    assert len(site.baskets.held(ann.id)) == 0
    later.pass_by(24 * HOUR)
    assert len(mails(office, ann)) == 1


def test_a_single_turn_comes_as_its_own_mail_with_board_and_thread(office: Office, later: Later, ann: Player):
    office.site.preferring.choose(ann.id, {"cadence": "every", "hours": 6})
    (match,) = asked(office, ann, 1)
    later.send_due()
    later.pass_by(GATHERING)
    (mail,) = mails(office, ann)
    assert mail["Subject"] == f"Fourfold {match}: your match"
    asked(office, ann, 2)
    later.pass_by(5 * HOUR)
    assert len(mails(office, ann)) == 1
    later.pass_by(HOUR)
    assert [mail["Subject"] for mail in mails(office, ann)[1:]] == ["Forgepost: 2 turns wait for you"]


def test_what_was_played_meanwhile_is_left_out_and_where_nothing_is_left_no_mail_comes(office: Office, later: Later, ann: Player):
    office.site.preferring.choose(ann.id, {"cadence": "daily", "hour": (int(now() / HOUR) + 3) % 24, "reminders": []})
    (match,) = asked(office, ann, 1)
    later.send_due()
    assert len(office.site.baskets.held(ann.id)) == 1
    sight = office.site.desk.look(match)
    while ask := next((ask for ask in sight.match.asks if sight.match.chair(ask.seat).player == ann.id), None):
        sight = office.play(match, ask)
    later.pass_by(3 * HOUR)
    assert (mails(office, ann), office.site.baskets.held(ann.id)) == ([], {})


def test_a_turn_that_the_daily_mail_would_tell_too_late_is_told_at_once(office: Office, later: Later, ann: Player):
    office.site.preferring.choose(ann.id, {"cadence": "daily", "hour": (int(now() / HOUR) + 3) % 24})
    asked(office, ann, 1, clock={"kind": "per-turn", "seconds": 3600})
    later.send_due()
    assert len(mails(office, ann, "turn")) == 1


def test_a_reminder_comes_also_between_daily_mails_and_none_to_whoever_wants_none(office: Office, later: Later, ann: Player):
    site = office.site
    site.preferring.choose(ann.id, {"cadence": "daily", "hour": (int(now() / HOUR) + 23) % 24, "reminders": ["10%"]})
    (match,) = asked(office, ann, 1)
    later.pass_by(8 * HOUR)
    assert len(mails(office, ann, "reminder")) == 1
    assert mails(office, ann, "turn") == []
    site.preferring.choose(ann.id, {"cadence": "off"}, match)
    later.pass_by(24 * HOUR)
    assert len(mails(office, ann)) == 1


def test_who_stopped_the_mails_about_a_match_gets_those_about_others(office: Office, later: Later, ann: Player):
    silent, loud = asked(office, ann, 2)
    office.site.preferring.silence(ann.id, silent)
    later.send_due()
    assert [mail["Subject"] for mail in mails(office, ann)] == [f"Fourfold {loud}: your match"]


def test_in_quiet_hours_nothing_comes_and_afterwards_one_mail_tells_all(office: Office, later: Later, ann: Player):
    hour = int(now() / HOUR) % 24
    office.site.preferring.choose(ann.id, {"quiet": {"start": hour, "end": (hour + 3) % 24}})
    asked(office, ann, 2)
    later.send_due()
    assert mails(office, ann) == []
    later.pass_by(3 * HOUR)
    assert [mail["Subject"] for mail in mails(office, ann)] == ["Forgepost: 2 turns wait for you"]


def test_after_a_long_silence_of_the_mail_server_one_mail_tells_what_still_counts(office: Office, later: Later, ann: Player):
    office.post.close()
    first, second, third = asked(office, ann, 3)
    later.send_due()
    later.ahead += HOUR
    office.post.open()
    sight = office.site.desk.look(first)
    while ask := next((ask for ask in sight.match.asks if sight.match.chair(ask.seat).player == ann.id), None):
        sight = office.play(first, ask)
    later.send_due()
    later.pass_by(GATHERING + 1_000)
    told = [text(mail) for mail in mails(office, ann)]
    assert len(told) == 1
    assert [match in told[0] for match in (first, second, third)] == [False, True, True]


def test_a_digest_that_is_wanted_later_is_sent_later_as_the_same_mail_and_nothing_of_it_is_lost(office: Office, later: Later, ann: Player):
    office.site.preferring.choose(ann.id, {"cadence": "every", "hours": 6})
    asked(office, ann, 2)
    office.post.says[ann.address] = "451 4.7.1 come back in five minutes"
    later.send_due()
    later.pass_by(GATHERING)
    assert (mails(office, ann), len(office.site.baskets.held(ann.id))) == ([], 2)
    del office.post.says[ann.address]
    later.pass_by(10 * 60_000)
    assert [mail["Subject"] for mail in mails(office, ann)] == ["Forgepost: 2 turns wait for you"]
    assert office.site.baskets.held(ann.id) == {}


def test_two_workers_never_empty_one_basket_at_once(office: Office, later: Later, ann: Player, redis_notice: Callable[[], list[Notice]]):
    office.site.preferring.choose(ann.id, {"cadence": "every", "hours": 1})
    asked(office, ann, 2)
    later.send_due()
    digests = redis_notice()
    later.ahead += GATHERING + 2_000
    office.post.hanging = True
    slow = Thread(target=mail_out.send, args=(later.site, digests[0]))
    slow.start()
    until(lambda: office.post.kept_waiting)
    extra = Notice("digest", "", ann.id, "", 0, 0, 0, again=digests[0].again + 1)
    office.site.outbox.schedule(0, [(extra, 0)])
    mail_out.send(later.site, extra)
    assert extra in office.outbox()
    office.post.hanging = False
    slow.join()
    later.pass_by(HOUR)
    assert [mail["Subject"] for mail in mails(office, ann)] == ["Forgepost: 2 turns wait for you"]


@pytest.fixture
def redis_notice(office: Office) -> Callable[[], list[Notice]]:
    """The digests that are in the outbox."""
    return lambda: [notice for notice in office.outbox() if notice.kind == "digest"]


def test_the_real_processes_mail_what_has_come_together(office: Office, ann: Player):
    office.site.preferring.choose(ann.id, {"cadence": "every", "hours": 6})
    asked(office, ann, 2)
    office.start("worker", "notices")
    office.start("clock")
    until(lambda: mails(office, ann))
    assert [mail["Subject"] for mail in mails(office, ann)] == ["Forgepost: 2 turns wait for you"]


def test_who_is_erased_leaves_no_basket(office: Office, later: Later, ann: Player):
    office.site.preferring.choose(ann.id, {"cadence": "daily", "hour": (int(now() / HOUR) + 3) % 24})
    asked(office, ann, 1)
    later.send_due()
    office.site.baskets.note_mail(ann.id, 1)
    office.site.baskets.forget(ann.id)
    assert [key for key in office.site.redis.keys("*") if b"basket" in key or b"mailed" in key] == []
