"""A sample of the long run, on every commit; `make soak` does ten thousand."""

from tests.soak import matches, playouts


def test_random_matches_with_mixed_options_hold():
    assert matches.run(60, 1, print).total() == 60


def test_of_random_matches_of_each_game_nothing_is_lost_at_any_ply():
    assert playouts.run(15, 1, print).total() == 60
