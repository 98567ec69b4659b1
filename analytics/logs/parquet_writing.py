"""One Parquet file while it is being written."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from analytics.logs.arrow_tables import schema_of, table_of, with_lists
from analytics.logs.batch import GameBatch

ROW_GROUP: Final = 16_384  # games; what a reader holds in memory at a time


class ParquetOut:
    """Writes batches of games.

    Attributes:
        games: how many were written.
    """

    def __init__(self, path: str) -> None:
        self.games = 0
        self._path = path
        self._as_lists = False
        self._waiting: list[Any] = []  # tables of the next row group
        self._out = self._opened()

    def __enter__(self) -> ParquetOut:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._write_group()
        self._out.close()

    def write(self, batch: GameBatch) -> None:
        """Writes the games of a batch."""
        if not (batch.hands.joined and batch.actions.joined) and not self._as_lists:
            self._turn_to_lists()
        self._waiting.append(table_of(batch, as_lists=self._as_lists))
        self.games += len(batch)
        if sum(map(len, self._waiting)) >= ROW_GROUP:
            self._write_group()

    def _opened(self) -> Any:
        schema = schema_of(as_lists=self._as_lists)
        return pq.ParquetWriter(self._path, schema, compression="zstd")

    def _write_group(self) -> None:
        if self._waiting:
            self._out.write_table(pa.concat_tables(self._waiting), ROW_GROUP)
        self._waiting = []

    def _turn_to_lists(self) -> None:
        """Writes anew what was written so far, with lists instead of joined texts."""
        self._write_group()
        self._out.close()
        self._as_lists = True
        before = f"{self._path}.joined"
        os.replace(self._path, before)
        self._out = self._opened()
        try:
            with pq.ParquetFile(before) as file:
                for group in range(file.num_row_groups):
                    self._out.write_table(with_lists(file.read_row_group(group)), ROW_GROUP)
        finally:
            os.unlink(before)
