"""Webhooks whose server is silent, refuses or is gone: they rest, are tried over days, and are switched off in the end."""

from __future__ import annotations

from msgspec.structs import replace as changed

from infra.webhooks.queue import Item
from infra.webhooks.webhooks import Wish
from tests.receiver import Receiver, receiving
from tests.workers.hooks import Watch, again, hooked, relayed, told
from tests.workers.office import Office
from workers import mail_out
from workers.webhooks import RESTS, WAITS, deliver

DAY = 86_400_000


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
