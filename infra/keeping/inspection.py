"""The inspection of one match: everything that its log can be held to, from its bytes to its rules, and what a person should know of it."""

from __future__ import annotations

from collections.abc import Iterator

from domain.chain import link
from domain.game import Record
from domain.match.codec import Damage, lines
from domain.match.match import Match, fold
from domain.ports import Stored, Tip
from domain.proof.export import export
from domain.proof.verify import verify
from infra.redis_log.census import Head
from infra.seals.heads import signed
from infra.wiring import Site


class Inspection(Record, frozen=True):
    """What was found. `damage`: the log contradicts itself or its witnesses; `match` None: its events cannot be read as a match."""

    id: str
    head: Head | None
    tip: Tip  # what its stored events come to
    match: Match | None
    damage: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether there is, or was, such a match."""
        return self.head is not None or self.tip.version > 0 or bool(self.damage)


def inspect(site: Site, name: str, heads: tuple[str, ...] = ()) -> Inspection:
    """Look at one match. `heads`: signed heads (compact JWS) that somebody has of it, from a mail or an answer. Raises LogUnavailable."""
    head = site.census.heads([name])[name]
    entries = list(site.log.read(name))
    damage = list(_chain(head, entries))
    tip = Tip()
    hashes = {0: tip.hash.hex()}
    for entry in entries:
        tip = Tip(entry.version, link(tip.hash, name, entry.kind, entry.body))
        hashes[entry.version] = tip.hash.hex()
    if head and head.version == tip.version and head.hash != tip.hash.hex():
        damage.append(f"CHAIN: its {tip.version} events come to the hash {tip.hash.hex()}, and its head says {head.hash}: an event was changed")
    damage += _witnessed(site, name, hashes, heads)
    match = None
    try:
        match = fold(name, entries)
    except Damage as wrong:
        damage.append(f"EVENTS: {wrong}")
    if match and not damage:
        damage += _by_the_rules(site, match, entries)
    return Inspection(name, head, tip, match, tuple(damage))


def proof(site: Site, match: Match, entries: list[Stored]) -> bytes:
    """The match's export, as its bundle in the archive is and as the verifier reads it. Raises Damage and LogUnavailable."""
    return b"".join(export(match, lines(match.id, Tip(), entries), site.settings.url, site.signing.public(), site.signing))


def _chain(head: Head | None, entries: list[Stored]) -> Iterator[str]:
    """Head against stream, and the stream against gaps."""
    if head is None and entries:
        yield f"HEAD: it has {len(entries)} events and no head that can be read"
    for version, entry in enumerate(entries, start=1):
        if entry.version != version:
            yield f"GAP: version {entry.version} stands where version {version} belongs"
            break
    last = entries[-1].version if entries else 0
    if head and head.version != last:
        yield f"TIP: its head says version {head.version}, its stream ends at {last}"


def _witnessed(site: Site, name: str, hashes: dict[int, str], heads: tuple[str, ...]) -> Iterator[str]:
    """The stored events against heads that were signed."""
    last = max(hashes)
    seen = site.witness.newest().get(name)
    told = [(f"the witness in {site.witness.place}", seen.jws)] if seen else []
    for whose, jws in [*told, *(("the head that was given", jws) for jws in heads)]:
        said = site.witness.reads(jws)
        if said is None:
            yield f"HEAD: {whose} was not signed with a key of this site"
        elif said.get("match") != name:
            yield f"HEAD: {whose} is of match {said.get('match')}"
        elif said["version"] > last:
            yield f"LOST: {whose} is of version {said['version']}, and the log ends at {last}"
        elif hashes.get(said["version"]) != said["hash"]:
            yield f"FORK: {whose} says that version {said['version']} has the hash {said['hash']}, and in the log it is {hashes.get(said['version'])}"


def _by_the_rules(site: Site, match: Match, entries: list[Stored]) -> Iterator[str]:
    report = verify(proof(site, match, entries), signed, site.signing.public())
    yield from (f"{flaw.check.upper()}: {flaw.words}" for flaw in report.flaws)
