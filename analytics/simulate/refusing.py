"""What a run is refused with."""

from __future__ import annotations


class CannotSimulate(ValueError):
    """What was asked for cannot be simulated; the text is a sentence for people."""
