"""What Redis or the way to it says, as a sentence for whoever must do something about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from redis.exceptions import BusyLoadingError, RedisError
from redis.exceptions import TimeoutError as TimedOut

from domain.ports import LogUnavailable

_CAUSES = {
    "READONLY": "it is a read-only replica now, and the master must be asked",
    "OOM": "its memory is full (maxmemory), so it takes no more events",
    "MISCONF": "it cannot write to its disk",
    "NOREPLICAS": "it has fewer replicas than min-replicas-to-write asks for",
    "MASTERDOWN": "it is a replica that has lost its master",
    "CLUSTERDOWN": "a part of the cluster is down",
    "LOADING": "it is still loading its data",
    "BUSY": "it is busy with a script that does not end",
    "NOAUTH": "it asks for a password that we do not have",
    "WRONGPASS": "it does not accept our password",
    "NOPERM": "our user there may not do this",
    "WRONGTYPE": "a key of the log holds something else",
}
_CODE = re.compile(rf"\b({'|'.join(_CAUSES)})\b")  # inside a script, 6.2 buries the code in its own words


def unavailable(error: RedisError, *, sent: bool = False) -> LogUnavailable:
    """The error in words; `sent`: an append is out there and nobody heard what became of it."""
    said = f"{getattr(error, 'status_code', None) or ''} {error}"
    if code := _CODE.search("LOADING" if isinstance(error, BusyLoadingError) else said):
        cause = f"{_CAUSES[code[1]]} ({' '.join(said.split())})"
    elif isinstance(error, TimedOut):
        cause = f"it did not answer in time ({error})"
    else:
        cause = f"{error}"
    after = "it is not known whether this was written; asking the same again does no harm" if sent else "nothing was written"
    return LogUnavailable(f"Redis does not serve the log: {cause}; {after}")


@contextmanager
def in_words(*, writing: bool = False) -> Iterator[None]:
    """Turn what Redis says here into LogUnavailable; `writing`: it may have been done all the same."""
    try:
        yield
    except RedisError as error:
        raise unavailable(error, sent=writing) from error
