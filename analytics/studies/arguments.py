"""What notebooks give a study: refused in a sentence where it is of another kind."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from analytics.warehouse.errors import WarehouseError


def named(by: object) -> tuple[str, ...]:
    """Names of columns: one, or some.

    >>> named("room"), named(["room", "day"])
    (('room',), ('room', 'day'))

    Raises:
        WarehouseError: it is something else.
    """
    names = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, Iterable) else (by,)
    for name in names:
        if not isinstance(name, str):
            raise WarehouseError(
                f"by={by!r}: names of columns are expected, such as 'room' or ['room', 'day']."
            )
    return tuple(str(name) for name in names)


def check_expression(given: object) -> str | None:
    """An expression that chooses games; None: all.

    Raises:
        WarehouseError: it is no text.
    """
    if given is None or isinstance(given, str):
        return given
    raise WarehouseError(f"where={given!r}: a text is expected, such as \"room = 'a'\".")


def check_day(name: str, given: object) -> date | None:
    """A day; None where none is given.

    >>> check_day("since", "2026-11-28")
    datetime.date(2026, 11, 28)

    Raises:
        WarehouseError: it is no day, or the text is none.
    """
    if given is None:
        return None
    if isinstance(given, date) and not isinstance(given, datetime):
        return given
    try:
        if isinstance(given, str):
            return date.fromisoformat(given)
    except ValueError:
        raise WarehouseError(f"{given!r} is no day, such as 2026-11-28.") from None
    raise WarehouseError(f"{name}={given!r}: a day is expected, such as '2026-11-28'.")


def check_time(name: str, given: object) -> time:
    """A time of day without a zone.

    >>> check_time("day_start", "06:00")
    datetime.time(6, 0)

    Raises:
        WarehouseError: it is none, or the text is none.
    """
    moment = given
    try:
        if isinstance(given, str):
            moment = time.fromisoformat(given)
    except ValueError:
        raise WarehouseError(f"{given!r} is no time of day, such as 06:00.") from None
    if isinstance(moment, time) and moment.tzinfo is None:
        return moment
    raise WarehouseError(f"{name}={given!r}: a time of day is expected, such as '06:00'.")


def check_zone(given: object) -> str:
    """A name of a time zone.

    Raises:
        WarehouseError: it is no text, or there is no zone of that name.
    """
    if not isinstance(given, str):
        raise WarehouseError(f"zone={given!r}: a text is expected, such as 'Asia/Shanghai'.")
    try:
        return ZoneInfo(given).key
    except (OSError, ValueError, KeyError):  # a zone that is not found is a KeyError
        raise WarehouseError(f"{given!r} is no time zone; Asia/Shanghai is one.") from None
