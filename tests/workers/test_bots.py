"""House bots: players like others, who never keep anybody waiting."""

from __future__ import annotations

from threading import Thread

import pytest

from domain.games import GAMES
from domain.match.commands import Actor, Offer
from domain.ports import LogUnavailable
from infra.outbox import Notice
from tests.workers.office import Office
from workers import bots


def asked_bot(office: Office) -> tuple[str, Notice]:
    """A match in which a house bot is asked, and the notice that tells it."""
    match = office.match("bot", "ann", "bot", "bo").match.id
    while (asked := office.site.desk.look(match).match).chair(asked.asks[0].seat).bot is None:
        office.play(match, asked.asks[0])
    office.relay()
    return match, next(notice for notice in office.outbox() if notice.kind == "bot")


def by_bots(office: Office, match: str) -> list[bytes]:
    """Who did what a bot chose."""
    return [bytes(line.by) for line in office.site.desk.history(match) if b'"via":"bot"' in bytes(line.by)]


def test_a_bot_plays_until_it_is_not_asked_any_more(office: Office):
    match, notice = asked_bot(office)
    bots.play(office.site, notice)
    ask = office.site.desk.look(match).match.ask(notice.seat)
    assert ask is None or ask.version != notice.ask
    assert f'"player":"{notice.player}"'.encode() in by_bots(office, match)[0]
    assert notice not in office.outbox()


def test_a_bot_that_is_told_twice_plays_once(office: Office):
    match, notice = asked_bot(office)
    bots.play(office.site, notice)
    version = office.site.desk.look(match).match.version
    bots.play(office.site, notice)
    assert office.site.desk.look(match).match.version == version


def test_two_jobs_for_one_bot_at_the_same_time_do_no_harm(office: Office):
    match, notice = asked_bot(office)
    jobs = [Thread(target=bots.play, args=(office.site, notice)) for _ in range(4)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    after = office.site.desk.look(match).match
    ask = after.ask(notice.seat)
    assert ask is None or ask.version != notice.ask
    plies = [line.ply for line in office.site.desk.history(match) if line.type == "action.taken"]
    assert [int(bytes(ply)) for ply in plies] == list(range(1, len(plies) + 1))


def test_a_bot_that_fails_is_an_alarm_once_and_tried_ever_more_seldom(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    match, notice = asked_bot(office)

    def stumble(*_: object) -> None:
        raise ZeroDivisionError("no way to go")

    with monkeypatch.context() as broken:
        broken.setitem(GAMES["fourfold"].bots, "random", stumble)
        before = office.site.clock()
        for _ in range(3):
            bots.play(office.site, notice)
    assert before + 60_000 <= office.outbox()[notice] <= office.site.clock() + 60_000
    alarm, second, third = caplog.records
    assert (alarm.levelname, alarm.getMessage()[:29]) == ("ERROR", "ALARM: a house bot fails at N")
    assert alarm.exc_info
    assert (second.levelname, third.levelname) == ("WARNING", "WARNING")
    assert second.getMessage().endswith("no way to go")
    bots.play(office.site, notice)
    assert notice not in office.outbox()
    assert by_bots(office, match)


def test_a_bot_without_a_log_raises_so_that_the_outbox_brings_it_back(office: Office, monkeypatch: pytest.MonkeyPatch):
    _, notice = asked_bot(office)
    at = office.outbox()[notice]

    def gone(*_: object) -> None:
        raise LogUnavailable("Redis is away")

    monkeypatch.setattr(office.site.desk, "do", gone)
    with pytest.raises(LogUnavailable):
        bots.play(office.site, notice)
    assert office.outbox()[notice] == at


def test_bots_agree_to_end_a_match(office: Office):
    match, _ = asked_bot(office)
    ann = next(chair.player for chair in office.site.desk.look(match).match.chairs if chair.player and not chair.bot)
    office.site.desk.do(match, Offer(Actor(ann, "web")))
    office.relay()
    offered = [notice for notice in office.outbox() if notice.kind == "bot-offer"]
    for notice in [*offered, *offered]:
        bots.answer(office.site, notice)
    pending = office.site.desk.look(match).match.offer
    assert pending
    assert pending.agreed == {ann, *(notice.player for notice in offered)}
    assert len(offered) == 2
