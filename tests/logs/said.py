"""What a batch says, in plain values that can be compared."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from analytics.logs import GameBatch, TextColumn

PLACE = ("file", "path", "offset", "line")  # where a game was read


def said(batch: GameBatch, *, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every column of a batch by its name, but for these."""
    return {
        each.name: _plain(getattr(batch, each.name), len(batch))
        for each in fields(batch)
        if each.name not in but
    }


def _plain(value: Any, n: int) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    if isinstance(value, TextColumn):
        return [value.strings(i) for i in range(n)]
    if isinstance(value, dict):
        return {name: list(column) for name, column in value.items()}
    if is_dataclass(value) and hasattr(value, "winner"):
        return {each.name: _plain(getattr(value, each.name), n) for each in fields(value)}
    return value if isinstance(value, str) or value is None else list(value)
