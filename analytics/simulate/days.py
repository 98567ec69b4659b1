"""Days: how many games begin when, over the days of a run.

Time goes in slots. How busy a slot is depends on the hour of the day and the day of the
week, by the room's clock; how many games have begun by the end of each slot is fixed
before anybody plays, so that a run has exactly the games that were asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt

Int64s = npt.NDArray[np.int64]

SLOT_MINUTES: Final = 5  # longer than most games, so that a table begins one game a slot
SLOTS_A_DAY: Final = 24 * 60 // SLOT_MINUTES
SLOT_US: Final = SLOT_MINUTES * 60 * 1_000_000
_LAST: Final = 6  # slots at the end of a run in which only what is missing is played

# How busy each hour is, beside the others: quiet nights, a peak in the evening.
_HOURS: Final = (
    6, 4, 3, 2, 2, 2, 3, 5, 7, 9, 10, 11, 13, 13, 11, 10, 10, 11, 13, 17, 20, 20, 16, 10,
)  # fmt: skip
_WEEKEND: Final = 1.3  # Saturday and Sunday, beside the others


def games_by_slot(games: int, days: int, start: datetime) -> Int64s:
    """int64 ``(slots,)``: how many games have begun by the end of each slot.

    Args:
        games: of the run.
        days: how long it is.
        start: when it begins, by the room's clock.
    """
    slots = days * SLOTS_A_DAY
    busy = np.array([_busy(start + timedelta(minutes=SLOT_MINUTES * k)) for k in range(slots)])
    busy[-_LAST:] = 0
    shares = np.cumsum(busy) / busy.sum()
    begun: Int64s = np.floor(shares * games + 0.5).astype(np.int64)
    return begun


def _busy(moment: datetime) -> float:
    return _HOURS[moment.hour] * (_WEEKEND if moment.weekday() >= 5 else 1.0)


def busiest(begun: Int64s) -> int:
    """Most games that begin in one slot."""
    return int(np.diff(begun, prepend=0).max())


def split(games: int, parts: int) -> Sequence[int]:
    """As even as it goes.

    >>> split(10, 3)
    (3, 3, 4)
    """
    return tuple(games * (k + 1) // parts - games * k // parts for k in range(parts))
