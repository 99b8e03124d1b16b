"""Counts what callers ask: each process by itself, and now and then all of them together, so that the usual request needs no trip to Redis."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final, cast

from redis import Redis
from redis.exceptions import RedisError

from domain.game import Record
from infra.limits.quotas import Kind, Quota

log = logging.getLogger(__name__)

SHARE: Final = 20  # a process lets a twentieth of a quota through before it tells the others,
CAREFUL: Final = 4  # and of what is left never more than a quarter
REMEMBERED: Final = 10_000  # callers
AWAY: Final = 5.0  # seconds that a Redis which did not answer is not asked again


class Verdict(Record, frozen=True):
    """What is left of a quota after a request, and in how many seconds it fits: 0 where it was let through."""

    kind: Kind
    quota: Quota
    left: int
    wait: int = 0

    @property
    def whole(self) -> int:
        """Seconds until all of the quota can be used again."""
        return ceil((self.quota.requests - self.left) * self.quota.seconds / self.quota.requests)


@dataclass
class _Account:
    """What this process knows of one caller and kind. Times in seconds, as `monotonic` has them."""

    left: int
    trust: int  # requests that may be let through before they are told
    begun: float
    untold: int = 0
    closed: float = 0.0  # until when nothing fits


class Limiter:
    """The limits of a process. Redis away: nobody is stopped, and the log says so."""

    def __init__(self, client: Redis, quotas: Mapping[Kind, Quota]) -> None:
        self._redis, self._quotas = client, quotas
        self._charge = client.register_script((Path(__file__).parent / "charge.lua").read_text("utf-8"))
        self._accounts: OrderedDict[tuple[Kind, str], _Account] = OrderedDict()
        self._lock = Lock()
        self._away = 0.0

    def ask(self, kind: Kind, caller: str) -> Verdict | None:
        """One more request of this kind by this caller; None where that is not limited."""
        quota = self._quotas.get(kind)
        if quota is None:
            return None
        now = monotonic()
        with self._lock:
            account = self._account(kind, caller, quota, now)
            if account.closed > now:
                return Verdict(kind, quota, 0, ceil(account.closed - now))
            if account.untold + 1 < account.trust or self._away > now:
                account.untold += 1
                account.left = max(account.left - 1, 0)
                return Verdict(kind, quota, account.left)
            untold, account.untold = account.untold, 0
        return self._tell(kind, caller, quota, account, untold)

    def close(self) -> None:
        """Let go of the connection."""
        self._redis.close()

    def _account(self, kind: Kind, caller: str, quota: Quota, now: float) -> _Account:
        account = self._accounts.get((kind, caller))
        if account is None or now - account.begun > quota.seconds:  # what was not told by then is paid off
            account = _Account(quota.requests, max(quota.requests // SHARE, 1), now, closed=account.closed if account else 0.0)
            self._accounts[kind, caller] = account
            if len(self._accounts) > REMEMBERED:
                self._accounts.popitem(last=False)
        return account

    def _tell(self, kind: Kind, caller: str, quota: Quota, account: _Account, untold: int) -> Verdict:
        each = quota.seconds * 1_000_000 // quota.requests or 1
        key = f"limit:{kind}:{sha256(caller.encode()).hexdigest()[:32]}"
        try:
            fits, left, wait = cast("list[int]", self._charge(keys=[key], args=[each, quota.requests, untold]))
        except RedisError as error:
            self._away = monotonic() + AWAY
            log.warning("limits are not checked, for their Redis is away: %s", error)
            return Verdict(kind, quota, account.left)
        now = monotonic()
        with self._lock:
            account.begun, account.left = now, left
            account.trust = max(min(left // CAREFUL, quota.requests // SHARE), 1)
            account.closed = 0.0 if fits else now + wait / 1_000_000
        return Verdict(kind, quota, left, ceil(wait / 1_000_000))
