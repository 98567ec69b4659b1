"""``paipu.duckdb``: views over the parts, comments, and tables that can be made anew.

It is written beside and renamed into place, so that nobody ever writes to the file that
readers have open. Its views name their files relative to the warehouse: they work where
that is the current folder, and ``analytics.warehouse.reading`` makes them work anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import duckdb
import msgspec

from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.families import EARLIER, TABLES, tables_of
from analytics.warehouse.manifest import DATABASE, STAGING, Manifest, files_of
from analytics.warehouse.small import (
    DAILY_GAMES,
    DAILY_POSTINGS,
    FILES,
    JOURNAL,
    RULESETS,
    SETTLEMENTS,
    SMALL,
    SmallTable,
)
from analytics.warehouse.soundness import about_parts
from analytics.warehouse.tables import DAY, Column, Layer, Table

MEMORY: Final = "500MB"  # while the database is made
OFFLINE: Final[Mapping[str, bool]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}

# What a reader needs to make the views, and to know what it reads.
_ABOUT: Final = """
CREATE TABLE about (name VARCHAR, value VARCHAR);
CREATE TABLE parts (view VARCHAR, nth BIGINT, path VARCHAR);
COMMENT ON TABLE about IS 'Schema, zone and state of the warehouse.';
COMMENT ON TABLE parts IS 'The files that each view reads, in order.';
"""

_PARTS: Final = """
INSERT INTO parts
SELECT $view, unnest(range(len($files::VARCHAR[]))), unnest($files::VARCHAR[])
"""

_GAMES_OF_A_DAY: Final = """
SELECT games.day, room, s.ruleset, s.unit, count(*), sum(seats)::BIGINT,
       count(*) FILTER (ending = 'escape'), count(*) FILTER (ending IS NULL),
       count(*) FILTER (errors > 0)
FROM games JOIN verdicts v USING (game_key) JOIN settlements s USING (settlement_key)
GROUP BY ALL ORDER BY ALL
"""
_POSTINGS_OF_A_DAY: Final = """
SELECT g.day, room, s.ruleset, s.unit, if(account < 0, 'system', 'seats') AS side, item,
       count(*), coalesce(sum(amount) FILTER (amount > 0), 0),
       coalesce(sum(amount) FILTER (amount < 0), 0)
FROM postings JOIN (SELECT game_key, day, room FROM games) g USING (game_key)
JOIN settlements s USING (settlement_key)
GROUP BY ALL ORDER BY ALL
"""


@contextmanager
def made_database(folder: Path, manifest: Manifest) -> Iterator[Path]:
    """Makes ``paipu.duckdb`` of a manifest, beside its place; gone afterwards unless moved.

    Raises:
        WarehouseError: a part is missing or damaged; the sentence says which, and what to do.
    """
    staging = folder / STAGING
    staging.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix=".database-", dir=staging) as unfinished:
        made = Path(unfinished) / DATABASE
        settings: dict[str, Any] = {
            **OFFLINE, "memory_limit": MEMORY, "threads": 2, "temp_directory": unfinished,
        }  # fmt: skip
        with (
            duckdb.connect(str(made), config=settings) as database,
            _finding_files_in(folder, database),
        ):
            try:
                _fill(database, manifest)
            except duckdb.Error as problem:
                raise WarehouseError(about_parts(folder, manifest, problem)) from problem
        yield made


def place_database(made: Path, folder: Path) -> None:
    """Renames a database into place."""
    os.replace(made, folder / DATABASE)


@contextmanager
def _finding_files_in(folder: Path, database: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Lets relative names of files mean those of a folder.

    DuckDB takes a list of folders with commas between, so the folder gets a name without.
    """
    with TemporaryDirectory(prefix="paipu-") as names:
        link = Path(names) / "warehouse"
        link.symlink_to(folder.resolve(), target_is_directory=True)
        database.execute(f"SET file_search_path = {quoted(str(link))}")
        yield


def is_in_step(folder: Path, manifest: Manifest) -> bool:
    """Whether the database is that of the manifest."""
    try:
        with duckdb.connect(str(folder / DATABASE), read_only=True, config={**OFFLINE}) as database:
            return about(database).get("state") == str(manifest.state)
    except duckdb.Error:
        return False


def about(database: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Schema, zone and state that a database was made with."""
    return dict(database.execute("SELECT name, value FROM about").fetchall())


def _fill(database: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    database.execute(f"SET TimeZone = {quoted(manifest.zone)}")
    database.execute(_ABOUT)
    values = (("schema", manifest.schema), ("zone", manifest.zone), ("state", manifest.state))
    _insert(database, "about", [[name, str(value)] for name, value in values])
    for name, table, files in _views(manifest):
        database.execute(_PARTS, {"view": name, "files": files})
        make_view(database, name, table, files)
    for small, rows in _small_rows(manifest):
        database.execute(_table_of(small))
        _insert(database, small.name, rows)
    database.execute(f"INSERT INTO {DAILY_GAMES.name} {_GAMES_OF_A_DAY}")
    database.execute(f"INSERT INTO {DAILY_POSTINGS.name} {_POSTINGS_OF_A_DAY}")
    for small in SMALL:
        _comment(database, "TABLE", small.name, small.meaning, small.columns)


def _views(manifest: Manifest) -> Iterator[tuple[str, Table, list[str]]]:
    """Every view: its name, the table that it shows, and its files."""
    for table in TABLES:
        yield table.name, table, list(files_of(manifest, table.name, is_latest=True))
    for table in tables_of(Layer.VERDICT, Layer.BOTH):
        files = list(files_of(manifest, table.name, is_latest=False))
        yield EARLIER + table.name, table, files


def make_view(
    database: duckdb.DuckDBPyConnection, name: str, table: Table, files: Sequence[str]
) -> None:
    """Makes, or makes anew, a view of a table over files, with its comments."""
    database.execute(view_of(name, table.columns, files))
    _comment(database, "VIEW", name, table.meaning, (*table.columns, DAY))


def view_of(name: str, columns: Iterable[Column], files: Sequence[str]) -> str:
    """The statement that makes a view over files.

    Args:
        name: of the view.
        columns: of its table.
        files: what it reads; none at all gives a view without rows.
    """
    if files:
        shown = ", ".join(column.name for column in (*columns, DAY))
        listed = ", ".join(map(quoted, files))
        source = (
            f"SELECT {shown} FROM read_parquet([{listed}], hive_partitioning = true, "
            "hive_types = {'day': DATE})"
        )
    else:
        shown = ", ".join(f"NULL::{column.type} AS {column.name}" for column in (*columns, DAY))
        source = f"SELECT {shown} WHERE false"
    return f"CREATE OR REPLACE VIEW {name} AS {source}"


def quoted(text: str) -> str:
    """Text as a literal of SQL.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def _table_of(table: SmallTable) -> str:
    columns = (f"{c.name} {c.type}{'' if c.null else ' NOT NULL'}" for c in table.columns)
    return f"CREATE TABLE {table.name} ({', '.join(columns)})"


def _small_rows(manifest: Manifest) -> Iterator[tuple[SmallTable, list[list[Any]]]]:
    """The small tables with their rows; the daily ones are filled by queries."""
    records: dict[SmallTable, Sequence[msgspec.Struct]] = {
        FILES: manifest.files,
        RULESETS: manifest.rulesets,
        SETTLEMENTS: manifest.settlements,
        JOURNAL: manifest.journal,
        DAILY_GAMES: (),
        DAILY_POSTINGS: (),
    }
    for table, own in records.items():
        names = [_FIELDS.get(column.name, column.name) for column in table.columns]
        rows = [
            [nth if name == "entry" else getattr(record, name) for name in names]
            for nth, record in enumerate(own, 1)
        ]
        yield table, rows


_FIELDS: Final = {"file_key": "key"}  # columns that a record calls otherwise


def _insert(database: duckdb.DuckDBPyConnection, table: str, rows: Sequence[list[Any]]) -> None:
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _comment(
    database: duckdb.DuckDBPyConnection,
    kind: str,
    name: str,
    meaning: str,
    columns: Iterable[Column],
) -> None:
    database.execute(f"COMMENT ON {kind} {name} IS {quoted(meaning + '.')}")
    for column in columns:
        comment = quoted(column.comment)
        database.execute(f"COMMENT ON COLUMN {name}.{column.name} IS {comment}")
