"""Mail servers as they are: slow, greylisting, hanging up, away for hours. Nothing is lost, nothing comes twice, nothing too late to be true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes

import pytest

from infra.clock import now
from infra.mail.smtp import Mailer
from infra.outbox import Notice
from infra.wiring import Site
from tests.post import Post, serving
from tests.servers import PATIENT
from tests.workers.office import Office
from workers import mail_out

MINUTE = 60_000
HOUR = 60 * MINUTE


class Weather:
    """An office whose mail server misbehaves as it is told, and whose clock goes on when it is told to."""

    def __init__(self, office: Office, post: Post, port: int) -> None:
        self.office, self.post, self.ahead = office, post, 0
        self._post_office = replace(office.settings, smtp_url=f"smtp://127.0.0.1:{port}")
        self.site: Site = replace(office.site, mailer=Mailer(self._post_office), clock=lambda: now() + self.ahead)

    def waits(self, seconds: float) -> None:
        """From now on we wait for the mail server no longer than so."""
        self.site = replace(self.site, mailer=Mailer(self._post_office, timeout=seconds))

    def turn(self) -> Notice:
        """A turn that is to be mailed."""
        self.office.match("ann", "bo", "cy", "di", undo_seconds=0)
        self.office.relay()
        return next(notice for notice in self.office.outbox() if notice.kind == "turn")

    def passes(self, ms: int) -> None:
        """Time goes by, and whatever has become due is tried once."""
        self.ahead += ms
        for notice, at in self.office.outbox().items():
            if at <= self.site.clock() and notice.kind != "reminder":
                mail_out.send(self.site, notice)

    @property
    def ids(self) -> list[str]:
        """The Message-ID of every mail that the server has taken."""
        return [str(message_from_bytes(envelope.content)["Message-ID"]) for envelope in self.post.taken]


@pytest.fixture
def weather(office: Office) -> Iterator[Weather]:
    post = Post()
    with serving(post) as port:
        yield Weather(office, post, port)


def test_a_server_that_hangs_up_before_it_has_the_mail_gets_it_again_and_once(weather: Weather):
    weather.turn()
    for step in ("MAIL", "RCPT"):
        weather.post.hang_up_at = step
        weather.passes(HOUR // 4)
        assert weather.ids == []
    weather.post.hang_up_at = ""
    weather.passes(HOUR)
    weather.passes(HOUR)
    assert len(weather.ids) == 1


def test_a_server_that_hangs_up_after_it_had_the_mail_gets_the_very_same_mail_again(weather: Weather):
    weather.turn()
    weather.post.hang_up_at = "DATA"
    weather.passes(0)
    weather.post.hang_up_at = ""
    weather.passes(2 * MINUTE)
    weather.passes(HOUR)
    first, second = weather.ids
    assert first == second, "so that every mail program can tell that it is one mail"


def test_a_slow_server_and_one_that_wants_to_be_asked_twice_get_each_mail_once(weather: Weather):
    weather.turn()
    weather.post.delay = 0.5
    weather.waits(0.2)
    weather.passes(0)
    assert weather.ids == []
    weather.waits(PATIENT)
    weather.post.delay, weather.post.greylisted = 0, set()
    weather.passes(2 * MINUTE)
    assert weather.ids == []
    weather.passes(10 * MINUTE)
    weather.passes(HOUR)
    assert len(weather.ids) == 1


@pytest.mark.parametrize("step", ["mail_from", "rcpt", "data"])
def test_a_no_for_now_at_any_step_is_a_mail_later(weather: Weather, step: str):
    weather.turn()
    setattr(weather.post, step, "451 4.3.0 not now")
    for _ in range(5):
        weather.passes(HOUR)
    assert weather.ids == []
    setattr(weather.post, step, "250 OK")
    weather.passes(HOUR)
    weather.passes(HOUR)
    assert len(weather.ids) == 1


def test_what_was_played_while_the_server_was_away_is_never_mailed(weather: Weather):
    notice = weather.turn()
    weather.post.rcpt = "451 4.3.0 not now"
    weather.passes(0)
    ask = weather.site.desk.look(notice.match).match.ask(notice.seat)
    assert ask
    while weather.site.desk.look(notice.match).match.ask(notice.seat) == ask:
        weather.office.play(notice.match, ask)
    weather.office.relay()
    weather.post.rcpt = "250 OK"
    weather.passes(2 * HOUR)
    weather.passes(HOUR)
    mailed = [message_from_bytes(envelope.content) for envelope in weather.post.taken]
    assert [mail["Feedback-ID"].split(":")[2] for mail in mailed] == ["turn"], "the next turn, and nothing of the one before"
    assert notice not in weather.office.outbox()


def test_after_five_days_somebody_is_asked_to_look_and_nothing_is_thrown_away(weather: Weather, caplog: pytest.LogCaptureFixture):
    notice = weather.turn()
    weather.post.data = "451 4.3.0 not now"
    match = weather.site.desk.look(notice.match).match
    assert match.settings.clock.seconds == 259_200
    weather.passes(0)
    weather.passes(5 * 24 * HOUR + MINUTE)
    weather.passes(MINUTE)
    weather.passes(HOUR)
    assert "ALARM" in caplog.text
    assert [parked.kind for parked in weather.site.outbox.parked()] != []
