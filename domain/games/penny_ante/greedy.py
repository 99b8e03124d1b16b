"""tmp"""
from domain.games.penny_ante.whim import random as greedy
