"""Nature's hand for each match, from the site's seed secret."""

from __future__ import annotations

from collections.abc import Callable

from domain.chain import SeedLot
from infra.seals.keys import Keys


def lots(keys: Keys) -> Callable[[str], SeedLot]:
    """The lot of any match by its id. The same secret gives the same lot for ever, so a seed is stored nowhere before it is revealed."""
    return lambda match: SeedLot(keys.seed(match), match)
