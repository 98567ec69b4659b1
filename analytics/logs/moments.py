"""Points in time as the log writes them: RFC 3339 with an offset.

Kept as microseconds since 1970 in UTC and the offset in minutes, so that the
room's own clock can be shown again. Digits finer than microseconds are cut
off. A moment without offset is no moment: time is never guessed.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.compiled import Ints, called_kernel, kernel, quick_kernel

# What reading a moment can say; RIGHT has the moment beside it.
RIGHT: Final = 0
NOT_RFC_3339: Final = 1

_SECOND: Final = 1_000_000
_MINUTE: Final = 60 * _SECOND


def moment_of(text: str) -> tuple[int, int] | None:
    """Microseconds since 1970 (UTC) and the offset in minutes; None: no such moment.

    >>> moment_of("1970-01-01T08:00:01.5+08:00"), moment_of("1970-01-01T08:00:01")
    ((1500000, 480), None)
    """
    if not text.isascii():
        return None
    raw = text.encode()
    # The ending quote is what the kernel meets in a log.
    state, micros, zone = read_moment(memoryview(raw + b'"'), 0, len(raw))
    return (micros, zone) if state == RIGHT else None


def moment_text(micros: int, zone: int) -> str:
    """The moment as the log writes it.

    Args:
        micros: microseconds since 1970 in UTC.
        zone: offset in minutes.

    >>> moment_text(1500000, 480)
    '1970-01-01T08:00:01.5+08:00'
    """
    return moment_texts(np.array([micros]), np.array([zone]))[0]


def moment_texts(micros: npt.NDArray[np.int64], zones: npt.NDArray[Any]) -> list[str]:
    """The same of many; both are ``(n,)``.

    >>> moment_texts(np.array([0, 1500000]), np.array([480, -30]))
    ['1970-01-01T08:00:00+08:00', '1969-12-31T23:30:01.5-00:30']
    """
    local = micros + zones.astype(np.int64) * _MINUTE
    written = np.datetime_as_string(local.astype("datetime64[us]")).tolist()
    return [
        _shortened(text) + _offset(zone) for text, zone in zip(written, zones.tolist(), strict=True)
    ]


def _shortened(text: str) -> str:
    """Without zeros at the end of the fraction, and without a fraction that is zero."""
    return text[:-7] if text.endswith(".000000") else text.rstrip("0")


@cache
def _offset(zone: int) -> str:
    hours, minutes = divmod(abs(zone), 60)
    return f"{'-' if zone < 0 else '+'}{hours:02}:{minutes:02}"


@called_kernel
def read_moment(chars: Ints, start: int, stop: int) -> tuple[int, int, int]:
    """Reads ``chars[start:stop]``; at least one more byte has to follow.

    Returns:
        (state, microseconds since 1970 in UTC, offset in minutes).
    """
    if stop - start < 20:  # 2026-11-28T20:15:00Z
        return NOT_RFC_3339, 0, 0
    days = _read_date(chars, start)
    seconds = _read_clock(chars, start + 11)
    at = start + 19
    fraction = 0
    if chars[at] == 46:  # "."
        at, fraction = _read_fraction(chars, at + 1)
    zone = _read_zone(chars, at, stop)
    separator = chars[start + 10]
    if days < -719162 or seconds < 0 or zone == -9999 or (separator != 84 and separator != 116):
        return NOT_RFC_3339, 0, 0
    micros = (days * 86400 + seconds - zone * 60) * _SECOND + fraction
    return RIGHT, micros, zone


@kernel
def _two_digits(chars: Ints, at: int) -> int:
    """The number that two digits write, or -1000 where they are none."""
    tens = chars[at] - 48
    ones = chars[at + 1] - 48
    if tens < 0 or tens > 9 or ones < 0 or ones > 9:
        return -1000
    return tens * 10 + ones


@kernel
def _read_date(chars: Ints, at: int) -> int:
    """Days since 1970 of ``YYYY-MM-DD``; below -719162 (year 1) where it is no date."""
    century = _two_digits(chars, at)
    year = _two_digits(chars, at + 2)
    month = _two_digits(chars, at + 5)
    day = _two_digits(chars, at + 8)
    if century < 0 or year < 0 or chars[at + 4] != 45 or chars[at + 7] != 45:
        return -1000000
    year += century * 100
    if month < 1 or month > 12 or day < 1 or day > _days_in_month(year, month):
        return -1000000
    # Years begin in March here, so that the leap day is the last of its year.
    march_year = year - 1 if month < 3 else year
    in_year = (153 * (month + (9 if month < 3 else -3)) + 2) // 5 + day - 1
    leap_days = march_year // 4 - march_year // 100 + march_year // 400
    return march_year * 365 + leap_days + in_year - 719468


@kernel
def _days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


@kernel
def _read_clock(chars: Ints, at: int) -> int:
    """Seconds since midnight of ``hh:mm:ss``, or -1; a leap second has no place in it."""
    hours = _two_digits(chars, at)
    minutes = _two_digits(chars, at + 3)
    seconds = _two_digits(chars, at + 6)
    if chars[at + 2] != 58 or chars[at + 5] != 58:
        return -1
    if not (0 <= hours <= 23 and 0 <= minutes <= 59 and 0 <= seconds <= 59):
        return -1
    return hours * 3600 + minutes * 60 + seconds


@kernel
def _read_fraction(chars: Ints, at: int) -> tuple[int, int]:
    """Where the digits end, and the microseconds that they write; no digit: -1."""
    micros = 0
    unit = 100_000
    start = at
    while 48 <= chars[at] <= 57:
        micros += (chars[at] - 48) * unit
        unit //= 10
        at += 1
    return at if at > start else -1, micros


@kernel
def _read_zone(chars: Ints, at: int, stop: int) -> int:
    """Minutes of ``Z`` or ``+hh:mm`` that ends at ``stop``, or -9999."""
    if at < 0 or at >= stop:
        return -9999
    sign = chars[at]
    if stop - at == 1:
        return 0 if sign == 90 or sign == 122 else -9999
    if stop - at != 6 or (sign != 43 and sign != 45) or chars[at + 3] != 58:
        return -9999
    hours = _two_digits(chars, at + 1)
    minutes = _two_digits(chars, at + 4)
    if not (0 <= hours <= 23 and 0 <= minutes <= 59):
        return -9999
    return hours * 60 + minutes if sign == 43 else -(hours * 60 + minutes)


@quick_kernel
def read_moments(chars: Ints, at: Ints, n: int, micros: Ints, zones: Ints, states: Ints) -> None:
    """Reads ``n`` moments that stand one behind the other; one more byte has to follow.

    Args:
        chars: their text.
        at: where each begins, and the last one ends.
        n: how many.
        micros, zones, states: to be written, see ``read_moment``.
    """
    for i in range(n):
        states[i], micros[i], zones[i] = read_moment(chars, at[i], at[i + 1])
