"""``paipu unload``: the games of logs out of a warehouse."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import removals
from cli.options import debug_option, examples, format_option, lang_option, warehouse_option

if TYPE_CHECKING:
    from analytics.wording import Language


@click.command(
    epilog=examples(
        ("paipu unload logs/2026-11-28.jsonl --warehouse wh/", "by its path, as it was loaded"),
        ("paipu unload 08aea1b6 --warehouse wh/", "by the first digits of its hash"),
        ('paipu query "SELECT path, file_key FROM files" --warehouse wh/', "which logs there are"),
    )
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@warehouse_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@debug_option
def unload(*, logs: tuple[str, ...], warehouse: str, form: str, language: Language) -> None:
    """Take the games of logs out of a warehouse.

    LOG is its path as it was loaded, or the first eight or more digits of its hash. The log
    itself need not be there any more. The journal keeps what was done.

    Exit status: 0 they are out; 2 it could not be done; 130 interrupted.
    \f

    Afterwards the logs can be loaded again. Another log that has the same games, which were
    left out as copies when it was loaded, brings them back when it is loaded again. A part
    that is missing or damaged (`paipu check`) is taken out as a whole; load its other logs
    again, too.

    `--format json` prints `{"schema": 1, "removed": {"what", "games", "rows", "bytes"}}`.
    """
    from analytics.warehouse.removing import unload as take_out

    removals.write(take_out(Path(warehouse), *logs), form, language)
