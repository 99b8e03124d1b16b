"""How the site fares, in figures: what all its processes counted and what waits just now, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from infra.beats import Beats
from infra.redis_log.unavailable import in_words
from infra.tally import BOUNDS
from infra.wiring import Site
from service.running.household import QUEUES

COUNTED = {
    "requests": ("Requests answered, by the route's pattern.", ("method", "route", "status")),
    "events": ("Events appended to matches.", ("type",)),
    "turned_away": ("Requests that ended before or after the application: their bodies did not come whole, or nobody read the answer.", ("cause",)),
    "streams": ("Streams that have ended, by how.", ("end",)),
    "mails": ("Mails handed to the mail server, and what became of that.", ("outcome",)),
    "deliveries": ("Tries to deliver to webhooks, and what became of them.", ("outcome",)),
}


class Figures:
    """All figures at one moment. Raises LogUnavailable."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def text(self) -> bytes:
        """In the text format of Prometheus."""
        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        return generate_latest(registry)

    def collect(self) -> Iterator[Metric]:
        """What prometheus-client asks for."""
        self._site.tally.say()
        yield from self._counted(self._site.tally.totals())
        yield from self._standing()

    def describe(self) -> Iterable[Metric]:
        """Nothing: the figures are looked up when they are asked for."""
        return ()

    def _counted(self, totals: dict[tuple[str, ...], int]) -> Iterator[Metric]:
        for name, (about, labels) in COUNTED.items():
            family = CounterMetricFamily(f"forgepost_{name}", about, labels=labels)
            for (what, *said), times in sorted(totals.items()):
                if what == name.replace("_", "-"):
                    family.add_metric(said, times)
            yield family
        took = HistogramMetricFamily("forgepost_request_seconds", "How long requests took.", labels=("method", "route"))
        by_route: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        for (what, *said), times in totals.items():
            if what == "seconds":
                by_route[said[0], said[1]][said[2]] = times
        for route, buckets in sorted(by_route.items()):
            took.add_metric(route, _rising(buckets), totals.get(("microseconds", *route), 0) / 1e6)
        yield took

    def _standing(self) -> Iterator[Metric]:
        site, now = self._site, self._site.clock()
        yield _gauge("matches", "Matches, by their status.", "status", site.listing.count())
        yield _gauge("matches_read_only", "Matches that are read-only until somebody has looked.", "", {"": site.readonly.count()})
        yield _gauge("streams_open", "Streams that are open just now.", "", {"": site.tally.standing()["streams"]})
        yield _gauge("deadlines_overdue", "Deadlines that are over and not enforced.", "", {"": site.dues.late(now)})
        yield _gauge("outbox_waiting", "Notices to be mailed or done, due or not.", "", {"": site.outbox.waiting()})
        yield _gauge("outbox_parked", "Notices that cannot be mailed.", "", {"": len(site.outbox.parked())})
        with in_words():
            queued: Any = {queue: site.rq_redis.llen(f"rq:queue:{queue}") for queue in QUEUES}
        yield _gauge("queue_jobs", "Jobs that nobody has begun.", "queue", queued)
        hooks = site.webhooks.every()
        yield _gauge("webhooks", "Webhooks, by their state.", "state", Counter(hook.off or ("failing" if hook.failing else "on") for hook in hooks))
        waiting = sum(count for count, _ in site.hook_queue.waiting([hook.id for hook in hooks]))
        yield _gauge("deliveries_waiting", "Events that wait to be delivered to webhooks.", "", {"": waiting})
        ages = {loop: (now - at) / 1000 for loop, at in Beats(site.redis).heard(now).items()}
        yield _gauge("clock_beat_age_seconds", "Since when each loop of the clock has not got through.", "loop", ages)


def _gauge(name: str, about: str, label: str, values: dict[str, float] | dict[str, int] | Counter[str]) -> Metric:
    family = GaugeMetricFamily(f"forgepost_{name}", about, labels=(label,) if label else ())
    for said, value in sorted(values.items()):
        family.add_metric([said] if label else [], value)
    return family


def _rising(times: dict[str, int]) -> list[tuple[str, float]]:
    """The buckets, each with all that lie below it."""
    total, rising = 0, []
    for bound in (*map(str, BOUNDS), "+Inf"):
        total += times.get(bound, 0)
        rising.append((bound, float(total)))
    return rising
