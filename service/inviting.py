"""Somebody who is invited: a player from that moment on, under a name that they can change when they come."""

from __future__ import annotations

from infra.people.players import Player, Players
from infra.people.spelling import Misspelled, spelled

NOBODY = "Guest"  # where the address gives no name


def invite(players: Players, mail: str) -> Player:
    """The player behind an address; a new one, called after its beginning, where we know none."""
    return players.add(called(mail), mail)


def called(mail: str) -> str:
    """What somebody invited is called until they say it themselves: the beginning of their address, if that is a name."""
    first = mail.partition("@")[0].partition("+")[0].partition(".")[0]
    try:
        return spelled(first[:1].upper() + first[1:])
    except Misspelled:
        return NOBODY
