"""Options by which games and days are chosen, for all that asks a study."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from typing import Any, Final

import click


def _time(_: click.Context, __: click.Parameter, given: str) -> time:
    """A time of day."""
    try:
        return time.fromisoformat(given)
    except ValueError as problem:
        message = f"{given!r} is no time of day, such as 04:00."
        raise click.BadParameter(message) from problem


_OPTIONS = (
    click.option(
        "--where",
        metavar="SQL",
        help="Which games: an expression over their columns, room = 'gold' for instance.",
    ),
    click.option("--since", metavar="DAY", help="The first day, 2026-11-01 for instance."),
    click.option("--until", metavar="DAY", help="The last day."),
    click.option(
        "--day-start",
        metavar="TIME",
        default="00:00",
        show_default=True,
        callback=_time,
        help="When a day begins.",
    ),
    click.option(
        "--tz",
        "zone",
        metavar="ZONE",
        help="Time zone of days and hours.  [default: that of the warehouse]",
    ),
)


CHOOSING: Final = ("where", "since", "until", "day_start", "zone")  # what they give a command


def choosing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--where``, ``--since``, ``--until``, ``--day-start`` and ``--tz``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
