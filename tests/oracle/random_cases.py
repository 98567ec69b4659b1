"""Seeded generators of rulesets, card sets and games; the same `Random` gives the same cases."""

from .random_cards import random_cards
from .random_games import random_game
from .random_rules import random_rules

__all__ = ["random_cards", "random_game", "random_rules"]
