"""``paipu prune``: old days out of a warehouse."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import removals
from cli.options import debug_option, examples, format_option, lang_option, warehouse_option

if TYPE_CHECKING:
    from analytics.wording import Language


@click.command(
    epilog=examples(
        ("paipu prune --before 2026-01-01 --warehouse wh/", "keep this year"),
        ('paipu query "FROM journal" --warehouse wh/', "what was done when"),
    )
)
@click.option(
    "--before",
    metavar="DAY",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
    help="The first day that stays, for instance 2026-01-01.",
)
@warehouse_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@debug_option
def prune(*, before: datetime, warehouse: str, form: str, language: Language) -> None:
    """Take all games of days before a day out of a warehouse.

    Days are those of the zone of the warehouse. Games without a start, and findings on lines
    that could not be read, have no day and stay. The journal keeps what was done.

    Exit status: 0 they are out; 2 it could not be done; 130 interrupted.
    \f

    Games of these days are left out of later loads, too, and counted as `pruned`. Pruning
    before an earlier day lets them in again: unload their logs, and load them once more.

    `--format json` prints `{"schema": 1, "removed": {"what", "games", "rows", "bytes"}}`.
    """
    from analytics.warehouse.removing import prune as take_out

    removals.write(take_out(Path(warehouse), before.date()), form, language)
