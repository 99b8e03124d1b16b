"""What holds at every ply of every match: the slow rules agree, no stone is lost or made, and the record replays."""

from collections import Counter
from random import Random
from types import UnionType

import msgspec
import pytest

from domain.game import Seat
from domain.games.four_forges import GAME
from domain.games.four_forges.forges import ANVILS, AT, NONE, SEATS, plus
from domain.games.four_forges.rules import actions
from domain.games.four_forges.state import Action, Break, Deal, DeclareEnd, Dig, Mine, Move, Options, Outcome, Smelt, State
from domain.games.four_forges.trading import givers, offers, portions, some_offer
from tests.games.four_forges import slow
from tests.games.walks import some_options

Happened = tuple[Seat | None, Action | Outcome]


SORTS: dict[str, type[Action] | UnionType] = {"moving": Move, "breaking": Break | DeclareEnd, "mining": Mine | Smelt | Break, "trading": Move}


PLAYERS: list[list[list[str]]] = [
    [["ochre"], ["malachite"], ["lead"], ["azurite"]],
    [["ochre", "lead"], ["malachite"], ["azurite"]],
    [["ochre"], ["malachite", "azurite"], ["lead"]],
]


def agree(s: State, table: slow.Table, chance: Random) -> None:
    """The position and the list of what is legal, as far as it can be listed in reasonable time."""
    assert GAME.view(s) == table.view()
    result = GAME.result(s)
    assert (result and result.reason) == table.reason
    for seat in GAME.awaited(s):
        short = not table.offers_left() or chance.random() < 0.002
        lines = [GAME.write(action) for action in GAME.legal(s, seat)] if short else []
        assert lines == (table.legal() if short else [])


def in_the_mood(s: State, seat: Seat, mood: str, chance: Random) -> Action:
    """A random action, mostly of one sort, so that matches come to all their ends."""
    if mood == "trading" and not s.trade and givers(s):
        return some_offer(s, chance.randrange)
    listed = [] if s.trade or chance.random() < 0.1 else [action for action in actions(s) if isinstance(action, SORTS[mood])]
    return chance.choice(listed) if listed else GAME.bots["random"](s, seat, chance.randrange)


@pytest.mark.parametrize("seed", range(60))
def test_the_slow_rules_agree_at_every_ply(seed: int):
    chance = Random(seed)
    options = some_options(GAME, GAME.seats, chance)
    players = chance.choice(PLAYERS)
    table = slow.Table(msgspec.to_builtins(options), players)
    s = GAME.seated(GAME.setup(options, GAME.seats), tuple(map(tuple, players)))
    for _ in SEATS:
        deal = GAME.draw(s, chance.randrange)
        assert isinstance(deal, Deal)
        table.anvils |= {name: Counter(msgspec.to_builtins(stones)) for name, stones in deal.anvils.items()}
        s = GAME.apply_chance(s, deal)
    leaving, mood = chance.randrange(300), chance.choice(list(SORTS))
    for ply in range(400):
        agree(s, table, chance)
        if GAME.result(s):
            return
        if ply == leaving and table.seat != "lead" and not table.pending:
            s = GAME.vacate(s, "lead")
            table.gone.add("lead")
        (seat,) = GAME.awaited(s)
        action = in_the_mood(s, seat, mood, chance)
        s, dug = GAME.apply(s, seat, action), ""
        if isinstance(action, Mine):
            drawn = GAME.draw(s, chance.randrange)
            assert isinstance(drawn, Dig)
            s, dug = GAME.apply_chance(s, drawn), GAME.tell(drawn).split()[3]
        table.do(GAME.write(action), dug)


@pytest.mark.parametrize("seed", range(20))
def test_objections_and_the_slow_rules_agree_on_every_line_that_could_be_written(seed: int):
    """Every action but trades there is, and a sample of trades, most of them impossible, in a dozen positions."""
    chance = Random(seed)
    options = some_options(GAME, GAME.seats, chance)
    positions = [s for s, _ in matches(options, chance) if not GAME.chance_due(s)]
    for s in chance.sample(positions[:-1], min(12, len(positions) - 1)):
        (seat,) = GAME.awaited(s)
        legal = {GAME.write(action) for action in GAME.legal(s, seat)}
        for line in [*every_line(), *some_trades(s, chance)]:
            action = GAME.read(s, line)
            words = GAME.objection(s, seat, action)
            assert (words is None) == (line in legal), f"{line}: {words}"
            assert words is None or "(FF-" in words


def every_line() -> list[str]:
    moves = [f"{start}>{to} {colour}" for start in ANVILS for to in ANVILS for colour in slow.COLOURS]
    work = [f"{verb} {anvil}" for verb in ("forge", "smelt", "mine") for anvil in ANVILS]
    breaking = [f"break {anvil} {colour}" for anvil in ANVILS for colour in slow.COLOURS]
    return [*moves, *work, *breaking, "declare end", "end turn", "accept", "decline"]


def some_trades(s: State, chance: Random) -> list[str]:
    """Trades of stones that mostly are there, between any two anvils."""

    def amount(name: str) -> str:
        stones = s.anvils[AT[name]]
        parts = [*portions(stones), plus(stones, (0, 0, 1)), NONE]
        black, silver, grey = chance.choice(parts)
        return slow.written(Counter({"black": black, "silver": silver, "grey": grey})) or "-"

    pairs = [(chance.choice(ANVILS), chance.choice(ANVILS)) for _ in range(150)]
    return [f"trade {start} {amount(start)} for {to} {amount(to)}" for start, to in pairs]


def matches(options: Options, chance: Random) -> list[tuple[State, Happened | None]]:
    """Every position of a random match with what happened in it."""
    s = GAME.setup(options, GAME.seats)
    record: list[tuple[State, Happened | None]] = []
    while GAME.result(s) is None:
        if GAME.chance_due(s):
            outcome = GAME.draw(s, chance.randrange)
            record.append((s, (None, outcome)))
            s = GAME.apply_chance(s, outcome)
        else:
            (seat,) = GAME.awaited(s)
            action = GAME.bots["random"](s, seat, chance.randrange)
            record.append((s, (seat, action)))
            s = GAME.apply(s, seat, action)
    return [*record, (s, None)]


@pytest.mark.parametrize("seed", range(40))
def test_no_stone_is_lost_or_made_and_none_comes_back(seed: int):
    chance = Random(seed)
    options = some_options(GAME, GAME.seats, chance)
    out = NONE
    for s, _ in matches(options, chance):
        whole = s.mine or NONE
        for stones in (*s.anvils, *s.chests, s.bag):
            whole = plus(whole, stones)
            assert min(stones) >= 0
        assert whole == ((6 * s.dealt,) * 3 if s.mine is None else (6 * s.dealt + 24,) * 3)
        gone = s.bag
        for chest in s.chests:
            gone = plus(gone, chest)
        assert all(now >= before for now, before in zip(gone, out, strict=True))
        out = gone


@pytest.mark.parametrize("seed", range(20))
def test_a_match_replays_from_its_recorded_actions_and_outcomes(seed: int):
    chance = Random(seed)
    options = some_options(GAME, GAME.seats, chance)
    record = matches(options, chance)
    s = GAME.setup(options, GAME.seats)
    for before, happened in record:
        assert s == before
        if happened is None:
            continue
        seat, event = happened
        said = msgspec.json.decode(msgspec.json.encode(event), type=GAME.actions if seat else GAME.outcomes)
        s = GAME.apply(s, seat, said) if seat else GAME.apply_chance(s, said)
    assert s == record[-1][0]


def test_of_thousands_of_trades_each_meets_no_objection():
    for seed in range(3):
        chance = Random(seed)
        positions = [s for s, _ in matches(Options(trading=True), chance) if GAME.awaited(s)]
        for s in positions[:3]:
            assert all(GAME.objection(s, GAME.awaited(s)[0], offer) is None for offer in offers(s))
