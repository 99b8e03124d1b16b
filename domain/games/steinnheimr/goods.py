"""The resources in level order, and sums of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

Resource: TypeAlias = Literal["iron", "silver", "gold", "mithril"]
Amounts: TypeAlias = tuple[int, int, int, int]  # of each resource, in level order

RESOURCES: Final[tuple[Resource, ...]] = ("iron", "silver", "gold", "mithril")
LEVEL: Final[dict[str, int]] = {resource: level for level, resource in enumerate(RESOURCES)}
NOTHING: Final[Amounts] = (0, 0, 0, 0)


def amounts(goods: Mapping[Resource, int]) -> Amounts:
    """Goods by name as amounts by level."""
    return goods.get("iron", 0), goods.get("silver", 0), goods.get("gold", 0), goods.get("mithril", 0)


def goods(by_level: Iterable[int]) -> dict[Resource, int]:
    """Amounts by level as goods by name; what is not there is left out."""
    return {resource: amount for resource, amount in zip(RESOURCES, by_level, strict=True) if amount}


def plus(some: Amounts, more: Amounts) -> Amounts:
    """Both together."""
    return some[0] + more[0], some[1] + more[1], some[2] + more[2], some[3] + more[3]


def minus(some: Amounts, less: Amounts) -> Amounts:
    """What is left of the first without the second."""
    return some[0] - less[0], some[1] - less[1], some[2] - less[2], some[3] - less[3]


def changed(some: Amounts, level: int, by: int) -> Amounts:
    """More or less of one resource."""
    iron, silver, gold, mithril = some
    match level:
        case 0:
            return iron + by, silver, gold, mithril
        case 1:
            return iron, silver + by, gold, mithril
        case 2:
            return iron, silver, gold + by, mithril
        case _:
            return iron, silver, gold, mithril + by


def covers(stock: Amounts, price: Amounts) -> bool:
    """Whether the stock is enough for the price."""
    return stock[0] >= price[0] and stock[1] >= price[1] and stock[2] >= price[2] and stock[3] >= price[3]
