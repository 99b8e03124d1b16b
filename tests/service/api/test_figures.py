"""`/metrics`: figures that a program reads, true, and nobody's name in them."""

from __future__ import annotations

from dataclasses import replace
from threading import Event as Signal
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.parser import text_string_to_metric_families

from infra.tally import TOTALS
from infra.webhooks.webhooks import Wish
from infra.wiring import Site
from tests.service.api.person import API, ME, OPEN, RANDOM, Person, refused
from workers.jobs import QUEUES
from workers.relay import ListingRelay, NoticesRelay

TOKEN = "a-word-for-the-scraper"


@pytest.fixture(autouse=True)
def fresh(site: Site) -> None:
    """Nothing was counted before."""
    site.redis.delete(TOTALS)


def figures(who: Person, **headers: str) -> dict[str, dict[tuple[str, ...], float]]:
    """By name and labels, as Prometheus's own parser reads them."""
    response = who.asks("GET", "/metrics", headers=headers)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == CONTENT_TYPE_LATEST
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(response.get_data(as_text=True)):
        assert family.documentation
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return found


def test_requests_are_counted_by_the_pattern_of_their_route(ann: Person, anybody: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    ann.get(f"/matches/{match}")
    ann.get(f"/matches/{match}")
    anybody.get(f"/matches/{match}")
    anybody.asks("GET", f"{API}/no/such")
    found = figures(anybody)
    requests = found["forgepost_requests_total"]
    assert requests["GET", f"{API}/matches/<id>", "200"] == 2
    assert requests["GET", f"{API}/matches/<id>", "404"] == 1
    assert requests["POST", f"{API}/matches", "201"] == 1
    assert requests["GET", "none", "404"] == 1
    took = found["forgepost_request_seconds_bucket"]
    assert took["+Inf", "GET", f"{API}/matches/<id>"] == 3
    assert found["forgepost_request_seconds_count"]["GET", f"{API}/matches/<id>"] == 3
    assert found["forgepost_request_seconds_sum"]["GET", f"{API}/matches/<id>"] > 0
    rising = [value for (_, _, route), value in took.items() if route == f"{API}/matches/<id>"]
    assert rising == sorted(rising)


def test_what_happens_and_what_waits_is_told(ann: Person, site: Site, anybody: Person):
    ann.creates(ME, RANDOM, RANDOM, RANDOM)
    ann.creates(ME, OPEN, OPEN, OPEN)
    site.webhooks.add(ann.id, Wish("https://bots.example.org/"), 1)
    hook = site.webhooks.add(ann.id, Wish("https://bots.example.org/"), 2)
    site.webhooks.switch_off(hook, "gone")
    ListingRelay(site).read(Signal())
    NoticesRelay(site, Signal()).read(Signal())
    site.readonly.mark("07-0000000000", "looked at")
    found = figures(anybody)
    assert found["forgepost_matches"] == {("aborted",): 0, ("live",): 1, ("over",): 0, ("waiting",): 1}
    assert found["forgepost_events_total"]["match.created",] == 2
    assert found["forgepost_events_total"]["match.started",] == 1
    assert found["forgepost_matches_read_only"] == {(): 1}
    assert found["forgepost_webhooks"] == {("gone",): 1, ("on",): 1}
    assert found["forgepost_outbox_waiting"][()] >= 1
    for nothing in ("outbox_parked", "deadlines_overdue", "deliveries_waiting"):
        assert found[f"forgepost_{nothing}"] == {(): 0}
    assert set(found["forgepost_queue_jobs"]) == {(queue,) for queue in QUEUES}


def test_a_deadline_that_nobody_enforces_is_seen(ann: Person, site: Site, anybody: Person, watch: Any):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)
    watch.now += 30 * 86_400_000
    assert match["to_act"]
    assert figures(anybody)["forgepost_deadlines_overdue"] == {(): 1}


def test_nobodys_name_address_or_token_is_told(ann: Person, anybody: Person, app: Flask):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    ann.get(f"/matches/{match}")
    browser = FlaskClient(app, app.response_class)
    for method, path in (("GET", f"/m/{'x' * 45}"), ("GET", f"/{ann.token}"), ("BREW", f"/matches/{match}")):
        browser.open(path, method=method)
    text = anybody.asks("GET", "/metrics").get_data(as_text=True)
    for secret in (ann.id, ann.token, match, "x" * 45, "example.org", "BREW"):
        assert secret not in text


def test_another_machine_is_told_nothing_without_the_word_and_everything_with_it(anybody: Person, app: Flask, site: Site):
    far = {"environ_base": {"REMOTE_ADDR": "203.0.113.7"}}
    assert anybody.asks("GET", "/metrics").status_code == 200
    problem = refused(anybody.asks("GET", "/metrics", **far), 401, "not-authenticated")
    assert problem["detail"] == "the figures are for whoever runs this site"
    refused(anybody.asks("GET", "/metrics", headers={"X-Forwarded-For": "203.0.113.7"}), 401, "not-authenticated")
    app.extensions["forgepost"] = replace(site, settings=replace(site.settings, metrics_token=TOKEN))
    refused(anybody.asks("GET", "/metrics"), 401, "not-authenticated")
    refused(anybody.asks("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}x"}), 401, "not-authenticated")
    assert anybody.asks("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, **far).status_code == 200
