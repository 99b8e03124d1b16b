"""The one door: load, decide, append, and once more when somebody else was first. Every way into a match knocks here."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from domain.chain import canonical, link, stamp
from domain.game import Record
from domain.match.codec import Damage, Line, decode, encode, line, lines
from domain.match.commands import Command, Submit, TimeOut
from domain.match.decide import decide
from domain.match.events import ActionTaken, ChanceDrawn, Event, SeatVacated, TurnTakenBack
from domain.match.match import Match, begin, evolve, fold
from domain.match.refusal import Refused
from domain.match.signed import place_of, still_stands
from domain.ports import (
    Append,
    Appended,
    Clock,
    ClocksApart,
    Closed,
    Conflict,
    Damaged,
    Early,
    EventLog,
    Key,
    KeyReused,
    Late,
    Lot,
    Mode,
    Replayed,
    Stored,
    Tip,
)

Asked: TypeAlias = Command | Callable[[Match], Command]  # a wish, or how it reads in the match as it stands (a line of text, say)

TRIES = 5  # only playing overtakes a command, so a match by turns hardly ever needs more than two


class Sight(Record, frozen=True):
    """A match as it stands, with the head of its log."""

    match: Match
    tip: Tip


Seen: TypeAlias = Callable[[Sight], bool]


class Answer(Record, frozen=True):
    """What was done: the events as they are shown everywhere, and the match after them.

    `replayed`: it had been done before; `pending`: it is stored, and replicas that the site waits for have yet to say that they have it.
    """

    lines: tuple[Line, ...]
    sight: Sight
    replayed: bool = False
    pending: bool = False


class Desk:
    """Commands to matches, over a log, a lot for each match and a clock. Keeps recently used matches folded in memory.

    A command is decided on what is remembered; the append proves that nobody was faster, so the usual move is one round
    trip, and only a refusal or a conflict reads the log again.
    """

    def __init__(self, log: EventLog, lot_of: Callable[[str], Lot], clock: Clock, remembered: int = 2048) -> None:
        self._log, self._lot_of, self._clock, self._room = log, lot_of, clock, remembered
        self._known: OrderedDict[str, Sight] = OrderedDict()

    def look(self, match: str) -> Sight:
        """The match as it is now. Raises Refused (no-such-match, match-damaged) and LogUnavailable."""
        sight = self._fresh(match)
        if sight is None:
            raise Refused("no-such-match", f"there is no match {match}")
        return sight

    def glance(self, match: str) -> Sight:
        """The match as it was last seen here; the log is asked only where it is not remembered. Raises as `look` does.

        For whoever goes on to `do`, which finds out whether it is still so, and looks properly before it says no.
        """
        return self._known.get(match) or self.look(match)

    def look_back(self, match: str, version: int) -> Sight:
        """The match as it was at a version (at least 1)."""
        entries = self._log.read(match)
        self._must_be_what_was_seen(match, entries)
        past = self._folded(match, None, entries[:version])
        if past is None or past.tip.version != version:
            raise Refused("no-such-match", f"match {match} has no version {version}")
        return past

    def history(self, match: str, after: int = 0, limit: int | None = None) -> list[Line]:
        """The events after a version as they are shown everywhere; empty for an unknown match. Their hashes are made anew from the stored bytes."""
        entries = list(self._log.read(match, 0, None if limit is None else after + limit))
        self._must_be_what_was_seen(match, entries)
        try:
            return lines(match, Tip(), entries)[after:]
        except Exception as wrong:
            raise _damaged(match, wrong) from wrong

    def events(self, match: Match, most: int | None = None) -> list[Event]:
        """What had happened when the match was seen like this, from its first event on; at most so many. Raises Refused (match-damaged)."""
        entries = self._log.read(match.id, 0, match.version if most is None else min(most, match.version))
        try:
            happened = [decode(match.game if place else None, stored) for place, stored in enumerate(entries)]
        except Damage as damage:
            raise _damaged(match.id, damage) from damage
        self._must_be_what_was_seen(match.id, entries)
        return happened

    def do(self, match: str, asked: Asked, key: Key | None = None, only_if: Seen | None = None) -> Answer:
        """Decide and append, all or nothing. Raises Refused (nothing was written) and LogUnavailable.

        `only_if` says whether the match is as whoever asks has seen it; otherwise they are refused (precondition-failed).
        """
        sight, known, held_up = self._known.get(match), False, False
        for _ in range(TRIES):
            if sight is None:
                sight, known = self._fresh(match), True
            now = self._clock()
            command: Command | None = None
            try:
                command = _read(asked, sight)
                if only_if and sight:
                    _must_be_as_seen(sight, only_if)
                made = decide(sight.match if sight else None, command, self._lot_of(match), now)
                self._must_still_stand(sight, command, known=known)
            except Refused as refused:
                if key and (before := self._log.recall(match, key)):
                    return self._again(match, before)
                if not known and sight and (fresh := self._fresh(match)) and (fresh.tip != sight.tip or refused.kind == "stale-head"):
                    sight, known = fresh, True
                    continue
                if again := self._played(match, command):
                    return self._again(match, again)
                raise self._explained(match, command, refused) from None
            try:
                answer = self._append(match, sight, command, made, now, key)
            except ClocksApart:
                if held_up:
                    raise
                held_up = True  # on its way to the log, perhaps: where clocks are wrong, they are so the next time, too
                continue
            if isinstance(answer, Answer):
                return answer
            sight = None
        raise Refused("busy", "others were faster, several times in a row; try again")

    def check(self, match: str, asked: Asked, only_if: Seen | None = None) -> list[Event]:
        """What the command would do, as far as no lot decides; nothing is written. Raises Refused as `do` would."""
        sight = self.look(match)
        command: Command | None = None
        try:
            command = _read(asked, sight)
            if only_if:
                _must_be_as_seen(sight, only_if)
            made = decide(sight.match, command, None, self._clock())
            self._must_still_stand(sight, command, known=True)
        except Refused as refused:
            raise self._explained(match, command, refused) from None
        return made

    def _must_still_stand(self, sight: Sight | None, command: Command, *, known: bool) -> None:
        """Refuse a signed move for a position that is no more. The log is read only where its head is not the newest, and that is `known`."""
        if sight is None or not isinstance(command, Submit) or not command.prev or command.prev == sight.tip.hash.hex():
            return
        past = self.history(sight.match.id, limit=sight.tip.version) if known else []
        if still_stands(command.prev, ((line.type, line.hash) for line in reversed(past))):
            return
        seen = next((line.version for line in past if line.hash == command.prev), None)
        if seen is None:
            words = "`prev` is the hash of no version of this match: look at it again, and compare its history with what you have seen"
            raise Refused("stale-head", words)
        since = [words for event in self.events(sight.match)[seen:] if (words := _moved(event))]
        raise Refused("stale-head", f"`prev` is the head at version {seen}, and the position has changed since: look at it again", since=tuple(since))

    def _played(self, match: str, command: Command | None) -> Replayed | None:
        """Where the log has this very signed move: it is its own idempotency key, for ever."""
        if not isinstance(command, Submit) or not command.jws:
            return None
        place = place_of(command.jws, self.events(self.look(match).match))
        return Replayed(*place) if place else None

    def _append(self, match: str, sight: Sight | None, command: Command, made: list[Event], now: int, key: Key | None) -> Answer | Conflict:
        """The answer, or that somebody else was first."""
        tip = sight.tip if sight else Tip()
        after = sight.match if sight else None
        entries, told, head = [], [], tip.hash
        for version, event in enumerate(made, start=tip.version + 1):
            kind, body = encode(event)
            prev, head = head, link(head, match, kind, body)
            entries.append((kind, body))
            told.append(line(match, version, kind, body, prev, head))
            after = begin(match, event) if after is None else evolve(after, event)
        assert after is not None
        batch = Append(
            match=match,
            expected=tip,
            entries=tuple(entries),
            hash=head,
            now=now,
            mode=_mode(command),
            status="over" if after.status == "aborted" else after.status,
            due=after.due,
            notes=canonical({"after": tip.version, "types": [kind for kind, _ in entries]}),
            key=key,
        )
        outcome = self._log.append(batch)
        match outcome:
            case Appended(pending=pending):
                return Answer(tuple(told), self._remember(Sight(after, Tip(after.version, head))), pending=pending)
            case Conflict():
                return outcome
            case Replayed() | KeyReused():
                return self._again(batch.match, outcome)
            case Closed():
                raise Refused("match-over", "this match is over")
            case Late(due=due):
                raise Refused("deadline-passed", f"the time for this turn ran out at {stamp(due)}", due=due)
            case Early():
                raise Refused("nobody-is-late", "no seat's time has run out")
            case Damaged(what=what):
                self._known.pop(match, None)  # what is remembered may be what was lost
                raise _contradictory(what)
            case _ as never:
                assert_never(never)

    def _again(self, match: str, before: Replayed | KeyReused) -> Answer:
        """The answer that was given before."""
        if isinstance(before, KeyReused):
            raise Refused("key-reused", "this idempotency key was used for another request; give every request a key of its own")
        told, sight = tuple(self.history(match, before.after, before.version - before.after)), self.look_back(match, before.version)
        return Answer(told, sight, replayed=True, pending=self._log.pending(match))

    def _explained(self, match: str, command: Command | None, refused: Refused) -> Refused:
        """A stale submission is told what happened instead."""
        if refused.kind != "stale-ply" or not isinstance(command, Submit):
            return refused
        since: list[tuple[int, str]] = []
        for event in self.events(self.look(match).match):
            if isinstance(event.fact, TurnTakenBack):
                since = [(ply, text) for ply, text in since if ply <= event.ply]
                if command.ply > event.ply:
                    since.append((event.ply, _moved(event)))
            elif event.ply > command.ply and isinstance(event.fact, ActionTaken | ChanceDrawn):
                since.append((event.ply, _moved(event)))
        return Refused(refused.kind, refused.words, since=tuple(text for _, text in since))

    def _fresh(self, match: str) -> Sight | None:
        """The match with everything the log has by now; one read of what came since it was last seen.

        Who sees a match for the first time has its head vouch for what was read: nothing that was changed in the log is shown, or signed.
        """
        known = self._known.get(match)
        sight = known
        for _ in range(TRIES):
            news = self._log.read(match, sight.tip.version if sight else 0)
            if sight and sight is known and not news:
                return known
            sight = self._folded(match, sight, news)
            if sight is None:
                return None
            said = None if known else self._log.vouch(match, sight.tip)
            if isinstance(said, Damaged):
                raise _contradictory(said.what)
            if said is None:
                return self._remember(sight)
        raise Refused("busy", "it is written to faster than it can be read; try again")

    def _must_be_what_was_seen(self, match: str, entries: Sequence[Stored]) -> None:
        """Refuse events, all from the first one on, that do not come to the tip at which the match was seen here; those that end before it pass."""
        seen = self._known.get(match)
        if seen is None or len(entries) < seen.tip.version:
            return
        head = Tip().hash
        for entry in entries[: seen.tip.version]:
            head = link(head, match, entry.kind, entry.body)
        if head != seen.tip.hash:
            self._known.pop(match, None)
            self.look(match)  # which says what is wrong, and closes the match
            raise Refused("busy", "its log was changed under our hands; try again")

    def _folded(self, match: str, known: Sight | None, news: Sequence[Stored]) -> Sight | None:
        try:
            folded = fold(match, news, known.match if known else None)
        except Damage as damage:
            raise _damaged(match, damage) from damage
        head = known.tip.hash if known else Tip().hash
        for entry in news:
            head = link(head, match, entry.kind, entry.body)
        return Sight(folded, Tip(folded.version, head)) if folded else None

    def _remember(self, sight: Sight) -> Sight:
        # Threads may cross here: each step is atomic, and a match that is forgotten or remembered too old costs one read, never a wrong answer.
        known = self._known.pop(sight.match.id, sight)
        self._known[sight.match.id] = known if known.tip.version > sight.tip.version else sight
        if len(self._known) > self._room:
            self._known.popitem(last=False)
        return sight


def _read(asked: Asked, sight: Sight | None) -> Command:
    """The command; one that has yet to be read is read anew in every position that it is tried in."""
    if not callable(asked):
        return asked
    if sight is None:
        raise Refused("no-such-match", "there is no such match")
    return asked(sight.match)


def _must_be_as_seen(sight: Sight, only_if: Seen) -> None:
    if not only_if(sight):
        raise Refused("precondition-failed", f"the match is at version {sight.tip.version} now, and that is not what this was asked for: look again")


def _moved(event: Event) -> str:
    """What changed the position, as a line of text; empty for what did not."""
    match event.fact:
        case ActionTaken(text=text) | ChanceDrawn(text=text):
            return text
        case TurnTakenBack(to_ply=ply):
            return f"{event.by.seat or 'all together'} took the turn back to ply {ply}"
        case SeatVacated(seat=seat):
            return f"{seat} was vacated"
        case _:
            return ""


def _contradictory(what: str) -> Refused:
    return Refused("match-damaged", f"this match is read-only until somebody has looked at it, for its log contradicts itself ({what})")


def _damaged(match: str, wrong: Exception) -> Refused:
    return Refused("match-damaged", f"the log of match {match} cannot be read: {wrong}")


def _mode(command: Command) -> Mode:
    """A move must be in time, a time-out must not; whatever else there is has no deadline."""
    return "move" if isinstance(command, Submit) else "timeout" if isinstance(command, TimeOut) else "admin"
