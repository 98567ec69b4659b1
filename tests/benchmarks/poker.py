"""PokerKit reading and replaying hands of its own format: for comparison, no target."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any, Final

# A hand of three players that goes to the showdown.
HAND: Final = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = [
  "d dh p1 AsKs", "d dh p2 QdQc", "d dh p3 7h2d", "p3 f", "p1 cbr 6", "p2 cc",
  "d db 2s3s9d", "p1 cbr 8", "p2 cc", "d db Th", "p1 cc", "p2 cc",
  "d db Kc", "p1 cbr 20", "p2 cc", "p1 sm AsKs", "p2 sm QdQc",
]
"""
_HANDS: Final = 300


def hands_a_second() -> float | None:
    """Hands parsed and replayed in a second; None where PokerKit is not installed."""
    try:
        pokerkit: Any = import_module("pokerkit")
    except ModuleNotFoundError:
        return None
    begun = time.process_time()
    for _ in range(_HANDS):
        *_, last = pokerkit.HandHistory.loads(HAND)
        assert sum(last.stacks) == 600
    return _HANDS / (time.process_time() - begun)
