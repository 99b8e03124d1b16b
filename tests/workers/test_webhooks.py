"""Webhooks from the event to the receiver: real clock, real worker, real HTTP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from threading import Event as Signal
from time import monotonic
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.chain import canonical
from domain.match.commands import Actor, CreateMatch, Join, Leave, Open, Resign
from infra.ids import new_match_id
from infra.redis_log import keys as log_keys
from infra.webhooks import keys
from infra.webhooks.posting import PATIENCE
from infra.webhooks.queue import Item
from infra.webhooks.signature import written
from infra.webhooks.webhooks import TooManyWebhooks, Webhook, Wish
from tests.infra.keeping.tables import anew, cut
from tests.receiver import Receiver, receiving
from tests.workers.office import Office, until
from workers import mail_out, webhooks
from workers.relay import WebhooksRelay
from workers.webhooks import RESTS, WAITS, deliver

DAY = 86_400_000


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


class Watch:
    """The time, which stands still unless it is moved on by hand: a minute ahead, so that whatever a test lets happen has happened by then."""

    def __init__(self, office: Office) -> None:
        self.ahead, self._began = 0, office.site.clock() + 60_000

    def __call__(self) -> int:
        return self._began + self.ahead


@pytest.fixture
def watch(office: Office) -> Watch:
    """The clock of the couriers."""
    watch = Watch(office)
    object.__setattr__(office.site, "clock", watch)
    return watch


def hooked(office: Office, name: str, url: str, number: int = 1, **wish: Any) -> Webhook:
    return office.site.webhooks.add(office.player(name).id, Wish(url, **wish), number)


def again(office: Office, hook: Webhook) -> Webhook:
    found = office.site.webhooks.find(hook.id)
    assert found
    return found


def secret(office: Office, hook: Webhook, number: int = 1) -> str:
    return written(office.site.keys.webhook_secret(hook.id, number))


def told(office: Office, hook: Webhook) -> str:
    """What the one mail to its owner says about it, on one line."""
    for notice in office.outbox():
        if notice.kind == "webhook-off":
            mail_out.send(office.site, notice)
            mail_out.send(office.site, notice)
    (mail,) = [mail for mail in office.post.to("ann@example.org") if mail["Subject"] == "Forgepost: your webhook was switched off"]
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text
    assert html
    assert f"{office.settings.url}/me/webhooks/{hook.id}" in text.get_content()
    assert f"{office.settings.url}/me/webhooks/{hook.id}" in html.get_content()
    assert max(map(len, text.get_content().splitlines())) <= 78
    return " ".join(text.get_content().split())


def relayed(office: Office) -> None:
    """What the clock does with the feed."""
    WebhooksRelay(office.site).read(Signal())


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


def test_a_server_that_is_silent_rests_ever_longer_and_everything_keeps_its_order(office: Office, receiver: Receiver, watch: Watch):
    hook = hooked(office, "ann", receiver.url)
    match = office.match("ann", "bo", "cy", "di").match
    relayed(office)
    receiver.always(503)
    for failures, rest in enumerate([*RESTS, RESTS[-1]], start=1):
        deliver(office.site, hook.id)
        now = again(office, hook)
        assert (now.failures, now.rests) == (failures, watch() + rest)
        deliver(office.site, hook.id)
        assert len(receiver.got) == failures, "while it rests, nothing is tried"
        watch.ahead += rest + 5_000
    assert len({got.id for got in receiver.got}) == 1
    assert [told.tries for told in reversed(office.site.hook_queue.journal(hook.id))] == list(range(1, len(RESTS) + 2))
    receiver.always(200)
    deliver(office.site, hook.id)
    heard = [got.said["data"]["version"] for got in receiver.got[len(RESTS) + 1 :]]
    assert heard == list(range(1, match.version + 1))
    assert again(office, hook) == changed(hook, delivered=again(office, hook).delivered)


def test_tries_are_counted_also_where_nobody_listens_and_silence_uses_up_none_of_the_waits(office: Office, receiver: Receiver, watch: Watch):
    with receiving() as gone:
        url = gone.url
    hook = hooked(office, "ann", url)
    office.site.hook_queue.again(hook.id, Item(office.match("ann", "bo", "cy", "di").match.id, 1), watch())
    for rest in RESTS[:3]:
        deliver(office.site, hook.id)
        watch.ahead += rest + 5_000
    told = office.site.hook_queue.journal(hook.id)
    assert [(one.tries, one.status) for one in told] == [(3, 0), (2, 0), (1, 0)]
    assert {one.words for one in told} == {"nobody listens there"}
    office.site.webhooks.keep(changed(again(office, hook), wish=Wish(receiver.url)), "wish")
    receiver.always(500)
    deliver(office.site, hook.id)
    last = office.site.hook_queue.journal(hook.id)[0]
    assert last.tries == 4
    assert last.next - last.at == WAITS[0], "the first refusal, for which the first of the waits is"


def test_a_server_that_asks_to_be_left_alone_is_left_alone_for_so_long(office: Office, receiver: Receiver, watch: Watch):
    hook = hooked(office, "ann", receiver.url)
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    receiver.always(429, Retry_After="600")
    deliver(office.site, hook.id)
    assert again(office, hook).rests == watch() + 600_000


def test_an_event_that_the_server_does_not_take_is_tried_over_days_and_holds_up_no_other(office: Office, receiver: Receiver, watch: Watch):
    hook = hooked(office, "ann", receiver.url)
    match = office.match("ann", "bo", "cy", "di").match
    relayed(office)
    receiver.answers = lambda got: (500 if got.said["data"]["version"] == 1 else 200, {}, b"no\x00such\xff table")
    deliver(office.site, hook.id)
    watch.ahead += 5_000
    deliver(office.site, hook.id)
    heard = [got.said["data"]["version"] for got in receiver.got]
    assert heard == [1, *range(2, match.version + 1), 1]
    assert again(office, hook).delivered > 0
    for wait in WAITS:
        watch.ahead += wait + 10_000
        deliver(office.site, hook.id)
    tries = [told for told in office.site.hook_queue.journal(hook.id) if told.version == 1]
    assert [told.tries for told in tries] == list(range(len(WAITS) + 1, 0, -1))
    assert {told.message for told in tries} == {f"msg_{hook.id}_{match.id}_1"}
    assert tries[0].next == 0, "it is given up"
    assert tries[0].answer == "no\x00such� table"
    assert [told.next - told.at >= wait for told, wait in zip(reversed(tries[1:]), WAITS, strict=True)] == [True] * len(WAITS)
    assert office.site.hook_queue.waiting([hook.id]) == [(0, None)]


def test_gone_is_gone_at_once(office: Office, receiver: Receiver):
    hook = hooked(office, "ann", receiver.url)
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    receiver.always(410)
    deliver(office.site, hook.id)
    assert again(office, hook).off == "gone"
    assert len(receiver.got) == 1
    assert "410" in told(office, hook)
    assert office.site.hook_queue.waiting([hook.id]) == [(0, None)]
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    assert office.site.hook_queue.waiting([hook.id]) == [(0, None)]


def test_five_days_without_a_single_delivery_switch_a_webhook_off(office: Office, receiver: Receiver, watch: Watch):
    hook = hooked(office, "ann", receiver.url)
    office.match("ann", "bo", "cy", "di")
    relayed(office)
    receiver.always(500)
    deliver(office.site, hook.id)
    watch.ahead = 5 * DAY - 60_000
    deliver(office.site, hook.id)
    assert again(office, hook).off == ""
    watch.ahead = 5 * DAY + 60_000
    deliver(office.site, hook.id)
    assert again(office, hook).off == "failing"
    assert "For five days nothing that we sent there was taken. The last try: status 500." in told(office, hook)


def test_whoever_has_switched_it_on_or_off_or_deleted_it_gets_no_mail_about_it(office: Office, receiver: Receiver):
    receiver.always(410)
    hooks = [hooked(office, "ann", receiver.url, number) for number in range(3)]
    match = office.match("ann", "bo", "cy", "di").match.id
    for hook in hooks:
        office.site.hook_queue.again(hook.id, Item(match, 1), office.site.clock())
        deliver(office.site, hook.id)
        assert again(office, hook).off == "gone"
    office.site.webhooks.rouse(again(office, hooks[0]), on=True)
    office.site.webhooks.switch_off(again(office, hooks[1]), "owner")
    office.site.webhooks.delete(hooks[2])
    for notice in office.outbox():
        mail_out.send(office.site, notice)
    assert [mail["Subject"] for mail in office.post.to("ann@example.org") if "webhook" in mail["Subject"]] == []
    assert [notice for notice in office.outbox() if notice.kind == "webhook-off"] == []


def test_a_mailbox_that_takes_no_mail_gets_none_about_a_webhook(office: Office, receiver: Receiver):
    receiver.always(410)
    hook = hooked(office, "ann", receiver.url)
    office.site.players.suppress(hook.player, "550 no such user")
    office.site.hook_queue.again(hook.id, Item("", 1), office.site.clock())
    deliver(office.site, hook.id)
    assert again(office, hook).off == "gone"
    for notice in office.outbox():
        mail_out.send(office.site, notice)
    assert office.post.to("ann@example.org") == []


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
