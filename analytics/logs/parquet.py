"""Reads the Parquet form of a log, row group by row group."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from analytics.findings import Code, Finding
from analytics.logs import tables
from analytics.logs.arrow_rows import Arrays, Rows
from analytics.logs.arrow_schema import EXTRA, unknown_columns, wrong_columns
from analytics.logs.arrow_values import any_in, fields_of, list_starts, nulls
from analytics.logs.batch import GameBatch
from analytics.logs.checking import Checked, check
from analytics.logs.columns import Columns, split
from analytics.logs.effective import Effective
from analytics.logs.encodings import likely_encoding
from analytics.logs.extras import UnknownNames, kept, names_in, unknown_part
from analytics.logs.files import SourceError, is_url, opened, size_of
from analytics.logs.flaws import Flaw, torn
from analytics.logs.sources import Source
from analytics.rules.rulebook import Rulebook

_UNREADABLE: Final = (pa.ArrowException, OSError)
# More than a batch: some hundred calls of Arrow and numpy take as long for few rows as for many.
_ROWS_AT_ONCE: Final = 8_192
_TAIL: Final = 8  # bytes: how long the rest of the footer is, and PAR1


class RowGroup(NamedTuple):
    """A part of a Parquet file that can be read by itself.

    Attributes:
        rows: how many.
        start, stop: bytes of the file that it takes.
    """

    rows: int
    start: int
    stop: int


def footer_size(stream: BinaryIO) -> int:
    """Bytes at the end of a Parquet file that say what is in it.

    Args:
        stream: the whole file.
    """
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _TAIL))
    length = int.from_bytes(stream.read(_TAIL)[:4], "little")
    return min(size, length + _TAIL)


def row_groups(path: str) -> list[RowGroup]:
    """The row groups of a Parquet file, in order; none where it cannot be read at all.

    Raises:
        SourceError: it cannot be opened.
    """
    with _opened(path) as file:
        if file is None:
            return []
        metadata = file.metadata
        return [_row_group(metadata.row_group(at)) for at in range(metadata.num_row_groups)]


def read_parquet(
    source: Source,
    rulebook: Rulebook,
    *,
    families: Collection[str],
    keep_extra: bool,
    batch_games: int,
    start: int = 0,
    stop: int | None = None,
    tell_lines: Callable[[int], None] | None = None,
) -> Iterator[GameBatch | Finding]:
    """The games of a Parquet file, or of some row groups, in order, and what is wrong.

    Guarantees:
        A damaged row group hides no other.

    Args:
        source, rulebook, families, keep_extra, batch_games: as for ``reading.read``.
        start, stop, tell_lines: as for ``reading.read_range``: row groups, and rows.

    Raises:
        SourceError: it is a stream, such as standard input, which cannot be read backwards.
    """
    if size_of(source.path) is None:
        raise SourceError(f"{source.path}: Parquet cannot be read from a pipe or standard input")
    with _opened(source.path) as file:
        if file is None:
            yield from () if start else (torn(source.path),)
            return
        effective = Effective(rulebook, families)
        reader = _RowReader(source, effective, keep_extra=keep_extra, batch_games=batch_games)
        yield from reader.read(file, start, stop)
        if tell_lines is not None:
            tell_lines(reader.rows)


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    """The file; None where it cannot be read at all, since its end does not say how."""
    with ExitStack() as stack:
        # Arrow reads files of this machine faster than through Python.
        place: Any = stack.enter_context(opened(path)) if is_url(path) else path
        try:
            file = stack.enter_context(pq.ParquetFile(place, pre_buffer=False))
        except _UNREADABLE:
            file = None
        yield file


def _row_group(group: Any) -> RowGroup:
    chunks = [group.column(at) for at in range(group.num_columns)]
    starts = [_start_of(chunk) for chunk in chunks]
    stops = [_start_of(chunk) + chunk.total_compressed_size for chunk in chunks]
    return RowGroup(group.num_rows, min(starts, default=0), max(stops, default=0))


def _start_of(chunk: Any) -> int:
    start: int = chunk.data_page_offset
    return min(start, chunk.dictionary_page_offset) if chunk.has_dictionary_page else start


class _RowReader:
    """Reads the rows of one file."""

    def __init__(
        self, source: Source, effective: Effective, *, keep_extra: bool, batch_games: int
    ) -> None:
        self._source = source
        self._effective = effective
        self._columns = Columns(batch_games, keep_extra=keep_extra)
        self._keep_extra = keep_extra
        self._unknown = UnknownNames()
        self._before = 0  # rows of the file before the first that is read
        self._row = 0  # how many were read

    @property
    def rows(self) -> int:
        """How many rows were read, or are damaged."""
        return self._row

    def read(self, file: Any, start: int, stop: int | None) -> Iterator[GameBatch | Finding]:
        """Batches and findings of some row groups; what concerns the whole comes last."""
        schema = file.schema_arrow
        if flaws := list(wrong_columns(schema)):
            if start == 0:  # said by the part that has the beginning
                yield from (flaw.finding(self._source.path, None) for flaw in flaws)
            return
        sizes = [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)]
        self._before = sum(sizes[:start])
        unread = self._count_unread(file.metadata, schema, range(len(sizes))[start:stop])
        wanted = [name for name in schema.names if name not in unread]
        for group in range(len(sizes))[start:stop]:
            end = self._row + sizes[group]
            yield from self._read_group(file, group, wanted)
            self._row = end  # also where the group is damaged
        yield from self._batch_unless("")
        if names := self._unknown.counts():
            yield Finding(Code.FORMAT_UNKNOWN, self._source.path, params={"names": names})

    def _read_group(
        self, file: Any, group: int, wanted: list[str]
    ) -> Iterator[GameBatch | Finding]:
        chunks = file.iter_batches(_ROWS_AT_ONCE, [group], columns=wanted)
        while (rows := self._next(chunks)) is not None:
            if isinstance(rows, Finding):
                yield rows
                return
            yield from self._read_rows(rows)

    def _next(self, chunks: Iterator[Any]) -> Any:
        """The next rows; None at the end, a finding where they are damaged."""
        try:
            return next(chunks, None)
        except _UNREADABLE:
            return torn(self._source.path, self._row + 1)

    def _count_unread(self, metadata: Any, schema: Any, groups: range) -> set[str]:
        """Counts unknown columns by what the file says of them; these need not be read."""
        if self._keep_extra:
            return set()
        names = {column for name, column in unknown_columns(schema) if name == column != EXTRA}
        found = {name: _count_of(metadata, name, groups) for name in names}
        counts = {name: count for name, count in found.items() if count is not None}
        self._unknown.add_counts(counts)
        return set(counts)

    def _read_rows(self, rows: Any) -> Iterator[GameBatch | Finding]:
        """Reads rows: batches of games, and a finding for each that is none."""
        lines = self._row + np.arange(1, len(rows) + 1)
        self._row += len(rows)
        taken = Rows.of(Arrays(rows), self._effective)
        self._count(rows)
        first = 0
        for odd in [*np.flatnonzero(taken.odd).tolist(), len(rows)]:
            while first < odd:
                yield from self._batch_unless(tables.FAMILY)
                after = min(odd, first + self._columns.capacity - self._columns.n)
                taken.append_to(self._columns, first, after, lines, self._before)
                self._keep(rows, first, after)
                first = after
            if odd < len(rows):
                yield from self._explain(rows, odd, int(lines[odd]))
            first = odd + 1

    def _explain(self, rows: Any, place: int, line: int) -> Iterator[GameBatch | Finding]:
        """Reads one row field by field; gives a finding if it is no game."""
        try:
            checked = check(_fields(rows.slice(place, 1)), self._effective)
        except Flaw as flaw:
            yield flaw.finding(self._source.path, line)
            return
        yield from self._batch_unless(checked.game.game)
        self._append(checked, line)
        self._keep(rows, place, place + 1)

    def _append(self, checked: Checked, line: int) -> None:
        self._columns.append(checked, line, self._before + line - 1)

    def _keep(self, rows: Any, first: int, after: int) -> None:
        """Keeps what the format does not know of rows that were just read."""
        if not self._keep_extra:
            return
        for place in range(first, after):
            if unknown := _unknown_of(rows.slice(place, 1)):
                extra = msgspec.json.encode(unknown, enc_hook=str)
                self._columns.keep(extra, after - place)

    def _count(self, rows: Any) -> None:
        """Counts what the format does not know in rows that were read."""
        for name, column in unknown_columns(rows.schema):
            if column != EXTRA:
                self._unknown.add_counts({name: int(_is_said(rows, name, column).sum())})
        if EXTRA in rows.schema.names:
            self._count_extra(rows)

    def _count_extra(self, rows: Any) -> None:
        for place in np.flatnonzero(~nulls(rows.column(EXTRA))).tolist():
            row = rows.slice(place, 1).select([EXTRA, "seats"])
            self._unknown.add(names_in(_extra_of(row)))

    def _batch_unless(self, family: str) -> Iterator[GameBatch]:
        """The games so far, unless one of this family can be added: a batch is of one."""
        if self._columns.is_full or not self._columns.takes(family):
            source = self._source
            yield self._columns.batch(file=source.path, path=source.ordinal)


def _is_said(rows: Any, name: str, column: str) -> Any:
    """bool ``(n,)``: which games have an unknown field, in the column that it is in."""
    whole = rows.column(column)
    if name == column:
        return ~nulls(whole)
    if column == "result":
        return ~nulls(fields_of(whole, name.removeprefix("result.")))
    return any_in(
        ~nulls(fields_of(whole.flatten(), name.removeprefix("seats[]."))), list_starts(whole)
    )


def _fields(row: Any) -> dict[str, Any]:
    """One row as JSON would have it.

    Raises:
        Flaw: format.encoding.
    """
    try:
        fields: dict[str, Any] = row.to_pylist()[0]
    except UnicodeDecodeError as problem:
        likely = likely_encoding(problem.object)
        raise Flaw(Code.FORMAT_ENCODING, "$", None, likely=likely) from None
    for name in ("hands", "actions"):
        if isinstance(fields.get(name), str):
            fields[name] = split(fields[name])
    return fields


def _unknown_of(row: Any) -> dict[str, Any]:
    """What the format does not know of one row; nulls say nothing.

    Fields that no JSON can hold, since they are no UTF-8, are left out.
    """
    fields = {name: _value(row.column(name)) for name in row.schema.names if name != EXTRA}
    unknown = unknown_part(fields)
    seats, result = unknown.pop("seats", []), unknown.pop("result", {})
    found = _said(unknown)
    if any(seats := [_said(seat) for seat in seats]):
        found["seats"] = seats
    if result := _said(result):
        found["result"] = result
    return found | _extra_of(row) if EXTRA in row.schema.names else found


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _extra_of(row: Any) -> dict[str, Any]:
    """What one row has in the column ``extra``: what this program put there, or anything."""
    value = _value(row.column(EXTRA))
    if value is None:
        return {}
    seats = len(row.column("seats")[0])
    found = kept(value, seats) if isinstance(value, str) else None
    return {EXTRA: value} if found is None else found


def _value(column: Any) -> Any:
    try:
        return column[0].as_py()
    except UnicodeDecodeError:
        return None


def _count_of(metadata: Any, name: str, groups: range) -> int | None:
    """In how many rows a column says something, by what the file says; None: it does not."""
    count = 0
    for group in map(metadata.row_group, groups):
        chunks = [group.column(at) for at in range(group.num_columns)]
        known = next((c.statistics for c in chunks if c.path_in_schema == name), None)
        if known is None or not known.has_null_count:
            return None
        count += group.num_rows - known.null_count
    return count
