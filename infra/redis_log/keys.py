"""The names of the log's keys; those of one match share a hash tag, so that one script may touch them all, in a cluster too (store.md)."""

from __future__ import annotations

from infra.ids import partition


def events(match: str) -> str:
    """Stream: `<version>-0` → `t` (type and schema), `d` (canonical body)."""
    return f"{_tag(match)}:m:{match}:ev"


def head(match: str) -> str:
    """Hash: `v` version, `h` chain head (hex), `st` status, `due` deadline (ms), `at` (ms), `ro` why it is read-only, `arch` its bundle."""
    return f"{_tag(match)}:m:{match}:head"


def idem(match: str, actor: str, key: str) -> str:
    """Hash that expires: `fp` which request an idempotency key was used for, `v` the version after it, `n` how many events it brought."""
    return f"{_tag(match)}:idem:{actor}:{key}"


def no_idem(match: str) -> str:
    """Never written: stands in for the idempotency key of an append that has none."""
    return f"{_tag(match)}:idem"


def feed(of: int) -> str:
    """Stream: one entry an append, the outbox and the subscription log of a partition in one."""
    return f"{{p{of:02d}}}:feed"


def due(of: int) -> str:
    """Sorted set: match id → deadline (ms)."""
    return f"{{p{of:02d}}}:due"


def readonly(of: int) -> str:
    """Hash: match that is read-only → why."""
    return f"{{p{of:02d}}}:readonly"


def notices(of: int) -> str:
    """Sorted set: notice (canonical JSON) → when it is to be sent (ms)."""
    return f"{{p{of:02d}}}:notices"


def parked(of: int) -> str:
    """Sorted set: notice (canonical JSON) that cannot be made into a mail → when (ms) that was found out."""
    return f"{{p{of:02d}}}:parked"


def trouble(of: int, digest: str) -> str:
    """String: why this notice could not be sent the last time it was tried; goes by itself once nobody tries any more."""
    return f"{{p{of:02d}}}:trouble:{digest}"


def sending(of: int, digest: str) -> str:
    """String that expires soon: somebody is sending this notice right now."""
    return f"{{p{of:02d}}}:sending:{digest}"


def inbox() -> str:
    """Sorted set: mail that came in and has yet to be dealt with → when (ms). It lies beside the notices of partition 0, which bring the answers."""
    return f"{_inbox()}"


def inbox_parked() -> str:
    """Sorted set: mail that could not be dealt with → when (ms) that was found out."""
    return f"{_inbox()}:parked"


def inbox_record() -> str:
    """Stream: what became of every mail that came in; the newest."""
    return f"{_inbox()}:record"


def inbox_mail(mail: str) -> str:
    """Hash: `raw` a mail's bytes as they came, `envelope` (JSON), `why` it is parked; gone when it is dealt with."""
    return f"{_inbox()}:mail:{mail}"


def inbox_known(mail: str) -> str:
    """String that expires: this mail has come before."""
    return f"{_inbox()}:known:{mail}"


def inbox_reply(mail: str) -> str:
    """String that expires: what is answered to a mail (JSON)."""
    return f"{_inbox()}:reply:{mail}"


def inbox_once(what: str) -> str:
    """String that expires: the mail by which something was answered that is answered once only."""
    return f"{_inbox()}:once:{what}"


def _inbox() -> str:
    return "{p00}:inbox"


def _tag(match: str) -> str:
    return f"{{p{partition(match):02d}}}"
