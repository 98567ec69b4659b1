"""What cannot be tuned, or cannot be told from what is there."""

from __future__ import annotations


class CannotTune(ValueError):
    """What was asked for cannot be done; the text is a sentence for people."""


class NotFromGroups(CannotTune):
    """Counts of games are not enough: the order of games, or balances, would be needed."""


class NeedsReplay(CannotTune):
    """Another ``[play]`` makes other games: only a replay could say what they are worth."""


class CannotCarry(CannotTune):
    """By this table a balance passes 10^15 (clause 12): it cannot be carried from game to game."""
