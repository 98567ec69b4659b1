"""Reading a warehouse: SQL in, frames out; nothing can be written, nothing else be read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias

import duckdb
import pyarrow as pa

from analytics.warehouse.database import OFFLINE, about, make_view, quoted
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.families import EARLIER, TABLES, tables_of
from analytics.warehouse.guard import check_reads_only
from analytics.warehouse.manifest import DATABASE, SCHEMA, Manifest, read_manifest
from analytics.warehouse.soundness import about_parts
from analytics.warehouse.tables import Layer

if TYPE_CHECKING:
    import pandas as pd

Params: TypeAlias = "Sequence[Any] | Mapping[str, Any]"

MEMORY: Final = "800MB"  # that a query may use; the process has 200 MB besides
_OWN: Final = ("about", "parts")  # tables that are no business of readers


class Answer(NamedTuple):
    """What a statement gives.

    Attributes:
        names: of the columns; not always unique.
        types: their types in SQL.
        batches: the rows, as Arrow record batches.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    batches: Iterator[Any]


class Warehouse:
    """A warehouse that is open for reading; use it as a context manager, or close it.

    It shows the state in which it was opened, whatever is loaded meanwhile.

    Attributes:
        folder: where it is.
        zone: in which days begin, and in which times are shown.
        connection: DuckDB, read-only, with settings that cannot be changed and files
            outside the warehouse out of reach; temporary tables and views can be made.
    """

    def __init__(self, folder: Path, memory: str, threads: int | None) -> None:
        """Opens a warehouse; ``open_warehouse`` says how."""
        self.folder = folder.resolve()
        self._own = TemporaryDirectory(prefix="paipu-", ignore_cleanup_errors=True)
        try:
            self.zone = _prepare(self.folder, Path(self._own.name))
            self.connection = _connect(self.folder, Path(self._own.name), memory, threads)
            self.rows(f"SET TimeZone = {quoted(self.zone)}")
            self.rows("SET lock_configuration = true")
        except BaseException:
            self._own.cleanup()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of everything."""
        self.connection.close()
        self._own.cleanup()

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of all tables and views, in alphabetical order."""
        query = "SELECT table_name FROM information_schema.tables ORDER BY ALL"
        names = [name for (name,) in self.rows(query)]
        return tuple(name for name in names if name not in _OWN)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What a query of paipu itself gives, in values of Python.

        Raises:
            WarehouseError: it cannot be run.
        """
        with told_in_sentences():
            return self.connection.execute(query).fetchall()

    def sql(self, text: str, params: Params | None = None) -> pd.DataFrame:
        """What one statement that only reads gives, as a frame.

        Guarantees: integers stay integers, with nulls ``Int64``; texts are texts; times
        carry the zone of the warehouse; days are timestamps without a zone.

        Args:
            text: SQL, with ``?`` or ``$name`` for parameters.
            params: their values.

        Raises:
            WarehouseError: it cannot be run, or gives an integer beyond 64 bits.
        """
        return as_frame(self.arrow(text, params))

    def exact(self, text: str, params: Params | None = None) -> pd.DataFrame:
        """The same, with integers of Python (dtype object) in a column that 64 bits cannot hold."""
        relation = self._relation(text, params)
        with told_in_sentences():
            return as_frame(with_int64(relation.to_arrow_table(), keeps_larger=True))

    def arrow(self, text: str, params: Params | None = None) -> Any:
        """The same as an Arrow table."""
        relation = self._relation(text, params)
        with told_in_sentences():
            return with_int64(relation.to_arrow_table())

    def answer(self, text: str, params: Params | None = None) -> Answer:
        """The same, batch by batch, with integers of any size."""
        relation = self._relation(text, params)
        batches = _batches(relation)
        return Answer(tuple(relation.columns), tuple(map(str, relation.types)), batches)

    def _relation(self, text: str, params: Params | None) -> duckdb.DuckDBPyRelation:
        with told_in_sentences():
            check_reads_only(self.connection, text)
            relation = self.connection.sql(text, params=params)
        if relation is None:
            raise WarehouseError("this statement gives no rows.")
        return relation


def _batches(relation: duckdb.DuckDBPyRelation) -> Iterator[Any]:
    with told_in_sentences():
        yield from relation.to_arrow_reader()


@contextmanager
def told_in_sentences() -> Iterator[None]:
    """Lets what DuckDB raises be told as a sentence; Arrow hides that in an OSError.

    Raises:
        WarehouseError: with the sentence.
    """
    try:
        yield
    except (duckdb.Error, OSError) as problem:
        raise WarehouseError(sentence_of(problem)) from problem


def open_warehouse(
    folder: str | os.PathLike[str], *, memory: str = MEMORY, threads: int | None = None
) -> Warehouse:
    """Opens a warehouse for reading.

    Args:
        folder: of the warehouse.
        memory: that DuckDB may use before it spills to disk, for instance "2GB".
        threads: that DuckDB may use; None: one a core.

    Raises:
        WarehouseError: there is none, or this version cannot read it.
    """
    return Warehouse(Path(folder), memory, threads)


def _prepare(folder: Path, own: Path) -> str:
    """Copies the database, with views that name their files in full; returns the zone.

    The copy is what is opened: the original can be replaced meanwhile, and DuckDB would
    take a second connection of one process to the same path for the same database.
    """
    manifest = read_manifest(folder)
    try:
        shutil.copyfile(folder / DATABASE, own / DATABASE)
    except FileNotFoundError:
        raise WarehouseError(
            f"{folder}: {DATABASE} is missing; the next `paipu load` makes it anew."
        ) from None
    try:
        with duckdb.connect(str(own / DATABASE), config={**OFFLINE}) as database:
            zone = _zone_of(folder, database)
            _name_in_full(database, folder, manifest)
    except (duckdb.Error, KeyError, ValueError):
        raise WarehouseError(
            f"{folder}: {DATABASE} is damaged; the next `paipu load` makes it anew."
        ) from None
    return zone


def _zone_of(folder: Path, database: duckdb.DuckDBPyConnection) -> str:
    found = about(database)
    if int(found["schema"]) > SCHEMA:
        raise WarehouseError(f"{folder}: a newer version of paipu is needed to read it.")
    return str(found["zone"])


def _name_in_full(database: duckdb.DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    query = "SELECT path FROM parts WHERE view = ? ORDER BY nth"
    views = [(table.name, table) for table in TABLES]
    views += [(EARLIER + t.name, t) for t in tables_of(Layer.VERDICT, Layer.BOTH)]
    for name, table in views:
        paths = [str(folder / path) for (path,) in database.execute(query, [name]).fetchall()]
        if paths:
            try:
                make_view(database, name, table, paths)
            except duckdb.Error as problem:
                raise WarehouseError(about_parts(folder, manifest, problem)) from problem


def _connect(
    folder: Path, own: Path, memory: str, threads: int | None
) -> duckdb.DuckDBPyConnection:
    settings: dict[str, Any] = {
        **OFFLINE, "memory_limit": memory, "temp_directory": str(own / "spilled"),
    }  # fmt: skip
    if threads is not None:
        settings["threads"] = threads
    with told_in_sentences():
        connection = duckdb.connect(str(own / DATABASE), read_only=True, config=settings)
        connection.execute(f"SET allowed_directories = [{quoted(f'{folder}/')}]")
        connection.execute("SET enable_external_access = false")
        return connection


def with_int64(table: Any, *, keeps_larger: bool = False) -> Any:
    """A table whose sums, which DuckDB makes of 128 bits, have 64.

    Args:
        table: of Arrow.
        keeps_larger: whether a column that does not fit stays as it is.

    Raises:
        WarehouseError: one of them does not fit.
    """
    for place, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type) and field.type.scale == 0:
            try:
                column = table.column(place).cast(pa.int64())
            except pa.ArrowInvalid as problem:
                if keeps_larger:
                    continue
                raise WarehouseError(
                    f"column {field.name!r} has integers beyond 64 bits; CAST it to VARCHAR."
                ) from problem
            table = table.set_column(place, field.with_type(pa.int64()), column)
    return table


def as_frame(table: Any) -> pd.DataFrame:
    """An Arrow table as a frame; integers and truth values with nulls stay what they are."""
    import pandas as pd

    text = pd.StringDtype(na_value=float("nan"))
    always = {pa.string(): text, pa.large_string(): text}
    nullable = {
        **always,
        pa.int8(): pd.Int8Dtype(), pa.int16(): pd.Int16Dtype(), pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(), pa.uint8(): pd.UInt8Dtype(), pa.uint16(): pd.UInt16Dtype(),
        pa.uint32(): pd.UInt32Dtype(), pa.uint64(): pd.UInt64Dtype(), pa.bool_(): pd.BooleanDtype(),
    }  # fmt: skip
    columns = [
        column.to_pandas(types_mapper=(nullable if column.null_count else always).get,
                         date_as_object=False)
        for column in table.columns
    ]  # fmt: skip
    for place, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type) and field.type.scale == 0:
            columns[place] = columns[place].map(int, na_action="ignore").astype(object)
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame()
    frame.columns = pd.Index(table.column_names)
    return frame


_OUT_OF_MEMORY: Final = "Out of Memory Error"  # as DuckDB begins, also where Arrow hides it


def sentence_of(problem: Exception) -> str:
    """What DuckDB says of a query, as a sentence."""
    if isinstance(problem, duckdb.PermissionException):
        return "a query reads the tables of the warehouse; files and settings are out of reach."
    if isinstance(problem, duckdb.OutOfMemoryException) or _OUT_OF_MEMORY in str(problem):
        return (
            "too little memory for this query; let it use more with --memory SIZE, such as 2GB, "
            "in a notebook with open_warehouse(..., memory=SIZE)."
        )
    if isinstance(problem, duckdb.IOException):
        return (
            f"{problem}\nA part may have been taken out meanwhile; open the warehouse again. "
            "If this stays, ask `paipu check` whether all parts are sound."
        )
    return f"the query cannot be run: {problem}"
