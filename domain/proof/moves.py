"""Signed moves in an export: each signature holds, is for exactly the actions that it covers, and was given in the position that they met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from domain.chain import canonical
from domain.match.events import ActionTaken, Event
from domain.match.signed import TYP, key_named, still_stands
from domain.proof.scrutiny import Flaw, Place
from domain.proof.witness import Signed


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The payload, strictly."""

    actions: tuple[dict[str, Any], ...]
    match: str
    ply: int
    prev: str
    seat: str
    nonce: str | msgspec.UnsetType = UNSET


class Signatures:
    """Those of one match. `count`: how many moves are said to be signed; `signers`: each player's keys, as far as they were checked."""

    def __init__(self, places: Sequence[Place], log: Sequence[Event]) -> None:
        self._places, self._log = places, log
        self.count = sum(isinstance(event.fact, ActionTaken) and event.fact.jws is not UNSET for event in log)
        self.signers: dict[str, tuple[str, ...]] = {}

    def check(self, signed: Signed) -> Iterator[Flaw]:
        """What does not hold; the line of version n is n + 1."""
        covered = 0  # how many events from the first on, up to the last one that a signature covers
        for at, event in enumerate(self._log):
            fact, by_jws = event.fact, event.by.via == "jws"
            jws = fact.jws if isinstance(fact, ActionTaken) else UNSET
            if jws is UNSET:
                if by_jws and (at >= covered or not isinstance(fact, ActionTaken)):
                    yield self._flaw(at, "is said to be signed by its player, and no signature covers it")
                continue
            if not by_jws:
                yield self._flaw(at, f"has a signature, and is said to have come in another way ({event.by.via or event.by.kind})")
            elif at < covered:
                yield self._flaw(at, "has a signature of its own, and the one before covers it already")
            said = self._read(jws, signed)
            wrong = said if isinstance(said, str) else self._unfit(at, event, said)
            if wrong:
                yield self._flaw(at, wrong)
            covered = at + 1 if isinstance(said, str) else at + len(said.actions)
            self._note(event.by.player or "", key_named(jws))

    def _note(self, player: str, kid: str) -> None:
        keys = self.signers.get(player, ())
        self.signers[player] = keys if kid in keys else (*keys, kid)

    def _flaw(self, at: int, words: str) -> Flaw:
        return Flaw("moves", at + 2, f"version {at + 1} {words}")

    def _read(self, jws: str, signed: Signed) -> _Said | str:
        """What was signed, or what is wrong with it. The key is named by itself, so a signature is never without its key."""
        kid = key_named(jws)
        key = {"kid": kid, "kty": "OKP", "crv": "Ed25519", "x": kid}
        if (payload := signed((key,), jws, TYP)) is None:
            return "has a signature that does not hold: it is damaged, or was not made with the key that it names"
        try:
            return msgspec.convert(payload, _Said)
        except msgspec.ValidationError:
            return "has a signature of something that is no move"

    def _unfit(self, at: int, event: Event, said: _Said) -> str:
        """In what the signature is not one of what was done; empty where it is."""
        taken = [other.fact for other in self._log[at : at + len(said.actions)] if other.by == event.by and other.at == event.at]
        done = [fact.action for fact in taken if isinstance(fact, ActionTaken) and not fact.forced and fact.timeout is not True]
        if said.match != self._places[at].match:
            return f"has a signature for another match, {said.match}"
        if said.seat != event.by.seat:
            return f"has a signature for another seat, {said.seat}"
        if said.ply != event.ply - 1:
            return f"has a signature for ply {said.ply}, and was played at ply {event.ply - 1}"
        if not said.actions or list(map(canonical, done)) != list(map(canonical, said.actions)):
            return "has a signature for other actions than were played"
        if not isinstance(event.fact, ActionTaken) or said.nonce != event.fact.nonce:
            return "has a signature for another nonce"
        past = ((self._places[place].type, self._places[place].hash) for place in range(at - 1, -1, -1))
        if not still_stands(said.prev, past):
            return "has a signature for another position: the head that it names is none at which this one stood"
        return ""
