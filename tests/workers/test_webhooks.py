"""Webhooks from the event to the receiver: real clock, real worker, real HTTP."""

from __future__ import annotations

from collections import Counter
from threading import Event as Signal
from time import monotonic

import pytest
from msgspec.structs import replace as changed

from domain.chain import canonical
from domain.match.commands import Actor, CreateMatch, Join, Leave, Open, Resign
from infra.ids import new_match_id
from infra.redis_log import keys as log_keys
from infra.webhooks import keys
from infra.webhooks.posting import PATIENCE
from infra.webhooks.queue import Item
from infra.webhooks.webhooks import TooManyWebhooks
from tests.infra.keeping.tables import anew, cut
from tests.receiver import Receiver, receiving
from tests.workers.hooks import Watch, again, hooked, relayed, secret
from tests.workers.office import Office, until
from workers import webhooks
from workers.relay import WebhooksRelay
from workers.webhooks import deliver


def test_every_event_of_a_match_reaches_the_webhooks_of_its_players_signed_and_in_order(office: Office, receiver: Receiver):
    hook = hooked(office, "ann", receiver.url)
    hooked(office, "zoe", receiver.url, 2)
    office.start("clock")
    office.start("worker", "webhooks")
    match = office.match("ann", "bo", "cy", "di").match
    office.play(match.id, match.asks[0])
    lines = office.site.desk.history(match.id)
    until(lambda: len(receiver.got) >= len(lines))
    until(lambda: office.site.hook_queue.waiting([hook.id]) == [(0, None)])
    assert len(receiver.got) == len(lines), "and nobody who does not sit there hears of it"
    for got, line in zip(receiver.got, lines, strict=True):
        assert got.verified(secret(office, hook)) == got.said
        assert got.id == f"msg_{hook.id}_{match.id}_{line.version}"
        assert got.headers["content-type"] == "application/json"
        assert got.body == b'{"data":' + canonical(line) + b',"timestamp":' + bytes(line.at) + b',"type":"' + line.type.encode() + b'"}'
    told = office.site.hook_queue.journal(hook.id)
    assert [(each.version, each.status, each.tries, each.next) for each in told] == [(line.version, 204, 1, 0) for line in reversed(lines)]
    assert again(office, hook).delivered > 0


def test_only_the_types_and_the_match_that_were_asked_for_come(office: Office, receiver: Receiver):
    match = office.match("ann", "bo", "cy", "di").match
    hook = hooked(office, "ann", receiver.url, 1, types=("action.taken",))
    other = hooked(office, "ann", receiver.url, 2, match=new_match_id(16))
    office.play(match.id, match.asks[0])
    relayed(office)
    deliver(office.site, hook.id)
    deliver(office.site, other.id)
    assert {got.said["type"] for got in receiver.got} == {"action.taken"}
    assert {got.id.split("_")[1] for got in receiver.got} == {hook.id}


def test_where_nobody_has_a_webhook_the_feed_is_acknowledged_without_a_look_at_any_match(office: Office):
    office.match("ann", "bo", "cy", "di")
    relay = WebhooksRelay(office.site)
    commands = office.redis.commands_of(lambda: relay.read(Signal()))
    assert "XREADGROUP" in commands
    assert "XACK" in commands
    assert "XRANGE" not in commands


def test_whoever_has_left_a_private_match_is_not_told_of_it_any_more(office: Office, receiver: Receiver):
    ann, bo = office.player("ann").id, office.player("bo").id
    match = new_match_id(16)
    office.site.desk.do(match, CreateMatch(Actor(ann, "web"), "fourfold", {}, {}, (Open(), Open(), Open(), Open())))
    hook = hooked(office, "bo", receiver.url)
    office.site.desk.do(match, Join(Actor(bo, "web")))
    relayed(office)
    office.site.desk.do(match, Leave(Actor(bo, "web")))
    relayed(office)
    deliver(office.site, hook.id)
    assert receiver.got == []
    assert office.site.hook_queue.waiting([hook.id]) == [(0, None)]


def test_a_webhook_that_its_player_deleted_meanwhile_is_told_nothing_and_leaves_nothing(office: Office, receiver: Receiver):
    hook = hooked(office, "ann", receiver.url)
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    office.site.webhooks.forget(hook.player)
    office.site.hook_queue.add([(hook.id, Item("07-0000000000", 1), 0)])  # as somebody who had looked before
    deliver(office.site, hook.id)
    assert receiver.got == []
    assert office.site.redis.keys("{hooks}:*") == []


def test_both_secrets_hold_while_they_are_rotated(office: Office, receiver: Receiver, watch: Watch):
    hook = hooked(office, "ann", receiver.url)
    office.site.webhooks.keep(changed(hook, number=2, overlap=watch() + 60_000), "number", "overlap")
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    deliver(office.site, hook.id)
    got = receiver.got[0]
    assert got.verified(secret(office, hook, 1)) == got.verified(secret(office, hook, 2))
    watch.ahead = 61_000
    office.site.hook_queue.again(hook.id, Item("", 1), watch())
    deliver(office.site, hook.id)
    late = receiver.got[-1]
    assert late.headers["webhook-signature"].count("v1,") == 1


def test_a_test_delivery_goes_first_and_is_tried_once(office: Office, receiver: Receiver):
    hook = hooked(office, "ann", receiver.url)
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    receiver.always(404)
    office.site.hook_queue.again(hook.id, Item("", 1_795_953_600_000), office.site.clock())
    deliver(office.site, hook.id)
    test = receiver.got[0]
    assert test.said == {"data": {"webhook": hook.id}, "timestamp": "2026-11-29T12:00:00.000Z", "type": "webhook.test"}
    assert [told.next > 0 for told in office.site.hook_queue.journal(hook.id)] == [True, False]


def test_a_dead_endpoint_holds_up_no_other(office: Office, receiver: Receiver):
    with receiving() as dead:
        dead.hold.clear()
        for number in range(3):
            hooked(office, "ann", dead.url, number)
        hook = hooked(office, "ann", receiver.url, 9)
        office.start("clock")
        office.start("worker", "webhooks")
        match = office.match("ann", "bo", "cy", "di").match
        until(lambda: dead.got)
        begun = monotonic()
        until(lambda: len({got.id.split("_")[1] for got in dead.got}) == 3 and len(receiver.got) == match.version)
        asked = max(Counter(got.id for got in dead.got).values())
        took = monotonic() - begun
        assert took < 2.5 * PATIENCE, "who waited for the dead, waited for all three"
        assert {got.id.split("_")[1] for got in receiver.got} == {hook.id}
        assert asked <= 1 + took // PATIENCE, "and each is asked once at a time"


def test_a_delivery_whose_worker_was_killed_comes_again_under_the_same_id(office: Office, receiver: Receiver):
    receiver.hold.clear()
    hook = hooked(office, "ann", receiver.url)
    office.start("clock")
    worker = office.start("worker", "webhooks")
    match = office.match("ann", "bo", "cy", "di").match
    until(lambda: receiver.got)
    worker.kill()
    worker.wait()
    receiver.hold.set()
    until(lambda: office.site.hook_queue.waiting([hook.id])[0][0] == match.version)
    office.start("worker", "webhooks")
    office.site.redis.delete(keys.busy(hook.id))  # as if the dead worker's claim had run out,
    office.site.redis.zadd(keys.DUE, {hook.id: 0})  # and its lease
    until(lambda: len(receiver.got) > match.version)
    versions = [got.said["data"]["version"] for got in receiver.got]
    assert versions == [1, *range(1, match.version + 1)]
    assert receiver.got[0].id == receiver.got[1].id
    assert receiver.got[0].body == receiver.got[1].body


def test_a_webhook_that_somebody_else_is_at_is_left_to_them(office: Office, receiver: Receiver):
    hook = hooked(office, "ann", receiver.url)
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    assert office.site.hook_queue.claim(hook.id, 60_000)
    deliver(office.site, hook.id)
    assert receiver.got == []


def test_an_event_far_down_a_match_is_shown_with_the_same_hashes_whether_the_one_before_was_told_or_not(office: Office, receiver: Receiver):
    match = office.match("ann", "bot", "bot", "bot").match
    hook = hooked(office, "ann", receiver.url)
    for version in (4, 5, 2, 6):
        webhooks._followed._tips.pop(match.id, None) if version == 6 else None
        office.site.hook_queue.again(hook.id, Item(match.id, version), office.site.clock())
        deliver(office.site, hook.id)
    lines = office.site.desk.history(match.id)
    assert [(got.said["data"]["version"], got.said["data"]["hash"]) for got in receiver.got] == [
        (version, lines[version - 1].hash) for version in (4, 5, 2, 6)
    ]


def test_what_a_fail_over_lost_leaves_no_trace_in_the_hashes_of_what_is_told_after_it(office: Office, receiver: Receiver):
    sight = office.match("ann", "bo", "cy", "di")
    hook = hooked(office, "ann", receiver.url)
    office.play(sight.match.id, sight.match.asks[0])

    def tell(version: int) -> None:
        site = anew(office)  # as the process that knows nothing of the lost event
        site.hook_queue.again(hook.id, Item(sight.match.id, version), site.clock())
        deliver(site, hook.id)

    tell(sight.match.version + 1)
    cut(office, sight.match.id, 1)
    desk = anew(office).desk
    for chair in sight.match.chairs[:2]:
        desk.do(sight.match.id, Resign(Actor(chair.player or "", "web")))
    last = desk.history(sight.match.id)[-1]
    tell(last.version)
    assert [(got.said["data"]["version"], got.said["data"]["hash"]) for got in receiver.got[1:]] == [(last.version, last.hash)]


def test_what_a_webhook_is_to_hear_of_a_match_that_stands_still_waits_until_somebody_has_looked(office: Office, receiver: Receiver, watch: Watch):
    match = office.match("ann", "bo", "cy", "di").match.id
    other = office.match("ann", "bo", "cy", "di").match
    hook = hooked(office, "ann", receiver.url)
    version = office.site.desk.look(match).tip.version
    head = office.site.redis.hget(log_keys.head(match), "h")
    office.site.redis.hset(log_keys.head(match), "h", "00" * 32)
    site = anew(office)
    object.__setattr__(site, "clock", watch)
    for name in (match, other.id):
        site.hook_queue.again(hook.id, Item(name, version), watch())
    deliver(site, hook.id)
    assert [got.said["data"]["match"] for got in receiver.got] == [other.id], "and no other match waits for it"
    assert site.hook_queue.waiting([hook.id]) == [(1, watch() + 3_600_000)]
    assert head
    office.site.redis.hset(log_keys.head(match), "h", head)
    office.site.redis.hdel(log_keys.head(match), "ro")
    watch.ahead += 3_600_000
    deliver(site, hook.id)
    assert [(got.said["data"]["match"], got.said["data"]["version"]) for got in receiver.got[1:]] == [(match, version)]


def test_a_number_that_is_somebody_elses_takes_nothing_from_them(office: Office, receiver: Receiver):
    anns = hooked(office, "ann", receiver.url, 3)
    bos = hooked(office, "bo", receiver.url, 3)
    assert (anns.id, bos.id) == ("w-0000000003", "w-0000000004")
    assert again(office, anns) == anns


def test_a_player_has_at_most_ten_webhooks(office: Office, receiver: Receiver):
    for number in range(10):
        hooked(office, "ann", receiver.url, number)
    assert hooked(office, "ann", receiver.url, 3).id == "w-0000000003"
    with pytest.raises(TooManyWebhooks, match="at most 10 webhooks: delete one"):
        hooked(office, "ann", receiver.url, 10)
