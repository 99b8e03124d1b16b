"""House bots: players like others, who never keep anybody waiting."""

from __future__ import annotations

from threading import Thread

from domain.match.commands import Actor, Offer
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
