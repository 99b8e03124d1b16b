"""When what has failed is tried again."""

import pytest

from workers.retries import next_try

MINUTE = 60_000


@pytest.mark.parametrize(
    ("age", "wait"),
    [
        (0, 1 * MINUTE),
        (1 * MINUTE, 5 * MINUTE),
        (6 * MINUTE, 15 * MINUTE),
        (21 * MINUTE, 60 * MINUTE),
        (81 * MINUTE, 60 * MINUTE),
        (90 * MINUTE, 51 * MINUTE),
    ],
)
def test_tries_grow_rarer(age: int, wait: int):
    assert next_try(1_000, 1_000 + age) == 1_000 + age + wait
