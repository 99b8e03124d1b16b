"""The verifier: what an export of a match proves by itself, without trusting the server that wrote it (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from domain.chain import ORIGIN, SeedLot, commitment, stamp
from domain.game import Record
from domain.games import EDITIONS
from domain.match.events import Event, MatchCreated, SeedRevealed
from domain.match.lobby import card_hash
from domain.proof.export import EXPORT, HEAD, Header, Trailer
from domain.proof.moves import Signatures
from domain.proof.referee import Astray, Referee
from domain.proof.scrutiny import Check, Flaw, scrutinise
from domain.proof.witness import Keys, Seen, Signed, compared


class Report(Record, frozen=True):
    """What was found: which checks hold, which could not be made and why, and every flaw."""

    match: str
    game: str
    edition: int
    version: int  # of the last event
    hash: str
    status: str
    ply: int
    chances: int
    outcome: dict[str, Any] | None
    signed: int  # moves that their players signed
    signers: dict[str, tuple[str, ...]]  # the keys that each player signed with; whose a key is, the player says
    holds: tuple[Check, ...]
    witnessed: tuple[int, ...]  # which of the heads that were seen elsewhere are in it, counted from 0
    unchecked: tuple[str, ...]
    flaws: tuple[Flaw, ...]

    @property
    def words(self) -> str:
        """All of it in one line, whatever line breaks and signs for terminals a file brings along."""
        return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in self._said())

    def _said(self) -> str:
        name = f"match {self.match or '(unknown)'}" + (f" ({self.game})" if self.game else "")
        if self.flaws:
            others = f" (and {len(self.flaws) - 1} more)" if len(self.flaws) > 1 else ""
            return f"{name} does NOT hold: {self.flaws[0].words}{others}"
        lots = f", {self.chances} lots as the seed draws them" if "lots" in self.holds else ""
        moves = f", {self.signed} move{'s' * (self.signed != 1)} signed by their players ({_keys(self.signers)})" if "moves" in self.holds else ""
        said = f"unaltered chain of {self.version} events, {self.ply} plies by the rules{lots}{moves}"
        ended = f"; outcome {_ranking(self.outcome)}" if self.outcome else f"; {self.status}"
        head = "; head signed" if "head" in self.holds else ""
        head += f"; {len(self.witnessed)} of the heads seen elsewhere in it" if self.witnessed else ""
        return f"{name} holds: {said}{ended}{head}" + "".join(f"; not checked: {why}" for why in self.unchecked)


def verify(export: bytes, signed: Signed | None = None, keys: Keys | None = None, seen: Sequence[Seen] = ()) -> Report:
    """Everything that one export can be held to.

    `signed` checks the signatures of head and export, where somebody can; `keys` are the server's as one knows them from elsewhere, better
    than those that the export itself brings along; `seen` are heads of this or other matches that were seen elsewhere.
    """
    read = scrutinise(export)
    flaws, unchecked, referee, heads = [*read.flaws], list[str](), None, list[Flaw | bool]()
    header, trailer, last = read.header, read.trailer, read.places[-1] if read.places else None
    if header and trailer and not flaws:
        flaws += _signature(header, trailer, signed, keys, unchecked)
        heads = [compared(each, header.match, read.places, header.keys if keys is None else keys, signed) for each in seen]
        flaws += [each for each in heads if isinstance(each, Flaw)]
        referee = _played(read.log, header, flaws, unchecked)
    moves = Signatures(read.places, read.log)
    if moves.count and signed is None:
        unchecked.append(f"the signatures of {moves.count} moves")
    elif signed and referee and not read.flaws:
        flaws += moves.check(signed)
        if moves.count:
            unchecked.append("that the keys are those of the players, who know their own")
    match = referee.match if referee else None
    return Report(
        match=header.match if header else last.match if last else "",
        game=header.game if header else "",
        edition=header.edition if header else 0,
        version=last.version if last else 0,
        hash=last.hash if last else ORIGIN.hex(),
        status=match.status if match else "unknown",
        ply=match.ply if match else 0,
        chances=referee.chances if referee else 0,
        outcome=match.outcome if match else None,
        signed=moves.count,
        signers=moves.signers,
        holds=_held(referee, trailer, signed, moves) if referee and trailer and not flaws else (),
        witnessed=tuple(place for place, each in enumerate(heads) if each is True),
        unchecked=tuple(unchecked),
        flaws=tuple(flaws),
    )


def _signature(header: Header, trailer: Trailer, signed: Signed | None, keys: Keys | None, unchecked: list[str]) -> Iterator[Flaw]:
    """Whether the server stands to the trailer's head and to the header; the trailer's line is two after the last event's."""
    line, head = trailer.version + 2, {"hash": trailer.hash, "match": trailer.match, "version": trailer.version}
    if (trailer.signature is UNSET) is not (trailer.seal is UNSET):
        yield Flaw("head", line, "of its two signatures, that of its head and that of all of it, one is missing")
    elif keys is not None and trailer.signature is UNSET:
        yield Flaw("head", line, "its head is not signed, and the server whose keys were given signs every one")
    elif trailer.signature is UNSET or trailer.seal is UNSET:
        unchecked.append("who wrote it, since its head is not signed")
    elif signed is None:
        unchecked.append("the signature of its head")
    elif (said := signed(known := header.keys if keys is None else keys, trailer.signature, HEAD)) is None:
        yield Flaw("head", line, "its head was not signed with any of the server's keys")
    elif said != head:
        yield Flaw("head", line, "its signature is of another head")
    elif (said := signed(known, trailer.seal, EXPORT)) is None:
        yield Flaw("head", line, "its seal was not made with any of the server's keys")
    elif said != {**head, "header": trailer.header}:
        yield Flaw("head", line, "its seal is of another export")
    elif keys is None:
        unchecked.append(f"that its keys are those of {header.server}")


def _played(log: Sequence[Event], header: Header, flaws: list[Flaw], unchecked: list[str]) -> Referee:
    """The rules, and the lots if their seed has been revealed; the line of version n is n + 1."""
    first, last = log[0].fact, log[-1].fact
    lot = None
    if isinstance(first, MatchCreated):
        flaws += _as_headed(header, first)
        if isinstance(last, SeedRevealed) and (lot := _opened(first, last, header.match)) is None:
            flaws.append(Flaw("lots", len(log) + 1, "the seed is not the one that was committed to before the first draw"))
    referee = Referee(header.match, log, lot)
    try:
        referee.follow()
    except Astray as astray:
        flaws.append(Flaw("rules", astray.seen + 2, f"version {astray.seen + 1}: {astray.words}"))
    unchecked += [f"that the site was away from {stamp(since)} to {stamp(at)}, as version {each} says" for each, since, at in referee.absences]
    if lot is None and referee.chances:
        unchecked.append(f"{referee.chances} lots, whose seed is revealed when the match is over")
    if lot is None:
        unchecked.append(f"whether it has gone on since version {len(log)}")
    return referee


def _as_headed(header: Header, created: MatchCreated) -> Iterator[Flaw]:
    """The header against the first event."""
    if (header.game, header.edition) != (created.game, created.edition):
        yield Flaw("form", 1, f"its header names {header.game} edition {header.edition}, its first event {created.game} edition {created.edition}")
    game = EDITIONS.get((created.game, created.edition))
    if header.components != created.components or (game and created.components != card_hash(game)):
        yield Flaw("form", 1, f"it was not played with the cards of {created.game} that are known here")


def _held(referee: Referee, trailer: Trailer, signed: Signed | None, signatures: Signatures) -> tuple[Check, ...]:
    """What was checked, where nothing was found."""
    lots: tuple[Check, ...] = ("lots",) if referee.lot else ()
    moves: tuple[Check, ...] = ("moves",) if signed and signatures.count else ()
    head: tuple[Check, ...] = ("head",) if signed and trailer.signature is not UNSET else ()
    return ("form", "chain", "rules", *lots, *moves, *head)


def _opened(first: MatchCreated, last: SeedRevealed, match: str) -> SeedLot | None:
    """The lot behind a commitment, if the seed is the one."""
    try:
        seed = bytes.fromhex(last.seed)
    except ValueError:
        return None
    return SeedLot(seed, match) if len(seed) == 32 and commitment(seed) == first.commitment and last.seed == seed.hex() else None


def _keys(signers: dict[str, tuple[str, ...]]) -> str:
    """`p-1 with 1 key, p-2 with 2 keys`."""
    return ", ".join(f"{player} with {len(keys)} key{'s' * (len(keys) > 1)}" for player, keys in sorted(signers.items()))


def _ranking(outcome: dict[str, Any]) -> str:
    """`north 1, east 2, … (goals)`."""
    ranks = sorted(outcome["ranks"].items(), key=lambda placed: int(placed[1]))
    return ", ".join(f"{seat} {rank}" for seat, rank in ranks) + f" ({outcome['reason']})"
