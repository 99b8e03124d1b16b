"""`/metrics`, for whoever runs the site."""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST

from service.blueprints import outside
from service.contract.operations import Call, Gives, Operation, Reply, operation
from service.door.asking import Asking
from service.metrics import Figures
from service.problems import Problem


@operation(
    outside,
    Operation(
        method="GET",
        rule="/metrics",
        limit=None,
        tag="site",
        query=None,
        gives={200: Gives(about="The figures, in the text format of Prometheus.", forms={"text/plain": {"type": "string"}})},
        refuses=("not-authenticated", "log-unavailable"),
    ),
)
def metrics(call: Call) -> Reply:
    """Read how the site fares, in figures: for whoever runs it.

    With `METRICS_TOKEN` set it is sent as `Authorization: Bearer …`; without, only this very machine may ask. The counters are those of all
    processes together, so one of them is asked, not each.
    """
    if not _may(call.asking, call.site.settings.metrics_token):
        raise Problem("not-authenticated", "the figures are for whoever runs this site", headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    media = CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")  # which is added to any text
    return Reply(Figures(call.site).text(), headers={"Cache-Control": "no-store"}, media=media)


def _may(asking: Asking, token: str) -> bool:
    if token:
        return compare_digest(asking.request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode())
    try:
        return ip_address(asking.whence).is_loopback
    except ValueError:
        return False
