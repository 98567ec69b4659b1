"""Times as RFC 3339 writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics import compiled
from analytics.logs.moments import NOT_RFC_3339, RIGHT, moment_of, moment_text, read_moments

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
zones = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(timezones=zones))
def test_it_agrees_with_the_calendar(moment: datetime) -> None:
    """Every moment that the standard library writes is the same moment here."""
    micros = (moment - EPOCH) // timedelta(microseconds=1)
    zone = int((moment.utcoffset() or timedelta()).total_seconds()) // 60
    assert moment_of(moment.isoformat()) == (micros, zone)


@given(st.datetimes(timezones=zones))
def test_what_is_written_is_read(moment: datetime) -> None:
    """A moment that is written and read again is the same one."""
    read = moment_of(moment.isoformat())
    assert read is not None
    assert moment_of(moment_text(*read)) == read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", (0, 0)),
        ("1970-01-01t00:00:00z", (0, 0)),
        ("1970-01-01T00:00:00-00:00", (0, 0)),
        ("2024-02-29T23:59:59.999999+08:00", (1709222399999999, 480)),
        ("1970-01-01T00:00:00.1234567Z", (123456, 0)),  # finer than microseconds
        ("1970-01-01T00:00:00.1Z", (100000, 0)),
    ],
)
def test_all_forms_are_read(text: str, expected: tuple[int, int]) -> None:
    """Either case, any fraction, any offset."""
    assert moment_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "2026-11-28", "2026-11-28T20:15:00", "2026-11-28T20:15:00.5", "2026-11-28 20:15:00Z",
        "2026-11-28T20:15Z", "2026-11-28T24:00:00Z", "2026-11-28T20:60:00Z",
        "2026-11-28T20:15:60Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-11-31T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z", "2026-11-28T20:15:00.Z", "2026-11-28T20:15:00+8:00",
        "2026-11-28T20:15:00+0800", "2026-11-28T20:15:00+24:00", "2026-11-28T20:15:00+08:60",
        "2026-11-28T20:15:00Z ", " 2026-11-28T20:15:00Z", "20261128T201500Z",
        "2026-11-28T20:15:00+08:00x", "２０２６-11-28T20:15:00Z", "2026/11/28T20:15:00Z",
        "-026-11-28T20:15:00Z", "2026-11-28T20:15:00.123456789012345678901234567890",
    ],
)  # fmt: skip
def test_nothing_else_is_read(text: str) -> None:
    """A time without offset is no moment, and nothing is guessed."""
    assert moment_of(text) is None


def test_many_are_read_at_once(mode: str) -> None:
    """A column of moments is what its moments are, one by one."""
    texts = ["2026-11-28T20:15:00+08:00", "", "2026-11-28T20:15:00.5", "1970-01-01T00:00:01Z"]
    at = np.cumsum([0, *map(len, texts)])
    chars = np.frombuffer("".join(texts).encode() + b'"', np.uint8).copy()
    micros, zones_, states = (np.zeros(4, np.int64) for _ in range(3))
    compiled.run(read_moments, chars, at, 4, micros, zones_, states)
    assert states.tolist() == [RIGHT, NOT_RFC_3339, NOT_RFC_3339, RIGHT]
    assert (micros[0], zones_[0], micros[3]) == (1795868100000000, 480, 1000000)
