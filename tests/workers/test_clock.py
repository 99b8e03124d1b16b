"""The clock and the workers as real processes: what is due is done, whoever dies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from threading import Event as Signal
from time import sleep
from typing import Any, TypeVar

from domain.match.commands import Actor, Resign, Submit
from domain.ports import LogUnavailable
from infra.beats import Beats
from infra.redis_log import keys
from tests.workers.office import Office, until
from workers.clock import Clock

T = TypeVar("T")


def test_a_person_plays_a_whole_match_against_bots_and_every_turn_comes_by_mail(office: Office):
    office.start_all()
    match = office.match("ann", "bot", "bot", "bot", options={"goals_to_win": 1, "max_runners": 8}).match.id
    answered: list[int] = []
    while office.site.desk.look(match).match.status == "live":
        until(lambda: len(office.post.mails) > sum(answered))
        answered.append(len(office.post.mails) - sum(answered))
        play_all(office, match)
    over = until(lambda: office.post.to("ann@example.org", "over"))
    assert len(over) == 1
    ids = [str(mail["Message-ID"]) for _, _, mail in office.post.mails]
    assert len(ids) == len(set(ids)), "no mail came twice"
    assert len({str(mail["References"]) for _, _, mail in office.post.mails}) == 1
    ann = office.player("ann").id
    until(lambda: office.site.listing.find(viewer=ann, status="over", player=ann)[0])
    until(lambda: {notice.kind for notice in office.outbox()} <= {"turn"})  # only the rest of a turn that Ann had begun and finished


def play_all(office: Office, match: str) -> None:
    """Ann plays what she is asked, to the end of her turn."""
    ann = office.player("ann").id
    while (now := office.site.desk.look(match).match).status == "live" and now.chair(now.asks[0].seat).player == ann:
        action = next(iter(now.game.legal(now.state, now.asks[0].seat)))
        insist(partial(office.site.desk.do, match, Submit(Actor(ann, "link"), now.asks[0].seat, now.ply, (action,))))


def insist(do: Callable[[], T]) -> T:
    """Ask again where the log says that it wrote nothing: a process that was killed may have been comparing it with the witness."""

    def done() -> T | None:
        try:
            return do()
        except LogUnavailable:
            return None

    answer: T = until(done)
    return answer


def test_a_reminder_comes_when_four_fifths_of_the_time_have_gone(office: Office):
    office.start_all()
    until(lambda: all(office.site.redis.exists(name) for name in ("rq:workers:notices", "rq:workers:deadlines", "{ops}:beats")))
    now = office.site.clock()
    match = office.match("ann", "bo", "cy", "di", began=now - 232_000, clock={"kind": "per-turn", "seconds": 300}).match
    (ask,) = match.asks
    four_fifths, player = ask.asked + 240_000, office.site.players.get(match.chair(ask.seat).player or "")
    assert now + 7_000 < four_fifths < now + 9_000
    assert player
    until(lambda: office.post.to(player.address, "turn"))
    assert office.post.to(player.address, "reminder") == [] or office.site.clock() >= four_fifths
    until(lambda: office.post.to(player.address, "reminder"))
    assert four_fifths <= office.site.clock() < ask.due


def test_whose_time_has_run_out_gets_a_mail(office: Office):
    office.start_all()
    hour_ago = office.site.clock() - 3_600_001
    match = office.match("ann", "bo", "cy", "di", clock={"kind": "per-turn", "seconds": 3_600}, began=hour_ago).match
    player = office.site.players.get(match.chair(match.asks[0].seat).player or "")
    assert player
    vacated = until(lambda: office.post.to(player.address, "vacated"))
    body: Any = vacated[0].get_body(("plain",))
    assert body.get_content().startswith("You are out: the time for your turn has passed")


def test_the_clock_gives_signs_of_life_and_drops_what_every_group_has_read(office: Office):
    for _ in range(5):
        office.match("ann", "bo", "cy", "di")
    clock = Clock(office.site, Signal())
    late, *others = clock._relays
    for relay in others:
        relay.read(Signal())
    clock._care()
    assert sum(office.site.redis.xlen(keys.feed(of)) for of in range(16)) == 5  # the notices are not made yet
    late.read(Signal())
    clock._beats["notices"] = beat = office.site.clock()
    clock._care()
    assert [office.site.redis.xlen(keys.feed(of)) for of in range(16)] == [0] * 16
    assert len([notice for notice in office.outbox() if notice.kind == "turn"]) == 5
    ((name, at),) = Beats(office.site.redis).heard(office.site.clock()).items()
    assert name.startswith("notices@")
    assert at == beat


def test_a_notice_whose_sender_was_killed_is_sent_by_the_next(office: Office):
    office.post.hanging = True
    office.start("clock")
    sender = office.start("worker", "notices")
    match = office.match("ann", "bo", "cy", "di").match
    until(lambda: office.post.kept_waiting)
    sender.kill()
    sender.wait()
    office.post.hanging = False
    (notice,) = [notice for notice in office.outbox() if notice.kind == "turn"]
    assert office.post.mails == []
    office.start("worker", "notices")
    office.site.outbox.later(notice, office.site.clock())  # as if the dead sender's claim had run out
    until(lambda: office.post.mails)
    assert [str(mail["Feedback-ID"]) for _, _, mail in office.post.mails] == [f"{match.id}:fourfold:turn:forgepost"]
    until(lambda: notice not in office.outbox())


def test_killing_any_process_at_any_time_loses_no_turn_and_no_mail(office: Office):
    chance = Random(7)
    running = office.start_all()
    commands = {"notices": ("worker", "notices"), "deadlines": ("worker", "deadlines"), "bots": ("worker", "bots"), "clock": ("clock",)}
    begin = partial(office.match, "ann", "bot", "bot", "bot", options={"goals_to_win": 10})
    matches = [begin().match.id]
    killed = dict.fromkeys([*commands, "redis"], 0)
    while sum(killed.values()) < 12:
        name = chance.choice(list(killed))
        killed[name] += 1
        if name == "redis":
            office.redis.kill()
            office.redis.start()
        else:
            running[name].kill()
            running[name].wait()
        running |= {name: office.start(*commands[name]) for name, process in running.items() if process.poll() is not None}
        sleep(chance.uniform(0.3, 0.9))
        play_all(office, matches[-1])
        if office.site.desk.look(matches[-1]).match.status != "live":
            matches.append(insist(begin).match.id)
    assert min(killed.values()) >= 1
    if office.site.desk.look(matches[-1]).match.status == "live":
        insist(partial(office.site.desk.do, matches[-1], Resign(Actor(office.player("ann").id, "link"))))
    for match in matches:
        until(lambda: f"{match}:fourfold:over:forgepost" in [str(mail["Feedback-ID"]) for mail in office.post.to("ann@example.org")])  # noqa: B023
        plies = [int(bytes(line.ply)) for line in office.site.desk.history(match) if line.type == "action.taken"]
        assert plies == list(range(1, len(plies) + 1))
