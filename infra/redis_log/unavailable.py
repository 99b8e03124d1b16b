"""What Redis or the way to it says, as a sentence for whoever must do something about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from redis.exceptions import BusyLoadingError, RedisError, ResponseError
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
    "can't run this command": "our user there may not do this",  # the same inside a script
    "WRONGTYPE": "a key of the log holds something else",
}
_HALFWAY = {"NOPERM", "can't run this command", "WRONGTYPE"}  # all else is refused before a script's first write
_CODE = re.compile(rf"\b({'|'.join(_CAUSES)})\b")  # inside a script, 6.2 buries the code in its own words


def unavailable(error: RedisError, *, sent: bool = False) -> LogUnavailable:
    """The error in words; `sent`: a write is out there and nobody heard what became of it."""
    said = " ".join(f"{getattr(error, 'status_code', None) or ''} {error}".split())
    code = _cause(error)
    if code:
        cause = f"{_CAUSES[code]} ({said})"
    elif isinstance(error, TimedOut):
        cause = f"it did not answer in time ({said})"
    else:
        cause = said
    after = "it is not known whether this was written; asking the same again does no harm" if sent else "nothing was written"
    return LogUnavailable(f"Redis does not serve the log: {cause}; {after}")


def refused_whole(error: ResponseError) -> bool:
    """Whether a script that ended with this error cannot have written a part of what it was to write."""
    return _cause(error) not in {None, *_HALFWAY}


def _cause(error: RedisError) -> str | None:
    found = _CODE.search("LOADING" if isinstance(error, BusyLoadingError) else f"{getattr(error, 'status_code', None) or ''} {error}")
    return found[1] if found else None


@contextmanager
def in_words(*, writing: bool = False) -> Iterator[None]:
    """Turn what Redis says here into LogUnavailable; `writing`: it may have been done all the same."""
    try:
        yield
    except RedisError as error:
        raise unavailable(error, sent=writing) from error
