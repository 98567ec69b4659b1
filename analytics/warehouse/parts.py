"""Parts in the making: rows gathered, sorted by day, written, joined, and put in place."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from analytics.warehouse.common import GAMES
from analytics.warehouse.days import NO_DAY_NUMBER, day_text
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.families import BY_NAME
from analytics.warehouse.filling import Filled
from analytics.warehouse.manifest import NO_DAY, Part, Written, path_of
from analytics.warehouse.soundness import digest
from analytics.warehouse.tables import Layer, Table

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SLICE_GAMES: Final = 1 << 16  # gathered before they are written: some 150 MB of columns
SMALL_GAMES: Final = 1 << 13  # parts with fewer are joined with others of their day
JOINED_GAMES: Final = 1 << 16  # up to about so many
ROW_GROUP: Final = 1 << 17  # rows: what one thread of a reader takes at once
LAYERS: Final = (Layer.FACTS, Layer.VERDICT)


class Staged(msgspec.Struct, frozen=True):
    """A part that lies in the staging folder.

    Attributes:
        folder: its own, relative to the staging folder; a folder in it for each layer.
        day: as in ISO 8601; None: no start was logged.
        games: how many.
        files: keys of the logs they are in.
        rows: per layer, number of rows by table.
    """

    folder: str
    day: str | None
    games: int
    files: tuple[str, ...]
    rows: dict[str, dict[str, int]]


class Gatherer:
    """Gathers rows of one log and writes them as parts, one a day and slice."""

    def __init__(self, staging: Path, folder: str, file_key: str) -> None:
        """Takes the staging folder, a folder in it to write into, and the log."""
        self._staging, self._folder, self._file_key = staging, folder, file_key
        self._rows: dict[tuple[Layer, Table], list[Filled]] = defaultdict(list)
        self._days: list[Int64s] = []
        self._games = 0
        self.parts: list[Staged] = []

    def add(self, days: Int64s, filled: Iterable[Filled]) -> None:
        """Takes in the rows of a batch.

        Args:
            days: int64 ``(n,)``: the day of each game, as ``days_of`` gives it.
            filled: the rows; their games are places in ``days``.
        """
        for each in filled:
            moved = each._replace(game=each.game + self._games)
            self._rows[each.layer, each.table].append(moved)
        self._days.append(days)
        self._games += len(days)
        if self._games >= SLICE_GAMES:
            self.flush()

    def flush(self) -> None:
        """Writes what was gathered."""
        if not self._days:
            return
        days = np.concatenate(self._days)
        tables = {key: _sorted(filled, days) for key, filled in self._rows.items()}
        for day in np.unique(days).tolist():
            own = {key: rows.slice(*_span(of_row, day)) for key, (rows, of_row) in tables.items()}
            self.parts.append(self._write(day, own))
        self._rows.clear()
        self._days, self._games = [], 0

    def _write(self, day: int, tables: Mapping[tuple[Layer, Table], Any]) -> Staged:
        folder = f"{self._folder}/part-{len(self.parts)}"
        rows = write_part(self._staging / folder, tables)
        games = rows[Layer.FACTS].get(GAMES.name, 0)
        return Staged(folder, day_text(day), games, (self._file_key,), rows)


def _sorted(filled: Sequence[Filled], days: Int64s) -> tuple[Any, Int64s]:
    """Rows in order of their days, and the day of each; else their order stays."""
    rows = pa.concat_tables([each.rows for each in filled]).unify_dictionaries()
    of_row = days[np.concatenate([each.game for each in filled])]
    if (of_row[1:] < of_row[:-1]).any():
        order = np.argsort(of_row, kind="stable")
        rows, of_row = rows.combine_chunks().take(pa.array(order)), of_row[order]
    return rows, of_row


def _span(of_row: Int64s, day: int) -> tuple[int, int]:
    """Where the rows of a day begin, and how many they are."""
    start, stop = np.searchsorted(of_row, day), np.searchsorted(of_row, day, side="right")
    return int(start), int(stop - start)


def write_part(
    folder: Path, tables: Mapping[tuple[Layer, Table], Any]
) -> dict[str, dict[str, int]]:
    """Writes the tables of a part that have rows; returns their numbers of rows."""
    counts: dict[str, dict[str, int]] = {layer: {} for layer in LAYERS}
    for (layer, table), rows in tables.items():
        if len(rows):
            (folder / layer).mkdir(parents=True, exist_ok=True)
            write_rows(folder / layer / f"{table.name}.parquet", table, rows)
            counts[layer][table.name] = len(rows)
    return counts


def write_rows(path: Path, table: Table, rows: Any) -> None:
    """Writes rows as Parquet: texts through a dictionary, numbers plain, all packed."""
    words = [column.name for column in table.columns if column.type == "VARCHAR"]
    pq.write_table(
        rows, path, row_group_size=ROW_GROUP, compression="zstd", use_dictionary=words or False,
        store_schema=False, write_page_checksum=True,
    )  # fmt: skip


def read_rows(paths: Sequence[Path], table: Table) -> Any:
    """The rows of files of one table, in the types of the table.

    Raises:
        WarehouseError: a file is missing or damaged.
    """
    try:
        read = [_read(path).cast(table.schema) for path in paths]
    except (OSError, pa.ArrowException) as problem:
        raise WarehouseError(
            f"a part cannot be read; `paipu check` says which: {problem}"
        ) from problem
    return pa.concat_tables([table.schema.empty_table(), *read]).combine_chunks()


def _read(path: Path) -> Any:
    return pq.read_table(path, partitioning=None, page_checksum_verification=True)


def to_join(parts: Sequence[Staged]) -> Iterator[list[Staged]]:
    """Groups of parts of one day that are to be one part; most groups are one part alone.

    Small parts are joined with the small ones before them; large parts stay as they are.
    """
    small: dict[str | None, list[Staged]] = defaultdict(list)
    for part in parts:
        if part.games >= SMALL_GAMES:
            yield [part]
            continue
        waiting = small[part.day]
        if sum(each.games for each in waiting) + part.games > JOINED_GAMES:
            yield small.pop(part.day)
        small[part.day].append(part)
    yield from small.values()


class Joining(NamedTuple):
    """Parts of one day that are to be one part, in their order."""

    staging: Path
    parts: tuple[Staged, ...]


def join(task: Joining) -> Staged:
    """Makes one part of several."""
    staging, parts = task
    folder = f"{parts[0].folder}-joined"
    tables = {
        (layer, BY_NAME[name]): read_rows(
            [_staged(staging, p, layer, name) for p in parts if name in p.rows[layer]],
            BY_NAME[name],
        )
        for layer in LAYERS
        for name in dict.fromkeys(name for part in parts for name in part.rows[layer])
    }
    rows = write_part(staging / folder, tables)
    files = tuple(dict.fromkeys(key for part in parts for key in part.files))
    return Staged(folder, parts[0].day, sum(part.games for part in parts), files, rows)


def _staged(staging: Path, part: Staged, layer: Layer, table: str) -> Path:
    return staging / part.folder / layer / f"{table}.parquet"


def publish(warehouse: Path, staging: Path, part: Staged) -> Part:
    """Puts the files of a staged part in place, under names made of their bytes."""
    day = f"day={part.day or NO_DAY}"
    written = {
        layer: place_layer(warehouse, staging / part.folder / layer, day, part.rows[layer])
        for layer in LAYERS
    }
    verdicts = (written[Layer.VERDICT],) if part.games else ()
    return Part(part.day, part.games, part.files, written[Layer.FACTS], verdicts)


def place_layer(warehouse: Path, layer: Path, day: str, rows: Mapping[str, int]) -> Written:
    """Puts the files of one layer in place, each as a whole.

    They stay in the staging folder as well, so that a command that dies before they count
    can be done again.

    Args:
        warehouse: its folder.
        layer: folder with a file for each table that has rows.
        day: name of the folder of the day.
        rows: number of rows by table.
    """
    files = {table: layer / f"{table}.parquet" for table in sorted(rows)}
    name, size = digest(files.items())
    for table, file in files.items():
        target = warehouse / path_of(table, day, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        _flush(file)
        _place(file, target)
    return Written(name, {table: rows[table] for table in files}, size)


def _place(file: Path, target: Path) -> None:
    """Gives a file a second name; where there is no such thing, copies it and renames."""
    if target.exists():  # the name is made of the bytes
        return
    try:
        os.link(file, target)
    except OSError:
        unfinished = target.with_name(f".{target.name}")
        shutil.copyfile(file, unfinished)
        _flush(unfinished)
        os.replace(unfinished, target)


def _flush(path: Path) -> None:
    """Lets the bytes of a file reach the disk before its new name does."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())


NO_GAMES: Final = np.array([NO_DAY_NUMBER], np.int64)  # the day of rows without a game
