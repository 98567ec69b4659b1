"""Simulated rooms: deals, players, games with balances, in the format of the logs."""

from __future__ import annotations

from analytics.simulate.deals import Blocks, Dealer, Uniform
from analytics.simulate.games import Mishaps
from analytics.simulate.houses import House, Room, games_of
from analytics.simulate.planning import Taste
from analytics.simulate.players import Habits

__all__ = [
    "Blocks",
    "Dealer",
    "Habits",
    "House",
    "Mishaps",
    "Room",
    "Taste",
    "Uniform",
    "games_of",
]
