"""Single bytes of signed exports changed, left out and slipped in, by chance and in great number: each must be refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from domain.games import GAMES
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.exports import agreed
from tests.infra.seals.test_heads import KEYS, PUBLIC


def run(count: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """So many changes in all. A change that is not refused is told with game, place and bytes."""
    chance, counted = Random(seed), Counter[str]()
    exports = {game: agreed(game, KEYS, PUBLIC) for game in sorted(GAMES)}
    for number in range(count):
        game = chance.choice(list(exports))
        raw = exports[game]
        at, byte, kind = chance.randrange(len(raw)), bytes([chance.randrange(256)]), chance.choice(["replaced", "left out", "slipped in"])
        changed = raw[:at] + (b"" if kind == "left out" else byte) + raw[at + (kind != "slipped in") :]
        if changed != raw:
            assert verify(changed, signed).flaws, (game, kind, at, byte)
            counted[f"bytes {kind} in {game}"] += 1
        if number % 20_000 == 19_999:
            say(f"{number + 1} changes")
    return counted
