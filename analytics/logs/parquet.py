"""Reads the Parquet form of a log, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from analytics.findings import Code, Finding, Severity
from analytics.logs.arrow_rows import Arrays, Rows
from analytics.logs.arrow_schema import EXTRA, SCHEMA, unknown_columns, wrong_columns
from analytics.logs.batch import GameBatch
from analytics.logs.checking import FAMILIES, check, unknown_fields
from analytics.logs.columns import Columns, split
from analytics.logs.effective import Effective
from analytics.logs.encodings import likely_encoding
from analytics.logs.flaws import Flaw
from analytics.logs.sources import STANDARD_INPUT, Source, SourceError
from analytics.rules.rulebook import Rulebook

_UNREADABLE: Final = (pa.ArrowException, OSError)
_KEPT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read_parquet(
    source: Source, rulebook: Rulebook, *, keep_extra: bool, batch_games: int
) -> Iterator[GameBatch | Finding]:
    """The games of a Parquet file, in order, and what is wrong with it.

    Args:
        source, rulebook, keep_extra, batch_games: as for ``reading.read``.

    Raises:
        SourceError: it is given on standard input, which cannot be read backwards.
    """
    if source.path == STANDARD_INPUT:
        raise SourceError("-: Parquet cannot be read from standard input")
    try:
        file = pq.ParquetFile(source.path, pre_buffer=False)
    except _UNREADABLE:
        yield _torn(source)
        return
    with file:
        reader = _RowReader(source, rulebook, keep_extra=keep_extra, batch_games=batch_games)
        yield from reader.read(file)


class _RowReader:
    """Reads the rows of one file."""

    def __init__(
        self, source: Source, rulebook: Rulebook, *, keep_extra: bool, batch_games: int
    ) -> None:
        self._source = source
        self._effective = Effective(rulebook)
        self._columns = Columns(batch_games, keep_extra=keep_extra)
        self._keep_extra = keep_extra
        self._row = 0  # how many were read

    def read(self, file: Any) -> Iterator[GameBatch | Finding]:
        """Batches and findings; what concerns the whole file comes last."""
        schema = file.schema_arrow
        flaws = list(wrong_columns(schema))
        yield from (flaw.finding(self._source.path, None) for flaw in flaws)
        if flaws:
            return
        size = self._columns.capacity
        chunks = file.iter_batches(size, columns=self._wanted(schema))
        while (rows := self._next(chunks)) is not None:
            if isinstance(rows, Finding):
                yield rows
                break
            yield from self._read_rows(rows)
            if self._columns.n:
                yield self._batch()
        yield from self._unknown(file)

    def _next(self, chunks: Iterator[Any]) -> Any:
        """The next rows; None at the end, a finding where the file is damaged."""
        try:
            return next(chunks, None)
        except _UNREADABLE:
            return _torn(self._source)

    def _wanted(self, schema: Any) -> list[str]:
        return [name for name in schema.names if self._keep_extra or name in SCHEMA.names]

    def _read_rows(self, rows: Any) -> Iterator[Finding]:
        """Reads rows into the columns; gives a finding for each that is none."""
        lines = self._row + np.arange(1, len(rows) + 1)
        self._row += len(rows)
        taken = Rows.of(Arrays(rows), self._effective)
        first = 0
        for odd in [*np.flatnonzero(taken.odd).tolist(), len(rows)]:
            if first < odd:
                taken.append_to(self._columns, first, odd, lines)
                self._keep(rows, first, odd)
            if odd < len(rows):
                yield from self._explain(rows, odd, int(lines[odd]))
            first = odd + 1

    def _explain(self, rows: Any, place: int, line: int) -> Iterator[Finding]:
        """Reads one row field by field; gives a finding if it is no game."""
        row = rows.slice(place, 1)
        try:
            checked = check(_fields(row), self._effective)
        except Flaw as flaw:
            yield flaw.finding(self._source.path, line)
            return
        self._columns.append(checked, line, line - 1)
        self._keep(rows, place, place + 1)

    def _keep(self, rows: Any, first: int, after: int) -> None:
        """Keeps what the format does not know of rows that were just read."""
        if not self._keep_extra:
            return
        for place in range(first, after):
            if (extra := _extra(rows.slice(place, 1))) is not None:
                self._columns.keep(extra, after - place)

    def _unknown(self, file: Any) -> Iterator[Finding]:
        """One finding for all fields that the format does not know, if there are any."""
        names = {
            name: file.metadata.num_rows - _nulls(file.metadata, column)
            for name, column in sorted(unknown_columns(file.schema_arrow))
        }
        if any(names.values()):
            yield Finding(Code.FORMAT_UNKNOWN, self._source.path, params={"names": names})

    def _batch(self) -> GameBatch:
        source = self._source
        return self._columns.batch(family=FAMILIES[0], file=source.path, path=source.ordinal)


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


def _extra(row: Any) -> bytes | None:
    """The fields of one row that the format does not know, as one JSON object.

    Those that no JSON can hold, since they are no UTF-8, are left out.
    """
    fields = {name: _value(row.column(name)) for name in row.schema.names}
    kept = fields.pop(EXTRA, None)
    unknown = {own: value for _, own, value in unknown_fields(fields) if value is not None}
    if (more := _kept(kept)) is not None:
        unknown |= more
    elif kept is not None:
        unknown[EXTRA] = kept
    return msgspec.json.encode(unknown, enc_hook=str) if unknown else None


def _value(column: Any) -> Any:
    try:
        return column[0].as_py()
    except UnicodeDecodeError:
        return None


def _kept(text: object) -> dict[str, msgspec.Raw] | None:
    """The fields that this program wrote to ``extra``, as they stand; None: it did not."""
    try:
        return _KEPT.decode(text) if isinstance(text, str) else None
    except msgspec.DecodeError:
        return None


def _nulls(metadata: Any, column: str) -> int:
    """In how many rows a column is known to say nothing."""
    chunks = (
        group.column(at)
        for group in map(metadata.row_group, range(metadata.num_row_groups))
        for at in range(group.num_columns)
    )
    found = (chunk.statistics for chunk in chunks if chunk.path_in_schema == column)
    return sum(known.null_count for known in found if known and known.has_null_count)


def _torn(source: Source) -> Finding:
    return Finding(
        Code.FORMAT_TORN,
        source.path,
        params={"compressed": True},
        given_severity=Severity.ERROR,
    )
