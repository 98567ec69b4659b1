"""``paipu query``: SQL over a warehouse."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import click

from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    memory_option,
    warehouse_option,
)
from cli.output import Listing, write_records
from cli.words import said

if TYPE_CHECKING:
    from analytics.wording import Language


@click.command(
    epilog=examples(
        ('paipu query "FROM daily_games" --warehouse wh/', "a table, or a part of it"),
        ('paipu query "DESCRIBE postings" --warehouse wh/', "its columns"),
        (
            'paipu query "SELECT item, sum(amount) FROM postings WHERE account = -1 GROUP BY ALL" '
            "--warehouse wh/ --format csv",
            "what the house got, by item, as CSV",
        ),
        ("paipu query - --warehouse wh/ < question.sql", "SQL from a file"),
    )
)
@click.argument("sql")
@warehouse_option
@format_option("table", "json", "jsonl", "csv")
@click.option(
    "--max-rows",
    metavar="N",
    type=click.IntRange(min=0),
    default=10_000,
    show_default=True,
    help="Most rows that are written; more is said on stderr.",
)
@memory_option
@lang_option
@debug_option
def query(
    *, sql: str, warehouse: str, form: str, max_rows: int, memory: str, language: Language
) -> None:
    """Run one SQL statement that only reads.

    SQL is in the words of DuckDB; with - it comes from standard input. Tables are those that
    `SHOW TABLES` lists. Nothing but the warehouse can be read, and nothing can be written.

    Exit status: 0 it was run; 2 it could not be run; 130 interrupted.
    \f

    [The tables](../tables.md) lists every column with its unit and the meaning of null; the
    same stands beside every column as a comment (`FROM duckdb_columns()`).

    `--format json` prints `{"schema": 1, "columns": [{"name", "type"}], "rows": [{column:
    value}]}`, the rows one a line. Integers are exact; a decimal is a string; times have the
    offset of the zone of the warehouse, in which days begin too; what is no number is null.
    Where two columns have one name the later one is called `name_2`.
    """
    from analytics.warehouse import open_warehouse

    text = sys.stdin.read() if sql == "-" else sql
    with open_warehouse(warehouse, memory=memory) as opened:
        answer = opened.answer(text)
        names = unique_names(answer.names)
        rows = Rows(answer.batches, names, max_rows)
        kinds = zip(names, answer.types, strict=True)
        head = {"columns": [{"name": name, "type": kind} for name, kind in kinds]}
        listing = Listing("rows", tuple(names))
        if form == "table" and names == _OF_PLANS:
            _write_plan(rows)
        else:
            write_records(rows, listing, form, language, head=head, is_plain=True)
    if rows.has_more:
        click.echo(said("more_rows", language, count=max_rows), err=True)


_OF_PLANS: Final = ["explain_key", "explain_value"]  # columns of what EXPLAIN gives


def _write_plan(rows: Rows) -> None:
    """A plan is a drawing of several lines, and no cell of a table."""
    for row in rows:
        click.echo(row["explain_value"])


def unique_names(names: Iterable[str]) -> list[str]:
    """Names of columns, each once.

    >>> unique_names(["n", "n", "n_2"])
    ['n', 'n_2', 'n_2_2']
    """
    found: list[str] = []
    for name in names:
        own, nth = name, 1
        while own in found:
            nth += 1
            own = f"{name}_{nth}"
        found.append(own)
    return found


class Rows:
    """The first rows of an answer, as records.

    Attributes:
        has_more: afterwards, whether there were more.
    """

    def __init__(self, batches: Iterable[Any], names: Sequence[str], most: int) -> None:
        self._batches, self._names, self._most = batches, names, most
        self.has_more = False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        count = 0
        for batch in self._batches:
            columns = list(map(_values, batch.columns, self._names))
            for values in zip(*columns, strict=True):
                if count == self._most:
                    self.has_more = True
                    return
                count += 1
                yield dict(zip(self._names, map(plain, values), strict=True))


def _values(column: Any, name: str) -> list[Any]:
    """The values of a column.

    Raises:
        WarehouseError: Python has no such days.
    """
    from analytics.warehouse.errors import WarehouseError

    try:
        values: list[Any] = column.to_pylist()
    except (OverflowError, ValueError) as problem:
        raise WarehouseError(
            f"column {name!r} has times outside the years 1 to 9999; CAST it to VARCHAR."
        ) from problem
    return values


def plain(value: Any) -> Any:
    """A value of SQL as JSON has it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return int(value) if value.as_tuple().exponent == 0 else str(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {str(name): plain(own) for name, own in value.items()}
    return value if value is None or isinstance(value, str | int | bool) else str(value)
