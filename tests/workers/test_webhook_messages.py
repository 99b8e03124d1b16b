"""The messages of webhooks, as they arrive, and as openapi.yaml describes them."""

from __future__ import annotations

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from infra.webhooks.queue import Item
from infra.webhooks.webhooks import Wish
from tests.receiver import receiving
from tests.service.api.contract import document
from tests.workers.office import Office, until
from workers.webhooks import deliver


def test_messages_are_what_openapi_yaml_says_of_them(office: Office):
    """Given a webhook, when a match begins and its owner asks for a test, then each message fits the one description, and not the other."""
    with receiving() as receiver:
        hook = office.site.webhooks.add(office.player("ann").id, Wish(receiver.url), 1)
        lines = office.site.desk.history(office.match("ann", "bo", "cy", "di").match.id)
        office.site.hook_queue.add((hook.id, Item(line.match, line.version), 1) for line in lines)
        office.site.hook_queue.again(hook.id, Item("", 1_795_953_600_000), office.site.clock())
        deliver(office.site, hook.id)
        assert until(lambda: len(receiver.got) == len(lines) + 1)
    judges = {}
    for kind, said in document()["webhooks"].items():
        schema = said["post"]["requestBody"]["content"]["application/json"]["schema"]
        judges[kind] = Draft202012Validator({**document(), **schema})
        assert {one["name"] for one in said["post"]["parameters"]} <= set(receiver.got[0].headers)
    assert [error.message for error in judges["test"].iter_errors(receiver.got[0].said)] == []
    assert [error.message for got in receiver.got[1:] for error in judges["event"].iter_errors(got.said)] == []
    assert list(judges["test"].iter_errors(receiver.got[1].said)) != []
    assert list(judges["event"].iter_errors(receiver.got[0].said)) != []
