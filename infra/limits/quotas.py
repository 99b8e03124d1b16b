"""How many requests of each kind are allowed in how long, for one token or one address."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, get_args

from domain.game import Record

Kind: TypeAlias = Literal["read", "write", "heavy", "picture", "create", "mail", "page"]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
OFF: Final = "off"
ROOMY: Final = 1000  # times as much on a development machine, where everybody comes from one address and bots play as fast as they can
QUOTA: Final = re.compile(r"([a-z]+)=([1-9][0-9]{0,8})/([1-9][0-9]{0,6})")


class Quota(Record, frozen=True):
    """So many requests at once, and as many again in `seconds`, evenly."""

    requests: int
    seconds: int


USUAL: Final[dict[Kind, Quota]] = {
    "read": Quota(600, 60),  # looking at matches, lists and histories
    "write": Quota(300, 60),  # moves, and whatever else changes something
    "heavy": Quota(240, 60),  # what takes the processor's time: checks and lists of legal actions
    "picture": Quota(30, 60),  # boards as PNG, which take up to a third of a second each
    "create": Quota(60, 3600),  # matches
    "mail": Quota(20, 3600),  # what sends a mail to an address that somebody typed
    "page": Quota(600, 60),  # pages, for one address whoever is signed in there: links need no sign-in
}


def quotas(text: str, *, dev: bool) -> dict[Kind, Quota]:
    """The quotas as a setting has them: those that it names, and the usual ones; none at all where it says `off`. Raises ValueError, in words."""
    if text == OFF:
        return {}
    found = {kind: Quota(quota.requests * ROOMY, quota.seconds) if dev else quota for kind, quota in USUAL.items()}
    for part in filter(None, (part.strip() for part in text.split(","))):
        said = QUOTA.fullmatch(part)
        if said is None:
            raise ValueError(f"{part!r} is no limit: write read=600/60 for 600 requests in 60 seconds, or off alone for none at all")
        kind = next((kind for kind in KINDS if kind == said[1]), None)
        if kind is None:
            raise ValueError(f"{said[1]!r} is nothing that is limited; what is limited is {', '.join(KINDS)}")
        found[kind] = Quota(int(said[2]), int(said[3]))
    return found
