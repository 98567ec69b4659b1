"""Simulated rooms: deals, players, populations with balances, in the format of the logs."""

from __future__ import annotations

from analytics.simulate.refusing import CannotSimulate
from analytics.simulate.running import Wanted, simulate, simulate_slots

__all__ = ["CannotSimulate", "Wanted", "simulate", "simulate_slots"]
