"""Nature's hand for each match, from the site's seed secret."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from domain.chain import SeedLot
from infra.seals.keys import Keys

REMEMBERED = 2048  # matches: to derive a seed anew costs a tenth of what a whole move costs the domain


def lots(keys: Keys) -> Callable[[str], SeedLot]:
    """The lot of any match by its id. The same secret gives the same lot for ever, so a seed is stored nowhere before it is revealed."""
    return lru_cache(REMEMBERED)(lambda match: SeedLot(keys.seed(match), match))
