"""What the site sends by itself: the messages of webhooks, as the `webhooks` of openapi.yaml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.schemas.strict import Shape
from service.schemas.webhooks import EVENT_MESSAGE, MESSAGE, TEST_MESSAGE, WEBHOOK

JSON: Final = "application/json"
SIGNATURE: Final = """\
`v1,` and, in base64, the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` by the bytes that the secret has behind `whsec_`. For a while \
after a change of the secret there are two of them with a blank between: either will do."""
HEADERS: Final = {
    "webhook-id": ("The message's id, the same at every try: what has come under it before need not be looked at again.", MESSAGE),
    "webhook-timestamp": ("When this try was signed, in seconds since 1970: refuse what is older than some minutes.", "1795953600"),
    "webhook-signature": (SIGNATURE, "v1,bnEKkFGnxZO2R6vv390X0A18/lnmjnHaHYQD/kTdx4s="),
}
ANSWERS: Final = {
    "2XX": "It was taken.",
    "410": "Nobody listens here any more: the webhook is switched off.",
    "default": "It was not taken: an event comes again, as the rules for webhooks say; a test does not.",
}
TEST: Final = {"data": {"webhook": WEBHOOK}, "timestamp": "2026-11-29T12:00:00.000Z", "type": "webhook.test"}


def outgoing(schema: Callable[[Shape], Mapping[str, Any]], event: Mapping[str, Any]) -> dict[str, Any]:
    """Both kinds of messages; `schema` gives a reference to a shape, `event` is one as an example."""
    told = {"data": event, "timestamp": event["at"], "type": event["type"]}
    return {
        "event": {"post": _operation("receive_event", "Something happened in a match of yours", schema(EVENT_MESSAGE), told)},
        "test": {"post": _operation("receive_test", "You asked for a test", schema(TEST_MESSAGE), TEST)},
    }


def _operation(name: str, summary: str, schema: Mapping[str, Any], example: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        "description": f"{summary}: a POST to the URL of your webhook, signed as Standard Webhooks has it.",
        "tags": ["webhooks"],
        "parameters": [
            {"name": header, "in": "header", "required": True, "description": about, "schema": {"type": "string"}, "example": shown}
            for header, (about, shown) in HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {JSON: {"schema": schema, "examples": {"message": {"value": example}}}}},
        "responses": {status: {"description": about} for status, about in ANSWERS.items()},
    }
