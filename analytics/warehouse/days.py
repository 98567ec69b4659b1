"""Days: on which one a game started, in the zone of a warehouse."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from analytics.logs.batch import ABSENT

Int64s = npt.NDArray[np.int64]

NO_DAY_NUMBER: Final = ABSENT  # of games without a start
_SECOND: Final = 1_000_000  # microseconds
DAY: Final = 86_400 * _SECOND  # microseconds
_QUARTER: Final = 900 * _SECOND  # zones change their offset at such moments only
_FIRST: Final = -62_135_000_000 * _SECOND  # in the years 1 to 9999, a day from their ends
_LAST: Final = 253_402_000_000 * _SECOND
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def days_of(start: Int64s, zone: str) -> Int64s:
    """Days since 1970-01-01 in a zone, ``NO_DAY_NUMBER`` where there is no start.

    Args:
        start: int64 ``(n,)``, microseconds since 1970 in UTC, or ABSENT.
        zone: its name.

    >>> days_of(np.array([0, 16 * 3600 * 10**6, ABSENT]), "Asia/Shanghai")[:2].tolist()
    [0, 1]
    """
    quarters, places = np.unique(np.clip(start, _FIRST, _LAST) // _QUARTER, return_inverse=True)
    place = ZoneInfo(zone)
    offsets = [_offset(quarter * _QUARTER, place) for quarter in quarters.tolist()]
    local = np.where(start == ABSENT, 0, start) + np.array(offsets, np.int64)[places]
    days: Int64s = np.where(start == ABSENT, NO_DAY_NUMBER, local // DAY)
    return days


def _offset(microseconds: int, zone: ZoneInfo) -> int:
    moment = (_EPOCH + timedelta(microseconds=microseconds)).astimezone(zone)
    offset = moment.utcoffset() or timedelta()
    return offset // timedelta(microseconds=1)


def day_text(day: int) -> str | None:
    """A day as in ISO 8601; None where there is none.

    >>> day_text(0), day_text(NO_DAY_NUMBER)
    ('1970-01-01', None)
    """
    number: Any = np.datetime64(day, "D")
    return None if day == NO_DAY_NUMBER else str(number)
