"""Simulated rooms: deals, players, populations with balances, in the format of the logs."""

from __future__ import annotations

from analytics.simulate.running import CannotSimulate, Wanted, simulate

__all__ = ["CannotSimulate", "Wanted", "simulate"]
