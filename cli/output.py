"""Data on standard output: JSON as a stream, JSON Lines, CSV and tables.

The bytes depend on the data and on the encoding of the stream, not on the terminal;
only tables do.
"""

from __future__ import annotations

import codecs
import csv
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from cli.tables import write_table
from cli.words import heading, said

if TYPE_CHECKING:
    from analytics.wording import Language

SCHEMA: Final = 1
DIGITS: Final = 4  # of a number that is no count, in a table

Record = Mapping[str, Any]


class Listing(NamedTuple):
    """What a list of records is called and how it becomes rows.

    Attributes:
        name: key of the list in a JSON document.
        columns: names of the columns of CSV and tables, in order.
        flat: a record by column, where the record itself is not.
    """

    name: str
    columns: tuple[str, ...]
    flat: Callable[[Record], Record] = dict


def shortened(form: str, digits: int = DIGITS) -> Callable[[Record], Record]:
    """How a record is shown: in a table, for people, numbers that are no counts have few digits.

    Args:
        form: "table", "json", "jsonl" or "csv".
        digits: of such a number; a larger one has as many as its whole part.

    >>> shortened("table")({"mean": 0.123456, "sigma": 32_904.7})
    {'mean': '0.1235', 'sigma': '32905'}
    """

    def short(record: Record) -> Record:
        return {
            name: _short(value, digits) if isinstance(value, float) else value
            for name, value in record.items()
        }

    return short if form == "table" else dict


def _short(value: float, digits: int) -> str:
    is_large = math.isfinite(value) and abs(value) >= 10**digits
    return f"{value:.0f}" if is_large else f"{value:.{digits}g}"


def prepare_streams() -> None:
    """Whatever cannot be encoded is escaped; lines end in a newline everywhere.

    A stream that the caller has closed becomes one that goes nowhere.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        getattr(sys, name).reconfigure(errors="backslashreplace", newline="\n")


def emit(text: str) -> None:
    """Writes to standard output."""
    sys.stdout.write(text)


def as_json(value: Any) -> str:
    r"""JSON in one line; hanzi as ``\u`` escapes where the stream is not Unicode."""
    return _encoder(sys.stdout.encoding, None).encode(value)


@cache
def _encoder(encoding: str, indent: int | None) -> json.JSONEncoder:
    is_unicode = codecs.lookup(encoding).name.startswith("utf")
    return json.JSONEncoder(ensure_ascii=not is_unicode, indent=indent)


def write_records(
    records: Iterable[Record],
    listing: Listing,
    form: str,
    language: Language,
    *,
    head: Record | None = None,
    tail: Callable[[], Record] | None = None,
    is_plain: bool = False,
) -> None:
    """Writes records one by one.

    Args:
        records: with plain values, as JSON has them.
        listing: their name and columns.
        form: "table", "json", "jsonl" or "csv".
        language: of the headings of a table.
        head: what stands before the list in a JSON document.
        tail: makes what stands after it, when all records have been written.
        is_plain: it is the answer to a question: the names of the columns are the headings
            of a table, which stand there without rows, too.
    """
    if form == "json":
        _write_document(records, listing.name, head or {}, tail or dict)
    elif form == "jsonl":
        for record in records:
            emit(as_json(record) + "\n")
    elif form == "csv":
        _write_csv(records, listing)
    elif is_plain:
        _write_answer(_rows(records, listing, table_cell), listing.columns, language)
    else:
        write_table(_rows(records, listing, table_cell), _headings(listing, language))


def _write_answer(rows: Iterator[list[Any]], headings: Sequence[str], language: Language) -> None:
    """A table; where there are no rows that is said."""
    first = next(rows, None)
    if first is None:
        emit("  ".join(headings) + "\n")
        click.echo(said("no_rows", language), err=True)
        return
    write_table(chain([first], rows), headings)


def _headings(listing: Listing, language: Language) -> list[str]:
    return [heading(name, language) for name in listing.columns]


def write_object(value: Record) -> None:
    """Writes one JSON document."""
    emit(_encoder(sys.stdout.encoding, 2).encode({"schema": SCHEMA, **value}) + "\n")


def _write_document(
    records: Iterable[Record], name: str, head: Record, tail: Callable[[], Record]
) -> None:
    """One JSON document, a record a line."""
    emit(as_json({"schema": SCHEMA, **head})[:-1] + f', "{name}": [')
    separator = "\n"
    for record in records:
        emit(separator + as_json(record))
        separator = ",\n"
    end = as_json(tail())[1:-1]
    emit("\n]" + (f", {end}" if end else "") + "}\n")


def _write_csv(records: Iterable[Record], listing: Listing) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(listing.columns)
    writer.writerows(_rows(records, listing, _csv_cell))


def _rows(
    records: Iterable[Record], listing: Listing, cell: Callable[[Any], Any]
) -> Iterator[list[Any]]:
    for record in records:
        flat = listing.flat(record)
        yield [cell(flat[name]) for name in listing.columns]


def _csv_cell(value: Any) -> Any:
    """Lists and objects as JSON; nothing for what is null."""
    if isinstance(value, bool | list | tuple | Mapping):
        return as_json(value)
    return value


def table_cell(value: Any) -> Any:
    """A value as a table has it: lists with commas, objects as JSON."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return as_json(value) if isinstance(value, bool | Mapping) else value
