"""The games' rules, notation and boards; what every game promises stands in test_every_game.py."""
