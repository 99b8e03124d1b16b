"""Webhooks: what their owners say of them, and how they fare."""

from __future__ import annotations

from typing import Final

from infra.webhooks.queue import REMEMBERED
from infra.webhooks.webhooks import MOST, OVERLAP, TYPES
from service.schemas.fields import Free, Inside, Many, Number, Text, Time, Whole, Yes
from service.schemas.from_types import ref
from service.schemas.matches import ID
from service.schemas.strict import Asked, Told

WEBHOOK: Final = "w-3f9k2m8qtx"
MESSAGE: Final = f"msg_{WEBHOOK}_{ID}_12"
MATCH_ID: Final = "^[0-9]{2}-[0-9a-hjkmnp-tv-z]{10}$"
LONGEST_OVERLAP: Final = 604_800

URL: Final = "Where events are sent by POST: `https://`, a public address, no redirects. Whoever runs the site may allow other addresses."
NAME: Final = "What you call it, so that you know it again; may be left out."
KINDS: Final = "Only events of these types; all where none are named, also those of types that are added later."
MATCH: Final = "Only events of this match; null for all that you sit in, are invited to or created."
ON: Final = "Whether events are sent. What happens while it is off is not sent later: read the history."
OFF_REASONS: Final = ("owner", "gone", "failing")


class Wishes(Asked):
    """What both a new webhook and a changed one may say."""

    name = Text(NAME, "my bridge", longest=80)
    types = Many(Text("A type of events.", choices=TYPES), KINDS, least=0, most=len(TYPES), once=True)
    match = Text(MATCH, ID, pattern=MATCH_ID, like="the id of a match", allow_none=True)


class NewWebhook(Wishes):
    """A webhook to be made."""

    url = Text(URL, "https://bots.example.org/forgepost", longest=2000, required=True)


class WebhookChanges(Wishes):
    """What is to be changed; what is left out stays as it is."""

    url = Text(URL, "https://bots.example.org/forgepost", longest=2000)
    on = Yes(ON)


class Rotation(Asked):
    """How to change the secret."""

    keep_seconds = Whole("How long deliveries are signed with the old secret, too.", OVERLAP, most=LONGEST_OVERLAP)


class Webhook(Told):
    """A webhook, and how it fares."""

    id = Text("Its id.", WEBHOOK, required=True)
    url = Text(URL, "https://bots.example.org/forgepost", required=True)
    name = Text(NAME, "my bridge", required=True)
    types = Many(Text("A type of events.", "action.taken"), KINDS, required=True)
    match = Text(MATCH, ID, allow_none=True, required=True)
    on = Yes(ON, required=True)
    off_reason = Text(
        "Why it is off: its `owner` wished so, the server said `gone` (410), or it was `failing` for five days; null while it is on.",
        choices=OFF_REASONS,
        allow_none=True,
        required=True,
    )
    created_at = Time("When it was made.", required=True)
    delivered_at = Time("When something was delivered last; null: never.", allow_none=True, required=True)
    failing_since = Time("Since when nothing could be delivered; null while all is well.", allow_none=True, required=True)
    failures = Whole("How many tries failed since then.", 0, required=True)
    waiting = Whole("How many events wait to be delivered.", 0, required=True)
    next_try_at = Time("When the next of them is tried; null where none waits.", allow_none=True, required=True)
    old_secret_until = Time(
        "Until when deliveries are signed with the secret before this one, too; null where they are not.", allow_none=True, required=True
    )


class FreshWebhook(Webhook):
    """A webhook with its secret."""

    secret = Text(
        "The secret that its deliveries are signed with, as libraries for Standard Webhooks take it. Shown this once.",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAECAwQFBgc=",
        required=True,
    )


class WebhookList(Told):
    """Your webhooks."""

    webhooks = Many(Inside(Webhook()), f"The oldest first; at most {MOST}.", required=True)


class Delivery(Told):
    """One try to deliver something."""

    message = Text("The message's id (`webhook-id`), the same at every try.", MESSAGE, required=True)
    type = Text("The type of the event, or `webhook.test`.", "action.taken", required=True)
    match = Text("The match; null for a test.", ID, allow_none=True, required=True)
    version = Whole("The event's version in it; null for a test.", 12, allow_none=True, required=True)
    at = Time("When it was tried.", required=True)
    tries = Whole("How often it has been tried by now, this time included.", 1, least=1, required=True)
    milliseconds = Whole("How long it took.", 87, required=True)
    status = Whole("The status of the answer; null where there was none that could be used.", 204, allow_none=True, required=True)
    answer = Text("The beginning of the answer's body.", "", required=True)
    failure = Text("Why there was no answer; null where there was one.", "nobody listens there", allow_none=True, required=True)
    delivered = Yes("Whether the server took it: any status from 200 to 299.", required=True)
    next_try_at = Time("When it is tried again, if it is; null: not by itself.", allow_none=True, required=True)


class DeliveryList(Told):
    """What was tried lately."""

    deliveries = Many(Inside(Delivery()), f"The newest first; the last {REMEMBERED} are kept.", required=True)
    next = Text("The `cursor` of the next page; null when this is the last.", allow_none=True, required=True)


class DeliveryFilter(Asked):
    """Which deliveries to list."""

    limit = Number("How many to list at most.", least=1, most=REMEMBERED, load_default=50)
    cursor = Text("Where the page before said that this one begins.", longest=200)


class Sent(Told):
    """Something is on its way."""

    message = Text("The message's id; what becomes of it stands among the deliveries.", MESSAGE, required=True)


class EventMessage(Told):
    """An event, as it is sent to a webhook."""

    type = Text("The type of the event; let pass those that you do not know.", "action.taken", required=True)
    timestamp = Time("When it happened.", required=True)
    data = Free("The event, as the history has it.", ref("Event"), required=True)


class Tested(Told):
    """What a test says."""

    webhook = Text("The webhook's id.", WEBHOOK, required=True)


class TestMessage(Told):
    """A test, as it is sent to a webhook."""

    type = Text("What it is.", choices=("webhook.test",), required=True)
    timestamp = Time("When it was asked for.", required=True)
    data = Inside(Tested(), required=True)


NEW_WEBHOOK, WEBHOOK_CHANGES, ROTATION = NewWebhook(), WebhookChanges(), Rotation()
WEBHOOK_SHOWN, FRESH_WEBHOOK, WEBHOOK_LIST, DELIVERY_LIST, SENT = Webhook(), FreshWebhook(), WebhookList(), DeliveryList(), Sent()
DELIVERY_FILTER = DeliveryFilter()
EVENT_MESSAGE, TEST_MESSAGE = EventMessage(), TestMessage()
