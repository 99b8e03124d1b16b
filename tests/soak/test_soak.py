"""A sample of the long run, on every commit; `make soak` does ten thousand."""

from tests.soak import matches


def test_random_matches_with_mixed_options_hold():
    assert matches.run(60, 1, print).total() == 60
