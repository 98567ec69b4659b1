"""Where lies what was collected: in a database that spills, or in a folder for others.

Both take rows of the same ``TABLES``, many at a time. Names are looked at only where
something is wrong, so they wait in a file beside, a piece a batch.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, BinaryIO, Final, Protocol

import duckdb
import msgspec
import numpy as np
import numpy.typing as npt

from analytics.verify import Verdict

Column = npt.NDArray[Any]

MEMORY: Final = "160MB"
BODY: Final = "body"  # bytes, or None: the only column that holds no ints
TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "games": {
        "game": "BIGINT", "game_key": "BIGINT", "id_head": "UBIGINT", "id_tail": "UBIGINT",
        "content": "BIGINT", "path": "INTEGER", "offset": "BIGINT", "line": "BIGINT",
        "rules_ix": "SMALLINT",
    },
    "seats": {
        "game": "BIGINT", "seat": "TINYINT", "start": "BIGINT", "player_key": "BIGINT",
        "before": "BIGINT", "after": "BIGINT",
    },
    "findings": {
        "game": "BIGINT", "path": "INTEGER", "line": "BIGINT", "action": "INTEGER",
        "seat": "TINYINT", "code": "SMALLINT", "severity": "TINYINT", "rules_ix": "SMALLINT",
        BODY: "BLOB",
    },
}  # fmt: skip
_CHUNK: Final = 1 << 20  # bytes that are copied at a time
_NAMES, _SIZES = "names.bin", "names.json"


class Store(Protocol):
    """Takes rows of ``TABLES``, and the names of every batch."""

    @property
    def names(self) -> NamesOfBatches: ...

    def insert(self, table: str, columns: Sequence[Column]) -> None:
        """Adds rows: the columns in the order of ``TABLES``, ints of any width."""

    def complete(self) -> None:
        """All is there that was to be added."""

    def close(self) -> None:
        """Nothing more will be added."""


class Names(msgspec.Struct, frozen=True, array_like=True):
    """The names in a batch, for the few of them that are ever told.

    Attributes:
        ids, players: texts of the games, and of the seats.
        id_at, player_at, seats_at: int32: where each text begins, and each game's seats.
    """

    ids: bytes
    id_at: bytes
    players: bytes
    player_at: bytes
    seats_at: bytes

    @classmethod
    def of(cls, verdict: Verdict) -> Names:
        """The names of a batch."""
        ids, players, seats_at = verdict.keys.ids, verdict.keys.players, verdict.batch.seats_at
        return cls(ids.buffer, _int32(ids.at), players.buffer, _int32(players.at), _int32(seats_at))

    def id_of(self, row: int) -> str:
        """The id of a game of the batch."""
        return _text(self.ids, self.id_at, row)

    def player_of(self, row: int, seat: int) -> str:
        """Who sat there."""
        first = int(np.frombuffer(self.seats_at, np.int32)[row])
        return _text(self.players, self.player_at, first + seat)


def _int32(places: npt.NDArray[np.int64]) -> bytes:
    return places.astype(np.int32).tobytes()


def _text(texts: bytes, at: bytes, place: int) -> str:
    first, after = np.frombuffer(at, np.int32)[place : place + 2]
    return texts[first:after].decode()


class NamesOfBatches:
    """The names of batches, one behind the other in a file.

    DuckDB would have to hold them in memory: they are too long to be spilled.

    Attributes:
        sizes: bytes of each batch's.
    """

    def __init__(self, file: Any) -> None:
        """Begins with an empty file, open for reading and writing."""
        self._file = file
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, batch: int) -> Names:
        start, end = self._ends[batch : batch + 2]
        self._file.seek(start)
        return msgspec.msgpack.decode(self._file.read(end - start), type=Names)

    @property
    def sizes(self) -> list[int]:
        return [end - start for start, end in pairwise(self._ends)]

    def append(self, names: Names) -> None:
        """Adds those of the next batch."""
        self._file.seek(self._ends[-1])
        self._ends.append(self._ends[-1] + self._file.write(msgspec.msgpack.encode(names)))

    def take(self, folder: Path) -> None:
        """Adds those that a ``Folder`` holds."""
        sizes = msgspec.json.decode((folder / _SIZES).read_bytes(), type=list[int])
        self._file.seek(self._ends[-1])
        with (folder / _NAMES).open("rb") as published:
            shutil.copyfileobj(published, self._file, _CHUNK)
        self._ends += list(accumulate(sizes, initial=self._ends[-1]))[1:]


class Database:
    """The tables in a DuckDB database in memory that spills to a temporary directory.

    Attributes:
        connection: to it; one thread, under a memory limit.
        names: of every batch, in their order.
    """

    def __init__(self) -> None:
        self._spilled = TemporaryDirectory(prefix="paipu-", ignore_cleanup_errors=True)
        settings: dict[str, Any] = {
            "memory_limit": MEMORY,
            "threads": 1,
            "temp_directory": self._spilled.name,
        }
        self.connection = duckdb.connect(":memory:", config=settings)
        self._names = TemporaryFile(prefix="paipu-")  # noqa: SIM115 - until ``close``
        self.names = NamesOfBatches(self._names)
        for table, columns in TABLES.items():
            written = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
            self.connection.execute(f"CREATE TABLE {table} ({written})")

    def insert(self, table: str, columns: Sequence[Column]) -> None:
        """Adds rows; see ``Store``."""
        frame = {f"c{place}": column for place, column in enumerate(columns)}
        self.connection.register("frame", frame)
        self.connection.execute(f"INSERT INTO {table} SELECT * FROM frame")
        self.connection.unregister("frame")

    def complete(self) -> None:
        """Nothing: whoever has the database has all of it."""

    def close(self) -> None:
        """Closes it, and removes what it spilled."""
        self._names.close()
        self.connection.close()
        self._spilled.cleanup()


class Folder:
    """The tables in a folder, as numpy's files of columns, for ``rows_in`` to read.

    A table is a file: a piece behind the other, each its columns in their order.

    Attributes:
        names: of every batch, in their order.
    """

    def __init__(self, path: Path) -> None:
        """Begins in an empty folder."""
        self._path = path
        with ExitStack() as stack:
            names = stack.enter_context((path / _NAMES).open("w+b"))
            self._files = {
                table: stack.enter_context(_file_of(path, table).open("wb")) for table in TABLES
            }
            self._open = stack.pop_all()
        self.names = NamesOfBatches(names)

    def insert(self, table: str, columns: Sequence[Column]) -> None:
        """Adds rows; see ``Store``."""
        file = self._files[table]
        for name, column in zip(TABLES[table], columns, strict=True):
            for array in _packed(column) if name == BODY else [column]:
                np.save(file, array, allow_pickle=False)

    def complete(self) -> None:
        """Makes the folder whole; without that nobody can take it in."""
        (self._path / _SIZES).write_bytes(msgspec.json.encode(self.names.sizes))

    def close(self) -> None:
        """Closes its files."""
        self._open.close()


def rows_in(folder: Path) -> Iterator[tuple[str, dict[str, Column]]]:
    """What a ``Folder`` holds: table and columns of every piece."""
    for table in TABLES:
        path = _file_of(folder, table)
        end = path.stat().st_size
        with path.open("rb") as file:
            while file.tell() < end:
                yield table, {name: _read(file, name) for name in TABLES[table]}


def blobs(bodies: Sequence[bytes | None]) -> Column:
    """The column ``BODY`` of these: object ``(n,)``."""
    column = np.empty(len(bodies), object)
    column[:] = bodies
    return column


def _file_of(folder: Path, table: str) -> Path:
    return folder / f"{table}.npys"


def _read(file: BinaryIO, name: str) -> Column:
    column: Column = np.load(file, allow_pickle=False)
    if name != BODY:
        return column
    data = np.load(file, allow_pickle=False).tobytes()
    ends = np.cumsum(np.maximum(column, 0)).tolist()
    spans = zip(ends, column.tolist(), strict=True)
    return blobs([None if size < 0 else data[end - size : end] for end, size in spans])


def _packed(bodies: Column) -> tuple[Column, Column]:
    """Bytes of each, -1 for None, and all of them one behind the other."""
    sizes = np.array([-1 if body is None else len(body) for body in bodies], np.int64)
    data = b"".join(body for body in bodies if body is not None)
    return sizes, np.frombuffer(data, np.uint8)
