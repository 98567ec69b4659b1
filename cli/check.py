"""``paipu check``: whether the parts of a warehouse are what was written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import DIFFERENT
from cli.options import debug_option, examples, format_option, lang_option, warehouse_option
from cli.output import Listing, write_records

if TYPE_CHECKING:
    from analytics.warehouse.soundness import Unsound
    from analytics.wording import Language

LISTING: Final = Listing("parts", ("path", "status", "logs"))


@click.command(
    epilog=examples(
        ("paipu check --warehouse wh/", "nothing is listed where all is well"),
        ("paipu check --warehouse wh/ --format json", "missing and damaged parts, as JSON"),
    )
)
@warehouse_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@debug_option
@click.pass_context
def check(ctx: click.Context, /, *, warehouse: str, form: str, language: Language) -> None:
    """Check that all parts of a warehouse are what was written.

    The names of parts have a hash of their bytes; every byte is read and compared. Parts that
    are missing or damaged are listed, each with the logs that have games in it: `paipu unload`
    takes them out, and then the logs can be loaded again.

    Exit status: 0 all are sound; 1 some are not; 2 it could not be done; 130 interrupted.
    \f

    Queries and studies do not compare hashes, so that damaged bytes can give wrong numbers.

    `--format json` prints `{"schema": 1, "parts": [{"path", "status", "logs"}]}`. `path` is that
    of a file of the part, in the warehouse; `status` is `missing` or `damaged`; `logs` are paths.
    """
    from analytics.warehouse.soundness import advice
    from analytics.warehouse.soundness import check as unsound_parts_of

    unsound = unsound_parts_of(Path(warehouse))
    write_records(map(_record, unsound), LISTING, form, language)
    if unsound:
        click.echo(advice(unsound), err=True)
        ctx.exit(DIFFERENT)


def _record(part: Unsound) -> dict[str, Any]:
    status = "missing" if part.is_missing else "damaged"
    return {"path": part.path, "status": status, "logs": list(part.logs)}
