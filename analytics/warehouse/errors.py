"""What can be wrong with a warehouse, or with what is asked of it."""

from __future__ import annotations


class WarehouseError(Exception):
    """What was asked for cannot be done; the text is a sentence for people."""
